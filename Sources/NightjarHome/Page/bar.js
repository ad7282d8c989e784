// The bar at the top, with the conditions of the device in short, and below it what keeps the daemon from being heard
// or from working; and whether what is shown may be old.

import { tellBehind } from "./banners.js";
import { $, flag, make, put } from "./elements.js";
import { known } from "./known.js";
import { networks } from "./words.js";

export function drawBar() {
  const words = known.away || known.trouble;
  $("away").hidden = !words;
  put($("away"), words);
  tellBehind(known.isBehind && !known.away && !$("device").hidden);
  if (!known.device) return;
  drawSignal(known.device);
  drawPower(known.device);
}

function drawSignal(device) {
  const signal = networks[device.network] ?? device.network;
  const text = device.constrained ? `${signal}, low data` : signal;
  put($("signal"), text);
  markSimulated($("signal"), `Network: ${text}`, device, ["network", "constrained"]);
}

function drawPower(device) {
  const text = powerWords(device);
  const button = $("power");
  markSimulated(button, `Power: ${text}`, device, ["power", "battery", "charging", "lowPower", "locked"]);
  const key = `${text}${device.battery}`;
  if (button.dataset.text === key) return;
  button.dataset.text = key;
  button.replaceChildren(text);
  if (device.battery == null) return;
  const cell = make("span", { className: "cell", "aria-hidden": "true" }, make("i"));
  cell.style.setProperty("--level", device.battery);
  button.append(cell);
}

function powerWords({ locked, lowPower, power, battery, charging }) {
  const source = power === "battery" ? "Battery" : "External power";
  return [
    locked ? "Locked" : null,
    lowPower ? "Low power" : null,
    battery == null ? source : `${battery} %`,
    battery != null && charging ? "charging" : null,  // Without a battery nothing charges, either.
  ].filter(Boolean).join(", ");
}

// Shows, and says to a screen reader, whether any of these conditions is simulated.
function markSimulated(button, words, { simulated }, names) {
  const isSimulated = simulated.some((name) => names.includes(name));
  button.classList.toggle("simulated", isSimulated);
  flag(button, "aria-label", `${words}${isSimulated ? ", simulated" : ""}. Conditions`);
}
