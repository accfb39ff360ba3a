// @ts-check
// The scoring page: the cards that were tapped and typed become an address, and the server sends the score sheet for it.
import { OFFLINE } from "./request.js";
import { byRole, html, renderById } from "./html.js";

const form = byRole("form");
const fields = { hand: byRole("hand"), discard: byRole("discard") };
const tiles = [.../** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll(".score-tile"))];
const PLACES = /** @type {const} */ (["hand", "discard"]);
const TYPING_MS = 500;
let cards = readCards();
/** @type {AbortController | null} */
let pending = null; // the request under way
let timer = 0;
/** @type {Promise<unknown>} */
let sheetShown = Promise.resolve(); // until the sheet for the cards that were tapped is in the page

/** The cards of the sheet in the page. @returns {{ hand: string[], discard: string[] }} */
function readCards() {
  const { hand = "[]", discard = "[]" } = document.getElementById("sheet").dataset;
  return { hand: JSON.parse(hand), discard: JSON.parse(discard) };
}

const tapTarget = () => form.elements.to.value;
/** @param {string} selector */
const selectedValues = (selector) => [.../** @type {NodeListOf<HTMLSelectElement>} */ (form.querySelectorAll(selector))].map((select) => select.value).filter(Boolean);

/** The query of the address; without `choices` the server chooses what is best. @param {boolean} choices @param {boolean} advise */
function buildQuery(choices, advise) {
  const query = new URLSearchParams();
  for (const name of PLACES) if (fields[name].value.trim()) query.set(name, fields[name].value);
  for (const pair of choices ? selectedValues("[data-choice]") : []) query.append("choose", pair);
  for (const pair of selectedValues('[data-role="rulings"] select')) query.append("option", pair);
  if (advise) query.set("advise", "on");
  for (const name of advise ? ["seats", "taken"] : []) if (form.elements[name].value.trim()) query.set(name, form.elements[name].value);
  return query;
}

/** Shows the sheet for the cards in the fields. @param {boolean} choices */
function fetchSheet(choices, advise = false) {
  return (sheetShown = requestSheet(choices, advise));
}

/** @param {boolean} choices @param {boolean} advise */
async function requestSheet(choices, advise) {
  clearTimeout(timer);
  pending?.abort();
  const own = (pending = new AbortController());
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.action}/sheet?${buildQuery(choices, advise)}`, { signal: own.signal });
    if (!answer.ok) throw new Error((await answer.json()).error.message);
    renderSheet(await answer.text());
  } catch (error) {
    if (own.signal.aborted) return;
    const words = error instanceof TypeError ? OFFLINE : error.message;
    renderSheet(html`<section id="sheet" class="score-sheet" tabindex="-1" data-hand="${JSON.stringify(cards.hand)}" data-discard="${JSON.stringify(cards.discard)}" data-error><p role="alert">${words}</p></section><div id="bar" class="score-bar" data-words="${words}"><p><strong>–</strong></p><p class="score-slip">${words}</p></div>`);
  }
  form.removeAttribute("aria-busy");
}

/** Renders a sheet and its bar, and updates the rest of the page. @param {string | Markup} markup */
function renderSheet(markup) {
  renderById(markup);
  const sheet = document.getElementById("sheet");
  if ("error" in sheet.dataset) return;
  cards = readCards();
  markTiles();
  history.replaceState(null, "", sheet.dataset.address);
  byRole("live").textContent = document.getElementById("bar").dataset.words ?? "";
}

function markTiles() {
  for (const tile of tiles) {
    const away = cards.discard.includes(tile.value);
    tile.setAttribute("aria-pressed", away || cards.hand.includes(tile.value));
    tile.classList.toggle("is-away", away);
  }
}

/** @param {string} name */
function toggleCard(name) {
  const isUsed = cards.hand.includes(name) || cards.discard.includes(name);
  for (const place of PLACES) {
    cards[place] = cards[place].filter((card) => card !== name);
    if (!isUsed && tapTarget() === place) cards[place].push(name);
    fields[place].value = cards[place].join(", ");
    fitHeight(fields[place]);
  }
  markTiles();
  fetchSheet(false);
}

/** @param {HTMLTextAreaElement} field */
function fitHeight(field) {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}

form.addEventListener("click", (event) => {
  /** @param {string} selector @returns {any} */
  const closest = (selector) => event.target.closest(selector);
  const button = closest('button[name="toggle"]');
  if (button) toggleCard(button.value);
  else if (closest('button[name="advise"]')) requestAdvice(closest('button[name="advise"]'));
  else if (closest("[data-best]")) fetchSheet(false);
  else if (closest("[data-reset]")) reset();
  else if (closest("[data-copy]")) copyLink();
  else return;
  event.preventDefault();
});

/** Fetches advice on the next draw or discard, which takes a moment. @param {HTMLElement} button */
function requestAdvice(button) {
  button.textContent = "Thinking…";
  fetchSheet(true, true).then(() => document.getElementById("next")?.scrollIntoView({ block: "start" }));
}

function reset() {
  for (const field of Object.values(fields)) field.value = "";
  form.elements.to.value = "hand";
  updateDiscardBox();
  for (const field of Object.values(fields)) fitHeight(field);
  fetchSheet(false);
  scrollTo({ top: 0 });
}

/** Copies the link to the cards; those tapped just before belong to it. */
async function copyLink() {
  await sheetShown;
  const link = /** @type {HTMLAnchorElement | null} */ (form.querySelector("[data-copy]"));
  if (!link) return; // the sheet says why there is none
  try {
    await navigator.clipboard.writeText(link.href);
    link.textContent = "Link copied";
  } catch {
    location.href = link.href; // then it can be copied from the address
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  fetchSheet(true);
});
form.addEventListener("input", ({ target: field }) => {
  if (!(field instanceof HTMLTextAreaElement)) return;
  fitHeight(field);
  clearTimeout(timer);
  timer = setTimeout(() => fetchSheet(false), TYPING_MS);
});
form.addEventListener("change", ({ target: field }) => {
  if (field.name === "seats" || field.name === "taken") form.querySelector(".advice") && fetchSheet(true, true);
  else if (field.nodeName === "SELECT") fetchSheet(true);
  if (field.name === "to") updateDiscardBox();
});

function updateDiscardBox() {
  byRole("discard-box").hidden = tapTarget() !== "discard" && !fields.discard.value.trim();
  form.classList.toggle("is-discarding", tapTarget() === "discard");
}

updateDiscardBox();
for (const field of Object.values(fields)) fitHeight(field);
