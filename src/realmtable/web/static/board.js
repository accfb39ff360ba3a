// The picture of a game as something to point at by mouse, finger, drag or keys. Knows handles, not what they mean.

import { glide, middle, standing } from "./animate.js";
import { part, put } from "./html.js";

const DRAG_PX = 6;
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const MARKS = ["lit", "target", "chosen"]; // begin here, go on here, chosen before
const EVENTS = "click keydown pointerdown pointermove pointerup pointercancel pointerover pointerleave touchmove focusin focusout";

const named = (element) => element?.closest?.("[data-handle]")?.dataset.handle;
const under = ({ clientX, clientY }) => named(document.elementFromPoint(clientX, clientY));

export class Board {
  picture = part("picture");
  stop = ""; // the handle that Tab reaches

  /** @param {{pick(handle: string): void, point(handle?: string): void, back(): void}} told */
  constructor(told) {
    this.told = told;
    this.learn();
    for (const type of EVENTS.split(" ")) this.picture.addEventListener(type, this, { passive: false });
  }

  handleEvent(event) {
    this[event.type](event);
  }

  learn() {
    const found = [...this.picture.querySelectorAll("[data-handle]")];
    /** @type {Map<string, SVGGraphicsElement>} in reading order */
    this.handles = new Map(found.map((element) => [named(element), element]));
  }

  /** Shows a picture; `steps` are the clicks that led to it from the one before, if they did. */
  show(picture, steps) {
    const before = standing(this.handles);
    put(this.picture, picture);
    this.learn();
    if (steps) glide(this.handles, before, steps);
  }

  /** @param {Map<string, string>} marks by handle, one of MARKS, or "chosen target" for what has to be chosen again */
  light(marks) {
    for (const [name, element] of this.handles) {
      const mark = marks.get(name)?.split(" ");
      for (const other of MARKS) element.classList.toggle(other, !!mark?.includes(other));
      if (mark) element.setAttribute("aria-description", mark[1] ? "chosen; choose it again to do it" : mark[0] === "chosen" ? "chosen" : "can be chosen");
      else element.removeAttribute("aria-description");
    }
    this.tabTo(this.handles.has(this.stop) ? this.stop : (this.lit()[0] ?? this.handles.keys().next().value));
  }

  is(name, ...marks) {
    return marks.some((mark) => this.handles.get(name)?.classList.contains(mark));
  }

  lit() {
    return [...this.handles.keys()].filter((name) => this.is(name, "lit", "target"));
  }

  tabTo(name) {
    this.handles.get(this.stop)?.setAttribute("tabindex", -1);
    this.handles.get(name)?.setAttribute("tabindex", 0);
    this.stop = name;
  }

  focusNextLit() {
    const lit = this.lit();
    this.handles.get(lit[(lit.indexOf(this.stop) + 1) % lit.length])?.focus();
  }

  /** Lays over the picture what a move would lead to; where both are the same, nothing is seen of it. */
  ghost(picture) {
    const overlay = part("ghost");
    overlay.hidden = !picture;
    overlay.innerHTML = picture ?? "";
    for (const element of overlay.querySelectorAll("[data-handle]")) {
      element.setAttribute("class", this.handles.get(named(element))?.getAttribute("class"));
      element.removeAttribute("data-handle"); // only the picture itself can be pointed at
    }
  }

  click({ target }) {
    if (named(target) && !this.carried) this.told.pick(named(target));
  }

  keydown(event) {
    const from = event.target.closest("[data-handle]");
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = [...(from.closest("[role=row]") ?? this.picture).querySelectorAll("[data-handle]")];
    if (event.key === "Enter" || event.key === " ") this.told.pick(named(from));
    else if (event.key === "Home") row[0].focus();
    else if (event.key === "End") row.at(-1).focus();
    else if (event.key in ARROWS) this.nearest(from, ...ARROWS[event.key])?.focus();
    else return;
    event.preventDefault();
  }

  /** The nearest handle in a direction, by where they lie, so that hexes and hands of cards work as grids do. */
  nearest(from, right, down) {
    const { x, y } = middle(from);
    let [best, least] = [null, Infinity];
    for (const element of this.handles.values()) {
      const to = middle(element);
      const along = (to.x - x) * right + (to.y - y) * down;
      const far = along + 3 * Math.abs((to.x - x) * down + (to.y - y) * right);
      if (along > 2 && far < least) [best, least] = [element, far];
    }
    return best;
  }

  /** Somebody points at a handle, or at none. */
  aim(name) {
    this.handles.get(this.aimed)?.classList.remove("hover");
    this.handles.get(name)?.classList.add("hover");
    this.aimed = name;
    this.told.point(name);
  }

  focusin({ target }) {
    this.tabTo(named(target));
    this.aim(named(target));
  }

  focusout() {
    this.aim();
  }

  pointerover({ target, pointerType }) {
    if (pointerType === "mouse" && !this.from) this.aim(named(target));
  }

  pointerleave() {
    this.aim();
  }

  // Dragging: from a place that is lit to one where the walk goes on; a copy of the piece follows.

  pointerdown({ target, button, clientX, clientY }) {
    const name = named(target);
    this.carried = null;
    this.from = !button && this.is(name, "lit", "chosen") && !this.is(name, "target") ? { name, clientX, clientY } : null;
  }

  touchmove(event) {
    if (this.from) event.preventDefault(); // the page stays where it is
  }

  pointermove(event) {
    if (!this.from) return;
    const [right, down] = [event.clientX - this.from.clientX, event.clientY - this.from.clientY];
    if (!this.carried && Math.hypot(right, down) < DRAG_PX) return;
    this.carried ??= this.lift(event.pointerId);
    const scale = this.carried.ownerSVGElement.getScreenCTM().a;
    this.carried.style.translate = `${right / scale}px ${down / scale}px`;
    this.aim(under(event));
  }

  lift(pointer) {
    const { name } = this.from;
    const piece = this.handles.get(name);
    const svg = piece.ownerSVGElement;
    const copy = piece.cloneNode(true);
    const { e, f } = svg.getScreenCTM().inverse().multiply(piece.getScreenCTM());
    copy.setAttribute("transform", `translate(${e} ${f})`);
    copy.removeAttribute("data-handle");
    copy.classList.remove(...MARKS);
    copy.classList.add("carried");
    if (!this.is(name, "chosen")) this.told.pick(name);
    this.picture.setPointerCapture(pointer);
    return svg.appendChild(copy);
  }

  pointerup(event) {
    const { from, carried } = this;
    this.from = null;
    if (!carried) return;
    carried.remove();
    const name = under(event);
    this.aim();
    if (this.is(name, "target")) this.told.pick(name);
    else if (name !== from.name) this.told.back();
  }

  pointercancel() {
    this.from = null;
    this.carried?.remove();
  }
}
