// Words on background fetch: when, why, and what came of it.

import { asked, decisions, wasMade } from "./refreshes.js";
import { bytes, clock, local, when } from "./words.js";

export const outcomes = { newData: "new content", noData: "nothing new", failed: "failed", late: "came too late" };

// A task of BGTaskScheduler reports only whether it was completed.
const taskOutcomes = {
  newData: "completed", noData: "completed", failed: "not completed", late: "not completed in time",
};

export const outcomeWords = ({ request, outcome }) => (request == null ? outcomes : taskOutcomes)[outcome];
export const percent = (part) => `${Math.round(part * 100)} %`;
export const decisionTick = 300000;  // The daemon foresees windows by five minutes.
const spansMax = 6;

// A moment of a day, whichever, that clocks are not put forward or back on.
export const inDay = (halfHours) => new Date(2001, 0, 1, 0, halfHours * 30);
export const timeOfDay = (halfHours) => clock(inDay(halfHours));
export const fromTo = ([from, to]) => `${when(from)} to ${clock(new Date(to))}`;

// Stretches of one step's length that begin at these places, joined where they touch, as pairs of beginning and end.
export function spans(places, step) {
  const found = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    if (found.length && place <= found.at(-1)[1]) found.at(-1)[1] = place + step;
    else found.push([place, place + step]);
  }
  return found;
}

// When an app is mostly used: the half hours that are at least half as likely as the likeliest.
export function usualTimes(likelihoods) {
  const most = Math.max(...likelihoods);
  if (!(most >= 0.01)) return "not used as far as is known";
  const likely = [...likelihoods.keys()].filter((index) => likelihoods[index] >= most / 2);
  const times = spans(likely, 1).slice(0, spansMax).map(([from, to]) => `${timeOfDay(from)} to ${timeOfDay(to)}`);
  return `mostly used ${times.join(", ")}; at most ${percent(most)} likely in half an hour`;
}

export function windowWords(entry) {
  if (!entry.windows.length) return entry.nextWindow == null ? "" : when(entry.nextWindow);
  return spans(entry.windows, decisionTick).slice(0, spansMax).map(fromTo).join(", ");
}

// The state of an app's background fetch in a sentence: under way, blocked, or waiting for its moment.
export function standing(entry) {
  if (entry.underWay || asked.get(entry.app) === "") return doing(entry.app);
  if (entry.blockers.length) return local(entry.blockers[0].sentence);
  if (!entry.score) return upkeep(entry.requests);
  return entry.nextWindow == null ? "Waits for a good moment." : `Next likely at ${when(entry.nextWindow)}.`;
}

// What an app does just now: the latest that was decided.
function doing(app) {
  const last = [...decisions.values()].findLast((decision) => decision.app === app && wasMade(decision));
  return last?.request == null || last.outcome ? "Fetching now…" : `Runs the task “${last.request}” now…`;
}

// The state of an app that asks only for upkeep.
function upkeep(requests) {
  const task = requests.find(({ blockers }) => blockers?.length);
  return task ? `“${task.identifier}”: ${local(task.blockers[0].sentence)}` : "Nothing to do.";
}

export function lastWords(entry) {
  if (entry.lastBegin == null) return "Not fetched yet.";
  const outcome = entry.lastOutcome ? `: ${outcomes[entry.lastOutcome]}` : "";
  return `Fetched at ${when(entry.lastBegin)}${outcome}.`;
}

export function costWords(cost) {
  return [
    secondsOf(cost.wallMs),
    cost.cpuMs ? `${secondsOf(cost.cpuMs)} of the processor` : null,
    cost.received ? `${bytes(cost.received)} received` : null,
    cost.sent ? `${bytes(cost.sent)} sent` : null,
    cost.joules > 0 ? `about ${cost.joules.toFixed(cost.joules < 10 ? 1 : 0)} J` : null,
  ].filter(Boolean).join(", ");
}

function secondsOf(milliseconds) {
  const seconds = milliseconds / 1000;
  return `${seconds.toFixed(seconds < 1 ? 2 : seconds < 10 ? 1 : 0)} s`;
}
