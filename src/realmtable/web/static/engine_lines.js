// How chances and lines of play are written, beside a replay and on the analysis board.

import { html, part } from "./html.js";

const MOST_TURNS = 8; // of a line: what comes later is seldom what comes

/** A chance as people read it; only what is certain is 0 or 100. */
export function percent(chance) {
  const whole = Math.round(100 * chance);
  return `${chance === 0 || chance === 1 ? whole : Math.min(99, Math.max(1, whole))}\u00a0%`;
}

/** Brings the board into view, where a click further down has changed it. */
export const lookAtBoard = () => part("board").scrollIntoView({ block: "nearest" });

/** The turns of a line as buttons, each of which plays the line that far from a step of the game (or from here). */
export function lineButtons(turns, step) {
  const moves = [];
  return turns.slice(0, MOST_TURNS).map(({ number, seat, text, moves: own }, index) => {
    moves.push(...own);
    const counted = number !== turns[index - 1]?.number && html`<span class="number">${number}.</span> `;
    return html`<span class="line-turn">${counted}<button class="move" data-seat="${seat}" data-step="${step}" data-moves="${JSON.stringify(moves)}" title="Show the position after this turn">${text}</button></span> `;
  });
}
