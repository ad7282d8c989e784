// What is known about an app's background fetch, in sentences.

import { costWords, outcomes, percent, windowWords } from "./outcomes.js";
import { duration, local, when } from "./words.js";

// All that is known about an app's fetches, in sentences.
export function factsOf(entry) {
  return [
    ...entry.blockers.slice(1).map((blocker) => local(blocker.sentence)),
    entry.score ? scoreWords(entry.score) : null,
    entry.windows.length ? `Fetches are likely ${windowWords(entry)}.` : null,
    entry.interval != null ? `It wants ${intervalWords(entry.interval)}.` : null,
    ...countsOf(entry),
    ...entry.requests.map((request) => `It has asked for ${requestWords(request)}.${waits(request, entry)}`),
  ].filter(Boolean);
}

function scoreWords({ score, threshold, probability, ageMinutes, updatesPerHour, value }) {
  return `A fetch is worth ${score.toFixed(3)} now and has to be worth ${threshold.toFixed(3)}: `
    + `the app is used within half an hour with ${percent(probability)}, `
    + `its content is ${duration(ageMinutes * 60)} old and changes ${updatesPerHour.toFixed(1)} times an hour, `
    + `and a fetch would bring ${percent(value)} of that.`;
}

function intervalWords(interval) {
  return interval > 0 ? `${duration(interval)} between two fetches at least` : "to be fetched as often as may be";
}

function countsOf(entry) {
  const counts = Object.entries(outcomes).filter(([outcome]) => entry[outcome]);
  if (!counts.length) return [];
  const words = counts.map(([outcome, word]) => `${entry[outcome]} ${word}`).join(", ");
  const row = entry.failures ? `; ${entry.failures} failed in a row` : "";
  return [`All its fetches: ${words}${row}.`, `They took ${costWords(entry.cost)}.`];
}

function requestWords({ identifier, kind, earliestBegin, network, power }) {
  const terms = [
    kind,
    earliestBegin == null ? null : `not before ${when(earliestBegin)}`,
    network ? "with a network" : null,
    power ? "with power" : null,
  ];
  return `“${identifier}” (${terms.filter(Boolean).join(", ")})`;
}

// What blocks a task beyond what blocks its app.
function waits(request, entry) {
  const known = new Set(entry.blockers.map((blocker) => blocker.code));
  const others = (request.blockers ?? []).filter(({ code }) => !known.has(code));
  return others.map((blocker) => ` ${local(blocker.sentence)}`).join("");
}
