// The table's events for as long as the page lives: the browser resumes a lost stream by itself; this begins anew, ever
// more slowly, when it gives up, and when the machine has slept.

/** @param {string} url @param {(scene: object) => void} told @param {(yes: boolean) => void} connected */
export function follow(url, told, connected) {
  let [source, wait, hiddenAt] = [null, 500, 0];
  function open() {
    source?.close();
    source = new EventSource(url);
    source.addEventListener("open", () => connected(true));
    source.addEventListener("scene", ({ data }) => {
      wait = 500;
      told(JSON.parse(data));
    });
    source.addEventListener("error", () => {
      connected(false);
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, wait);
      wait = Math.min(2 * wait, 8000);
    });
  }
  addEventListener("online", open);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > 30000) open();
  });
  open();
  return { open };
}
