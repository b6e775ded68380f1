// Asking again while a reader moves on: at once, or when they pause; an answer that is overtaken is dropped.

import { clear, complain } from "/pages/notice.js";

/**
 * `ask(signal)` reads and draws; it must not draw once `signal` has aborted. `parts` are dimmed meanwhile.
 * `pause` is how many milliseconds without a key or a move `soon()` waits. Leaving the page (`leaving`) ends it.
 */
export function asking({ ask, parts, pause, leaving }) {
  let timer = null;
  let current = null;
  leaving.addEventListener("abort", () => {
    clearTimeout(timer);
    current?.abort();
  });
  async function now() {
    clearTimeout(timer);
    current?.abort();
    const mine = (current = new AbortController());
    for (const part of parts) {
      part.classList.add("waiting");
      part.setAttribute("aria-busy", "true");
    }
    try {
      await ask(mine.signal);
      if (!mine.signal.aborted) clear();
    } catch (error) {
      if (!mine.signal.aborted) complain(error);
    }
    if (mine.signal.aborted) return;
    for (const part of parts) {
      part.classList.remove("waiting");
      part.removeAttribute("aria-busy");
    }
  }
  return {
    now,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(now, pause);
    },
  };
}
