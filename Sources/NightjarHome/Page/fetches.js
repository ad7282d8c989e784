// Background fetch: what was learned about each app's day, when it is refreshed, the outcomes, and why it is not
// refreshed now. Loaded before home.js, whose functions it calls once there is something to draw.
"use strict";

const fetches = new Map();
const decisions = new Map();
const habits = new Map();
// The fetches that a person has requested on this page, and their outcomes, in words.
const asked = new Map();
let budget = null;
let nextLook = null;

const halfHour = 1800000;
const decisionTick = 300000; // The daemon foresees windows by five minutes.
const day = 48 * halfHour;
const decisionsMax = 2000;

// ---- What is known ----

async function listFetches() {
  const found = await seek("ListFetches");
  if (!found) return;
  fetches.clear();
  for (const entry of found.apps) fetches.set(entry.app, entry);
  [budget, nextLook] = [found.budget, found.nextLook ?? null];
}

// Lists decisions from the newest back. If there are very many, the last ones are enough.
async function listDecisions() {
  let found = [];
  for (let page = 0; page < pagesMax && found.length < decisionsMax; page += 1) {
    const before = found.length ? found[0].number : Number.MAX_SAFE_INTEGER;
    const older = await seek("ListFetchDecisions", { before, limit: 500 });
    if (!older) return;
    if (!older.decisions.length) break;
    found = [...older.decisions, ...found];
  }
  decisions.clear();
  for (const decision of found) learnDecision(decision);
}

async function listHabits() {
  const found = await seek("ShowHabits");
  if (!found) return;
  habits.clear();
  for (const entry of found.apps) habits.set(entry.app, entry);
}

function learnDecision(decision) {
  decisions.set(decision.number, decision);
  if (decisions.size > decisionsMax) decisions.delete(decisions.keys().next().value);
}

let isLooking = false;

// Requests the present state soon, once for all changes, while it is shown.
function lookAgain() {
  if (isLooking || document.hidden || !($("fetches").open || $("settings").open || about)) return;
  isLooking = true;
  setTimeout(async () => {
    isLooking = false;  // Later changes may be missing in the answers, and are another reason to look.
    await Promise.all([listFetches(), listHabits(), listSettings()]);
    draw();
  }, 250);
}

document.addEventListener("visibilitychange", lookAgain);

// ---- Words ----

const outcomes = { newData: "new content", noData: "nothing new", failed: "failed", late: "came too late" };
// A task of BGTaskScheduler reports only whether it was completed.
const taskOutcomes = { newData: "completed", noData: "completed", failed: "not completed", late: "not completed in time" };
const outcomeWords = ({ request, outcome }) => (request == null ? outcomes : taskOutcomes)[outcome];
const percent = (part) => `${Math.round(part * 100)} %`;
const wasMade = (decision) => decision.verdict !== "waits";
// Whether the app's content was refreshed. Of the tasks, the rule refreshes by some, in a window; the others are upkeep.
const isFetch = (decision) => wasMade(decision) && (decision.request == null || decision.window != null);

const clock = (date) => date.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
const hourOf = (date) => date.toLocaleTimeString([], { hour: "numeric" });
const inDay = (halfHours) => new Date(2001, 0, 1, 0, halfHours * 30);
const timeOfDay = (halfHours) => clock(inDay(halfHours));
const fromTo = ([from, to]) => `${when(from)} to ${clock(new Date(to))}`;

// Stretches of one step's length that begin at these places, joined where they touch, as pairs of beginning and end.
function spans(places, step) {
  const found = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    if (found.length && place <= found.at(-1)[1]) found.at(-1)[1] = place + step;
    else found.push([place, place + step]);
  }
  return found;
}

// When an app is mostly used: the half hours that are at least half as likely as the likeliest.
function usualTimes(likelihoods) {
  const most = Math.max(...likelihoods);
  if (!(most >= 0.01)) return "not used as far as is known";
  const likely = [...likelihoods.keys()].filter((index) => likelihoods[index] >= most / 2);
  const times = spans(likely, 1).slice(0, 6).map(([from, to]) => `${timeOfDay(from)} to ${timeOfDay(to)}`);
  return `mostly used ${times.join(", ")}; at most ${percent(most)} likely in half an hour`;
}

// Replaces the daemon's timestamps (RFC 3339, UTC) by local times for people.
const local = (sentence) => sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => when(Date.parse(moment)));

function windowWords(entry) {
  if (!entry.windows.length) return entry.nextWindow == null ? "" : when(entry.nextWindow);
  return spans(entry.windows, decisionTick).slice(0, 6).map(fromTo).join(", ");
}

// The state of an app's background fetch in a sentence: under way, blocked, or waiting for its moment.
function standing(entry) {
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

function lastWords(entry) {
  if (entry.lastBegin == null) return "Not fetched yet.";
  const outcome = entry.lastOutcome ? `: ${outcomes[entry.lastOutcome]}` : "";
  return `Fetched at ${when(entry.lastBegin)}${outcome}.`;
}

function costWords(cost) {
  const [wall, processor] = [cost.wallMs / 1000, cost.cpuMs / 1000].map((seconds) => `${seconds.toFixed(seconds < 1 ? 2 : seconds < 10 ? 1 : 0)} s`);
  const parts = [wall, cost.cpuMs ? `${processor} of the processor` : null];
  parts.push(cost.received ? `${bytes(cost.received)} received` : null, cost.sent ? `${bytes(cost.sent)} sent` : null);
  parts.push(cost.joules > 0 ? `about ${cost.joules.toFixed(cost.joules < 10 ? 1 : 0)} J` : null);
  return parts.filter(Boolean).join(", ");
}

// ---- Pictures ----

function shape(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Redraws a picture only if its data has changed; `words` is its text for screen readers.
function picture(svg, words, facts, build) {
  flag(svg, "aria-label", words);
  const key = JSON.stringify(facts);
  if (svg.drawn === key) return;
  svg.drawn = key;
  svg.replaceChildren(...build());
}

const plot = (kind) => shape("svg", { class: `plot ${kind}`, role: "img" });
const across = (part) => `${(part * 100).toFixed(2)}%`;

// A mark for each outcome, distinguished by shape alone: full, hollow, crossed, a triangle, dotted while it runs.
function outcomeMark(outcome, x, y, words) {
  const forms = {
    newData: ["circle", { r: 4.5 }], noData: ["circle", { r: 4 }], failed: ["path", { d: "M-4-4 4 4M4-4-4 4" }],
    late: ["path", { d: "M0-5 5 4H-5z" }], underWay: ["circle", { r: 4.5, "stroke-dasharray": "2 2" }],
  };
  const [tag, attributes] = forms[outcome] ?? forms.underWay;
  const mark = shape(tag, { class: `mark ${outcome}`, ...attributes });
  if (words) mark.append(shape("title", {}, words));
  return shape("svg", { x, y, overflow: "visible" }, mark);
}

// What was learned about a day: a bar for each half hour.
function drawDay(svg, name, likelihoods, top) {
  const now = new Date();
  const isToday = [0, 6].includes(now.getDay()) === (name === "Weekend");
  const place = isToday ? (now.getHours() * 60 + now.getMinutes()) / 1440 : null;
  picture(svg, `${name}: ${usualTimes(likelihoods)}`, [likelihoods, top, place], () => {
    const bars = likelihoods.map((part, index) => bar(index, part / top, `${timeOfDay(index)}: ${percent(part)}`));
    const ticks = [0, 6, 12, 18, 24].map((hour) => tick(hour / 24, 64, hourOf(inDay(hour * 2)), hour === 0 ? "start" : hour === 24 ? "end" : "middle"));
    return [...bars, line("base", 0, 64, 1, 64), ...ticks, ...(isToday ? [line("now", place, 2, place, 64)] : [])];
  });
}

function bar(index, part, words) {
  const tall = part > 0 ? Math.max(1, Math.min(1, part) * 60) : 0;
  const box = { class: "bar", x: across(index / 48), y: 64 - tall, width: across(0.8 / 48), height: tall.toFixed(1) };
  return shape("rect", box, shape("title", {}, words));
}

const line = (kind, x1, y1, x2, y2) => shape("line", { class: kind, x1: across(x1), y1, x2: across(x2), y2 });
const tick = (x, y, words, anchor) => shape("text", { x: across(x), y: y + 15, "text-anchor": anchor }, words);

// A day back and a day ahead: how likely the app is used, the windows foreseen, and the fetches with their outcomes.
function drawTimeline(svg, entry) {
  const now = Math.floor(Date.now() / 60000) * 60000;
  const made = [...decisions.values()].filter((decision) => decision.app === entry.app && isFetch(decision) && decision.at > now - day);
  const facts = [now, entry.windows, habits.get(entry.app)?.weekday, habits.get(entry.app)?.weekend, made.map(({ at, outcome }) => [at, outcome])];
  picture(svg, timelineWords(entry, made), facts, () => {
    const part = (moment) => (moment - now + day) / (2 * day);
    const foreseen = spans(entry.windows, decisionTick).filter(([from]) => from < now + day).map(([from, to]) => {
      const [start, end] = [Math.max(part(from), 0.5), Math.min(part(to), 1)];
      const place = { x: across(start), y: 4, width: across(Math.max(end - start, 0.004)) };
      return shape("g", { class: "window" }, shape("rect", { ...place, height: 60 }), shape("rect", { ...place, class: "cap", height: 3 }), shape("title", {}, `Foreseen: ${fromTo([from, to])}`));
    });
    const marks = made.map((decision) => outcomeMark(decision.outcome ?? "underWay", across(part(decision.at)), 74, `${when(decision.at)}: ${outcomeWords(decision) ?? "under way"}`));
    return [...foreseen, ...learnedBars(entry.app, now, part), line("base", 0, 64, 1, 64), ...hourTicks(now, part), line("now", 0.5, 2, 0.5, 82), ...marks];
  });
}

// All bars are one path, so that a screen full of apps stays light.
function learnedBars(app, now, part) {
  const learned = habits.get(app);
  if (!learned) return [];
  const top = topOf(learned);
  let path = "";
  const first = new Date(now - day);
  first.setMinutes(first.getMinutes() < 30 ? 0 : 30, 0, 0);
  for (let moment = first.getTime() + halfHour; moment < now + day; moment += halfHour) {
    const date = new Date(moment);
    const likelihoods = [0, 6].includes(date.getDay()) ? learned.weekend : learned.weekday;
    const likelihood = likelihoods[date.getHours() * 2 + (date.getMinutes() < 30 ? 0 : 1)] ?? 0;
    if (likelihood > 0) path += `M${(part(moment) * 96).toFixed(2)} 54v-${Math.min(54, Math.max(1, (likelihood / top) * 54)).toFixed(1)}h.8V54`;
  }
  const box = { y: 10, width: "100%", height: 54, viewBox: "0 0 96 54", preserveAspectRatio: "none" };
  return [shape("svg", box, shape("path", { class: "bar", d: path }))];
}

const topOf = (learned) => Math.max(0.1, ...learned.weekday, ...learned.weekend);

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
  const past = made.length ? `${made.length} ${made.length === 1 ? "fetch" : "fetches"} in the last day, the latest: ${last.join(", ")}` : "No fetch in the last day";
  const ahead = windowWords(entry);
  return `${past}. ${ahead ? `Foreseen: ${ahead}` : "None foreseen in the coming day"}.`;
}

// ---- The sheet of all apps ----

function drawFetches(body) {
  if (!body.firstChild) buildFetches(body);
  body.querySelector(".all").hidden = !settings;
  if (settings) body.querySelector(".all input").checked = settings.backgroundRefresh;
  const all = [...fetches.values()].filter((entry) => apps.has(entry.app)).sort((a, b) => b.allowed - a.allowed || a.name.localeCompare(b.name));
  body.querySelector(".none").hidden = all.length > 0;
  body.querySelector(".legend").hidden = !all.length;
  keep(body.querySelector(".cards"), all, (entry) => entry.app, buildFetch, updateFetch);
  drawBudget(body.querySelector(".budget"));
}

function buildFetches(body) {
  const legend = Object.entries(outcomes).map(([outcome, word]) =>
    make("li", {}, shape("svg", { class: "plot key", "aria-hidden": "true" }, outcomeMark(outcome, 7, 7)), word));
  for (const [kind, word] of [["window", "foreseen"], ["bar", "how likely it is used"]]) {
    legend.push(make("li", {}, shape("svg", { class: "plot key", "aria-hidden": "true" }, shape("g", { class: kind }, shape("rect", { x: 2, y: 2, width: 10, height: 10 }))), word));
  }
  body.append(
    make("div", { className: "rows all" }, buildSwitch("Background App Refresh", (value) => change({ backgroundRefresh: value }))),
    make("ul", { className: "legend", "aria-label": "Marks" }, ...legend),
    make("div", { className: "cards" }),
    make("p", { className: "note none" }, "No app has asked to be refreshed. Weather does, of the examples."),
    make("div", { className: "budget" }, make("h3", {}, "What fetches may cost"), make("div", { className: "rows" }), make("p", { className: "note" })));
}

function buildFetch(entry) {
  const app = apps.get(entry.app);
  return make(
    "section", { className: "rows fetch", data: { app: entry.app } },
    make(
      "button", { className: "row", type: "button", on: { click: () => showAbout(entry.app) } }, tile(app),
      make("span", { className: "text" }, make("span", { className: "name", dir: "auto" }), make("span", { className: "more" })), make("span", { className: "chevron", "aria-hidden": "true" })),
    make("div", { className: "pane" }, plot("timeline"), buildNow(entry.app)));
}

function buildNow(app) {
  return make(
    "div", { className: "bottom" }, make("span", { className: "verdict", role: "status" }),
    make("button", { className: "small now-button", type: "button", on: { click: () => fetchNow(app) } }, "Fetch now"));
}

function updateFetch(card, entry) {
  flag(card, "aria-label", entry.name);
  put(card.querySelector(".name"), entry.name);
  put(card.querySelector(".more"), lastWords(entry));
  drawTimeline(card.querySelector(".timeline"), entry);
  updateNow(card, entry);
}

function updateNow(place, entry) {
  put(place.querySelector(".verdict"), asked.get(entry.app) || standing(entry));
  const button = place.querySelector(".now-button");
  flag(button, "aria-label", `Fetch now: ${entry.name}`);
  button.disabled = entry.underWay || asked.get(entry.app) === "";
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
  }, 15000);
  lookAgain();
  draw();
}

function drawBudget(part) {
  part.hidden = !(budget?.fetches.perDay > 0);
  if (part.hidden) return;
  const rows = [
    ["Fetches", budget.fetches, (count) => String(Math.round(count * 10) / 10)], ["Energy", budget.joules, (count) => `${Math.round(count)} J`],
    ["Data", budget.bytes, (count) => bytes(Math.max(0, count))]];
  keep(part.querySelector(".rows"), rows, ([name]) => name, buildBalance, updateBalance);
  const look = nextLook == null ? "Looked at again when something happens." : `Looked at again at ${when(nextLook)}.`;
  put(part.querySelector(".note"), `A fetch has to be worth ${budget.threshold.toFixed(3)} just now. ${look}`);
}

const buildBalance = () => make("div", { className: "balance" }, make("span", { className: "name" }), make("span", { className: "count" }), make("div", { className: "meter", role: "progressbar" }, make("i")));

function updateBalance(row, [name, balance, words]) {
  const part = balance.perDay > 0 ? Math.max(0, Math.min(1, balance.left / balance.perDay)) : 0;
  put(row.querySelector(".name"), name);
  put(row.querySelector(".count"), balance.left < 0 ? `spent; ${words(balance.perDay)} a day` : `${words(balance.left)} left, ${words(balance.perDay)} a day`);
  const meter = row.querySelector(".meter");
  meter.style.setProperty("--done", (part * 100).toFixed(1));
  for (const [attribute, value] of [["aria-label", `${name} left`], ["aria-valuemin", 0], ["aria-valuemax", 100], ["aria-valuenow", Math.round(part * 100)]]) flag(meter, attribute, value);
}

// ---- The part about one app ----

function buildAppFetches(app) {
  return make(
    "div", { className: "fetching" },
    make("div", { className: "own" }, make("h3", {}, "Background fetch"), make("div", { className: "rows" }, make("div", { className: "pane" }, plot("timeline"), buildNow(app.id))), make("ul", { className: "rows why facts" })),
    make(
      "div", { className: "learned" }, make("h3", {}, "The learned day"),
      make("div", { className: "rows" }, ...["Weekday", "Weekend"].map((name) => make("figure", { className: "pane", data: { day: name } }, make("figcaption", {}, name), plot("day")))),
      make("div", { className: "deeds" }, buildForget(app))),
    make("div", { className: "made" }, make("h3", {}, "Decisions"), make("ul", { className: "rows" })));
}

// Forgetting cannot be undone, so it takes two presses.
function buildForget(app) {
  const words = "Forget what was learned";
  const press = async () => {
    if (button.dataset.sure !== "true") {
      [button.dataset.sure, button.textContent] = ["true", "Really forget it?"];
      return;
    }
    [button.dataset.sure, button.textContent] = ["false", words];
    if (await want("ForgetHabits", { app: app.id })) lookAgain();
  };
  const button = make("button", { className: "deed danger forget", type: "button", on: { click: press } }, words);
  button.addEventListener("blur", () => ([button.dataset.sure, button.textContent] = ["false", words]));
  return button;
}

function drawAppFetches(part, app) {
  const [entry, learned] = [fetches.get(app.id), habits.get(app.id)];
  part.querySelector(".own").hidden = !entry;
  if (entry) {
    drawTimeline(part.querySelector(".timeline"), entry);
    updateNow(part, entry);
    keep(part.querySelector(".facts"), factsOf(entry), (fact) => fact, () => make("li"), put);
  }
  part.querySelector(".learned").hidden = !learned?.launches;
  if (learned?.launches) {
    for (const [name, likelihoods] of [["Weekday", learned.weekday], ["Weekend", learned.weekend]]) {
      drawDay(part.querySelector(`[data-day=${name}] svg`), name, likelihoods, topOf(learned));
    }
  }
  drawDecisions(part.querySelector(".made"), app.id);
}

// All that is known about an app's fetches, in sentences.
function factsOf(entry) {
  const counts = Object.entries(outcomes).filter(([outcome]) => entry[outcome]).map(([outcome, words]) => `${entry[outcome]} ${words}`);
  const score = entry.score;
  return [
    ...entry.blockers.slice(1).map((blocker) => local(blocker.sentence)),
    score && `A fetch is worth ${score.score.toFixed(3)} now and has to be worth ${score.threshold.toFixed(3)}: the app is used within half an hour with ${percent(score.probability)}, its content is ${duration(score.ageMinutes * 60)} old and changes ${score.updatesPerHour.toFixed(1)} times an hour, and a fetch would bring ${percent(score.value)} of that.`,
    entry.windows.length ? `Fetches are likely ${windowWords(entry)}.` : null,
    entry.interval != null ? `It wants ${entry.interval > 0 ? `${duration(entry.interval)} between two fetches at least` : "to be fetched as often as may be"}.` : null,
    counts.length ? `All its fetches: ${counts.join(", ")}${entry.failures ? `; ${entry.failures} failed in a row` : ""}.` : null,
    counts.length ? `They took ${costWords(entry.cost)}.` : null,
    ...entry.requests.map((request) => `It has asked for “${request.identifier}” (${request.kind}${request.earliestBegin == null ? "" : `, not before ${when(request.earliestBegin)}`}${request.network ? ", with a network" : ""}${request.power ? ", with power" : ""}).${waits(request, entry)}`),
  ].filter(Boolean);
}

// What blocks a task beyond what blocks its app.
function waits(request, entry) {
  const others = (request.blockers ?? []).filter(({ code }) => !entry.blockers.some((blocker) => blocker.code === code));
  return others.map((blocker) => ` ${local(blocker.sentence)}`).join("");
}

function decisionWords(decision) {
  const sentence = local(decision.sentence);
  if (!decision.outcome) return `It ${sentence}.`;
  return `It ${sentence}: ${outcomeWords(decision)}${decision.cost ? ` in ${costWords(decision.cost)}` : ""}.`;
}

function drawDecisions(part, app) {
  const own = [...decisions.values()].filter((decision) => decision.app === app).slice(-40).reverse();
  part.hidden = !own.length;
  const build = () => make("li", { className: "row" }, shape("svg", { class: "plot key", "aria-hidden": "true" }), make("span", { className: "text" }), make("span", { className: "value" }));
  keep(part.querySelector("ul"), own, (decision) => decision.number, build, (row, decision) => {
    const outcome = wasMade(decision) ? decision.outcome ?? "underWay" : null;
    const svg = row.querySelector("svg");
    if (svg.drawn !== outcome) svg.replaceChildren(...(outcome ? [outcomeMark(outcome, 7, 7)] : []));
    svg.drawn = outcome;
    put(row.querySelector(".text"), decisionWords(decision));
    put(row.querySelector(".value"), when(decision.at));
  });
}
