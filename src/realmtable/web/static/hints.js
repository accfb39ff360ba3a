// @ts-check
// Hints at a live table, loaded with the first request for one: a good turn with its reasons, or the game's own advice.

import { adviceCharts } from "./advice.js";
import { request } from "./request.js";
import { byRole, render } from "./html.js";
import { loadStyle } from "./load_style.js";
import { say } from "./language.js";

const LONG_WAIT_MS = 1500;
const SENTENCE_END = /(?<=\.) (?=\p{Lu})/u;

export class Hints {
  isWaiting = false; // for an answer
  /** @type {Hint | null} */
  hint = null; // a good turn, and the step at which it was asked for

  /** @param {BoardPage} page */
  constructor(page) {
    loadStyle(new URL("./advice.css", import.meta.url));
    this.page = page;
  }

  /** @param {string} source */
  async fetch(source) {
    const [button, step] = [byRole("hint"), this.page.scene.step];
    this.isWaiting = true;
    button.textContent = say("Thinking…");
    this.draw();
    const timer = setTimeout(() => this.explainWait(), LONG_WAIT_MS);
    try {
      this.hint = { askedAt: step, ...(await request("POST", `${source}/hints?pictures=true`, {})) };
      this.hasAnswered = true;
    } finally {
      clearTimeout(timer);
      this.isWaiting = false;
      button.textContent = say("Hint");
      this.draw();
    }
    byRole("hint-box").scrollIntoView({ block: "nearest" }); // many choices may be above it
  }

  /** Says that a hint takes long. The first one does, because the engine has to start. */
  explainWait() {
    this.page.announce(this.hasAnswered ? say("Still thinking…") : say("The first hint takes longer…"));
  }

  /** Plays what is left of the turn that was suggested, as long as it is legal. */
  async play() {
    const { hint, page } = this;
    if (!hint || page.moment) return;
    for (let move; (move = hint.moves[hint.advice ? 0 : page.scene.step - hint.askedAt]) && this.isLegal(move); ) {
      const { step } = page.scene;
      await page.picker.play(move, true);
      if (hint.advice || page.scene.step === step) return; // it was refused
    }
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
    byRole("hint").disabled = this.isWaiting || !scene.can.includes("hint");
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
    byRole("play-hint").hidden = !path.length;
    byRole("hint-more").hidden = !more.length && !hint.advice;
    byRole("hint-details").textContent = more.join(" ");
    byRole("hint-reason").textContent = reason + (hint.warming ? " The engine is still warming up; hints get stronger in about half a minute." : "");
  }
}
