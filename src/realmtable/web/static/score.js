// A hand from a real table: tapped and typed cards become an address, and the sheet for it comes from the server.
import { html, morph, part } from "./html.js";

const form = part("form");
const fields = { hand: part("hand"), discard: part("discard") };
const tiles = [...form.querySelectorAll(".score-tile")];
const TYPING_MS = 500;
let cards = shown();
let asking = null;
let waiting = 0;

/** The cards that the sheet in the page is about. */
function shown() {
  const { hand, discard } = document.getElementById("sheet").dataset;
  return { hand: JSON.parse(hand), discard: JSON.parse(discard) };
}

const target = () => form.elements.to.value;
const chosen = (selector) => [...form.querySelectorAll(selector)].map((select) => select.value).filter(Boolean);

/** What is asked for, as the address has it; `choices` false leaves all choices to the server. */
function query(choices, advise) {
  const wanted = new URLSearchParams();
  for (const name of ["hand", "discard"]) if (fields[name].value.trim()) wanted.set(name, fields[name].value);
  for (const pair of choices ? chosen("[data-choice]") : []) wanted.append("choose", pair);
  for (const pair of chosen('[data-role="rulings"] select')) wanted.append("option", pair);
  if (advise) wanted.set("advise", "on");
  for (const name of advise ? ["seats", "taken"] : []) if (form.elements[name].value.trim()) wanted.set(name, form.elements[name].value);
  return wanted;
}

async function ask(choices, advise = false) {
  clearTimeout(waiting);
  asking?.abort();
  const mine = (asking = new AbortController());
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.action}/sheet?${query(choices, advise)}`, { signal: mine.signal });
    if (!answer.ok) throw new Error((await answer.json()).error.message);
    put(await answer.text());
  } catch (error) {
    if (mine.signal.aborted) return;
    const words = error instanceof TypeError ? "The table cannot be reached. Check the connection and try again." : error.message;
    put(html`<section id="sheet" class="score-sheet" tabindex="-1" data-hand="${JSON.stringify(cards.hand)}" data-discard="${JSON.stringify(cards.discard)}" data-error><p role="alert">${words}</p></section><div id="bar" class="score-bar" data-words="${words}"><p><strong>–</strong></p><p class="score-slip">${words}</p></div>`);
  }
  form.removeAttribute("aria-busy");
}

/** Puts a sheet and its bar into the page and follows them with everything else. */
function put(markup) {
  const fresh = document.createElement("template");
  fresh.innerHTML = markup;
  for (const element of [...fresh.content.children]) {
    const old = document.getElementById(element.id);
    for (const { name } of [...old.attributes]) if (!element.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of element.attributes) old.setAttribute(name, value);
    morph(old, element);
  }
  // A list that somebody has used no longer follows its markup.
  for (const select of form.querySelectorAll("[data-choice]")) {
    select.selectedIndex = [...select.options].findIndex((option) => option.hasAttribute("selected"));
  }
  const sheet = document.getElementById("sheet");
  if ("error" in sheet.dataset) return;
  cards = shown();
  mark();
  history.replaceState(null, "", sheet.dataset.address);
  part("live").textContent = document.getElementById("bar").dataset.words;
}

/** Shows on the tiles which cards are where. */
function mark() {
  for (const tile of tiles) {
    const away = cards.discard.includes(tile.value);
    tile.setAttribute("aria-pressed", away || cards.hand.includes(tile.value));
    tile.classList.toggle("is-away", away);
  }
}

function toggle(name) {
  const known = cards.hand.includes(name) || cards.discard.includes(name);
  for (const place of ["hand", "discard"]) {
    cards[place] = cards[place].filter((card) => card !== name);
    if (!known && target() === place) cards[place].push(name);
    fields[place].value = cards[place].join(", ");
    grow(fields[place]);
  }
  mark();
  ask(false);
}

function grow(field) {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}

form.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const button = on('button[name="toggle"]');
  if (button) toggle(button.value);
  else if (on('button[name="advise"]')) think(on('button[name="advise"]'));
  else if (on("[data-best]")) ask(false);
  else if (on("[data-reset]")) reset();
  else if (on("[data-copy]")) copy(on("[data-copy]"));
  else return;
  event.preventDefault();
});

/** Asks what to do next, which takes a moment. */
function think(button) {
  button.textContent = "Thinking …";
  ask(true, true).then(() => document.getElementById("next")?.scrollIntoView({ block: "start" }));
}

function reset() {
  for (const field of Object.values(fields)) field.value = "";
  form.querySelector("#to-hand").checked = true;
  follow();
  for (const field of Object.values(fields)) grow(field);
  ask(false);
  scrollTo({ top: 0 });
}

async function copy(link) {
  try {
    await navigator.clipboard.writeText(link.href);
    link.textContent = "Link copied";
  } catch {
    location.href = link.href; // then it can be copied from the address
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(true);
});
form.addEventListener("input", ({ target: field }) => {
  if (field.nodeName !== "TEXTAREA") return;
  grow(field);
  clearTimeout(waiting);
  waiting = setTimeout(() => ask(false), TYPING_MS);
});
form.addEventListener("change", ({ target: field }) => {
  if (field.name === "seats" || field.name === "taken") form.querySelector(".advice") && ask(true, true);
  else if (field.nodeName === "SELECT") ask(true);
  if (field.name === "to") follow();
});

function follow() {
  part("discard-box").hidden = target() !== "discard" && !fields.discard.value.trim();
  form.classList.toggle("is-discarding", target() === "discard");
}

follow();
for (const field of Object.values(fields)) grow(field);
