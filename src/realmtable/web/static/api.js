// Talks to the server: api("POST", "/api/tables", {…}) gives the answer's JSON, or rejects with the refusal
// {code, message, clause, rules, version, status, scene}. `message` is a sentence for people, always.

const meta = document.querySelector('meta[name="csrf"]');

export async function api(method, path, body, signal) {
  // Known before the first thing that counts: should its answer get lost, the seat is still ours.
  if (path.startsWith("/api/tables") && method !== "GET" && meta && !meta.content) await api("POST", "/api/me");
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = meta?.content ?? "";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: body && JSON.stringify(body) });
  } catch {
    throw refusal({ code: "Offline", message: "The table cannot be reached. Check the connection and try again." }, 0);
  }
  // A visitor's first request makes them a guest; from then on the answer's token is the one to send.
  const fresh = answer.headers.get("X-CSRF-Token");
  if (fresh && meta) meta.content = fresh;
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw refusal({ ...data?.error, scene: data?.scene }, answer.status);
  return data;
}

function refusal(error, status) {
  const message = error.message ?? `Something went wrong (${status}). Try again in a moment.`;
  return Object.assign(new Error(message), error, { status });
}

// Writes a refusal into an element, its clause linked to the rules page; null clears it.
export function tell(element, error) {
  element.replaceChildren(error?.message ?? "");
  element.hidden = !error;
  if (error?.clause && error.rules) {
    const link = document.createElement("a");
    link.href = error.rules;
    link.textContent = `Rule ${error.clause}`;
    element.append(" ", link);
  }
}
