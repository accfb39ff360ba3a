// @ts-check
// Helps while everyone acts at the same time: what has gone fades out, and a tap on something that has just appeared or
// moved under the finger does not count. Knows handles, not what they mean.

import { centreOf, transform } from "./moving_pieces.js";

/** @typedef {{ x: number, y: number }} Point */

const FADE_MS = 1500;
const SETTLE_MS = 600; // a tap this soon was meant for what was there before
const MOVED_PX = 8;

/** The places of a picture before it changes. @param {HTMLElement} picture @param {Places} handles */
export function snapshotPlaces(picture, handles) {
  const svg = picture.querySelector("svg");
  const toPicture = svg?.getScreenCTM()?.inverse();
  const places = [...handles].filter(([, element]) => picture.contains(element));
  const describe = (/** @type {any} */ element) => ({ copy: element.cloneNode(true), changedAt: element.changedAt, centre: centreOf(element), matrix: toPicture?.multiply(element.getScreenCTM()) });
  return new Map(places.map(([name, element]) => [name, describe(element)]));
}

/**
 * Moves the parts of a picture that have a slot (data-slot) back to where they were; new ones take a free slot.
 * @param {HTMLElement} picture @param {Map<string, Map<string, number>>} remembered
 */
export function keepSlots(picture, remembered) {
  for (const group of picture.querySelectorAll("[data-slots]")) {
    const spots = (group.dataset.spots ?? "").split(" ").map((spot) => spot.split(",").map(Number));
    const before = remembered.get(group.dataset.slots ?? "") ?? new Map();
    const parts = [.../** @type {HTMLCollectionOf<HTMLElement>} */ (group.children)].map((part) => ({ part, key: part.dataset.key ?? "", drawn: Number(part.dataset.slot) }));
    const slots = new Map(parts.filter(({ key }) => before.get(key) < spots.length).map(({ key }) => [key, before.get(key)]));
    for (const { key, drawn } of parts) {
      if (slots.has(key)) continue;
      const taken = new Set(slots.values());
      slots.set(key, taken.has(drawn) ? spots.findIndex((_, slot) => !taken.has(slot)) : drawn);
    }
    for (const { part, key, drawn } of parts) {
      const [[x, y], [fromX, fromY]] = [spots[slots.get(key)], spots[drawn]];
      part.setAttribute("transform", `translate(${x - fromX} ${y - fromY})`);
    }
    remembered.set(group.dataset.slots ?? "", slots);
  }
}

/**
 * Marks what is new or has moved since a snapshot, and lets fade out what has gone, unless something else is there now.
 * @param {HTMLElement} picture @param {Places} handles @param {ReturnType<typeof snapshotPlaces>} before
 */
export function showChanges(picture, handles, before) {
  const now = performance.now();
  const places = [...handles].filter(([, element]) => picture.contains(element));
  for (const [name, element] of places) {
    const old = before.get(name);
    element.changedAt = old && isNear(old.centre, centreOf(element)) ? old.changedAt : now;
  }
  const svg = /** @type {SVGSVGElement} */ (picture.querySelector("svg"));
  const drawn = [...picture.querySelectorAll("[data-handle], [data-card]")];
  for (const [name, { copy, centre, matrix }] of before) {
    const isFree = !handles.has(name) && !drawn.some((other) => covers(other, centre));
    if (isFree && matrix) fadeOut(svg, copy, matrix);
  }
}

/** Whether a place has changed so recently that a tap was hardly meant for it. @param {Place | undefined} element */
export const hasJustChanged = (element) => performance.now() - (element?.changedAt ?? -Infinity) < SETTLE_MS;

/** @param {Point} one @param {Point} other */
const isNear = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < MOVED_PX;

/** @param {Element} element @param {Point} point */
function covers(element, { x, y }) {
  const box = element.getBoundingClientRect();
  return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
}

/** @param {SVGSVGElement} svg @param {Element} ghost @param {DOMMatrix} matrix */
function fadeOut(svg, ghost, matrix) {
  for (const attribute of ["data-handle", "data-card", "tabindex", "role", "aria-label"]) ghost.removeAttribute(attribute);
  transform(ghost, matrix);
  ghost.setAttribute("aria-hidden", "true");
  ghost.classList.remove("lit", "target", "chosen", "hover");
  ghost.classList.add("gone");
  svg.append(ghost);
  ghost.animate({ opacity: [0.8, 0] }, { duration: FADE_MS, easing: "ease-in" }).finished.then(() => ghost.remove(), () => {});
}
