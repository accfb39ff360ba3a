// @ts-check
// The set-up form: builds the list of seats from "against" and "your seat", sends only what differs from the preset, and
// checks rules and players before the table is opened.
import { request } from "./request.js";

const CHECK_AFTER_MS = 350;
const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-setup]"));
const { rated, listed, position, record, after, clock, timeout, _count: count } = form.elements;
const start = /** @type {HTMLButtonElement} */ (form.querySelector(".start"));
const optionFields = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter(({ name }) => name?.startsWith("options."));
const fault = Object.assign(document.createElement("p"), { className: "fault", id: "fault" });
/** @param {string} selector @returns {any} */
const find = (selector) => form.querySelector(selector);
/** @param {string} name */
const valueOf = (name) => form.elements[name]?.value;
/** A message with the options named as on this page. @param {string} text */
const toWords = (text) => text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll("_", " ")).replace("=", " = ").replace(/^./, (letter) => letter.toUpperCase());
let [listedByHand, presetByHand, timer, asked] = [false, false, 0, ""];

// Rules

const chosenPreset = () => find("[name=preset]:checked");
/** @param {HTMLElement} preset @returns {number[]} */
const seatsOf = (preset) => JSON.parse(preset.dataset.seats ?? "[]");
const presetValues = () => JSON.parse(chosenPreset().dataset.values);
/** @param {HTMLInputElement} field */
const nameOf = (field) => field.name.slice("options.".length);
/** @param {HTMLInputElement} field */
const readOption = (field) => (field.type === "checkbox" ? field.checked : field.type === "number" ? +field.value : field.value);
const hasOwnRules = () => Boolean(position.value || record.value);

/** The options that differ from the preset. */
function changedOptions() {
  const usual = presetValues();
  const changed = optionFields.filter((field) => readOption(field) !== usual[nameOf(field)]);
  return Object.fromEntries(changed.map((field) => [nameOf(field), readOption(field)]));
}

/** The variant to suggest for the number of players: the usual one, unless another is made for just this number. */
function suggestedPreset() {
  const [usual, presets] = [find("[name=preset][data-default]"), [...form.querySelectorAll("[name=preset]")]];
  const own = presets.find((preset) => seatsOf(preset).join() === count.value);
  if (own && seatsOf(usual).length > 1) return own;
  return seatsOf(usual).includes(+count.value) ? usual : presets.find((preset) => seatsOf(preset).includes(+count.value));
}

/** Follows the number of players with the variant, until the visitor chooses one. */
function suggestPreset() {
  if (Object.keys(changedOptions()).length) presetByHand = true;
  if (presetByHand || suggestedPreset() === chosenPreset()) return;
  suggestedPreset().checked = true;
  applyPreset();
}

function applyPreset() {
  const values = presetValues();
  for (const field of optionFields) Object.assign(field, { [field.type === "checkbox" ? "checked" : "value"]: values[nameOf(field)] });
}

// Players

/** Offers only these numbers of players; takes the nearest one if the chosen number is not among them. @param {number[]} allowed */
function limitCounts(allowed) {
  if (count.type === "hidden" || !allowed.length) return;
  for (const option of count.options) option.hidden = option.disabled = !allowed.includes(+option.value);
  if (!allowed.includes(+count.value)) count.value = allowed.find((number) => number >= +count.value) ?? allowed.at(-1);
}

function chosenSeats() {
  const [against, wish, length] = [valueOf("_against"), valueOf("_seat"), +count.value];
  if (against === "each" || length === 1) return [.../** @type {NodeListOf<HTMLSelectElement>} */ (form.querySelectorAll("[name=_each]"))].slice(0, length).map(({ value }) => value);
  const other = against === "bot" ? `bot:${valueOf("_bot")}` : against === "same" ? "me" : "open";
  const mine = +wish < length ? +wish : Math.floor(Math.random() * length); // "random" is not a number
  return Array.from({ length }, (_, seat) => (seat === mine ? "me" : other));
}

/** Why the game cannot be rated; empty if it can. */
function whyNotRated() {
  if (rated.dataset.not) return rated.dataset.not;
  if (+count.value === 1) return "A solo game cannot be rated.";
  if (chosenSeats().filter((seat) => seat === "me").length !== 1) return "In a rated game you take exactly one seat.";
  if (!clock.value) return "A rated game needs a clock or days per move.";
  if (hasOwnRules()) return "A rated game cannot start from a position or record.";
  return Object.keys(changedOptions()).length ? "A rated game uses a variant without changes." : "";
}

// A custom clock

const customFields = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter(({ name }) => name?.startsWith("_clock_"));
const [minutes, seconds, increment, days] = customFields;

/** The clock in the custom fields, or null if a usual one is chosen. @returns {{ kind: string, seconds?: number, increment_s?: number, days?: number } | null} */
function customClock() {
  const kind = clock.selectedOptions[0]?.dataset.custom;
  if (kind === "days") return { kind, days: +days.value };
  const length = { kind, seconds: 60 * +minutes.value + +seconds.value };
  return !kind ? null : kind === "game" ? { ...length, increment_s: +increment.value } : length;
}

/** Shows the fields of the chosen kind of clock, with its usual numbers when it is chosen. @param {boolean} isNew */
function updateClock(isNew) {
  const box = find("[data-custom-clock]");
  const kind = clock.selectedOptions[0]?.dataset.custom;
  const usual = kind ? JSON.parse(clock.value) : {};
  box.hidden = !kind;
  for (const field of customFields) {
    field.disabled = !field.dataset.kinds?.split(" ").includes(kind);
    /** @type {HTMLElement} */ (field.parentElement).hidden = field.disabled;
  }
  if (isNew || !customFields.some(({ value }) => value)) [minutes.value, seconds.value, increment.value, days.value] = [Math.floor(usual.seconds / 60), usual.seconds % 60, usual.increment_s, usual.days].map((number) => String(number || 0));
  const length = customClock()?.seconds ?? +(box.dataset.least ?? 0);
  minutes.setCustomValidity(length < +(box.dataset.least ?? 0) || length > +(box.dataset.most ?? 0) ? box.dataset.fault : "");
}

// Faults

/**
 * Shows what must be changed before the game can start, at its field and next to the button; null if nothing must.
 * @param {{ field?: string, message: string } | null} found
 */
function showFault(found) {
  const place = found && find(`[data-field="${found.field}"]`);
  form.querySelector("[aria-errormessage]")?.removeAttribute("aria-errormessage");
  fault.textContent = found ? toWords(found.message) : "";
  if (place) place.append(fault);
  else fault.remove();
  place?.querySelector("input, select, textarea")?.setAttribute("aria-errormessage", "fault");
  find("[data-start-note]").textContent = fault.textContent;
  start.disabled = !!found;
}

/** The first field that the browser finds invalid. */
function findInvalid() {
  const field = /** @type {HTMLInputElement[]} */ ([...form.elements]).find((element) => element.willValidate && !element.checkValidity());
  return field && { field: field.closest("[data-field]")?.dataset.field, message: field.validationMessage };
}

async function check() {
  const options = changedOptions();
  const rules = hasOwnRules()
    ? { position: position.value || undefined, record: record.value || undefined, after: (record.value && after.value && +after.value) || undefined }
    : { preset: chosenPreset().value, options };
  const question = JSON.stringify({ seats: +count.value, ...rules });
  if (question === asked) return;
  asked = question;
  const { seats, fault: found } = await request("POST", `/api/games/${valueOf("game")}/checks`, JSON.parse(question)).catch(() => ({}));
  if (question !== asked || !seats) return; // something changed meanwhile, or there is no answer: the server checks again later
  limitCounts(seats);
  updateForm();
  showFault(found?.field === "players" && seats.includes(+count.value) ? null : found);
}

/** Checks what the page knows at once, and the rest when nothing has changed for a moment. */
function scheduleCheck() {
  clearTimeout(timer);
  const invalid = findInvalid();
  const isPlain = !hasOwnRules() && !Object.keys(changedOptions()).length;
  if (invalid || isPlain) [asked] = [""];
  if (isPlain && presetByHand) limitCounts(seatsOf(chosenPreset()));
  if (invalid || isPlain) showFault(invalid ?? null);
  if (!invalid && !isPlain) timer = setTimeout(check, CHECK_AFTER_MS);
}

// The form

function updateForm() {
  const isSolo = +count.value === 1;
  const against = isSolo ? "each" : valueOf("_against");
  for (const row of form.querySelectorAll("[data-seat]")) row.hidden = Number(row.dataset.seat) >= +count.value;
  const [each, seats, opponent] = ["[data-each]", "[data-seat-choice]", "[data-against]"].map(find);
  if (each) each.hidden = against !== "each";
  if (seats) seats.disabled = against === "same" || against === "each";
  for (const fieldset of [seats, opponent]) if (fieldset) fieldset.hidden = isSolo;
  if (timeout) {
    timeout.disabled = !clock.value || +count.value < 3; // with two players, the game ends
    timeout.closest("[data-timeout]").hidden = timeout.disabled;
  }
  const isOwn = !presetByHand && !("default" in chosenPreset().dataset);
  const note = find("[data-variant-note]");
  if (note) note.textContent = isOwn ? `With ${count.value} players, the variant is “${chosenPreset().parentElement.querySelector("strong").textContent}”.` : "";
  const notRated = whyNotRated();
  rated.disabled = !!notRated;
  find("[data-rated-note]").textContent = notRated;
  if (!listedByHand) listed.checked = against === "bot" || against === "lobby";
  const changes = Object.keys(changedOptions()).length;
  find("[data-changed]").hidden = find("[data-reset]").hidden = !changes;
  find("[data-changed]").textContent = `${changes} changed`;
}

/** Shows the board of the chosen variant, and says so if rules were changed that it cannot show. */
function updatePicture() {
  const picture = /** @type {HTMLImageElement | null} */ (document.querySelector("[data-variant-picture]"));
  if (!picture) return; // a challenge shows its position
  const { value } = chosenPreset();
  const path = value === picture.dataset.default ? `/games/${valueOf("game")}` : `/games/${valueOf("game")}/presets/${value}`;
  const source = picture.src.replace(/\/games\/[^?]+(?=\.svg)/, path);
  if (picture.src !== source) picture.src = source;
  const isChanged = hasOwnRules() || Object.keys(changedOptions()).length;
  /** @type {HTMLElement} */ (document.querySelector("[data-picture-note]")).textContent = isChanged ? "The picture shows the variant without your changes." : "";
}

/** @param {{ target?: any }} event */
function onChange({ target }) {
  listedByHand ||= target === listed;
  presetByHand ||= target?.name === "preset";
  if (target?.name === "preset") applyPreset();
  if (target === count) suggestPreset();
  updateClock(target === clock);
  scheduleCheck();
  updateForm();
  updatePicture();
}

form.addEventListener("serialise", ({ detail: body }) => {
  body.seats = chosenSeats();
  body.clock = customClock() ?? body.clock;
  body.options = changedOptions();
  if (body.position || body.record) delete body.options, delete body.preset; // they bring their own
  if (!body.record) delete body.after;
});
form.addEventListener("change", onChange);
form.addEventListener("input", ({ target }) => target.matches("[type=number], textarea, .notation") && onChange({ target }));
find("[data-reset]").addEventListener("click", () => (applyPreset(), onChange({})));
addEventListener("pageshow", () => {
  presetByHand ||= suggestedPreset() !== chosenPreset();
  onChange({});
}); // also after "back", when the browser restores the fields
