// @ts-check
// The socket of a table: what the player does goes out, every change of the scene comes in. A lost socket is opened again,
// and what was not answered is sent again; its key makes sure that it is done once.

import { OFFLINE, becomeGuest, makeError } from "./request.js";
import { applyChange } from "./scene.js";

/** @typedef {{ message: object, resolve(): void, reject(error: Refusal): void, since: number, timer?: number }} Sent */

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 600; // with the random part, less than a second
const REFUSED_DELAY_MS = 10000;
const REOPEN_MS = 300; // at most: after a restart, all pages come at once
const ANSWER_MS = 10000; // after which a connection counts as lost
const AWAY_MS = 30000; // a machine that has slept may not notice that its connection is gone
const REOPEN = 4000; // close codes, as in table_socket.py
const REFUSED = 4001;
const STALE_MS = 60000; // after which something is not sent again: the player may not want it any more
const MAX_FAILURES = 3; // before a first success: then something on the way forbids sockets

export class TableSocket {
  /** @type {Map<string, Sent>} */
  waiting = new Map(); // messages without an answer, by key
  scene = {}; // as the server sends it
  known = ""; // its id
  delay = FIRST_DELAY_MS;
  failures = 0;
  hiddenAt = 0;

  /**
   * @param {string} path
   * @param {{scene(scene: SentScene): void, lost(): void, found(): void, refused(error: Refusal): void, blocked(): void}} listener
   */
  constructor(path, listener) {
    this.url = new URL(path, location.href.replace(/^http/, "ws"));
    this.listener = listener;
    addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hiddenAt = Date.now();
      else if (Date.now() - this.hiddenAt > AWAY_MS) this.open();
    });
    this.open();
  }

  /** Opens the socket, or another one in its place, for instance as another player. */
  open() {
    clearTimeout(this.timer);
    this.drop();
    this.url.search = this.known && `known=${this.known}`;
    const socket = (this.socket = new WebSocket(this.url));
    socket.addEventListener("open", () => {
      Object.assign(this, { delay: FIRST_DELAY_MS, failures: -Infinity });
      this.listener.found();
      for (const key of this.waiting.keys()) this.post(key);
    });
    socket.addEventListener("message", ({ data }) => socket === this.socket && this.receive(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => socket === this.socket && this.onClose(code));
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  /** @param {number} code */
  onClose(code) {
    this.failures += 1;
    if (code < REOPEN) this.listener.lost(); // otherwise the server has said why it ends
    if (this.failures === MAX_FAILURES) fetch("/healthz").then(({ ok }) => ok && this.listener.blocked(), () => {}); // it answers, but not by a socket
    const delay = { [REOPEN]: REOPEN_MS * Math.random(), [REFUSED]: REFUSED_DELAY_MS }[code] ?? this.delay * (0.5 + Math.random());
    this.delay = Math.min(2 * this.delay, LONGEST_DELAY_MS);
    this.timer = setTimeout(() => this.open(), delay);
  }

  /** @param {Record<string, any>} message */
  receive({ id, scene, change, accepted, refused, error }) {
    if (scene || change) {
      this.known = id;
      this.scene = applyChange(scene ? {} : this.scene, scene ?? change);
      this.listener.scene(this.scene);
    }
    if (accepted) this.settle(accepted)?.resolve();
    else if (refused) this.settle(refused)?.reject(makeError(error));
    else if (error) this.listener.refused(makeError(error));
  }

  /** @param {string} key */
  settle(key) {
    const sent = this.waiting.get(key);
    clearTimeout(sent?.timer);
    this.waiting.delete(key);
    return sent;
  }

  /**
   * Sends a message; resolves once it was accepted, and rejects with an error as from `request` if it was refused.
   * @param {object} message @returns {Promise<void>}
   */
  async send(message) {
    if (await becomeGuest()) this.open(); // as this guest
    const key = Date.now().toString(36) + Math.random().toString(36).slice(2);
    return new Promise((resolve, reject) => {
      this.waiting.set(key, { message: { ...message, key }, resolve, reject, since: Date.now() });
      this.post(key);
    });
  }

  /** @param {string} key */
  post(key) {
    if (this.socket?.readyState !== WebSocket.OPEN) return; // it is sent once the socket is open
    const sent = /** @type {Sent} */ (this.waiting.get(key));
    if (Date.now() - sent.since > STALE_MS) return this.settle(key)?.reject(makeError({ message: OFFLINE }));
    this.socket.send(JSON.stringify(sent.message));
    clearTimeout(sent.timer);
    sent.timer = setTimeout(() => this.open(), ANSWER_MS);
  }
}
