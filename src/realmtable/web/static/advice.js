// @ts-check
// A game's advice, drawn as advice_macros.html draws it: a bar per choice, a line for its spread, then the cards that the
// hand is heading for.
import { html, trusted } from "./html.js";
import { formatNumber } from "./numbers.js";

/** @param {AdviceChart} chart @param {AdviceChoice} choice @param {unknown} gone */
const choiceRow = ({ low, high, from }, choice, gone) => html`<li class="${gone ? "is-gone" : choice.best && "is-best"}">
  <span class="advice-words">${choice.words}${choice.best && html` <span class="advice-tag">best</span>`}</span>
  <span class="advice-points" aria-hidden="true"><b>${choice.shown}</b>${choice.span && html` <span>${choice.span}</span>`}</span>
  <span class="unseen">${choice.text}</span>
  <svg class="advice-bar" viewBox="${low} 0 ${high - low} 10" preserveAspectRatio="none" aria-hidden="true"><path class="advice-ground" d="M${low} 5H${high}"/><path class="advice-value" d="M${from} 1H${choice.value}V9H${from}z"/>${choice.span && html`<path class="advice-spread" d="M${choice.low} 2V8M${choice.low} 5H${choice.high}M${choice.high} 2V8"/>`}</svg></li>`;

/** @param {AdviceChart} chart @param {(move: string) => boolean} isLegal */
const chartRows = (chart, isLegal) => html`<h3>${chart.title}</h3><ol class="list advice-rows">${chart.choices.map((choice) => choiceRow(chart, choice, choice.move && !isLegal(choice.move)))}</ol>
  <p class="advice-scale" aria-hidden="true"><span>${formatNumber(chart.low)}</span><span>${chart.note}</span><span>${formatNumber(chart.high)}</span></p>`;

/** @param {NonNullable<Advice["heading"]>} heading */
const likelyCards = ({ cards }) => html`<h3>Most likely final cards</h3>
  <ul class="list advice-cards">${cards.map(({ held, picture }) => html`<li class="${held && "is-held"}">${trusted(picture)}</li>`)}</ul>`;

/**
 * The charts of advice, with choices that are no longer legal struck out, and the likely final cards; empty without advice.
 * @param {Advice | null} advice @param {(move: string) => boolean} isLegal
 */
export const adviceCharts = (advice, isLegal) => html`${advice?.charts.map((chart) => chartRows(chart, isLegal)) ?? ""}${advice?.heading && likelyCards(advice.heading)}`;
