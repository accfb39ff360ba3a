// The player's preferences: those that differ from the defaults are data attributes of the page, set by the server.

import { request } from "./request.js";

const { dataset } = document.documentElement;

/** A preference of the player, or the value that it has unless it was changed. */
export const preference = (name, fallback) => dataset[name] ?? fallback;

/** Applies a preference to this page and saves it. @param {string | boolean} value */
export function savePreference(name, value, fallback) {
  const mark = typeof value === "boolean" ? (value ? "on" : "off") : value;
  if (mark === fallback) delete dataset[name];
  else dataset[name] = mark;
  return request("PATCH", "/api/me/preferences", { [name]: value });
}
