// Moves in notation, with the symbols that the page has for the letters of pieces: see board_macros.html.

import { html } from "./html.js";

const letters = [...document.querySelectorAll("symbol[data-piece]")].map(({ dataset }) => dataset.piece).join("");
const PIECE = new RegExp(`([${letters}])(?=[a-z]\\d)`); // a letter in front of a space; without symbols, nothing

const symbol = (letter) => html`<svg class="piece"><title>${letter}</title><use href="#piece-${letter}"/></svg>`;

/** A move or turn; each symbol has its letter as its text. */
export const notation = (text) => html`<span>${text.split(PIECE).map((part, index) => (index % 2 ? symbol(part) : part))}</span>`;
