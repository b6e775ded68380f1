// Every decision of a group: who made it, when, why, and whether it has taken effect.

import { paged } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { openEpisode, openFact } from "/pages/drawer.js";
import { complain } from "/pages/notice.js";
import { empty, relation } from "/pages/pieces.js";
import { interval, shown } from "/pages/when.js";

const AT_ONCE = 50;
const KINDS = { merge: "are one", keep_apart: "are not one", reject: "withdrawn", accept: "restored", retract: "episode retracted", core: "core block edited" };

const OF_ITEMS = { accept: "accepted", reject: "rejected", edit: "changed and accepted" };

export async function showDecisions(body, { group, signal }) {
  const list = paged("/v1/decisions", { group_id: group, limit: AT_ONCE }, signal);
  const rows = h("tbody");
  const more = h("button", { type: "button", onclick: () => next() }, "Show more");
  const next = async () => {
    more.disabled = true;
    try {
      const found = await list.next();
      rows.append(...found.map((one) => row(group, one)));
    } catch (error) {
      complain(error);
    }
    more.disabled = false;
    more.hidden = list.isDone;
  };
  await next();
  if (signal.aborted) return;
  const head = h("thead", {}, h("tr", {}, ["When", "Who", "What", "Why", "In effect"].map((name) => h("th", { scope: "col" }, name))));
  fill(body, rows.childElementCount ? h("div", { class: "scroll" }, h("table", { class: "decisions" }, head, rows)) : empty("No decision was made yet", h("p", {}, "Verdicts on pairs, withdrawn facts and edits of core blocks are listed here, with who made them and why.")), more);
}

function row(group, { decision, seq }) {
  const cell = (name, ...what) => h("td", { "data-name": name }, what);
  return h(
    "tr",
    {},
    cell("When", h("time", { datetime: decision.at }, shown(decision.at))),
    cell("Who", decision.who || decision.by),
    cell("What", about(group, decision)),
    cell("Why", decision.reason || h("span", { class: "soft" }, "no reason given")),
    cell("In effect", seq === null ? h("span", { class: "badge" }, "with the next pass") : `since commit ${seq}`),
  );
}

function about(group, { kind, target, payload }) {
  const word = KINDS[kind] ?? kind.replaceAll("_", " ");
  const names = Array.isArray(target.mentions) ? target.mentions.map((one) => one.name) : null;
  if (names) return [h("strong", {}, names[0]), " and ", h("strong", {}, names[1]), ` ${word}`];
  const open = (text, act) => h("button", { type: "button", class: "link", onclick: act }, text);
  if (target.proposal) return ["the proposal to declare ", h("code", {}, target.proposal), ` ${OF_ITEMS[payload.verdict] ?? payload.verdict}`];
  if (payload.declare_one) return ["proposed to declare ", h("code", {}, payload.declare_one), " with one object at a time"];
  if (payload.fact_id) return ["a ", open("fact", () => openFact(group, payload.fact_id)), ` ${word}`];
  if (Array.isArray(target.items) && !payload.decision_id) return ofItems(open, group, { kind, items: target.items, payload });
  if (target.episode_id) return ["an ", open("episode", () => openEpisode(group, String(target.episode_id))), " retracted"];
  if (kind === "promote_extractor") return ["extractor ", h("code", {}, target.version), ` promoted for ${daysOf(target)}`];
  if (kind === "rollback_extractor") return "promotion of an extractor taken back";
  if (target.label) return [word, " ", h("code", {}, target.label)];
  return word;
}

/** Days of acceptance, the last one left out. */
function daysOf({ since, until }) {
  if (!since && !until) return "all days";
  return [since ? `days from ${since}` : "days", until ? ` before ${until}` : ""].join("");
}

/** Of what waited for a verdict: one is told by what it says, many by their number and their rule. */
function ofItems(open, group, { kind, items, payload }) {
  const word = payload.put_away ? "put away" : (OF_ITEMS[kind] ?? kind);
  if (items.length !== 1) return `${items.length.toLocaleString("en")} waiting facts ${word}${payload.rule ? ` (${relation(payload.rule)})` : ""}`;
  const [{ subject, predicate, object, episode_id: episode }] = items;
  const told = open(`${subject} ${relation(predicate)} ${object}`, () => openEpisode(group, episode));
  return payload.edit ? [told, " accepted as: ", h("strong", {}, payload.edit.fact), ` (${becameOf(payload.edit)})`] : [told, ` ${word}`];
}

/** What a sentence does not say of an edit: its kind, and from when to when. */
function becameOf({ kind, valid_at: from, invalid_at: to }) {
  const times = from || to ? `, ${interval(from?.at, to?.at, { fromPrecision: from?.precision, toPrecision: to?.precision })}` : "";
  return `${kind}${times}`;
}
