// The part of an app's sheet about background fetch: how it stands, what was learned of the app's day, and what was
// decided.

import { drawDay, topOf } from "./day.js";
import { button, keep, keepSentences, make, put, span } from "./elements.js";
import { factsOf } from "./facts.js";
import { buildNow, updateNow } from "./fetchnow.js";
import { costWords, outcomeWords } from "./outcomes.js";
import { key, outcomeMark, plot } from "./plots.js";
import { decisions, fetches, habits, lookAgain, wasMade } from "./refreshes.js";
import { want } from "./server.js";
import { drawTimeline } from "./timeline.js";
import { local, when } from "./words.js";

const decisionsShown = 40;

export function buildAppFetches(app) {
  const timeline = make("div", { className: "pane" }, plot("timeline"), buildNow(app.id));
  const days = ["Weekday", "Weekend"].map((name) =>
    make("figure", { className: "pane", data: { day: name } }, make("figcaption", {}, name), plot("day")));
  return make(
    "div", { className: "fetching" },
    make(
      "div", { className: "own" }, make("h3", {}, "Background fetch"), make("div", { className: "rows" }, timeline),
      make("ul", { className: "rows why facts" })),
    make(
      "div", { className: "learned" }, make("h3", {}, "The learned day"),
      make("div", { className: "rows" }, ...days), make("div", { className: "deeds" }, buildForget(app))),
    make("div", { className: "made" }, make("h3", {}, "Decisions"), make("ul", { className: "rows" })));
}

// Forgetting cannot be undone, so it takes two presses.
function buildForget(app) {
  let isSure = false;
  const sayWhether = (sure) => {
    isSure = sure;
    put(forget, sure ? "Really forget it?" : "Forget what was learned");
  };
  const press = async () => {
    const isMeant = isSure;
    sayWhether(!isMeant);
    if (isMeant && await want("ForgetHabits", { app: app.id })) lookAgain();
  };
  const forget = button("deed danger forget", press);
  forget.addEventListener("blur", () => sayWhether(false));
  sayWhether(false);
  return forget;
}

export function drawAppFetches(part, app) {
  const [entry, learned] = [fetches.get(app.id), habits.get(app.id)];
  part.querySelector(".own").hidden = !entry;
  if (entry) {
    drawTimeline(part.querySelector(".timeline"), entry);
    updateNow(part, entry);
    keepSentences(part.querySelector(".facts"), factsOf(entry));
  }
  part.querySelector(".learned").hidden = !learned?.launches;
  if (learned?.launches) {
    for (const [name, likelihoods] of [["Weekday", learned.weekday], ["Weekend", learned.weekend]]) {
      drawDay(part.querySelector(`[data-day=${name}] svg`), name, likelihoods, topOf(learned));
    }
  }
  drawDecisions(part.querySelector(".made"), app.id);
}

function drawDecisions(part, app) {
  const own = [...decisions.values()].filter((decision) => decision.app === app).slice(-decisionsShown).reverse();
  part.hidden = !own.length;
  keep(part.querySelector("ul"), own, (decision) => decision.number, buildDecision, updateDecision);
}

const buildDecision = () => make("li", { className: "row" }, key(), span("text"), span("value"));

function updateDecision(row, decision) {
  const outcome = wasMade(decision) ? decision.outcome ?? "underWay" : null;
  const svg = row.querySelector("svg");
  if (svg.drawn !== outcome) svg.replaceChildren(...(outcome ? [outcomeMark(outcome, 7, 7)] : []));
  svg.drawn = outcome;
  put(row.querySelector(".text"), decisionWords(decision));
  put(row.querySelector(".value"), when(decision.at));
}

function decisionWords(decision) {
  const sentence = local(decision.sentence);
  if (!decision.outcome) return `It ${sentence}.`;
  return `It ${sentence}: ${outcomeWords(decision)}${decision.cost ? ` in ${costWords(decision.cost)}` : ""}.`;
}
