// The pictures of apps, on tiles.

import { make } from "./elements.js";
import { ask } from "./server.js";

// Promises of the apps' pictures as URLs, by app.
const pictures = new Map();

// The picture of an app or, if it has none, its first letter on a colour of its own.
export function tile(app) {
  const letter = [...(app.name || app.id)][0].toUpperCase();
  const element = make("span", { className: "tile", "aria-hidden": "true", data: { of: app.id, letter } }, letter);
  let hue = 7;
  for (const character of app.id) hue = (hue * 31 + character.codePointAt(0)) % 360;
  element.style.setProperty("--hue", hue);
  if (app.path) {
    if (!pictures.has(app.id)) renewPicture(app);
    pictures.get(app.id).then((url) => paint(element, url));
  }
  return element;
}

// Shows a picture on a tile, or its letter if there is none; elements on the tile stay.
function paint(element, url) {
  element.firstChild.replaceWith(url ? make("img", { src: url, alt: "" }) : element.dataset.letter);
}

// Requests an app's picture, and shows it in place of an earlier one. A missing picture is not remembered: the server
// may have been away.
export async function renewPicture({ id, path }) {
  if (!path) return;
  const [former, coming] = [pictures.get(id), fetchPicture(id)];
  pictures.set(id, coming);
  const [old, url] = [await former, await coming];
  if (pictures.get(id) === coming) {
    if (!url) pictures.delete(id);
    for (const element of document.querySelectorAll(`.tile[data-of="${CSS.escape(id)}"]`)) paint(element, url);
  }
  if (old) URL.revokeObjectURL(old);
}

export async function forgetPicture(id) {
  const picture = pictures.get(id);
  pictures.delete(id);
  const url = await picture;
  if (url) URL.revokeObjectURL(url);
}

async function fetchPicture(id) {
  try {
    return URL.createObjectURL(await (await ask(`icons/${encodeURIComponent(id)}`)).blob());
  } catch {
    return null;
  }
}
