// Which app is on the screen, and how another comes there.

import { draw } from "./drawing.js";
import { $ } from "./elements.js";
import { apps, known } from "./known.js";
import { want } from "./server.js";

// The one just opened, else the one in the foreground, unless it is being left.
export function current() {
  if (known.opening && apps.has(known.opening)) return known.opening;
  for (const app of apps.values()) if (app.state === "foreground" && app.id !== known.leaving) return app.id;
  return null;
}

// Opens an app, out of the element that was pressed for it.
export async function openApp(id, from) {
  if ($("switcher").open) $("switcher").close();
  zoom(from);
  await bring(id, "Launch", { app: id, arguments: [] });
}

// Shows an app at once, and calls the method that brings it to the foreground; null if that fails.
export async function bring(id, method, parameters) {
  [known.opening, known.leaving] = [id, null];
  draw();
  const reply = await want(method, parameters);
  if (known.opening === id && (!reply || apps.get(id)?.state === "foreground")) known.opening = null;
  draw();
  return reply;
}

const leavingMax = 6000;  // Milliseconds for the daemon to report that an app is left.

export async function goHome() {
  const app = current();
  known.opening = null;
  if (!app) return;
  known.leaving = app;
  draw();
  const left = await want("Leave");
  if (!left && known.leaving === app) known.leaving = null;
  setTimeout(() => {
    if (known.leaving === app) known.leaving = null;
    draw();
  }, leavingMax);
}

function zoom(from) {
  if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const box = from.getBoundingClientRect();
  const transformOrigin = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
  $("stage").animate(
    [
      { transform: "scale(.1)", transformOrigin, opacity: 0, borderRadius: "60px" },
      { transform: "none", transformOrigin, opacity: 1 },
    ],
    { duration: 260, easing: "cubic-bezier(.2, .8, .2, 1)" });
}
