// @ts-check
// Keys on a board: arrows move the focus, Enter and the space bar choose. Loaded with the first of them.

import { centreOf } from "./moving_pieces.js";
import { handleOf } from "./html.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** @param {Board} board @param {Element} from the place with the focus @param {string} key */
export function onBoardKey(board, from, key) {
  const row = [...(from.closest("[role=row]") ?? board.rootOf(from)).querySelectorAll("[data-handle]")];
  if (from.closest("[data-turned] [role=row]")) row.reverse();
  if (key === "Enter" || key === " ") board.listener.pick(/** @type {string} */ (handleOf(from)));
  else if (key === "Home") row[0].focus();
  else if (key === "End") row.at(-1).focus();
  else findNearest(board.rootOf(from), from, ...ARROWS[key])?.focus();
}

/**
 * The nearest handle in a direction on the screen, so that hexes and hands of cards work like grids.
 * @param {Element} root @param {Element} from @param {number} right @param {number} down
 */
function findNearest(root, from, right, down) {
  const { x, y } = centreOf(from);
  /** @type {HTMLElement | null} */
  let best = null;
  let least = Infinity;
  for (const element of root.querySelectorAll("[data-handle]")) {
    if (!element.getClientRects().length) continue; // in a panel that is not shown
    const to = centreOf(element);
    const along = (to.x - x) * right + (to.y - y) * down;
    const cost = along + 3 * Math.abs((to.x - x) * down + (to.y - y) * right);
    if (along > 2 && cost < least) [best, least] = [element, cost];
  }
  return best;
}
