// @ts-check
// What a live table does besides drawing scenes: sounds, a small celebration, and forced moves. Loaded with the first
// change of the scene.

import { timeLeft } from "./clock.js";
import { byRole } from "./html.js";
import { preference, reducesMotion } from "./preferences.js";
import { savePreference } from "./save_preference.js";
import { hasBecomeLow, hasWon, playSounds, soundsOf } from "./sounds.js";

const FORCED_AFTER_MS = 600; // long enough to see the position
const UNDO_FOR_MS = 1000; // instead, where a step can still be taken back
const REVEAL_POLL_MS = 300;

export class TableEffects {
  lastLeft = 0; // seconds on the player's running clock when it was looked at last
  isHeld = false; // whether forced moves wait, because the player has taken one back

  /** @param {BoardPage} page */
  constructor(page) {
    this.page = page;
    const { undo } = page.commands;
    page.commands.undo = () => {
      this.isHeld = true;
      return undo();
    };
  }

  /**
   * Reacts to the change from one scene to the next, which the page shows already; `captured`: whether a piece was captured.
   * @param {Scene} before @param {Scene} after @param {boolean | undefined} captured
   */
  onScene(before, after, captured) {
    const sounds = soundsOf(before, after, captured);
    if (!after.result || before.result) playSounds(sounds);
    else this.end(after, sounds);
    this.playForced(after);
  }

  /**
   * Ends a game with its sounds and, if it was won, a celebration; a reveal of the scores comes first.
   * @param {Scene} scene @param {SoundName[]} sounds
   */
  async end(scene, sounds) {
    while (document.body.matches(".before-reveal, .revealing")) await new Promise((done) => setTimeout(done, REVEAL_POLL_MS));
    playSounds(sounds);
    if (hasWon(scene) && !reducesMotion()) (await import("./celebration.js")).celebrate(byRole("board"));
  }

  /** Plays the only legal move, unless that tells others something or the player does not want it. @param {Scene} scene */
  playForced(scene) {
    const isForced = scene.your_turn && scene.choices.length === 1;
    if (!isForced) this.isHeld = false;
    if (!isForced || this.isHeld || !scene.plays_forced || preference("forced", "on") === "off" || scene.can.includes("answer")) return;
    setTimeout(() => {
      const { page } = this;
      if (page.scene.version === scene.version && !page.moment && !page.picker.pending && byRole("plan").hidden) page.picker.play(scene.choices[0].move, true);
    }, scene.can.includes("undo") ? UNDO_FOR_MS : FORCED_AFTER_MS);
  }

  /** Warns once when little time is left on the player's own clock. @param {Scene} scene */
  watchClock({ seats, you, acting, now }) {
    const clock = seats[you.find((seat) => acting.includes(seat)) ?? -1]?.clock;
    const left = clock?.until ? timeLeft(clock, now) : 0;
    if (hasBecomeLow(this.lastLeft, left)) playSounds(["low"]);
    this.lastLeft = left;
  }

  async toggleSound() {
    const on = preference("sound", "on") === "off";
    const saved = savePreference("sound", on, "on");
    const name = on ? "Turn sounds off" : "Turn sounds on";
    Object.assign(byRole("sound"), { ariaLabel: name, title: name });
    if (on) playSounds(["turn"]);
    await this.page.attempt(() => saved);
  }
}
