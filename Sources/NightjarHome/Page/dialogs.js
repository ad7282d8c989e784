// Sheets and the switcher, which lie above everything else on the page.

import { $ } from "./elements.js";

// A sheet covers everything outside it and makes it inert, so banners and announcements go into the topmost sheet.
export function placeBanners() {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if ($("banners").parentElement !== top) top.append($("said"), $("banners"));
}

export function showModal(dialog) {
  if (dialog.open) return;
  dialog.showModal();
  placeBanners();
}

export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}
