// @ts-check
// The player's preferences: those that differ from the defaults are data attributes of the page, set by the server. Also what
// a page saves in this tab only, or in this browser.

const { dataset } = document.documentElement;

/** A preference of the player, or the value that it has unless it was changed. @param {string} name @param {string} fallback */
export const preference = (name, fallback) => dataset[name] ?? fallback;

const system = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether to leave animations out: the system asks for it, or the player does. */
export const reducesMotion = () => system.matches || preference("motion", "system") === "reduced";

/** What `use` returns; null in browsers that refuse storage, or for what we have not written. @param {() => any} use */
function tryStorage(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

/** @param {string} name */
const keyOf = (name) => `${name} ${location.pathname}`;

/** What this page saved in this tab; null without anything. @param {string} name @returns {string | null} */
export const load = (name) => tryStorage(() => sessionStorage.getItem(keyOf(name)));

/** Saves a text for this page until the tab is closed. @param {string} name @param {string} text */
export const save = (name, text) => tryStorage(() => sessionStorage.setItem(keyOf(name), text));

/** What this browser remembers from visit to visit. @param {string} key @param {any} fallback */
export const readStored = (key, fallback) => tryStorage(() => JSON.parse(localStorage.getItem(key))) ?? fallback;

/** Stores what can be written as JSON. @param {string} key @param {unknown} value */
export const store = (key, value) => tryStorage(() => localStorage.setItem(key, JSON.stringify(value)));
