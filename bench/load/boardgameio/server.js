// boardgame.io's server as started in its documentation: one process, matches in memory. Usage: server.js PORT
"use strict";

const { Server } = require("boardgame.io/server");
const { game } = require("./game.js");

const port = Number(process.argv[2]);
Server({ games: [game], origins: [`http://127.0.0.1:${port}`] }).run(port);
process.on("SIGTERM", () => process.exit(0));
