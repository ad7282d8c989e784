// How an app's background fetch stands just now, and the button that fetches at once.

import { draw } from "./drawing.js";
import { button, flag, make, put } from "./elements.js";
import { outcomes, standing } from "./outcomes.js";
import { asked, lookAgain } from "./refreshes.js";
import { call } from "./server.js";
import { local } from "./words.js";

const outcomeTime = 15000;  // Milliseconds for which an outcome is shown.

export function buildNow(app) {
  return make(
    "div", { className: "bottom" }, make("span", { className: "verdict", role: "status" }),
    button("small now-button", () => fetchNow(app), {}, "Fetch now"));
}

export function updateNow(place, entry) {
  put(place.querySelector(".verdict"), asked.get(entry.app) || standing(entry));
  const press = place.querySelector(".now-button");
  flag(press, "aria-label", `Fetch now: ${entry.name}`);
  press.disabled = entry.underWay || asked.get(entry.app) === "";
}

// Like Xcode's "Simulate Background Fetch": a fetch at once, whatever the rule says, with its outcome.
async function fetchNow(app) {
  asked.set(app, "");
  draw();
  let words;
  try {
    const done = await call("FetchNow", { app });
    words = `Just now: ${outcomes[done.outcome]}, in ${(done.cost.wallMs / 1000).toFixed(1)} s.`;
  } catch (error) {
    words = local(error.message);
  }
  asked.set(app, words);
  setTimeout(() => {
    if (asked.get(app) === words) asked.delete(app);
    draw();
  }, outcomeTime);
  lookAgain();
  draw();
}
