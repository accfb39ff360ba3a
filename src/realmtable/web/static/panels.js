// @ts-check
// The panels beside the board: tabs on a wide screen, a sheet that opens from below on a narrow one. Knows no game.

import { byRole, html, render, trusted } from "./html.js";

const SWIPE_PX = 24;

export class Panels {
  selected = ""; // the id of the panel at the front
  isOpen = false; // whether the sheet is up; on a wide screen the panels are always visible
  /** @type {Set<string>} */
  opened = new Set(); // the panels that are needed for the next step

  root = /** @type {HTMLElement} */ (byRole("panels"));
  tabs = byRole("panel-tabs");
  pages = /** @type {HTMLElement} */ (byRole("panel-pages"));
  /** @type {number | null} */
  swipeFrom = null;

  constructor() {
    this.tabs.addEventListener("click", ({ target }) => this.select(target.closest("[data-panel]")?.dataset.panel));
    this.tabs.addEventListener("keydown", (event) => this.onKey(event));
    byRole("sheet").addEventListener("click", () => this.setOpen(!this.isOpen));
    const bar = byRole("panel-bar");
    bar.addEventListener("pointerdown", ({ clientY, pointerType }) => (this.swipeFrom = pointerType === "mouse" ? null : clientY));
    bar.addEventListener("pointermove", (event) => this.onSwipe(event));
    for (const type of ["pointerup", "pointercancel"]) bar.addEventListener(type, () => (this.swipeFrom = null));
  }

  /** Draws the panels of a scene; one that has just become needed comes to the front. @param {Panel[]} [panels] */
  draw(panels = []) {
    const needed = panels.filter(({ opens }) => opens).map(({ id }) => id);
    const fresh = needed.find((id) => !this.opened.has(id));
    if (fresh) Object.assign(this, { selected: fresh, isOpen: true });
    else if (this.opened.size && !needed.length) this.isOpen = false; // the sheet has done its part; show the board
    this.opened = new Set(needed);
    if (!panels.some(({ id }) => id === this.selected)) this.selected = panels[0]?.id ?? "";
    this.root.hidden = !panels.length;
    document.body.classList.toggle("with-panels", panels.length > 0);
    render(this.tabs, html`${panels.map((panel) => this.tab(panel))}`);
    render(this.pages, html`${panels.map((panel) => this.page(panel))}`);
    this.show();
  }

  /** @param {Panel} panel */
  tab({ id, title, badge }) {
    const isSelected = id === this.selected; // as `show` sets it, so that the focus is not lost in between
    return html`<button type="button" role="tab" id="tab-${id}" data-panel="${id}" aria-controls="panel-${id}" aria-selected="${String(isSelected)}" tabindex="${isSelected ? 0 : -1}">${title}${badge && html` <span class="badge">${badge}</span>`}</button>`;
  }

  /** The picture of a panel is the server's own, as that of the board is; everything else is escaped. @param {Panel} panel */
  page({ id, svg, rows }) {
    return html`<div role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}" tabindex="0" ${id !== this.selected && "hidden"}>${trusted(svg)}${rows.length > 0 && html`<ul>${rows.map(panelRow)}</ul>`}</div>`;
  }

  /** @param {string} [id] */
  select(id) {
    if (!id) return;
    const again = id === this.selected && this.isOpen;
    this.selected = id;
    this.setOpen(!again);
  }

  /** @param {boolean} isOpen */
  setOpen(isOpen) {
    this.isOpen = isOpen;
    this.show();
  }

  /** Brings the panel that contains an element to the front. @param {Element | undefined} element */
  reveal(element) {
    const page = element?.closest('[role="tabpanel"]');
    if (!page) return;
    this.selected = page.id.slice("panel-".length);
    this.setOpen(true);
  }

  /** Opens the panel in which the next click belongs, until the next scene. @param {Element | undefined} element */
  open(element) {
    this.reveal(element);
    this.opened.add(this.selected);
  }

  show() {
    for (const tab of this.tabs.querySelectorAll("button")) {
      const isSelected = tab.dataset.panel === this.selected;
      tab.setAttribute("aria-selected", isSelected);
      tab.tabIndex = isSelected ? 0 : -1;
    }
    for (const page of this.pages.querySelectorAll(":scope > div")) page.hidden = page.id !== `panel-${this.selected}`;
    this.root.classList.toggle("open", this.isOpen);
    const button = byRole("sheet");
    button.setAttribute("aria-expanded", this.isOpen);
    button.setAttribute("aria-label", this.isOpen ? "Hide panels" : "Show panels");
  }

  /** Marks the tabs of panels in which something can be chosen. */
  markTabs() {
    for (const tab of this.tabs.querySelectorAll("button")) {
      const hasChoice = !!document.getElementById(`panel-${tab.dataset.panel}`)?.querySelector(".lit, .target");
      tab.classList.toggle("has-choice", hasChoice);
      if (hasChoice) tab.setAttribute("aria-description", "something to choose");
      else tab.removeAttribute("aria-description");
    }
  }

  /** @param {On<KeyboardEvent>} event */
  onKey(event) {
    const tabs = [...this.tabs.querySelectorAll("button")];
    const at = tabs.findIndex((tab) => tab.contains(event.target));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    this.selected = tab.dataset.panel ?? "";
    this.setOpen(true);
    tab.focus();
  }

  /** @param {PointerEvent} event */
  onSwipe({ clientY }) {
    const up = (this.swipeFrom ?? clientY) - clientY;
    if (Math.abs(up) < SWIPE_PX) return;
    this.swipeFrom = null;
    this.setOpen(up > 0);
  }
}

/** @param {PanelRow} row */
function panelRow({ label, value, handle }) {
  const content = html`<span>${label}</span>${value && html`<span class="value">${value}</span>`}`;
  if (!handle) return html`<li>${content}</li>`;
  const name = [label, value].filter(Boolean).join(": ");
  return html`<li><div role="button" tabindex="-1" id="row-${encodeURIComponent(handle)}" data-handle="${handle}" aria-label="${name}">${content}</div></li>`;
}
