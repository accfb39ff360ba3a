// @ts-check
// Scrolls a tall picture so that its places that can be chosen are visible. Loaded with the first such picture.

import { reducesMotion } from "./preferences.js";

const MARGIN_PX = 8;
let wasTall = false;

/** Scrolls to the choices in a tall picture, and to the top after the last one. @param {Board} board */
export function scrollToPlaces(board) {
  const isTall = !!board.picture.querySelector("svg[data-tall]");
  const behavior = reducesMotion() ? "instant" : "smooth";
  if (isTall) board.frame.scrollBy({ top: findShift(board.litPlaces(), board.frame.getBoundingClientRect()), behavior });
  else if (wasTall) board.frame.scrollTo({ top: 0, behavior });
  wasTall = isTall;
}

/** How far to scroll: as little as possible. If not all places fit, the first ones are visible. @param {Element[]} places @param {DOMRect} frame */
function findShift(places, frame) {
  if (!places.length) return 0;
  const boxes = places.map((place) => place.getBoundingClientRect());
  const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  const below = bottom + MARGIN_PX - frame.bottom;
  const above = top - MARGIN_PX - frame.top;
  return above < 0 ? above : Math.max(0, Math.min(above, below));
}
