// The page's elements: how they are found, made, and kept in step with what they show. What comes from apps is only
// ever set as text.

export const $ = (id) => document.getElementById(id);

// Makes an element: properties first, then children; strings become text.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(element.dataset, value);
    else if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name in element && name !== "list" && name !== "role") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

// A button that does something when it is pressed.
export function button(className, act, properties = {}, ...children) {
  return make("button", { className, type: "button", on: { click: act }, ...properties }, ...children);
}

export const span = (className, ...words) => make("span", { className }, ...words);

// A span for words of an app's own, which may be written in either direction.
export const foreign = (className, ...words) => make("span", { className, dir: "auto" }, ...words);

export const chevron = () => make("span", { className: "chevron", "aria-hidden": "true" });

// Keeps the children of a list in step with items: each item keeps its element while it exists. Removed ones are taken
// out first, so that the others are not moved: the frames of a moved element load again. The focus stays with the item
// that has it; that of one that is removed goes to its heir.
export function keep(list, items, key, build, update) {
  const wanted = new Set(items.map((item) => String(key(item))));
  const focused = document.activeElement;
  const heir = heirOf(list, (child) => wanted.has(child.dataset.key));
  const old = new Map();
  for (const child of [...list.children]) {
    if (wanted.delete(child.dataset.key)) old.set(child.dataset.key, child);
    else child.remove();
  }
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    const element = old.get(name) ?? build(item);
    old.delete(name);
    element.dataset.key = name;
    if (element === place) place = place.nextElementSibling;
    else move(element, list, place, focused);
    update(element, item);
  }
  if (heir) focus(heir);
}

// Puts an element into a list. One that is moved loses the focus, and gets it back.
function move(element, list, place, focused) {
  const hadFocus = element.contains(focused);
  list.insertBefore(element, place);
  if (hadFocus) focused.focus({ preventScroll: true });
}

// What gets the focus when the child that has it goes: the next that stays, else the one before, else the heading.
function heirOf(list, stays) {
  if (!list.contains(document.activeElement)) return null;
  const all = [...list.children];
  const place = all.findIndex((child) => child.contains(document.activeElement));
  if (place < 0 || stays(all[place])) return null;
  return all.slice(place).find(stays) ?? all.slice(0, place).findLast(stays) ?? headingOf(list);
}

// The nearest heading above a list or, if there is none, the part of the page that the list is in.
function headingOf(list) {
  const part = list.closest("dialog, section, main") ?? document.body;
  const isAbove = (heading) => heading.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING;
  const headings = [...part.querySelectorAll("h1, h2, h3")];
  return headings.findLast((heading) => isAbove(heading) && !heading.closest("[hidden]")) ?? part;
}

// Focuses the button that a row is or begins with. A row that has only others gets the focus itself, so that a key that
// was meant for its neighbour does nothing to it.
function focus(element) {
  const opener = element.matches("button") ? element : element.querySelector(":scope > button:first-child");
  if (!opener) element.tabIndex = -1;
  (opener ?? element).focus();
}

// Sets text only if it differs, so that screen readers and selections are not disturbed.
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function flag(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// Keeps a list of sentences, each of which is an item by itself.
export function keepSentences(list, sentences) {
  keep(list, sentences, (sentence) => sentence, () => make("li"), put);
}

export const emptyMeter = () => make("div", { className: "meter", role: "progressbar" }, make("i"));

// Shows how much of a whole is there, in percent. Without a number for screen readers its progress is unknown to them.
export function setMeter(meter, label, percent, isKnown = true) {
  meter.style.setProperty("--done", percent.toFixed(2));
  for (const [name, value] of [["aria-label", label], ["aria-valuemin", 0], ["aria-valuemax", 100]]) {
    flag(meter, name, value);
  }
  if (isKnown) flag(meter, "aria-valuenow", Math.floor(percent));
  else meter.removeAttribute("aria-valuenow");
}
