// @ts-check
// The panel of a game that is over, loaded with the first one: the final scores, and how to play again.

import { byRole, html, render } from "./html.js";
import { loadStyle } from "./load_style.js";
import { say } from "./language.js";
import { formatNumber } from "./numbers.js";
import { request } from "./request.js";
import { icon } from "./table_parts.js";

/** @type {Record<string, string>} */
const NEXT_BOTS = { easier: "Try an easier bot", stronger: "Try a stronger bot" };

const ARRIVAL_MS = 4000; // until the player who asked has opened the new table
const CHECK_MS = 20000;
const DOUBLE_CLICK_MS = 600; // the second click must not hit the button that follows

export class GameOverPanel {
  absence = ""; // whether the player who wants a rematch still waits
  /** @type {string | null} */
  declined = null; // the rematch that was declined
  /** @type {boolean | null} */
  isNotified = null; // whether that player knows

  /** @param {BoardPage} page @param {string} source the table's address */
  constructor(page, source) {
    loadStyle(new URL("./game_end.css", import.meta.url));
    this.page = page;
    this.source = source;
    page.commands.declineRematch = () => this.decline();
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { rated, rematch, next_bots: nextBots, seats, you } = scene;
    const isSolo = seats.length === 1;
    render(byRole("result"), resultTable(scene));
    this.drawOffer(scene);
    byRole("rematch").textContent = isSolo ? "Play again" : rematch ? "Join rematch" : "Rematch";
    Object.assign(byRole("next-bots"), { textContent: NEXT_BOTS[nextBots ?? ""] ?? "", hidden: !nextBots });
    byRole("levels").hidden = rated || you.length !== 1 || isSolo || !seats.every(({ seat, bot }) => bot || you.includes(seat));
  }

  /** Says who asked for a rematch, and whether they still wait. @param {Scene} scene */
  drawOffer(scene) {
    const asking = findAsking(scene);
    const isOther = asking && !scene.you.includes(asking.seat);
    const hasDeclined = this.declined === scene.rematch && this.isNotified !== null;
    const isOpen = isOther && scene.you.length && !hasDeclined;
    const text = !asking ? "" : !isOther ? "You asked for a rematch." : hasDeclined ? `You declined the rematch${this.isNotified ? "" : `, but ${asking.player?.name} was not notified`}.` : `${asking.player?.name} wants a rematch${this.absence}.`;
    if (byRole("rematch-offer").textContent !== text) byRole("rematch-offer").textContent = text;
    byRole("decline-rematch").hidden = !isOpen;
    if (isOpen) this.timer ??= setTimeout(() => this.checkAsking(scene), ARRIVAL_MS);
  }

  /**
   * Asks from time to time whether the player who wants a rematch is at the new table.
   * @param {Pick<Scene, "rematch" | "rematch_by">} scene
   */
  async checkAsking({ rematch, rematch_by: id }) {
    const next = document.hidden || this.declined ? null : await request("GET", `/api/tables/${rematch}`).catch(() => null);
    const seat = next?.seats.find((/** @type {Seat} */ { player }) => player?.id === id);
    if (next) this.absence = !seat ? ", but has left" : seat.connected === false ? ", but is offline" : "";
    this.drawOffer(this.page.scene);
    if (!this.declined) this.timer = setTimeout(() => this.checkAsking({ rematch, rematch_by: id }), CHECK_MS);
  }

  /** Answers the player who asked for a rematch, who waits at the new table; it may have no chat for this player. */
  async decline() {
    const { rematch } = this.page.scene;
    if (this.declined === rematch) return;
    this.declined = rematch;
    byRole("decline-rematch").disabled = true;
    const text = "No rematch for me, thank you.";
    const answer = request("POST", `/api/tables/${rematch}/chat`, { text }).then(() => true, () => false);
    const pause = new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
    [this.isNotified] = await Promise.all([answer, pause]);
    this.drawOffer(this.page.scene);
  }

  /** @param {{ bots?: string | null }} body */
  playAgain(body) {
    return this.page.attempt(async () => {
      const { table, url } = await request("POST", `${this.source}/rematch`, body);
      (await import("./rematch.js")).rememberRematch(table, this.page.scene);
      location.assign(url);
    });
  }

  /** @param {HTMLButtonElement} button @param {string | null | undefined} bots */
  async playOtherBots(button, bots) {
    button.disabled = true; // a second click would open a second table
    button.disabled = await this.playAgain({ bots });
  }

  verify() {
    return this.page.attempt(async () => (byRole("fairness").textContent = (await request("GET", `${this.source}/fairness`)).text));
  }
}

/** The seat of the player who asked for a rematch. @param {Scene} scene */
const findAsking = ({ rematch_by: player, seats }) => seats.find((seat) => player && seat.player?.id === player);

/**
 * The final order with what decided it: all numbers that were compared or, without any, the scores.
 * @param {Scene} scene
 */
function resultTable({ result, seats, you, chips, score_units: units, tie_break: tie }) {
  const { ranking = [], scores, reached } = result ?? {};
  if (result?.reason === "aborted") return html``; // nobody has a place; the headline says it
  const order = seats.map(({ seat }) => seat).sort((one, other) => ranking[one] - ranking[other]);
  const [one, more] = units.length ? [units[0], units[1] || units[0]] : ["", ""];
  const columns = tie?.columns ?? (scores && units.length ? [["", scores.every((score) => score === 1) ? one : more]] : []);
  /** @param {number} seat */
  const values = (seat) => tie?.values[seat] ?? (columns.length && scores ? [formatNumber(scores[seat])] : []);
  /** @param {number} seat */
  const row = (seat) => html`<tr data-seat="${seat}" class="${you.includes(seat) && "own"}"><th scope="row">${seats.length > 1 && html`<span class="rank">${ranking[seat]}.</span>`}<span class="disc" aria-hidden="true">${icon(chips[seat]?.icon)}</span><span>${seats[seat].name}${you.length === 1 && you[0] === seat && seats.length > 1 && html` <span class="soft">${say("you")}</span>`}${goalText(reached?.[seat])}</span></th>
    ${values(seat).map((value, index) => html`<td class="${tie?.decides === index && (ranking[seat] === 1 ? "decides" : "compared")}">${value}</td>`)}</tr>`;
  return html`<table class="result-table">${columns.length > 0 && html`<thead><tr><td></td>${columns.map(([name, label]) => html`<th scope="col">${icon(name)}${label}</th>`)}</tr></thead>`}<tbody>${order.map(row)}</tbody></table>
    ${tie?.text && html`<p class="enough">${tie.text}</p>`}`;
}

/** @param {boolean} [reached] */
const goalText = (reached) => (reached === undefined ? "" : html` <span class="soft">${reached ? say("goal reached") : say("fell short")}</span>`);
