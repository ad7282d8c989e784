// A day back and a day ahead, as a picture: how likely an app is used, the windows foreseen, and the fetches with their
// outcomes.

import { topOf } from "./day.js";
import { decisionTick, fromTo, outcomeWords, spans, windowWords } from "./outcomes.js";
import { across, hourOf, line, outcomeMark, picture, shape, tick } from "./plots.js";
import { decisions, habits, isFetch } from "./refreshes.js";
import { when } from "./words.js";

const halfHour = 1800000;
const day = 48 * halfHour;

export function drawTimeline(svg, entry) {
  const now = Math.floor(Date.now() / 60000) * 60000;
  const learned = habits.get(entry.app);
  const own = [...decisions.values()].filter((decision) => decision.app === entry.app && isFetch(decision));
  const made = own.filter((decision) => decision.at > now - day);
  const facts = [now, entry.windows, learned, made.map(({ at, outcome }) => [at, outcome])];
  picture(svg, timelineWords(entry, made), facts, () => {
    const part = (moment) => (moment - now + day) / (2 * day);
    const windows = spans(entry.windows, decisionTick).filter(([from]) => from < now + day);
    return [
      ...windows.map((stretch) => foreseen(stretch, part)), ...learnedBars(learned, now, part),
      line("base", 0, 64, 1, 64), ...hourTicks(now, part), line("now", 0.5, 2, 0.5, 82),
      ...made.map((decision) => fetchMark(decision, part)),
    ];
  });
}

function foreseen([from, to], part) {
  const [start, end] = [Math.max(part(from), 0.5), Math.min(part(to), 1)];
  const place = { x: across(start), y: 4, width: across(Math.max(end - start, 0.004)) };
  return shape(
    "g", { class: "window" }, shape("rect", { ...place, height: 60 }),
    shape("rect", { ...place, class: "cap", height: 3 }), shape("title", {}, `Foreseen: ${fromTo([from, to])}`));
}

function fetchMark(decision, part) {
  const words = `${when(decision.at)}: ${outcomeWords(decision) ?? "under way"}`;
  return outcomeMark(decision.outcome ?? "underWay", across(part(decision.at)), 74, words);
}

// All bars are one path, so that a screen full of apps stays light.
function learnedBars(learned, now, part) {
  if (!learned) return [];
  const top = topOf(learned);
  let path = "";
  const first = new Date(now - day);
  first.setMinutes(first.getMinutes() < 30 ? 0 : 30, 0, 0);
  for (let moment = first.getTime() + halfHour; moment < now + day; moment += halfHour) {
    const date = new Date(moment);
    const likelihoods = [0, 6].includes(date.getDay()) ? learned.weekend : learned.weekday;
    const likelihood = likelihoods[date.getHours() * 2 + (date.getMinutes() < 30 ? 0 : 1)] ?? 0;
    const tall = Math.min(54, Math.max(1, (likelihood / top) * 54));
    if (likelihood > 0) path += `M${(part(moment) * 96).toFixed(2)} 54v-${tall.toFixed(1)}h.8V54`;
  }
  const box = { y: 10, width: "100%", height: 54, viewBox: "0 0 96 54", preserveAspectRatio: "none" };
  return [shape("svg", box, shape("path", { class: "bar", d: path }))];
}

// Midnights and noons, labelled; those at the edge are left out.
function hourTicks(now, part) {
  const ticks = [];
  const date = new Date(now - day);
  date.setHours(date.getHours() < 12 ? 12 : 24, 0, 0, 0);
  for (; date.getTime() < now + day; date.setHours(date.getHours() + 12)) {
    const x = part(date.getTime());
    if (x < 0.06 || x > 0.94) continue;
    const words = date.getHours() === 0 ? date.toLocaleDateString([], { weekday: "short" }) : hourOf(date);
    ticks.push(line("hour", x, 64, x, 68), tick(x, 82, words, "middle"));
  }
  return ticks;
}

function timelineWords(entry, made) {
  const last = made.slice(-5).map((decision) => `${when(decision.at)} ${outcomeWords(decision) ?? "under way"}`);
  const count = `${made.length} ${made.length === 1 ? "fetch" : "fetches"}`;
  const past = made.length ? `${count} in the last day, the latest: ${last.join(", ")}` : "No fetch in the last day";
  const ahead = windowWords(entry);
  return `${past}. ${ahead ? `Foreseen: ${ahead}` : "None foreseen in the coming day"}.`;
}
