// Styles that only one page needs come with that page.

import { h } from "/pages/dom.js";

/** Resolves when the style sheet is there, or cannot be had: a page without it is plain, not empty. */
export function styled(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
}
