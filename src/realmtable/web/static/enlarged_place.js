// @ts-check
// Shows a place of the picture enlarged in the place of the tabs: one that was chosen, a card (data-card) that is pointed at, with
// what it gives now (data-now) and, at a live table, what choosing it would do, or another place with its whole label
// (data-details).

import { byRole, html, render } from "./html.js";
import { request } from "./request.js";

const HOVER_MS = 250;
/** @type {Map<string, Promise<string>>} */
const fullCards = new Map(); // pictures of cards that the board shows small, by name
/** @type {Place | null | undefined} */
let pointed = null;
let timer = 0;

/** @param {any} [place] none closes the panel */
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
  render(text, html`<p>${now ?? (card ? "" : place.getAttribute("aria-label"))}</p>`);
  svg.append(copy);
  panel.replaceChildren(svg, text, closeButton());
  const [full, note] = await Promise.all([card && height < width && fetchCard(card), fetchNote(place)]);
  if (pointed !== place) return;
  if (full) /** @type {Element} */ (panel.firstElementChild).outerHTML = full;
  if (note) render(text, html`<p><b>${note}</b></p>${now && html`<p>${now}</p>`}`);
  if (note && place === document.activeElement) byRole("announcer").textContent = note;
}

/** For touch screens; keyboards have Escape, and the panel follows the mouse. */
const closeButton = () => Object.assign(document.createElement("button"), { type: "button", className: "close icon", tabIndex: -1, title: "Close", textContent: "×" });

/**
 * Resolves to what choosing a place would do; empty if it cannot be chosen, or there is nothing to say.
 * @param {Place} place @returns {Promise<string>}
 */
async function fetchNote(place) {
  const { notes } = document.body.dataset;
  const { card, handle } = place.dataset;
  if (!notes || !card || !handle || !place.matches(".lit, .target, .chosen")) return "";
  const answer = await request("GET", `${notes}?handle=${encodeURIComponent(handle)}`).catch(() => null);
  return answer?.text ?? "";
}

/** Resolves to the picture of a whole card as SVG; empty if there is none. @param {string} name */
function fetchCard(name) {
  const load = () => request("GET", `/api/games/${document.body.dataset.game}/cards/${encodeURIComponent(name)}`);
  const card = fullCards.get(name) ?? load().then(({ svg }) => svg, () => "");
  fullCards.set(name, card);
  return card;
}

/** Shows the cards of a picture large while the mouse or the focus is on them, and those that are tapped. @param {HTMLElement} picture */
export function watchCards(picture) {
  /** @param {Place | null} place */
  const pointAt = (place) => {
    if (place === pointed) return;
    clearTimeout(timer);
    if (place) timer = setTimeout(showZoom, HOVER_MS, place);
    else if (pointed && !pointed.classList.contains("chosen")) showZoom();
  };
  /** @param {On<Event>} event */
  const cardOf = ({ target }) => target.closest("[data-card], [data-details]");
  picture.addEventListener("pointerover", (event) => event.pointerType === "mouse" && pointAt(cardOf(event)));
  picture.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && pointAt(null));
  picture.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && pointAt(cardOf(event)));
  picture.addEventListener("focusout", () => pointAt(null));
  // A tap shows a card that cannot be chosen or was chosen, but not one with which a move was played.
  /** @param {On<PointerEvent>} event */
  const onTap = (event) => {
    const isButton = event.target.closest("[data-role='choices']");
    const place = isButton ? pointed : picture.contains(event.target) ? cardOf(event) : null;
    if (!place) return isButton ? undefined : showZoom();
    const [couldBeChosen, wasChosen] = [place.matches(".lit, .target"), place.classList.contains("chosen")];
    const isChosen = () => place.classList.contains("chosen") && !document.body.classList.contains("sending");
    const isShown = () => isChosen() || (!wasChosen && !couldBeChosen);
    setTimeout(() => (isShown() ? isButton || showZoom(place) : showZoom())); // after the choice
  };
  byRole("zoom").addEventListener("click", (event) => {
    event.stopPropagation(); // a chosen card stays chosen
    showZoom();
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && showZoom());
  document.addEventListener("click", (event) => event.pointerType !== "mouse" && onTap(event), true);
}
