// @ts-check
// The tabs: the game's panels and the page's own, such as the moves and the chat. On a wide screen they are below what can be
// done now; on a phone they are the lower part of a sheet with three heights. Knows no game.

import { byRole, html, render, trusted } from "./html.js";
import { say } from "./language.js";

const SWIPE_PX = 24;
const HEIGHTS = ["head", "half", "full"]; // of the sheet: the question alone, with a page below it, up to the news
const wide = matchMedia("(min-width: 60rem) and (min-height: 42rem)");

export class Panels {
  height = wide.matches ? "half" : "head";
  /** @type {Set<string>} */
  opened = new Set(); // the panels that are needed for the next step

  root = /** @type {HTMLElement} */ (byRole("panels"));
  selected = this.root.dataset.first ?? ""; // the id of the panel at the front
  list = byRole("panel-tabs");
  pages = /** @type {HTMLElement} */ (byRole("panel-pages"));
  /** @type {number | null} */
  swipeFrom = null;

  constructor() {
    this.list.addEventListener("click", ({ target }) => this.select(target.closest("[data-panel]")?.dataset.panel));
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    byRole("sheet").addEventListener("click", () => this.setHeight(this.isOpen ? "head" : "half"));
    for (const bar of [byRole("panel-bar"), byRole("action-panel")]) {
      bar.addEventListener("pointerdown", ({ clientY, pointerType, target }) => (this.swipeFrom = pointerType === "mouse" || target.closest(".is-scrolling") ? null : clientY));
      bar.addEventListener("pointermove", (event) => this.onSwipe(event));
      for (const type of ["pointerup", "pointercancel"]) bar.addEventListener(type, () => (this.swipeFrom = null));
    }
    wide.addEventListener("change", ({ matches }) => this.setHeight(matches ? "half" : "head"));
  }

  /** Whether a page is visible. */
  get isOpen() {
    return this.height !== "head";
  }

  /** The tabs that can be chosen now. @returns {HTMLElement[]} */
  get tabs() {
    return [...this.list.querySelectorAll('[role="tab"]')].filter((tab) => tab.checkVisibility());
  }

  /** Draws the panels of a scene; one that has just become needed comes to the front. @param {Panel[]} [panels] */
  draw(panels = []) {
    const needed = panels.filter(({ opens }) => opens).map(({ id }) => id);
    const fresh = needed.find((id) => !this.opened.has(id));
    if (fresh) Object.assign(this, { selected: fresh, height: this.isOpen ? this.height : "half" });
    else if (this.opened.size && !needed.length && !wide.matches) this.height = "head"; // the sheet has done its part; show the board
    this.opened = new Set(needed);
    render(byRole("game-tabs"), html`${panels.map((panel) => this.tab(panel))}`);
    render(this.pages, html`${panels.map((panel) => this.page(panel))}`);
    this.show();
  }

  /** @param {Panel} panel */
  tab({ id, title, badge }) {
    const isSelected = id === this.selected; // as `show` sets it, so that the focus is not lost in between
    return html`<button type="button" role="tab" id="tab-${id}" data-panel="${id}" aria-controls="panel-${id}" aria-selected="${String(isSelected)}" tabindex="${isSelected ? 0 : -1}"><svg class="symbol" viewBox="0 0 24 24" aria-hidden="true">${document.getElementById(`icon-${id}`) ? html`<use href="#icon-${id}"/>` : html`<path d="M5 4h14v16H5zM8 8h8M8 12h8M8 16h5"/>`}</svg><span>${title}</span>${badge && html` <span class="badge">${badge}</span>`}</button>`;
  }

  /** The picture of a panel is the server's own, as that of the board is; everything else is escaped. @param {Panel} panel */
  page({ id, svg, rows }) {
    return html`<div role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}" tabindex="0" ${id !== this.selected && "hidden"}>${trusted(svg)}${rows.length > 0 && html`<ul>${rows.map(panelRow)}</ul>`}</div>`;
  }

  /** Brings a tab to the front; if it is there already, closes or opens the sheet, unless it is to be `open`. @param {string} [id] @param {boolean} [open] */
  select(id, open = false) {
    if (!id) return;
    const isAgain = id === this.selected && !open;
    if (id !== "now") this.selected = id;
    this.setHeight(id === "now" || (isAgain && this.isOpen && !wide.matches) ? "head" : this.isOpen ? this.height : "half");
  }

  /** @param {string} height */
  setHeight(height) {
    this.height = height;
    this.show();
  }

  /** Brings the panel that contains an element to the front. @param {Element | undefined} element */
  reveal(element) {
    const page = element?.closest('[role="tabpanel"]');
    if (page) this.select(page.id.slice("panel-".length), true);
  }

  /** Opens the panel in which the next click belongs, until the next scene. @param {Element | undefined} element */
  open(element) {
    this.reveal(element);
    this.opened.add(this.selected);
  }

  show() {
    const { tabs } = this;
    if (!tabs.some(({ dataset }) => dataset.panel === this.selected)) this.selected = tabs.find(({ dataset }) => dataset.panel !== "now")?.dataset.panel ?? "";
    const front = this.isOpen || wide.matches ? this.selected : "now";
    for (const tab of this.list.querySelectorAll('[role="tab"]')) {
      const isFront = tab.dataset.panel === front;
      tab.setAttribute("aria-selected", isFront);
      tab.tabIndex = isFront ? 0 : -1;
    }
    for (const page of this.root.querySelectorAll('[role="tabpanel"]')) page.hidden = page.id !== `panel-${this.selected}`;
    this.root.dataset.height = this.height;
    document.body.dataset.sheet = this.height;
    const button = byRole("sheet");
    button.setAttribute("aria-expanded", this.isOpen);
    button.setAttribute("aria-label", this.isOpen ? say("Hide panels") : say("Show panels"));
    document.dispatchEvent(new CustomEvent("panel", { detail: this.isOpen ? this.selected : "" }));
  }

  /** Marks the tabs of panels in which something can be chosen. */
  markTabs() {
    for (const tab of this.list.querySelectorAll('[role="tab"]')) {
      const hasChoice = !!document.getElementById(`panel-${tab.dataset.panel}`)?.querySelector(".lit, .target");
      tab.classList.toggle("has-choice", hasChoice);
      if (hasChoice) tab.setAttribute("aria-description", say("something to choose"));
      else tab.removeAttribute("aria-description");
    }
  }

  /** @param {On<KeyboardEvent>} event */
  onKey(event) {
    const { tabs } = this;
    const at = tabs.findIndex((tab) => tab.contains(event.target));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    this.select(tab.dataset.panel, true);
    tab.focus();
  }

  /** Makes the sheet higher or lower by one step. @param {PointerEvent} event */
  onSwipe({ clientY }) {
    const up = (this.swipeFrom ?? clientY) - clientY;
    if (Math.abs(up) < SWIPE_PX || wide.matches) return;
    this.swipeFrom = null;
    const at = HEIGHTS.indexOf(this.height) + Math.sign(up);
    this.setHeight(HEIGHTS[Math.max(0, Math.min(at, HEIGHTS.length - 1))]);
  }
}

/** @param {PanelRow} row */
function panelRow({ label, value, handle }) {
  const content = html`<span>${label}</span>${value && html`<span class="value">${value}</span>`}`;
  if (!handle) return html`<li>${content}</li>`;
  const name = [label, value].filter(Boolean).join(": ");
  return html`<li><div role="button" tabindex="-1" id="row-${encodeURIComponent(handle)}" data-handle="${handle}" aria-label="${name}">${content}</div></li>`;
}
