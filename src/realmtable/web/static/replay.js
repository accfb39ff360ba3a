// A game that is over, a record or a single position: the same desk without a table behind it.

import { Desk } from "./board_page.js";
import { part } from "./html.js";

const AUTOPLAY_MS = 1300;
const { source, game, lines, steps, moment } = JSON.parse(part("replay").textContent);
const wanted = +location.hash.slice(1);
let [timer, study] = [0, null];
moment.picture = part("picture").innerHTML;

const desk = new Desk({ source, game, drawn, idle: () => "", play: (move) => desk.explore([move]) });
desk.moments.set(moment.step, moment);
desk.commands.auto = () => autoplay(!timer);

function autoplay(on) {
  clearInterval(timer);
  timer = on ? setInterval(desk.commands.forward, AUTOPLAY_MS) : 0;
  part("auto")?.setAttribute("aria-pressed", on);
}

function drawn() {
  const { words, result, position } = desk.shown;
  part("news").textContent = result?.text ?? words;
  part("start").href = `/play/${game}?position=${encodeURIComponent(position)}`;
  if (part("board-link")) part("board-link").href = `/analyse/${game}?p=${encodeURIComponent(position)}`;
  study?.drawn();
  if (desk.at >= steps) autoplay(false);
  if (source && !desk.branch) history.replaceState(null, "", `#${desk.at}`);
}

Object.assign(desk, { lines, steps, moment }).draw();
if (part("study")) study = new (await import("./game_analysis.js")).Study(desk, source);
if (wanted) desk.look(wanted);
if (!source) {
  desk.commands.leave = () => desk.explore([]);
  desk.explore([]);
}
