// How chances and lines of play are written, beside a replay and on the analysis board.

import { html } from "./html.js";

/** A chance as people read it; only what is certain is 0 or 100. */
export function percent(chance) {
  const whole = Math.round(100 * chance);
  return `${chance === 0 || chance === 1 ? whole : Math.min(99, Math.max(1, whole))} %`;
}

/** The turns of a line as buttons, each of which plays the line that far from a step of the game (or from here). */
export function lineButtons(turns, step) {
  const moves = [];
  return turns.map(({ number, seat, text, moves: own }) => {
    moves.push(...own);
    return html`<button class="move" data-seat="${seat}" data-step="${step}" data-moves="${JSON.stringify(moves)}"><span class="number">${number}.</span> ${text}</button> `;
  });
}
