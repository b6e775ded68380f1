// Times as people read them: always UTC, and no finer than they were stated.

const LENGTHS = { decade: 4, year: 4, quarter: 7, month: 7, week: 10, day: 10, hour: 13, minute: 16 };
const DAY = 86_400_000;

/** An instant as text, no finer than its precision: "2024", "2024-Q3", "2024-07", "2024-07-14", "2024-07-14 09:30". */
export function shown(instant, precision = null) {
  if (!instant) return "";
  const text = new Date(instant).toISOString();
  if (precision === "decade") return `${text.slice(0, 3)}0s`;
  if (precision === "quarter") return `${text.slice(0, 4)}-Q${Math.floor((Number(text.slice(5, 7)) - 1) / 3) + 1}`;
  if (precision in LENGTHS) return text.slice(0, LENGTHS[precision]).replace("T", " ");
  if (text.endsWith("T00:00:00.000Z")) return text.slice(0, 10);
  return text.slice(0, 16).replace("T", " ");
}

/** A period: "2024-07 .. now", "? .. 2021", "2020 .. 2021-03-01". */
export function interval(from, to, { fromPrecision = null, toPrecision = null, open = "now" } = {}) {
  return `${from ? shown(from, fromPrecision) : "?"} .. ${to ? shown(to, toPrecision) : open}`;
}

/** What a date field and /v1 take for a moment in milliseconds: the day, or the whole instant. */
export function day(milliseconds) {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Milliseconds of an instant, or of a date such as 2024, 2024-07, 2024-07-14 (its beginning); NaN for none. */
export function millis(text) {
  return text ? Date.parse(text) : Number.NaN;
}

/** Ticks between two moments at whole days, months, years, decades: [{ at, label }], `most` or fewer. */
export function ticks(from, to, most) {
  const span = Math.max(to - from, 1);
  const step = STEPS.find((one) => span / one.length <= most) ?? STEPS.at(-1);
  const found = [];
  for (let at = step.first(new Date(from)); at <= to; at = step.next(new Date(at))) {
    if (at >= from) found.push({ at, label: new Date(at).toISOString().slice(0, step.shown) });
    if (found.length > 400) break;
  }
  return found;
}

const STEPS = [
  ...[1, 7].map((days) => ({
    length: days * DAY,
    shown: 10,
    first: (date) => Math.ceil(date.getTime() / (days * DAY)) * days * DAY,
    next: (date) => date.getTime() + days * DAY,
  })),
  ...[1, 3, 6].map((months) => ({
    length: months * 30.44 * DAY,
    shown: 7,
    first: (date) => Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months),
    next: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months),
  })),
  ...[1, 2, 5, 10, 20, 50, 100, 500].map((years) => ({
    length: years * 365.25 * DAY,
    shown: 4,
    first: (date) => Date.UTC(Math.floor(date.getUTCFullYear() / years) * years, 0),
    next: (date) => Date.UTC(date.getUTCFullYear() + years, 0),
  })),
];
