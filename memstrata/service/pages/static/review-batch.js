// The question before a verdict on many at once.

import { h } from "/pages/dom.js";

const WORDS = {
  accept: { title: "Accept", what: "All that this rule keeps waiting counts from then on, also what is not shown here." },
  reject: { title: "Reject", what: "None of what this rule keeps waiting will count, also what is not shown here." },
};

/** Asks whether so many are meant; resolves to the answer. Return alone does not say yes. */
export function sure(verdict, count, rule) {
  const { title, what } = WORDS[verdict];
  const many = count === 1 ? "one waiting fact" : `${count.toLocaleString("en")} waiting facts`;
  return new Promise((resolve) => {
    const close = (value) => () => dialog.close(value);
    const dialog = h(
      "dialog",
      { class: "ask", "aria-labelledby": "sure" },
      h("form", { method: "dialog" },
        h("h2", { id: "sure" }, `${title} ${many}?`),
        h("p", {}, `Rule: ${rule}. `, what),
        h("div", { class: "buttons" }, h("button", { type: "button", class: "quiet", autofocus: true, onclick: close("") }, "Not now"), h("button", { type: "button", class: verdict === "reject" ? "bad" : "main", onclick: close(verdict) }, `${title} ${count.toLocaleString("en")}`)),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === verdict);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
