// @ts-check
// The layers under the picture: parts that rarely change. Each version of a layer is loaded once; until a new version has
// arrived, the previous one stays.

import { byRole } from "./html.js";

const RETRY_MS = [500, 2000, 6000];
const MAX_LOADED = 48;
const MAX_KNOWN = 16; // keys that a request may name

export class Layers {
  element = byRole("layers");
  trouble = byRole("layer-trouble");
  /** @type {Map<string, string>} */
  loaded = new Map(); // SVG by key, least recently used first
  /** @type {Map<string, Promise<unknown>>} */
  loading = new Map(); // promises by key
  /** @type {Layer[]} */
  shown = [];

  constructor() {
    byRole("layer-retry").addEventListener("click", () => this.show(this.shown));
    addEventListener("online", () => this.show(this.shown));
  }

  /** Keys of layers that the server need not send again. */
  knownKeys() {
    return [...this.loaded.keys()].slice(-MAX_KNOWN);
  }

  /** Adds to a moment the layers that the server left out because we know them. @template {{ layers?: Layer[] }} T @param {T} moment */
  complete(moment) {
    for (const layer of moment.layers ?? []) {
      if (layer.svg) this.store(layer.key, layer.svg);
      else layer.svg = this.loaded.get(layer.key);
    }
    return moment;
  }

  /** @param {string} key @param {string} svg */
  store(key, svg) {
    this.loaded.delete(key);
    this.loaded.set(key, svg);
    if (this.loaded.size > MAX_LOADED) this.loaded.delete(this.loaded.keys().next().value ?? "");
  }

  /** @param {Layer[]} layers the lowest first */
  show(layers) {
    this.shown = layers;
    this.arrangeSlots(layers.map(({ name }) => name));
    this.element.parentElement?.classList.toggle("layered", layers.length > 0);
    for (const layer of layers) {
      if (layer.svg) this.store(layer.key, layer.svg);
      if (!this.loaded.has(layer.key)) this.load(layer);
    }
    this.fill();
  }

  /**
   * Makes a slot for each name, in this order. Moves none without need: the browser would style all of it again.
   * @param {string[]} names
   */
  arrangeSlots(names) {
    const children = /** @type {HTMLCollectionOf<HTMLElement>} */ (this.element.children);
    const slots = new Map([...children].map((slot) => [slot.dataset.layer ?? "", slot]));
    for (const [name, slot] of slots) if (!names.includes(name)) slot.remove();
    names.forEach((name, index) => {
      const slot = slots.get(name) ?? makeSlot(name);
      if (children[index] !== slot) this.element.insertBefore(slot, children[index] ?? null);
    });
  }

  /** Puts the layers that have arrived into their slots. */
  fill() {
    this.shown.forEach(({ key }, index) => {
      const slot = /** @type {HTMLElement} */ (this.element.children[index]);
      const svg = this.loaded.get(key);
      if (slot.dataset.key === key || !svg) return;
      slot.innerHTML = svg;
      slot.dataset.key = key;
    });
    this.trouble.hidden = !this.shown.some(({ key }) => !this.loaded.has(key) && !this.loading.has(key));
  }

  /** @param {Layer} layer */
  load({ key, url }) {
    if (!url || this.loading.has(key)) return;
    const loading = fetchText(url, () => this.shown.some((layer) => layer.key === key));
    this.loading.set(key, loading);
    /** @param {string | null} [svg] */
    const finish = (svg) => {
      this.loading.delete(key);
      if (svg) this.store(key, svg);
      this.fill();
    };
    loading.then(finish, () => finish());
  }
}

/** @param {string} name */
function makeSlot(name) {
  const slot = document.createElement("div");
  slot.dataset.layer = name;
  return slot;
}

/**
 * Fetches a text, and tries again later if that fails for now and the text is still wanted.
 * @param {string} url @param {() => boolean} isWanted
 */
async function fetchText(url, isWanted) {
  for (const delay of [...RETRY_MS, 0]) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return answer.text();
    if (!delay || answer?.status === 404 || !isWanted()) return null;
    await new Promise((done) => setTimeout(done, delay));
  }
}
