// @ts-check
// Saves the player's preferences.

import { request } from "./request.js";

const { dataset } = document.documentElement;
/** @type {Promise<unknown>} */
let saving = Promise.resolve(); // one after the other, because a visitor's first request makes them a guest

/** Applies a preference to this page and saves it. @param {string} name @param {any} value @param {string} [fallback] */
export function savePreference(name, value, fallback) {
  const mark = typeof value === "boolean" ? (value ? "on" : "off") : value;
  if (mark === fallback) delete dataset[name];
  else dataset[name] = mark;
  saving = saving.catch(() => {}).then(() => request("PATCH", "/api/me/preferences", { [name]: value }));
  return saving;
}
