// How a part of the review page takes in another page of its list.

import { complain } from "/pages/notice.js";

/** Adds the next of `part.list` to its rows, each as `card` has it; `mine` says whether that is still wanted when it comes. */
export async function addPage(part, mine, card) {
  part.more.disabled = true;
  try {
    const { list } = part;
    const found = await list.next();
    if (mine.aborted || list !== part.list) return;
    part.rows.append(...found.map(card));
    part.more.hidden = list.isDone;
  } catch (error) {
    complain(error);
  } finally {
    part.more.disabled = false;
  }
}
