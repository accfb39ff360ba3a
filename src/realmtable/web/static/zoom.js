// Shows a place of the picture enlarged over the board: one that was chosen, or a card (data-card) that is pointed at, with
// what it gives now (data-now) and, at a live table, what choosing it would do.

import { centreOf } from "./board.js";
import { byRole, html, render } from "./html.js";
import { request } from "./request.js";

const HOVER_MS = 250;
const fullCards = new Map(); // pictures of cards that the board shows small, by name
let [pointed, timer] = [null, 0];

/** @param {SVGGraphicsElement=} place none closes the panel */
export async function showZoom(place) {
  const panel = byRole("zoom");
  clearTimeout(timer);
  pointed = place;
  panel.hidden = !place;
  if (!place) return panel.replaceChildren();
  const { x, y, width, height } = place.getBBox();
  const { card, now } = place.dataset;
  const [svg, copy, text] = [place.ownerSVGElement.cloneNode(false), place.cloneNode(true), document.createElement("div")];
  svg.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
  for (const attribute of ["transform", "data-handle", "tabindex", "class"]) copy.removeAttribute(attribute);
  render(text, html`<p>${now ?? card ?? place.getAttribute("aria-label")}</p>`);
  svg.append(copy);
  panel.replaceChildren(svg, text);
  const frame = byRole("picture").getBoundingClientRect();
  const centre = centreOf(place);
  panel.classList.toggle("below", centre.y < frame.y + frame.height / 2); // never over the place itself
  panel.classList.toggle("left", centre.x > frame.x + frame.width / 2);
  const [full, note] = await Promise.all([card && height < width && fetchCard(card), fetchNote(place)]);
  if (pointed !== place) return;
  if (full) panel.firstChild.outerHTML = full;
  if (note) render(text, html`<p><b>${note}</b></p>${now && html`<p>${now}</p>`}`);
  if (note && place === document.activeElement) byRole("announcer").textContent = note;
}

/** Resolves to what choosing a place would do; empty if it cannot be chosen, or there is nothing to say. */
async function fetchNote(place) {
  const { notes } = document.body.dataset;
  if (!notes || !place.dataset.card || !place.matches(".lit, .target, .chosen")) return "";
  const answer = await request("GET", `${notes}?handle=${encodeURIComponent(place.dataset.handle)}`).catch(() => null);
  return answer?.text ?? "";
}

/** Resolves to the picture of a whole card as SVG; empty if there is none. */
function fetchCard(name) {
  const load = () => request("GET", `/api/games/${document.body.dataset.game}/cards/${encodeURIComponent(name)}`);
  if (!fullCards.has(name)) fullCards.set(name, load().then(({ svg }) => svg, () => ""));
  return fullCards.get(name);
}

/** Shows the cards of a picture large while the mouse or the focus is on them, and those that are tapped. */
export function watchCards(picture) {
  const pointAt = (place) => {
    if (place === pointed) return;
    clearTimeout(timer);
    if (place) timer = setTimeout(showZoom, HOVER_MS, place);
    else if (pointed && !pointed.classList.contains("chosen")) showZoom();
  };
  const cardOf = ({ target }) => target.closest("[data-card]");
  picture.addEventListener("pointerover", (event) => event.pointerType === "mouse" && pointAt(cardOf(event)));
  picture.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && pointAt(null));
  picture.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && pointAt(cardOf(event)));
  picture.addEventListener("focusout", () => pointAt(null));
  document.addEventListener("click", (event) => {
    if (event.pointerType !== "mouse" && picture.contains(event.target)) setTimeout(() => showZoom(cardOf(event))); // after the choice
    else if (!event.target.closest("[data-role='choices']")) pointAt(null);
  });
}
