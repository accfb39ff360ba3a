// @ts-check
// A rematch that the other players have yet to join: the page of the finished game notes whom the new table waits for.

import { byRole } from "./html.js";
import { seatsOfOthers } from "./scene.js";

const KEY = "realmtable_rematch";

/** Notes that `table` continues a finished game, for as long as the tab is open. @param {string} table @param {Scene} scene */
export function rememberRematch(table, scene) {
  const names = seatsOfOthers(scene).map(({ player }) => player.name);
  sessionStorage.setItem(KEY, JSON.stringify({ table, names }));
}

/** Says whom a rematch waits for, instead of asking the player to invite a friend. @param {Scene} scene */
export function showAwaited(scene) {
  const { table, names } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  if (table !== scene.table || !names.length) return;
  byRole("invite-title").textContent = `Waiting for ${new Intl.ListFormat("en").format(names)} to accept`;
  const fold = byRole("invite-fold");
  fold.classList.add("folds");
  fold.open = false;
}
