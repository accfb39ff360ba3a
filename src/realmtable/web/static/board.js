// @ts-check
// The picture of a game as something to point at by mouse, touch, drag or keyboard. Knows handles, not what they mean.

import { byRole, handleOf, render } from "./html.js";
import { load, save } from "./preferences.js";

const TURNED = "turned"; // whether the player has turned the board of this page
const BOARD_KEYS = /^(Enter| |Home|End|Arrow.+)$/;
const EVENTS = "click keydown pointerover pointerleave focusin focusout";

/**
 * Returns a test whether the pointer is elsewhere than in the event before: if not, the page has moved under it.
 * @returns {(event: { clientX?: number, clientY?: number }) => boolean}
 */
export function watchPointer() {
  let at = "";
  return ({ clientX, clientY }) => at !== (at = `${clientX} ${clientY}`);
}

export class Board {
  picture = byRole("picture");
  /** @type {HTMLElement[]} */
  roots = [this.picture, byRole("panel-pages")].filter(Boolean); // panels have handles too
  frame = byRole("board");
  /** @type {Places} */
  handles = new Map(); // in reading order; what is in the picture and in a panel is found in the picture
  /** @type {Layer[]} */
  currentLayers = [];
  marks = ["lit", "target", "chosen"]; // a move can start here, can continue here, was chosen before
  /** @type {Map<string, Map<string, number>>} */
  slots = new Map(); // where the parts of a market are, by group
  tabStop = ""; // the handle that had the focus last
  /** @type {Map<HTMLElement, any>} */
  tabStops = new Map(); // the handle that Tab reaches, by root
  hasMoved = watchPointer();
  /** @type {{ name: string, clientX: number, clientY: number } | null} */
  dragStart = null; // where a press may become a drag
  /** @type {SVGElement | null} */
  dragged = null; // the copy of a piece that follows the pointer
  isDropping = false; // while a drag ends
  /** @type {import("./moving_pieces.js").Ahead | null} */
  ahead = null; // the move that is shown before the server answers
  // What is loaded when a picture needs it:
  /** @type {Promise<void> | undefined} */
  zoom;
  /** @type {Promise<import("./pan_and_zoom.js").Pan> | undefined} */
  pan;
  /** @type {import("./layers.js").Layers | undefined} */
  layers;

  /** @param {BoardListener} listener */
  constructor(listener) {
    this.listener = listener;
    byRole("flip")?.addEventListener("click", () => this.turn());
    if (load(TURNED)) this.frame.toggleAttribute("data-turned", load(TURNED) === "yes");
    this.indexHandles();
    this.updatePan();
    import("./moving_pieces.js").then((moving) => (this.moving = moving).watchDrags(this)); // needed from the second picture on
    for (const root of this.roots) for (const type of EVENTS.split(" ")) root.addEventListener(type, this);
  }

  /** @this {any} @param {Event} event */
  handleEvent(event) {
    this[event.type](event);
  }

  indexHandles() {
    const found = this.roots.flatMap((root) => [...root.querySelectorAll("[data-handle]")]);
    this.handles.clear();
    for (const element of found) if (!this.handles.has(handleOf(element))) this.handles.set(handleOf(element), element);
    if (this.picture.querySelector("[data-card]")) this.zoom ??= import("./enlarged_place.js").then(({ watchCards }) => watchCards(this.picture));
  }

  /**
   * Shows a picture; `steps` are the clicks that led to it from the previous one, if they did; `allAct` if all act at once.
   * @param {string} picture @param {string[][] | null} steps @param {boolean} [allAct]
   */
  show(picture, steps, allAct) {
    const lead = this.moving?.endAhead(this, steps);
    const before = this.moving?.snapshotPlaces(this.handles);
    const snapshot = allAct && this.simultaneous?.snapshotPlaces(this.picture, this.handles);
    if (allAct) this.loadSimultaneousChanges();
    render(this.picture, picture);
    this.indexHandles();
    if (allAct) this.simultaneous?.keepSlots(this.picture, this.slots);
    if (snapshot) this.simultaneous?.showChanges(this.picture, this.handles, snapshot);
    this.updatePan();
    this.hasCaptured = !!steps && !!before && this.hasGrid() && this.moving.hasCapture(this.handles, before, steps);
    if (steps && before) this.moving.animateSteps(this.handles, before, steps, lead);
  }

  /** Loads what helps while everyone acts at once; needed from the second picture on. */
  async loadSimultaneousChanges() {
    if (this.simultaneous) return;
    this.simultaneous = await import("./simultaneous_changes.js");
    this.simultaneous.keepSlots(this.picture, this.slots);
  }

  /** Turns the board by half a circle, so that the other side is at the bottom. Pictures without sides ignore it. */
  turn() {
    save(TURNED, this.frame.toggleAttribute("data-turned") ? "yes" : "no");
    this.listener.turn();
  }

  /** Lets a picture that asks for it be panned and zoomed. */
  async updatePan() {
    const svg = this.picture.querySelector(":scope > svg[data-pans]");
    if (!this.pan && !svg) return;
    this.pan ??= import("./pan_and_zoom.js").then(({ Pan }) => new Pan(this));
    (await this.pan).update(svg);
  }

  /** Moves a picture that can be panned to what can be chosen in it. */
  async follow() {
    const pan = await this.pan;
    pan?.follow(this.litPlaces());
  }

  /** What can be chosen in the picture. @returns {any[]} */
  litPlaces() {
    return this.litHandles().map((name) => this.handles.get(name)).filter((place) => this.picture.contains(place));
  }

  /** Whether the page is to say what each choice in the picture does. */
  explains() {
    return !!this.picture.querySelector("svg[data-explains]");
  }

  /** Scrolls to what can be chosen in a tall picture, and back after the last one. */
  async scrollToChoices() {
    if (this.scroll || this.picture.querySelector("svg[data-tall]")) (this.scroll = await import("./scroll_to_places.js")).scrollToPlaces(this);
  }

  /** Shows the layers under the picture. @param {Layer[]} [layers] */
  async showLayers(layers = []) {
    this.currentLayers = layers;
    if (!this.layers && !layers.length) return;
    const { Layers } = await import("./layers.js");
    (this.layers ??= new Layers()).show(this.currentLayers);
  }

  /** @param {Map<string, string>} marks by handle: one of `this.marks`, or "chosen target" for what needs a second click */
  setMarks(marks) {
    for (const [name, element] of this.handles) {
      const mark = marks.get(name)?.split(" ");
      for (const other of this.marks) element.classList.toggle(other, !!mark?.includes(other));
      if (mark) element.setAttribute("aria-description", mark[1] ? "selected; select again to confirm" : mark[0] === "chosen" ? "selected" : "available");
      else element.removeAttribute("aria-description");
    }
    for (const root of this.roots) {
      const names = [...this.handles.keys()].filter((name) => root.contains(this.handles.get(name)));
      const known = this.tabStops.get(root);
      this.setTabStop(names.includes(known) ? known : (names.find((name) => this.hasMark(name, "lit", "target")) ?? names[0]), root);
    }
  }

  isTurned() {
    return this.frame.hasAttribute("data-turned");
  }

  /** Whether the picture is a board with spaces, not a table with cards. */
  hasGrid() {
    return !!this.picture.querySelector('[role="grid"]');
  }

  /** @param {string | undefined} name @param {...string} marks */
  hasMark(name, ...marks) {
    return marks.some((mark) => this.handles.get(name)?.classList.contains(mark));
  }

  litHandles() {
    return [...this.handles.keys()].filter((name) => this.hasMark(name, "lit", "target"));
  }

  /** @param {string} name @param {HTMLElement} root */
  setTabStop(name, root) {
    this.handles.get(this.tabStops.get(root))?.setAttribute("tabindex", -1);
    this.handles.get(name)?.setAttribute("tabindex", 0);
    this.tabStops.set(root, name);
  }

  /** @param {Element} element @returns {any} */
  rootOf(element) {
    return this.roots.find((root) => root.contains(element));
  }

  focusNextLit() {
    const lit = this.litHandles();
    const from = this.handles.has(this.tabStop) ? this.tabStop : this.tabStops.get(this.picture);
    const next = this.handles.get(lit[(lit.indexOf(from) + 1) % lit.length]);
    this.listener.reveal(next);
    next?.focus();
  }

  /**
   * Lays the picture a move would lead to over the board; without a picture, removes it.
   * @param {string} [picture] @param {Layer[]} [layers]
   */
  showPreview(picture, layers = []) {
    const overlay = byRole("preview");
    overlay.hidden = !picture;
    this.layers?.show(picture ? layers : this.currentLayers);
    overlay.innerHTML = picture ?? "";
    for (const element of overlay.querySelectorAll("[data-handle]")) {
      const marked = this.handles.get(handleOf(element))?.getAttribute("class");
      if (marked) element.setAttribute("class", marked); // not where the move adds a place
      element.removeAttribute("data-handle"); // only the board itself can be pointed at
    }
  }

  /** @param {On<MouseEvent>} event */
  click(event) {
    const name = handleOf(event.target);
    if (this.dragged) return event.stopPropagation(); // it ends a drag, to which the page has replied
    if (!name) return;
    if (this.simultaneous?.hasJustChanged(this.handles.get(name))) this.listener.miss(name);
    else this.listener.pick(name);
  }

  /** @param {On<KeyboardEvent>} event */
  keydown(event) {
    const place = event.target.closest("[data-handle]");
    if (!place || event.ctrlKey || event.metaKey || event.altKey || !BOARD_KEYS.test(event.key)) return;
    event.preventDefault();
    import("./board_keys.js").then(({ onBoardKey }) => onBoardKey(this, place, event.key));
  }

  /** Sets the handle being pointed at; none clears it. @param {string} [name] */
  pointAt(name) {
    this.handles.get(this.pointed)?.classList.remove("hover");
    this.handles.get(name)?.classList.add("hover");
    this.pointed = name;
    this.listener.point(name);
  }

  /**
   * Only the keyboard's focus points: what a press would change on the page could push the place away before its click.
   * @param {On<FocusEvent>} event
   */
  focusin({ target }) {
    const name = handleOf(target);
    if (name) this.setTabStop((this.tabStop = name), this.rootOf(target));
    this.listener.focus();
    if (target.matches(":focus-visible")) this.pointAt(name);
  }

  /** @param {On<FocusEvent>} event */
  focusout({ target }) {
    if (handleOf(target) === this.pointed) this.pointAt();
  }

  cancelDrag() {
    this.dragStart = null;
    this.dragged?.remove();
  }

  /** @param {On<PointerEvent>} event */
  pointerover(event) {
    if (this.hasMoved(event) && event.pointerType === "mouse" && !this.dragStart) this.pointAt(handleOf(event.target));
  }

  /** @param {PointerEvent} event */
  pointerleave(event) {
    if (this.hasMoved(event)) this.hasMoved({}); // it may come back to the same point
    this.pointAt();
  }
}
