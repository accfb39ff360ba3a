// @ts-check
// The keys of a board page: each runs one of its commands. Loaded after the first drawing.

/** @type {Record<string, string>} */
const KEYS = { f: "flip", n: "next", u: "undo", "/": "type", "[": "back", "]": "forward", "?": "help", Escape: "escape" };
/** @type {Record<string, string>} */
const STEP_KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
/** What uses these keys itself or scrolls with them. */
const OWN_ARROWS = '[data-role="board"], [role="tablist"], [role="tabpanel"], [role="slider"], [data-role="chat"], select, textarea, summary';

/** @param {BoardPage} page */
export function watchKeys(page) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, dialog")) return;
    const command = (!event.shiftKey && !target.closest(OWN_ARROWS) && STEP_KEYS[key]) || KEYS[key];
    if (!command) return;
    event.preventDefault();
    page.commands[command]();
  });
}
