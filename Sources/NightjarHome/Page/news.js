// The stream of changes, which is read while the browser is let in and the page is visible.

import { fallBehind, hear, setAway } from "./learning.js";
import { ask, gone } from "./server.js";

const delayMin = 500;
const delayMax = 5000;
const silenceMax = 10000;
const crowded = "The home screen's server does not answer. Close other windows with this page: "
  + "a browser has six connections to it for all of them.";

let delay = delayMin;
let staying = new AbortController();  // Aborted when the page is locked, and when a new token is entered.

// Reads the daemon's changes until `stopFollowing`, across interruptions.
export async function follow() {
  stopFollowing();
  staying = new AbortController();
  const { signal } = staying;
  for (await seen(); !signal.aborted; await seen()) {
    fallBehind();
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
    delay = Math.min(delay * 2, delayMax);
  }
}

export function stopFollowing() {
  staying.abort();
}

// Waits until the page is visible.
async function seen() {
  if (document.hidden) await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}

// Reads the stream until it ends, or the page is hidden or left: with streams on all of a browser's six connections no
// page would get other answers. Visible windows can still be too many, which the page then says.
async function readUntil(hiding, left) {
  const hide = () => document.hidden && hiding.abort();
  const silence = setTimeout(() => setAway(crowded), silenceMax);
  document.addEventListener("visibilitychange", hide);
  try {
    const response = await ask("events", { signal: AbortSignal.any([hiding.signal, left]) });
    clearTimeout(silence);
    delay = delayMin;
    await read(response.body.getReader());
  } finally {
    clearTimeout(silence);
    document.removeEventListener("visibilitychange", hide);
  }
}

// Reads server-sent events, of which each has one line.
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
