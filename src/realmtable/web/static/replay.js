// @ts-check
// A finished game, a record or a single position: a board page without a live table.

import { BoardPage } from "./board_page.js";
import { byRole } from "./html.js";

const AUTOPLAY_MS = 1300;
const { source, game, lines, topics, you, steps, moment, names, headers } = JSON.parse(byRole("replay").textContent);
const firstStep = +location.hash.slice(1);
const asksForAnalysis = location.hash === "#analyse";
let timer = 0;
/** @type {import("./game_analysis.js").GameAnalysis | null} */
let analysis = null;
moment.picture = byRole("picture").innerHTML;

const { NewsBar, seatsOf } = await import("./table_parts.js");
const news = new NewsBar(true);
/** @type {BoardPage} */
const page = new BoardPage({ source, game, onDraw, seats: seatsNow, idleText: () => page.current.result?.text ?? "", play: (move) => page.explore([move]) });
page.moments.set(moment.step, moment);
page.commands.auto = () => setAutoplay(!timer);

/** The seats of this game: those that have chips or, without chips, a player. */
function seatsNow() {
  const count = Object.keys(page.current.chips).length || names.filter((/** @type {string} */ name) => name in headers).length || 2;
  return seatsOf(names.slice(0, count), names.map((/** @type {string} */ name) => headers[name])).seats;
}

/** @param {boolean} on */
function setAutoplay(on) {
  clearInterval(timer);
  timer = on ? setInterval(page.commands.forward, AUTOPLAY_MS) : 0;
  byRole("auto")?.setAttribute("aria-pressed", on);
}

function onDraw() {
  const { words, result, position, card, seat, step, chips, moment: gameMoment } = page.current;
  const isShown = result && result.text === byRole("sub")?.textContent; // below the title
  const latest = isShown ? words : (result?.text ?? words);
  news.draw(/** @type {any} */ ({ news: [{ version: step, kind: "stepped", seat, words, card }], you: [], moment: gameMoment, latest, headline: "", chips: Object.values(chips) }));
  byRole("start").href = `/play/${game}?position=${encodeURIComponent(position)}`;
  const link = byRole("board-link");
  if (link) link.href = `/analyse/${game}?p=${encodeURIComponent(position)}`;
  analysis?.draw();
  if (page.step >= steps) setAutoplay(false);
  if (source && !page.branch) history.replaceState(null, "", `#${page.step}`);
}

page.moveList.update({ lines, topics, you });
Object.assign(page, { steps, moment }).draw();
if (byRole("study")) {
  const loading = import("./game_analysis.js").then(({ GameAnalysis }) => new GameAnalysis(page, source));
  page.commands.analyse = async () => (await loading).start(); // a click may come first
  analysis = await loading;
}
if (asksForAnalysis) analysis?.startFirst();
if (firstStep) page.goToStep(firstStep);
if (!source) {
  page.commands.leave = () => page.explore([]);
  page.explore([]);
}
