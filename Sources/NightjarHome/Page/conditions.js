// The sheet with the conditions of the device.

import { draw } from "./drawing.js";
import { button, keep, keepSentences, make, put, span } from "./elements.js";
import { known } from "./known.js";
import { want } from "./server.js";
import { buildToggle } from "./switches.js";

// All can be simulated except sleep, which is only shown.
const signals = [
  {
    name: "network", label: "Network",
    options: [["none", "None"], ["unmetered", "Unmetered"], ["metered", "Metered"], ["cellular", "Cellular"]],
  },
  { name: "constrained", label: "Low data mode" },
  { name: "power", label: "Power", options: [["external", "External"], ["battery", "Battery"]] },
  { name: "battery", label: "Battery level", unit: " %" },
  { name: "charging", label: "Charging" },
  { name: "lowPower", label: "Low power mode" },
  { name: "locked", label: "Screen locked" },
  { name: "asleep", label: "Asleep", isOnlyTold: true },
];

export function drawConditions(body) {
  const { device } = known;
  if (!device) return;
  if (!body.firstChild) buildConditions(body);
  const present = signals.filter((signal) => device[signal.name] != null);
  const update = (row, signal) => updateSignal(row, signal, device);
  keep(body.querySelector(".rows"), present, (signal) => signal.name, buildSignal, update);
  body.querySelector(".deed").disabled = !device.simulated.length;
  for (const part of body.querySelectorAll(".whence")) part.hidden = !device.sources?.length;
  keepSentences(body.querySelector("ul"), device.sources ?? []);
}

function buildConditions(body) {
  body.append(
    make("div", { className: "rows" }),
    make(
      "p", { className: "note" },
      "What you set here takes the place of the sensors, for trying things out, until you end it."),
    make("div", { className: "deeds" }, button("deed", () => setDevice("ResetDevice", {}), {}, "End every simulation")),
    make("h3", { className: "whence" }, "Where it comes from"), make("ul", { className: "rows why whence" }));
}

// The answer is older than what the stream, or a later answer, has brought meanwhile.
async function setDevice(method, parameters) {
  const before = known.device;
  const reply = await want(method, parameters);
  if (reply && known.device === before) known.device = reply.device;
  draw();
}

const mark = () => span("tag", "simulated");

function buildSignal(signal) {
  const { name, label, options, unit, isOnlyTold } = signal;
  const data = { signal: name };
  if (isOnlyTold) return make("div", { className: "row", data }, span("text", label), span("value"));
  const set = (value) => setDevice("SetDevice", { [name]: value });
  if (options) return buildChoice(signal, set);
  const input = unit
    ? make("input", { type: "range", min: 0, max: 100, on: { change: () => set(Number(input.value)) } })
    : buildToggle(set);
  const value = unit ? span("value") : null;
  return make("label", { className: "row", data }, span(unit ? "" : "text", label), input, value, mark());
}

function buildChoice({ name, label, options }, set) {
  const choices = options.map(([value, word]) => {
    const input = make("input", { type: "radio", name: `signal-${name}`, value, on: { change: () => set(value) } });
    return make("label", {}, input, word);
  });
  return make(
    "fieldset", { className: "group", data: { signal: name } }, make("legend", {}, label, mark()),
    make("div", { className: "segments" }, ...choices));
}

function updateSignal(row, { name, options, unit, isOnlyTold }, device) {
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
