// The app on the screen: its view, its snapshot while it is launched, or what it does if it shows nothing.

import { $, flag, make, put } from "./elements.js";
import { apps, isOver, transfers } from "./known.js";
import { tile } from "./pictures.js";
import { current } from "./screen.js";
import { keepTransfers } from "./transfers.js";
import { drawLaunch, drawView, isShown } from "./views.js";
import { local, states } from "./words.js";

// The app that is drawn.
export let shown = null;

export function drawStage() {
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

const transfersMax = 50;

// The screen of an app that shows no view: what it does, and why.
function drawPlain(app) {
  let plain = $("view").querySelector(".plain");
  if (plain?.dataset.app !== app.id) {
    plain = make(
      "div", { className: "plain", data: { app: app.id } }, tile(app), make("h3"),
      make("p", { className: "doing" }), make("p", { className: "note" }, "This app shows no view of its own."),
      make("div", { className: "rows" }));
    $("view").replaceChildren(plain);
  }
  put(plain.querySelector("h3"), app.name);
  const why = app.verdict ? ` ${local(app.verdict)}` : "";
  put(plain.querySelector(".doing"), `${app.name} ${states[app.state]}.${why}`);
  const own = [...transfers.values()].filter((transfer) => transfer.app === app.id && !isOver(transfer));
  keepTransfers(plain.querySelector(".rows"), own.slice(0, transfersMax));
}
