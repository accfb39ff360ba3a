// A table's event stream, kept open while the page lives. The browser resumes a lost stream by itself; this reopens it,
// with growing delays, when the browser gives up and after the machine has slept.

/**
 * @param {string} url
 * @param {(scene: object) => void} onScene
 * @param {(connected: boolean) => void} onConnection
 */
export function openStream(url, onScene, onConnection) {
  let [source, delay, hiddenAt] = [null, 500, 0];
  function open() {
    source?.close();
    source = new EventSource(url);
    source.addEventListener("open", () => onConnection(true));
    source.addEventListener("scene", ({ data }) => {
      delay = 500;
      onScene(JSON.parse(data));
    });
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
