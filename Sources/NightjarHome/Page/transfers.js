// Transfers, as rows: on the sheet of all, and on the screen of their app.

import { button, emptyMeter, flag, foreign, keep, keepSentences, make, put, setMeter, span } from "./elements.js";
import { isOver, nameOf, transfers } from "./known.js";
import { seek, want } from "./server.js";
import { rateOf } from "./speeds.js";
import { bytes, decoded, duration, local } from "./words.js";

const rowsMax = 200;
const rank = { running: 0, delivering: 0, asking: 1, waiting: 2, queued: 3, suspended: 4 };

export function drawTransfers(body) {
  if (!body.firstChild) {
    body.append(
      make("h3", {}, "Under way"), make("div", { className: "rows under" }), make("p", { className: "note under" }),
      make("h3", { className: "over" }, "Ended"), make("div", { className: "rows over" }),
      make("p", { className: "note over" }));
  }
  const all = [...transfers.values()];
  const under = all.filter((transfer) => !isOver(transfer));
  const over = all.filter(isOver);
  under.sort((a, b) => rank[a.state] - rank[b.state] || a.id - b.id);
  over.sort((a, b) => b.id - a.id);
  body.querySelector("h3.over").hidden = !over.length;
  drawRows(body, ".under", under, "Nothing is under way.");
  drawRows(body, ".over", over, "");
}

function drawRows(body, kind, list, none) {
  const rows = body.querySelector(`.rows${kind}`);
  rows.hidden = !list.length;
  keepTransfers(rows, list.slice(0, rowsMax));
  const note = body.querySelector(`.note${kind}`);
  put(note, list.length > rowsMax ? `and ${list.length - rowsMax} more` : list.length ? "" : none);
  note.hidden = !note.textContent;
}

export function keepTransfers(rows, list) {
  keep(rows, list, (transfer) => transfer.id, buildTransfer, updateTransfer);
}

function buildTransfer(transfer) {
  const deed = (method, kind = "small") =>
    button(kind, () => want(method, { id: transfer.id }), { data: { deed: method } }, method);
  const row = make(
    "div", { className: "transfer", role: "group" },
    make("div", { className: "top" }, foreign("name"), span("count")),
    emptyMeter(),
    make(
      "div", { className: "bottom" }, span("verdict"), deed("Pause"), deed("Resume"), deed("Cancel", "small danger"),
      button("small why-button", () => toggleReasons(row, transfer.id), { "aria-expanded": "false" }, "Why")),
    make("ul", { className: "reasons", hidden: true }));
  return row;
}

function updateTransfer(row, transfer) {
  const name = fileName(transfer);
  flag(row, "data-state", transfer.state);
  flag(row, "aria-label", name);
  put(row.querySelector(".name"), `${transfer.direction === "upload" ? "↑" : "↓"} ${name}`);
  put(row.querySelector(".count"), countWords(transfer));
  drawProgress(row.querySelector(".meter"), transfer, name);
  drawVerdict(row, transfer);
  updateDeeds(row, transfer);
}

// How much there is, of how much, how fast, and how long the rest takes.
function countWords({ id, count, expected }) {
  const rate = rateOf(id);
  const of = expected ? ` of ${bytes(expected)}` : "";
  const left = rate > 0 && expected ? `, ${duration((expected - count) / rate)} left` : "";
  return `${bytes(count)}${of}${rate > 0 ? ` · ${bytes(rate)}/s${left}` : ""}`;
}

// Without a length the progress is unknown.
function drawProgress(meter, { state, count, expected }, name) {
  const done = state === "succeeded" ? 100 : expected ? (count / expected) * 100 : 0;
  setMeter(meter, name, done, state === "succeeded" || expected != null);
}

function drawVerdict(row, transfer) {
  const verdict = row.querySelector(".verdict");
  const failure = isOver(transfer) ? transfer.failure?.detail : null;
  const words = `${nameOf(transfer.app)} · ${failure || local(transfer.verdict)}`;
  if (verdict.textContent === words) return;
  put(verdict, words);
  if (!row.querySelector(".reasons").hidden) showReasons(row, transfer.id, seek);
}

function updateDeeds(row, transfer) {
  const [pause, resume, cancel] = ["Pause", "Resume", "Cancel"].map((deed) => row.querySelector(`[data-deed=${deed}]`));
  const focused = [pause, resume].find((deed) => deed === document.activeElement);
  pause.hidden = !["running", "queued", "waiting", "asking"].includes(transfer.state);
  resume.hidden = !["suspended", "waiting"].includes(transfer.state);
  put(resume, transfer.state === "waiting" ? "Try now" : "Resume");
  put(cancel, isOver(transfer) ? "Remove" : "Cancel");
  if (focused?.hidden) ([pause, resume].find((deed) => !deed.hidden) ?? row.querySelector(".why-button")).focus();
}

// The name of a transfer for people: its label, its file, or its address, as on the command line.
function fileName(transfer) {
  if (transfer.label) return transfer.label;
  const file = transfer.destination ?? (transfer.direction === "upload" ? transfer.file : null);
  if (file) return file.split("/").at(-1);
  return decoded(transfer.url.split(/[?#]/)[0].split("/").filter(Boolean).at(-1) ?? transfer.url);
}

async function toggleReasons(row, id) {
  const reasons = row.querySelector(".reasons");
  const isHidden = !reasons.hidden;
  reasons.hidden = isHidden;
  flag(row.querySelector(".why-button"), "aria-expanded", !isHidden);
  if (!isHidden) await showReasons(row, id, want);
}

// Shows why a transfer stands as it does. Only a person who has asked for it is told that it cannot be found out.
async function showReasons(row, id, ask) {
  const found = await ask("Why", { id });
  if (found) keepSentences(row.querySelector(".reasons"), found.sentences.map(local));
}
