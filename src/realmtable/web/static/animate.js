// Animates the change from one picture to the next: pieces slide along the clicks of a step, other changed places flash.

import { centreOf, pixelsPerUnit } from "./board.js";
import { reducesMotion } from "./preferences.js";

const STEP_MS = 220;

const piecesOf = (element) => element.querySelectorAll(":scope > g:not(.vanishing)");
const labelOf = (element) => element.getAttribute("aria-label");

/** The label and copies of the pieces of every place, to compare with once the picture has changed. */
export function snapshotPlaces(handles) {
  const entries = [...handles].map(([name, element]) => [name, { label: labelOf(element), pieces: [...piecesOf(element)].map((piece) => piece.cloneNode(true)) }]);
  return new Map(entries);
}

/** Whether a step ended on a piece, or there are fewer pieces than before. */
export function hasCapture(handles, before, steps) {
  const isTaken = (step) => step.length > 1 && step[0] !== step.at(-1) && before.get(step.at(-1))?.pieces.length > 0;
  const count = [...handles.values()].reduce((sum, element) => sum + piecesOf(element).length, 0);
  const countBefore = [...before.values()].reduce((sum, { pieces }) => sum + pieces.length, 0);
  return steps.some(isTaken) || count < countBefore;
}

/**
 * @param {Map<string, Element>} handles
 * @param {ReturnType<snapshotPlaces>} before
 * @param {string[][]} steps the handles each step clicks on
 */
export function animateSteps(handles, before, steps) {
  if (reducesMotion()) return;
  const others = new Map(handles);
  steps.forEach((step, index) => {
    const places = step.map((name) => handles.get(name)).filter(Boolean);
    const target = places.at(-1);
    if (places.length < 2 || places[0] === target) return;
    for (const piece of piecesOf(target)) slide(piece, places, index * STEP_MS);
    if (before.get(step.at(-1))?.pieces.length) vanish(target, before.get(step.at(-1)).pieces, index * STEP_MS);
    for (const name of step) others.delete(name);
  });
  for (const [name, element] of others) {
    const old = before.get(name);
    if (old?.label === labelOf(element)) continue;
    if (old?.pieces.length && !piecesOf(element).length) vanish(element, old.pieces, steps.length * STEP_MS);
    else flash(element, steps.length * STEP_MS);
  }
}

/** Lets pieces that were on a place grow and fade, and flashes the place. */
function vanish(place, pieces, delay) {
  flash(place, delay);
  for (const piece of pieces) {
    place.append(piece);
    piece.classList.add("vanishing");
    const frames = { opacity: [1, 0.9, 0], scale: ["1", "1.15", "0.4"] };
    (piece.firstElementChild ?? piece).animate(frames, { duration: 2 * STEP_MS, delay, easing: "ease-in" }).finished.catch(() => {}).then(() => piece.remove());
  }
}

function slide(piece, places, delay) {
  const scale = pixelsPerUnit(piece.ownerSVGElement) * (piece.closest("[data-turned]") ? -1 : 1);
  const end = centreOf(places.at(-1));
  const translate = places.map(centreOf).map(({ x, y }) => `${(x - end.x) / scale}px ${(y - end.y) / scale}px`);
  piece.animate({ translate }, { duration: STEP_MS, delay, easing: "ease-in-out", fill: "backwards" });
}

function flash(element, delay) {
  const frames = [0.5, 0].map((fillOpacity) => ({ fill: "var(--rt-mark, currentColor)", fillOpacity }));
  (element.querySelector("rect") ?? element).animate(frames, { duration: 3 * STEP_MS, delay });
}
