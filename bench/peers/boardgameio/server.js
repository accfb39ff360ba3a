// boardgame.io's server as its documentation starts it: one process, matches in memory. The port is the argument.
"use strict";

const { Server } = require("boardgame.io/server");
const { game } = require("./game.js");

const port = Number(process.argv[2]);
Server({ games: [game], origins: [`http://127.0.0.1:${port}`] }).run(port);
process.on("SIGTERM", () => process.exit(0));
