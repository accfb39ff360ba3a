// Plays many matches at once over boardgame.io's wire protocol, with two connections per match.
//
// Reads one request per line, {"open": matches, "spares": matches} or {"seconds", "warm_up", "rate"} (null: as fast as
// possible), and answers each with one line. A move is sent when it is due and the mover's connection has shown their
// turn; it has arrived when the opponent's connection shows the state after it.
"use strict";

const http = require("node:http");
const readline = require("node:readline");
const { io } = require("socket.io-client");

const HOST = "127.0.0.1";
const PORT = Number(process.argv[2]);
const AT_ONCE = 32;
const DRAIN_MS = 30000;
const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
const pairs = [];
const run = { playing: false, interval: 0, played: [], errors: {} };

const failed = (what) => {
  run.errors[what] = (run.errors[what] ?? 0) + 1;
};

const post = (path, body) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
    const request = http.request({ agent, host: HOST, port: PORT, method: "POST", path, headers }, (answer) => {
      let got = "";
      answer.on("data", (piece) => (got += piece));
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve(JSON.parse(got)) : reject(new Error(`refused with ${answer.statusCode}`)),
      );
    });
    request.on("error", reject);
    request.end(text);
  });

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A match with both seats taken: its id and the credentials of each seat.
const newMatch = async () => {
  const { matchID } = await post("/games/tic-tac-toe/create", { numPlayers: 2 });
  const seats = ["0", "1"].map((playerID) =>
    post(`/games/tic-tac-toe/${matchID}/join`, { playerID, playerName: `player ${playerID}` }),
  );
  return { matchID, credentials: (await Promise.all(seats)).map((seat) => seat.playerCredentials) };
};

class Player {
  constructor(pair, seat) {
    Object.assign(this, { pair, seat, state: null, clicked: -1, planned: false, sent: null });
  }

  connect() {
    return new Promise((resolve, reject) => {
      this.socket = io(`http://${HOST}:${PORT}/tic-tac-toe`, {
        transports: ["websocket"],
        forceNew: true,
        reconnection: false,
      });
      this.socket.on("connect", resolve);
      this.socket.on("connect_error", (error) => reject(new Error(`cannot connect: ${error.message}`)));
      this.socket.on("disconnect", (reason) => {
        if (reason !== "io client disconnect") failed(`connection ended: ${reason}`);
      });
      this.socket.on("sync", (matchID, info) => this.pair.shown(this, matchID, info.state));
      this.socket.on("update", (matchID, state) => this.see(matchID, state));
    });
  }

  sit() {
    const { matchID, credentials } = this.pair.match;
    Object.assign(this, { state: null, clicked: -1, planned: false, sent: null });
    this.socket.emit("sync", matchID, this.seat, credentials[this.seat], 2);
  }

  see(matchID, state) {
    const now = performance.now();
    if (matchID !== this.pair.match.matchID) return;
    this.state = state;
    const other = this.pair.players[1 - Number(this.seat)];
    if (other.sent !== null && other.sent.before < state._stateID) {
      run.played.push([other.sent.at, now]);
      other.sent = null;
    }
    if (state.ctx.gameover !== undefined) this.pair.ended();
    else this.plan();
  }

  plan() {
    const state = this.state;
    if (!run.playing || this.planned || !this.pair.ready || state.ctx.gameover !== undefined) return;
    if (state.ctx.currentPlayer !== this.seat || state._stateID <= this.clicked) return;
    this.planned = true;
    const wait = Math.max(0, this.pair.due - performance.now());
    this.pair.due += run.interval;
    if (wait === 0) setImmediate(() => this.click());
    else setTimeout(() => this.click(), wait);
  }

  click() {
    this.planned = false;
    if (!run.playing || this.state === null) return;
    const free = this.state.G.cells.flatMap((mark, cell) => (mark === null ? [cell] : []));
    const args = [free[Math.floor(Math.random() * free.length)]];
    const credentials = this.pair.match.credentials[this.seat];
    const action = { type: "MAKE_MOVE", payload: { type: "mark", args, playerID: this.seat, credentials } };
    this.clicked = this.state._stateID;
    this.sent = { before: this.state._stateID, at: performance.now() };
    this.socket.emit("update", action, this.state._stateID, this.pair.match.matchID, this.seat);
  }
}

class Pair {
  constructor() {
    this.players = [new Player(this, "0"), new Player(this, "1")];
    Object.assign(this, { spares: [], due: 0, match: null });
  }

  async open(spares) {
    for (let made = 0; made < spares; made += 1) this.spares.push(await newMatch());
    this.match = await newMatch();
    await Promise.all(this.players.map((player) => player.connect()));
    this.players.forEach((player) => player.sit());
  }

  // A move is broadcast only to clients whose "sync" has been answered, so nobody moves before both are ready.
  get ready() {
    return this.players.every((player) => player.state !== null);
  }

  shown(player, matchID, state) {
    player.see(matchID, state);
    this.players.forEach((each) => each.plan());
  }

  // Both have seen the end: continue with a match opened in advance, so that opening it is not measured.
  ended() {
    if (!this.players.every((player) => player.state?.ctx.gameover !== undefined)) return;
    this.players.forEach((player) => (player.state = null));
    const next = this.spares.pop();
    (next ? Promise.resolve(next) : newMatch()).then(
      (match) => {
        this.match = match;
        this.players.forEach((player) => player.sit());
      },
      (error) => failed(error.message),
    );
  }
}

const open = async ({ open: count, spares }) => {
  for (let index = 0; index < count; index += 1) pairs.push(new Pair());
  const waiting = [...pairs];
  const work = async () => {
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) await pair.open(spares);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const until = performance.now() + DRAIN_MS;
  while (!pairs.every((pair) => pair.ready)) {
    if (performance.now() > until) throw new Error("a connection was never shown its match");
    await sleep(50);
  }
  return { streams: pairs.length * 2 };
};

const measure = async ({ seconds, warm_up: warmUp, rate }) => {
  Object.assign(run, { playing: true, played: [], errors: {}, interval: rate === null ? 0 : (1000 * pairs.length) / rate });
  for (const pair of pairs) {
    pair.due = performance.now() + Math.random() * run.interval;
    pair.players.forEach((player) => player.plan());
  }
  await sleep(warmUp * 1000);
  process.stdout.write(`${JSON.stringify({ begun: true })}\n`);
  const cpu = process.cpuUsage();
  const start = performance.now();
  await sleep(seconds * 1000);
  const end = performance.now();
  const spent = process.cpuUsage(cpu);
  const streams = pairs.flatMap((pair) => pair.players).filter((player) => player.socket.connected).length;
  process.stdout.write(`${JSON.stringify({ ended: true })}\n`);
  run.playing = false;
  const until = performance.now() + DRAIN_MS;
  while (pairs.some((pair) => pair.players.some((player) => player.sent !== null)) && performance.now() < until)
    await sleep(50);
  const lost = pairs.flatMap((pair) => pair.players).filter((player) => player.sent !== null).length;
  if (lost > 0) run.errors["a move was never shown to the opponent"] = lost;
  const delays = run.played.filter(([, shown]) => start <= shown && shown < end).map(([sent, shown]) => shown - sent);
  const clientCpu = (spent.user + spent.system) / 1000 / (end - start);
  return { streams, seconds: (end - start) / 1000, delays_ms: delays, errors: run.errors, client_cpu: clientCpu };
};

const answer = async (line) => {
  try {
    const request = JSON.parse(line);
    return await ("open" in request ? open(request) : measure(request));
  } catch (error) {
    return { failed: error.message };
  }
};

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
  }
  process.exit(0);
})();
