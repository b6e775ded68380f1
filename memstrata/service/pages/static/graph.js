// The graph page: what is around an entity, drawn and told side by side. The address keeps the walk.

import { get, oneGroup } from "/pages/api.js";
import { fill, h, svg } from "/pages/dom.js";
import { openFact, openNamed } from "/pages/drawer.js";
import { layout } from "/pages/layout.js";
import { MANY, Picture, room } from "/pages/graph-picture.js";
import { shape } from "/pages/graph-shapes.js";
import { Walk, hasEnded, kindOf } from "/pages/graph-walk.js";
import { moments } from "/pages/moments.js";
import { announce, clear, complain } from "/pages/notice.js";
import { empty, entityAddress, marks, relation, validity } from "/pages/pieces.js";
import { address, go, keep } from "/pages/place.js";
import { styled } from "/pages/styles.js";

const PAUSE = 220;

export async function show(main, params, signal) {
  const [group] = await Promise.all([oneGroup(params.get("group")), styled("/pages/graph.css")]);
  const id = params.get("id");
  if (!group || !id) {
    fill(main, h("h1", {}, "Graph"), empty("No entity is chosen", h("p", {}, "A graph begins with somebody or something: search for it, and choose Graph on its page."), h("a", { href: address("/", { group }) }, "Search")));
    return;
  }
  if (!signal.aborted) await new GraphPage({ main, params, signal, group, id }).begin();
}

class GraphPage {
  constructor({ main, params, signal, group, id }) {
    this.main = main;
    this.signal = signal;
    this.group = group;
    this.params = params;
    this.centre = id;
    this.selected = params.get("at") || id;
    this.times = { as_of: params.get("as_of"), system_as_of: params.get("system_as_of"), history: params.get("history") === "true" ? "true" : null };
    this.picture = new Picture({
      select: (one, how) => this.select(one, how),
      expand: (one, how) => this.expand(one, how),
      centre: (one) => this.centreOn(one),
      open: (one) => this.walk.entities.has(one) && go(entityAddress(group, one)),
    });
    this.walk = new Walk({ group, centre: id, times: this.asked() });
  }

  /** The times as /v1 takes them: in history no valid time counts. */
  asked() {
    return this.times.history ? { ...this.times, as_of: null } : this.times;
  }

  async begin() {
    this.draft();
    get("/v1/spans", { groups: [this.group] }, this.signal).then(this.moments.bound, complain);
    await this.read(openIn(this.params.get("open"), this.centre));
    openNamed(this.params);
  }

  draft() {
    this.title = h("h1", {}, "Graph");
    this.told = h("div", { class: "told" });
    this.legend = h("ul", { class: "legend", "aria-label": "Types" });
    const ended = h("input", { type: "checkbox", id: "ended", checked: Boolean(this.times.history) });
    ended.checked = Boolean(this.times.history);
    ended.addEventListener("change", () => this.retime({ history: ended.checked ? "true" : null }));
    this.moments = moments({ asOf: this.times.as_of, systemAsOf: this.times.system_as_of, onChange: (moved) => this.retime(moved) });
    this.moments.isFree(!this.times.history);
    const tool = (text, label, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    fill(
      this.main,
      h("header", { class: "graph-head" }, this.title, h("label", { class: "small", for: "ended" }, ended, " Show what ended, too")),
      h("div", { class: "graph-body" },
        h("div", { class: "drawn" },
          this.picture.element,
          h("div", { class: "drawn-foot" }, this.legend, h("div", { class: "tools" }, tool("+", "Zoom in", () => this.picture.zoom(1.3)), tool("−", "Zoom out", () => this.picture.zoom(1 / 1.3)), tool("⤢", "Show everything", () => this.picture.fit()))),
        ),
        this.told,
      ),
      this.moments.node,
      h("p", { class: "hint keys" }, h("kbd", {}, "←↑↓→"), " walk along links ", h("kbd", {}, "Enter"), " show more ", h("kbd", {}, "C"), " centre ", h("kbd", {}, "O"), " open its page ", h("kbd", {}, "+"), h("kbd", {}, "−"), h("kbd", {}, "0"), " zoom. Click shows more, double click centres."),
    );
  }

  /** Reads everything that is to be open, the centre first: the others are nobody without it. */
  async read(open) {
    this.current?.abort();
    const mine = (this.current = new AbortController());
    this.signal.addEventListener("abort", () => mine.abort());
    const walk = new Walk({ group: this.group, centre: this.centre, times: this.asked() });
    this.picture.element.setAttribute("aria-busy", "true");
    try {
      await pages(walk, this.centre, open.get(this.centre) ?? 1, mine.signal);
      const others = [...open].filter(([id]) => id !== this.centre);
      await Promise.all(others.map(([id, count]) => pages(walk, id, count, mine.signal).catch(gone)));
      if (mine.signal.aborted) return;
      this.walk = walk;
      clear();
      this.draw();
    } catch (error) {
      if (!mine.signal.aborted) this.fail(error);
    } finally {
      if (!mine.signal.aborted) this.picture.element.removeAttribute("aria-busy");
    }
  }

  fail(error) {
    if (error.status !== 400 && error.status !== 404) return complain(error);
    fill(this.told, empty("Nobody is there", h("p", {}, error.detail), h("a", { href: address("/", { group: this.group }) }, "Search")));
  }

  draw() {
    const { walk } = this;
    const { nodes, lines, links } = walk.picture();
    if (!nodes.some((one) => one.id === this.selected)) this.selected = this.centre;
    this.main.querySelector(".graph-body").classList.toggle("many", nodes.length > MANY);
    const sized = nodes.map((one) => ({ id: one.id, ...room(one, nodes.length) }));
    const places = layout({ centre: this.centre, nodes: sized, links, flat: this.picture.flat });
    this.nodes = nodes;
    this.picture.draw({ nodes, lines, places, centre: this.centre, selected: this.selected });
    this.title.textContent = `Around ${walk.nameOf(this.centre)}`;
    document.title = `${walk.nameOf(this.centre)} · graph · Memstrata`;
    fill(this.legend, legend(nodes, lines));
    this.tell();
    this.remember();
    this.main.dataset.drawn = `${nodes.length} ${lines.length}`;
  }

  remember() {
    const open = [...this.walk.open].map(([id, { pages: count }]) => (count > 1 ? `${encodeURIComponent(id)}*${count}` : encodeURIComponent(id)));
    keep({
      group: this.group,
      id: this.centre,
      open: open.length > 1 || open[0]?.includes("*") ? open.join(" ") : null,
      at: this.selected === this.centre ? null : this.selected,
      ...this.times,
    });
  }

  /** The selected one in words, and everybody in the picture: all that the picture shows. */
  tell() {
    const id = this.selected;
    const node = this.nodes.find((one) => one.id === id);
    const focused = this.told.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    fill(
      this.told,
      node.isValue ? valueTold(node) : this.entityTold(node),
      h("details", { class: "everybody" },
        h("summary", {}, `In this picture: ${this.nodes.filter((one) => !one.isValue).length} entities`),
        h("ul", {}, this.nodes.filter((one) => !one.isValue).toSorted((a, b) => a.name.localeCompare(b.name, "en")).map((one) => h("li", {}, this.step(one.id), one.type ? h("span", { class: "badge" }, one.type) : null))),
      ),
    );
    if (focused) [...this.told.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
  }

  entityTold(node) {
    const { walk } = this;
    const open = walk.open.get(node.id);
    const facts = walk.factsOf(node.id);
    const act = (key, text, what, props = {}) => h("button", { type: "button", "data-key": key, onclick: what, ...props }, text);
    return h(
      "section",
      { "aria-label": "Selected" },
      h("h2", {}, node.name),
      h("p", { class: "about" }, h("span", { class: `badge kind${node.kind}` }, node.type || "no type"), " ", h("a", { href: entityAddress(this.group, node.id) }, "Open its page")),
      h("div", { class: "acts" },
        open ? null : act("expand", node.more ? `Show its neighbours (${node.more})` : "Show its neighbours", () => this.expand(node.id), { class: "main" }),
        open && open.cursor !== null ? act("expand", `Show ${Math.min(20, open.total - open.shown)} more`, () => this.expand(node.id), { class: "main" }) : null,
        node.id === this.centre ? null : act("centre", "Centre here", () => this.centreOn(node.id)),
        open && node.id !== this.centre ? act("close", "Close", () => this.close(node.id)) : null,
      ),
      h("p", { class: "small soft", role: "status" }, open ? counted(open, this.times.history) : `${facts.length} shown; not expanded`),
      h("ul", { class: "facts" }, facts.map((one) => this.factTold(one, node.id))),
    );
  }

  factTold(named, from) {
    const { fact } = named.version;
    const isSubject = fact.subject === from;
    const other = isSubject ? fact.object : fact.subject;
    return h(
      "li",
      {},
      h("span", { class: "way" }, isSubject ? "" : "← ", relation(fact.predicate), isSubject ? " → " : " "),
      isSubject && fact.object_kind === "literal" ? h("span", { class: "literal" }, named.object) : this.step(other),
      h("span", { class: "time" }, validity(fact)),
      hasEnded(fact, this.walk.moment) ? h("span", { class: "badge" }, "ended") : null,
      marks(named.version),
      h("button", { type: "button", class: "link small", "data-key": `fact ${fact.id}`, "aria-label": `Evidence of: ${fact.fact}`, onclick: () => openFact(this.group, fact.id) }, "why"),
    );
  }

  step(id) {
    return h("button", { type: "button", class: "link", "data-key": `to ${id}`, onclick: () => this.select(id) }, this.walk.nameOf(id));
  }

  select(id, { focus = false } = {}) {
    if (!this.nodes.some((one) => one.id === id)) return;
    this.selected = id;
    this.picture.select(id, { focus });
    this.tell();
    this.remember();
  }

  async expand(id, { isClick = false } = {}) {
    const { walk } = this;
    if (!walk.entities.has(id) || (isClick && walk.open.has(id))) return;
    try {
      const before = walk.facts.size;
      const found = await walk.more(id, this.signal);
      if (walk !== this.walk) return;
      announce(found ? `${walk.facts.size - before} more facts of ${walk.nameOf(id)}` : `${walk.nameOf(id)} has no more`);
      this.draw();
    } catch (error) {
      complain(error);
    }
  }

  close(id) {
    this.walk.close(id);
    this.draw();
  }

  centreOn(id) {
    if (!this.walk.entities.has(id) || id === this.centre) return;
    go(address("/graph", { group: this.group, id, ...this.times }));
  }

  /** Other times: the same walk, read anew when the reader pauses. */
  retime(moved) {
    Object.assign(this.times, moved);
    this.moments.isFree(!this.times.history);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.signal.aborted || this.read(new Map([...this.walk.open].map(([id, one]) => [id, one.pages]))), PAUSE);
  }
}

/** So many pages of an entity's neighbours. */
async function pages(walk, id, count, signal) {
  for (let page = 0; page < count; page += 1) if (!(await walk.more(id, signal))) return;
}

/** Somebody of an address who is not there at that time is left out; anything else is told. */
function gone(error) {
  if (error.status !== 400 && error.status !== 404) throw error;
}

/** What an address says is open: ids with how many pages, "id*2 other". */
function openIn(text, centre) {
  const found = new Map([[centre, 1]]);
  for (const part of (text ?? "").split(" ").filter(Boolean)) {
    const [id, count] = part.split("*");
    try {
      found.set(decodeURIComponent(id), Math.min(Math.max(Number(count) || 1, 1), 10));
    } catch {
      // a part that is no address at all opens nothing
    }
  }
  return found;
}

function counted(open, history) {
  const total = `${open.total.toLocaleString("en")}${open.isWhole ? "" : " or more"}`;
  if (open.total === 0) return history ? "No facts" : "No facts at this time";
  const word = open.total === 1 ? "fact" : "facts";
  return open.cursor === null ? `All ${total} ${word}` : `The latest ${open.shown} of ${total} ${word}`;
}

function valueTold(node) {
  return h("section", { "aria-label": "Selected" }, h("h2", {}, node.name), h("p", { class: "about" }, h("span", { class: "badge" }, "a value"), " leads nowhere else"));
}

/** The types that are there, and the looks of lines that are. */
function legend(nodes, lines) {
  const types = [...new Set(nodes.filter((one) => !one.isValue).map((one) => one.type))].sort();
  const line = (look, text) => h("li", {}, svg("svg", { viewBox: "0 0 28 12", class: `link ${look}`, "aria-hidden": "true" }, svg("path", { d: "M2 6H26" })), text);
  return [
    types.map((type) => h("li", {}, svg("svg", { viewBox: "-14 -14 28 28", class: `kind${kindOf(type)}`, "aria-hidden": "true" }, shape(kindOf(type), 10)), type || "no type")),
    lines.some((one) => one.isEnded) ? line("ended", "ended") : null,
    lines.some((one) => one.isContested) ? line("contested", "contested") : null,
  ];
}
