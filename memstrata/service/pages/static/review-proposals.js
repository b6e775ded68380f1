// Relations that a model proposes to declare with one object at a time: why, on which facts, and a verdict.
// An accepted one stays, with what the ontology is to list, until it does; a rejected one can be accepted again.

import { paged } from "/pages/api.js";
import { asking } from "/pages/asking.js";
import { fill, h } from "/pages/dom.js";
import { openFact } from "/pages/drawer.js";
import { announce, clear, complain } from "/pages/notice.js";
import { empty, relation } from "/pages/pieces.js";
import { keep } from "/pages/place.js";
import { addPage } from "/pages/review-paging.js";
import { ruleOnProposal } from "/pages/verdicts.js";
import { shown } from "/pages/when.js";

const AT_ONCE = 20;
const DONE = { accept: "Accepted", reject: "Rejected" };
const REJECTED = "rejected";

export async function showProposals(body, context) {
  await new Proposals(body, context).asking.now();
}

class Proposals {
  constructor(body, { group, signal, mayDecide, params, tabs }) {
    Object.assign(this, { group, signal, mayDecide, tabs, state: params.get("state") === REJECTED ? REJECTED : null });
    this.filters = h("div", { class: "chips", role: "group", "aria-label": "By what was decided" });
    this.why = h("input", { type: "text", id: "proposal-why", maxlength: 2000, autocomplete: "off", placeholder: "Why (kept with the decision)", disabled: !mayDecide });
    this.head = h("div", { class: "item-why" }, h("label", { class: "unseen", for: "proposal-why" }, "Reason"), this.why);
    this.rows = h("ul", { class: "items", "aria-label": "Proposals" });
    this.nothing = h("div", { tabindex: "-1", hidden: true });
    this.more = h("button", { type: "button", onclick: () => this.next(this.signal) }, "Show more");
    this.asking = asking({ ask: (mine) => this.draw(mine), parts: [this.rows], pause: 0, leaving: signal });
    fill(
      body,
      this.filters,
      h("p", { class: "hint" }, "Facts of a relation that nobody declared never end one another. A verdict here changes no fact: an accepted proposal takes effect once the ontology lists the relation."),
      this.head, this.nothing, this.rows, this.more,
    );
  }

  async draw(mine) {
    fill(this.filters, this.chip(null, "Proposed"), this.chip(REJECTED, "Rejected"));
    this.list = paged("/v1/review/proposals", { group_id: this.group, limit: AT_ONCE, state: this.state }, mine);
    fill(this.rows);
    await this.next(mine);
    const isEmpty = !this.rows.childElementCount;
    this.nothing.hidden = !isEmpty;
    this.head.hidden = isEmpty;
    fill(this.nothing, isEmpty ? this.none() : null);
  }

  /** Another page of them. */
  next(mine) {
    return addPage(this, mine, (one) => this.card(one));
  }

  none() {
    return this.state === REJECTED
      ? empty("None was rejected", h("p", {}, "What is rejected is listed here, and can be accepted again."))
      : empty("Nothing is proposed", h("p", {}, "Where a language model finds that facts exclude each other, and no date tells which ended, it proposes to declare their relation with one object at a time."), h("pre", {}, "memstrata adjudicate"));
  }

  chip(state, text) {
    return h("button", { type: "button", class: "chip", "aria-pressed": String(this.state === state), onclick: () => this.filter(state) }, text);
  }

  async filter(state) {
    this.state = state;
    keep({ state });
    await this.asking.now();
    this.filters.querySelector('[aria-pressed="true"]')?.focus();
    announce(`${this.rows.childElementCount}${this.list.isDone ? "" : " and more"} shown`);
  }

  card(one) {
    const { predicate, state, reason, who, at, facts, verdict, declaration } = one;
    const row = h("li", { class: "card item", "data-predicate": predicate });
    return fill(
      row,
      h("p", { class: "sentence" }, h("span", { class: "relation" }, relation(predicate)), ": one object at a time?"),
      h("p", { class: "small" }, h("span", { class: state === "accepted" ? "badge accent" : "badge warn" }, state === "open" ? "proposed" : state), " ", reason),
      facts.length ? h("ul", { class: "conflicting", "aria-label": "Seen on" }, facts.map(({ fact_id: id, fact }) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => openFact(this.group, id) }, fact)))) : null,
      verdict ? h("p", { class: "small" }, `${DONE[verdict.payload.verdict]} by ${verdict.who || `a ${verdict.by}`}, ${shown(verdict.at)}${verdict.reason ? `: ${verdict.reason}` : ""}`) : null,
      state === "accepted" ? h("div", { class: "declare" }, h("p", { class: "hint" }, "To be listed among the relations of the ontology:"), h("pre", {}, `- ${declaration}`)) : null,
      h("div", { class: "item-foot" }, h("p", { class: "small soft" }, `Proposed by ${who}${one.times > 1 ? ` ${one.times.toLocaleString("en")} times, last` : ","} ${shown(at)}`), h("div", { class: "buttons" }, state === REJECTED ? null : this.button(one, "reject", row), state === "accepted" ? null : this.button(one, "accept", row))),
    );
  }

  button(one, verdict, row) {
    const text = verdict === "accept" ? "Accept" : "Reject";
    return h("button", { type: "button", class: verdict === "accept" ? "main" : "bad", "data-verdict": verdict, "aria-label": `${text}: ${relation(one.predicate)}`, disabled: !this.mayDecide, "aria-describedby": this.mayDecide ? null : "refusal", onclick: () => this.give(one, verdict, row) }, text);
  }

  /** Gives a verdict once; refused, it can be given again, and the reason is said. */
  async give({ predicate }, verdict, row) {
    const buttons = row.querySelectorAll("button[data-verdict]");
    for (const one of buttons) one.disabled = true;
    try {
      await ruleOnProposal(this.group, predicate, verdict, this.why.value.trim());
      const beside = row.nextElementSibling ?? row.previousElementSibling;
      this.why.value = "";
      clear();
      announce(`${DONE[verdict]}: ${relation(predicate)}`);
      this.tabs.recount("proposals");
      await this.asking.now();
      this.goOn(predicate, beside?.dataset.predicate);
    } catch (error) {
      for (const one of buttons) one.disabled = false;
      complain(error);
    }
  }

  /** Whoever works by keys goes on with the same one, which has changed, else with its neighbour. */
  goOn(...predicates) {
    const rows = [...this.rows.children];
    const row = predicates.map((name) => rows.find((one) => one.dataset.predicate === name)).find(Boolean);
    (row?.querySelector("button[data-verdict]") ?? (rows.length ? this.filters.querySelector("button") : this.nothing)).focus();
  }
}
