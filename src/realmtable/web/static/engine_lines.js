// @ts-check
// How winning chances and lines of play are written, in a replay and on the analysis board.

import { byRole, html } from "./html.js";
import { notation } from "./notation.js";

const MOST_TURNS = 8; // of a line: later turns rarely come true

/** A chance as a percentage; only certain ones are 0% or 100%. @param {number} chance */
export function formatPercent(chance) {
  const rounded = Math.round(100 * chance);
  return `${chance === 0 || chance === 1 ? rounded : Math.min(99, Math.max(1, rounded))}%`;
}

/** Scrolls the board into view after a click further down has changed it. */
export const scrollToBoard = () => byRole("board").scrollIntoView({ block: "nearest" });

/**
 * The turns of a line as buttons; each plays the line up to that turn, from a step of the game or from here.
 * @param {LineTurn[]} turns @param {number | string} step
 */
export function lineButtons(turns, step) {
  /** @type {string[]} */
  const moves = [];
  return turns.slice(0, MOST_TURNS).map(({ number, seat, text, moves: own }, index) => {
    moves.push(...own);
    const label = number !== turns[index - 1]?.number && html`<span class="number">${number}.</span> `;
    return html`<span class="line-turn">${label}<button class="move" data-seat="${seat}" data-step="${step}" data-moves="${JSON.stringify(moves)}" title="Show the position after this turn">${notation(text)}</button></span> `;
  });
}
