// @ts-check
// The dialog that shares what the board shows: as a link, a picture or an animation, or as a challenge. Loaded when it opens.

import { copyLink } from "./copy_link.js";
import { byRole, html, render } from "./html.js";
import { loadStyle } from "./load_style.js";

/** @typedef {Awaited<ReturnType<typeof findThings>>} Things */

const POLL_MS = 1000;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
/** @type {HTMLDialogElement} */
let dialog;

/** @param {BoardPage} page @param {BoardPage} page */
export async function openShare(page) {
  dialog ??= makeDialog();
  const things = await findThings(page);
  render(dialog, dialogContent(things));
  dialog.showModal();
  dialog.onclick = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = /** @type {HTMLButtonElement | null} */ (target.closest("[data-share]"));
    if (target === dialog) dialog.close(); // the backdrop
    else if (button) attempt(button, commands[button.dataset.share ?? ""], things);
  };
}

function makeDialog() {
  loadStyle(new URL("./share.css", import.meta.url));
  const made = Object.assign(document.createElement("dialog"), { className: "share-dialog" });
  made.dataset.role = "share-dialog";
  made.setAttribute("aria-labelledby", "share-title");
  return document.body.appendChild(made);
}

/** What can be shared now: a position only where nothing in it is secret, an animation once the game is over. @param {BoardPage} page */
async function findThings(page) {
  const { source, game } = page.options;
  const { scene, moment, branch, step } = page;
  const mayExport = !scene || scene.explorable;
  const position = moment?.position ?? (mayExport ? (await page.fetchMoment(step)).position : "");
  const fromGame = source && !branch;
  const query = new URLSearchParams({ theme: isDark() ? "dark" : "light" });
  if (!fromGame) query.set("p", position);
  const isOver = source && (!scene || scene.result);
  return {
    link: new URL(linkTo(page, fromGame, position), location.href).href,
    picture: `${fromGame ? `${source}/moments/${step}` : `/api/positions/${game}`}.png?${query}`,
    fileName: `${game}${fromGame ? `-${step}` : ""}`,
    animation: isOver ? `${source}/replay.gif?theme=${query.get("theme")}` : "",
    challenge: position && `/play/${game}?against=link&position=${encodeURIComponent(position)}`,
    title: document.title,
  };
}

/** @param {BoardPage} page @param {string | boolean | null} fromGame @param {string} position */
function linkTo({ scene, moment, step, options: { source, game } }, fromGame, position) {
  if (scene && !moment) return location.pathname;
  if (source && fromGame) return `${source.replace("/api", "")}${source.includes("/tables/") ? "/replay" : ""}#${step}`;
  return location.pathname.startsWith("/analyse/") ? location.href : `/positions/${game}?p=${encodeURIComponent(position)}`;
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme === "auto" && darkSystem.matches);
}

/** @param {Things} things */
function dialogContent({ picture, fileName, animation, challenge }) {
  const canCopy = "ClipboardItem" in window && "clipboard" in navigator;
  const canShare = "share" in navigator;
  return html`<h2 id="share-title">Share</h2>
    <img class="share-picture" src="${picture}" alt="The picture to share" width="1080" height="1080">
    <div class="row">
      ${canShare && html`<button type="button" class="primary" data-share="share">Share…</button>`}
      <button type="button" class="${canShare ? "" : "primary"}" data-share="link">Copy link</button>
      ${canCopy && html`<button type="button" data-share="picture">Copy picture</button>`}
      <a class="button" data-role="download-picture" href="${picture}" download="${fileName}.png">Download picture</a>
      ${animation && html`<button type="button" data-share="animate">Animated replay</button>`}
      ${challenge && html`<a class="button" data-role="challenge" href="${challenge}">Challenge a friend</a>`}
    </div>
    <p class="hint" data-role="share-status" role="status"></p>
    <form method="dialog" class="row end"><button class="quiet">Close</button></form>`;
}

/**
 * Does what a button says; the status says what happens, or why it did not.
 * @param {HTMLButtonElement} button @param {(things: Things, button: HTMLElement) => unknown} work @param {Things} things
 */
async function attempt(button, work, things) {
  button.disabled = true;
  try {
    await work(things, button);
  } catch (error) {
    if (error.name !== "AbortError") showStatus(error.message); // the person has closed the phone's own dialog
  }
  button.disabled = false;
}

/** @param {string} text */
const showStatus = (text) => (byRole("share-status").textContent = text);

/** @type {Record<string, (things: Things, button: HTMLElement) => unknown>} */
const commands = {
  link: ({ link }, button) => copyLink(button, link),

  async picture({ picture }) {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": fetchFile(picture) })]);
    showStatus("Picture copied.");
  },

  async share({ picture, fileName, title, link }) {
    const files = [new File([await fetchFile(picture)], `${fileName}.png`, { type: "image/png" })];
    await navigator.share({ title, url: link, ...(navigator.canShare?.({ files }) && { files }) });
  },

  async animate({ animation, fileName }, button) {
    showStatus("Making the animation…");
    await fetchFile(animation);
    Object.assign(/** @type {HTMLImageElement} */ (dialog.querySelector("img")), { src: animation });
    const link = Object.assign(document.createElement("a"), { className: "button", href: animation, download: `${fileName}.gif`, textContent: "Download animation" });
    link.dataset.role = "download-animation";
    button.replaceWith(link);
    link.focus();
    showStatus("The animation is ready.");
  },
};

/**
 * Fetches a file; while the server is still making it, shows the progress and asks again.
 * @param {string} address @returns {Promise<Blob>}
 */
async function fetchFile(address) {
  for (;;) {
    const answer = await fetch(address);
    if (answer.ok && answer.status !== 202) return answer.blob();
    const { made, frames, error } = await answer.json();
    if (error) throw new Error(error.message);
    showStatus(frames ? `Making the animation: ${made} of ${frames}` : "Waiting for other animations…");
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
