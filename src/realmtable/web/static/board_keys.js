// Keys on a board: arrows move the focus, Enter and the space bar choose. Loaded after the board is drawn.

import { centreOf, handleOf } from "./board.js";

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** @param {import("./board.js").Board} board */
export function onBoardKey(board, event) {
  const from = event.target.closest("[data-handle]");
  if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = [...(from.closest("[role=row]") ?? board.rootOf(from)).querySelectorAll("[data-handle]")];
  if (from.closest("[data-turned] [role=row]")) row.reverse();
  if (event.key === "Enter" || event.key === " ") board.listener.pick(handleOf(from));
  else if (event.key === "Home") row[0].focus();
  else if (event.key === "End") row.at(-1).focus();
  else if (event.key in ARROWS) findNearest(board.rootOf(from), from, ...ARROWS[event.key])?.focus();
  else return;
  event.preventDefault();
}

/** The nearest handle in a direction on the screen, so that hexes and hands of cards work like grids. */
function findNearest(root, from, right, down) {
  const { x, y } = centreOf(from);
  let [best, least] = [null, Infinity];
  for (const element of root.querySelectorAll("[data-handle]")) {
    if (!element.getClientRects().length) continue; // in a panel that is not shown
    const to = centreOf(element);
    const along = (to.x - x) * right + (to.y - y) * down;
    const cost = along + 3 * Math.abs((to.x - x) * down + (to.y - y) * right);
    if (along > 2 && cost < least) [best, least] = [element, cost];
  }
  return best;
}
