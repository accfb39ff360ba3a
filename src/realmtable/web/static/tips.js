// What a picture tells players who see its kind for the first time: data-tips has a title and sentences, separated by
// vertical bars. The word before a colon is emphasised.

import { html, render } from "./html.js";

const STORE = "tips";

/** Shows the tips of a picture once per browser. */
export function showTips({ dataset: { tips } }) {
  const [title, ...sentences] = tips.split("|");
  if (readSeen().includes(title)) return;
  const dialog = document.createElement("dialog");
  render(dialog, html`<form method="dialog"><h2>${title}</h2>
    <ol class="tips">${sentences.map(tip)}</ol>
    <button class="primary" autofocus>Got it</button></form>`);
  dialog.dataset.role = "tips";
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  save([...readSeen(), title]);
}

function tip(sentence) {
  const [, word, rest] = sentence.match(/^(?:(\w+): )?(.*)$/);
  return html`<li>${word && html`<b>${word}:</b> `}${rest}</li>`;
}

function readSeen() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? [];
  } catch {
    return []; // without storage, they are shown on every visit
  }
}

function save(seen) {
  try {
    localStorage.setItem(STORE, JSON.stringify(seen));
  } catch {
    // as above
  }
}
