// The sheet with the settings, and with all apps.

import { showAbout } from "./about.js";
import { button, chevron, foreign, keep, make, put, span } from "./elements.js";
import { apps, byName, known } from "./known.js";
import { tile } from "./pictures.js";
import { buildRefreshSwitch } from "./switches.js";
import { local, states } from "./words.js";

export function drawSettings(body) {
  if (!body.firstChild) buildSettings(body);
  for (const part of body.querySelectorAll(".refresh")) part.hidden = !known.settings;
  if (known.settings) body.querySelector("#refresh-all input").checked = known.settings.backgroundRefresh;
  const all = [...apps.values()].sort(byName);
  body.querySelector(".none").hidden = all.length > 0;
  keep(body.querySelector(".apps"), all, (app) => app.id, buildAppRow, updateAppRow);
}

function buildSettings(body) {
  const all = buildRefreshSwitch();
  all.id = "refresh-all";
  body.append(
    make("div", { className: "rows refresh" }, all),
    make(
      "p", { className: "note refresh" },
      "Apps may fetch new content in the background, at moments that cost you little."),
    make("h3", {}, "Apps"), make("div", { className: "rows apps" }), make("p", { className: "note none" }, "No apps."));
}

function buildAppRow(app) {
  const words = span("text", foreign("name"), span("more"));
  return button("row", () => showAbout(app.id), {}, tile(app), words, chevron());
}

function updateAppRow(row, app) {
  put(row.querySelector(".name"), app.name);
  put(row.querySelector(".more"), app.verdict ? local(app.verdict) : `It ${states[app.state]}.`);
}
