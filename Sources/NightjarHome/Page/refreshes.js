// What is known of background fetch: the state of each app, what was decided, and what was learned about its day.

import { draw } from "./drawing.js";
import { $ } from "./elements.js";
import { known } from "./known.js";
import { listSettings, pagesMax } from "./lists.js";
import { inOrder, seek } from "./server.js";

export const fetches = new Map();
export const decisions = new Map();
export const habits = new Map();

// The fetches that a person has requested on this page, and their outcomes, in words.
export const asked = new Map();

// What all fetches may cost, and when the daemon looks at them next.
export let budget = null;
export let nextLook = null;

const decisionsMax = 2000;

const seekFetches = inOrder(() => seek("ListFetches"));
const seekHabits = inOrder(() => seek("ShowHabits"));
const seekDecisions = inOrder(collectDecisions);

export async function listFetches() {
  const found = await seekFetches();
  if (!found) return;
  fetches.clear();
  for (const entry of found.apps) fetches.set(entry.app, entry);
  [budget, nextLook] = [found.budget, found.nextLook ?? null];
}

export async function listDecisions() {
  const found = await seekDecisions();
  if (!found) return;
  decisions.clear();
  for (const decision of found) learnDecision(decision);
}

// Collects decisions from the newest back. If there are very many, the last ones are enough.
async function collectDecisions() {
  let found = [];
  for (let page = 0; page < pagesMax && found.length < decisionsMax; page += 1) {
    const before = found.length ? found[0].number : Number.MAX_SAFE_INTEGER;
    const older = await seek("ListFetchDecisions", { before, limit: 500 });
    if (!older) return null;
    if (!older.decisions.length) break;
    found = [...older.decisions, ...found];
  }
  return found;
}

async function listHabits() {
  const found = await seekHabits();
  if (!found) return;
  habits.clear();
  for (const entry of found.apps) habits.set(entry.app, entry);
}

export function learnDecision(decision) {
  decisions.set(decision.number, decision);
  if (decisions.size > decisionsMax) decisions.delete(decisions.keys().next().value);
}

let isLooking = false;

// Requests the present state soon, once for all changes, while it is shown.
export function lookAgain() {
  if (isLooking || document.hidden || !($("fetches").open || $("settings").open || known.about)) return;
  isLooking = true;
  setTimeout(async () => {
    isLooking = false;  // Later changes may be missing in the answers, and are another reason to look.
    await Promise.all([listFetches(), listHabits(), listSettings()]);
    draw();
  }, 250);
}

export const wasMade = (decision) => decision.verdict !== "waits";

// Whether the app's content was refreshed. Of the tasks, the rule refreshes by some, in a window; the others are
// upkeep.
export const isFetch = (decision) => wasMade(decision) && (decision.request == null || decision.window != null);
