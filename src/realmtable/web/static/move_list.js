// @ts-check
// The list of moves: the latest lines from the scenes, earlier ones that are loaded on request, and the filter by topic.

import { html } from "./html.js";
import { say } from "./language.js";

const ENOUGH = 20; // lines that fill the list; with a filter, more are loaded until there are so many
const MINE = "mine";

export class MoveList {
  /** @type {Line[]} */
  lines = []; // oldest first, without gaps
  earlier = false; // whether the server has lines before them
  /** @type {Topic[]} */
  topics = [];
  /** @type {number[]} */
  you = [];
  filter = ""; // a topic, MINE or none
  /** @type {{ lines: Line[], earlier: boolean } | null} */
  found = null; // lines before `lines` that fit the filter, and whether there are more
  loading = false;

  /** @param {string | null} source the address of the table, below which it has its lines */
  constructor(source) {
    this.source = source;
  }

  /** Takes the lines of a scene; those loaded before are kept if they lead up to it. @param {Partial<Scene> & { lines: Line[] }} scene */
  update({ lines, earlier = false, topics = [], you = [], result = null }) {
    const first = lines[0]?.steps[0] ?? 0;
    const leadsUp = !!result === this.isOver && this.lines.some(({ steps }) => steps[0] === first); // the end reveals more
    if (leadsUp) this.lines = [...this.lines.filter(({ steps }) => steps[0] < first), ...lines];
    else Object.assign(this, { lines, earlier, found: null });
    Object.assign(this, { topics, you });
    this.isOver = !!result;
  }

  get hasEarlier() {
    return this.found?.earlier ?? this.earlier;
  }

  /** The lines that fit the filter. */
  get shown() {
    return [...(this.found?.lines ?? []), ...this.lines.filter((line) => this.fits(line))];
  }

  /** Whether only lines of the player's own seats are shown. */
  get onlyMine() {
    return this.filter === MINE;
  }

  /** @param {Line} line */
  fits({ topic, seat }) {
    return !this.filter || (this.onlyMine ? this.you.includes(seat) : topic === this.filter);
  }

  /** Shows the lines of a topic or of the player; without a filter all of them. @param {string} filter */
  async setFilter(filter) {
    Object.assign(this, { filter, found: null });
    if (this.filter && this.shown.length < ENOUGH) await this.loadEarlier();
  }

  /** Loads the page of lines before those shown; resolves to whether there were any. */
  async loadEarlier() {
    return !this.loading && this.hasEarlier && (await import("./earlier_moves.js")).loadEarlier(this);
  }

  /** The menu of the filter; none if the game has no topics. */
  filterMenu() {
    const all = [{ topic: "", title: say("All moves") }, ...this.topics, ...(this.you.length ? [{ topic: MINE, title: say("Mine") }] : [])];
    return this.topics.length ? html`<select aria-label="${say("Filter moves")}">${all.map(({ topic, title }) => html`<option value="${topic}" ${topic === this.filter && "selected"}>${title}</option>`)}</select>` : "";
  }
}
