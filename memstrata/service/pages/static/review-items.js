// What verification left to a person: each item with the rule that keeps it, its words, and a verdict.

import { get, paged } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { openEpisode } from "/pages/drawer.js";
import { announce, clear, complain } from "/pages/notice.js";
import { empty, relation } from "/pages/pieces.js";
import { editing } from "/pages/review-edit.js";
import { rule, ruleAll } from "/pages/verdicts.js";
import { interval, shown } from "/pages/when.js";

const AT_ONCE = 20;
const LOST = "attaches_to_nothing";
const DONE = { accept: "Accepted", reject: "Rejected", edit: "Changed and accepted" };

export async function showItems(body, context) {
  await new Items(body, context).draw();
}

class Items {
  constructor(body, { group, signal, mayDecide }) {
    Object.assign(this, { body, group, signal, mayDecide, chosen: null });
    this.why = h("input", { type: "text", id: "item-why", maxlength: 2000, autocomplete: "off", placeholder: "Why (kept with the decision)", disabled: !mayDecide });
    this.rows = h("ul", { class: "items" });
    this.more = h("button", { type: "button", onclick: () => this.next() }, "Show more");
  }

  /** Counts and list anew: after a verdict, or for another rule. */
  async draw() {
    try {
      const { items: counts } = await get("/v1/review/counts", { group_id: this.group }, this.signal);
      if (!counts.some((one) => one.rule === this.chosen)) this.chosen = null;
      const which = this.chosen === LOST ? { matter: "lost" } : { rule: this.chosen };
      this.list = paged("/v1/review/items", { group_id: this.group, limit: AT_ONCE, ...which }, this.signal);
      fill(this.rows);
      if (!counts.length) return fill(this.body, nothing());
      fill(this.body, this.rules(counts), h("div", { class: "item-why" }, h("label", { class: "unseen", for: "item-why" }, "Reason"), this.why, this.batch(counts)), this.rows, this.more);
      await this.next();
    } catch (error) {
      complain(error);
    }
  }

  async next() {
    this.more.disabled = true;
    try {
      const found = await this.list.next();
      this.rows.append(...found.map((entry) => this.row(entry)));
    } catch (error) {
      complain(error);
    }
    this.more.disabled = false;
    this.more.hidden = this.list.isDone;
  }

  rules(counts) {
    const total = counts.reduce((sum, one) => sum + one.count, 0);
    const choice = (name, text, count) => h("button", { type: "button", class: "choice", "aria-pressed": String(this.chosen === name), onclick: () => this.choose(name) }, text, " ", h("span", { class: "badge" }, count.toLocaleString("en")));
    return h("div", { class: "choices", role: "group", "aria-label": "The rule that keeps them waiting" }, choice(null, "All", total), counts.map((one) => choice(one.rule, relation(one.rule), one.count)));
  }

  choose(name) {
    this.chosen = name;
    return this.draw();
  }

  /** Verdicts on all that one rule keeps: pressed once they ask, pressed twice they are given. */
  batch(counts) {
    const count = counts.find((one) => one.rule === this.chosen)?.count;
    if (!count || this.chosen === LOST) return null;
    return ["accept", "reject"].map((verdict) => {
      const word = verdict === "accept" ? "Accept" : "Reject";
      let isSure = false;
      const button = h("button", { type: "button", class: verdict === "reject" ? "bad" : "", ...this.off() }, `${word} all ${count.toLocaleString("en")}`);
      button.addEventListener("click", () => {
        if (isSure) return this.acting([button], `${DONE[verdict]}: all ${count}`, () => ruleAll(this.group, this.chosen, verdict, this.why.value.trim()));
        isSure = true;
        button.textContent = `Really ${verdict} ${count.toLocaleString("en")}?`;
      });
      button.addEventListener("blur", () => {
        isSure = false;
        button.textContent = `${word} all ${count.toLocaleString("en")}`;
      });
      return button;
    });
  }

  row(entry) {
    const says = entry.says ?? entry.item;
    const sentence = entry.says?.fact ?? `${says.subject} ${relation(says.predicate)} ${says.object}`;
    const row = h("li", { class: "card item" });
    const parts = [
      h("p", { class: "sentence" }, sentence),
      h("p", { class: "small" }, h("span", { class: "badge" }, says.kind), " ", h("span", {}, says.subject), h("span", { class: "relation" }, ` ${relation(says.predicate)} `), h("span", {}, says.object), entry.says && (says.valid_at || says.invalid_at) ? h("span", { class: "time" }, ` ${period(says)}`) : null),
      h("p", { class: "why" }, h("span", { class: "badge warn" }, `rule: ${relation(entry.rule)}`), " ", entry.matter === "lost" ? "A verdict was given on this, and no extraction says it any more." : entry.reason),
      entry.quote ? h("blockquote", {}, entry.quote) : null,
      h("p", { class: "small soft" }, h("button", { type: "button", class: "link", onclick: () => openEpisode(this.group, entry.item.episode_id, [entry.quote]) }, "Its episode"), entry.reference_time ? `, ${shown(entry.reference_time)}` : null),
    ];
    return fill(row, parts, entry.matter === "lost" ? this.putAway(entry) : this.verdicts(entry, row));
  }

  putAway(entry) {
    const button = h("button", { type: "button", ...this.off() }, "Put away");
    button.addEventListener("click", () => this.give(entry, "reject", [button], {}, "Put away"));
    return h("div", { class: "buttons" }, button);
  }

  verdicts(entry, row) {
    const named = entry.says?.fact ?? "";
    const button = (text, look, act) => h("button", { type: "button", class: look, onclick: act, "aria-label": `${text}: ${named}`, ...this.off() }, text);
    const all = [
      button("Reject", "bad", () => this.give(entry, "reject", all)),
      button("Edit", "", () => {
        row.querySelector("form")?.remove();
        row.append(editing(entry.says, { onsave: (changes) => rule(this.group, entry.entry_id, "edit", this.why.value.trim(), changes), ondone: () => this.done(DONE.edit) }));
        row.querySelector("form input").focus();
      }),
      button("Accept", "main", () => this.give(entry, "accept", all)),
    ];
    return h("div", { class: "buttons" }, all);
  }

  off() {
    return { disabled: !this.mayDecide, "aria-describedby": this.mayDecide ? null : "refusal" };
  }

  give(entry, verdict, buttons, changes = {}, said = DONE[verdict]) {
    return this.acting(buttons, said, () => rule(this.group, entry.entry_id, verdict, this.why.value.trim(), changes));
  }

  /** Gives a verdict once; refused, it can be given again, and the reason is said. */
  async acting(buttons, said, act) {
    for (const one of buttons) one.disabled = true;
    try {
      await act();
      await this.done(said);
    } catch (error) {
      for (const one of buttons) one.disabled = false;
      complain(error);
    }
  }

  async done(said) {
    this.why.value = "";
    clear();
    announce(said);
    await this.draw();
  }
}

function period({ valid_at: from, invalid_at: to }) {
  return interval(from?.at ?? null, to?.at ?? null, { fromPrecision: from?.precision ?? null, toPrecision: to?.precision ?? null });
}

function nothing() {
  return empty("Nothing waits", h("p", {}, "Where a rule of verification is not sure that an episode says something, it counts for nothing until somebody accepts it here."));
}
