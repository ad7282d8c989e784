// What the daemon is asked for as a whole, since the news tell only of changes. What it does not answer stays as it is.

import { apps, known, notices, transfers } from "./known.js";
import { renewPicture } from "./pictures.js";
import { inOrder, seek } from "./server.js";

export const pagesMax = 20;

const seekApps = inOrder(() => seek("ListApps"));
const seekDevice = inOrder(() => seek("ShowDevice"));
const seekRecents = inOrder(() => seek("ListRecents"));
const seekSettings = inOrder(() => seek("ListSettings"));
const seekNotices = inOrder(() => seek("ListNotices"));

export async function listApps() {
  const found = await seekApps();
  if (!found) return;
  apps.clear();
  for (const app of found.apps) {
    apps.set(app.id, app);
    renewPicture(app);  // The stream reports no changes from before it began.
  }
}

export async function listDevice() {
  known.device = (await seekDevice())?.device ?? known.device;
}

// Lists transfers, since ended ones are not in the news. If there are very many, the first pages are enough.
export async function listTransfers() {
  let after = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const found = await seek("ListTransfers", { after, limit: 500 });
    if (!found) return;
    for (const transfer of found.transfers) if (!transfers.has(transfer.id)) transfers.set(transfer.id, transfer);
    if (found.complete || !found.transfers.length) return;
    after = found.transfers.at(-1).id;
  }
}

export async function listRecents() {
  known.recents = (await seekRecents())?.recents ?? known.recents;
}

export async function listSettings() {
  known.settings = (await seekSettings()) ?? known.settings;
}

export async function listNotices() {
  const found = await seekNotices();
  if (!found) return;
  notices.clear();
  for (const notice of found.notices) notices.set(notice.id, notice);
}
