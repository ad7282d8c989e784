// Notifications: as banners when they come, and on the sheet of those that were not dismissed.

import { raise } from "./banners.js";
import { closeDialogs } from "./dialogs.js";
import { draw } from "./drawing.js";
import { button, foreign, keep, make, put, span } from "./elements.js";
import { appOf, notices } from "./known.js";
import { tile } from "./pictures.js";
import { bring } from "./screen.js";
import { want } from "./server.js";
import { when } from "./words.js";

export function learnNotice(notice, isNew) {
  notices.set(notice.id, notice);
  if (isNew) showBanner(notice);
}

export function forgetNotice(id) {
  notices.delete(id);
  removeBanner(id);
}

function removeBanner(id) {
  document.querySelector(`#banners [data-notice="${Number(id)}"]`)?.remove();
}

function showBanner(notice) {
  const app = appOf(notice.app);
  const banner = button(
    "banner", () => tap(notice), { data: { notice: notice.id } }, tile(app),
    span("text", make("strong", { dir: "auto" }, app.name), ...wordsOf(notice)));
  raise(banner, 6000);
}

// The title of a notification, if it has one, and its text.
function wordsOf(notice) {
  const title = notice.title ? [foreign("title", notice.title)] : [];
  return [...title, foreign("more", notice.body)];
}

// Opens what a notification is about. It stays in the centre if the daemon does not take that for the app.
async function tap(notice) {
  removeBanner(notice.id);
  closeDialogs();
  if (!(await bring(notice.app, "TapNotice", { id: notice.id }))) return;
  forgetNotice(notice.id);
  draw();
}

export function drawNotices(body) {
  if (!body.firstChild) {
    body.append(make("div", { className: "rows" }), make("p", { className: "note" }, "Nothing new."));
  }
  const all = [...notices.values()].sort((a, b) => b.firedAt - a.firedAt);
  body.querySelector(".rows").hidden = !all.length;
  body.querySelector(".note").hidden = all.length > 0;
  keep(body.querySelector(".rows"), all, (notice) => notice.id, buildNotice, updateNotice);
}

function buildNotice(notice) {
  const dismiss = () => want("DismissNotice", { id: notice.id });
  return make(
    "div", { className: "row" },
    button(
      "row", () => tap(notice), {}, tile(appOf(notice.app)), span("text", foreign("name"), ...wordsOf(notice)),
      span("value")),
    button("small", dismiss, { "aria-label": `Dismiss: ${notice.body}` }, "Dismiss"));
}

// What stands beside a notification's own words: the app may get another name, and its moment that of another day.
function updateNotice(row, notice) {
  put(row.querySelector(".name"), appOf(notice.app).name);
  put(row.querySelector(".value"), when(notice.firedAt));
}
