// What verification left to a person: each item with the rule that keeps it, its words, and a verdict.
// What is decided leaves the list and stands below it, where it can be turned round.

import { get, paged } from "/pages/api.js";
import { asking } from "/pages/asking.js";
import { fill, h } from "/pages/dom.js";
import { announce, clear, complain } from "/pages/notice.js";
import { empty, relation } from "/pages/pieces.js";
import { keep } from "/pages/place.js";
import { sure } from "/pages/review-batch.js";
import { itemCard, sentenceOf } from "/pages/review-card.js";
import { addPage } from "/pages/review-paging.js";
import { rule, ruleAll } from "/pages/verdicts.js";

const AT_ONCE = 20;
const LOST = "attaches_to_nothing";
const DONE = { accept: "Accepted", reject: "Rejected", edit: "Changed and accepted", put_away: "Put away" };
const UNDO = { accept: ["reject", "Undo: reject it"], edit: ["reject", "Undo: reject it"], reject: ["accept", "Undo: accept it"] };

export async function showItems(body, context) {
  await new Items(body, context).asking.now();
}

class Items {
  constructor(body, { group, signal, mayDecide, params, tabs }) {
    Object.assign(this, { group, signal, mayDecide, tabs, chosen: params.get("rule"), made: [] });
    this.filters = h("div", { class: "chips", role: "group", "aria-label": "By the rule that keeps them waiting" });
    this.why = h("input", { type: "text", id: "item-why", maxlength: 2000, autocomplete: "off", placeholder: "Why (kept with the decision)", disabled: !mayDecide });
    this.all = h("div", { class: "buttons" });
    this.head = h("div", { class: "item-why" }, h("label", { class: "unseen", for: "item-why" }, "Reason"), this.why, this.all);
    this.rows = h("ul", { class: "items", "aria-label": "Waiting facts" });
    this.nothing = h("div", { tabindex: "-1", hidden: true });
    this.more = h("button", { type: "button", onclick: () => this.next(this.signal) }, "Show more");
    this.done = h("ol", { class: "made" });
    this.asking = asking({ ask: (mine) => this.draw(mine), parts: [this.rows], pause: 0, leaving: signal });
    fill(body, this.filters, this.head, this.nothing, this.rows, this.more, h("section", { class: "undo", "aria-label": "Decided here" }, this.done));
  }

  /** Counts and list anew: at first, for another rule, and where the last that was shown is decided. */
  async draw(mine) {
    await this.count(mine);
    const which = this.chosen === LOST ? { matter: "lost" } : { rule: this.chosen };
    this.list = paged("/v1/review/items", { group_id: this.group, limit: AT_ONCE, ...which }, mine);
    fill(this.rows);
    await this.next(mine);
  }

  async count(mine) {
    const { items: counts } = await get("/v1/review/counts", { group_id: this.group }, mine);
    this.tabs.tell("items", { count: counts.reduce((sum, one) => sum + one.count, 0), isMore: false });
    if (!counts.some((one) => one.rule === this.chosen)) this.choose(null);
    fill(this.filters, counts.length ? this.choices(counts) : null);
    fill(this.all, this.batch(counts));
    fill(this.nothing, counts.length ? null : this.rest());
    this.nothing.hidden = counts.length > 0;
    this.head.hidden = !counts.length;
  }

  /** Another page of them. */
  next(mine) {
    return addPage(this, mine, (entry) => itemCard(entry, this));
  }

  rest() {
    return this.made.length
      ? empty("All decided", h("p", {}, "What was accepted counts now; what was rejected does not, and is kept with the reason."))
      : empty("Nothing waits", h("p", {}, "Where a rule of verification is not sure that an episode says something, it counts for nothing until somebody accepts it here."));
  }

  choices(counts) {
    const total = counts.reduce((sum, one) => sum + one.count, 0);
    const chip = (name, text, count) =>
      h("button", { type: "button", class: "chip", "aria-pressed": String(this.chosen === name), onclick: () => this.filter(name) }, text, " ", h("span", { class: "number" }, count.toLocaleString("en")));
    return [chip(null, "All", total), counts.map((one) => chip(one.rule, one.rule === LOST ? "lost decisions" : relation(one.rule), one.count))];
  }

  choose(name) {
    this.chosen = name;
    keep({ rule: name });
  }

  async filter(name) {
    this.choose(name);
    await this.asking.now();
    this.filters.querySelector('[aria-pressed="true"]')?.focus();
    announce(`${this.rows.childElementCount}${this.list.isDone ? "" : " and more"} shown`);
  }

  /** Verdicts on all that one rule keeps: they ask first, and say how many that would be. */
  batch(counts) {
    const count = counts.find((one) => one.rule === this.chosen)?.count;
    if (!count || this.chosen === LOST) return null;
    return ["reject", "accept"].map((verdict) => {
      const button = h("button", { type: "button", class: verdict === "reject" ? "bad" : "", onclick: () => this.giveAll(verdict, button), ...this.off() }, `${verdict === "reject" ? "Reject" : "Accept"} all ${count.toLocaleString("en")}`);
      return button;
    });
  }

  async giveAll(verdict, button) {
    const said = (isDry) => ruleAll(this.group, this.chosen, { verdict, reason: this.why.value.trim(), isDry });
    button.disabled = true;
    try {
      const { count } = await said(true);
      if (!(await sure(verdict, count, relation(this.chosen)))) return;
      const given = await said(false);
      this.tell({ text: `${given.count === 1 ? "the fact" : `all ${given.count.toLocaleString("en")} facts`} that the rule “${relation(this.chosen)}” kept waiting`, verdict });
      await this.asking.now();
      this.nothing.focus();
    } catch (error) {
      complain(error);
    } finally {
      button.disabled = false;
    }
  }

  off() {
    return { disabled: !this.mayDecide, "aria-describedby": this.mayDecide ? null : "refusal" };
  }

  save(entry, changes) {
    return rule(this.group, entry.entry_id, "edit", this.why.value.trim(), changes);
  }

  /** Gives a verdict once; refused, it can be given again, and the reason is said. */
  async give(entry, verdict, row) {
    const buttons = row.querySelectorAll("button");
    for (const one of buttons) one.disabled = true;
    try {
      await rule(this.group, entry.entry_id, verdict === "put_away" ? "reject" : verdict, this.why.value.trim());
      await this.gone(entry, verdict, row);
    } catch (error) {
      for (const one of buttons) one.disabled = false;
      complain(error);
    }
  }

  /** Takes a decided one out of the list; whoever works by keys goes on with the one that follows. */
  async gone(entry, verdict, row) {
    const following = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    this.tell({ text: sentenceOf(entry), verdict, id: entry.entry_id });
    if (!following) {
      await this.asking.now();
      (this.rows.querySelector("button[data-verdict]") ?? this.nothing).focus();
      return;
    }
    (following.querySelector(`button[data-verdict="${verdict}"]`) ?? following.querySelector("button[data-verdict]")).focus();
    await this.count(this.signal);
  }

  tell(made) {
    this.why.value = "";
    clear();
    announce(`${DONE[made.verdict]}: ${made.text}`);
    this.made.unshift(made);
    this.drawMade();
  }

  drawMade() {
    fill(
      this.done,
      this.made.map((made) => {
        const [verdict, text] = (made.id && UNDO[made.verdict]) || [];
        const button = verdict ? h("button", { type: "button", class: "link small", onclick: () => this.turn(made, verdict, button) }, text) : null;
        return h("li", {}, h("span", {}, h("strong", {}, DONE[made.verdict]), " ", made.text), button);
      }),
    );
  }

  async turn(made, verdict, button) {
    button.disabled = true;
    try {
      await rule(this.group, made.id, verdict, this.why.value.trim());
      made.verdict = verdict;
      clear();
      announce(`${DONE[verdict]}: ${made.text}`);
      this.drawMade();
    } catch (error) {
      button.disabled = false;
      complain(error);
    }
  }
}
