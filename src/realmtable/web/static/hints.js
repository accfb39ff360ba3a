// Hints at a live table, fetched when somebody asks for one: a good turn with its reason, or what the game advises.

import { charts } from "./advice.js";
import { api } from "./api.js";
import { part, put, unbroken } from "./html.js";

export class Hints {
  hint = null; // a good turn, and the step at which it was asked for

  constructor(desk) {
    this.desk = desk;
  }

  async ask(source) {
    const [button, at] = [part("hint"), this.desk.present.step];
    button.disabled = true;
    button.textContent = "Thinking …";
    try {
      this.hint = { at, ...(await api("POST", `${source}/hints?pictures=true`, {})) };
    } finally {
      button.disabled = false;
      button.textContent = "Show me a good move";
      this.drawn();
    }
  }

  hide() {
    this.hint = null;
    this.drawn();
  }

  can = (text) => this.desk.present.choices.some(({ move }) => move === text);

  /** Whether a hint still tells something: its turn can be played on, or some of what the game advised can be done. */
  holds({ at, moves, advice }) {
    const { news, step } = this.desk.present;
    if (advice) return this.isSound(advice) && advice.charts.some(({ choices }) => choices.some(({ move }) => this.can(move)));
    const taken = news.filter(({ kind }) => kind === "stepped").slice(-(step - at) || Infinity);
    return taken.every(({ text }, index) => text === moves[index]) && this.can(moves[step - at]);
  }

  /** Whether all that advice rests on is still there, as far as the picture shows the present. */
  isSound = ({ needs }) => !!this.desk.moment || needs.every((name) => this.desk.picker.board.handles.has(name));

  /** A hint lights up its next step. */
  drawn() {
    const { present, moment, picker } = this.desk;
    if (this.hint && !this.holds(this.hint)) this.hint = null;
    const { hint } = this;
    const done = hint?.advice ? 0 : present.step - hint?.at;
    part("hinted").hidden = !hint;
    const here = hint && !moment && this.can(hint.moves[done]) ? hint.paths[done] : [];
    for (const [name, place] of picker.board.handles) place.classList.toggle("hinted", here.includes(name));
    if (!hint) return;
    part("hint-turn").textContent = hint.advice ? hint.words[0] : hint.text;
    part("hint-words").textContent = hint.advice ? "" : hint.words.join("; ");
    put(part("hint-advice"), charts(hint.advice, this.can));
    part("hint-reason").textContent = unbroken(hint.reason) + (hint.warming ? " (The engine is still being made ready: in some minutes it sees more.)" : "");
  }
}
