// @ts-check
// The socket of a table: what the player does goes out, every change of the scene comes in. A lost socket is opened again,
// and what was not answered is sent again; its key makes sure that it is done once.

import { becomeGuest, makeError } from "./request.js";
import { applyChange } from "./scene.js";

/** @typedef {{ do: string, [field: string]: unknown }} Action what the player does */
/** @typedef {{ message: Action, resolve(): void, reject(error: Refusal): void }} Sent */

const RETRY_MS = 500; // with the random part, less than a second
const REFUSED_DELAY_MS = 10000;
const REOPEN_MS = 300; // at most: after a restart, all pages come at once
const ANSWER_MS = 10000; // after which a connection counts as lost
const SILENCE_MS = 45000; // the same while nothing is asked: the server sends something every 20 seconds
const AWAY_MS = 30000; // a machine that has slept may not notice that its connection is gone
const REOPEN = 4000; // as in table_socket.py: a close code from which on the server has said why it ends
const MAX_FAILURES = 3; // before a first success: then something on the way forbids sockets

export class TableSocket {
  /** @type {Map<string, Sent>} */
  waiting = new Map(); // messages without an answer, by key
  scene = {}; // as the server sends it
  known = ""; // its id
  failures = 0; // while the server could be reached
  hiddenAt = 0;

  /**
   * @param {string} path with the player for whom the page was made, if any, as `me`
   * @param {{scene(scene: SentScene): void, lost(): void, found(): void, delayed(): void, refused(error: Refusal): void, blocked(): void}} listener
   */
  constructor(path, listener) {
    this.url = new URL(path, location.href.replace(/^http/, "ws"));
    this.listener = listener;
    addEventListener("online", () => this.open());
    addEventListener("offline", () => this.end());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hiddenAt = Date.now();
      else if (Date.now() - this.hiddenAt > AWAY_MS) this.open();
    });
    this.open();
  }

  /** Opens the socket, or another one in its place, for instance as another player. */
  open() {
    this.drop();
    this.url.searchParams.set("known", this.known);
    const socket = (this.socket = new WebSocket(this.url));
    this.expectWithin(ANSWER_MS);
    socket.addEventListener("open", () => [...this.waiting.keys()].forEach((key) => this.post(key)));
    socket.addEventListener("message", ({ data }) => socket === this.socket && this.receive(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => socket === this.socket && this.end(code));
  }

  drop() {
    const { socket } = this;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.socket = null;
    socket?.close();
  }

  /** Ends the connection unless the server says something in time. @param {number} milliseconds */
  expectWithin(milliseconds) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.end(), milliseconds);
  }

  /** Ends the connection, and opens another one later. @param {number} [code] with which the server closed it */
  end(code = 0) {
    this.drop();
    const isBlocked = this.failures >= MAX_FAILURES;
    const isExplained = code >= REOPEN;
    if (!isExplained) this.listener[isBlocked ? "blocked" : "lost"]();
    const delay = isBlocked || isExplained ? REFUSED_DELAY_MS : RETRY_MS * (0.5 + Math.random());
    this.timer = setTimeout(() => (isExplained ? this.open() : this.retry()), code === REOPEN ? REOPEN_MS * Math.random() : delay);
  }

  /** Opens the socket once the server answers requests: browsers slow down sockets that fail again and again. */
  async retry() {
    const isUp = await fetch("/healthz", { signal: AbortSignal.timeout(ANSWER_MS) }).then(({ ok }) => ok, () => false);
    if (this.socket) return; // it was opened in the meantime
    if (!isUp) return this.end();
    this.failures += 1;
    this.open();
  }

  /** @param {Record<string, any>} message */
  receive({ id, scene, change, accepted, refused, error }) {
    this.failures = -Infinity;
    this.listener.found();
    if (scene || change) {
      this.known = id;
      this.scene = applyChange(scene ? {} : this.scene, scene ?? change);
      this.listener.scene(this.scene);
    }
    const sent = this.waiting.get(accepted ?? refused);
    this.waiting.delete(accepted ?? refused);
    if (accepted) sent?.resolve();
    else if (error) refused ? sent?.reject(makeError(error)) : this.listener.refused(makeError(error));
    this.expectWithin(this.waiting.size ? ANSWER_MS : SILENCE_MS);
  }

  /** Whether something of a kind is on its way. @param {string} kind */
  isSending(kind) {
    return [...this.waiting.values()].some(({ message }) => message.do === kind);
  }

  /**
   * Sends a message, now or when there is a connection again; resolves once it was accepted, and rejects with an error as from
   * `request` if it was refused.
   * @param {Action} message @returns {Promise<void>}
   */
  async send(message) {
    if (await becomeGuest()) this.open(); // as this guest
    const key = Date.now().toString(36) + Math.random().toString(36).slice(2);
    return new Promise((resolve, reject) => {
      this.waiting.set(key, { message: { ...message, key }, resolve, reject });
      this.post(key);
    });
  }

  /** @param {string} key */
  post(key) {
    if (this.socket?.readyState !== WebSocket.OPEN) return this.listener.delayed(); // it is sent once the socket is open
    this.socket.send(JSON.stringify(this.waiting.get(key)?.message));
    this.expectWithin(ANSWER_MS);
  }
}
