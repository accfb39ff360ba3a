// @ts-check
// Requests to the server: request("POST", "/api/tables", {…}) resolves to the answer's JSON or rejects with an error
// {code, message, clause, rules, version, status}. `message` is always a sentence for people.

const meta = document.querySelector('meta[name="csrf"]');

/** @param {string} method @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function request(method, path, body, signal) {
  if (path.startsWith("/api/tables") && method !== "GET") await becomeGuest();
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = meta?.content ?? "";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: body ? JSON.stringify(body) : undefined });
  } catch {
    throw makeError({ code: "Offline", message: OFFLINE }, 0);
  }
  // A visitor's first request makes them a guest; from then on the answer's token is the one to send.
  const token = answer.headers.get("X-CSRF-Token");
  if (token && meta) meta.content = token;
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw makeError(data?.error, answer.status);
  return data;
}

/** Makes a stranger a guest before their first action: if its answer gets lost, the seat is still theirs. Resolves to whether they were one. */
export async function becomeGuest() {
  if (!meta || meta.content) return false;
  await request("POST", "/api/me");
  return true;
}

export const OFFLINE = "Cannot reach the server. Check your connection and try again.";

/** An error to throw, as the server describes it. @param {Partial<Refusal>} [error] */
export function makeError(error = {}, status = 0) {
  const message = error.message ?? `Something went wrong (${status}). Try again in a moment.`;
  return Object.assign(new Error(message), error, { status });
}

/**
 * Resolves to why `handle` cannot follow `path` in a position.
 * @param {string} game @param {string | null | undefined} position @param {string[]} path @param {string} handle @returns {Promise<Reason>}
 */
export const fetchReason = (game, position, path, handle) => request("POST", "/api/explore/why", { game, position, path, handle });

/**
 * Writes an error into an element, with a link to the rule it names; null clears the element.
 * @param {HTMLElement} element @param {Refusal | null} error
 */
export function showError(element, error) {
  element.hidden = !error;
  showReason(element, error && { ...error, sentence: error.message });
}

/**
 * Writes a sentence into an element, with a link to the rule behind it; null clears the element.
 * @param {HTMLElement} element @param {Reason | null} reason
 */
export function showReason(element, reason) {
  element.replaceChildren(reason?.sentence ?? "");
  if (!reason?.clause || !reason.rules) return;
  const link = document.createElement("a");
  Object.assign(link, { href: reason.rules, target: "_blank", textContent: `Rule ${reason.clause}` });
  element.append(" ", link);
}
