// A game's advice in a page, like advice_macros.html has it: a bar for each choice, a line for its spread, then the cards one is
// heading for.
import { html } from "./html.js";

const minus = (number) => String(number).replace("-", "−");

const row = ({ low, high, from }, choice, gone) => html`<li class="${gone ? "is-gone" : choice.best && "is-best"}">
  <span class="advice-words">${choice.words}${choice.best && html` <span class="advice-tag">best</span>`}</span>
  <span class="advice-points" aria-hidden="true"><b>${choice.shown}</b>${choice.span && html` <span>${choice.span}</span>`}</span>
  <span class="unseen">${choice.text}</span>
  <svg class="advice-bar" viewBox="${low} 0 ${high - low} 10" preserveAspectRatio="none" aria-hidden="true"><path class="advice-ground" d="M${low} 5H${high}"/><path class="advice-value" d="M${from} 1H${choice.value}V9H${from}z"/>${choice.span && html`<path class="advice-spread" d="M${choice.low} 2V8M${choice.low} 5H${choice.high}M${choice.high} 2V8"/>`}</svg></li>`;

const chart = (each, can) => html`<h3>${each.title}</h3><ol class="list advice-rows">${each.choices.map((choice) => row(each, choice, choice.move && !can(choice.move)))}</ol>
  <p class="advice-scale" aria-hidden="true"><span>${minus(each.low)}</span><span>${each.note}</span><span>${minus(each.high)}</span></p>`;

const heading = ({ total, cards }) => html`<h3>Heading for about these cards, ${total} together</h3>
  <ul class="list advice-cards">${cards.map(({ held, picture }) => html`<li class="${held && "is-held"}">${html([picture])}</li>`)}</ul>`;

/** The charts of advice, struck what cannot be done any more, and the cards one is heading for; nothing where there is none. */
export const charts = (advice, can) => html`${advice?.charts.map((each) => chart(each, can)) ?? ""}${advice?.heading && heading(advice.heading)}`;
