// Words for people: numbers, times and states.

export const states = {
  notRunning: "does not run", launching: "is being launched", foreground: "is in the foreground",
  background: "runs in the background", suspended: "is suspended", attached: "is attached", ending: "is ending",
};

export const networks = { none: "No network", unmetered: "Unmetered", metered: "Metered", cellular: "Cellular" };

export function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) [count, unit] = [count / 1000, unit + 1];
  return `${unit && count < 100 ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
}

export function duration(seconds) {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

// The time of day.
export const clock = (date) => date.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });

// A moment in words for people: the time if it is today, else with the day.
export function when(milliseconds) {
  const [date, today] = [new Date(milliseconds), new Date()];
  if (date.toDateString() === today.toDateString()) return clock(date);
  const year = date.getFullYear() === today.getFullYear() ? {} : { year: "numeric" };
  return `${date.toLocaleDateString([], { day: "numeric", month: "short", ...year })}, ${clock(date)}`;
}

// Replaces the daemon's timestamps (RFC 3339, UTC) by local times for people.
export const local = (sentence) => sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => when(Date.parse(moment)));

export function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// Undoes percent-encoding; a text that does not decode to UTF-8 is left as it is.
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
