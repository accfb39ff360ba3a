// @ts-check
// What a picture tells players who see its kind for the first time: data-tips has a title and sentences, separated by
// vertical bars. The word before a colon is emphasised.

import { readStored, store } from "./preferences.js";
import { html, render } from "./html.js";

const STORE = "tips";
let wereShown = false; // at this visit, for browsers that store nothing

/** Shows the tips of a picture once per browser. @param {SVGSVGElement} picture */
export function showTips({ dataset: { tips = "" } }) {
  const [title, ...sentences] = tips.split("|");
  const seen = readStored(STORE, []);
  if (wereShown || seen.includes(title)) return;
  wereShown = true;
  const dialog = document.createElement("dialog");
  render(dialog, html`<form method="dialog"><h2>${title}</h2>
    <ol class="tips">${sentences.map(tip)}</ol>
    <button class="primary" autofocus>Got it</button></form>`);
  dialog.dataset.role = "tips";
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  store(STORE, [...seen, title]);
}

/** @param {string} sentence */
function tip(sentence) {
  const [, word, rest] = sentence.match(/^(?:(\w+): )?(.*)$/) ?? [];
  return html`<li>${word && html`<b>${word}:</b> `}${rest}</li>`;
}
