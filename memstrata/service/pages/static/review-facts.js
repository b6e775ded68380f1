// Facts: found and withdrawn, and those that were withdrawn, each of which can be restored.

import { get, paged, post } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { openFact } from "/pages/drawer.js";
import { announce, clear, complain } from "/pages/notice.js";
import { factLine } from "/pages/pieces.js";
import { keep } from "/pages/place.js";
import { restore, withdraw } from "/pages/verdicts.js";
import { shown } from "/pages/when.js";

const FOUND = 12;
const PAGE = 200;

export async function showFacts(body, { group, params, signal, mayDecide }) {
  const state = { group, signal, mayDecide, waiting: new Set(), query: "" };
  const box = h("input", { type: "search", id: "find", value: params.get("q") ?? "", maxlength: 2000, autocomplete: "off", placeholder: "Words of the fact" });
  const why = h("input", { type: "text", id: "why", maxlength: 2000, autocomplete: "off", placeholder: "Why (kept with the decision)", disabled: !mayDecide });
  state.why = why;
  state.found = h("div", { id: "found" });
  state.gone = h("div", {}, h("p", { class: "soft small" }, "Looking them up ..."));
  const find = (event) => {
    event?.preventDefault();
    keep({ q: box.value.trim() });
    return search(state, box.value.trim());
  };
  fill(
    body,
    h("section", {}, h("h2", {}, "Withdraw a fact"), h("p", { class: "hint" }, "It is believed no more from the next pass on; its history stays, and it can be restored."),
      h("form", { class: "find", role: "search", onsubmit: find }, h("label", { class: "unseen", for: "find" }, "Find facts"), box, h("button", { type: "submit" }, "Find"), h("label", { class: "unseen", for: "why" }, "Reason"), why),
      state.found,
    ),
    h("section", {}, h("h2", {}, "Withdrawn"), state.gone),
  );
  await gone(state);
  if (box.value) await find();
}

async function search(state, query) {
  state.query = query;
  if (!query) return fill(state.found);
  try {
    const answer = await post("/v1/search", { query, groups: [state.group], preset: "facts", limit: FOUND }, state.signal);
    clear();
    announce(`${answer.facts.length} facts found`);
    fill(state.found, answer.facts.length ? h("ul", { class: "lines" }, answer.facts.map((one) => found(state, one.fact))) : h("p", { class: "soft" }, "No fact of these words; look in another group, or ask in other words."));
  } catch (error) {
    complain(error);
  }
}

function found(state, named) {
  const { id } = named.version.fact;
  const button = h("button", { type: "button", class: "bad", disabled: !state.mayDecide || state.waiting.has(id), "aria-describedby": state.mayDecide ? null : "refusal", "aria-label": `Reject: ${named.version.fact.fact}` }, state.waiting.has(id) ? "Withdrawn" : "Reject");
  button.addEventListener("click", () =>
    acting(state, button, "Withdrawn", () => withdraw(state.group, id, state.why.value.trim())),
  );
  return factLine(named, { open: openFact, extra: button });
}

/** Presses a button once; refused, it can be pressed again, and the reason is said. */
async function acting(state, button, done, act) {
  button.disabled = true;
  try {
    await act();
    state.why.value = "";
    clear();
    announce(done);
    await gone(state);
    await search(state, state.query);
  } catch (error) {
    button.disabled = false;
    complain(error);
  }
}

/** The withdrawals that nobody has taken back, the latest first. */
async function gone(state) {
  try {
    const all = [];
    const list = paged("/v1/decisions", { group_id: state.group, limit: PAGE }, state.signal);
    while (!list.isDone) all.push(...(await list.next()));
    const restored = new Set(all.filter(({ decision }) => decision.kind === "accept").map(({ decision }) => decision.payload.decision_id));
    const rejects = all.filter(({ decision }) => decision.kind === "reject" && decision.payload.fact_id && !restored.has(decision.decision_id));
    state.waiting = new Set(rejects.filter(({ seq }) => seq === null).map(({ decision }) => decision.payload.fact_id));
    fill(state.gone, rejects.length ? h("ul", { class: "made" }, rejects.map((one) => withdrawn(state, one))) : h("p", { class: "soft" }, "Nothing is withdrawn."));
  } catch (error) {
    complain(error);
  }
}

function withdrawn(state, { decision, seq }) {
  const text = h("button", { type: "button", class: "link", onclick: () => openFact(state.group, decision.payload.fact_id) }, `Fact ${decision.payload.fact_id ?? ""}`);
  const path = `/v1/facts/${encodeURIComponent(decision.payload.fact_id ?? "")}`;
  if (decision.payload.fact_id) get(path, { groups: [state.group] }, state.signal).then((record) => (text.textContent = record.versions.at(-1).version.fact.fact), () => null);
  const button = h("button", { type: "button", disabled: !state.mayDecide, "aria-describedby": state.mayDecide ? null : "refusal" }, "Accept again");
  button.addEventListener("click", () => acting(state, button, "Restored", () => restore(state.group, decision.decision_id, state.why.value.trim())));
  return h("li", {}, h("span", {}, text, h("span", { class: "small soft by" }, ` ${decision.who || decision.by}, ${shown(decision.at)}${decision.reason ? `: ${decision.reason}` : ""}`), seq === null ? [" ", h("span", { class: "badge" }, "with the next pass")] : null), button);
}
