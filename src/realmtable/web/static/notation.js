// @ts-check
// Moves in notation, with the symbols that the page has for the letters of pieces: see board_macros.html.

import { html } from "./html.js";

const letters = [...document.querySelectorAll("symbol[data-piece]")].map(({ dataset }) => dataset.piece).join("");
const PIECE = new RegExp(`([${letters}])(?=[a-z]\\d)`); // a letter in front of a space; without symbols, nothing

/** @param {string} letter @param {boolean} isTaken */
const symbol = (letter, isTaken) => html`<svg class="piece ${isTaken && "taken"}"><title>${letter}</title><use href="#piece-${letter}"/></svg>`;

/** A move or turn; each symbol has its letter as its text. A piece after an x is not the mover's. @param {string} text */
export const notation = (text) => html`<span>${text.split(PIECE).map((part, index, parts) => (index % 2 ? symbol(part, parts[index - 1].endsWith("x")) : part))}</span>`;
