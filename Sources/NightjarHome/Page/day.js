// What was learned about an app's day, as a picture: a bar for each half hour.

import { inDay, percent, timeOfDay, usualTimes } from "./outcomes.js";
import { across, hourOf, line, picture, shape, tick } from "./plots.js";

// The hours that are named below it, and which part of their names is there.
const anchors = { 0: "start", 6: "middle", 12: "middle", 18: "middle", 24: "end" };

export function drawDay(svg, name, likelihoods, top) {
  const now = new Date();
  const isToday = [0, 6].includes(now.getDay()) === (name === "Weekend");
  const place = isToday ? (now.getHours() * 60 + now.getMinutes()) / 1440 : null;
  picture(svg, `${name}: ${usualTimes(likelihoods)}`, [likelihoods, top, place], () => {
    const bars = likelihoods.map((part, index) => bar(index, part / top, `${timeOfDay(index)}: ${percent(part)}`));
    const ticks = Object.entries(anchors).map(([hour, anchor]) => tick(hour / 24, 64, hourOf(inDay(hour * 2)), anchor));
    return [...bars, line("base", 0, 64, 1, 64), ...ticks, ...(isToday ? [line("now", place, 2, place, 64)] : [])];
  });
}

function bar(index, part, words) {
  const tall = part > 0 ? Math.max(1, Math.min(1, part) * 60) : 0;
  const box = { class: "bar", x: across(index / 48), y: 64 - tall, width: across(0.8 / 48), height: tall.toFixed(1) };
  return shape("rect", box, shape("title", {}, words));
}

// How high the highest bar of an app is.
export const topOf = (learned) => Math.max(0.1, ...learned.weekday, ...learned.weekend);
