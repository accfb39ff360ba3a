// @ts-check
// What every page does for the site as an app: counts the games that wait, gives times in the reader's own time zone, and loads
// the switch for notifications where there is one, and the script that registers the service worker.

const LEAST_MS = 30000; // between two requests for the count
/** @template {string} Role @param {Role} role @returns {ElementOf<Role>} */
const byRole = (role) => document.querySelector(`[data-role="${role}"]`);
const title = /** @type {HTMLTitleElement} */ (document.querySelector("title"));
let count = +byRole("waiting-count").textContent; // of games on other pages
let here = 0; // 1 while the game on this page waits, too; that counts when nobody sees the page
let askedAt = Date.now();

const total = () => count + (document.hidden ? here : 0);

/** Shows how many games wait: in the header, the title and the icon of the tab, and on the icon of the installed app. */
function show() {
  byRole("waiting-count").textContent = String(total());
  byRole("waiting").hidden = !total();
  const icon = byRole("icon");
  const href = total() ? icon.dataset.waiting : icon.dataset.plain;
  if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
  writeTitle();
  if (total()) navigator.setAppBadge?.(total()).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

function writeTitle() {
  const text = (total() ? `(${total()}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  if (text !== document.title) document.title = text;
}

async function ask(leastMs = LEAST_MS) {
  if (document.hidden || Date.now() - askedAt < leastMs || !document.querySelector('meta[name="csrf"]')?.content) return;
  askedAt = Date.now();
  const answer = await fetch("/api/me/waiting").catch(() => null);
  if (!answer?.ok) return;
  count = Math.max(0, (await answer.json()).count - here);
  show();
}

/** Says of a <time> when it was in the reader's own time zone. @param {{ target: any }} event */
async function addLocalTime({ target }) {
  const time = target.closest?.("time[datetime]");
  if (time) time.title = (await import("./clock.js")).formatTime(Date.parse(time.dateTime));
}

for (const type of ["pointerover", "focusin"]) document.addEventListener(type, addLocalTime);
document.addEventListener("waiting", ({ detail }) => {
  count = detail.count ?? count;
  here = detail.here ?? here;
  if (here || detail.count !== undefined) byRole("my-games").hidden = false;
  show();
});
document.addEventListener("visibilitychange", () => {
  show();
  ask();
});
document.addEventListener("turn", () => ask(1000)); // a notification has arrived
addEventListener("pageshow", ({ persisted }) => persisted && ask());
new MutationObserver(writeTitle).observe(title, { childList: true });
if (count) show();
if (byRole("notify")) import("./notify.js");
byRole("retry")?.addEventListener("click", () => location.reload());
if (navigator.serviceWorker) addEventListener("load", () => import("./register_service_worker.js"));
