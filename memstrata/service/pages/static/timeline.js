// A life drawn: a bar for each fact over valid time, by relation. A bar is a button that opens the evidence.

import { fill, h, svg } from "/pages/dom.js";
import { relation, validity } from "/pages/pieces.js";
import { millis, shown, ticks } from "/pages/when.js";

const ROW = 30;
const BAR = 20;
const HEAD = 34;
const AXIS = 30;
const LEAST_BAR = 6;
const ARROW = 9;
const LETTER = 12.5; // pixels of the text on bars
const AT_ONCE = 40;
const A_TICK = 84; // pixels that a tick wants
const HALF_YEAR = 182 * 86_400_000;

/** Draws spells into a node, anew when its width changes: draw({ spells, entityId, asOf, open }). */
export function timeline() {
  const plot = h("div", { class: "plot" });
  const tip = h("div", { class: "tip", role: "tooltip", hidden: true });
  const more = h("button", { type: "button", hidden: true });
  const note = h("p", { class: "hint", hidden: true });
  const node = h("div", { class: "timeline" }, plot, tip, more, note);
  let last = null;
  let most = AT_ONCE;
  const redraw = () => last && plot.clientWidth && fill(plot, drawn(last, plot.clientWidth, most, tip));
  more.addEventListener("click", () => {
    most = Infinity;
    more.hidden = true;
    redraw();
  });
  new ResizeObserver(redraw).observe(plot);
  return {
    node,
    draw(what) {
      last = what;
      more.hidden = what.spells.length <= most;
      more.textContent = `Show the ${what.spells.length - most} earlier ones too`;
      note.hidden = what.isWhole;
      note.textContent = `Of all its facts these are the latest ${what.spells.length}; search finds the others.`;
      tip.hidden = true;
      redraw();
    },
  };
}

function drawn({ spells: all, entityId, asOf, open }, width, most, tip) {
  const spells = most < all.length ? all.slice(-most) : all; // in order of time: the latest
  const now = Date.now();
  const chosen = asOf ? millis(asOf) : now;
  const range = rangeOf(spells, now, chosen);
  const x = (at) => ((at - range.from) / (range.to - range.from)) * (width - ARROW);
  const groups = grouped(spells, entityId);
  const height = AXIS + groups.reduce((sum, one) => sum + HEAD + one.spells.length * ROW, 0) + 8;
  const parts = [];
  let y = AXIS;
  for (const group of groups) {
    parts.push(svg("text", { class: "relation-name", x: 0, y: y + HEAD - 11 }, group.name));
    y += HEAD;
    for (const spell of group.spells) {
      parts.push(bar({ spell, entityId, x, y, width, chosen, open, tip }));
      y += ROW;
    }
  }
  return svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Timeline of facts, by relation" },
    definitions(),
    axis(range, x, width, height),
    asOf ? line(x(chosen), height, "chosen", shown(asOf)) : line(x(now), height, "now", "now"),
    parts,
  );
}

/** From the first to the last time that is known, and a little more on either side; never less than half a year. */
function rangeOf(spells, now, chosen) {
  const known = spells.flatMap((one) => [millis(factOf(one).valid_at), millis(factOf(one).invalid_at)]).filter((at) => !Number.isNaN(at));
  let from = Math.min(...known, chosen, now);
  let to = Math.max(...known, chosen, now);
  if (to - from < HALF_YEAR) from = to - HALF_YEAR;
  const room = (to - from) * 0.035;
  if (spells.some((one) => !factOf(one).valid_at)) from -= room * 2;
  return { from: from - room, to: to + room };
}

function factOf(spell) {
  return spell.fact.version.fact;
}

/** Spells by relation and direction; relations in the order in which they begin. */
function grouped(spells, entityId) {
  const groups = new Map();
  for (const spell of spells) {
    const fact = factOf(spell);
    const isSubject = fact.subject === entityId;
    const key = `${isSubject} ${fact.predicate}`;
    if (!groups.has(key)) groups.set(key, { name: isSubject ? relation(fact.predicate) : `${relation(fact.predicate)} (of others)`, spells: [] });
    groups.get(key).spells.push(spell);
  }
  return [...groups.values()];
}

function bar({ spell, entityId, x, y, width, chosen, open, tip }) {
  const named = spell.fact;
  const fact = factOf(spell);
  const from = fact.valid_at ? x(millis(fact.valid_at)) : 0;
  const isOpen = !fact.invalid_at;
  const to = isOpen ? width - ARROW : Math.max(x(millis(fact.invalid_at)), from + LEAST_BAR);
  const holds = (!fact.valid_at || millis(fact.valid_at) <= chosen) && (isOpen || millis(fact.invalid_at) > chosen);
  const top = y + (ROW - BAR) / 2;
  const classes = ["bar", holds ? "holds" : "past", fact.contested ? "contested" : "", fact.valid_at ? "" : "unknown-start"];
  const words = fact.subject === entityId ? named.object : named.subject;
  const told = `${fact.fact}, ${validity(fact)}${fact.contested ? ", contested" : ""}`;
  const shape = isOpen
    ? svg("path", { class: "body", d: `M${from} ${top} H${to} L${width} ${top + BAR / 2} L${to} ${top + BAR} H${from} Z` })
    : svg("rect", { class: "body", x: from, y: top, width: to - from, height: BAR, rx: 3 });
  const node = svg("g", { class: classes.filter(Boolean).join(" "), role: "button", tabindex: "0", "data-walk": true, "data-fact": fact.id, "aria-label": told }, svg("rect", { class: "reach", x: 0, y, width, height: ROW }), shape, fact.valid_at ? null : svg("text", { class: "unknown", x: 4, y: top + 14.5 }, "?"), label(words, from + (fact.valid_at ? 0 : 12), to, isOpen ? width - ARROW : to, top, width));
  const use = () => open(fact.group_id, fact.id);
  node.addEventListener("click", use);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    use();
  });
  const show = () => showTip(tip, named, Math.min(Math.max(from, 0), width), y + ROW, width);
  for (const event of ["pointerenter", "focus"]) node.addEventListener(event, show);
  for (const event of ["pointerleave", "blur"]) node.addEventListener(event, () => (tip.hidden = true));
  return node;
}

/** The name on its bar if it fits there, else beside it where there is room. */
function label(words, from, to, end, top, width) {
  const y = top + 14.5;
  const fits = (room) => cut(words, room - 14);
  const inside = to - from;
  if (measured(words) <= inside - 14) return svg("text", { class: "on", x: from + 7, y }, words);
  const right = width - end;
  const left = from;
  if (measured(words) <= right - 14 || right >= Math.max(left, inside)) return svg("text", { class: "beside", x: end + 7, y }, fits(right));
  if (measured(words) <= left - 14 || left >= inside) return svg("text", { class: "beside", x: from - 7, y, "text-anchor": "end" }, fits(left));
  return svg("text", { class: "on", x: from + 7, y }, fits(inside));
}

const brush = document.createElement("canvas").getContext("2d");

function measured(words) {
  brush.font = `550 ${LETTER}px ${getComputedStyle(document.body).fontFamily}`;
  return brush.measureText(words).width;
}

function cut(words, room) {
  if (measured(words) <= room) return words;
  let kept = words.slice(0, Math.max(1, Math.floor((room / measured(words)) * words.length)));
  while (kept.length > 1 && measured(`${kept}…`) > room) kept = kept.slice(0, -1);
  return `${kept}…`;
}

function axis(range, x, width, height) {
  return ticks(range.from, range.to, Math.max(2, Math.floor(width / A_TICK))).map(({ at, label: words }) => {
    const place = x(at);
    const anchor = place < 18 ? "start" : place > width - 24 ? "end" : "middle";
    return svg("g", { class: "tick" }, svg("line", { x1: place, x2: place, y1: AXIS - 6, y2: height }), svg("text", { x: place, y: AXIS - 13, "text-anchor": anchor }, words));
  });
}

function line(place, height, name, title) {
  return svg("g", { class: `mark-line ${name}` }, svg("title", {}, title), svg("line", { x1: place, x2: place, y1: AXIS - 6, y2: height }));
}

function definitions() {
  return svg(
    "defs",
    {},
    ["holds", "past"].map((name) => svg("linearGradient", { id: `fade-${name}`, class: name }, svg("stop", { offset: "0", class: "clear" }), svg("stop", { offset: "0.35", class: "full" }), svg("stop", { offset: "1", class: "full" }))),
    svg("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect", { width: 6, height: 6, class: "hatch-ground" }), svg("rect", { width: 2, height: 6, class: "hatch-line" })),
  );
}

function showTip(tip, named, left, top, width) {
  const { fact } = named.version;
  fill(tip, h("strong", {}, fact.fact), h("span", {}, validity(fact)), fact.contested ? h("span", {}, "contested: said, and outweighed") : null);
  tip.hidden = false;
  tip.style.setProperty("left", `${Math.max(0, Math.min(left, width - tip.offsetWidth))}px`);
  tip.style.setProperty("top", `${top}px`);
}
