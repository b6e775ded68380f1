// What language models took in the window: in all, today, and by stage. Nothing where none was asked.

import { get } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";

const DAY = 86_400_000;
const count = (number) => number.toLocaleString("en");
const STAGES = { extract: "Extraction", rest: "Rest of cut-off replies", repair: "Repairs", second_pass: "Second passes", adjudicate: "Adjudication" };

/** The costs of a group or of all over so many days; null where they are not for this token, or there are none. */
export async function costsOf(group, days, signal) {
  const since = new Date(Date.now() - (days - 1) * DAY).toISOString().slice(0, 10);
  const found = await get("/v1/costs", { group_id: group ?? undefined, by: ["day", "stage"], since }, signal).catch(() => null);
  return found?.total.calls ? found : null;
}

/** A card of them, put in once they are there. */
export function costCard(loading, days) {
  const card = h("section", { class: "card", "aria-label": "Cost", hidden: true });
  loading.then((found) => {
    if (!found) return;
    card.hidden = false;
    fill(card, told(found, days));
  });
  return card;
}

function told({ rows, total, currency }, days) {
  const day = new Date().toISOString().slice(0, 10);
  const today = `today ${money(rows.filter((one) => one.key.day === day), currency).join("")}`;
  const stages = Map.groupBy(rows, (one) => one.key.stage);
  return [
    h("h2", {}, "Cost"),
    h("p", { class: "figure" }, money([total], currency, (rest) => h("span", { class: "soft" }, rest))),
    h("p", { class: "small" }, `in ${days} days; ${today}`),
    h("p", { class: "small soft" }, `${calls(total.calls)} of language models, ${count(Math.round(total.input_tokens))} tokens read, ${count(Math.round(total.output_tokens))} written`),
    h("dl", { class: "rows" }, [...stages].map(([stage, those]) => [h("dt", {}, STAGES[stage] ?? stage), h("dd", {}, calls(those.reduce((sum, one) => sum + one.calls, 0)), h("span", { class: "soft" }, `, ${money(those, currency).join("")}`))]), total.failed ? [h("dt", {}, "Failed calls"), h("dd", { class: "failed-calls" }, count(Math.round(total.failed)))] : null),
    total.unpriced.length ? h("p", { class: "old small" }, `No price is known of ${total.unpriced.join(", ")}: name it in the file of `, h("code", {}, "MEMSTRATA_PRICES")) : null,
  ];
}

function calls(number) {
  const whole = Math.round(number);
  return whole === 1 ? "1 call" : `${count(whole)} calls`;
}

/** In parts, never a wrong 0: what has no price is said to be unknown, beside what has one as `rest`. */
function money(those, currency, rest = (text) => text) {
  const known = those.reduce((sum, one) => sum + one.priced, 0);
  const isWhole = those.every((one) => one.cost !== null);
  if (!isWhole && !known) return ["unknown"];
  const said = `${known.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: known && known < 1 ? 4 : 2 })} ${currency}`;
  return isWhole ? [said] : [said, rest(" and unknown")];
}
