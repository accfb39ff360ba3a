// @ts-check
// Moves pieces on the screen: they slide along the clicks of a step when the picture changes (other changed places flash), follow
// the pointer that drags them, and go to the end of a move before the server answers.

import { handleOf } from "./html.js";
import { reducesMotion } from "./preferences.js";

/** @typedef {{ path: string[], places: Element[], piece: SVGGraphicsElement, copy: Element, sliding: Animation | null }} Ahead */
/** @typedef {Map<string, { label: string | null, pieces: Node[] }>} Snapshot */

const STEP_MS = 220;
const DRAG_PX = 6;

/** The centre of an element on the screen. @param {Element} element */
export function centreOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Pixels on the screen per unit of a picture. Some browsers leave CSS transforms out of its screen matrix. @param {SVGSVGElement} svg */
function pixelsPerUnit(svg) {
  const [turned, drawn, box] = [turnedCanvas(svg), svg.getBoundingClientRect(), svg.viewBox.baseVal];
  if (turned) return Math.hypot(turned.matrix.a, turned.matrix.b) * Math.min(turned.width / box.width, turned.height / box.height);
  return Math.min(drawn.width / box.width, drawn.height / box.height);
}

/** The canvas of a picture that is turned by sixths, its size before and its matrix. @param {SVGSVGElement} svg */
function turnedCanvas(svg) {
  /** @type {HTMLElement | null} */
  const canvas = svg.closest("[data-turn]");
  return canvas && { width: canvas.offsetWidth, height: canvas.offsetHeight, matrix: new DOMMatrix(getComputedStyle(canvas).transform) };
}

/** Puts an element of a picture where a matrix says. @param {Element} element @param {DOMMatrix} matrix */
export const transform = (element, { a, b, c, d, e, f }) => element.setAttribute("transform", `matrix(${[a, b, c, d, e, f]})`);

/** The pieces on a place. @param {Element} element */
export const piecesOf = (element) => element.querySelectorAll(":scope > g:not(.vanishing)");
/** @param {Element} element */
const labelOf = (element) => element.getAttribute("aria-label");

/** The label and copies of the pieces of every place, to compare with once the picture has changed. @param {Places} handles */
export function snapshotPlaces(handles) {
  /** @type {Snapshot} */
  const places = new Map();
  for (const [name, element] of handles) places.set(name, { label: labelOf(element), pieces: [...piecesOf(element)].map((piece) => piece.cloneNode(true)) });
  return places;
}

/**
 * Whether a step ended on a piece, or there are fewer pieces than before.
 * @param {Places} handles @param {Snapshot} before @param {string[][]} steps
 */
export function hasCapture(handles, before, steps) {
  const wasTaken = (/** @type {string[]} */ step) => step.length > 1 && step[0] !== step.at(-1) && !!before.get(step.at(-1))?.pieces.length;
  const count = [...handles.values()].reduce((sum, element) => sum + piecesOf(element).length, 0);
  const countBefore = [...before.values()].reduce((sum, { pieces }) => sum + pieces.length, 0);
  return steps.some(wasTaken) || count < countBefore;
}

/**
 * @param {Places} handles
 * @param {Snapshot} before
 * @param {string[][]} steps the handles each step clicks on
 * @param {number} [lead] how many milliseconds of the first step have been shown already
 */
export function animateSteps(handles, before, steps, lead = 0) {
  if (reducesMotion()) return;
  const others = new Map(handles);
  const startOf = (/** @type {number} */ index) => index * STEP_MS - lead; // a negative delay begins in the middle
  steps.forEach((step, index) => {
    const places = step.map((name) => handles.get(name)).filter(Boolean);
    const target = places.at(-1);
    if (places.length < 2 || places[0] === target) return;
    for (const piece of piecesOf(target)) slide(piece, places, startOf(index));
    const taken = before.get(step.at(-1))?.pieces;
    if (taken?.length) vanish(target, taken, Math.max(0, startOf(index)));
    for (const name of step) others.delete(name);
  });
  for (const [name, element] of others) {
    const old = before.get(name);
    if (old?.label === labelOf(element)) continue;
    if (old?.pieces.length && !piecesOf(element).length) vanish(element, old.pieces, startOf(steps.length));
    else flash(element, startOf(steps.length));
  }
}

/**
 * Lets pieces that were on a place grow and fade, and flashes the place.
 * @param {Element} place @param {any[]} pieces @param {number} delay
 */
function vanish(place, pieces, delay) {
  flash(place, delay);
  for (const piece of pieces) {
    place.append(piece);
    piece.classList.add("vanishing");
    const frames = { opacity: [1, 0.9, 0], scale: ["1", "1.15", "0.4"] };
    (piece.firstElementChild ?? piece).animate(frames, { duration: 2 * STEP_MS, delay, easing: "ease-in" }).finished.catch(() => {}).then(() => piece.remove());
  }
}

/** @param {SVGGraphicsElement} piece @param {Element[]} places @param {number} delay */
function slide(piece, places, delay) {
  const svg = /** @type {SVGSVGElement} */ (piece.ownerSVGElement);
  const scale = pixelsPerUnit(svg) * (piece.parentNode !== svg && piece.closest("[data-turned]") ? -1 : 1); // copies are not in the part that is turned
  const end = centreOf(places.at(-1));
  const translate = places.map(centreOf).map(({ x, y }) => `${(x - end.x) / scale}px ${(y - end.y) / scale}px`);
  return piece.animate({ translate }, { duration: STEP_MS, delay, easing: "ease-in-out", fill: "backwards" });
}

/** What makes a place one: a copy of it has none of that. */
const PLACE_ATTRIBUTES = ["data-handle", "tabindex", "role", "aria-label", "aria-description"];

/**
 * Lays copies of pieces from one place over another and returns the group that holds them.
 * @param {Iterable<Element>} pieces @param {SVGGraphicsElement} from @param {Element} to @param {string} className
 */
export function copyTo(pieces, from, to, className) {
  const svg = /** @type {SVGSVGElement} */ (from.ownerSVGElement);
  const scale = pixelsPerUnit(svg);
  const [start, end] = [centreOf(from), centreOf(to)];
  const copy = /** @type {SVGGraphicsElement} */ (from.cloneNode(false));
  for (const name of PLACE_ATTRIBUTES) copy.removeAttribute(name);
  copy.classList.remove("lit", "target", "chosen", "hover", "planned");
  copy.classList.add(className);
  copy.setAttribute("aria-hidden", "true");
  for (const piece of pieces) copy.append(piece.cloneNode(true));
  const shift = new DOMMatrix([1, 0, 0, 1, (end.x - start.x) / scale, (end.y - start.y) / scale]);
  transform(copy, shift.multiply(/** @type {any} */ (svg).getScreenCTM().inverse().multiply(from.getScreenCTM())));
  return svg.appendChild(copy);
}

/**
 * Shows a move before the server answers: the only piece on the first place of its path goes to the last place. It does nothing
 * where the handles do not tell what moves: outside of boards with spaces, and on a place with several pieces or none.
 * @param {Board} board @param {Choice[]} choices @param {string} move
 */
export function moveAhead(board, choices, move) {
  const path = choices.find((choice) => choice.move === move)?.path ?? [];
  const places = path.map((name) => board.handles.get(name)).filter(Boolean);
  if (!board.hasGrid() || places.length < path.length || !places.every((place) => board.picture.contains(place))) return;
  const [from, to] = /** @type {SVGGraphicsElement[]} */ ([places[0], places.at(-1)]);
  const pieces = from && from !== to ? [...piecesOf(from)] : [];
  if (pieces.length !== 1) return;
  const [piece] = pieces;
  const copy = copyTo(pieces, from, to, "ahead");
  const sliding = board.isDropping || reducesMotion() ? null : slide(copy, places, 0);
  piece.setAttribute("visibility", "hidden");
  board.ahead = { path, places, piece, copy, sliding };
}

/** Ends what is shown before the answer; returns for how long the first of `steps` has been shown. @param {Board} board @param {string[][] | null} steps */
export function endAhead(board, steps) {
  const { ahead } = board;
  if (!ahead) return 0;
  board.ahead = null;
  ahead.copy.remove();
  ahead.piece.removeAttribute("visibility");
  return !steps || String(steps[0]) === String(ahead.path) ? Number(ahead.sliding?.currentTime ?? STEP_MS) : 0;
}

/** Takes back what is shown before the answer. @param {Board} board */
export function takeBack(board) {
  const { ahead } = board;
  const shown = endAhead(board, null);
  if (ahead && !reducesMotion()) slide(ahead.piece, ahead.places.reverse(), shown - STEP_MS);
}

/** @param {Element} element @param {number} delay */
function flash(element, delay) {
  const frames = [0.5, 0].map((fillOpacity) => ({ fill: "var(--rt-mark, currentColor)", fillOpacity }));
  (element.querySelector("rect") ?? element).animate(frames, { duration: 3 * STEP_MS, delay });
}

/** @param {PointerEvent} event */
const handleUnder = ({ clientX, clientY }) => handleOf(document.elementFromPoint(clientX, clientY));

/**
 * Lets pieces be dragged from a lit place to one where the move continues; a copy of the piece follows the pointer.
 * `board.dragStart` says where a press may become a drag, `board.dragged` is the copy.
 * @param {Board} board
 */
export function watchDrags(board) {
  const { picture, listener } = board;

  /** @param {On<PointerEvent>} event */
  function press({ target, button, clientX, clientY }) {
    const name = handleOf(target);
    const canDrag = !button && name && picture.contains(target) && board.hasMark(name, "lit", "chosen") && !board.hasMark(name, "target");
    board.dragged = null;
    board.dragStart = canDrag ? { name, clientX, clientY } : null;
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!board.dragStart) return;
    const [right, down] = [event.clientX - board.dragStart.clientX, event.clientY - board.dragStart.clientY];
    if (!board.dragged && Math.hypot(right, down) < DRAG_PX) return;
    const dragged = (board.dragged ??= start(board.dragStart.name, event.pointerId));
    const svg = /** @type {SVGSVGElement} */ (dragged.ownerSVGElement);
    const { a = 1, b = 0 } = turnedCanvas(svg)?.matrix ?? {};
    const scale = pixelsPerUnit(svg) * Math.hypot(a, b);
    dragged.style.translate = `${(right * a + down * b) / scale}px ${(down * a - right * b) / scale}px`;
    board.pointAt(handleUnder(event));
  }

  /** @param {string} name @param {number} pointer */
  function start(name, pointer) {
    /** @type {any} */
    const piece = board.handles.get(name);
    const svg = piece.ownerSVGElement;
    const copy = piece.cloneNode(true);
    transform(copy, svg.getScreenCTM().inverse().multiply(piece.getScreenCTM()));
    copy.removeAttribute("data-handle");
    copy.classList.remove(...board.marks);
    copy.classList.add("dragged");
    if (!board.hasMark(name, "chosen")) listener.pick(name);
    picture.setPointerCapture(pointer);
    return svg.appendChild(copy);
  }

  /** @param {PointerEvent} event */
  function release(event) {
    const { dragStart, dragged } = board;
    board.dragStart = null;
    if (!dragged) return;
    dragged.remove();
    const name = handleUnder(event);
    board.pointAt();
    board.isDropping = true;
    if (name && board.hasMark(name, "target")) listener.pick(name);
    else if (name !== dragStart?.name) listener.cancel(name);
    board.isDropping = false;
  }

  for (const root of board.roots) root.addEventListener("pointerdown", press);
  picture.addEventListener("pointermove", move);
  picture.addEventListener("pointerup", release);
  picture.addEventListener("pointercancel", () => board.cancelDrag());
  picture.addEventListener("touchmove", (event) => board.dragStart && event.preventDefault(), { passive: false }); // do not scroll the page
}
