// The home screen: draws what the daemon reports, and asks the daemon for what a person does. Only what is shown is
// kept here, and data of apps is only ever set as text.
"use strict";

const $ = (id) => document.getElementById(id);

// Makes an element: properties first, then children; strings become text.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(element.dataset, value);
    else if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name in element && name !== "list" && name !== "role") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

// Keeps the children of a list in step with items: each item keeps its element while it exists. Removed ones are taken
// out first, so that the others are not moved: a moved element loses the focus, and its frames load again.
function keep(list, items, key, build, update) {
  const wanted = new Set(items.map((item) => String(key(item))));
  const old = new Map();
  for (const child of [...list.children]) {
    if (wanted.delete(child.dataset.key)) old.set(child.dataset.key, child);
    else child.remove();
  }
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    const element = old.get(name) ?? build(item);
    old.delete(name);
    element.dataset.key = name;
    if (element === place) place = place.nextElementSibling;
    else list.insertBefore(element, place);
    update(element, item);
  }
}

// Sets text only if it differs, so that screen readers and selections are not disturbed.
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function flag(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// ---- What is known ----

const apps = new Map();
const transfers = new Map();
const notices = new Map();
const speeds = new Map();
let device = null;
let settings = null;
let recents = null;
let away = "";
let opening = null;
let leaving = null;
let about = null;
let views = new Map();
const missing = new Set();

// ---- The server ----

let token = sessionStorage.getItem("token");

async function ask(path, options = {}) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(path, { ...options, headers, cache: "no-store" });
  if (response.status === 401) {
    lock();
    throw { code: "noToken", message: "This browser has to be let in again." };
  }
  if (!response.ok) throw await response.json().catch(() => ({ code: "failed", message: response.statusText }));
  return response;
}

const gone = "The home screen's server has gone. Start `nightjar home` again and open the address that it prints.";

// An error in words for people: browsers have their own words for a server that does not answer.
const inWords = (error) => (error instanceof TypeError ? { code: "gone", message: gone } : error);

const patience = 90000;  // A fetch with its launch takes a minute at most.

// Calls a method of the daemon.
async function call(method, parameters = {}) {
  try {
    const options = { method: "POST", body: JSON.stringify(parameters), signal: AbortSignal.timeout(patience) };
    return await (await ask(`api/${method}`, options)).json();
  } catch (error) {
    if (error.name === "TimeoutError") throw { code: "gone", message: "The home screen's server does not answer." };
    if (error.code === "noSuchMethod" || error.code === "unintelligible") missing.add(method);
    throw error.message ? inWords(error) : { code: "gone", message: String(error) };
  }
}

// Calls a method for a person, and shows the reason if it fails.
async function want(method, parameters = {}) {
  try {
    return await call(method, parameters);
  } catch (error) {
    if (error.code !== "noToken") alarm(error.message);
    return null;
  }
}

// Asks for something that an older daemon may not know.
async function seek(method, parameters = {}) {
  if (missing.has(method)) return null;
  return call(method, parameters).catch(() => null);
}

async function enter(code) {
  const response = await fetch("enter", { method: "POST", body: JSON.stringify({ code }) });
  const answer = await response.json();
  if (!response.ok) throw answer;
  token = answer.token;
  sessionStorage.setItem("token", token);
}

// ---- The door ----

function lock() {
  staying.abort();
  token = null;
  sessionStorage.removeItem("token");
  closeDialogs();
  $("device").hidden = true;
  $("door").hidden = false;
  tellTime();
  $("code").focus();
}

function unlock() {
  $("door").hidden = true;
  $("device").hidden = false;
  tellTime();
  follow();
}

$("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  await tryCode($("code").value);
});

async function tryCode(code) {
  put($("refused"), "");
  try {
    await enter(code);
    $("code").value = "";
    unlock();
  } catch (error) {
    refuse(inWords(error).message ?? gone);
  }
}

// Shows why a code was refused; a browser that is in already stays in.
function refuse(words) {
  if (token) {
    unlock();
    return alarm(words);
  }
  lock();
  $("code").select();
  put($("refused"), words);
}

// ---- News ----

let delay = 500;
let staying = new AbortController();  // Aborted when the page is locked, and when a new token is entered.

// Reads the daemon's changes while the browser is let in and the page is visible.
async function follow() {
  staying.abort();
  staying = new AbortController();
  const { signal } = staying;
  for (await seen(); !signal.aborted; await seen()) {
    const hiding = new AbortController();
    let trouble = gone;
    try {
      await readUntil(hiding, signal);
    } catch (error) {
      if (error.code === "crowded") trouble = error.message;
    }
    if (signal.aborted) return;
    if (hiding.signal.aborted) continue;
    setAway(trouble);
    await new Promise((done) => setTimeout(done, delay));
    delay = Math.min(delay * 2, 5000);
  }
}

// Waits until the page is visible.
async function seen() {
  if (document.hidden) await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}

const crowded = "The home screen's server does not answer. Close other windows with this page: a browser has six connections to it for all of them.";

// Reads the stream until it ends, or the page is hidden or left: with streams on all of a browser's six connections no
// page would get other answers. Visible windows can still be too many, which the page then says.
async function readUntil(hiding, left) {
  const leave = () => document.hidden && hiding.abort();
  const silence = setTimeout(() => setAway(crowded), 10000);
  document.addEventListener("visibilitychange", leave);
  try {
    const response = await ask("events", { signal: AbortSignal.any([hiding.signal, left]) });
    clearTimeout(silence);
    delay = 500;
    await read(response.body.getReader());
  } finally {
    clearTimeout(silence);
    document.removeEventListener("visibilitychange", leave);
  }
}

async function read(reader) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) hear(JSON.parse(event.slice("data: ".length)));
  }
}

let waiting = null;

// Handles one event. Events that come while the lists are being fetched wait until these are complete.
function hear(event) {
  if (event.hello) {
    transfers.clear();
    missing.clear();
    waiting = null;
  } else if (event.away !== undefined) setAway(event.away);
  else if (event.trouble != null) setAway(event.trouble);
  else if (event.current) catchUp();
  else if (waiting) waiting.push(event);
  else learn(event, true);
}

async function catchUp() {
  waiting = [];
  const mine = waiting;
  setAway("");
  await Promise.all([listApps(), listDevice(), listTransfers(), listRecents(), listSettings(), listNotices(), listFetches(), listDecisions()]);
  if (waiting !== mine) return;
  waiting = null;
  for (const event of mine) learn(event, false);
  if (["foreground", "notRunning", "ending"].includes(apps.get(opening)?.state)) opening = null;
  // The stream reports no changes from before it began.
  if (about && !apps.has(about)) $("about").close();
  else if (about) explain(about);
  draw();
}

function learn(event, isNew) {
  if (event.transfer) learnTransfer(event.transfer);
  if (event.removed != null) transfers.delete(event.removed);
  if (event.app) learnApp(event.app, isNew);
  if (event.appRemoved != null) forgetApp(event.appRemoved);
  if (event.device) learnDevice(event.device);
  if (event.notice) learnNotice(event.notice, isNew);
  if (event.noticeRemoved != null) forgetNotice(event.noticeRemoved);
  if (event.fetch) learnDecision(event.fetch);
  if (event.fetch || event.device || event.app || event.appRemoved != null) lookAgain();
  draw();
}

function learnTransfer(transfer) {
  const now = performance.now();
  const speed = speeds.get(transfer.id);
  if (transfer.state !== "running") speeds.delete(transfer.id);
  else if (!speed) speeds.set(transfer.id, { at: now, count: transfer.count, rate: null });
  else if (now - speed.at > 400) {
    const rate = (Math.max(0, transfer.count - speed.count) / (now - speed.at)) * 1000;
    speeds.set(transfer.id, { at: now, count: transfer.count, rate: speed.rate == null ? rate : speed.rate * 0.6 + rate * 0.4 });
  }
  transfers.set(transfer.id, transfer);
}

function learnApp(app, isNew) {
  const before = apps.get(app.id);
  apps.set(app.id, app);
  if (opening === app.id && ["foreground", "notRunning", "ending"].includes(app.state)) opening = null;
  if (leaving === app.id && app.state !== "foreground") leaving = null;
  if (isNew && before && before.state !== app.state) say(`${app.name} ${states[app.state]}`);
  if (before?.recent !== app.recent || before?.snapshot !== app.snapshot) listRecents().then(draw);
  if (before && mayBeAnother(before, app)) renewPicture(app);
  if (about === app.id) explain(app.id);
}

// Whether this may be another version of an app: when an upgrade is reported the app does not run, and its transfers
// are unchanged.
function mayBeAnother(before, app) {
  const isQuiet = app.state === "notRunning" && app.transfers === before.transfers && app.waiting === before.waiting;
  return isQuiet || app.name !== before.name || app.path !== before.path;
}

function forgetApp(id) {
  apps.delete(id);
  forgetPicture(id);
  if (about === id) $("about").close();
}

// Notes the device's state. What a locked device hides changes with the lock, and may be hidden while that is unknown:
// then any news of the device may be the end of it.
function learnDevice(found) {
  const wasLocked = device?.locked;
  const shown = $("view").querySelector("iframe")?.link;
  device = found;
  if (device.locked === wasLocked && !shown?.isHidden && !recents?.some((recent) => recent.hidden)) return;
  if (shown?.isHidden) shown.number = null;
  if (recents !== null) listRecents().then(draw);
  else draw();
}

async function listApps() {
  const found = await seek("ListApps");
  if (!found) return;
  apps.clear();
  for (const app of found.apps) {
    apps.set(app.id, app);
    renewPicture(app);  // The stream reports no changes from before it began.
  }
}

async function listDevice() {
  device = (await seek("ShowDevice"))?.device ?? device;
}

const pagesMax = 20;

// Lists transfers, since ended ones are not in the news. If there are very many, the first pages are enough.
async function listTransfers() {
  let after = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const found = await seek("ListTransfers", { after, limit: 500 });
    if (!found) return;
    for (const transfer of found.transfers) if (!transfers.has(transfer.id)) transfers.set(transfer.id, transfer);
    if (found.complete || !found.transfers.length) return;
    after = found.transfers.at(-1).id;
  }
}

async function listRecents() {
  recents = (await seek("ListRecents"))?.recents ?? recents;
}

async function listSettings() {
  settings = (await seek("ListSettings")) ?? settings;
}

async function listNotices() {
  const found = await seek("ListNotices");
  if (!found) return;
  notices.clear();
  for (const notice of found.notices) notices.set(notice.id, notice);
}

function setAway(words) {
  away = words;
  draw();
}

// ---- Words ----

const states = {
  notRunning: "does not run", launching: "is being launched", foreground: "is in the foreground",
  background: "runs in the background", suspended: "is suspended", attached: "is attached", ending: "is ending",
};
const networks = { none: "No network", unmetered: "Unmetered", metered: "Metered", cellular: "Cellular" };

function say(words) {
  put($("said"), words);
}

function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) [count, unit] = [count / 1000, unit + 1];
  return `${unit && count < 100 ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
}

function duration(seconds) {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

// A moment in words for people: the time if it is today, else with the day.
function when(milliseconds) {
  const [date, today] = [new Date(milliseconds), new Date()];
  const time = date.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  const year = date.getFullYear() === today.getFullYear() ? {} : { year: "numeric" };
  return date.toDateString() === today.toDateString() ? time : `${date.toLocaleDateString([], { day: "numeric", month: "short", ...year })}, ${time}`;
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

const isOver = (transfer) => transfer.state === "succeeded" || transfer.state === "failed";
const nameOf = (id) => apps.get(id)?.name ?? (id === "dev.nightjar.cli" ? "Command line" : id);

// The name of a transfer for people: its label, its file, or its address, as on the command line.
function fileName(transfer) {
  if (transfer.label) return transfer.label;
  const file = transfer.destination ?? (transfer.direction === "upload" ? transfer.file : null);
  if (file) return file.split("/").at(-1);
  return decoded(transfer.url.split(/[?#]/)[0].split("/").filter(Boolean).at(-1) ?? transfer.url);
}

// Undoes percent-encoding; a text that does not decode to UTF-8 is left as it is.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// ---- Pictures ----

// Promises of the apps' pictures as URLs, by app.
const pictures = new Map();

// The picture of an app or, if it has none, its first letter on a colour of its own.
function tile(app) {
  const letter = [...(app.name || app.id)][0].toUpperCase();
  const element = make("span", { className: "tile", "aria-hidden": "true", data: { of: app.id, letter } }, letter);
  let hue = 7;
  for (const character of app.id) hue = (hue * 31 + character.codePointAt(0)) % 360;
  element.style.setProperty("--hue", hue);
  if (app.path) {
    if (!pictures.has(app.id)) renewPicture(app);
    pictures.get(app.id).then((url) => paint(element, url));
  }
  return element;
}

// Shows a picture on a tile, or its letter if there is none; elements on the tile stay.
function paint(element, url) {
  element.firstChild.replaceWith(url ? make("img", { src: url, alt: "" }) : element.dataset.letter);
}

// Requests an app's picture, and shows it in place of an earlier one. A missing picture is not remembered: the server
// may have been away.
async function renewPicture({ id, path }) {
  if (!path) return;
  const [former, coming] = [pictures.get(id), fetchPicture(id)];
  pictures.set(id, coming);
  const [old, url] = [await former, await coming];
  if (pictures.get(id) === coming) {
    if (!url) pictures.delete(id);
    for (const element of document.querySelectorAll(`.tile[data-of="${CSS.escape(id)}"]`)) paint(element, url);
  }
  if (old) URL.revokeObjectURL(old);
}

async function forgetPicture(id) {
  const picture = pictures.get(id);
  pictures.delete(id);
  const url = await picture;
  if (url) URL.revokeObjectURL(url);
}

async function fetchPicture(id) {
  try {
    return URL.createObjectURL(await (await ask(`icons/${encodeURIComponent(id)}`)).blob());
  } catch {
    return null;
  }
}

// ---- Drawing ----

let isDue = false;
const manyTransfers = 2000;

// Draws at the next frame, once for all changes. Draws less often in a hidden tab, which gets no frames, and when there
// are very many transfers.
function draw() {
  if (isDue) return;
  isDue = true;
  const isCalm = document.hidden || transfers.size > manyTransfers;
  (isCalm ? (then) => setTimeout(then, 300) : requestAnimationFrame)(() => {
    isDue = false;
    drawBar();
    drawApps();
    drawStage();
    drawCards();
    for (const sheet of Object.keys(sheets)) if ($(sheet).open) sheets[sheet]($(sheet).querySelector(".body"));
  });
}

function drawBar() {
  $("away").hidden = !away;
  put($("away"), away);
  if (!device) return;
  const signal = networks[device.network] ?? device.network;
  put($("signal"), device.constrained ? `${signal}, low data` : signal);
  markSimulated($("signal"), `Network: ${$("signal").textContent}`, ["network", "constrained"]);
  drawPower();
}

// Shows, and says to a screen reader, whether any of these conditions is simulated.
function markSimulated(button, words, names) {
  const isSimulated = device.simulated.some((name) => names.includes(name));
  button.classList.toggle("simulated", isSimulated);
  flag(button, "aria-label", `${words}${isSimulated ? ", simulated" : ""}. Conditions`);
}

function drawPower() {
  const words = [device.locked ? "Locked" : null, device.lowPower ? "Low power" : null];
  const source = device.power === "battery" ? "Battery" : "External power";  // Without a battery nothing charges, either.
  words.push(device.battery == null ? source : `${device.battery} %`);
  if (device.battery != null && device.charging) words.push("charging");
  const text = words.filter(Boolean).join(", ");
  const button = $("power");
  markSimulated(button, `Power: ${text}`, ["power", "battery", "charging", "lowPower", "locked"]);
  if (button.dataset.text === `${text}${device.battery}`) return;
  button.dataset.text = `${text}${device.battery}`;
  button.replaceChildren(text);
  if (device.battery == null) return;
  const cell = make("span", { className: "cell", "aria-hidden": "true" }, make("i"));
  cell.style.setProperty("--level", device.battery);
  button.append(cell);
}

function drawApps() {
  const shown = [...apps.values()].filter((app) => app.path).sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
  $("empty").hidden = shown.length > 0 || away !== "" || waiting !== null;
  const moving = sumMoving();
  keep($("apps"), shown, (app) => app.id, buildIcon, (item, app) => updateIcon(item, app, moving.get(app.id)));
  const running = [...transfers.values()].filter((transfer) => !isOver(transfer)).length;
  setBadge(dockIcon("transfers"), running, "under way");
  dockIcon("notices").hidden = missing.has("ListNotices");
  setBadge(dockIcon("notices"), notices.size, "new");
  dockIcon("fetches").hidden = missing.has("ListFetches");
  $("switch").hidden = recents === null;
}

// The number of running transfers of each app, and their progress together.
function sumMoving() {
  const sums = new Map();
  for (const transfer of transfers.values()) {
    if (transfer.state !== "running") continue;
    const sum = sums.get(transfer.app) ?? { transfers: 0, count: 0, expected: 0 };
    sum.transfers += 1;
    sum.count += transfer.count;
    sum.expected += transfer.expected ?? transfer.count * 2;
    sums.set(transfer.app, sum);
  }
  return sums;
}

const dockIcon = (name) => document.querySelector(`#dock [data-opens=${name}]`);

function buildIcon(app) {
  const icon = make(
    "button", { className: "icon", type: "button", data: { app: app.id } }, tile(app),
    make("span", { className: "label state", dir: "auto", "aria-hidden": "true" }));
  icon.querySelector(".tile").append(make("span", { className: "badge", hidden: true }));
  icon.addEventListener("click", () => open(app.id, icon));
  icon.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    showAbout(app.id);
  });
  return make("li", {}, icon);
}

function updateIcon(item, app, moving) {
  const icon = item.firstElementChild;
  icon.firstElementChild.classList.toggle("moving", Boolean(moving));
  icon.firstElementChild.style.setProperty("--done", moving?.expected ? ((moving.count / moving.expected) * 100).toFixed(1) : 0);
  const label = icon.querySelector(".label");
  put(label, app.name);
  flag(icon, "data-state", app.state);
  flag(label, "data-state", app.state);
  label.classList.toggle("crashed", app.crashed === true);
  setBadge(icon, app.badge ?? 0, "");
  const parts = [app.name, states[app.state], app.badge ? `badge ${app.badge}` : null, app.crashed ? "crashed" : null];
  if (moving) parts.push(plural(moving.transfers, "transfer"));
  flag(icon, "aria-label", parts.filter(Boolean).join(", "));
  icon.title = `${app.name} ${states[app.state]}`;
}

function setBadge(icon, count, word) {
  const badge = icon.querySelector(".badge");
  badge.hidden = !count;
  put(badge, count > 9999 ? "9999+" : String(count || ""));
  if (icon.closest("#dock")) flag(icon, "aria-label", `${icon.querySelector(".label").textContent}${count ? `, ${count} ${word}` : ""}`);
}

// ---- The app on the screen ----

let shown = null;

// Which app is on the screen: the one just tapped, else the one in the foreground, unless it is being left.
function current() {
  if (opening && apps.has(opening)) return opening;
  for (const app of apps.values()) if (app.state === "foreground" && app.id !== leaving) return app.id;
  return null;
}

async function open(id, from) {
  if ($("switcher").open) $("switcher").close();
  [opening, leaving] = [id, null];
  zoom(from);
  draw();
  const reply = await want("Launch", { app: id, arguments: [] });
  if (opening === id && (!reply || apps.get(id)?.state === "foreground")) opening = null;
  draw();
}

async function goHome() {
  const app = current();
  opening = null;
  if (!app) return;
  leaving = app;
  draw();
  const left = await want("Leave");
  if (!left && leaving === app) leaving = null;
  setTimeout(() => {
    if (leaving === app) leaving = null;
    draw();
  }, 6000);
}

function zoom(from) {
  if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const box = from.getBoundingClientRect();
  const origin = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
  $("stage").animate(
    [{ transform: "scale(.1)", transformOrigin: origin, opacity: 0, borderRadius: "60px" }, { transform: "none", transformOrigin: origin, opacity: 1 }],
    { duration: 260, easing: "cubic-bezier(.2, .8, .2, 1)" });
}

function drawStage() {
  const id = current();
  const app = id && apps.get(id);
  const before = shown;
  shown = app ? id : null;
  $("home").hidden = Boolean(app);
  $("stage").hidden = !app;
  $("why").hidden = !app;
  $("device").classList.toggle("in-app", Boolean(app));
  flag($("stage"), "data-app", shown ?? "");
  flag($("stage"), "data-state", app?.state ?? "");
  if (before !== shown) moveFocus(before, app);
  if (!app) return $("view").replaceChildren();
  put($("stage-name"), app.name);
  if (app.view != null) drawView(app);
  else if (app.snapshot != null && app.state !== "foreground") drawLaunch(app);
  else if (!isShown(app)) drawPlain(app);
}

function moveFocus(before, app) {
  document.title = app ? `${app.name} · Nightjar` : "Nightjar";
  if (document.querySelector("dialog[open]")) return;
  if (app) $("stage-name").focus();
  else document.querySelector(`#apps [data-app="${CSS.escape(before)}"]`)?.focus();
}

// The screen of an app that shows no view: what it does, and why.
function drawPlain(app) {
  let plain = $("view").querySelector(".plain");
  if (plain?.dataset.app !== app.id) {
    plain = make(
      "div", { className: "plain", data: { app: app.id } }, tile(app), make("h3", {}, app.name),
      make("p", { className: "doing" }), make("p", { className: "note" }, "This app shows no view of its own."),
      make("div", { className: "rows" }));
    $("view").replaceChildren(plain);
  }
  put(plain.querySelector(".doing"), `${app.name} ${states[app.state]}${app.verdict ? `. ${local(app.verdict)}` : "."}`);
  const own = [...transfers.values()].filter((transfer) => transfer.app === app.id && !isOver(transfer)).slice(0, 50);
  keep(plain.querySelector(".rows"), own, (transfer) => transfer.id, buildTransfer, updateTransfer);
}

// ---- Views ----

const frames = new Map();

// A frame for an app's HTML, with an opaque origin and no scripts but ours; `isStill` makes it non-interactive.
function buildFrame(app, isStill) {
  const frame = make("iframe", { title: isStill ? "" : `${app.name}'s view`, src: "view" });
  frame.setAttribute("sandbox", "allow-scripts");
  if (isStill) Object.assign(frame, { inert: true, tabIndex: -1, loading: "lazy" });
  frame.link = { frame, app: app.id, isStill, isReady: false, html: null };
  return frame;
}

function show(frame, html) {
  frame.link.html = html;
  if (frame.link.isReady) frame.contentWindow.postMessage({ html, isStill: frame.link.isStill }, "*");
}

window.addEventListener("message", (event) => {
  const frame = [...document.querySelectorAll("iframe")].find((frame) => frame.contentWindow === event.source);
  const [link, message] = [frame?.link, event.data];
  if (!link || typeof message !== "object" || message === null) return;
  if (message.ready === true) {
    link.isReady = true;
    if (link.html !== null) show(frame, link.html);
  } else if (message.drawn === true) flag(frame, "data-drawn", frame.link.number ?? "");
  else if (link.isStill) return;
  else if (message.key === "Escape") goHome();
  else if (typeof message.action === "string") act(link, message);
});

// Passes an action on, and tells the view whether the daemon took it for the app: until then the view keeps what was
// typed.
async function act({ frame, app }, { action, fields, number }) {
  const texts = Object.entries(fields ?? {}).filter(([, value]) => typeof value === "string");
  const reply = await want("Act", { app, action, fields: Object.fromEntries(texts) });
  if (typeof number === "number") frame.contentWindow?.postMessage({ number, isTaken: reply !== null }, "*");
}

// The frame on the screen, which changes from an app's snapshot to its view without a flash.
function stageFrame(app) {
  let frame = $("view").querySelector("iframe");
  if (frame?.link.app !== app.id) {
    frame = buildFrame(app, false);
    $("view").replaceChildren(frame);
  }
  return frame;
}

const isShown = (app) => app.state === "foreground" && $("view").querySelector("iframe")?.link.app === app.id;

async function drawView(app) {
  const frame = stageFrame(app);
  const [asked, locked] = [device, device?.locked];
  if (frame.link.number === app.view && frame.link.locked === locked && !frame.link.isStill) return;
  Object.assign(frame.link, { number: app.view, locked, isStill: false, isHidden: false });
  const view = await seek("ShowView", { app: app.id });
  if (!frame.isConnected || frame.link.number !== app.view || frame.link.locked !== locked) return;
  if (view) show(frame, view.hidden ? `<p>${hiddenWords}</p>` : view.html ?? "");
  frame.link.isHidden = view?.hidden === true;
  // It is asked for again when the screen is next drawn.
  if (!view || (view.hidden && device !== asked)) frame.link.number = null;
}

const hiddenWords = "Hidden while the device is locked";

// Shows an app's snapshot while it is launched again.
async function drawLaunch(app) {
  const frame = stageFrame(app);
  const number = `snapshot ${app.snapshot}`;
  if (frame.link.number === number) return;
  Object.assign(frame.link, { number, isStill: true });
  const snapshot = await seek("ShowSnapshot", { app: app.id });
  if (!frame.isConnected || frame.link.number !== number) return;
  if (!snapshot) frame.link.number = null;
  else if (snapshot.html != null) show(frame, snapshot.html);
}

// ---- The switcher ----

function drawCards() {
  if (!$("switcher").open) return;
  const cards = recents ?? [];
  const [wide, high] = [innerWidth, Math.max(200, innerHeight - 90)];
  const scale = Math.min(0.62, (innerHeight * 0.56) / high, (innerWidth * 0.66) / wide);
  const measures = { wide: `${wide}px`, high: `${high}px`, card: `${wide * scale}px`, tall: `${high * scale}px`, scale };
  for (const [name, value] of Object.entries(measures)) $("switcher").style.setProperty(`--${name}`, value);
  $("nothing").hidden = cards.length > 0;
  $("cards").hidden = !cards.length;
  keep($("cards"), cards, (recent) => recent.app, buildCard, updateCard);
}

function buildCard(recent) {
  const app = apps.get(recent.app) ?? { id: recent.app, name: recent.name };
  const openIt = make("button", { className: "open", type: "button", on: { click: () => open(recent.app) } });
  const removeIt = make(
    "button", { className: "remove", type: "button", "aria-label": `Remove ${app.name}`, on: { click: () => removeRecent(recent.app) } }, "×");
  const card = make(
    "li", { className: "card", data: { app: recent.app } }, openIt,
    make("div", { className: "caption" }, tile(app), make("span", { className: "label state", dir: "auto" }), removeIt));
  card.addEventListener("keydown", (event) => {
    // A key held down would remove the next card, too, and cancel that app's transfers.
    if (!event.repeat && ["Delete", "Backspace"].includes(event.key)) removeRecent(recent.app);
    const next = { ArrowRight: card.nextElementSibling, ArrowLeft: card.previousElementSibling }[event.key];
    if (!next) return;
    event.preventDefault();  // The key would scroll on to the card after the next.
    next.querySelector(".open").focus();
  });
  makeSwipable(card, recent.app);
  return card;
}

function updateCard(card, recent) {
  const app = apps.get(recent.app) ?? recent;
  const label = card.querySelector(".label");
  put(label, recent.name);
  flag(label, "data-state", app.state);
  flag(card.querySelector(".open"), "aria-label", `${recent.name}, ${states[app.state]}`);
  const key = `${recent.snapshot ?? ""}/${recent.hidden ?? false}`;
  if (card.dataset.shows === key) return;
  card.dataset.shows = key;
  drawSnapshot(card, recent);
}

async function drawSnapshot(card, recent) {
  const place = card.querySelector(".open");
  const blank = (words) => place.replaceChildren(make("span", { className: "none" }, tile(apps.get(recent.app) ?? { id: recent.app, name: recent.name }), words));
  if (recent.hidden) return blank(hiddenWords);
  if (recent.snapshot == null) return blank("No snapshot");
  const key = card.dataset.shows;
  const found = await seek("ShowSnapshot", { app: recent.app });
  if (!card.isConnected || card.dataset.shows !== key) return;  // It may be locked by now.
  if (!found) {
    delete card.dataset.shows;  // It is asked for again when the card is next drawn.
    return blank("…");
  }
  if (found.html == null) return blank(found.hidden ? hiddenWords : "No snapshot");
  let frame = place.querySelector("iframe");
  if (!frame) place.replaceChildren((frame = buildFrame({ id: recent.app, name: recent.name }, true)));
  frame.link.number = found.number;
  show(frame, found.html);
}

async function removeRecent(id) {
  const card = document.querySelector(`#cards [data-app="${CSS.escape(id)}"]`);
  const next = card?.nextElementSibling ?? card?.previousElementSibling;
  if (!(await want("RemoveRecent", { app: id }))) return;
  say(`${nameOf(id)} was removed.`);
  recents = (recents ?? []).filter((recent) => recent.app !== id);
  if (opening === id) opening = null;
  draw();
  if (next) next.querySelector(".open").focus();
  else $("switcher").focus();
}

// A swipe upwards throws a card away; less than that lets it fall back.
function makeSwipable(card, id) {
  let start = null;
  const handle = card.querySelector(".open");
  handle.addEventListener("pointerdown", (event) => {
    start = event.clientY;
  });
  card.addEventListener("pointermove", (event) => {
    if (start !== null && !event.buttons) end(event);  // It was let go where the card does not hear of it.
    if (start === null) return;
    const way = Math.min(0, event.clientY - start);
    if (way < -12) card.setPointerCapture(event.pointerId);
    handle.style.transform = `translateY(${way}px)`;
  });
  const end = (event) => {
    if (start === null) return;
    const way = event.type === "pointerup" ? event.clientY - start : 0;
    start = null;
    handle.style.transform = "";
    if (way < -90) removeRecent(id);
  };
  card.addEventListener("pointerup", end);
  card.addEventListener("pointercancel", end);
}

function openSwitcher() {
  if (recents === null || $("switcher").open) return;
  showModal($("switcher"));
  listRecents().then(() => {
    drawCards();
    const first = $("cards").querySelector(".open");
    first?.focus();
    if (first) first.closest(".card").scrollIntoView({ inline: "center", block: "nearest" });
  });
}

// ---- Transfers ----

const rowsMax = 200;

function drawTransfers(body) {
  if (!body.firstChild) {
    body.append(
      make("h3", {}, "Under way"), make("div", { className: "rows under" }), make("p", { className: "note under" }),
      make("h3", { className: "over" }, "Ended"), make("div", { className: "rows over" }), make("p", { className: "note over" }));
  }
  const rank = { running: 0, delivering: 0, asking: 1, waiting: 2, queued: 3, suspended: 4 };
  const all = [...transfers.values()];
  const under = all.filter((transfer) => !isOver(transfer)).sort((a, b) => rank[a.state] - rank[b.state] || a.id - b.id);
  const over = all.filter(isOver).sort((a, b) => b.id - a.id);
  drawRows(body, ".under", under, "Nothing is under way.");
  drawRows(body, ".over", over, "");
  body.querySelector("h3.over").hidden = !over.length;
}

function drawRows(body, kind, list, none) {
  const rows = body.querySelector(`.rows${kind}`);
  rows.hidden = !list.length;
  keep(rows, list.slice(0, rowsMax), (transfer) => transfer.id, buildTransfer, updateTransfer);
  const note = body.querySelector(`.note${kind}`);
  put(note, list.length > rowsMax ? `and ${list.length - rowsMax} more` : list.length ? "" : none);
  note.hidden = !note.textContent;
}

function buildTransfer(transfer) {
  const deed = (word, method) =>
    make("button", { className: "small", type: "button", data: { deed: method }, on: { click: () => want(method, { id: transfer.id }) } }, word);
  const row = make(
    "div", { className: "transfer", role: "group" },
    make("div", { className: "top" }, make("span", { className: "name", dir: "auto" }), make("span", { className: "count" })),
    make("div", { className: "meter", role: "progressbar" }, make("i")),
    make(
      "div", { className: "bottom" }, make("span", { className: "verdict" }), deed("Pause", "Pause"), deed("Resume", "Resume"),
      deed("Cancel", "Cancel"),
      make("button", { className: "small why-button", type: "button", "aria-expanded": "false", on: { click: () => toggleReasons(row, transfer.id) } }, "Why")),
    make("ul", { className: "reasons", hidden: true }));
  row.querySelector("[data-deed=Cancel]").classList.add("danger");
  return row;
}

function updateTransfer(row, transfer) {
  const name = fileName(transfer);
  const of = transfer.expected ? ` of ${bytes(transfer.expected)}` : "";
  const rate = speeds.get(transfer.id)?.rate;
  const left = rate > 0 && transfer.expected ? `, ${duration((transfer.expected - transfer.count) / rate)} left` : "";
  flag(row, "data-state", transfer.state);
  flag(row, "aria-label", name);
  put(row.querySelector(".name"), `${transfer.direction === "upload" ? "↑" : "↓"} ${name}`);
  put(row.querySelector(".count"), `${bytes(transfer.count)}${of}${rate > 0 ? ` · ${bytes(rate)}/s${left}` : ""}`);
  drawMeter(row.querySelector(".meter"), transfer, name);
  const words = `${nameOf(transfer.app)} · ${(isOver(transfer) && transfer.failure?.detail) || local(transfer.verdict)}`;
  if (row.querySelector(".verdict").textContent !== words && !row.querySelector(".reasons").hidden) showReasons(row, transfer.id, seek);
  put(row.querySelector(".verdict"), words);
  row.querySelector("[data-deed=Pause]").hidden = !["running", "queued", "waiting", "asking"].includes(transfer.state);
  row.querySelector("[data-deed=Resume]").hidden = !["suspended", "waiting"].includes(transfer.state);
  put(row.querySelector("[data-deed=Resume]"), transfer.state === "waiting" ? "Try now" : "Resume");
  put(row.querySelector("[data-deed=Cancel]"), isOver(transfer) ? "Remove" : "Cancel");
}

function drawMeter(meter, transfer, name) {
  const done = transfer.state === "succeeded" ? 100 : transfer.expected ? (transfer.count / transfer.expected) * 100 : 0;
  meter.style.setProperty("--done", done.toFixed(2));
  for (const [attribute, value] of [["aria-label", name], ["aria-valuemin", 0], ["aria-valuemax", 100]]) flag(meter, attribute, value);
  // Without a value a progress bar is indeterminate.
  if (transfer.state === "succeeded" || transfer.expected != null) flag(meter, "aria-valuenow", Math.floor(done));
  else meter.removeAttribute("aria-valuenow");
}

async function toggleReasons(row, id) {
  const isHidden = !row.querySelector(".reasons").hidden;
  row.querySelector(".reasons").hidden = isHidden;
  flag(row.querySelector(".why-button"), "aria-expanded", !isHidden);
  if (!isHidden) await showReasons(row, id, want);
}

// Shows why a transfer stands as it does. Only a person who has asked for it is told that it cannot be found out.
async function showReasons(row, id, ask) {
  const found = await ask("Why", { id });
  if (found) keep(row.querySelector(".reasons"), found.sentences.map(local), (sentence) => sentence, () => make("li"), put);
}

// ---- Notifications ----

function learnNotice(notice, isNew) {
  notices.set(notice.id, notice);
  if (isNew) showBanner(notice);
}

function forgetNotice(id) {
  notices.delete(id);
  document.querySelector(`#banners [data-notice="${Number(id)}"]`)?.remove();
}

// A sheet covers everything outside it and makes it inert, so banners and announcements go into the topmost sheet.
function placeBanners() {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if ($("banners").parentElement !== top) top.append($("said"), $("banners"));
}

function showModal(dialog) {
  if (dialog.open) return;
  dialog.showModal();
  placeBanners();
}

function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

// The title of a notification, if it has one, and its text.
function wordsOf(notice) {
  const title = notice.title ? [make("span", { className: "title", dir: "auto" }, notice.title)] : [];
  return [...title, make("span", { className: "more", dir: "auto" }, notice.body)];
}

function showBanner(notice) {
  const app = apps.get(notice.app) ?? { id: notice.app, name: notice.app };
  const banner = make(
    "button", { className: "banner", type: "button", data: { notice: notice.id }, on: { click: () => tap(notice) } }, tile(app),
    make("span", { className: "text" }, make("strong", { dir: "auto" }, app.name), ...wordsOf(notice)));
  $("banners").append(banner);
  linger(banner, 6000);
}

// Removes an element after a while, but not while a person points at it or has focused it.
function linger(element, time) {
  setTimeout(() => {
    if (element.matches(":hover, :focus-within, :focus")) linger(element, 1500);
    else element.remove();
  }, time);
}

function alarm(words) {
  const banner = make("div", { className: "banner", role: "alert" }, make("span", { className: "text" }, words));
  $("banners").append(banner);
  linger(banner, 7000);
}

async function tap(notice) {
  forgetNotice(notice.id);
  closeDialogs();
  [opening, leaving] = [notice.app, null];
  draw();
  const reply = await want("TapNotice", { id: notice.id });
  if (opening === notice.app && (!reply || apps.get(notice.app)?.state === "foreground")) opening = null;
  draw();
}

function drawNotices(body) {
  if (!body.firstChild) body.append(make("div", { className: "rows" }), make("p", { className: "note" }, "Nothing new."));
  const all = [...notices.values()].sort((a, b) => b.firedAt - a.firedAt);
  body.querySelector(".rows").hidden = !all.length;
  body.querySelector(".note").hidden = all.length > 0;
  keep(body.querySelector(".rows"), all, (notice) => notice.id, buildNotice, updateNotice);
}

function buildNotice(notice) {
  const app = apps.get(notice.app) ?? { id: notice.app, name: notice.app };
  return make(
    "div", { className: "row" },
    make(
      "button", { className: "row", type: "button", on: { click: () => tap(notice) } }, tile(app),
      make(
        "span", { className: "text" }, make("span", { className: "name", dir: "auto" }), ...wordsOf(notice)),
      make("span", { className: "value" })),
    make("button", { className: "small", type: "button", "aria-label": `Dismiss: ${notice.body}`, on: { click: () => want("DismissNotice", { id: notice.id }) } }, "Dismiss"));
}

// What stands beside a notification's own words: the app may get another name, and its moment that of another day.
function updateNotice(row, notice) {
  put(row.querySelector(".name"), apps.get(notice.app)?.name ?? notice.app);
  put(row.querySelector(".value"), when(notice.firedAt));
}

// ---- Conditions ----

// The conditions of the device. All can be simulated except sleep, which is only shown.
const signals = [
  { name: "network", label: "Network", options: [["none", "None"], ["unmetered", "Unmetered"], ["metered", "Metered"], ["cellular", "Cellular"]] },
  { name: "constrained", label: "Low data mode" },
  { name: "power", label: "Power", options: [["external", "External"], ["battery", "Battery"]] },
  { name: "battery", label: "Battery level", unit: " %" },
  { name: "charging", label: "Charging" },
  { name: "lowPower", label: "Low power mode" },
  { name: "locked", label: "Screen locked" },
  { name: "asleep", label: "Asleep", isOnlyTold: true },
];

function drawConditions(body) {
  if (!device) return;
  if (!body.firstChild) {
    body.append(
      make("div", { className: "rows" }),
      make("p", { className: "note" }, "What you set here takes the place of the sensors, for trying things out, until you end it."),
      make("div", { className: "deeds" }, make("button", { className: "deed", type: "button", on: { click: () => setDevice("ResetDevice", {}) } }, "End every simulation")),
      make("h3", { className: "whence" }, "Where it comes from"), make("ul", { className: "rows why whence" }));
  }
  const known = signals.filter((signal) => device[signal.name] != null);
  keep(body.querySelector(".rows"), known, (signal) => signal.name, buildSignal, updateSignal);
  body.querySelector(".deed").disabled = !device.simulated.length;
  for (const part of body.querySelectorAll(".whence")) part.hidden = !device.sources?.length;
  keep(body.querySelector("ul"), device.sources ?? [], (sentence) => sentence, () => make("li"), put);
}

async function setDevice(method, parameters) {
  const reply = await want(method, parameters);
  if (reply) device = reply.device;
  draw();
}

const mark = () => make("span", { className: "tag" }, "simulated");

function buildSignal({ name, label, options, unit, isOnlyTold }) {
  const value = unit || isOnlyTold ? make("span", { className: "value" }) : null;
  if (isOnlyTold) return make("div", { className: "row", data: { signal: name } }, make("span", { className: "text" }, label), value);
  const set = (value) => setDevice("SetDevice", { [name]: value });
  if (options) {
    const choices = options.map(([value, word]) =>
      make("label", {}, make("input", { type: "radio", name: `signal-${name}`, value, on: { change: () => set(value) } }), word));
    return make("fieldset", { className: "group", data: { signal: name } }, make("legend", {}, label, mark()), make("div", { className: "segments" }, ...choices));
  }
  const input = unit
    ? make("input", { type: "range", min: 0, max: 100, on: { change: () => set(Number(input.value)) } })
    : make("input", { type: "checkbox", className: "toggle", role: "switch", on: { change: () => set(input.checked) } });
  return make("label", { className: "row", data: { signal: name } }, make("span", unit ? {} : { className: "text" }, label), input, value, mark());
}

function updateSignal(row, { name, options, unit, isOnlyTold }) {
  if (isOnlyTold) return put(row.querySelector(".value"), device[name] ? "Yes" : "No");
  row.querySelector(".tag").hidden = !device.simulated.includes(name);
  if (options) {
    for (const input of row.querySelectorAll("input")) input.checked = input.value === device[name];
    return;
  }
  const input = row.querySelector("input");
  if (!unit) input.checked = device[name];
  else if (document.activeElement !== input || !input.matches(":active")) input.value = device[name];
  if (unit) put(row.querySelector(".value"), `${device[name]}${unit}`);
}

// ---- Settings ----

function drawSettings(body) {
  if (!body.firstChild) {
    const all = buildSwitch("Background App Refresh", (value) => change({ backgroundRefresh: value }));
    all.id = "refresh-all";
    body.append(
      make("div", { className: "rows refresh" }, all),
      make("p", { className: "note refresh" }, "Apps may fetch new content in the background, at moments that cost you little."),
      make("h3", {}, "Apps"), make("div", { className: "rows apps" }), make("p", { className: "note none" }, "No apps."));
  }
  for (const part of body.querySelectorAll(".refresh")) part.hidden = !settings;
  if (settings) body.querySelector("#refresh-all input").checked = settings.backgroundRefresh;
  const all = [...apps.values()].sort((a, b) => a.name.localeCompare(b.name));
  body.querySelector(".none").hidden = all.length > 0;
  keep(body.querySelector(".apps"), all, (app) => app.id, buildAppRow, updateAppRow);
}

function buildAppRow(app) {
  return make(
    "button", { className: "row", type: "button", on: { click: () => showAbout(app.id) } }, tile(app),
    make("span", { className: "text" }, make("span", { className: "name", dir: "auto" }), make("span", { className: "more" })),
    make("span", { className: "chevron", "aria-hidden": "true" }));
}

function updateAppRow(row, app) {
  put(row.querySelector(".name"), app.name);
  put(row.querySelector(".more"), app.verdict ? local(app.verdict) : `It ${states[app.state]}.`);
}

function buildSwitch(label, set) {
  const input = make("input", { type: "checkbox", className: "toggle", role: "switch", on: { change: () => set(input.checked) } });
  return make("label", { className: "row" }, make("span", { className: "text" }, label), input);
}

async function change(parameters) {
  await want("ChangeSettings", parameters);
  await listSettings();
  lookAgain();
  draw();
}

// ---- About an app ----

let reasons = [];
let records = null;

function showAbout(id) {
  [about, reasons, records] = [id, [], null];
  $("about").querySelector(".body").replaceChildren();
  showModal($("about"));
  draw();
  explain(id);
  lookAgain();
}

async function explain(id) {
  const [why, history] = await Promise.all([seek("WhyApp", { app: id }), seek("ListRecords", { app: id, limit: 50 })]);
  if (about !== id) return;
  [reasons, records] = [(why?.sentences ?? []).map(local), history?.records ?? null];
  draw();
}

const permissions = [["backgroundRefresh", "Background App Refresh"], ["alerts", "Banners"], ["sounds", "Sounds"], ["badges", "Badges"]];

function drawAbout(body) {
  const app = apps.get(about);
  if (!app) return;
  put($("about-title"), app.name);
  if (!body.firstChild) buildAbout(body, app);
  put(body.querySelector(".doing"), app.pid ? `Process ${app.pid}` : "");
  keep(body.querySelector(".why"), reasons, (sentence) => sentence, () => make("li"), put);
  const own = settings?.apps.find((entry) => entry.app === about);
  body.querySelector(".permissions").hidden = !own;
  if (own) for (const [name] of permissions) body.querySelector(`[data-permission=${name}] input`).checked = own[name];
  drawAppFetches(body.querySelector(".fetching"), app);
  drawHistory(body);
  body.querySelector("[data-deed=open]").disabled = !app.path;
  body.querySelector("[data-deed=end]").disabled = !app.path || ["notRunning", "ending"].includes(app.state);
}

function buildAbout(body, app) {
  const switches = permissions.map(([name, label]) => {
    const row = buildSwitch(label, (value) => change({ app: app.id, [name]: value }));
    row.dataset.permission = name;
    return row;
  });
  const openIt = () => {
    closeDialogs();
    open(app.id);
  };
  body.append(
    make("div", { className: "head" }, tile(app), make("div", {}, make("p", { className: "name" }, app.name), make("p", { className: "more doing" }), make("code", {}, app.id))),
    make("h3", {}, "Why"), make("ul", { className: "rows why" }),
    make(
      "div", { className: "deeds" }, make("button", { className: "deed", type: "button", data: { deed: "open" }, on: { click: openIt } }, "Open"),
      make("button", { className: "deed danger", type: "button", data: { deed: "end" }, on: { click: () => want("Terminate", { app: app.id }) } }, "End it")),
    // Parts that load later stand below the buttons, so that nothing moves away under a finger.
    make("div", { className: "permissions" }, make("h3", {}, "Allowed"), make("div", { className: "rows" }, ...switches)),
    buildAppFetches(app),
    make("div", { className: "history" }, make("h3", {}, "What happened"), make("ul", { className: "rows" })));
}

function drawHistory(body) {
  const history = body.querySelector(".history");
  history.hidden = !records?.length;
  const build = () => make("li", { className: "row" }, make("span", { className: "text" }), make("span", { className: "value" }));
  keep(history.querySelector("ul"), (records ?? []).toReversed(), (record) => `${record.at} ${record.sentence}`, build, (row, record) => {
    put(row.querySelector(".text"), `It ${record.sentence}.`);
    put(row.querySelector(".value"), when(record.at));
  });
}

// ---- Keys, buttons, clock ----

const sheets = { transfers: drawTransfers, notices: drawNotices, fetches: drawFetches, conditions: drawConditions, settings: drawSettings, about: drawAbout };

function openSheet(name) {
  showModal($(name));
  lookAgain();
  draw();
}

for (const button of document.querySelectorAll("[data-opens]")) button.addEventListener("click", () => openSheet(button.dataset.opens));
for (const button of document.querySelectorAll(".done")) button.addEventListener("click", () => button.closest("dialog").close());
for (const sheet of document.querySelectorAll(".sheet")) {
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
}
for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", placeBanners);
$("about").addEventListener("close", () => (about = null));
$("switcher").addEventListener("click", (event) => ["switcher", "cards"].includes(event.target.id) && $("switcher").close());
$("signal").addEventListener("click", () => openSheet("conditions"));
$("power").addEventListener("click", () => openSheet("conditions"));
$("press").addEventListener("click", () => goHome());
$("press").addEventListener("dblclick", openSwitcher);
$("switch").addEventListener("click", openSwitcher);
$("why").addEventListener("click", () => shown && showAbout(shown));
addEventListener("resize", draw);
document.addEventListener("visibilitychange", draw);

document.addEventListener("keydown", (event) => {
  const isFree = !document.querySelector("dialog[open]") && $("door").hidden;
  if (event.key === "Escape" && isFree) goHome();
  const icon = document.activeElement?.closest?.("#apps .icon, #dock .icon");
  if (icon && isFree && event.key.startsWith("Arrow") && moveOver(icon, event.key)) event.preventDefault();
});

// Goes to the nearest icon in the arrow's direction.
function moveOver(icon, key) {
  const from = icon.getBoundingClientRect();
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const away = (other) => {
    const box = other.getBoundingClientRect();
    const [dx, dy] = [box.x + box.width / 2 - from.x - from.width / 2, box.y + box.height / 2 - from.y - from.height / 2];
    const [along, across] = x ? [dx * x, Math.abs(dy)] : [dy * y, Math.abs(dx)];
    return along > 4 ? along + across * 3 : Infinity;
  };
  const near = [...document.querySelectorAll("#apps .icon, #dock .icon:not([hidden])")].map((other) => [away(other), other]).sort((a, b) => a[0] - b[0])[0];
  if (!near || near[0] === Infinity) return false;
  near[1].focus();
  return true;
}

function tellTime() {
  const now = new Date();
  const time = now.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  for (const clock of document.querySelectorAll(".clock")) put(clock, time);
  for (const date of document.querySelectorAll(".date")) put(date, now.toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" }));
}

function beat() {
  tellTime();
  lookAgain();
  if ($("notices").open) draw();
  setTimeout(beat, 60050 - (Date.now() % 60000));
}

// A code in the address is removed from it before anything else.
function begin() {
  const code = decoded(location.hash.slice(1));
  if (code) history.replaceState(null, "", location.pathname);
  if (code) tryCode(code);
  else if (token) unlock();
  else lock();
}

addEventListener("hashchange", begin);
beat();
begin();
