// @ts-check
// Keeps the page of live games up to date: every few seconds it fetches the list as HTML, with new pictures of the tables in
// view, and morphs it into the page. It rests while the page is hidden.
import { renderById } from "./html.js";

const EVERY_MS = 4000;
const MARGIN_PX = 200; // tables that are almost in view get their pictures, too
const MAX_IN_VIEW = 12;

function tablesInView() {
  /** @param {Element} card */
  const isNear = (card) => {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom > -MARGIN_PX && top < innerHeight + MARGIN_PX;
  };
  return [...document.querySelectorAll("[data-table]")].filter(isNear).slice(0, MAX_IN_VIEW);
}

async function updateList() {
  if (document.hidden) return;
  const query = new URLSearchParams(tablesInView().map((card) => ["in_view", card.dataset.table ?? ""]));
  try {
    const answer = await fetch(`/watch/list?${query}`);
    if (answer.ok) renderById(await answer.text());
  } catch {
    // Out of reach: the next try follows.
  }
}

let timer = 0;
function updateOften() {
  clearTimeout(timer);
  updateList().finally(() => (timer = setTimeout(updateOften, EVERY_MS)));
}
let scrolling = 0;
addEventListener("scroll", () => {
  clearTimeout(scrolling);
  scrolling = setTimeout(updateOften, 300);
});
document.addEventListener("visibilitychange", () => document.hidden || updateOften());
updateOften();
