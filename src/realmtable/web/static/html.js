// @ts-check
// Markup from data, and how it gets into the page: only what differs is changed, which keeps focus, scroll positions and
// running animations.

import { Idiomorph } from "./vendor/idiomorph.js";

class Markup extends String {}

/** @param {any} value @returns {any} */
function escape(value) {
  if (Array.isArray(value)) return value.map(escape).join("");
  if (value instanceof Markup) return value;
  return String(value || value === 0 ? value : "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * A template tag: escapes text, joins lists, keeps other html`…`, and renders null and false as nothing.
 * @param {readonly string[]} strings @param {unknown[]} values
 */
export const html = (strings, ...values) => new Markup(String.raw({ raw: strings }, ...values.map(escape)));

/** Markup that needs no escaping: a picture from the server. @param {string} markup */
export const trusted = (markup) => new Markup(markup);

/** Makes the content of an element equal to the markup. @param {Element} element @param {string | Markup} markup */
export const render = (element, markup) => Idiomorph.morph(element, String(markup), { morphStyle: "innerHTML", callbacks });

/** Makes the elements of the page equal to those in the markup that have the same id. @param {string | Markup} markup */
export function renderById(markup) {
  const template = document.createElement("template");
  template.innerHTML = String(markup);
  for (const element of [...template.content.children]) Idiomorph.morph(document.getElementById(element.id), element, { callbacks });
}

const callbacks = {
  /**
   * Whether to change an element: not the equal parts of a picture, for speed, nor a field that keeps what was typed.
   * @param {any} old @param {Node} fresh
   */
  beforeNodeMorphed: (old, fresh) => (old instanceof SVGElement ? !old.isEqualNode(fresh) : old.dataset?.keepValue === undefined),
};

/** The element with this data-role. @template {string} Role @param {Role} role @returns {ElementOf<Role>} */
export const byRole = (role) => document.querySelector(`[data-role="${role}"]`);

/** The data-handle of what contains an element. @param {any} element @returns {string | undefined} */
export const handleOf = (element) => element?.closest?.("[data-handle]")?.dataset.handle;
