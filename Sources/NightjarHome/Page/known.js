// What is known of the daemon's state, and what the page shows of it. It is lost with the page.

export const apps = new Map();
export const transfers = new Map();
export const notices = new Map();

export const known = {
  device: null,
  settings: null,
  recents: null,
  // Why nothing is heard of the daemon, in words; empty while something is.
  away: "",
  // Why the daemon stands still, in words; empty while it does not.
  trouble: "",
  // Changes that have to wait until the lists are complete; null if they are.
  waiting: null,
  // Whether people are told that what is shown may be old, since the lists are not complete yet after a break.
  isBehind: false,
  // The apps that a person has just opened and left, until the daemon says so too.
  opening: null,
  leaving: null,
  // The app whose sheet is open.
  about: null,
};

// Ends the wait for an app that is on the screen now, or will not come.
export function settleOpening() {
  if (["foreground", "notRunning", "ending"].includes(apps.get(known.opening)?.state)) known.opening = null;
}

// An app, or what little is known of one that has gone.
export const appOf = (id, name = id) => apps.get(id) ?? { id, name };
export const nameOf = (id) => apps.get(id)?.name ?? (id === "dev.nightjar.cli" ? "Command line" : id);
export const byName = (a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1);
export const isOver = (transfer) => transfer.state === "succeeded" || transfer.state === "failed";
