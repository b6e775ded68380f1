// An item that waits, as a card: what it says, why it waits, its words and their episode, and the verdicts.

import { fill, h } from "/pages/dom.js";
import { openEpisode } from "/pages/drawer.js";
import { relation } from "/pages/pieces.js";
import { editing } from "/pages/review-edit.js";
import { interval, shown } from "/pages/when.js";

/** What an item says; of one that no extraction has any more only the names are left. */
export function sentenceOf({ says, item }) {
  return says?.fact ?? `${item.subject} ${relation(item.predicate)} ${item.object}`;
}

/** The card; `desk` gives verdicts (`give`, `save`, `gone`) and says whether its reader may (`off`). */
export function itemCard(entry, desk) {
  const { says, item, quote } = entry;
  const isLost = entry.matter === "lost";
  const row = h("li", { class: "card item" });
  const episode = h("button", { type: "button", class: "link", "aria-label": `The episode of: ${sentenceOf(entry)}`, onclick: () => openEpisode(desk.group, item.episode_id, [quote]) }, "The episode");
  return fill(
    row,
    h("p", { class: "sentence" }, sentenceOf(entry)),
    says ? h("p", { class: "triple" }, says.subject, h("span", { class: "relation" }, relation(says.predicate)), says.object, h("span", { class: "badge" }, says.kind), says.valid_at || says.invalid_at ? h("span", { class: "time" }, period(says)) : null) : null,
    h("p", { class: "small" }, entry.reason, " ", h("span", { class: "badge" }, isLost ? "lost decision" : `rule: ${relation(entry.rule)}`)),
    isLost ? h("p", { class: "hint" }, "Nothing depends on it now. Put it away, or leave it: should a later extraction say this again, it is ruled as it was.") : null,
    quote ? h("blockquote", {}, quote) : null,
    h("div", { class: "item-foot" }, h("p", { class: "small soft" }, episode, entry.reference_time ? ` of ${shown(entry.reference_time)}` : null, entry.speaker ? `, said by ${entry.speaker}` : null), isLost ? putAway(entry, desk, row) : verdicts(entry, desk, row)),
  );
}

function verdicts(entry, desk, row) {
  const button = (text, name, look, act) => h("button", { type: "button", class: look, onclick: act, "data-verdict": name, "aria-label": `${text}: ${sentenceOf(entry)}`, ...desk.off() }, text);
  const edit = button("Edit", "edit", "", () => {
    row.querySelector("form")?.remove();
    const form = editing(entry.says, {
      onsave: (changes) => desk.save(entry, changes),
      ondone: () => desk.gone(entry, "edit", row),
      onleave: () => edit.focus(),
    });
    row.append(form);
    form.querySelector("input").focus();
  });
  return h("div", { class: "buttons" }, button("Reject", "reject", "bad", () => desk.give(entry, "reject", row)), edit, button("Accept", "accept", "main", () => desk.give(entry, "accept", row)));
}

function putAway(entry, desk, row) {
  return h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => desk.give(entry, "put_away", row), "data-verdict": "put_away", "aria-label": `Put away: ${sentenceOf(entry)}`, ...desk.off() }, "Put away"));
}

function period({ valid_at: from, invalid_at: to }) {
  return interval(from?.at, to?.at, { fromPrecision: from?.precision, toPrecision: to?.precision });
}
