// @ts-check
// Registers the service worker, and says when the site is offline or has a new version.

const VERSION = import.meta.url.match(/\/static\/(\w+)\//)?.[1];
const HOUR_MS = 3600000;
/** @type {HTMLElement | null} */
let bar = null;
let checkedAt = Date.now();

function removeBar() {
  bar?.remove();
  bar = null;
}

/** @param {string} text */
function makeBar(text) {
  removeBar();
  const made = Object.assign(document.createElement("div"), { className: "app-bar", textContent: text });
  made.setAttribute("role", "status");
  return (bar = made);
}

/** @param {string} label @param {string} className @param {() => void} onClick */
function addButton(label, className, onClick) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: label, className });
  button.addEventListener("click", onClick);
  bar?.append(button);
}

/** Says that there is no connection, unless the page says it itself. */
function showConnection() {
  if (document.querySelector('[data-role="connection"], [data-role="retry"]')) return;
  if (navigator.onLine) return removeBar();
  document.querySelector("main")?.before(makeBar("You are offline. Rules and lessons still work."));
}

/** Offers the new version in front of the page: nothing may move while a player is about to click. */
function offerReload() {
  document.body.append(makeBar("A new version is ready."));
  bar?.classList.add("is-over");
  addButton("Reload", "", () => location.reload());
  addButton("Later", "quiet", removeBar);
}

const { serviceWorker } = navigator;
serviceWorker.addEventListener("message", ({ data }) => {
  if (data.turn) document.dispatchEvent(new Event("turn"));
  if (data.version && data.version !== VERSION) offerReload();
});
addEventListener("offline", showConnection);
addEventListener("online", showConnection);
showConnection();

const registration = await serviceWorker.register("/service-worker.js").catch(() => null);
document.addEventListener("visibilitychange", () => {
  if (document.hidden || Date.now() - checkedAt < HOUR_MS) return;
  checkedAt = Date.now();
  registration?.update().catch(() => {});
});
if (matchMedia("(display-mode: standalone)").matches) (await serviceWorker.ready).active?.postMessage("pictures");
