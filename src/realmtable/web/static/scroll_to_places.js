// @ts-check
// Scrolls the page so that the places of a tall picture that can be chosen are visible. Loaded with the first such picture.

import { byRole } from "./html.js";
import { reducesMotion } from "./preferences.js";

const MARGIN_PX = 8;
let wasTall = false;

/** Scrolls to the choices in a tall picture, and to the top after the last one. @param {Board} board */
export function scrollToPlaces(board) {
  const isTall = !!board.picture.querySelector("svg[data-tall]");
  const behavior = reducesMotion() ? "instant" : "smooth";
  if (isTall) scrollBy({ top: findShift(board.litPlaces()), behavior });
  else if (wasTall) scrollTo({ top: 0, behavior });
  wasTall = isTall;
}

/** How far to scroll: as little as possible. If not all places fit, the first ones are visible. @param {Element[]} places */
function findShift(places) {
  if (!places.length) return 0;
  const boxes = places.map((place) => place.getBoundingClientRect());
  const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  const below = bottom + MARGIN_PX - findLowerEdge();
  const above = top - MARGIN_PX;
  return above < 0 ? above : Math.max(0, Math.min(above, below));
}

/** Where the visible part of the picture ends: on small screens the question stays above the lower edge. */
function findLowerEdge() {
  const messages = /** @type {HTMLElement} */ (byRole("prompt")?.parentElement);
  return getComputedStyle(messages).position === "sticky" ? Math.min(messages.getBoundingClientRect().top, innerHeight) : innerHeight;
}
