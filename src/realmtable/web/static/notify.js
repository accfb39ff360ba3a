// @ts-check
// The switch "Notify me when it is my turn". The browser is asked for permission only when the switch is turned on.
import { readStored, store } from "./preferences.js";
import { request } from "./request.js";

const PATH = "/api/me/notifications";
const CONFIRM_MS = 7 * 86400000; // how often the server hears that this browser still wants notifications
const STORE = "notifications confirmed";
const box = document.querySelector('[data-role="notify"]');
const toggle = box.querySelector('[data-role="notify-switch"]');
const hint = box.querySelector('[data-role="notify-hint"]');
const isApple = /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** @type {Record<string, string>} */
const TEXTS = {
  on: "On. You get a message on this device, even when the site is closed.",
  off: "Off. Turn it on to get a message on this device, even when the site is closed.",
  blocked: "Your browser blocks notifications from this site. Allow them in its settings, then reload the page.",
  install: "On iPhone and iPad, first add this site to your home screen: tap Share, then “Add to Home Screen”.",
  insecure: "Notifications need a secure connection. Open this site with https.",
  missing: "This browser does not support notifications.",
};

function findObstacle() {
  if (!isSecureContext) return "insecure";
  if ("PushManager" in window && "Notification" in window) return Notification.permission === "denied" ? "blocked" : null;
  return isApple && !navigator.standalone ? "install" : "missing";
}

/** @param {string} state */
function show(state, message = TEXTS[state]) {
  toggle.checked = state === "on";
  toggle.disabled = !["on", "off"].includes(state);
  hint.textContent = message;
  box.classList.toggle("explains", toggle.disabled || message !== TEXTS[state]); // tables have room for what is needed only
}

const worker = () => navigator.serviceWorker.ready;
const findSubscription = async () => (await worker()).pushManager.getSubscription();

/** @param {PushSubscription} subscription */
async function save(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  await request("POST", PATH, { endpoint, keys });
  store(STORE, Date.now());
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return show(findObstacle() ?? "off");
  await request("POST", "/api/me"); // a visitor becomes a guest, whose browser can be notified
  const { public_key: applicationServerKey } = await request("GET", PATH);
  await (await findSubscription())?.unsubscribe(); // it may have been made with another key
  const { pushManager } = await worker();
  await save(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  show("on");
}

async function switchOff() {
  await request("DELETE", PATH);
  await (await findSubscription())?.unsubscribe();
  show("off");
}

async function start() {
  const obstacle = findObstacle();
  if (obstacle) return show(obstacle);
  show("off");
  const { on } = await request("GET", PATH);
  const subscription = on && (await findSubscription());
  if (!subscription || Notification.permission !== "granted") return;
  show("on");
  if (Date.now() - readStored(STORE, 0) > CONFIRM_MS) await save(subscription);
}

toggle.addEventListener("change", async () => {
  const wanted = toggle.checked;
  toggle.disabled = true;
  try {
    await (wanted ? switchOn() : switchOff());
  } catch (error) {
    show(wanted ? "off" : "on", error.code ? error.message : "That didn’t work. Try again in a moment.");
  }
});
start().catch(() => {});
