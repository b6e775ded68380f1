// The shell: which page the address means, the way between them, the group, and the token.

import { forget, groups, onTokenNeeded, token } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { clear, complain } from "/pages/notice.js";
import { address, go, group, pageOf } from "/pages/place.js";

const TITLES = { search: "Search", entity: "Entity", graph: "Graph", review: "Review", dashboard: "Dashboard" };
const main = document.getElementById("main");
const chooser = document.getElementById("group");
let leaving = null;

async function draw() {
  leaving?.abort();
  const stay = (leaving = new AbortController());
  clear();
  const name = pageOf(location.pathname);
  document.title = `${TITLES[name] ?? "Memstrata"} · Memstrata`;
  main.className = name ?? "";
  mark(name);
  const page = fill(main, h("div", { class: "page" })).firstChild;
  try {
    const module = await import(`/pages/${name}.js`);
    if (!stay.signal.aborted) await module.show(page, new URLSearchParams(location.search), stay.signal);
    if (!stay.signal.aborted) markUsable(name);
  } catch (error) {
    if (!stay.signal.aborted) complain(error);
  }
}

/** Marks that a page shows what it is for and answers its reader, once that has been painted. */
function markUsable(name) {
  requestAnimationFrame(() => setTimeout(() => performance.mark("usable", { detail: name })));
}

/** Which page is shown, and links that keep the group. */
function mark(name) {
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.dataset.page === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    link.href = address(new URL(link.href).pathname, { group: group() });
  }
  if (!chooser.hidden) chooser.value = group() ?? "";
  document.getElementById("forget").hidden = token() === null;
}

async function offerGroups() {
  try {
    const found = await groups();
    const options = found.map((one) => h("option", { value: one.group_id }, one.group_id));
    fill(chooser, h("option", { value: "" }, "All groups"), options);
    chooser.hidden = found.length < 2;
    chooser.value = group() ?? "";
  } catch (error) {
    chooser.hidden = true;
    complain(error);
  }
}

/** Another group of the same page; an entity belongs to one, so it is left for a search in the other. */
function chosen() {
  const page = pageOf(location.pathname);
  const all = Object.fromEntries(new URLSearchParams(location.search));
  if (page === "entity" || page === "graph") go(address("/", { group: chooser.value }));
  else go(address(location.pathname, { ...all, group: chooser.value }));
}

function followed(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || !pageOf(to.pathname) || to.hash) return;
  event.preventDefault();
  go(to.pathname + to.search);
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

function typed(event) {
  const isWriting = event.target instanceof Element && event.target.closest("input:not([type=range]), textarea, select, [contenteditable]");
  if (event.key !== "/" || isWriting || event.metaKey || event.ctrlKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const box = document.getElementById("query");
  if (box) box.focus();
  else go(address("/", { group: group() }));
}

/** The dialog that asks for a token; resolves to it, or to null when it is closed. */
function askForToken(problem) {
  return new Promise((resolve) => {
    const field = h("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true, placeholder: "mst_..." });
    const dialog = h(
      "dialog",
      { class: "ask", "aria-labelledby": "ask-title" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "ask-title" }, token() ? "That token is not valid" : "This memory needs a token"),
        h("p", {}, problem.detail),
        h("label", { for: "token" }, "Token"),
        field,
        h("p", { class: "hint" }, "It is kept in this tab alone, until the tab is closed or you forget it. ", h("code", {}, "memstrata token create --name you --group '*' --can read"), " makes one."),
        h("div", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: () => dialog.close("") }, "Not now"), h("button", { type: "submit", class: "main" }, "Enter")),
      ),
    );
    dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.close(field.value.trim());
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

onTokenNeeded(askForToken);
document.addEventListener("click", followed);
document.addEventListener("keydown", typed);
document.getElementById("forget").addEventListener("click", () => {
  forget();
  go(address("/"));
});
chooser.addEventListener("change", chosen);
window.addEventListener("popstate", draw);
window.addEventListener("placechange", draw);
window.addEventListener("placekept", () => mark(pageOf(location.pathname)));
window.addEventListener("tokenchange", () => {
  mark(pageOf(location.pathname));
  if (token()) offerGroups();
});
draw();
offerGroups();
