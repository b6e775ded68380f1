// What the dashboard shows beside checks: how far readers are behind, and what groups hold.

import { h } from "/pages/dom.js";
import { address } from "/pages/place.js";

const STAGES = { compaction: "Waiting to be written down", extraction: "Waiting for extraction", commit: "Waiting for a commit", vectors: "Waiting for vectors" };
const ROWS = [["facts", "Facts"], ["entities", "Entities"], ["episodes", "Episodes"], ["pending_episodes", "Not committed yet"], ["versions", "Versions of facts"]];
const MOST_ROWS = 200;

/** The address of a group's dashboard, over as many days as are looked at. */
export function boardAddress(group) {
  return address("/dashboard", { group, days: new URLSearchParams(location.search).get("days") });
}

/** How far readers are behind the door, from the answer of /health/ready or what came instead of it. */
export function lagged(answer) {
  const title = h("h2", {}, "Lag");
  if (answer instanceof Error) return [title, h("p", { class: "figure bad" }, "not ready"), h("p", { class: "small soft" }, answer.message)];
  const { stages, episodes, p50, p95 } = answer.lag;
  return [
    title,
    episodes
      ? h("p", { class: "figure" }, duration(p50))
      : h("p", { class: "figure" }, "–"),
    episodes ? h("p", { class: "small" }, `for half of them; 95 of 100 in ${duration(p95).replace(" ", "\u00a0")}`) : null,
    h("p", { class: "small soft" }, episodes ? `From acceptance to commit, of the last ${episodes === 1 ? "episode" : `${count(episodes)} episodes`}` : "Nothing has been committed yet"),
    h("dl", { class: "rows" }, stages.map((one) => [h("dt", {}, STAGES[one.name] ?? one.name), h("dd", { class: one.waiting ? "" : "soft" }, one.waiting ? count(one.waiting) : "0", one.oldest ? h("span", { class: "soft" }, `, oldest ${duration(one.oldest)}`) : null)])),
  ];
}

/** What the groups hold together. */
export function held(there, one) {
  const total = (name) => there.reduce((sum, each) => sum + each[name], 0);
  return [
    h("h2", {}, "Holds"),
    h("p", { class: "figure" }, count(total("facts")), h("span", { class: "soft" }, total("facts") === 1 ? " fact" : " facts")),
    h("p", { class: "small soft" }, one ? `In group ${one}` : `In ${there.length === 1 ? "one group" : `${count(there.length)} groups`}`),
    h("dl", { class: "rows" }, ROWS.slice(1).map(([name, title]) => [h("dt", {}, title), h("dd", { class: total(name) ? "" : "soft" }, count(total(name)))])),
  ];
}

/** Every group with what it holds and how its checks stand; those that fail first. */
export function groupTable(there, latest) {
  const results = Map.groupBy(latest?.items ?? [], (one) => one.latest.group_id);
  const failed = (group) => (results.get(group) ?? []).filter((one) => !one.latest.passed);
  const ordered = there.toSorted((a, b) => failed(b.group_id).length - failed(a.group_id).length || b.facts - a.facts);
  if (!there.length) return null;
  return h(
    "section",
    { class: "checks", "aria-labelledby": "each" },
    h("h2", { id: "each" }, "Each group"),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "groups-table" },
        h("thead", {}, h("tr", {}, ["Group", "Checks", "Facts", "Entities", "Episodes"].map((name, place) => h("th", { scope: "col", class: place > 1 ? "count" : "" }, name)))),
        h(
          "tbody",
          {},
          ordered.slice(0, MOST_ROWS).map((one) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, h("a", { href: boardAddress(one.group_id) }, one.group_id)),
              h("td", {}, verdict(results.get(one.group_id), failed(one.group_id), latest?.isWhole)),
              [one.facts, one.entities, one.episodes].map((number) => h("td", { class: "count" }, count(number))),
            ),
          ),
        ),
      ),
    ),
    ordered.length > MOST_ROWS ? h("p", { class: "small soft" }, `And ${count(ordered.length - MOST_ROWS)} more: choose one above.`) : null,
  );
}

function verdict(results, failed, isWhole) {
  if (!results) return h("span", { class: "soft" }, isWhole ? "never judged" : "open it to see");
  if (!failed.length) return h("span", { class: "good" }, `${results.length} pass`);
  return h("span", { class: "chips" }, failed.map((one) => h("span", { class: one.latest.severity === "error" ? "badge bad" : "badge warn" }, one.about.title)));
}

function count(number) {
  return number.toLocaleString("en");
}

/** Seconds as people say them. */
export function duration(seconds) {
  for (const [length, unit] of [[86_400, "d"], [3_600, "h"], [60, "min"]]) {
    if (seconds >= length) return `${Number((seconds / length).toFixed(seconds < 10 * length ? 1 : 0))} ${unit}`;
  }
  return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
}
