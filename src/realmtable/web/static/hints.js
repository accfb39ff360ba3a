// @ts-check
// Hints at a live table, loaded with the first request for one: a good turn with its reasons, or the game's own advice.

import { adviceCharts } from "./advice.js";
import { request } from "./request.js";
import { byRole, render } from "./html.js";

const LONG_WAIT_MS = 1500;
const SENTENCE_END = /(?<=\.) (?=\p{Lu})/u;

export class Hints {
  isWaiting = false; // for an answer
  /** @type {Hint | null} */
  hint = null; // a good turn, and the step at which it was asked for

  /** @param {BoardPage} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {string} source */
  async fetch(source) {
    const [button, shortcut, step] = [byRole("hint"), byRole("hint-shortcut"), this.page.scene.step];
    this.isWaiting = true;
    button.textContent = "Thinking…";
    this.draw();
    const timer = setTimeout(() => this.explainWait(button, shortcut), LONG_WAIT_MS);
    try {
      this.hint = { askedAt: step, ...(await request("POST", `${source}/hints?pictures=true`, {})) };
      this.hasAnswered = true;
    } finally {
      clearTimeout(timer);
      this.isWaiting = false;
      shortcut.textContent = "Hint";
      button.textContent = "Get a hint";
      this.draw();
    }
    const box = byRole("hint-box");
    box.scrollIntoView({ block: box.offsetHeight > innerHeight / 2 ? "start" : "end" }); // on a phone the button is far away
  }

  /**
   * Says that a hint takes long. The first one does, because the engine has to start.
   * @param {HTMLElement} button @param {HTMLElement} shortcut
   */
  explainWait(button, shortcut) {
    const text = this.hasAnswered ? "Still thinking…" : "The first hint takes longer…";
    this.page.announce(text);
    button.textContent = text;
    shortcut.textContent = "Wait…";
  }

  hide() {
    this.hint = null;
    this.draw();
  }

  /** @param {string | null} text */
  isLegal = (text) => this.page.scene.choices.some(({ move }) => move === text);

  /** Whether a hint still helps: its turn can be continued, or some of what the game advised can be done. @param {Hint} hint */
  isUseful({ askedAt, moves, advice }) {
    const { news, step } = this.page.scene;
    if (advice) return this.isCurrent(advice) && advice.charts.some(({ choices }) => choices.some(({ move }) => this.isLegal(move)));
    const played = news.filter(({ kind }) => kind === "stepped").slice(-(step - askedAt) || Infinity);
    return played.every(({ text }, index) => text === moves[index]) && this.isLegal(moves[step - askedAt]);
  }

  /** Whether everything the advice depends on is still there, as far as the picture shows the present. @param {Advice} advice */
  isCurrent = ({ needs }) => !!this.page.moment || needs.every((name) => this.page.picker.board.handles.has(name));

  /** Shows the hint and lights up its next step. */
  draw() {
    const { scene, moment, picker } = this.page;
    byRole("hint").disabled = byRole("hint-shortcut").disabled = this.isWaiting || !scene.can.includes("hint");
    if (this.hint && !this.isUseful(this.hint)) this.hint = null;
    const { hint } = this;
    const done = hint?.advice ? 0 : scene.step - (hint?.askedAt ?? 0);
    byRole("hint-box").hidden = !hint;
    const path = hint && !moment && this.isLegal(hint.moves[done]) ? hint.paths[done] : [];
    for (const [name, place] of picker.board.handles) place.classList.toggle("hinted", path.includes(name));
    if (!hint) return;
    const words = hint.words.join("; ");
    const [reason, ...more] = hint.reason.split(SENTENCE_END);
    byRole("hint-words").textContent = words;
    byRole("hint-turn").textContent = hint.advice || hint.text === words ? "" : hint.text;
    render(byRole("hint-advice"), adviceCharts(hint.advice, this.isLegal));
    byRole("hint-more").hidden = !more.length;
    byRole("hint-details").textContent = more.join(" ");
    byRole("hint-reason").textContent = reason + (hint.warming ? " The engine is still warming up; hints get stronger in about half a minute." : "");
  }
}
