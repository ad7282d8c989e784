// When the page is drawn: at the next frame after a change, once for all changes.

import { transfers } from "./known.js";

const manyTransfers = 2000;

let drawAll = () => {};
let isDue = false;

// Names what draws the page.
export function drawBy(all) {
  drawAll = all;
}

// Draws soon; less often in a hidden tab, which gets no frames, and when there are very many transfers.
export function draw() {
  if (isDue) return;
  isDue = true;
  const isCalm = document.hidden || transfers.size > manyTransfers;
  (isCalm ? (then) => setTimeout(then, 300) : requestAnimationFrame)(() => {
    isDue = false;
    drawAll();
  });
}
