// Says of every <time> when it was in the reader's own time zone, as soon as it is pointed at or focused.
import { formatTime } from "./clock.js";

function addTitle({ target }) {
  const time = target.closest?.("time[datetime]");
  if (time) time.title = formatTime(Date.parse(time.dateTime));
}

for (const type of ["pointerover", "focusin"]) document.addEventListener(type, addTitle);
