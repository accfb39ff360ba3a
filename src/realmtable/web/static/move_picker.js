// Walks the legal moves with whoever points: lights what can be chosen next, offers the rest as buttons, shows what a
// choice would do, and hands over the move once it is clear which one is meant.

import { Board } from "./board.js";
import { beginning, leads, pointed, unsure, walk } from "./move_tree.js";
import { html, part, put } from "./html.js";

const PREVIEW_AFTER_MS = 140;

export class Picker {
  choices = [];
  path = [];
  pending = ""; // the move that is on its way

  /** @param {{play(move: string): Promise, preview(move: string): Promise, pointed(): void}} told */
  constructor(told) {
    this.told = told;
    const point = (handle) => this.point(handle);
    this.board = new Board({ pick: (handle) => this.pick(handle), point, back: () => this.go([]) });
    const bar = part("choices");
    bar.addEventListener("click", (event) => {
      const { pick, move } = event.target.dataset;
      if (pick || move) event.stopPropagation(); // redrawn, the same button may mean something else to the page
      if (pick) this.pick(pick);
      else if (move) this.play(move);
    });
    for (const type of ["pointerover", "focusin"]) bar.addEventListener(type, ({ target }) => point(target.dataset.pick));
    for (const type of ["pointerleave", "focusout"]) bar.addEventListener(type, () => point());
  }

  /** New choices, and what to say when there are none; with the same `key` a walk goes on if it can. */
  offer(key, choices, labels, idle) {
    Object.assign(this, { choices, labels, idle });
    if (key !== this.key) Object.assign(this, { key, path: [], pending: "", at: undefined, previews: new Map() });
    else if (!leads(choices, this.path)) this.path = [];
    this.draw();
  }

  pick(handle) {
    if (this.pending) return;
    this.go(pointed(this.choices, this.path, handle), handle);
    const { next, done } = walk(this.choices, this.path);
    if (this.path.length && done.length === 1 && !next.size) this.play(done[0].move);
  }

  /** Goes to a place of the walk; `at` is what was pointed at, if that led there. */
  go(path, at) {
    if (this.pending) return;
    Object.assign(this, { path, at });
    this.draw();
  }

  async play(move) {
    this.pending = move;
    this.draw();
    await this.told.play(move);
    if (this.pending !== move) return; // a new scene was quicker
    this.pending = "";
    this.go([]);
  }

  point(handle) {
    this.at = handle;
    if (handle) this.told.pointed();
    this.say();
  }

  /** Says and, after a moment, shows where the walk stands, or where pointing at a handle would take it. */
  say() {
    clearTimeout(this.timer);
    if (this.pending) return void (part("caption").textContent = `${this.pending} …`);
    const { choices, path, at } = this;
    this.board.ghost();
    const on = !at || path.includes(at) ? path : [[...path, at], [at]].find((way) => leads(choices, way));
    if (!on) return void (part("caption").textContent = this.why(at));
    const { next, done } = walk(choices, on);
    const said = done[0]?.words ?? done[0]?.move ?? this.idle;
    const meant = unsure(choices, on);
    part("caption").textContent = meant ? (meant.words ?? meant.move) : next.size ? this.prompt(on, [...next]) : said;
    if (meant && on === path) put(part("caption"), html`<span class="about">${this.name(on[0])}</span> ${meant.words ?? meant.move}? Choose it again, or press the button`);
    if (on !== path && done.length === 1) this.timer = setTimeout(() => this.preview(done[0].move), PREVIEW_AFTER_MS);
  }

  /** What stands on a place that leads nowhere. */
  why(handle) {
    const now = this.choices.length ? "cannot be chosen now" : this.idle;
    return [this.name(handle), now].filter(Boolean).join(": ");
  }

  async preview(move) {
    const { previews, at, path } = this;
    if (!previews.has(move)) previews.set(move, this.told.preview(move));
    const shown = await previews.get(move).catch(() => null);
    if (!shown || this.at !== at || this.path !== path || this.pending) return;
    this.board.ghost(shown.picture);
    part("caption").textContent = shown.words;
  }

  prompt(path, next) {
    const lit = next.filter((handle) => this.board.handles.has(handle)).length;
    const ways = [lit && (lit > 1 ? `one of ${lit} lit places` : "the lit place"), lit < next.length && "a button below"];
    const begins = !path.length && beginning(this.choices);
    const so = begins ? `${begins} …` : path.map((handle) => this.name(handle)).join(", then ").replace(/\.$/, "");
    return `${so ? `${so}: choose` : "Choose"} ${ways.filter(Boolean).join(" or ")}`;
  }

  name(handle) {
    return this.board.handles.get(handle)?.getAttribute("aria-label") ?? this.labels[handle] ?? handle;
  }

  draw() {
    const { choices, path, pending, board } = this;
    const { next, done } = walk(pending ? [] : choices, path);
    const first = path.length ? "target" : "lit";
    const marks = new Map(path.map((handle) => [handle, "chosen"]));
    const meant = pending ? null : unsure(choices, path);
    for (const handle of next) marks.set(handle, walk(choices, [handle]).done.length || unsure(choices, [handle]) ? "target" : first);
    if (meant) marks.set(path.at(-1), "chosen target");
    for (const handle of meant ? walk(choices, []).next : []) if (!marks.has(handle)) marks.set(handle, "target");
    board.light(marks);
    if (meant || this.near) import("./zoom.js").then(({ enlarge }) => enlarge(board.handles.get(this.near)));
    this.near = meant && path.at(-1);
    const others = [...next].filter((handle) => !board.handles.has(handle));
    put(part("choices"), html`${(meant ? [meant] : done).map(({ move, words }) => html`<button class="primary" data-move="${move}">${meant || done.length > 1 ? (words ?? move) : "Done"}</button>`)}
      ${others.map((handle) => html`<button class="${next.size === 1 && "primary"}" data-pick="${handle}">${this.name(handle)}</button>`)}
      ${path.length > 0 && !pending && html`<button class="quiet" data-do="escape">Back</button>`}`.trim());
    this.say();
  }
}
