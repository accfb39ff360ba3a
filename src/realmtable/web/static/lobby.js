// Keeps the lists of the lobby as they are on the server: an event says that something changed, the lists are fetched
// as HTML and morphed in, so that focus and scrolling stay.
import { Idiomorph } from "./vendor/idiomorph.js";

let [due, busy, lost] = [false, false, false];

async function update() {
  due = busy;
  if (busy) return;
  busy = true;
  try {
    const answer = await fetch("/lobby/lists");
    const parts = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").body.children : [];
    for (const part of [...parts]) Idiomorph.morph(document.getElementById(part.id), part);
  } catch {
    lost = true; // out of reach: the stream comes back by itself
  }
  setTimeout(() => {
    busy = false;
    if (due) update();
  }, 1000); // a busy lobby changes many times a second; once is enough
}

function follow() {
  const stream = new EventSource("/api/lobby/events");
  stream.addEventListener("changed", update);
  stream.addEventListener("error", () => {
    lost = true;
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 30000); // refused: there was no room for it
  });
  stream.addEventListener("open", () => lost && update((lost = false)));
}
follow();
document.addEventListener("visibilitychange", () => document.hidden || update());
