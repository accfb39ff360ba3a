// @ts-check
// Sounds made of a few notes, without files. The browser allows none before the first click or key; until then, and while
// sounds are off in the settings, this stays silent.

import { preference } from "./preferences.js";

/** @typedef {{ wave: OscillatorType, hz: number[], at: number, decay: number, volume: number }} Tone */

const VOLUME = 0.22;
const LOW_TIME_S = 20;

/**
 * The notes of each sound: a frequency in Hz (or two to glide between), seconds until it starts and for its decay, a volume.
 * @type {Record<"move" | "capture" | "turn" | "low" | "win" | "end", Tone[]>}
 */
export const SOUNDS = {
  move: [{ wave: "triangle", hz: [340, 170], at: 0, decay: 0.09, volume: 0.9 }],
  capture: [
    { wave: "triangle", hz: [300, 90], at: 0, decay: 0.16, volume: 1 },
    { wave: "square", hz: [130, 60], at: 0.03, decay: 0.1, volume: 0.35 },
  ],
  turn: [
    { wave: "sine", hz: [587], at: 0.12, decay: 0.22, volume: 0.55 },
    { wave: "sine", hz: [784], at: 0.24, decay: 0.32, volume: 0.55 },
  ],
  low: [0, 0.18, 0.36].map((at) => ({ wave: "sine", hz: [880], at, decay: 0.12, volume: 0.6 })),
  win: [523, 659, 784, 1047].map((hz, index) => ({ wave: "triangle", hz: [hz], at: 0.1 + index * 0.11, decay: 0.5, volume: 0.6 })),
  end: [523, 392].map((hz, index) => ({ wave: "sine", hz: [hz], at: 0.1 + index * 0.16, decay: 0.5, volume: 0.6 })),
};

/** How a game ended for the viewer of its scene: won, or otherwise. @param {Scene} scene */
export function hasWon({ result, you, seats }) {
  const ranks = result?.ranking ?? [];
  return you.length > 0 && you.length < seats.length && you.some((seat) => ranks[seat] === 1) && ranks.some((rank) => rank > 1);
}

/**
 * The names of the sounds for the change from one scene to the next.
 * @param {Scene} before
 * @param {Scene} after
 * @param {boolean | undefined} captured whether a piece was captured
 * @returns {SoundName[]}
 */
export function soundsOf(before, after, captured) {
  /** @type {SoundName[]} */
  const sounds = after.step > before.step ? [captured ? "capture" : "move"] : [];
  if (after.result && !before.result) return [...sounds, hasWon(after) ? "win" : "end"];
  return after.your_turn && !before.your_turn ? [...sounds, "turn"] : sounds;
}

/**
 * Whether a clock with these seconds left has just become low; `last` is how many were left before.
 * @param {number} last @param {number} left
 */
export const hasBecomeLow = (last, left) => last > LOW_TIME_S && left <= LOW_TIME_S && left > 0;

/** @type {AudioContext | null} */
let context = null;

/** Plays sounds at once, one over the other. @param {SoundName[]} names */
export function playSounds(names) {
  if (!names.length || preference("sound", "on") === "off" || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  context.resume().catch(() => {}); // the browser may still refuse
  for (const tone of names.flatMap((name) => SOUNDS[name])) playTone(context, tone);
}

/** @param {AudioContext} context @param {Tone} tone */
function playTone(context, { wave, hz: [from, to = from], at, decay, volume }) {
  const [start, oscillator, gain] = [context.currentTime + at, context.createOscillator(), context.createGain()];
  oscillator.type = wave;
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, start + decay);
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(volume * VOLUME, start + 0.008); // without a click at the start
  gain.gain.exponentialRampToValueAtTime(0.0001, start + decay);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + decay + 0.05);
}
