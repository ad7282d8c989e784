// The sheet about one app: why it stands as it does, what it is allowed, and what has happened.

import { closeDialogs, showModal } from "./dialogs.js";
import { draw } from "./drawing.js";
import { $, button, keep, keepSentences, make, put, span } from "./elements.js";
import { buildAppFetches, drawAppFetches } from "./fetching.js";
import { apps, known } from "./known.js";
import { tile } from "./pictures.js";
import { lookAgain } from "./refreshes.js";
import { openApp } from "./screen.js";
import { inOrder, seek, want } from "./server.js";
import { buildSwitch, changeSettings } from "./switches.js";
import { local, when } from "./words.js";

const recordsMax = 50;
const permissions = {
  backgroundRefresh: "Background App Refresh", alerts: "Banners", sounds: "Sounds", badges: "Badges",
};

// Of the app whose sheet is open.
let reasons = [];
let records = null;

export function showAbout(id) {
  [known.about, reasons, records] = [id, [], null];
  $("about").querySelector(".body").replaceChildren();
  showModal($("about"));
  draw();
  explain(id);
  lookAgain();
}

const seekReasons = inOrder(
  (app) => Promise.all([seek("WhyApp", { app }), seek("ListRecords", { app, limit: recordsMax })]));

// Asks why an app stands as it does.
export async function explain(id) {
  const answers = await seekReasons(id);
  if (known.about !== id || !answers) return;
  const [why, history] = answers;
  [reasons, records] = [(why?.sentences ?? []).map(local), history?.records ?? null];
  draw();
}

export function drawAbout(body) {
  const app = apps.get(known.about);
  if (!app) return;
  put($("about-title"), app.name);
  if (!body.firstChild) buildAbout(body, app);
  put(body.querySelector(".head .name"), app.name);
  put(body.querySelector(".doing"), app.pid ? `Process ${app.pid}` : "");
  keepSentences(body.querySelector(".why"), reasons);
  drawPermissions(body.querySelector(".permissions"), app);
  drawAppFetches(body.querySelector(".fetching"), app);
  drawHistory(body.querySelector(".history"));
  body.querySelector("[data-deed=open]").disabled = !app.path;
  body.querySelector("[data-deed=end]").disabled = !app.path || ["notRunning", "ending"].includes(app.state);
}

function buildAbout(body, app) {
  const openIt = () => {
    closeDialogs();
    openApp(app.id);
  };
  const endIt = () => want("Terminate", { app: app.id });
  body.append(
    buildHead(app), make("h3", {}, "Why"), make("ul", { className: "rows why" }),
    make(
      "div", { className: "deeds" }, button("deed", openIt, { data: { deed: "open" } }, "Open"),
      button("deed danger", endIt, { data: { deed: "end" } }, "End it")),
    // Parts that load later stand below the buttons, so that nothing moves away under a finger.
    buildPermissions(app), buildAppFetches(app),
    make("div", { className: "history" }, make("h3", {}, "What happened"), make("ul", { className: "rows" })));
}

function buildHead(app) {
  const words = make(
    "div", {}, make("p", { className: "name" }), make("p", { className: "more doing" }),
    make("code", {}, app.id));
  return make("div", { className: "head" }, tile(app), words);
}

function buildPermissions(app) {
  const switches = Object.entries(permissions).map(([name, label]) => {
    const row = buildSwitch(label, (value) => changeSettings({ app: app.id, [name]: value }));
    row.dataset.permission = name;
    return row;
  });
  return make(
    "div", { className: "permissions" }, make("h3", {}, "Allowed"), make("div", { className: "rows" }, ...switches));
}

function drawPermissions(part, app) {
  const own = known.settings?.apps.find((entry) => entry.app === app.id);
  part.hidden = !own;
  if (!own) return;
  for (const row of part.querySelectorAll("[data-permission]")) {
    row.querySelector("input").checked = own[row.dataset.permission];
  }
}

function drawHistory(part) {
  part.hidden = !records?.length;
  const newestFirst = (records ?? []).toReversed();
  keep(part.querySelector("ul"), newestFirst, (record) => `${record.at} ${record.sentence}`, buildRecord, updateRecord);
}

const buildRecord = () => make("li", { className: "row" }, span("text"), span("value"));

function updateRecord(row, record) {
  put(row.querySelector(".text"), `It ${record.sentence}.`);
  put(row.querySelector(".value"), when(record.at));
}
