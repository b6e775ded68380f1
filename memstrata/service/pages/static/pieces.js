// Pieces that several pages show: links to entities, facts as lines, what to do where there is nothing.

import { h } from "/pages/dom.js";
import { address, times } from "/pages/place.js";
import { interval } from "/pages/when.js";

/** A relation as people read it: "WORKS_AT" and "works_at" are "works at". */
export function relation(predicate) {
  return String(predicate).replaceAll("_", " ").toLowerCase();
}

/** The address of an entity's page, in the times that are looked at. */
export function entityAddress(group, id) {
  return address("/entity", { group, id, ...times() });
}

/** A link to an entity, by its name. */
export function entityLink(group, id, name) {
  return h("a", { href: entityAddress(group, id), class: "entity-link" }, name || id);
}

/** The object of a fact: a link where it is somebody, else the value. */
export function objectOf(named) {
  const { group_id: group, object, object_kind: kind } = named.version.fact;
  return kind === "literal" ? h("span", { class: "literal" }, named.object) : entityLink(group, object, named.object);
}

/** When a fact was true, as text. */
export function validity(fact) {
  return interval(fact.valid_at, fact.invalid_at, {
    fromPrecision: fact.valid_at_precision,
    toPrecision: fact.invalid_at_precision,
  });
}

/** What is doubtful about a version of a fact, as badges. */
export function marks(version) {
  return [
    version.fact.contested ? h("span", { class: "badge warn", title: "Said, and outweighed by something else" }, "contested") : null,
    version.expired_at ? h("span", { class: "badge" }, "no longer believed") : null,
  ];
}

/** A fact as a line of a list: its sentence opens the evidence, its ends lead to their pages. */
export function factLine(named, { open, withGroup = false, extra = null }) {
  const { version } = named;
  const { fact } = version;
  return h(
    "li",
    { class: "fact" },
    h("button", { type: "button", class: "sentence", "data-walk": true, onclick: () => open(fact.group_id, fact.id) }, fact.fact),
    h("span", { class: "time" }, validity(fact)),
    h(
      "span",
      { class: "triple" },
      entityLink(fact.group_id, fact.subject, named.subject),
      h("span", { class: "relation" }, relation(fact.predicate)),
      objectOf(named),
      marks(version),
      withGroup ? h("span", { class: "badge" }, fact.group_id) : null,
    ),
    extra,
  );
}

/** An empty state: what there is not, and what to do next. */
export function empty(title, ...what) {
  return h("div", { class: "empty" }, h("h2", {}, title), what);
}

/** Arrow keys go through what is marked data-walk inside a node; Home and End to its ends. */
export function walkable(node) {
  node.addEventListener("keydown", (event) => {
    const stops = [...node.querySelectorAll("[data-walk]")];
    const at = stops.indexOf(document.activeElement);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (to === undefined) return;
    if (to >= 0 && to < stops.length) {
      event.preventDefault();
      stops[to].focus();
    } else if (to < 0) {
      document.getElementById("query")?.focus();
    }
  });
  return node;
}
