// @ts-check
// The service worker: makes rules and lessons readable offline, and shows notifications. The server puts three constants in
// front of it: CACHE (a name that changes with the site), FILES (the static files, all in one folder) and PAGES.
//
// It caches what is the same for everybody and nothing else: pages are fetched without cookies, so that they contain no
// name and no token. Tables, scenes and accounts are never stored, and requests to the API are not touched.

const OFFLINE = "/offline";
const FOLDER = FILES[0].slice(0, FILES[0].lastIndexOf("/") + 1);
const VERSION = FOLDER.split("/")[2];
const PICTURE = /^\/rules\/[^?]+\.svg$/;
const PICTURES_IN_PAGE = /"(\/rules\/[^"]+\.svg[^"]*)"/g;
const ANYWAY = { ignoreSearch: true, ignoreVary: true };

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(storeSite());
});

addEventListener("activate", (event) => event.waitUntil(takeOver()));

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (mode === "navigate") event.respondWith(openPage(event, pathname));
  else if (pathname.startsWith(FOLDER)) event.respondWith(openFile(event.request));
  else if (PICTURE.test(pathname)) event.respondWith(openPicture(event.request));
});

addEventListener("message", (event) => event.data === "pictures" && event.waitUntil(storePictures(PAGES)));

async function storeSite() {
  const cache = await caches.open(CACHE);
  await Promise.all([OFFLINE, ...FILES].map((path) => store(cache, path)));
  if (navigator.connection?.saveData) return;
  for (const path of PAGES) await store(cache, path).catch(() => {}); // one after the other, so that the visitor's pages come first
}

/** Stores the anonymous version of a page or file. @param {Cache} cache @param {string} path */
async function store(cache, path) {
  const answer = await fetch(path, { credentials: "omit", cache: path.startsWith("/static/") ? "default" : "no-cache" });
  if (!answer.ok || answer.redirected) throw new Error(`${path}: ${answer.status}`);
  await cache.put(path, answer);
}

/** Stores the pictures in stored pages. @param {string[]} paths */
async function storePictures(paths) {
  const cache = await caches.open(CACHE);
  for (const path of paths) {
    const page = await cache.match(path, ANYWAY);
    for (const [, picture] of page ? (await page.text()).matchAll(PICTURES_IN_PAGE) : []) {
      if (!(await cache.match(picture))) await store(cache, picture).catch(() => {});
    }
  }
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith("realmtable-") && name !== CACHE) await caches.delete(name);
  await registration.navigationPreload?.enable();
  await clients.claim();
  for (const client of await clients.matchAll({ type: "window" })) client.postMessage({ version: VERSION });
}

/** @param {Request | string} request */
async function find(request) {
  return (await caches.open(CACHE)).match(request, ANYWAY);
}

/** @param {FetchEvent} event @param {string} pathname */
async function openPage(event, pathname) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (PAGES.includes(pathname) && !navigator.connection?.saveData) event.waitUntil(storePictures([pathname]));
    return answer;
  } catch {
    return (PAGES.includes(pathname) && (await find(pathname))) || (await find(OFFLINE)) || Response.error();
  }
}

/** @param {Request} request */
async function openFile(request) {
  return (await find(request)) ?? fetch(request);
}

/** Fetches a picture of the rules and keeps it; offline, the same picture for another theme will do. @param {Request} request */
async function openPicture(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
    return answer;
  } catch {
    return (await find(request)) ?? Response.error();
  }
}

// ---- notifications

addEventListener("push", (event) => event.data && event.waitUntil(showTurn(event.data.json())));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable(event.notification.data));
});
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew()));

const findWindows = () => clients.matchAll({ type: "window", includeUncontrolled: true });
/** @param {string} address */
const pathOf = (address) => new URL(address, location.origin).pathname;

/** @param {{ title: string, body: string, tag: string, url: string }} message */
async function showTurn({ title, body, tag, url }) {
  const windows = await findWindows();
  for (const client of windows) client.postMessage({ turn: true });
  if (windows.some((client) => client.visibilityState === "visible" && pathOf(client.url) === pathOf(url))) return;
  await registration.showNotification(title, { body, tag, data: pathOf(url), icon: `${FOLDER}icon_192.png` });
}

/** @param {string} path */
async function openTable(path) {
  const open = (await findWindows()).find((client) => pathOf(client.url) === path);
  return open ? open.focus() : clients.openWindow(path);
}

/** Subscribes again after the browser has ended a subscription by itself. */
async function renew() {
  const [{ csrf }, { on, public_key: applicationServerKey }] = await Promise.all(
    ["/api/me", "/api/me/notifications"].map(async (path) => (await fetch(path)).json()),
  );
  if (!on) return;
  const { endpoint, keys } = (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON();
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  await fetch("/api/me/notifications", { method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
}
