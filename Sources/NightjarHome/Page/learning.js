// What each change that the daemon reports means for what is known.

import { explain } from "./about.js";
import { say } from "./banners.js";
import { draw } from "./drawing.js";
import { $ } from "./elements.js";
import { apps, known, settleOpening, transfers } from "./known.js";
import { listApps, listDevice, listNotices, listRecents, listSettings, listTransfers } from "./lists.js";
import { forgetNotice, learnNotice } from "./notices.js";
import { forgetPicture, renewPicture } from "./pictures.js";
import { learnDecision, listDecisions, listFetches, lookAgain } from "./refreshes.js";
import { missing } from "./server.js";
import { forgetSpeed, forgetSpeeds, measure } from "./speeds.js";
import { states } from "./words.js";

const momentMax = 400;  // Milliseconds of being behind that nobody is told of.
let telling = null;

// What is shown, if anything is, may be old until the lists are complete. People are told so after a moment, and at
// once if they were told before that the daemon is away.
export function fallBehind() {
  if (!known.device) return;
  if (known.away) known.isBehind = true;
  telling ??= setTimeout(() => {
    known.isBehind = true;
    draw();
  }, momentMax);
}

function comeUpToDate() {
  clearTimeout(telling);
  [telling, known.isBehind] = [null, false];
}

// Handles one event. Events that come while the lists are being fetched wait until these are complete.
export function hear(event) {
  if (event.hello) {
    fallBehind();
    transfers.clear();
    forgetSpeeds();
    missing.clear();
    [known.waiting, known.trouble] = [null, ""];
  } else if (event.away !== undefined) setAway(event.away);
  else if (event.trouble != null) setTrouble(event.trouble);
  else if (event.current) catchUp();
  else if (known.waiting) known.waiting.push(event);
  else learn(event, true);
}

// Shows why nothing is heard of the daemon.
export function setAway(words) {
  known.away = words;
  draw();
}

function setTrouble(words) {
  known.trouble = words;
  draw();
}

async function catchUp() {
  const mine = [];
  known.waiting = mine;
  setAway("");
  await Promise.all([
    listApps(), listDevice(), listTransfers(), listRecents(), listSettings(), listNotices(), listFetches(),
    listDecisions(),
  ]);
  if (known.waiting !== mine) return;
  known.waiting = null;
  comeUpToDate();
  for (const event of mine) learn(event, false);
  settleOpening();
  // The stream reports no changes from before it began.
  if (known.about && !apps.has(known.about)) $("about").close();
  else if (known.about) explain(known.about);
  draw();
}

// Learns what an event says. One that is not new is older than the page's lists, and nobody is told of it.
function learn(event, isNew) {
  if (event.transfer) learnTransfer(event.transfer);
  if (event.removed != null) forgetTransfer(event.removed);
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
  measure(transfer);
  transfers.set(transfer.id, transfer);
}

function forgetTransfer(id) {
  transfers.delete(id);
  forgetSpeed(id);
}

function learnApp(app, isNew) {
  const before = apps.get(app.id);
  apps.set(app.id, app);
  if (known.opening === app.id) settleOpening();
  if (known.leaving === app.id && app.state !== "foreground") known.leaving = null;
  if (isNew && before && before.state !== app.state) say(`${app.name} ${states[app.state]}`);
  if (before?.recent !== app.recent || before?.snapshot !== app.snapshot) listRecents().then(draw);
  if (before && mayBeAnother(before, app)) renewPicture(app);
  if (known.about === app.id) explain(app.id);
}

// Whether this may be another version of an app: when an upgrade is reported the app does not run, and its transfers
// are unchanged.
function mayBeAnother(before, app) {
  const isQuiet = app.state === "notRunning" && app.transfers === before.transfers && app.waiting === before.waiting;
  return isQuiet || app.name !== before.name || app.path !== before.path;
}

function forgetApp(id) {
  apps.delete(id);
  known.recents = known.recents?.filter((recent) => recent.app !== id) ?? null;
  forgetPicture(id);
  if (known.about === id) $("about").close();
}

// Learns of the device's state. What a locked device hides changes with the lock, and may be hidden while that is
// unknown: then any news of the device may be the end of it.
function learnDevice(device) {
  const isLockSame = device.locked === known.device?.locked;
  const shown = $("view").querySelector("iframe")?.link;
  known.device = device;
  if (isLockSame && !shown?.isHidden && !known.recents?.some((recent) => recent.hidden)) return;
  if (shown?.isHidden) shown.number = null;
  if (known.recents !== null) listRecents().then(draw);
  else draw();
}
