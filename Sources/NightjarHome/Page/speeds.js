// How fast transfers go, as far as their reports tell.

const speeds = new Map();
const spanMin = 400;  // Milliseconds: over less than that a rate is not worth much.

// Learns of the speed of a transfer from its latest report.
export function measure({ id, state, count }) {
  const [at, before] = [performance.now(), speeds.get(id)];
  if (state !== "running") speeds.delete(id);
  else if (!before) speeds.set(id, { at, count, rate: null });
  else if (at - before.at > spanMin) {
    const rate = (Math.max(0, count - before.count) / (at - before.at)) * 1000;
    speeds.set(id, { at, count, rate: before.rate == null ? rate : before.rate * 0.6 + rate * 0.4 });
  }
}

export function forgetSpeed(id) {
  speeds.delete(id);
}

// Forgets all speeds: over a time in which nothing was heard they say nothing.
export function forgetSpeeds() {
  speeds.clear();
}

// Bytes in a second; nothing while that is unknown.
export const rateOf = (id) => speeds.get(id)?.rate;
