// @ts-check
// Says above the board that the connection is lost and what will be sent once it is back. Loaded after the first drawing, because
// it could not be loaded without a connection.

import { byRole } from "./html.js";
import { say } from "./language.js";

/** What is said of an action that waits for the connection, and its buttons. @type {Record<string, { words: string, roles: string[] }>} */
const UNSENT = {
  move: { words: say("Your move is sent as soon as it is back."), roles: [] },
  undo: { words: say("Your move is taken back as soon as it is back."), roles: ["undo"] },
  resign: { words: say("Your resignation is sent as soon as it is back."), roles: ["resign"] },
  offer: { words: say("Your offer is sent as soon as it is back."), roles: ["draw", "takeback"] },
  answer: { words: say("Your answer is sent as soon as it is back."), roles: ["accept", "decline", "withdraw"] },
};
const connection = byRole("connection");

/** @param {string} [words] */
export function show(words = "") {
  if (connection.textContent !== words) Object.assign(connection, { textContent: words, hidden: !words }); // or readers would repeat it
}

/**
 * Says that the connection is lost, and takes back the move that waits for it.
 * @param {BoardPage} page @param {import("./table_socket.js").TableSocket} socket
 */
export function showLost({ picker: { board } }, socket) {
  board.moving?.takeBack(board);
  const unsent = Object.entries(UNSENT).filter(([kind]) => socket.isSending(kind));
  show([connection.dataset.lost, ...unsent.map(([, { words }]) => words)].join(" "));
  for (const [, { roles }] of unsent) for (const role of roles) byRole(role)?.setAttribute("aria-busy", "true");
}

export function hide() {
  show();
  for (const { roles } of Object.values(UNSENT)) for (const role of roles) byRole(role)?.removeAttribute("aria-busy");
}
