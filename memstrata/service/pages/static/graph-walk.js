// What is known of a graph while somebody walks through it: entities, facts, whose neighbours are shown.

import { get } from "/pages/api.js";
import { KINDS } from "/pages/graph-shapes.js";
import { relation, validity } from "/pages/pieces.js";

const AT_ONCE = 20;
const MOST_OPEN = 24;
const MOST_COUNTED = 50; // /v1/neighbours counts the facts of a neighbour no further
const KNOWN_KINDS = ["person", "organization", "place", "event", "product", "topic"];

/** A walk in one group around one entity, in chosen times. */
export class Walk {
  constructor({ group, centre, times }) {
    this.group = group;
    this.centre = centre;
    this.times = times;
    this.entities = new Map();
    this.facts = new Map();
    this.open = new Map(); // id -> { pages, total, shown, cursor, isWhole }
  }

  /** Reads the next neighbours of an entity; whether there were any. */
  async more(id, signal) {
    const known = this.open.get(id);
    if (known && known.cursor === null) return false;
    if (!known && this.open.size >= MOST_OPEN) throw crowded();
    const page = await get("/v1/neighbours", { entity: id, groups: [this.group], limit: AT_ONCE, cursor: known?.cursor, ...this.times }, signal);
    this.moment = page.moment;
    this.entities.set(id, { ...page.entity, ...this.entities.get(id), type: page.entity.type, name: page.entity.name });
    for (const one of page.others) if (!this.open.has(one.entity_id)) this.entities.set(one.entity_id, one);
    for (const one of page.facts) this.facts.set(one.version.fact.id, one);
    this.open.set(id, {
      pages: (known?.pages ?? 0) + 1,
      shown: page.skipped + page.facts.length,
      total: page.total,
      isWhole: page.is_whole,
      cursor: page.next_cursor,
    });
    return page.facts.length > 0;
  }

  /** Closes what somebody opened: its neighbours go, unless something else leads to them. */
  close(id) {
    if (id === this.centre) return;
    this.open.delete(id);
    for (const [factId, one] of this.facts) {
      const { subject, object } = one.version.fact;
      if (!this.open.has(subject) && !this.open.has(object)) this.facts.delete(factId);
    }
  }

  /** How many facts of an entity are not shown, as people read it; "" for none that are known of. */
  moreOf(id) {
    const known = this.open.get(id);
    if (known) return known.cursor === null ? "" : `+${(known.total - known.shown).toLocaleString("en")}${known.isWhole ? "" : "+"}`;
    const counted = this.entities.get(id)?.facts ?? 0;
    const hidden = counted - this.factsOf(id).length;
    return hidden > 0 ? `+${hidden}${counted >= MOST_COUNTED ? "+" : ""}` : "";
  }

  /** The facts shown about an entity, in the order of the answers. */
  factsOf(id) {
    return [...this.facts.values()].filter(({ version: { fact } }) => fact.subject === id || (fact.object_kind === "entity" && fact.object === id));
  }

  nameOf(id) {
    return this.entities.get(id)?.name ?? this.values.get(id)?.name ?? id;
  }

  /** What to draw: nodes and lines, and the same as the layout takes it. */
  picture() {
    this.values = new Map();
    const lines = [];
    const pairs = new Map();
    for (const one of [...this.facts.values()].sort(byId)) {
      const line = this.lineOf(one);
      const pair = [line.from, line.to].sort().join("\n");
      pairs.set(pair, [...(pairs.get(pair) ?? []), line]);
      lines.push(line);
    }
    for (const same of pairs.values()) bow(same);
    const ids = new Set([this.centre, ...lines.flatMap((one) => [one.from, one.to])]);
    const nodes = [...ids].map((id) => this.nodeOf(id));
    return { nodes, lines: merged(lines), links: lines.map((one) => [one.from, one.to]) };
  }

  nodeOf(id) {
    const value = this.values.get(id);
    if (value) return { id, name: value.name, isValue: true, kind: 0, letters: "", more: "", said: `${value.name}, a value` };
    const one = this.entities.get(id);
    const more = this.moreOf(id);
    const type = one?.type ?? "";
    const said = [one?.name ?? id, type || "no type", more ? `${more.slice(1)} more facts` : null].filter(Boolean).join(", ");
    return { id, name: one?.name ?? id, type, isValue: false, kind: kindOf(type), letters: lettersOf(type), more, said };
  }

  lineOf(named) {
    const { fact } = named.version;
    let to = fact.object;
    if (fact.object_kind === "literal") {
      to = `value ${fact.id}`;
      this.values.set(to, { name: named.object });
    }
    const isEnded = hasEnded(fact, this.moment);
    const state = [isEnded ? "ended" : null, fact.contested ? "contested" : null].filter(Boolean).join(", ");
    return {
      id: fact.id,
      from: fact.subject,
      to,
      label: relation(fact.predicate) + (fact.contested ? " (contested)" : ""),
      isEnded,
      isContested: fact.contested,
      bend: 0,
      said: `${fact.fact} (${validity(fact)}${state ? `; ${state}` : ""})`,
    };
  }
}

/** Whether a fact was over at the moment that is looked at. */
export function hasEnded(fact, moment) {
  const at = moment?.valid ? Date.parse(moment.valid) : Date.now();
  return fact.invalid_at !== null && Date.parse(fact.invalid_at) <= at;
}

/** The look of a type: well-known ones have their own, any other one by its letters, always the same. */
export function kindOf(type) {
  const lower = type.toLowerCase();
  const known = KNOWN_KINDS.indexOf({ organisation: "organization", company: "organization", location: "place", city: "place" }[lower] ?? lower);
  if (known >= 0) return known;
  if (!lower) return 7;
  return [...lower].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7) % KINDS;
}

function lettersOf(type) {
  return [...type].slice(0, 2).join("");
}

/** Lines between the same two stand side by side: bends around the middle, turned with their direction. */
function bow(same) {
  const [first] = same;
  const kinds = new Map();
  for (const line of same) {
    const key = [line.from, line.label, line.isEnded].join("\n");
    kinds.set(key, kinds.get(key) ?? kinds.size);
    line.place = kinds.get(key);
  }
  for (const line of same) {
    const bend = (line.place - (kinds.size - 1) / 2) * 22;
    line.bend = line.from === first.from ? bend : -bend;
  }
}

/** Facts of one relation between the same two in the same direction are one line, with their number. */
function merged(lines) {
  const found = new Map();
  for (const line of lines) {
    const key = [line.from, line.to, line.label, line.isEnded].join("\n");
    const known = found.get(key);
    if (known) Object.assign(known, { count: known.count + 1, said: `${known.said}\n${line.said}` });
    else found.set(key, { ...line, count: 1 });
  }
  return [...found.values()].map((one) => (one.count > 1 ? { ...one, label: `${one.label} ×${one.count}` } : one));
}

function byId(one, other) {
  return one.version.fact.id < other.version.fact.id ? -1 : 1;
}

function crowded() {
  const error = new Error(`${MOST_OPEN} entities are expanded, which is as much as one picture can tell; close one, or centre the picture on another`);
  return Object.assign(error, { isProblem: true, title: "The picture is full", detail: error.message, errors: [], advice: null });
}
