// @ts-check
// Forms that send their fields to the API: <form data-api="POST /api/…">. The fields become one JSON object ("a.b" nests, a
// leading "_" keeps a field out of it), and a refusal is shown in the form. On success the answer's url is opened, or
// data-then is done: "reload", "show" (fills [data-answer=name]) or an address to open. A form with [data-sign-in-again=name]
// asks for the password when the server wants a fresh sign-in: it signs in first, then sends the fields.
import { request, showError } from "./request.js";

/** @type {Record<string, (field: HTMLInputElement) => unknown>} */
const readers = {
  checkbox: (field) => field.checked,
  number: (field) => (field.value === "" ? undefined : +field.value),
  radio: (field) => (field.checked ? field.value : undefined),
  json: (field) => (field.value ? JSON.parse(field.value) : undefined),
};

/** @param {HTMLFormElement} form */
function serialise(form) {
  const body = {};
  for (const field of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) {
    if (!field.name || field.name.startsWith("_") || field.disabled) continue;
    const read = readers[field.dataset.type ?? field.type];
    const value = read ? read(field) : field.value || undefined;
    if (value === undefined) continue;
    const names = field.name.split(".");
    const last = names.pop() ?? "";
    names.reduce((/** @type {any} */ inner, name) => (inner[name] ??= {}), body)[last] = value;
  }
  form.dispatchEvent(new CustomEvent("serialise", { detail: body }));
  return body;
}

/** @param {HTMLFormElement} form */
function alertBox(form) {
  const box = form.querySelector('[role="alert"]') ?? form.appendChild(document.createElement("div"));
  box.setAttribute("role", "alert");
  return box;
}

/** @param {HTMLFormElement} form @param {any} answer */
function finish(form, answer) {
  const then = form.dataset.then ?? answer.url;
  if (then === "reload") return location.reload();
  if (then !== "show") return location.assign(then);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-answer]"))) field.value = answer[field.dataset.answer ?? ""];
  for (const field of form.querySelectorAll("[data-when-answered]")) field.hidden = false;
}

/** @param {HTMLFormElement} form */
async function signInAgain(form) {
  const place = form.querySelector("[data-sign-in-again]");
  const field = place?.querySelector("input");
  if (!place || !field?.value) return;
  await request("POST", "/api/session", { name: place.dataset.signInAgain, password: field.value });
  for (const other of document.querySelectorAll("[data-sign-in-again]")) {
    other.hidden = true;
    /** @type {HTMLInputElement} */ (other.querySelector("input")).value = "";
  }
}

/** @param {HTMLFormElement} form */
function askForPassword(form) {
  const place = form.querySelector("[data-sign-in-again]");
  if (!place) return;
  place.hidden = false;
  place.querySelector("input")?.focus();
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const { api: address, confirm: question, then } = form.dataset;
  if (!address) return;
  event.preventDefault();
  if (question && !confirm(question)) return;
  const [method, path] = address.split(" ");
  const button = /** @type {HTMLButtonElement} */ (event.submitter ?? form.querySelector("button"));
  showError(alertBox(form), null);
  button.disabled = true;
  try {
    await signInAgain(form);
    finish(form, await request(method, path, method === "DELETE" ? undefined : serialise(form)));
    button.disabled = then !== "show";
  } catch (error) {
    showError(alertBox(form), error);
    if (error.code === "SignInAgain") askForPassword(form);
    button.disabled = false;
  }
});

// A page restored by the back button has its buttons enabled.
addEventListener("pageshow", () => /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("form button")).forEach((button) => (button.disabled = false)));

document.addEventListener("change", async ({ target }) => {
  if (!target.files?.[0]) return;
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById(target.dataset.into ?? ""));
  field.value = await target.files[0].text();
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

document.addEventListener("click", async ({ target }) => {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(target.dataset.copy ?? ""));
  field?.select();
  if (field) await navigator.clipboard?.writeText(field.value);
});
