// The icons: those of the apps, and those of the dock.

import { showAbout } from "./about.js";
import { $, button, flag, keep, make, put } from "./elements.js";
import { apps, byName, isOver, known, notices, transfers } from "./known.js";
import { tile } from "./pictures.js";
import { openApp } from "./screen.js";
import { missing } from "./server.js";
import { plural, states } from "./words.js";

export function drawIcons() {
  const all = [...apps.values()].filter((app) => app.path).sort(byName);
  const isUnknown = !known.device || known.waiting !== null || (known.away || known.trouble) !== "";
  $("empty").hidden = isUnknown || all.length > 0;
  const moving = sumMoving();
  keep($("apps"), all, (app) => app.id, buildIcon, (item, app) => updateIcon(item, app, moving.get(app.id)));
  drawDock();
}

function drawDock() {
  const running = [...transfers.values()].filter((transfer) => !isOver(transfer)).length;
  setDockBadge(dockIcon("transfers"), running, "under way");
  dockIcon("notices").hidden = missing.has("ListNotices");
  setDockBadge(dockIcon("notices"), notices.size, "new");
  dockIcon("fetches").hidden = missing.has("ListFetches");
  $("switch").hidden = known.recents === null;
}

const dockIcon = (name) => document.querySelector(`#dock [data-opens=${name}]`);

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

function buildIcon(app) {
  const icon = button(
    "icon", () => openApp(app.id, icon), { data: { app: app.id } }, tile(app),
    make("span", { className: "label state", dir: "auto", "aria-hidden": "true" }));
  icon.querySelector(".tile").append(make("span", { className: "badge", hidden: true }));
  icon.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    showAbout(app.id);
  });
  return make("li", {}, icon);
}

function updateIcon(item, app, moving) {
  const icon = item.firstElementChild;
  const [picture, label] = [icon.querySelector(".tile"), icon.querySelector(".label")];
  picture.classList.toggle("moving", Boolean(moving));
  picture.style.setProperty("--done", moving?.expected ? ((moving.count / moving.expected) * 100).toFixed(1) : 0);
  put(label, app.name);
  flag(icon, "data-state", app.state);
  flag(label, "data-state", app.state);
  label.classList.toggle("crashed", app.crashed === true);
  setBadge(icon, app.badge ?? 0);
  flag(icon, "aria-label", iconWords(app, moving));
  icon.title = `${app.name} ${states[app.state]}`;
}

function iconWords(app, moving) {
  return [
    app.name,
    states[app.state],
    app.badge ? `badge ${app.badge}` : null,
    app.crashed ? "crashed" : null,
    moving ? plural(moving.transfers, "transfer") : null,
  ].filter(Boolean).join(", ");
}

function setBadge(icon, count) {
  const badge = icon.querySelector(".badge");
  badge.hidden = !count;
  put(badge, count > 9999 ? "9999+" : String(count || ""));
}

function setDockBadge(icon, count, word) {
  setBadge(icon, count);
  flag(icon, "aria-label", `${icon.querySelector(".label").textContent}${count ? `, ${count} ${word}` : ""}`);
}

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Goes to the nearest icon in the arrow's direction; returns whether there is one.
export function moveOver(icon, arrow) {
  const from = middleOf(icon);
  const [x, y] = directions[arrow];
  let [nearest, least] = [null, Infinity];
  for (const other of document.querySelectorAll("#apps .icon, #dock .icon:not([hidden])")) {
    const to = middleOf(other);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const [ahead, aside] = x ? [dx * x, Math.abs(dy)] : [dy * y, Math.abs(dx)];
    const distance = ahead > 4 ? ahead + aside * 3 : Infinity;
    if (distance < least) [nearest, least] = [other, distance];
  }
  nearest?.focus();
  return nearest !== null;
}

function middleOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
