// The dashboard: what checks found and what to do, how far readers are behind, what each group holds, what models cost.

import { get, groups, paged } from "/pages/api.js";
import { chart, between, shownValue, told, windowOf } from "/pages/chart.js";
import { costCard, costsOf } from "/pages/costs.js";
import { fill, h } from "/pages/dom.js";
import { announce, complain } from "/pages/notice.js";
import { empty } from "/pages/pieces.js";
import { keep } from "/pages/place.js";
import { styled } from "/pages/styles.js";
import { shown } from "/pages/when.js";
import { boardAddress, groupTable, held, lagged } from "/pages/state.js";

const WINDOWS = [[30, "30 days"], [90, "90 days"], [365, "A year"]];
const EVERY = "*";
const MOST_FAILING = 24;
const MOST_PAGES = 5;
const OLD_DAYS = 2;
const DAY = 86_400_000;
const KINDS = [
  ["Errors", (one) => !one.passed && one.severity === "error"],
  ["Warnings", (one) => !one.passed && one.ran && one.severity !== "error"],
  ["Could not run", (one) => !one.ran],
  ["Passing", (one) => one.passed],
];

export async function show(main, params, signal) {
  const named = params.get("group");
  const asked = { days: WINDOWS.some(([days]) => String(days) === params.get("days")) ? Number(params.get("days")) : 90 };
  const found = groups().then((there) => {
    const one = named ?? (there.length === 1 ? there[0].group_id : null);
    return { there, one, first: loaded(one, asked.days, signal) };
  });
  const ready = get("/health/ready", {}, signal).catch((error) => error);
  const [{ there, one, first }] = await Promise.all([found, styled("/pages/dashboard.css")]);
  const body = h("div", { class: "board" });
  let awaited = null;
  const draw = async (loading) => {
    awaited = loading;
    body.classList.add("waiting");
    try {
      const board = await loading;
      if (signal.aborted || awaited !== loading) return;
      fill(body, drawn(board, { one, there, ready, costs: costsOf(one, asked.days, signal), days: asked.days }));
      announce(summary(board.items));
    } catch (error) {
      complain(error);
    }
    body.classList.remove("waiting");
  };
  fill(main, head(one, asked, (days) => (keep({ days }), draw(loaded(one, (asked.days = days), signal)))), body);
  await draw(first);
}

/** What is asked for the board of a group, or of all; whoever waits for it is told what went wrong. */
function loaded(one, days, signal) {
  const board = one ? ofGroup(one, days, signal) : ofAll(days, signal);
  board.catch(() => {});
  return board;
}

/** All checks of a group with their series; and of those over all groups what has no result in this one. */
async function ofGroup(group, days, signal) {
  const { items } = await get("/v1/checks", { groups: group, days }, signal);
  const own = new Set(items.filter((one) => one.latest.group_id !== EVERY).map((one) => one.latest.check));
  return { items: items.filter((one) => one.latest.group_id !== EVERY || !one.latest.ran || !own.has(one.latest.check)), latest: null };
}

/** What fails anywhere, what was found over all groups, and the latest of everything for the table. */
async function ofAll(days, signal) {
  const [failing, over, latest] = await Promise.all([
    get("/v1/checks", { groups: EVERY, failing: true, days, limit: MOST_FAILING }, signal),
    get("/v1/checks", { groups: EVERY, over_all: "only", days }, signal),
    latestOfAll(signal),
  ]);
  return { items: [...failing.items, ...over.items.filter((one) => one.latest.passed)], latest, isMore: failing.next_cursor !== null };
}

/** The latest of every check and group, what fails first; of a memory with very many, not all. */
async function latestOfAll(signal) {
  const pages = paged("/v1/checks", { groups: EVERY, over_all: "no" }, signal);
  const items = [];
  for (let page = 0; page < MOST_PAGES && !pages.isDone; page += 1) items.push(...(await pages.next()));
  return { items, isWhole: pages.isDone };
}

function head(one, asked, choose) {
  const chips = h("div", { class: "chips", role: "group", "aria-label": "How far back" });
  const draw = () =>
    fill(
      chips,
      WINDOWS.map(([days, name]) =>
        h("button", { type: "button", class: "chip", "aria-pressed": String(asked.days === days), onclick: () => (choose(days), draw(), chips.querySelector("[aria-pressed='true']").focus()) }, name),
      ),
    );
  draw();
  return h("header", { class: "board-head" }, h("div", {}, h("h1", {}, "Dashboard"), h("p", { class: "soft" }, one ? ["What checks found in ", h("strong", {}, one)] : "What checks found in all groups within reach")), chips);
}

function drawn({ items, latest, isMore = false }, { one, there, ready, costs, days }) {
  const failing = items.filter((each) => !each.latest.passed);
  const passing = items.filter((each) => each.latest.passed);
  const window = items.length ? windowOf(items, days) : null;
  const draw = (each) => card(each, window, { withGroup: !one });
  const lag = h("section", { class: "card", "aria-label": "How far behind" });
  ready.then((answer) => fill(lag, lagged(answer)));
  const key = items.some((each) => hasCourse(each.series)) ? legend() : null;
  const known = [...items, ...(latest?.items ?? [])];
  return [
    h("div", { class: "states" }, state(known, latest), lag, h("section", { class: "card", "aria-label": "What is held" }, held(one ? there.filter((each) => each.group_id === one) : there, one)), costCard(costs, days)),
    known.length ? null : never(),
    failing.length
      ? h("section", { class: "checks failing", "aria-labelledby": "failing" }, h("h2", { id: "failing" }, "Failing ", h("span", { class: "soft" }, `${failing.length}${isMore ? " and more" : ""}`)), key, h("div", { class: "wide" }, failing.map(draw)))
      : null,
    passing.length
      ? h("section", { class: "checks", "aria-labelledby": "passing" }, h("h2", { id: "passing" }, one ? "Passing " : "Passing, over all groups together ", h("span", { class: "soft" }, String(passing.length))), failing.length ? null : key, h("div", { class: "grid" }, passing.map(draw)))
      : null,
    one ? null : groupTable(there, latest),
  ];
}

/** The state in one look: how many fail, and of which day. */
function state(known, latest) {
  const each = new Map(known.map((one) => [`${one.latest.check} ${one.latest.group_id}`, one.latest]));
  const results = [...each.values()];
  const failed = results.filter((one) => !one.passed).length;
  const node = h("section", { class: "card", "aria-label": "Checks" });
  if (!results.length) return fill(node, h("h2", {}, "Checks"), h("p", { class: "figure" }, "none yet"), h("p", { class: "soft small" }, "No check has run on this memory."));
  const newest = results.reduce((a, b) => (a.day < b.day ? b : a));
  const ran = results.reduce((a, b) => (a.at < b.at ? b : a)).at;
  const age = Math.floor((Date.now() - Date.parse(newest.day)) / DAY);
  return fill(
    node,
    h("h2", {}, "Checks"),
    h("p", { class: "figure" }, failed ? h("span", { class: "bad" }, `${failed} failing`) : h("span", { class: "good" }, "all pass"), h("span", { class: "soft" }, ` of ${results.length}${latest && !latest.isWhole ? " and more" : ""}`)),
    h("p", { class: "soft small" }, `Judged up to ${newest.day}, last run ${shown(ran, "minute")} UTC`),
    h("dl", { class: "rows" }, KINDS.map(([name, is]) => [results.filter(is).length, name]).filter(([number]) => number).map(([number, name]) => [h("dt", {}, name), h("dd", {}, String(number))])),
    age > OLD_DAYS ? h("p", { class: "old small" }, `That is ${age} days ago: the schedule of the checks runs with `, h("code", {}, "make up")) : null,
  );
}

function never() {
  return empty(
    "No check has run yet",
    h("p", {}, "Checks run every night at 02:00 UTC, about the day that has ended, while Dagster is up:"),
    h("pre", {}, "make up"),
    h("p", {}, "Or now, from the repository's root:"),
    h("pre", {}, "DAGSTER_HOME=$PWD/dagster_home .venv/bin/dagster job execute -m pipelines.definitions -j drift"),
    h("p", {}, "docs/operations.md says what each looks at and what to do when it fails."),
  );
}

function legend() {
  return h(
    "p",
    { class: "legend small soft" },
    [["value", "its number"], ["limit", "its limit"], ["band", "usual: 80 of 100 of the 28 days before"], ["failed", "failed"]].map(([key, text]) => h("span", {}, h("i", { class: `key ${key}`, "aria-hidden": "true" }), text)),
    h("span", {}, "Up is worse. Arrow keys walk through a plot."),
  );
}

/** A check: what it says, its number, its days. */
function card({ about, latest, series }, window, { withGroup }) {
  const readout = h("p", { class: "readout small", "aria-hidden": "true" });
  const said = h("p", { class: "said" }, sentence(latest.sentence));
  const mark = latest.passed ? null : h("span", { class: latest.severity === "error" ? "badge bad" : "badge warn" }, latest.ran ? (latest.severity === "error" ? "error" : "warning") : "could not run");
  const isCourse = hasCourse(series);
  const name = latest.group_id === EVERY ? "all groups" : latest.group_id;
  const onDay = (point, isMarked) => fill(readout, isMarked ? told(point, about.unit) : resting(latest, series, about));
  const article = h(
    "article",
    { class: `card check${latest.passed ? "" : latest.severity === "error" ? " error" : " warning"}` },
    h("div", { class: "check-head" }, h("h3", {}, about.title), mark, withGroup || latest.group_id === EVERY ? groupBadge(latest.group_id, name) : null, h("span", { class: "number" }, isTelling(latest) ? [about.unit === "chance" ? h("span", { class: "soft" }, "p ") : null, shownValue(latest.value, about.unit)] : "–")),
    h("div", { class: "course" }, h("p", { class: "small soft what" }, about.number), isCourse ? chart({ about, latest, series }, window, { onDay }) : null, readout),
    h("div", { class: "advice" }, said, dayPicker(about, latest, series, said)),
  );
  if (!isCourse) fill(readout, resting(latest, series, about));
  return article;
}

/** A sentence with its commands as code. */
function sentence(text) {
  return text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));
}

/** Whether there is something to draw: a single day is no course. */
function hasCourse(series) {
  return series.filter((one) => one.judged).length > 1;
}

function isTelling(latest) {
  return latest.ran && latest.details.judged !== 0;
}

function groupBadge(group, name) {
  if (group === EVERY) return h("span", { class: "badge" }, name);
  return h("a", { class: "badge accent", href: boardAddress(group) }, name);
}

/** What stands under a plot that nobody walks through. */
function resting(latest, series, about) {
  const last = series.at(-1);
  const limit = latest.threshold === null ? "no limit of its own" : `limit ${shownValue(latest.threshold, about.unit)}`;
  const usual = last?.baseline ? `usually ${between(last.baseline, about.unit)}` : "no baseline before seven days";
  return `${latest.day} · ${limit} · ${usual}`;
}

/** The days that failed before, each with what the check said then. */
function dayPicker(about, latest, series, said) {
  const failed = series.filter((one) => !one.passed && one.day !== latest.day).toReversed();
  if (!failed.length) return null;
  const choose = async (event) => {
    const day = event.target.value;
    if (!day) return fill(said, sentence(latest.sentence));
    try {
      const found = await get(`/v1/checks/${encodeURIComponent(about.check)}`, { group_id: latest.group_id, since: day, until: day });
      fill(said, h("strong", {}, `${day}: `), sentence(found.days[0]?.result.sentence ?? "nothing is kept of that day any more."));
    } catch (error) {
      complain(error);
    }
  };
  return h(
    "label",
    { class: "small soft earlier" },
    `${latest.passed ? "Failed" : "Also failed"} on ${failed.length === 1 ? "one day" : `${failed.length} days`} `,
    h("select", { onchange: choose, "aria-label": `What ${about.title} said on days that failed` }, h("option", { value: "" }, "show what it said"), failed.map((one) => h("option", { value: one.day }, one.day))),
  );
}

function summary(items) {
  const failed = items.filter((one) => !one.latest.passed).length;
  if (!items.length) return "No check has run yet.";
  return failed ? `${failed} of the checks shown fail.` : `All ${items.length} checks shown pass.`;
}
