// What pictures of background fetch are made of: SVG, element by element, with lengths in percent.

import { flag } from "./elements.js";

export function shape(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Redraws a picture only if its data has changed; `words` is its text for screen readers.
export function picture(svg, words, facts, build) {
  flag(svg, "aria-label", words);
  const key = JSON.stringify(facts);
  if (svg.drawn === key) return;
  svg.drawn = key;
  svg.replaceChildren(...build());
}

export const plot = (kind) => shape("svg", { class: `plot ${kind}`, role: "img" });
export const across = (part) => `${(part * 100).toFixed(2)}%`;

// A place for one mark beside its meaning.
export const key = (...marks) => shape("svg", { class: "plot key", "aria-hidden": "true" }, ...marks);

// Outcomes are distinguished by shape alone: full, hollow, crossed, a triangle, dotted while it runs.
const forms = {
  newData: ["circle", { r: 4.5 }], noData: ["circle", { r: 4 }], failed: ["path", { d: "M-4-4 4 4M4-4-4 4" }],
  late: ["path", { d: "M0-5 5 4H-5z" }], underWay: ["circle", { r: 4.5, "stroke-dasharray": "2 2" }],
};

export function outcomeMark(outcome, x, y, words) {
  const [tag, attributes] = forms[outcome] ?? forms.underWay;
  const mark = shape(tag, { class: `mark ${outcome}`, ...attributes });
  if (words) mark.append(shape("title", {}, words));
  return shape("svg", { x, y, overflow: "visible" }, mark);
}

export const line = (kind, x1, y1, x2, y2) => shape("line", { class: kind, x1: across(x1), y1, x2: across(x2), y2 });
export const tick = (x, y, words, anchor) => shape("text", { x: across(x), y: y + 15, "text-anchor": anchor }, words);
export const hourOf = (date) => date.toLocaleTimeString([], { hour: "numeric" });
