// The views of apps: HTML of theirs, drawn in frames that run none of it.

import { $, flag, make } from "./elements.js";
import { known } from "./known.js";
import { goHome } from "./screen.js";
import { seek, want } from "./server.js";

export const hiddenWords = "Hidden while the device is locked";

// A frame for an app's HTML, with an opaque origin and no scripts but ours; `isStill` makes it non-interactive.
export function buildFrame(app, isStill) {
  const frame = make("iframe", { title: isStill ? "" : `${app.name}'s view`, src: "view" });
  frame.setAttribute("sandbox", "allow-scripts");
  if (isStill) Object.assign(frame, { inert: true, tabIndex: -1, loading: "lazy" });
  frame.link = { frame, app: app.id, isStill, isReady: false, html: null };
  return frame;
}

// Draws HTML in a frame, as soon as that is ready.
export function show(frame, html) {
  frame.link.html = html;
  if (frame.link.isReady) frame.contentWindow.postMessage({ html, isStill: frame.link.isStill }, "*");
}

// Hears what a view's document says: that it is ready, that it has drawn, and what a person does there.
function hearView(event) {
  const frame = [...document.querySelectorAll("iframe")].find((frame) => frame.contentWindow === event.source);
  const [link, message] = [frame?.link, event.data];
  if (!link || typeof message !== "object" || message === null) return;
  if (message.ready === true) {
    link.isReady = true;
    if (link.html !== null) show(frame, link.html);
  } else if (message.drawn === true) flag(frame, "data-drawn", link.number ?? "");
  else if (link.isStill) return;
  else if (message.key === "Escape") goHome();
  else if (typeof message.action === "string") act(link, message);
}

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

// Whether an app's frame is on the screen, though the app shows no view now.
export const isShown = (app) => app.state === "foreground" && $("view").querySelector("iframe")?.link.app === app.id;

export async function drawView(app) {
  const frame = stageFrame(app);
  const [asked, locked] = [known.device, known.device?.locked];
  if (frame.link.number === app.view && frame.link.locked === locked && !frame.link.isStill) return;
  Object.assign(frame.link, { number: app.view, locked, isStill: false, isHidden: false });
  const view = await seek("ShowView", { app: app.id });
  if (!frame.isConnected || frame.link.number !== app.view || frame.link.locked !== locked) return;
  if (view) show(frame, view.hidden ? `<p>${hiddenWords}</p>` : view.html ?? "");
  frame.link.isHidden = view?.hidden === true;
  // It is asked for again when the screen is next drawn.
  if (!view || (view.hidden && known.device !== asked)) frame.link.number = null;
}

// Shows an app's snapshot while it is launched again.
export async function drawLaunch(app) {
  const frame = stageFrame(app);
  const number = `snapshot ${app.snapshot}`;
  if (frame.link.number === number) return;
  Object.assign(frame.link, { number, isStill: true });
  const snapshot = await seek("ShowSnapshot", { app: app.id });
  if (!frame.isConnected || frame.link.number !== number) return;
  if (!snapshot) frame.link.number = null;
  else if (snapshot.html != null) show(frame, snapshot.html);
}

addEventListener("message", hearView);
