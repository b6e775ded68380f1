// Two sliders over time: what was true then (valid time), and what was believed then (system time).

import { h } from "/pages/dom.js";
import { day, millis, shown } from "/pages/when.js";

const SECOND = 1_000;
const DAY = 86_400_000;
const STEPS = [1, 60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000].map((seconds) => seconds * SECOND);

/**
 * The two sliders. `asOf` and `systemAsOf` are texts as /v1 takes them, null for now; `spans` is the answer
 * of /v1/spans, or null while it is not known. `onChange({ as_of, system_as_of })` hears of every move.
 */
export function moments({ asOf = null, systemAsOf = null, spans = null, onChange }) {
  const state = { as_of: asOf, system_as_of: systemAsOf };
  const told = (name) => (value) => {
    state[name] = value;
    onChange({ ...state });
  };
  const valid = slider({ label: "True as of", hint: "what held in the world then", value: asOf, isFine: false, onMove: told("as_of") });
  const system = slider({ label: "Believed as of", hint: "what the memory held then", value: systemAsOf, isFine: true, onMove: told("system_as_of") });
  const node = h("section", { class: "moments", "aria-label": "Times" }, valid.node, system.node);
  const bound = (found) => {
    valid.bound(found.valid);
    system.bound(found.system);
  };
  if (spans) bound(spans);
  return { node, bound, isFree: (free) => valid.isFree(free) };
}

/** One slider with its date field and its way back to now. */
function slider({ label, hint, value, isFine, onMove }) {
  const id = isFine ? "system" : "valid";
  let least = 0;
  let most = Date.now();
  let now = Date.now();
  let at = value;
  const range = h("input", { type: "range", id: `${id}-range`, "aria-describedby": `${id}-hint` });
  const field = h("input", { type: isFine ? "datetime-local" : "date", step: isFine ? 1 : null, "aria-label": `${label}, date in UTC` });
  const back = h("button", { type: "button", class: "chip", onclick: () => move(null) }, "now");
  const node = h(
    "div",
    { class: "moment" },
    h("div", { class: "moment-head" }, h("label", { for: range.id }, label), h("span", { class: "hint", id: `${id}-hint` }, hint)),
    range,
    h("div", { class: "moment-foot" }, field, back),
  );

  function draw() {
    const chosen = at === null ? now : millis(at);
    const step = stepOf(most - least);
    range.min = least;
    range.max = least + Math.ceil((most - least) / step) * step; // a whole step, or its end is out of reach
    range.step = step;
    range.value = at === null && most === now ? range.max : chosen;
    range.setAttribute("aria-valuetext", at === null ? "now" : shown(chosen));
    field.value = isFine ? new Date(chosen).toISOString().slice(0, 19) : day(chosen);
    back.setAttribute("aria-pressed", String(at === null));
  }

  function move(to) {
    at = to;
    draw();
    onMove(at);
  }

  range.addEventListener("input", () => {
    const chosen = Number(range.value);
    const isNow = Math.abs(chosen - now) < Number(range.step);
    move(isNow ? null : isFine ? new Date(chosen).toISOString().slice(0, 19) + "Z" : day(chosen));
  });
  field.addEventListener("change", () => {
    if (!field.value) move(null);
    else if (field.validity.valid) move(isFine ? `${field.value.padEnd(19, ":00")}Z` : field.value);
  });

  /** Sets the ends of the slider to those of the data; a chosen time outside of them stays chosen. */
  function bound({ first, last }) {
    now = Date.now();
    const chosen = at === null ? now : millis(at);
    const step = stepOf(now - Math.min(first ? millis(first) : now - DAY, now));
    least = Math.min(first ? millis(first) - step : now - DAY, chosen, now - SECOND);
    most = Math.max(last ? millis(last) : now, chosen, now);
    draw();
  }

  function isFree(free) {
    for (const one of [range, field, back]) one.disabled = !free;
    node.classList.toggle("idle", !free);
  }

  least = Math.min(at === null ? now - 10 * 365 * DAY : millis(at) - DAY, now - 10 * 365 * DAY);
  draw();
  return { node, bound, isFree };
}

/** The largest of the usual steps that leaves two hundred of them. */
function stepOf(span) {
  return STEPS.findLast((one) => one <= span / 200) ?? STEPS[0];
}
