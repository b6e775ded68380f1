// The picture of a graph: nodes, links, zoom and pan, and walking by keys. It draws what it is handed and
// says what the reader did; what a node or a link stands for is the page's to know.

import { fill, svg } from "/pages/dom.js";
import { Moving } from "/pages/graph-moving.js";
import { arrow, round, shape } from "/pages/graph-shapes.js";

const SIZES = { usual: { node: 19, centre: 25 }, many: { node: 12, centre: 18 } };
/** From how many nodes on they are drawn small. */
export const MANY = 28;
const FULL = 45; // lines of which not all can be labelled
const LONGEST_NAME = 24;
const ZOOM = { least: 0.15, most: 3 };
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** How large nodes are drawn where there are so many. */
function sizesOf(count) {
  return count > MANY ? SIZES.many : SIZES.usual;
}

/** How much room a node takes with its name, among so many. */
export function room(node, count) {
  const width = Math.max([...cut(node.name)].length * 6.7 + (node.isValue ? 24 : 8), 50);
  return { width, height: node.isValue ? 38 : 2 * sizesOf(count).node + (count > MANY ? 21 : 34) };
}

/**
 * A picture that calls `on.select(id)`, `on.expand(id)`, `on.centre(id)`, `on.open(id)`.
 * draw({ nodes, lines, places, centre, selected }) shows a graph; nodes are { id, name, kind, letters,
 * isValue, more, said }, lines { from, to, label, isEnded, isContested, bend, said }.
 */
export class Picture {
  constructor(on) {
    this.on = on;
    this.nodes = new Map();
    this.lines = [];
    this.drawn = new Map();
    this.view = { x: 0, y: 0, k: 1 };
    this.isMoved = false;
    this.ground = svg("g", {});
    this.element = svg(
      "svg",
      { class: "picture", role: "group", "aria-label": "Graph: arrow keys walk along links, Enter shows more, C centres, O opens" },
      svg("defs", {}, ["", "ended", "contested"].map(arrow)),
      this.ground,
    );
    this.element.addEventListener("keydown", (event) => this.typed(event));
    new Moving(this).listen();
    new ResizeObserver(() => this.isMoved || this.fit()).observe(this.element);
  }

  draw({ nodes, lines, places, centre, selected }) {
    const before = new Map([...this.nodes].map(([id, one]) => [id, { x: one.x, y: one.y }]));
    const focused = this.element.contains(document.activeElement);
    this.centre = centre;
    this.selected = selected;
    this.sizes = sizesOf(nodes.length);
    this.nodes = new Map(nodes.map((one) => [one.id, { ...one, ...places.get(one.id) }]));
    this.lines = lines;
    this.drawn = new Map([...this.nodes.values()].map((one) => [one.id, this.nodeOf(one)]));
    this.drawnLines = lines.map((one) => lineOf(one));
    fill(this.ground, svg("g", { class: "links" }, this.drawnLines.map((one) => one.group)), svg("g", {}, [...this.drawn.values()]));
    this.mark();
    this.glide(before);
    if (!this.isMoved) this.fit();
    if (focused) this.drawn.get(selected)?.focus({ preventScroll: true });
  }

  /** How much wider than high its window is, in steps, so that a little more or less changes nothing. */
  get flat() {
    const box = this.element.getBoundingClientRect();
    return box.height ? Math.min(1.8, Math.max(0.8, Math.round((box.width / box.height) * 5) / 5)) : 1.4;
  }

  /** Shows which node is selected, and brings the labels of its links to the front. */
  select(id, { focus = false } = {}) {
    this.selected = id;
    this.mark();
    this.reveal(id);
    if (focus) this.drawn.get(id)?.focus({ preventScroll: true });
  }

  mark() {
    const near = this.lines.filter((one) => one.from === this.selected || one.to === this.selected).length;
    this.element.classList.toggle("full", this.lines.length > FULL);
    this.element.classList.toggle("crowded", near > FULL);
    this.element.classList.toggle("whole", this.selected === this.centre);
    for (const [id, group] of this.drawn) {
      group.classList.toggle("selected", id === this.selected);
      group.setAttribute("tabindex", id === this.selected ? "0" : "-1");
      group.setAttribute("aria-current", id === this.selected ? "true" : "false");
    }
    this.drawnLines?.forEach(({ group, line }) => {
      const isNear = line.from === this.selected || line.to === this.selected;
      group.classList.toggle("near", isNear);
    });
  }

  nodeOf(node) {
    const size = node.id === this.centre ? this.sizes.centre : this.sizes.node;
    const group = svg(
      "g",
      { class: `node ${node.isValue ? "value" : `kind${node.kind}`}${node.id === this.centre ? " centre" : ""}`, role: "button", tabindex: "-1", "aria-label": node.said, "data-id": node.id },
      svg("title", {}, node.said),
      node.isValue ? null : shape(node.kind, size),
      node.isValue ? null : svg("text", { class: "letters", y: "0.36em" }, node.letters),
      svg("text", { class: "name", y: node.isValue ? "0.36em" : size + (this.sizes === SIZES.many ? 12 : 15) }, cut(node.name)),
      node.more ? svg("g", { class: "more", transform: this.sizes === SIZES.many ? `translate(${size * 1.2} ${-size}) scale(0.8)` : `translate(${size * 0.9} ${-size * 0.9})` }, svg("rect", { x: -5 - node.more.length * 3.3, y: -9, width: 10 + node.more.length * 6.6, height: 18, rx: 9 }), svg("text", { y: "0.36em" }, node.more)) : null,
    );
    if (node.isValue) {
      const width = cut(node.name).length * 6.7 + 16;
      group.querySelector("title").after(svg("rect", { class: "shape", x: -width / 2, y: -13, width, height: 26, rx: 6 }));
    }
    return group;
  }

  /** From where nodes stood to where they stand; new ones come from the selected one. */
  glide(before) {
    const began = performance.now();
    const from = before.get(this.selected) ?? { x: 0, y: 0 };
    const still = before.size === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const run = (this.run = Symbol("run"));
    const step = (now) => {
      if (this.run !== run) return;
      const part = still ? 1 : Math.min(1, Math.max(0, (now - began) / 320));
      const eased = 1 - (1 - part) ** 3;
      this.put((one) => {
        const old = before.get(one.id) ?? from;
        return { x: old.x + (one.x - old.x) * eased, y: old.y + (one.y - old.y) * eased };
      });
      if (part < 1) requestAnimationFrame(step);
    };
    step(began);
  }

  put(where) {
    const at = new Map();
    for (const [id, one] of this.nodes) {
      const place = where(one);
      at.set(id, place);
      this.drawn.get(id).setAttribute("transform", `translate(${round(place.x)} ${round(place.y)})`);
    }
    for (const { line, path, label } of this.drawnLines) {
      const room = (id) => (this.nodes.get(id).isValue ? 17 : (id === this.centre ? this.sizes.centre : this.sizes.node) + 4);
      const drawn = curve(at.get(line.from), at.get(line.to), line.bend, room(line.from), room(line.to));
      path.setAttribute("d", drawn.d);
      label.setAttribute("transform", `translate(${round(drawn.x)} ${round(drawn.y)}) rotate(${round(drawn.turn)})`);
      label.textContent = line.label.length * 6 > drawn.length ? cut(line.label, Math.max(3, Math.floor(drawn.length / 6))) : line.label;
    }
  }

  /** Shows everything, no larger than life. */
  fit() {
    const box = this.element.getBoundingClientRect();
    if (!box.width || !this.nodes.size) return;
    const all = [...this.nodes.values()].map((one) => ({ ...one, ...room(one, this.nodes.size) }));
    const left = Math.min(...all.map((one) => one.x - one.width / 2));
    const right = Math.max(...all.map((one) => one.x + one.width / 2));
    const top = Math.min(...all.map((one) => one.y - 30));
    const bottom = Math.max(...all.map((one) => one.y + 44));
    const k = Math.max(ZOOM.least, Math.min(1.15, (box.width - 16) / (right - left), (box.height - 16) / (bottom - top)));
    this.isMoved = false;
    this.show({ k, x: box.width / 2 - (k * (left + right)) / 2, y: box.height / 2 - (k * (top + bottom)) / 2 });
  }

  show(view) {
    this.view = view;
    this.ground.setAttribute("transform", `translate(${round(view.x)} ${round(view.y)}) scale(${view.k.toFixed(4)})`);
    this.element.classList.toggle("far", view.k < 0.62);
  }

  /** Zooms by a factor around a point of the element, its middle by default. */
  zoom(factor, at = null) {
    const box = this.element.getBoundingClientRect();
    const point = at ?? { x: box.width / 2, y: box.height / 2 };
    const k = Math.max(ZOOM.least, Math.min(ZOOM.most, this.view.k * factor));
    const part = k / this.view.k;
    this.isMoved = true;
    this.show({ k, x: point.x - (point.x - this.view.x) * part, y: point.y - (point.y - this.view.y) * part });
  }

  move(x, y) {
    this.isMoved = true;
    this.show({ ...this.view, x: this.view.x + x, y: this.view.y + y });
  }

  /** Brings a node that lies outside the window into it. */
  reveal(id) {
    const node = this.nodes.get(id);
    const box = this.element.getBoundingClientRect();
    if (!node || !box.width) return;
    const x = node.x * this.view.k + this.view.x;
    const y = node.y * this.view.k + this.view.y;
    const dx = x < 40 ? 40 - x : x > box.width - 40 ? box.width - 40 - x : 0;
    const dy = y < 40 ? 40 - y : y > box.height - 50 ? box.height - 50 - y : 0;
    if (dx || dy) this.move(dx, dy);
  }

  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.actionOf(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  }

  actionOf(key) {
    const on = this.selected;
    if (ARROWS[key]) return () => this.walk(ARROWS[key]);
    return {
      Enter: () => this.on.expand(on),
      " ": () => this.on.expand(on),
      c: () => this.on.centre(on),
      o: () => this.on.open(on),
      Home: () => this.on.select(this.centre, { focus: true }),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
    }[key];
  }

  /** To the neighbour that lies most in that direction. */
  walk([right, down]) {
    const here = this.nodes.get(this.selected);
    if (!here) return;
    const beside = new Set(this.lines.flatMap((one) => (one.from === here.id ? [one.to] : one.to === here.id ? [one.from] : [])));
    let best = null;
    for (const id of beside) {
      const there = this.nodes.get(id);
      const x = there.x - here.x;
      const y = there.y - here.y;
      const along = x * right + y * down;
      const score = along / (Math.hypot(x, y) || 1);
      if (id !== here.id && score > 0.2 && (!best || score > best.score)) best = { id, score };
    }
    if (best) this.on.select(best.id, { focus: true });
  }
}

function lineOf(line) {
  const classes = ["link", line.isEnded ? "ended" : "", line.isContested ? "contested" : ""].filter(Boolean);
  const head = line.isContested ? "contested" : line.isEnded ? "ended" : "";
  const path = svg("path", { "marker-end": `url(#arrow${head})` });
  const label = svg("text", { dy: "-0.35em" });
  return { line, path, label, group: svg("g", { class: classes.join(" ") }, svg("title", {}, line.said), path, label) };
}

/** A bowed line between two nodes that stops at their rims; where its label stands, and how much room it has. */
function curve(from, to, bend, fromRoom, toRoom) {
  const x = to.x - from.x;
  const y = to.y - from.y;
  const length = Math.hypot(x, y) || 1;
  const [side, up] = [-y / length, x / length];
  const middle = { x: (from.x + to.x) / 2 + side * bend * 2, y: (from.y + to.y) / 2 + up * bend * 2 };
  const rim = (end, room) => {
    const far = Math.hypot(middle.x - end.x, middle.y - end.y) || 1;
    return { x: end.x + ((middle.x - end.x) / far) * room, y: end.y + ((middle.y - end.y) / far) * room };
  };
  const [start, end] = [rim(from, fromRoom), rim(to, toRoom)];
  const turn = (Math.atan2(y, x) * 180) / Math.PI;
  return {
    d: `M${round(start.x)} ${round(start.y)}Q${round(middle.x)} ${round(middle.y)} ${round(end.x)} ${round(end.y)}`,
    x: (start.x + 2 * middle.x + end.x) / 4,
    y: (start.y + 2 * middle.y + end.y) / 4,
    turn: Math.abs(turn) > 90 ? turn + 180 : turn,
    length: length - fromRoom - toRoom - 10,
  };
}

function cut(text, most = LONGEST_NAME) {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
