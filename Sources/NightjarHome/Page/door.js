// Who is let in: a browser with a token, which it gets for a code.

import { alarm } from "./banners.js";
import { tellTime } from "./clock.js";
import { closeDialogs } from "./dialogs.js";
import { draw } from "./drawing.js";
import { $, put } from "./elements.js";
import { follow, stopFollowing } from "./news.js";
import { enter, gone, inWords, isIn, leave, whenTurnedAway } from "./server.js";
import { decoded } from "./words.js";

function lock() {
  stopFollowing();
  leave();
  closeDialogs();
  $("device").hidden = true;
  $("door").hidden = false;
  tellTime();
  draw();
  $("code").focus();
}

function unlock() {
  $("door").hidden = true;
  $("device").hidden = false;
  tellTime();
  follow();
}

async function tryCode(code) {
  put($("refused"), "");
  try {
    await enter(code);
    $("code").value = "";
    unlock();
  } catch (error) {
    refuse(inWords(error).message ?? gone);
  }
}

// Shows why a code was refused; a browser that is in already stays in.
function refuse(words) {
  if (isIn()) {
    unlock();
    return alarm(words);
  }
  lock();
  $("code").select();
  put($("refused"), words);
}

// Lets the browser in with the code in the address, which is removed from there before anything else, or with the token
// that it has.
export function knock() {
  const code = decoded(location.hash.slice(1));
  if (code) history.replaceState(null, "", location.pathname);
  if (code) tryCode(code);
  else if (isIn()) unlock();
  else lock();
}

whenTurnedAway(lock);
$("door").addEventListener("submit", (event) => {
  event.preventDefault();
  tryCode($("code").value);
});
