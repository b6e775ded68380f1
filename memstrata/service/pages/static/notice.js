// What the pages say to their reader: one visible message when something went wrong, and a voice for
// those who listen to a page instead of looking at it.

import { fill, h } from "/pages/dom.js";

const notice = () => document.getElementById("notice");

/** Shows what went wrong and what to do; what was merely left behind (aborted) is not worth a word. */
export function complain(error) {
  if (error?.name === "AbortError") return;
  if (!error?.isProblem) console.error(error); // a fault of the pages, not an answer of the server
  const close = h("button", { type: "button", class: "quiet", onclick: clear, "aria-label": "Close message" }, "Close");
  fill(
    notice(),
    h(
      "div",
      {},
      h("strong", {}, error?.title ?? "Something went wrong"),
      h("p", {}, error?.detail ?? String(error?.message ?? error)),
      (error?.errors ?? []).map((one) => h("p", { class: "field" }, `${one.field}: ${one.problem}`)),
      error?.advice ? h("p", { class: "advice" }, error.advice) : null,
    ),
    close,
  );
  notice().hidden = false;
}

/** Takes the message away. */
export function clear() {
  notice().hidden = true;
  fill(notice());
}

/** Says something to screen readers, such as how much was found. */
export function announce(text) {
  document.getElementById("said").textContent = text;
}
