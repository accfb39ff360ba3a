// @ts-check
// The settings page: applies each change to the page, so that the preview shows it, and saves it.

import { byRole } from "./html.js";
import { savePreference } from "./save_preference.js";
import { showError } from "./request.js";
import { setColourScheme } from "./colour_scheme.js";

const SAVED_MS = 2500;
let timer = 0;
/** @param {HTMLInputElement} field */
const valueOf = (field) => (field.type === "checkbox" ? field.checked : field.value);

byRole("settings").addEventListener("change", async ({ target }) => {
  byRole("saved").textContent = "";
  showError(byRole("refusal"), null);
  if (target.name === "_theme") return setColourScheme(target.value);
  try {
    await savePreference(target.name, valueOf(target), target.dataset.default);
    byRole("saved").textContent = "Saved.";
    clearTimeout(timer);
    timer = setTimeout(() => (byRole("saved").textContent = ""), SAVED_MS);
  } catch (error) {
    showError(byRole("refusal"), error);
  }
});

byRole("settings").addEventListener("submit", (event) => event.preventDefault());
byRole("try-sound").addEventListener("click", async () => (await import("./sounds.js")).playSounds(["turn"]));
