// @ts-check
// The chat of a table, a tab: messages, quick phrases, the number of new messages, a short notice of a new message in the place of
// the news, and the buttons that mute a player or report a message. The server knows whom a player has muted; the page hides their messages.

import { readStored, store } from "./preferences.js";
import { request } from "./request.js";
import { byRole, html, render } from "./html.js";
import { sayCount } from "./language.js";
import { seatsOfOthers } from "./scene.js";

const PHRASES = ["Hello!", "Good luck!", "Good game!", "Thanks!", "One moment, please.", "Sorry, I have to go."];
const NOTICE_MS = 6000;
const REPEAT_MS = 1500; // the same phrase this soon is a double click
const READ_KEY = "realmtable_read_messages";
const MAX_TABLES = 100; // whose read messages this browser remembers

export class Chat {
  tab = document.getElementById("tab-chat");
  /** @type {Scene} */
  scene = /** @type {any} */ (null); // until the first is drawn
  /** @type {number | null} */
  menu = null; // the message whose menu is open
  noticeTimer = 0;
  isShown = byRole("chat").checkVisibility();
  lastPhrase = { text: "", at: 0 };

  /**
   * @param {BoardPage} page
   * @param {string} source the table's address
   * @param {(text: string) => Promise<void>} say sends a message
   */
  constructor(page, source, say) {
    const list = byRole("chat");
    this.page = page;
    this.source = source;
    this.say = say;
    this.me = list.dataset.me;
    /** @type {Set<string | undefined>} */
    this.muted = new Set(list.dataset.muted?.split(" ").filter(Boolean));
    document.addEventListener("panel", ({ detail }) => {
      this.isShown = detail === "chat";
      if (!this.isShown || !this.scene) return;
      this.draw(this.scene);
      list.scrollTop = list.scrollHeight;
    });
    list.addEventListener("click", ({ target }) => this.onClick(target.closest("button")));
    byRole("phrases").addEventListener("click", ({ target }) => target.dataset.phrase && this.sendPhrase(target.dataset.phrase));
    byRole("chat-form").addEventListener("submit", (event) => this.page.submitText(event, "chat-text", (text) => this.send(text)));
  }

  /** Draws the chat of a scene. @param {Scene} scene */
  draw(scene) {
    const { table, chat, chat_open: isOpen, you, seats } = scene;
    const isFirst = !this.scene;
    const known = this.scene?.chat.at(-1)?.version ?? 0;
    this.scene = scene;
    if (this.tab.hidden === isOpen) {
      this.tab.hidden = !isOpen;
      this.page.panels?.show();
    }
    if (you.length) this.me = seats[you[0]].player?.id;
    const shown = chat.filter(({ player }) => !this.muted.has(player));
    const last = shown.at(-1);
    // Spectators have not missed what was said before they came.
    if (this.isShown || (isFirst && !you.length)) markRead(table, last?.version);
    const unread = shown.filter(({ version, player }) => version > lastRead(table) && player !== this.me).length;
    byRole("unread").textContent = unread ? `${unread}` : "";
    if (unread) this.tab.setAttribute("aria-description", sayCount("{count} new message", "{count} new messages", unread));
    else this.tab.removeAttribute("aria-description");
    if (!isFirst && last?.version > known && last.player !== this.me && !this.isShown) this.notify(last);
    if (!unread) render(byRole("chat-toast"), "");
    this.drawMessages(shown);
    render(byRole("phrases"), html`${scene.can.includes("chat") && this.hasCompany() && PHRASES.map((text) => html`<button type="button" data-phrase="${text}">${text}</button>`)}`);
  }

  /** Whether anyone else can read what the player writes. */
  hasCompany() {
    const { watching, you } = this.scene;
    return seatsOfOthers(this.scene).length > 0 || watching > (you.length ? 0 : 1);
  }

  /** @param {Message[]} shown */
  drawMessages(shown) {
    const list = byRole("chat");
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const hidden = new Map(this.scene.chat.filter(({ player }) => this.muted.has(player)).map(({ player, name }) => [player, name]));
    const notes = [...hidden].map(([player, name]) => html`<li class="soft small">You muted ${name} <button type="button" class="quiet" data-chat="unmute" data-player="${player}">Unmute</button></li>`);
    render(list, html`${shown.map((message) => this.messageRow(message))}${notes}`);
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  /** @param {Message} message */
  messageRow({ version, name, player, text }) {
    const isOwn = player === this.me;
    const isOpen = this.menu === version;
    return html`<li class="${isOwn && "own"}"><b>${name}</b> ${text}
      ${!isOwn && html`<button type="button" class="icon more" data-chat="menu" data-version="${version}" aria-expanded="${String(isOpen)}" aria-label="Mute or report ${name}">⋯</button>`}
      ${isOpen && html`<span class="row"><button type="button" data-chat="mute" data-player="${player}">Mute ${name}</button><button type="button" class="danger" data-chat="report" data-version="${version}">Report message</button></span>`}</li>`;
  }

  /** @param {HTMLElement | null} button */
  onClick(button) {
    const { chat: command, player, version } = button?.dataset ?? {};
    const note = byRole("chat-note");
    if (command) note.textContent = "";
    if (command === "menu") this.menu = this.menu === Number(version) ? null : Number(version);
    if (command === "mute") this.change(() => request("POST", "/api/me/mutes", { player }), () => this.muted.add(player));
    if (command === "unmute") this.change(() => request("DELETE", `/api/me/mutes/${player}`), () => this.muted.delete(player));
    if (command === "report") {
      this.change(() => request("POST", `${this.source}/reports`, { version: Number(version) }), () => (note.textContent = "Reported. Thank you, the operator will look at it."));
    }
    if (command === "menu") this.draw(this.scene);
  }

  /** @param {() => Promise<unknown>} send @param {() => void} onSuccess */
  async change(send, onSuccess) {
    this.menu = null;
    try {
      await send();
      onSuccess();
    } catch (error) {
      byRole("chat-note").textContent = error.message;
    }
    this.draw(this.scene);
  }

  /** @param {string} text */
  async send(text) {
    const answer = await this.page.attempt(() => this.say(text));
    if (answer) this.me ||= (await request("GET", "/api/me")).player?.id; // a spectator's first message makes them a guest
    return answer;
  }

  /** @param {string} text */
  sendPhrase(text) {
    const { lastPhrase } = this;
    const at = performance.now();
    this.lastPhrase = { text, at };
    if (text !== lastPhrase.text || at - lastPhrase.at > REPEAT_MS) return this.send(text);
  }

  /** Shows a new message for a moment. @param {Message} message */
  notify({ name, text }) {
    const notice = byRole("chat-toast");
    render(notice, html`<button type="button" data-do="openChat"><span><b>${name}</b> ${text}</span></button>`);
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => render(notice, ""), NOTICE_MS);
  }

  async open() {
    await this.page.loadPanels();
    this.page.panels?.select("chat", true);
    render(byRole("chat-toast"), "");
    if (matchMedia("(hover: hover)").matches && this.scene.can.includes("chat")) byRole("chat-text").focus({ preventScroll: true }); // with a touchscreen the keyboard would cover the board
  }
}

/** @returns {Record<string, number>} */
const readMessages = () => readStored(READ_KEY, {});
/** @param {string} table */
const lastRead = (table) => readMessages()[table] ?? 0;

/** @param {string} table @param {number} [version] */
function markRead(table, version) {
  const { [table]: known, ...others } = readMessages();
  if (!version || known >= version) return;
  const entries = [...Object.entries(others), [table, version]].slice(-MAX_TABLES);
  store(READ_KEY, Object.fromEntries(entries));
}
