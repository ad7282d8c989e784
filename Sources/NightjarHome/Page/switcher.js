// The app switcher: a card for each app that was used lately.

import { say } from "./banners.js";
import { showModal } from "./dialogs.js";
import { draw } from "./drawing.js";
import { $, button, flag, foreign, keep, make, put, span } from "./elements.js";
import { appOf, apps, known, nameOf } from "./known.js";
import { listRecents } from "./lists.js";
import { tile } from "./pictures.js";
import { openApp } from "./screen.js";
import { seek, want } from "./server.js";
import { buildFrame, hiddenWords, show } from "./views.js";
import { states } from "./words.js";

export function drawCards() {
  if (!$("switcher").open) return;
  const cards = known.recents ?? [];
  const [wide, high] = [innerWidth, Math.max(200, innerHeight - 90)];
  const scale = Math.min(0.62, (innerHeight * 0.56) / high, (innerWidth * 0.66) / wide);
  setMeasures({ wide: `${wide}px`, high: `${high}px`, card: `${wide * scale}px`, tall: `${high * scale}px`, scale });
  $("nothing").hidden = cards.length > 0;
  $("cards").hidden = !cards.length;
  keep($("cards"), cards, (recent) => recent.app, buildCard, updateCard);
}

function setMeasures(measures) {
  for (const [name, value] of Object.entries(measures)) $("switcher").style.setProperty(`--${name}`, value);
}

function buildCard(recent) {
  const remove = () => removeRecent(recent.app);
  const card = make(
    "li", { className: "card", data: { app: recent.app } }, button("open", () => openApp(recent.app)),
    make(
      "div", { className: "caption" }, tile(appOf(recent.app, recent.name)), foreign("label state"),
      button("remove", remove, {}, "×")));
  card.addEventListener("keydown", (event) => pressOn(card, event, remove));
  makeSwipable(card, remove);
  return card;
}

function pressOn(card, event, remove) {
  // A key held down would remove the next card, too, and cancel that app's transfers.
  if (!event.repeat && ["Delete", "Backspace"].includes(event.key)) remove();
  const next = { ArrowRight: card.nextElementSibling, ArrowLeft: card.previousElementSibling }[event.key];
  if (!next) return;
  event.preventDefault();  // The key would scroll on to the card after the next.
  next.querySelector(".open").focus();
}

function updateCard(card, recent) {
  const app = apps.get(recent.app) ?? recent;
  const label = card.querySelector(".label");
  put(label, recent.name);
  flag(label, "data-state", app.state);
  flag(card.querySelector(".open"), "aria-label", `${recent.name}, ${states[app.state]}`);
  flag(card.querySelector(".remove"), "aria-label", `Remove ${recent.name}`);
  const key = `${recent.snapshot ?? ""}/${recent.hidden ?? false}`;
  if (card.dataset.shows === key) return;
  card.dataset.shows = key;
  drawSnapshot(card, recent);
}

async function drawSnapshot(card, recent) {
  const place = card.querySelector(".open");
  const app = appOf(recent.app, recent.name);
  const blank = (words) => place.replaceChildren(span("none", tile(app), words));
  if (recent.hidden) return blank(hiddenWords);
  if (recent.snapshot == null) return blank("No snapshot");
  const key = card.dataset.shows;
  const found = await seek("ShowSnapshot", { app: recent.app });
  if (!card.isConnected || card.dataset.shows !== key) return;  // It may be locked by now.
  if (!found) {
    delete card.dataset.shows;  // It is asked for again when the card is next drawn.
    return blank("…");
  }
  if (found.html == null) return blank(found.hidden ? hiddenWords : "No snapshot");
  let frame = place.querySelector("iframe");
  if (!frame) place.replaceChildren((frame = buildFrame(app, true)));
  frame.link.number = found.number;
  show(frame, found.html);
}

async function removeRecent(id) {
  if (!(await want("RemoveRecent", { app: id }))) return;
  say(`${nameOf(id)} was removed.`);
  known.recents = (known.recents ?? []).filter((recent) => recent.app !== id);
  if (known.opening === id) known.opening = null;
  draw();
}

// A swipe upwards throws a card away; less than that lets it fall back.
function makeSwipable(card, throwAway) {
  let start = null;
  const handle = card.querySelector(".open");
  handle.addEventListener("pointerdown", (event) => {
    start = event.clientY;
  });
  card.addEventListener("pointermove", (event) => {
    if (start !== null && !event.buttons) end(event);  // It was let go where the card does not hear of it.
    if (start === null) return;
    const way = Math.min(0, event.clientY - start);
    if (way < -12) card.setPointerCapture(event.pointerId);
    handle.style.transform = `translateY(${way}px)`;
  });
  const end = (event) => {
    if (start === null) return;
    const way = event.type === "pointerup" ? event.clientY - start : 0;
    start = null;
    handle.style.transform = "";
    if (way < -90) throwAway();
  };
  card.addEventListener("pointerup", end);
  card.addEventListener("pointercancel", end);
}

export function openSwitcher() {
  if (known.recents === null || $("switcher").open) return;
  showModal($("switcher"));
  listRecents().then(() => {
    drawCards();
    const first = $("cards").querySelector(".open");
    first?.focus();
    first?.closest(".card").scrollIntoView({ inline: "center", block: "nearest" });
  });
}
