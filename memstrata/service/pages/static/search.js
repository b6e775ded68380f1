// The search page: a question, two times, and what the memory holds of them.

import { get, groups, post } from "/pages/api.js";
import { asking } from "/pages/asking.js";
import { fill, h } from "/pages/dom.js";
import { openEpisode, openFact, openNamed } from "/pages/drawer.js";
import { moments } from "/pages/moments.js";
import { announce } from "/pages/notice.js";
import { empty, entityAddress, entityLink, factLine, walkable } from "/pages/pieces.js";
import { address, group, keep } from "/pages/place.js";
import { shown } from "/pages/when.js";

const PAUSE = 220; // milliseconds without a key or a move before it is asked again
const LONGEST_SHOWN = 420;
const OF_ONE_KIND = 30;
const MOST_GROUPS = 60;
const SOME = 24;
//: How many of each are shown where everything is looked for; more are a press away.
const OF_EACH = { fact: 8, entity: 6, summary: 4, episode: 5, procedure: 3 };
const KINDS = [["", "Everything", "everything"], ["fact", "Facts", "facts"], ["entity", "Entities", "entities"], ["summary", "Summaries", "summaries"], ["episode", "Episodes", "episodes"], ["procedure", "Procedures", "procedures"]];
//: Ways to rank, each a preset of /v1/search: its suffix, how people call it, and for which kinds there is one.
const WAYS = [["", "Best match", null], ["_mmr", "Varied", null], ["_recency", "Latest first", ["fact", "episode"]], ["_words", "Words only", KINDS.slice(1).map(([kind]) => kind)], ["_vectors", "Meaning only", KINDS.slice(1).map(([kind]) => kind)]];

export async function show(main, params, signal) {
  const asked = {
    q: params.get("q") ?? "",
    for: KINDS.some(([kind]) => kind === params.get("for")) ? params.get("for") : "",
    way: "",
    history: params.get("history") === "true",
    as_of: params.get("as_of"),
    system_as_of: params.get("system_as_of"),
  };
  if (hasWay(params.get("way"), asked.for)) asked.way = params.get("way");
  const box = h("input", { id: "query", type: "search", value: asked.q, placeholder: "Who works at Acme?", autocomplete: "off", spellcheck: "false", enterkeyhint: "search", "aria-keyshortcuts": "/", "aria-controls": "results", maxlength: 2000 });
  const results = walkable(h("div", { id: "results", class: "results" }));
  const kinds = h("div", { class: "chips", role: "group", "aria-label": "What to look for" });
  const ways = h("div", { class: "chips", role: "group", "aria-label": "How to rank" });
  const draw = async (mine) => {
    keep({ q: asked.q.trim(), for: asked.for, way: asked.way, history: asked.history ? "true" : null, as_of: asked.as_of, system_as_of: asked.system_as_of });
    const parts = asked.q.trim() ? await found(asked, mine, (kind) => change({ for: kind, way: "" })) : await welcome(mine);
    if (!mine.aborted) fill(results, parts);
  };
  const ask = asking({ ask: draw, parts: [results], pause: PAUSE, leaving: signal });
  const times = moments({ asOf: asked.as_of, systemAsOf: asked.system_as_of, onChange: (moved) => ask.soon(Object.assign(asked, moved)) });

  const drawChips = () => {
    fill(kinds, KINDS.map(([kind, name]) => chip(name, asked.for === kind, () => change({ for: kind, way: hasWay(asked.way, kind) ? asked.way : "" }))));
    fill(
      ways,
      WAYS.filter(([suffix]) => hasWay(suffix, asked.for)).map(([suffix, name]) => chip(name, asked.way === suffix, () => change({ way: suffix }))),
      h("span", { class: "apart" }),
      chip("All of history", asked.history, () => change({ history: !asked.history })),
    );
    times.isFree(!asked.history);
  };
  const change = (what) => {
    const at = document.activeElement?.textContent;
    Object.assign(asked, what);
    drawChips();
    [...kinds.children, ...ways.children].find((one) => one.textContent === at)?.focus();
    ask.now();
  };
  drawChips();
  fill(
    main,
    h("h1", { class: "unseen" }, "Search the memory"),
    h("form", { class: "ask-box", role: "search", onsubmit: (event) => (event.preventDefault(), ask.now()) }, h("label", { class: "unseen", for: "query" }, "What to look for"), box, h("kbd", { "aria-hidden": "true" }, "/")),
    h("div", { class: "choices" }, kinds, ways),
    times.node,
    results,
  );
  box.addEventListener("input", () => ask.soon(Object.assign(asked, { q: box.value })));
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && !event.isComposing) results.querySelector("[data-walk]")?.focus();
  });
  if (!asked.q && matchMedia("(hover: hover)").matches) box.focus({ preventScroll: true });
  const bounded = get("/v1/spans", { groups: [group() ?? "*"] }, signal).then(times.bound);
  await Promise.all([ask.now(), bounded]);
  openNamed(params);
}

function hasWay(suffix, kind) {
  const kinds = WAYS.find(([one]) => one === suffix)?.[2];
  return kinds === null || (kinds ?? []).includes(kind);
}

function chip(name, isChosen, choose) {
  return h("button", { type: "button", class: "chip", "aria-pressed": String(isChosen), onclick: choose }, name);
}


async function found(asked, signal, onlyOf) {
  const base = KINDS.find(([kind]) => kind === asked.for)[2];
  const body = {
    query: asked.q.trim(),
    groups: [group() ?? "*"],
    preset: `${base}${asked.way}`,
    history: asked.history,
    system_as_of: asked.system_as_of,
    ...(asked.history ? {} : { as_of: asked.as_of }),
    limit: asked.for ? OF_ONE_KIND : OF_EACH.fact + 1,
  };
  const answer = await post("/v1/search", body, signal);
  const withGroup = group() === null && (await groups()).length > 1;
  const names = namesIn(answer);
  const part = (kind, title, items, line, look) => list({ kind, title, items, line, look, onlyOf: asked.for ? null : onlyOf });
  const parts = [
    part("fact", "Facts", answer.facts, (one) => factLine(one.fact, { open: openFact, withGroup, extra: arms(one) })),
    part("entity", "Entities", answer.entities, (one) => entityLine(one, withGroup), "cards"),
    part("summary", "Summaries", answer.summaries, (one) => summaryLine(one, names, withGroup, signal)),
    part("episode", "Episodes", answer.episodes, (one) => episodeLine(one, withGroup)),
    part("procedure", "Procedures", answer.procedures, procedureLine),
  ].filter(Boolean);
  announce(told(answer));
  if (!parts.length) return nothing(asked);
  return [answer.notes.map((note) => h("p", { class: "hint" }, note)), parts];
}

/** The names that an answer tells, by entity id. */
function namesIn({ facts, entities }) {
  const names = new Map(entities.map(({ entity }) => [entity.entity_id, entity.name]));
  for (const { fact: named } of facts) {
    const { fact } = named.version;
    names.set(fact.subject, named.subject);
    if (fact.object_kind !== "literal") names.set(fact.object, named.object);
  }
  return names;
}

function told(answer) {
  const kinds = ["facts", "entities", "summaries", "episodes", "procedures"];
  const counts = kinds.filter((kind) => answer[kind].length).map((kind) => `${answer[kind].length} ${kind}`);
  return counts.length ? `Found ${counts.join(", ")}` : "Nothing found";
}

function list({ kind, title, items, line, look = "lines", onlyOf }) {
  if (!items.length) return null;
  const id = `found-${title.toLowerCase()}`;
  const shownItems = onlyOf ? items.slice(0, OF_EACH[kind]) : items;
  const more = shownItems.length < items.length ? h("button", { type: "button", class: "quiet more", onclick: () => onlyOf(kind) }, `More ${title.toLowerCase()}`) : null;
  return h("section", { "aria-labelledby": id }, h("h2", { id }, title), h("ul", { class: look }, shownItems.map(line)), more);
}

/** Which arms found something, at which rank: there for whoever wonders. */
function arms({ found, score }) {
  const ranks = found.map((one) => `${one.arm} ${one.rank}`).join(" · ");
  return h("span", { class: "arms", title: "Score in this list, and the rank in each arm that found it" }, `${score.toFixed(2)} · ${ranks}`);
}

function entityLine(one, withGroup) {
  const { entity } = one;
  return h(
    "li",
    { class: "card" },
    h("a", { href: entityAddress(entity.group_id, entity.entity_id), "data-walk": true, class: "name" }, entity.name),
    h("span", { class: "about" }, entity.type ? h("span", { class: "badge" }, entity.type) : null, withGroup ? h("span", { class: "badge" }, entity.group_id) : null),
    entity.aliases.length ? h("span", { class: "small soft" }, `also ${entity.aliases.slice(0, 3).join(", ")}`) : null,
    arms(one),
  );
}

function summaryLine(one, names, withGroup, signal) {
  const { summary } = one;
  const link = entityLink(summary.group_id, summary.entity_id, names.get(summary.entity_id) ?? "...");
  if (!names.has(summary.entity_id)) name(link, summary, signal);
  return h(
    "li",
    { class: "found-text" },
    h("p", {}, link, withGroup ? h("span", { class: "badge" }, summary.group_id) : null, h("span", { class: "time" }, `as of ${shown(summary.created_at)}`)),
    summary.blocks.slice(0, 3).map((block) => h("p", {}, block.text)),
    arms(one),
  );
}

/** Looks up whom a summary is about, and writes it into its link. */
async function name(link, { group_id: groupId, entity_id: id }, signal) {
  try {
    const { items } = await get(`/v1/entities/${encodeURIComponent(id)}/names`, { group_id: groupId, limit: 1 }, signal);
    link.textContent = items[0]?.name ?? id;
  } catch {
    link.textContent = id; // the link leads there all the same
  }
}

function episodeLine(one, withGroup) {
  const { episode } = one;
  const text = episode.content.length > LONGEST_SHOWN ? `${episode.content.slice(0, LONGEST_SHOWN)} ...` : episode.content;
  const who = episode.speaker ? (episode.speaker.name ?? episode.speaker.id) : episode.source;
  return h(
    "li",
    { class: "found-text" },
    h("p", {}, h("button", { type: "button", class: "link", "data-walk": true, onclick: () => openEpisode(episode.group_id, episode.episode_id) }, who), withGroup ? h("span", { class: "badge" }, episode.group_id) : null, h("span", { class: "time" }, shown(episode.reference_time))),
    h("p", { class: "said" }, text),
    arms(one),
  );
}

function procedureLine(one) {
  const { procedure } = one;
  const steps = procedure.steps.map((step) => h("li", {}, h("code", {}, step.tool), step.repeats ? " (repeated)" : ""));
  return h("li", { class: "found-text" }, h("p", {}, h("strong", {}, procedure.name), h("span", { class: "badge" }, `${procedure.support} ${procedure.support_of}`)), h("ol", { class: "steps" }, steps), arms(one));
}

function nothing(asked) {
  const when = asked.as_of || asked.system_as_of;
  return empty(
    "Nothing found",
    h("p", {}, when ? "The memory holds nothing of this at the times chosen. Set both sliders to now, or look through all of history." : "Ask in other words, or by a name. What was told a moment ago is found once it has been taken in; this tells what waits:"),
    when ? null : h("pre", {}, "memstrata status"),
  );
}

/** Before anything is asked: what there is to ask about. */
async function welcome(signal) {
  const all = await groups();
  const held = all.filter((one) => one.facts + one.entities + one.episodes > 0 && (group() === null || one.group_id === group()));
  if (!held.length) return emptyMemory();
  if (held.length > 1) return section("Groups", h("ul", { class: "cards" }, held.slice(0, MOST_GROUPS).map((one) => groupCard(one))));
  const { items } = await get("/v1/entities", { group_id: held[0].group_id, limit: SOME }, signal);
  return [
    section("What is remembered", h("ul", { class: "cards" }, groupCard(held[0], false))),
    items.length ? section("Some of whom it knows", h("ul", { class: "names" }, items.map((one) => h("li", {}, h("a", { class: "chip", "data-walk": true, href: entityAddress(one.group_id, one.entity_id) }, one.name))))) : null,
  ];
}

function emptyMemory() {
  announce("The memory is empty");
  return empty(
    "Nothing is remembered here yet",
    h("p", {}, "Tell it something, and look again:"),
    h("pre", {}, `memstrata add "Ada Byron has worked at Acme since 2021." --wait`),
    h("p", { class: "hint" }, "Files go in with memstrata ingest notes.md; agents write with POST /v1/episodes, or over MCP."),
  );
}

function section(title, ...children) {
  return h("section", {}, h("h2", {}, title), children);
}

function groupCard(one, isLink = true) {
  const title = isLink ? h("a", { class: "name", "data-walk": true, href: address("/", { group: one.group_id }) }, one.group_id) : h("span", { class: "name" }, one.group_id);
  return h("li", { class: "card" }, title, h("dl", { class: "figures" }, figure("facts", one.facts), figure("entities", one.entities), figure("episodes", one.episodes)));
}

function figure(name, count) {
  return h("div", {}, h("dd", {}, count.toLocaleString("en")), h("dt", {}, name));
}
