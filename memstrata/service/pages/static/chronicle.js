// What was believed of an entity when: each change of belief, the latest first. Read when it is opened.

import { get } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { complain } from "/pages/notice.js";
import { validity } from "/pages/pieces.js";
import { millis, shown } from "/pages/when.js";

const AT_ONCE = 25;
const MOST_FACTS = 1_000;
const TURNS = { learned: "learned", again: "believed again", ended: "ended", reopened: "reopened", corrected: "corrected", withdrawn: "no longer believed" };

/** The section; upTo(time) leaves out what came later (null: nothing). */
export function chronicle(group, id, open) {
  const body = h("div", {}, h("p", { class: "soft" }, "Looking it up ..."));
  const node = h("details", { class: "fold" }, h("summary", {}, h("h2", {}, "History"), h("span", { class: "hint" }, "what was believed when")), body);
  let events = null;
  let until = null;
  let most = AT_ONCE;
  const draw = () => {
    if (events) fill(body, listed(events.filter((one) => until === null || millis(one.at) <= until), most, open, () => ((most = Infinity), draw())));
  };
  node.addEventListener("toggle", async () => {
    if (!node.open || events) return;
    try {
      const found = await get("/v1/history", { asked: id, groups: [group], limit: MOST_FACTS });
      events = found.items.flatMap(eventsOf).toSorted((a, b) => b.at.localeCompare(a.at) || a.named.version.fact.fact.localeCompare(b.named.version.fact.fact));
      draw();
    } catch (error) {
      fill(body, h("p", { class: "soft" }, error.detail ?? error.message));
      if (!error.isProblem) complain(error);
    }
  });
  node.upTo = (time) => {
    until = time ? millis(time) : null;
    draw();
  };
  return node;
}

/** The turns of a fact's belief: [{ at, turn, named, before }]. */
function eventsOf({ versions }) {
  const events = [];
  versions.forEach((named, at) => {
    const before = versions[at - 1] ?? null;
    const { created_at: created, expired_at: expired } = named.version;
    const follows = before && before.version.expired_at === created;
    events.push({ at: created, turn: follows ? turnOf(before, named) : before ? "again" : "learned", named, before: follows ? before : null });
    if (expired && versions[at + 1]?.version.created_at !== expired) events.push({ at: expired, turn: "withdrawn", named, before: null });
  });
  return events;
}

function turnOf(before, named) {
  const was = before.version.fact.invalid_at;
  const is = named.version.fact.invalid_at;
  if (!was && is) return "ended";
  if (was && !is) return "reopened";
  return "corrected";
}

function listed(events, most, open, showAll) {
  if (!events.length) return h("p", { class: "soft" }, "Nothing was believed of it by then.");
  const rows = events.slice(0, most).map(({ at, turn, named, before }) => {
    const { fact } = named.version;
    return h(
      "li",
      {},
      h("span", { class: "time" }, shown(at)),
      h("span", { class: `badge turn ${turn}` }, TURNS[turn]),
      h("span", { class: "what" }, h("button", { type: "button", class: "link", onclick: () => open(fact.group_id, fact.id) }, fact.fact), h("span", { class: "time" }, before ? `${validity(before.version.fact)} became ${validity(fact)}` : validity(fact))),
    );
  });
  const more = events.length > most ? h("button", { type: "button", onclick: showAll }, `Show all ${events.length} changes`) : null;
  return [h("ol", { class: "chronicle" }, rows), more];
}
