// The time of day, on the door and in the bar.

import { draw } from "./drawing.js";
import { $, put } from "./elements.js";
import { lookAgain } from "./refreshes.js";
import { clock } from "./words.js";

export function tellTime() {
  const now = new Date();
  const date = now.toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" });
  for (const place of document.querySelectorAll(".clock")) put(place, clock(now));
  for (const place of document.querySelectorAll(".date")) put(place, date);
}

// Goes with the minutes, by which the time and whatever depends on it is another.
export function beat() {
  tellTime();
  lookAgain();
  if ($("notices").open) draw();
  setTimeout(beat, 60050 - (Date.now() % 60000));
}
