// A rematch that the other players have yet to join: the page of the finished game notes whom the new table waits for.

import { byRole } from "./html.js";

const KEY = "realmtable_rematch";

/** Notes that `table` continues a finished game, for as long as the tab is open. */
export function rememberRematch(table, { seats, you }) {
  const people = seats.filter(({ seat, player }) => player && player.kind !== "bot" && !you.includes(seat));
  const names = people.map(({ player }) => player.name);
  sessionStorage.setItem(KEY, JSON.stringify({ table, names }));
}

/** Says whom a rematch waits for, instead of asking the player to invite a friend. */
export function showAwaited(scene) {
  const { table, names } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  if (table !== scene.table || !names.length) return;
  byRole("invite-title").textContent = `Waiting for ${new Intl.ListFormat("en").format(names)} to accept`;
  const fold = byRole("invite-fold");
  fold.classList.add("folds");
  fold.open = false;
}
