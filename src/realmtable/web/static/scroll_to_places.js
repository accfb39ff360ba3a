// Scrolls the page so that the places of a tall picture that can be chosen are visible. Loaded with the first such picture.

import { byRole } from "./html.js";

const MARGIN_PX = 8;

/** Scrolls as little as possible. If not all places fit, the first ones are visible. @param {Element[]} places */
export function scrollToPlaces(places) {
  if (!places.length) return;
  const boxes = places.map((place) => place.getBoundingClientRect());
  const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  const below = bottom + MARGIN_PX - findLowerEdge();
  const above = top - MARGIN_PX;
  const shift = above < 0 ? above : below > 0 ? Math.min(above, below) : 0;
  if (shift) scrollBy({ top: shift, behavior: chooseBehavior() });
}

/** Scrolls to the top, where other pictures are. */
export function scrollBack() {
  scrollTo({ top: 0, behavior: chooseBehavior() });
}

const chooseBehavior = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");

/** Where the visible part of the picture ends: on small screens the question stays above the lower edge. */
function findLowerEdge() {
  const messages = byRole("prompt").parentElement;
  return getComputedStyle(messages).position === "sticky" ? Math.min(messages.getBoundingClientRect().top, innerHeight) : innerHeight;
}
