// @ts-check
// Loads styles of what is shown later.

/** Loads a style once; `href` is as from `new URL("./name.css", import.meta.url)`. @param {URL} href */
export function loadStyle({ href }) {
  if (document.querySelector(`link[href="${new URL(href).pathname}"], link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}
