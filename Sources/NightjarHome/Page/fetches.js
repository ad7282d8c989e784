// The sheet on background fetch: all apps that want to be refreshed, and what that may cost.

import { showAbout } from "./about.js";
import { button, chevron, emptyMeter, flag, foreign, keep, make, put, setMeter, span } from "./elements.js";
import { buildNow, updateNow } from "./fetchnow.js";
import { appOf, apps, known } from "./known.js";
import { lastWords, outcomes } from "./outcomes.js";
import { tile } from "./pictures.js";
import { key, outcomeMark, plot, shape } from "./plots.js";
import { budget, fetches, nextLook } from "./refreshes.js";
import { buildRefreshSwitch } from "./switches.js";
import { drawTimeline } from "./timeline.js";
import { bytes, when } from "./words.js";

export function drawFetches(body) {
  if (!body.firstChild) buildFetches(body);
  body.querySelector(".all").hidden = !known.settings;
  if (known.settings) body.querySelector(".all input").checked = known.settings.backgroundRefresh;
  const all = [...fetches.values()].filter((entry) => apps.has(entry.app));
  all.sort((a, b) => b.allowed - a.allowed || a.name.localeCompare(b.name));
  body.querySelector(".none").hidden = all.length > 0;
  body.querySelector(".legend").hidden = !all.length;
  keep(body.querySelector(".cards"), all, (entry) => entry.app, buildFetch, updateFetch);
  drawBudget(body.querySelector(".budget"));
}

function buildFetches(body) {
  body.append(
    make("div", { className: "rows all" }, buildRefreshSwitch()),
    buildLegend(),
    make("div", { className: "cards" }),
    make("p", { className: "note none" }, "No app has asked to be refreshed. Weather does, of the examples."),
    make(
      "div", { className: "budget" }, make("h3", {}, "What fetches may cost"), make("div", { className: "rows" }),
      make("p", { className: "note" })));
}

function buildLegend() {
  const marks = Object.entries(outcomes).map(([outcome, word]) =>
    make("li", {}, key(outcomeMark(outcome, 7, 7)), word));
  const areas = Object.entries({ window: "foreseen", bar: "how likely it is used" }).map(([kind, word]) => {
    const area = shape("g", { class: kind }, shape("rect", { x: 2, y: 2, width: 10, height: 10 }));
    return make("li", {}, key(area), word);
  });
  return make("ul", { className: "legend", "aria-label": "Marks" }, ...marks, ...areas);
}

function buildFetch(entry) {
  const words = span("text", foreign("name"), span("more"));
  return make(
    "section", { className: "rows fetch", data: { app: entry.app } },
    button("row", () => showAbout(entry.app), {}, tile(appOf(entry.app)), words, chevron()),
    make("div", { className: "pane" }, plot("timeline"), buildNow(entry.app)));
}

function updateFetch(card, entry) {
  flag(card, "aria-label", entry.name);
  put(card.querySelector(".name"), entry.name);
  put(card.querySelector(".more"), lastWords(entry));
  drawTimeline(card.querySelector(".timeline"), entry);
  updateNow(card, entry);
}

function drawBudget(part) {
  part.hidden = !(budget?.fetches.perDay > 0);
  if (part.hidden) return;
  const rows = [
    ["Fetches", budget.fetches, (count) => String(Math.round(count * 10) / 10)],
    ["Energy", budget.joules, (count) => `${Math.round(count)} J`],
    ["Data", budget.bytes, (count) => bytes(Math.max(0, count))],
  ];
  keep(part.querySelector(".rows"), rows, ([name]) => name, buildBalance, updateBalance);
  const look = nextLook == null ? "Looked at again when something happens." : `Looked at again at ${when(nextLook)}.`;
  put(part.querySelector(".note"), `A fetch has to be worth ${budget.threshold.toFixed(3)} just now. ${look}`);
}

const buildBalance = () => make("div", { className: "balance" }, span("name"), span("count"), emptyMeter());

function updateBalance(row, [name, { left, perDay }, words]) {
  const part = perDay > 0 ? Math.max(0, Math.min(1, left / perDay)) : 0;
  put(row.querySelector(".name"), name);
  put(row.querySelector(".count"), `${left < 0 ? "spent;" : `${words(left)} left,`} ${words(perDay)} a day`);
  setMeter(row.querySelector(".meter"), `${name} left`, part * 100);
}
