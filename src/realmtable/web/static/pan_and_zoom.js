// @ts-check
// Pan and zoom for a picture with data-pans: wheel, pinch, drag, double click, keys and buttons. The view is a centre in
// the picture's units and a scale, 1 for the whole picture, so that it outlives new pictures and other window sizes.

import { byRole, handleOf, html, render } from "./html.js";
import { load, reducesMotion, save } from "./preferences.js";

/** @typedef {{ x?: number, y?: number, scale: number }} View */

const MAX_SCALE = 8;
const ZOOM_STEP = 1.5;
const DRAG_PX = 6;
const MARGIN_PX = 16; // kept between a focused place and the edge
const SMALL_PX = 600; // a narrower frame starts with the suggested view …
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
  moved = false; // whether the current gesture has moved the view, so that its click does not count

  /** What buttons and keys do. */
  commands = {
    in: () => this.zoom(ZOOM_STEP),
    out: () => this.zoom(1 / ZOOM_STEP),
    whole: () => this.glideTo({ scale: 1 }),
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

  /** Pixels per unit of the picture at scale 1, and the size of both. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const box = this.svg.viewBox.baseVal;
    return { width, height, box, fit: Math.min(width / box.width, height / box.height) };
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
    return { x: x + across / 2, y: y + down / 2, scale: Math.min(width / across, height / down) / fit };
  }

  startView() {
    const view = this.suggestedView();
    if (this.frame.clientWidth < SMALL_PX) return view;
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
    const { width, height, box, fit } = this.measure();
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
    const middle = [width / 2 + (x - box.x - box.width / 2) * fit, height / 2 + (y - box.y - box.height / 2) * fit];
    this.canvas.style.transition = glides && !reducesMotion() ? "transform .2s ease-out" : "none";
    this.canvas.style.transform = `translate(${width / 2 - scale * middle[0]}px, ${height / 2 - scale * middle[1]}px) scale(${scale})`;
    this.frame.classList.toggle("zoomed", scale > 1);
    save("view", JSON.stringify(this.view));
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
