// The home screen: draws what the daemon reports, and asks the daemon for what a person does. This module connects the
// parts of the page with its buttons and keys, and begins.

import { drawAbout, showAbout } from "./about.js";
import { drawBar } from "./bar.js";
import { beat } from "./clock.js";
import { drawConditions } from "./conditions.js";
import { placeBanners, showModal } from "./dialogs.js";
import { knock } from "./door.js";
import { draw, drawBy } from "./drawing.js";
import { $ } from "./elements.js";
import { drawFetches } from "./fetches.js";
import { drawIcons, moveOver } from "./icons.js";
import { known } from "./known.js";
import { drawNotices } from "./notices.js";
import { lookAgain } from "./refreshes.js";
import { goHome } from "./screen.js";
import { drawSettings } from "./settings.js";
import { drawStage, shown } from "./stage.js";
import { drawCards, openSwitcher } from "./switcher.js";
import { drawTransfers } from "./transfers.js";

const sheets = {
  transfers: drawTransfers, notices: drawNotices, fetches: drawFetches, conditions: drawConditions,
  settings: drawSettings, about: drawAbout,
};

function drawPage() {
  drawBar();
  drawIcons();
  drawStage();
  drawCards();
  for (const [name, drawSheet] of Object.entries(sheets)) if ($(name).open) drawSheet($(name).querySelector(".body"));
}

function openSheet(name) {
  showModal($(name));
  lookAgain();
  draw();
}

function press(event) {
  const isFree = !document.querySelector("dialog[open]") && $("door").hidden;
  const isAlone = !event.altKey && !event.ctrlKey && !event.metaKey;  // With others a key is the browser's.
  if (!isFree || !isAlone) return;
  if (event.key === "Escape") goHome();
  const icon = document.activeElement?.closest?.("#apps .icon, #dock .icon");
  if (icon && event.key.startsWith("Arrow") && moveOver(icon, event.key)) event.preventDefault();
}

// Calls a function at an event of each element of a selector.
function on(selector, event, act) {
  for (const element of document.querySelectorAll(selector)) element.addEventListener(event, () => act(element));
}

drawBy(drawPage);
on("[data-opens]", "click", (opener) => openSheet(opener.dataset.opens));
on("#signal, #power", "click", () => openSheet("conditions"));
on("#press", "click", goHome);
on("#press", "dblclick", openSwitcher);
on("#switch", "click", openSwitcher);
on("#why", "click", () => shown && showAbout(shown));
on(".done", "click", (done) => done.closest("dialog").close());
on("dialog", "close", placeBanners);
on("#about", "close", () => (known.about = null));

// Beside what is on them, sheets and the switcher close.
for (const sheet of document.querySelectorAll(".sheet")) {
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
}
$("switcher").addEventListener("click", ({ target }) => {
  if (["switcher", "cards"].includes(target.id)) $("switcher").close();
});

document.addEventListener("keydown", press);
document.addEventListener("visibilitychange", draw);
document.addEventListener("visibilitychange", lookAgain);
addEventListener("resize", draw);
addEventListener("hashchange", knock);
beat();
knock();
