// @ts-check
// Light or dark: the system decides until the switch is used; from then on a cookie does, which the server reads too.
const { dataset } = document.documentElement;

// A page that the service worker has stored does not know the cookie.
if (dataset.theme === "auto") dataset.theme = document.cookie.match(/\brealmtable_theme=(light|dark)\b/)?.[1] ?? "auto";

/** Sets light or dark pages on this device; "auto" follows the system. @param {string} theme */
export function setColourScheme(theme) {
  dataset.theme = theme;
  document.cookie = `realmtable_theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  // An <img> cannot see the page's theme.
  for (const image of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll("img[data-themed]"))) {
    image.src = image.src.replace(/theme=\w+/, `theme=${theme}`);
  }
}

document.querySelector("[data-theme-switch]")?.addEventListener("click", () => {
  const dark = dataset.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : dataset.theme === "dark";
  setColourScheme(dark ? "light" : "dark");
});
