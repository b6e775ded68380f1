// One check over time as a picture: its number, its limit, the usual band, and the days that failed.
// The lines are stretched to the width there is; texts stand beside them, so that they are not.

import { h, svg } from "/pages/dom.js";

const WIDE = 1000;
const HIGH = 100;
const DAY = 86_400_000;
const LEAST_DAYS = 7;
const JOINED_DAYS = 3; // a longer gap is drawn as one
const LEAST_CHANCE = 1e-6;

/** Days of a window as milliseconds: from the first day that anything has, at least a week, to the newest. */
export function windowOf(items, days) {
  const newest = Math.max(...items.map((one) => Date.parse(one.latest.day)));
  const firsts = items.flatMap((one) => (one.series.length ? [Date.parse(one.series[0].day)] : []));
  const first = Math.max(Math.min(...firsts, newest), newest - (days - 1) * DAY);
  return { from: Math.min(first, newest - (LEAST_DAYS - 1) * DAY), to: newest };
}

/** A number of a check as people read it. */
export function shownValue(value, unit) {
  if (value === null || value === undefined) return "none";
  if (unit === "share") return `${trimmed(value * 100, value < 0.1 ? 1 : 0)}\u00a0%`;
  if (unit === "chance") return chance(value);
  return Number.isInteger(value) ? value.toLocaleString("en") : trimmed(value, 2);
}

function chance(value) {
  if (value === 0 || value >= 0.001) return String(Number(value.toPrecision(2)));
  const [digit, power] = value.toExponential(0).split("e-");
  return `${digit}\u00a0×\u00a010⁻${[...power].map((one) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(one)]).join("")}`;
}

function trimmed(value, places) {
  return String(Number(value.toFixed(places)));
}

/** The chart of an item of /v1/checks within a window; arrow keys and the pointer go through its days. */
export function chart(item, window, { onDay = () => {} } = {}) {
  const { about, series } = item;
  const scale = scaleOf(series, about.unit);
  const at = (day) => (window.to === window.from ? WIDE : ((Date.parse(day) - window.from) / (window.to - window.from)) * WIDE);
  const points = series.map((one) => ({ ...one, x: at(one.day), y: one.value === null ? HIGH : scale.of(one.value) }));
  const mark = svg("path", { class: "cursor", d: "", "vector-effect": "non-scaling-stroke" });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    bands(points, scale).map((d) => svg("path", { class: "band", d })),
    line("usual", runs(points.filter((one) => one.baseline)).map((run) => path(run, (one) => scale.of(one.baseline.middle)))),
    line("limit", [limits(points, scale)]),
    line("value", runs(points.filter(isDrawn)).map((run) => path(run, (one) => one.y))),
    dots("unjudged", points.filter((one) => !one.judged && one.value !== null)),
    dots("lone", runs(points.filter(isDrawn)).filter((run) => run.length === 1).flat().filter((one) => one.passed)),
    dots("unable", points.filter((one) => one.value === null)),
    dots("failed", points.filter((one) => !one.passed && one.value !== null)),
    mark,
  );
  return h(
    "div",
    { class: "chart" },
    h("div", { class: "scale", "aria-hidden": "true" }, h("span", {}, scale.top), h("span", {}, scale.bottom)),
    walked(picture, mark, points, about, onDay),
    h("div", { class: "days", "aria-hidden": "true" }, h("span", {}, shortDay(window.from)), h("span", {}, shortDay(window.to))),
  );
}

function isDrawn(one) {
  return one.judged && one.value !== null;
}

/** The plot, which is walked day by day: as a slider, the value of which is what the day was like. */
function walked(picture, mark, points, about, onDay) {
  const plot = h("div", { class: "plot", tabindex: "0", role: "slider", "aria-orientation": "horizontal", "aria-label": `${about.title}, day by day`, "aria-valuemin": "1", "aria-valuemax": String(Math.max(points.length, 1)) }, picture);
  let place = points.length - 1;
  const go = (to, isMarked) => {
    if (!points.length) return;
    place = Math.min(Math.max(to, 0), points.length - 1);
    const one = points[place];
    mark.setAttribute("d", isMarked ? `M${one.x} 0V${HIGH}` : "");
    plot.setAttribute("aria-valuenow", String(place + 1));
    plot.setAttribute("aria-valuetext", told(one, about.unit));
    onDay(one, isMarked);
  };
  plot.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDE;
    go(nearest(points, x), true);
  });
  plot.addEventListener("pointerleave", () => go(document.activeElement === plot ? place : points.length - 1, document.activeElement === plot));
  plot.addEventListener("focus", () => go(place, true));
  plot.addEventListener("blur", () => go(points.length - 1, false));
  plot.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: place - 1, ArrowDown: place - 1, ArrowRight: place + 1, ArrowUp: place + 1, PageDown: place - 7, PageUp: place + 7, Home: 0, End: points.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to, true);
  });
  go(place, false);
  return plot;
}

function nearest(points, x) {
  let found = 0;
  for (const [place, one] of points.entries()) if (Math.abs(one.x - x) < Math.abs(points[found].x - x)) found = place;
  return found;
}

/** A day of a series in words. */
export function told(point, unit) {
  if (point.value === null) return `${point.day}: the check could not run`;
  if (!point.judged) return `${point.day}: too little to judge`;
  const usual = point.baseline ? `, usually ${between(point.baseline, unit)}` : "";
  const limit = point.threshold === null ? "" : `, limit ${shownValue(point.threshold, unit)}`;
  return `${point.day}: ${shownValue(point.value, unit)}${limit}${usual}${point.passed ? "" : ", fails"}`;
}

export function between(band, unit) {
  const [low, high] = [shownValue(band.low, unit), shownValue(band.high, unit)];
  return low === high ? low : `${low} to ${high}`;
}

/** Where a number stands; up is worse, so a chance is drawn by its order of magnitude, upside down. */
function scaleOf(series, unit) {
  if (unit === "chance") {
    const least = Math.min(0.001, ...series.flatMap((one) => [one.value, one.threshold]).filter((one) => one !== null));
    const floor = Math.log10(Math.max(least, LEAST_CHANCE));
    return {
      of: (value) => inside((Math.log10(Math.max(value, LEAST_CHANCE)) / floor) * 0.94),
      top: `${least < LEAST_CHANCE ? "≤ " : ""}${chance(10 ** floor)}`,
      bottom: "1",
    };
  }
  const all = series.flatMap((one) => [one.value, one.threshold, one.baseline?.high]).filter((one) => Number.isFinite(one));
  const most = Math.max(...all, unit === "count" ? 1 : 0.01);
  return { of: (value) => inside((value / most) * 0.94), top: shownValue(most, unit), bottom: unit === "share" ? "0\u00a0%" : "0" };
}

function inside(share) {
  return HIGH - 3 - Math.min(Math.max(share, 0), 1) * (HIGH - 3);
}

/** Points in pieces that hang together. */
function runs(points) {
  const found = [];
  for (const one of points) {
    const run = found.at(-1);
    if (run && Date.parse(one.day) - Date.parse(run.at(-1).day) <= JOINED_DAYS * DAY) run.push(one);
    else found.push([one]);
  }
  return found;
}

function bands(points, scale) {
  return runs(points.filter((one) => one.baseline)).filter((run) => run.length > 1).map((run) => {
    const there = path(run, (one) => scale.of(one.baseline.high));
    const back = run.toReversed().map((one) => `L${round(one.x)} ${round(scale.of(one.baseline.low))}`).join("");
    return `${there}${back}Z`;
  });
}

/** The limit of each day, as steps; the last one goes on to the edges, so that one day has a limit too. */
function limits(points, scale) {
  const known = points.filter((one) => one.threshold !== null);
  if (!known.length) return "";
  const steps = known.map((one, place) => `${place ? "L" : "M"}${place ? round(one.x) : 0} ${round(scale.of(one.threshold))}`);
  return `${steps.join("")}H${WIDE}`;
}

function path(run, y) {
  return run.map((one, place) => `${place ? "L" : "M"}${round(one.x)} ${round(y(one))}`).join("");
}

function line(name, ways) {
  const d = ways.join("");
  return d ? svg("path", { class: name, d, "vector-effect": "non-scaling-stroke" }) : null;
}

/** Dots as lines of no length with round ends: they stay round however the picture is stretched. */
function dots(name, points) {
  const d = points.map((one) => `M${round(one.x)} ${round(one.y)}h0`).join("");
  return d ? svg("path", { class: name, d, "vector-effect": "non-scaling-stroke" }) : null;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function shortDay(milliseconds) {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
