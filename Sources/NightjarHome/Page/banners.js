// Short messages, which pass: banners, and words for screen readers.

import { $, make, put, span } from "./elements.js";

export function say(words) {
  put($("said"), words);
}

export function alarm(words) {
  raise(make("div", { className: "banner", role: "alert" }, span("text", words)), 7000);
}

// Shows a banner for some milliseconds.
export function raise(banner, time) {
  $("banners").append(banner);
  linger(banner, time);
}

const behind = make("div", { className: "banner" }, span("text", "Catching up. What you see may be old."));

// Shows a banner for as long as what is shown may be old.
export function tellBehind(isBehind) {
  if (!isBehind) behind.remove();
  else if (!behind.isConnected) $("banners").prepend(behind);
}

// Removes an element after a while, but not while a person points at it or has focused it.
function linger(element, time) {
  setTimeout(() => {
    if (element.matches(":hover, :focus-within, :focus")) linger(element, 1500);
    else element.remove();
  }, time);
}
