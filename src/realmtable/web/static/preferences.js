// The player's preferences: those that differ from the defaults are data attributes of the page, set by the server. Also what
// a page saves in this tab only.

const { dataset } = document.documentElement;

/** A preference of the player, or the value that it has unless it was changed. */
export const preference = (name, fallback) => dataset[name] ?? fallback;

const system = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether to leave animations out: the system asks for it, or the player does. */
export const reducesMotion = () => system.matches || preference("motion", "system") === "reduced";

const keyOf = (name) => `${name} ${location.pathname}`;

/** What the page saved in this tab. Some browsers refuse storage; then it is forgotten on reload. */
export function load(name) {
  try {
    return sessionStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

/** Saves a text for this page until the tab is closed. */
export function save(name, text) {
  try {
    sessionStorage.setItem(keyOf(name), text);
  } catch {
    // it is kept until the page is left
  }
}
