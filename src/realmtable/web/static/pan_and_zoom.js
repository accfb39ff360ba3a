// @ts-check
// Pan and zoom for a picture with data-pans: wheel, pinch, drag, double click, keys and buttons. The view is a centre in
// the picture's units and a scale, 1 for the whole picture, so that it outlives new pictures and other window sizes.
// A picture may say with data-turns and data-opens which part of it is to be seen, and which part it opens with, if it is
// turned by no, one or more sixths to the right; data-readable and data-levels name numbers of pixels per unit: from
// which its text can be read, and from which it shows more.

import { byRole, handleOf, html, render } from "./html.js";
import { load, reducesMotion, save } from "./preferences.js";

/** @typedef {{ x?: number, y?: number, scale: number, turn?: number }} View `turn` by so many sixths, while it is stored */

const MAX_SCALE = 8;
const ZOOM_STEP = 1.5;
const DRAG_PX = 6;
const MARGIN_PX = 16; // kept between a focused place and the edge
const SMALL_PX = 600; // a narrower frame starts with the suggested view …
const SIXTH = Math.PI / 3;
const START_SCALE = 2; // … and a wider one with no more than this, where the suggested view would be closer
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
/** @type {Record<string, keyof Pan["commands"]>} */
const KEYS = { "+": "in", "=": "in", "-": "out", "−": "out", 0: "whole" };
const EVENTS = "wheel dblclick pointerdown pointermove pointerup pointercancel touchstart touchmove focusin";
const BUTTONS = [
  ["in", "Zoom in", "M12 5v14M5 12h14"],
  ["out", "Zoom out", "M5 12h14"],
  ["whole", "Show the whole board", "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"],
  ["focus", "Show where to act", "M12 2v5M12 17v5M2 12h5M17 12h5M12 7a5 5 0 1 0 0 10 5 5 0 1 0 0-10"],
];
/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
/** Boxes such as "x y width height;x y width height". @param {string | undefined} text */
const readBoxes = (text) => text?.split(";").map((box) => new DOMRect(...box.split(" ").map(Number))) ?? [];
/** @param {DOMRect} box */
const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

export class Pan {
  frame = byRole("board");
  canvas = byRole("canvas");
  tools = byRole("view-tools");
  /** @type {Map<number, PointerEvent>} */
  pointers = new Map(); // where each finger or button that is down was last
  ownScale = 0; // the scale that the player has chosen; 0 until the first picture
  /** @type {View} */
  view = JSON.parse(load("view"));
  /** @type {SVGSVGElement} */
  svg = /** @type {any} */ (null); // the picture, while there is one that can be panned
  /** @type {Element[]} */
  followed = []; // the places in view, until the player moves the view; buttons that appear below change its size
  turn = this.view?.turn ?? 0; // by so many sixths to the right the picture is turned
  moved = false; // whether the current gesture has moved the view, so that its click does not count

  /** What buttons and keys do. */
  commands = {
    in: () => this.zoom(ZOOM_STEP),
    out: () => this.zoom(1 / ZOOM_STEP),
    whole: () => {
      this.chooseTurn();
      this.glideTo({ scale: 1 });
    },
    focus: () => this.glideTo(this.suggestedView()),
  };

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    for (const type of EVENTS.split(" ")) this.frame.addEventListener(type, (event) => this.svg && /** @type {any} */ (this)[type](event), { passive: false });
    this.frame.addEventListener("click", (event) => this.click(event), { capture: true });
    this.frame.addEventListener("keydown", (event) => this.arrowKey(event), { capture: true });
    document.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.svg && this.resize()).observe(this.frame);
  }

  /** Shows a new picture in the same view; without one, there is nothing to pan. @param {SVGSVGElement | null} svg */
  update(svg) {
    this.svg = /** @type {SVGSVGElement} */ (svg);
    this.tools.hidden = !svg;
    if (!svg) return void (this.canvas.style.transform = "");
    if (!this.view) this.chooseTurn();
    const suggested = !!svg.dataset.focus;
    render(this.tools, html`${BUTTONS.map(([view, name, path]) => (view !== "focus" || suggested) && html`<button type="button" class="icon" data-view="${view}" aria-label="${name}" title="${name}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg></button>`)}`);
    this.view ??= suggested ? this.startView() : { scale: 1 };
    this.apply();
    this.ownScale ||= this.view.scale;
  }

  resize() {
    this.apply();
    this.follow(this.followed.filter((place) => place.matches(".lit, .target") && place.isConnected));
  }

  /** Turns the picture so that it opens as large as possible, if it says how it can be turned. */
  chooseTurn() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const sizes = readBoxes(this.svg.dataset.opens).map((box) => Math.min(width / box.width, height / box.height));
    this.turn = Math.max(0, sizes.indexOf(Math.max(...sizes)));
  }

  /** Turns a point of the picture, or of the canvas, as the picture is turned. @param {{ x: number, y: number }} point */
  turnPoint({ x, y }) {
    const [cos, sin] = [Math.cos(this.turn * SIXTH), Math.sin(this.turn * SIXTH)];
    return { x: x * cos - y * sin, y: x * sin + y * cos };
  }

  /** Pixels per unit of the picture as it is turned, at scale 1; those of the canvas before; and the size of both. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { x, y, width: across, height: down } = this.svg.viewBox.baseVal;
    const own = new DOMRect(x, y, across, down);
    const box = readBoxes(this.svg.dataset.turns)[this.turn] ?? own;
    const fit = (/** @type {DOMRect} */ part) => Math.min(width / part.width, height / part.height);
    return { width, height, box, fit: fit(box), own, ownFit: fit(own) };
  }

  /** The part of the window in which the picture is visible, without the side on which the buttons lie over it. */
  visibleBox() {
    const [frame, tools] = [this.frame, this.tools].map((element) => element.getBoundingClientRect());
    const isLeft = tools.left - frame.left < frame.right - tools.right;
    return isLeft ? new DOMRect(tools.right, frame.top, frame.right - tools.right, frame.height) : new DOMRect(frame.left, frame.top, tools.left - frame.left, frame.height);
  }

  /** The view that the picture suggests: its data-focus, "x y width height". */
  suggestedView() {
    const { width, height, fit } = this.measure();
    const [x, y, across, down] = (this.svg.dataset.focus ?? "").split(" ").map(Number);
    return { ...this.turnPoint({ x: x + across / 2, y: y + down / 2 }), scale: Math.min(width / across, height / down) / fit };
  }

  /** Wide frames open with the whole picture or, if its text would be too small, with the suggested place at a readable size. */
  startView() {
    const view = this.suggestedView();
    if (this.frame.clientWidth < SMALL_PX) return view;
    const { width, height, fit } = this.measure();
    const readable = Number(this.svg.dataset.readable) / fit;
    const opens = readBoxes(this.svg.dataset.opens)[this.turn];
    if (opens) {
      const all = Math.min(width / opens.width, height / opens.height) / fit;
      return all < readable ? { ...view, scale: readable } : { ...middleOf(opens), scale: all };
    }
    if (readable) return { ...view, scale: clamp(readable, 1, view.scale) };
    return { ...view, scale: view.scale > START_SCALE ? START_SCALE : 1 };
  }

  /**
   * Brings places into view, all of them: it zooms out as far as they need, and later in again to the player's own scale.
   * @param {Element[]} places
   */
  follow(places) {
    if (!this.svg || !places.length) return;
    for (const animation of this.canvas.getAnimations()) animation.finish();
    this.followed = places;
    const visible = this.visibleBox();
    const boxes = places.map((place) => place.getBoundingClientRect());
    const least = (/** @type {"left" | "top"} */ side) => Math.min(...boxes.map((box) => box[side])) - MARGIN_PX;
    const most = (/** @type {"right" | "bottom"} */ side) => Math.max(...boxes.map((box) => box[side])) + MARGIN_PX;
    const [left, top, right, bottom] = [least("left"), least("top"), most("right"), most("bottom")];
    const change = Math.min(visible.width / (right - left), visible.height / (bottom - top));
    const scale = clamp(this.view.scale * change, 1, this.ownScale);
    const isSeen = (/** @type {DOMRect} */ box) => box.left >= visible.left && box.right <= visible.right && box.top >= visible.top && box.bottom <= visible.bottom;
    if (scale <= this.view.scale && boxes.every(isSeen)) return;
    if (scale === this.view.scale) this.pan(Math.max(visible.left - left, 0) + Math.min(visible.right - right, 0), Math.max(visible.top - top, 0) + Math.min(visible.bottom - bottom, 0));
    else this.pan((visible.left + visible.right - left - right) / 2, (visible.top + visible.bottom - top - bottom) / 2);
    this.view.scale = scale;
    this.apply(true);
  }

  /** Moves the canvas to the view, as far as the picture reaches. @param {boolean} [glides] */
  apply(glides) {
    const { width, height, box, fit, own, ownFit } = this.measure();
    const scale = clamp(this.view.scale, 1, MAX_SCALE);
    const [frame, visible] = [this.frame.getBoundingClientRect(), this.visibleBox()];
    const [under, beyond] = [visible.left - frame.left, frame.right - visible.right].map((side) => side / (fit * scale)); // the buttons
    /** @param {number | undefined} centre @param {number} start @param {number} size @param {number} room */
    const limit = (centre, start, size, room, before = 0, after = 0) => {
      const half = Math.min(room / (2 * fit * scale), size / 2);
      return clamp(centre ?? start + size / 2, start + half - before, start + size - half + after);
    };
    const x = limit(this.view.x, box.x, box.width, width, under, beyond);
    const y = limit(this.view.y, box.y, box.height, height);
    this.view = { x, y, scale };
    const unit = fit * scale;
    const [middle, corner] = [this.turnPoint(middleOf(own)), this.turnPoint({ x: width / 2, y: height / 2 })];
    const place = (/** @type {number} */ half, /** @type {number} */ from, /** @type {number} */ to) => half + (from - to) * unit;
    const [right, down] = [place(width / 2, middle.x, x) - corner.x * unit / ownFit, place(height / 2, middle.y, y) - corner.y * unit / ownFit];
    this.canvas.style.transition = glides && !reducesMotion() ? "transform .2s ease-out" : "none";
    this.canvas.style.transform = `translate(${right}px, ${down}px) rotate(${this.turn * SIXTH}rad) scale(${unit / ownFit})`;
    this.showDetails(unit);
    this.frame.classList.toggle("zoomed", scale > 1);
    save("view", JSON.stringify({ ...this.view, turn: this.turn }));
  }

  /** Says by attributes of the canvas how much detail the picture shows, and how it is turned. @param {number} unit in pixels */
  showDetails(unit) {
    const { levels } = this.svg.dataset;
    if (levels) this.canvas.dataset.detail = `${levels.split(" ").filter((least) => unit >= Number(least)).length}`;
    if (this.turn) this.canvas.dataset.turn = `${this.turn}`;
    else delete this.canvas.dataset.turn;
  }

  /** @param {View} view */
  glideTo(view) {
    this.view = view;
    this.apply(true);
    this.ownScale = this.view.scale;
    this.followed = [];
  }

  /** Moves the picture by pixels. @param {number} right @param {number} down */
  pan(right, down) {
    const unit = this.measure().fit * this.view.scale;
    const { x = 0, y = 0, scale } = this.view; // known since it was applied
    this.view = { x: x - right / unit, y: y - down / unit, scale };
  }

  /**
   * Zooms; what is at a point of the window, or in the middle, stays there.
   * @param {number} factor @param {{ clientX: number, clientY: number }} [point]
   */
  zoom(factor, point, glides = true) {
    const { left, top, width, height } = this.frame.getBoundingClientRect();
    const [right, down] = point ? [point.clientX - left - width / 2, point.clientY - top - height / 2] : [0, 0];
    const scale = clamp(this.view.scale * factor, 1, MAX_SCALE);
    const change = scale / this.view.scale;
    this.pan(right / change - right, down / change - down);
    this.view.scale = this.ownScale = scale;
    this.followed = [];
    this.apply(glides);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const { deltaY, deltaMode, ctrlKey } = event;
    const factor = Math.exp(-deltaY * (deltaMode ? 0.05 : ctrlKey ? 0.01 : 0.002)); // a trackpad's pinch has ctrlKey
    event.preventDefault();
    this.zoom(factor, event, false);
  }

  /** @param {On<MouseEvent>} event */
  dblclick(event) {
    if (event.target.closest("button") || this.board.hasMark(handleOf(event.target), ...this.board.marks)) return;
    if (this.view.scale < MAX_SCALE) this.zoom(2, event);
    else this.commands.whole();
  }

  // Dragging and pinching

  /** @param {On<PointerEvent>} event */
  pointerdown(event) {
    if (event.button || event.target.closest("button")) return;
    if (event.isPrimary) this.pointers.clear();
    this.pointers.set(event.pointerId, event);
    this.moved = this.pointers.size > 1;
    if (this.moved) this.board.cancelDrag();
  }

  /** @param {PointerEvent} event */
  pointermove(event) {
    const from = this.pointers.get(event.pointerId);
    if (!event.buttons) return this.pointerup(event); // released outside the board
    if (!from || this.board.dragStart) return;
    const [right, down] = [event.clientX - from.clientX, event.clientY - from.clientY];
    if (!this.moved && (this.view.scale === 1 || Math.hypot(right, down) < DRAG_PX)) return;
    if (!this.moved) this.frame.setPointerCapture(event.pointerId);
    this.moved = true;
    this.frame.classList.add("panning");
    this.followed = [];
    const other = [...this.pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    this.pointers.set(event.pointerId, event);
    if (!other) this.pan(right, down);
    else this.pinch(from, event, other);
    this.apply();
  }

  /** One finger moves while another rests. @param {PointerEvent} from @param {PointerEvent} to @param {PointerEvent} rest */
  pinch(from, to, rest) {
    const distance = (/** @type {PointerEvent} */ point) => Math.hypot(point.clientX - rest.clientX, point.clientY - rest.clientY) || 1;
    this.zoom(distance(to) / distance(from), rest, false);
  }

  /** @param {PointerEvent} event */
  pointerup({ pointerId }) {
    this.pointers.delete(pointerId);
    this.frame.classList.toggle("panning", this.moved && this.pointers.size > 0);
  }

  pointercancel = this.pointerup;

  /** The browser may scroll the page with one finger, as CSS allows, but never with two. @param {TouchEvent} event */
  touchstart(event) {
    if (event.touches.length > 1 && event.cancelable) event.preventDefault();
  }

  touchmove = this.touchstart;

  /** @param {On<MouseEvent>} event */
  click(event) {
    const command = event.target.closest("[data-view]")?.dataset.view;
    if (this.moved && event.detail) event.stopPropagation(); // a key's click has no detail
    else if (command) this.commands[/** @type {keyof Pan["commands"]} */ (command)]();
    this.moved = false;
  }

  // The keyboard

  /** @param {On<KeyboardEvent>} event */
  key({ key, target, ctrlKey, metaKey, altKey }) {
    if (!this.svg || ctrlKey || metaKey || altKey || target.closest("input, textarea, select, dialog")) return;
    this.commands[KEYS[key]]?.();
  }

  /**
   * Arrow keys pan on the buttons, and with Shift on the board, where alone they go from place to place.
   * @param {On<KeyboardEvent>} event
   */
  arrowKey(event) {
    const way = ARROWS[event.key];
    if (!this.svg || !way || !(event.shiftKey || this.tools.contains(event.target))) return;
    event.preventDefault();
    event.stopPropagation();
    this.pan(-way[0] * this.frame.clientWidth / 4, -way[1] * this.frame.clientHeight / 4);
    this.apply(true);
  }

  /** Brings a place that gets the keyboard's focus into view. @param {On<FocusEvent>} event */
  focusin({ target }) {
    if (!target.matches("[data-handle]:focus-visible")) return;
    for (const animation of this.canvas.getAnimations()) animation.finish();
    const [place, frame] = [target.getBoundingClientRect(), this.visibleBox()];
    /** @param {number} low @param {number} high @param {number} start @param {number} end */
    const shift = (low, high, start, end) => (high - low > end - start - 2 * MARGIN_PX ? (start + end - low - high) / 2 : Math.max(start + MARGIN_PX - low, 0) + Math.min(end - MARGIN_PX - high, 0));
    this.pan(shift(place.left, place.right, frame.left, frame.right), shift(place.top, place.bottom, frame.top, frame.bottom));
    this.apply();
    target.scrollIntoView({ block: "nearest" }); // the browser may have scrolled to where it was
  }
}
