// A table's event stream, kept open while the page lives. The browser resumes a lost stream by itself; this reopens it,
// with growing delays, when the browser gives up and after the machine has slept.

/**
 * @param {string} url
 * @param {(scene: object) => void} onScene
 * @param {(connected: boolean) => void} onConnection
 */
export function openStream(url, onScene, onConnection) {
  let [source, delay, hiddenAt, text] = [null, 500, 0, ""];
  function show(scene) {
    [text, delay] = [scene, 500];
    const data = JSON.parse(text);
    onScene({ ...data, choices: data.choices.flatMap(expandGroup) });
  }
  function open() {
    source?.close();
    source = new EventSource(url);
    source.addEventListener("open", () => onConnection(true));
    source.addEventListener("scene", ({ data }) => show(data));
    source.addEventListener("patch", ({ data }) => show(patch(text, JSON.parse(data).parts)));
    source.addEventListener("error", () => {
      onConnection(false);
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, delay);
      delay = Math.min(2 * delay, 8000);
    });
  }
  addEventListener("online", open);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > 30000) open();
  });
  open();
  return { reopen: open };
}

/** The choices in a group: each end completes the move and, without its effects in parentheses, the path. */
function expandGroup(choice) {
  const { move, path, ends } = choice;
  return ends ? ends.split(" ").map((end) => ({ move: move + end, path: [...path, end.split("(")[0]] })) : [choice];
}

/** The text of a scene after a patch: its parts are new text, or pieces of the old text to copy. */
function patch(text, parts) {
  const pieces = text.split("<");
  const copy = ([first, count]) => pieces.slice(first, first + count).join("<");
  return parts.map((part) => (typeof part === "string" ? part : copy(part))).join("<");
}
