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

  /** Whether a hint still tells something: its turn can be played on, or all that the game advised can be done. */
  holds({ at, moves, advice }) {
    const { choices, news, step } = this.desk.present;
    const can = (text) => choices.some(({ move }) => move === text);
    if (advice) return can(moves[0]);
    const taken = news.filter(({ kind }) => kind === "stepped").slice(-(step - at) || Infinity);
    return taken.every(({ text }, index) => text === moves[index]) && can(moves[step - at]);
  }

  /** A hint lights up its next step. */
  drawn() {
    const { present, moment, picker } = this.desk;
    if (this.hint && !this.holds(this.hint)) this.hint = null;
    const { hint } = this;
    const done = hint?.advice ? 0 : present.step - hint?.at;
    part("hinted").hidden = !hint;
    const here = hint && !moment ? hint.paths[done] : [];
    for (const [name, place] of picker.board.handles) place.classList.toggle("hinted", here.includes(name));
    if (!hint) return;
    part("hint-turn").textContent = hint.advice ? hint.words[0] : hint.text;
    part("hint-words").textContent = hint.advice ? "" : hint.words.join("; ");
    put(part("hint-advice"), charts(hint.advice));
    part("hint-reason").textContent = unbroken(hint.reason) + (hint.warming ? " (The engine is still being made ready: in some minutes it sees more.)" : "");
  }
}
