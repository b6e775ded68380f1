// An entity's page: its life as a timeline, what holds, its summary, what was believed when, who it is.

import { get, oneGroup } from "/pages/api.js";
import { asking } from "/pages/asking.js";
import { fill, h } from "/pages/dom.js";
import { openEpisode, openFact, openNamed } from "/pages/drawer.js";
import { chronicle } from "/pages/chronicle.js";
import { identity } from "/pages/identity.js";
import { moments } from "/pages/moments.js";
import { announce, complain } from "/pages/notice.js";
import { empty, entityLink, factLine, walkable } from "/pages/pieces.js";
import { address, keep, times } from "/pages/place.js";
import { timeline } from "/pages/timeline.js";
import { shown } from "/pages/when.js";

const PAUSE = 160;
const LISTED = 20;

export async function show(main, params, signal) {
  const id = params.get("id");
  const group = await oneGroup(params.get("group"));
  if (!id || !group) {
    fill(main, empty("Which entity?", h("p", {}, "An address of this page names one: /entity?group=...&id=... Search for it by name."), h("a", { href: "/" }, "Search")));
    return;
  }
  const view = { group, id, spells: null, moved: { as_of: params.get("as_of"), system_as_of: params.get("system_as_of") } };
  const page = frame(view);
  const draw = (mine) => (keep(view.moved), redraw(view, page, mine));
  const ask = asking({ ask: draw, parts: [page.life, page.holding, page.summary], pause: PAUSE, leaving: signal });
  const sliders = moments({ asOf: view.moved.as_of, systemAsOf: view.moved.system_as_of, onChange: (moved) => ask.soon((view.moved = moved)) });
  fill(main, page.head, sliders.node, page.life, h("div", { class: "columns" }, page.holding, page.summary), page.history, page.identity);
  const [spans] = await Promise.all([get("/v1/spans", { groups: [group] }, signal), ask.now()]);
  sliders.bound({ ...spans, valid: lived(view.spells) ?? spans.valid });
  openNamed(params);
}

function frame({ group, id }) {
  const chart = timeline();
  return {
    head: h("header", { class: "entity-head" }, h("h1", {}, "\u00a0"), h("p", { class: "about" }, "\u00a0")),
    chart,
    life: walkable(h("section", { class: "life", "aria-label": "Timeline" }, chart.node)),
    holding: walkable(h("section", { class: "holding", "aria-label": "What holds" })),
    summary: h("section", { class: "summary", "aria-label": "Summary" }),
    history: chronicle(group, id, openFact),
    identity: identity(group, id, openEpisode),
  };
}

async function redraw(view, page, signal) {
  const { group, id, moved } = view;
  const system = { system_as_of: moved.system_as_of };
  const path = `/v1/entities/${encodeURIComponent(id)}`;
  const [record, { summary }] = await Promise.all([
    get(path, { groups: [group], ...moved }, signal),
    get(`${path}/summary`, { group_id: group, ...system }, signal),
  ]);
  const life = record.entity ? await get("/v1/timeline", { entity: id, groups: [group], ...system }, signal) : null;
  signal.throwIfAborted();
  document.title = `${record.name} · Memstrata`;
  drawHead(page.head, view, record, life);
  view.spells ??= life?.spells ?? null;
  if (life?.spells.length) {
    page.chart.draw({ spells: life.spells, isWhole: life.is_whole, entityId: id, asOf: moved.as_of, open: openFact });
    page.life.hidden = false;
  } else {
    page.life.hidden = true;
  }
  fill(page.holding, holding(record, moved, life));
  fill(page.summary, summaryOf(summary));
  page.history.upTo(moved.system_as_of);
  announce(`${record.name}: ${record.facts.length} facts hold`);
}

/** From the first to the last time that the facts of a life name; null where they name none. */
function lived(spells) {
  const facts = (spells ?? []).map((one) => one.fact.version.fact);
  const known = facts.flatMap((fact) => [fact.valid_at, fact.invalid_at]).filter(Boolean).toSorted();
  return known.length ? { first: known[0], last: known.at(-1) } : null;
}

function drawHead(head, { group, id, moved }, record, life) {
  const { entity } = record;
  const aliases = entity?.aliases ?? [];
  fill(
    head,
    h("h1", {}, record.name),
    h(
      "p",
      { class: "about" },
      entity?.type ? h("span", { class: "badge accent" }, entity.type) : null,
      h("span", { class: "badge" }, group),
      life ? h("span", { class: "soft small" }, `named in ${life.mentions} ${life.mentions === 1 ? "episode" : "episodes"}`) : null,
      h("a", { class: "walk", href: address("/graph", { group, id, ...times() }) }, "Graph around it"),
    ),
    aliases.length ? h("p", { class: "soft" }, `Also known as ${aliases.join(", ")}`) : null,
    entity ? null : gone(group, record, moved),
  );
}

function gone(group, record, moved) {
  const box = h("div", { class: "card gone" });
  if (!record.successors.length) {
    fill(box, h("p", {}, moved.system_as_of ? "At that time the memory did not know it, or not under this id." : "It no longer stands for anything: what named it was withdrawn."));
    return box;
  }
  fill(box, h("p", {}, "It is gone: its names stand for ", record.successors.map((id, at) => [at ? ", " : "", entityLink(group, id, "another entity")]), " now."));
  Promise.all(record.successors.slice(0, 5).map((id) => get(`/v1/entities/${encodeURIComponent(id)}`, { groups: [group] }))).then(
    (found) => fill(box, h("p", {}, "It is gone: its names stand for ", found.map((one, at) => [at ? ", " : "", entityLink(group, one.entity_id, one.name)]), " now.")),
    complain,
  );
  return box;
}

function holding(record, moved, life) {
  const facts = record.facts;
  const title = moved.as_of ? `Held on ${shown(moved.as_of)}` : "Holds now";
  if (!facts.length) {
    const others = life?.spells.length ? "Nothing held at that time; the timeline shows what did, and when." : "Nothing is known of it but its name.";
    return [h("h2", {}, title), h("p", { class: "soft" }, others)];
  }
  const list = h("ul", { class: "lines" });
  const line = (one) => factLine(one, { open: openFact });
  fill(list, facts.slice(0, LISTED).map(line));
  const more = facts.length > LISTED ? h("button", { type: "button", onclick: () => (fill(list, facts.map(line)), more.remove()) }, `Show all ${facts.length}`) : null;
  return [h("h2", {}, title, h("span", { class: "count" }, facts.length)), list, more];
}

/** The blocks, each with its facts as numbered citations. */
function summaryOf(summary) {
  const blocks = summary?.blocks ?? [];
  if (!blocks.length) return [h("h2", {}, "Summary"), h("p", { class: "soft" }, "None yet. Consolidation writes one from what holds:"), h("pre", {}, "memstrata consolidate")];
  let number = 0;
  return [
    h("h2", {}, "Summary", h("span", { class: "time" }, `as of ${shown(summary.created_at)}`)),
    blocks.map((block) => h("p", { class: "block" }, block.text, block.facts.map((fact) => citation(summary.group_id, fact, (number += 1))))),
  ];
}

function citation(group, fact, number) {
  return h("button", { type: "button", class: "citation", "data-fact": fact, "aria-label": `Evidence ${number}`, onclick: () => openFact(group, fact) }, number);
}
