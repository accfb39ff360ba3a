// Turns clicks into a move: lights up what can be chosen next, offers the rest as buttons, previews a choice, and hands
// over the move once it is unambiguous.

import { Board } from "./board.js";
import { byRole, html, render } from "./html.js";
import { commonWords, continuations, isPrefix, moveToConfirm, pathAfterClick } from "./click_paths.js";

const PREVIEW_AFTER_MS = 140;

/** Splits off a preposition at the end: "Base on" becomes ["Base", " on"]. */
const splitPreposition = (words) => words.match(/^(.*?)( (?:at|from|on|onto|to))?$/).slice(1).map((part) => part ?? "");

export class MovePicker {
  choices = [];
  path = [];
  pending = ""; // the move being sent

  /** @param {{play(move: string): Promise, preview(move: string): Promise, point(): void}} listener */
  constructor(listener) {
    this.listener = listener;
    const point = (handle) => this.pointAt(handle);
    this.board = new Board({ pick: (handle) => this.pick(handle), point, cancel: () => this.goTo([]) });
    const bar = byRole("choices");
    bar.addEventListener("click", (event) => {
      const { pick, move } = event.target.dataset;
      if (pick || move) event.stopPropagation(); // redrawn, the same button may mean something else to the page
      if (pick) this.pick(pick);
      else if (move) this.play(move);
    });
    for (const type of ["pointerover", "focusin"]) bar.addEventListener(type, ({ target }) => point(target.dataset.pick));
    for (const type of ["pointerleave", "focusout"]) bar.addEventListener(type, () => point());
  }

  /** Sets new choices and the caption for when there are none; under the same `key` a started path is kept if it can be. */
  setChoices(key, choices, labels, idleText) {
    Object.assign(this, { choices, labels, idleText });
    if (key !== this.key) Object.assign(this, { key, path: [], pending: "", at: undefined, previews: new Map() });
    else if (!isPrefix(choices, this.path)) this.path = [];
    this.draw();
  }

  pick(handle) {
    if (this.pending) return;
    this.goTo(pathAfterClick(this.choices, this.path, handle), handle);
    const { next, complete } = continuations(this.choices, this.path);
    if (this.path.length && complete.length === 1 && !next.size) this.play(complete[0].move);
  }

  /** Sets the path; `at` is the handle being pointed at, if that led there. */
  goTo(path, at) {
    if (this.pending) return;
    Object.assign(this, { path, at });
    this.draw();
  }

  async play(move) {
    this.pending = move;
    this.draw();
    await this.listener.play(move);
    if (this.pending !== move) return; // a new scene came first
    this.pending = "";
    this.goTo([]);
  }

  pointAt(handle) {
    this.at = handle;
    if (handle) this.listener.point();
    this.updateCaption();
  }

  /** Describes, and after a moment previews, the current path or the one that pointing at a handle would lead to. */
  updateCaption() {
    clearTimeout(this.timer);
    if (this.pending) return void (byRole("caption").textContent = `${this.pending}…`);
    const { choices, path, at } = this;
    this.board.showPreview();
    const shown = !at || path.includes(at) ? path : [[...path, at], [at]].find((way) => isPrefix(choices, way));
    if (!shown) return void (byRole("caption").textContent = this.describeUnavailable(at));
    const { next, complete } = continuations(choices, shown);
    const confirmable = moveToConfirm(choices, shown);
    const text = complete[0]?.words ?? complete[0]?.move ?? this.idleText;
    byRole("caption").textContent = confirmable ? (confirmable.words ?? confirmable.move) : next.size ? this.prompt(shown, [...next]) : text;
    if (confirmable && shown === path) render(byRole("caption"), html`<span class="about">${this.nameOf(shown[0])}</span> ${confirmable.words ?? confirmable.move}? Click it again to confirm.`);
    if (shown !== path && complete.length === 1) this.timer = setTimeout(() => this.preview(complete[0].move), PREVIEW_AFTER_MS);
  }

  describeUnavailable(handle) {
    const reason = this.choices.length ? "not available now" : this.idleText;
    return [this.nameOf(handle), reason].filter(Boolean).join(": ");
  }

  async preview(move) {
    const { previews, at, path } = this;
    if (!previews.has(move)) previews.set(move, this.listener.preview(move));
    const moment = await previews.get(move).catch(() => null);
    if (!moment || this.at !== at || this.path !== path || this.pending) return;
    this.board.showPreview(moment.picture, moment.layers);
    byRole("caption").textContent = moment.words;
  }

  /** A sentence on what to click after `path`. */
  prompt(path, next) {
    const { handles } = this.board;
    const lit = next.filter((handle) => handles.has(handle));
    const buttons = next.length - lit.length;
    const useButton = `use ${buttons > 1 ? "a" : "the"} button below.`;
    const alternative = buttons ? `, or ${useButton}` : ".";
    const subject = path.map((handle) => this.nameOf(handle)).join(", then ").replace(/\.$/, "");
    if (!lit.length) return subject ? `${subject}: ${useButton}` : useButton.replace("u", "U");
    const noun = this.board.hasGrid() ? "space" : "card";
    if (path.length) return noun === "space" && !buttons ? `${subject}: where to?` : `${subject}: pick a highlighted ${noun}${alternative}`;
    const [words, preposition] = splitPreposition(commonWords(this.choices));
    if (this.choices.length === 1 && words) return `${words}${preposition}.`;
    if (this.movesPiece(lit)) return `Move a highlighted piece${alternative}`;
    if (!words) return `Pick a highlighted ${noun}${alternative}`;
    return preposition || noun === "space" ? `${words}: pick a highlighted ${noun}${alternative}` : `${words} a ${noun}${alternative}`;
  }

  /** Whether every move that starts at one of these handles goes on to another place on the board. */
  movesPiece(starts) {
    const moves = this.choices.filter(({ path: [first] }) => starts.includes(first));
    return moves.every(({ path: [first, second] }) => second !== first && this.board.handles.has(second));
  }

  nameOf(handle) {
    return this.board.handles.get(handle)?.getAttribute("aria-label") ?? this.labels[handle] ?? handle;
  }

  draw() {
    const { choices, path, pending, board } = this;
    const { next, complete } = continuations(pending ? [] : choices, path);
    const confirmable = pending ? null : moveToConfirm(choices, path);
    board.setMarks(this.marks(next, confirmable));
    if (confirmable || this.zoomed) import("./zoom.js").then(({ showZoom }) => showZoom(board.handles.get(this.zoomed)));
    this.zoomed = confirmable && path.at(-1);
    const others = [...next].filter((handle) => !board.handles.has(handle));
    render(byRole("choices"), html`${(confirmable ? [confirmable] : complete).map(({ move, words }) => html`<button class="primary" data-move="${move}">${confirmable || complete.length > 1 ? (words ?? move) : "Done"}</button>`)}
      ${others.map((handle) => html`<button class="${next.size === 1 && "primary"}" data-pick="${handle}">${this.nameOf(handle)}</button>`)}
      ${path.length > 0 && !pending && html`<button class="quiet" data-do="escape">Back</button>`}`.trim());
    this.updateCaption();
  }

  /** The mark of each handle that has one, for Board.setMarks. */
  marks(next, confirmable) {
    const { choices, path } = this;
    const marks = new Map(path.map((handle) => [handle, "chosen"]));
    const isLast = (handle) => continuations(choices, [handle]).complete.length || moveToConfirm(choices, [handle]);
    for (const handle of next) marks.set(handle, path.length || isLast(handle) ? "target" : "lit");
    if (!confirmable) return marks;
    marks.set(path.at(-1), "chosen target");
    for (const handle of continuations(choices, []).next) if (!marks.has(handle)) marks.set(handle, "target");
    return marks;
  }
}
