// Switches, and the settings that a person changes with them.

import { draw } from "./drawing.js";
import { make, span } from "./elements.js";
import { listSettings } from "./lists.js";
import { lookAgain } from "./refreshes.js";
import { want } from "./server.js";

export function buildToggle(set) {
  const change = () => set(input.checked);
  const input = make("input", { type: "checkbox", className: "toggle", role: "switch", on: { change } });
  return input;
}

export function buildSwitch(label, set) {
  return make("label", { className: "row" }, span("text", label), buildToggle(set));
}

export function buildRefreshSwitch() {
  return buildSwitch("Background App Refresh", (value) => changeSettings({ backgroundRefresh: value }));
}

export async function changeSettings(parameters) {
  await want("ChangeSettings", parameters);
  await listSettings();
  lookAgain();
  draw();
}
