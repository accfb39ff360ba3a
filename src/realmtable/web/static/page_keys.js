// @ts-check
// The keys of a board page: each runs one of its commands, digits press the buttons that answer the question. Loaded after the
// first drawing.

import { preference } from "./preferences.js";

/** @type {Record<string, string>} */
const KEYS = { f: "flip", h: "hint", n: "next", p: "playHint", u: "undo", "/": "type", "[": "back", "]": "forward", "?": "help", Escape: "escape" };
/** @type {Record<string, string>} */
const STEP_KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
/** What uses these keys itself or scrolls with them. */
const OWN_ARROWS = '[data-role="board"], [role="tablist"], [role="tabpanel"], [role="slider"], [data-role="chat"], select, textarea, summary';

/** @param {BoardPage} page */
export function watchKeys(page) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, dialog")) return;
    if (key.length === 1 && preference("keys", "on") === "off") return;
    if (/[1-9]/.test(key)) return choose(+key - 1);
    if (document.querySelector(":popover-open")) return; // which Escape closes
    const command = (!event.shiftKey && !target.closest(OWN_ARROWS) && STEP_KEYS[key]) || KEYS[key];
    if (!page.commands[command]) return;
    event.preventDefault();
    page.commands[command]();
  });
}

/** Presses one of the buttons that answer the question. @param {number} index */
function choose(index) {
  const buttons = [...document.querySelectorAll("[data-role='choices'] button, [data-role='turn-choices'] button")];
  const button = buttons.filter((each) => each.getAttribute("aria-disabled") !== "true" && each.checkVisibility())[index];
  button?.focus();
  button?.click();
}
