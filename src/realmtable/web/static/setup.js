// The set-up form: builds the list of seats from "against" and "your seat", and sends only what differs from the preset.
const form = document.querySelector("form[data-setup]");
const { preset, rated, listed, position, record, clock, timeout, _count: count } = form.elements;
const valueOf = (name) => form.elements[name]?.value;
const presetValues = () => JSON.parse(preset.selectedOptions[0].dataset.values);
let listedByHand = false;

function updateForm({ target } = {}) {
  const isSolo = +count.value === 1;
  const against = isSolo ? "each" : valueOf("_against");
  for (const row of form.querySelectorAll("[data-seat]")) row.hidden = +row.dataset.seat >= +count.value;
  const [each, seats, opponent] = ["[data-each]", "[data-seat-choice]", "[data-against]"].map((name) => form.querySelector(name));
  if (each) each.hidden = against !== "each";
  if (seats) seats.disabled = against === "same" || against === "each";
  for (const fieldset of [seats, opponent]) if (fieldset) fieldset.hidden = isSolo;
  if (timeout) {
    timeout.disabled = !clock.value || +count.value < 3; // with two players, the game ends
    timeout.closest("[data-timeout]").hidden = timeout.disabled;
  }
  rated.disabled = isSolo || against === "same" || Boolean(position.value || record.value); // rated games begin at the start
  listedByHand ||= target === listed;
  if (!listedByHand) listed.checked = against === "bot" || against === "lobby";
  if (target === preset) applyPreset();
}

function applyPreset() {
  form.querySelector("[data-preset-text]").textContent = preset.selectedOptions[0].dataset.text;
  for (const [name, value] of Object.entries(presetValues())) {
    const field = form.elements[`options.${name}`];
    field[field.type === "checkbox" ? "checked" : "value"] = value;
  }
}

function chosenSeats() {
  const [against, wish, length] = [valueOf("_against"), valueOf("_seat"), +count.value];
  if (against === "each" || length === 1) return [...form.querySelectorAll("[name=_each]")].slice(0, length).map(({ value }) => value);
  const other = { bot: `bot:${valueOf("_bot")}`, same: "me" }[against] ?? "open";
  const mine = +wish < length ? +wish : Math.floor(Math.random() * length); // "random" is not a number
  return Array.from({ length }, (_, seat) => (seat === mine ? "me" : other));
}

form.addEventListener("serialise", ({ detail: body }) => {
  body.seats = chosenSeats();
  const usual = presetValues();
  body.options = Object.fromEntries(Object.entries(body.options ?? {}).filter(([name, value]) => value !== usual[name]));
  if (body.position || body.record) delete body.options, delete body.preset; // they bring their own
  if (!body.record) delete body.after;
});
form.addEventListener("change", updateForm);
updateForm();
