// @ts-check
// Keeps the lobby's lists up to date: an event says that something changed, then the lists are fetched as HTML and morphed
// into the page, which keeps focus and scroll positions.
import { renderById } from "./html.js";

const LEAST_MS = 1000; // between two updates: a busy lobby changes many times a second

// `isStale` asks for another update after the running one; `wasLost` for one as soon as the stream is back.
let [isStale, isBusy, wasLost] = [false, false, false];

async function updateLists() {
  isStale = isBusy;
  if (isBusy) return;
  isBusy = true;
  try {
    const answer = await fetch("/lobby/lists");
    if (answer.ok) showLists(await answer.text());
  } catch {
    wasLost = true; // out of reach: the stream comes back by itself
  }
  setTimeout(() => {
    isBusy = false;
    if (isStale) updateLists();
  }, LEAST_MS);
}

/** @param {string} markup */
function showLists(markup) {
  renderById(markup);
  const count = Number(document.getElementById("mine").dataset.waiting);
  document.dispatchEvent(new CustomEvent("waiting", { detail: { count } }));
}

function openStream() {
  const stream = new EventSource("/api/lobby/events");
  stream.addEventListener("changed", updateLists);
  stream.addEventListener("error", () => {
    wasLost = true;
    if (stream.readyState === EventSource.CLOSED) setTimeout(openStream, 30000); // the server had no room for it
  });
  stream.addEventListener("open", () => {
    if (wasLost) updateLists();
    wasLost = false;
  });
}
openStream();
document.addEventListener("visibilitychange", () => document.hidden || updateLists());
