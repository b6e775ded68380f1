// Who an entity is: the names that stand for it, and the verdicts that joined them or keep them apart.

import { get, paged } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { complain } from "/pages/notice.js";
import { entityLink } from "/pages/pieces.js";
import { address } from "/pages/place.js";
import { shown } from "/pages/when.js";

const KINDS = { merge: "are one", keep_apart: "are kept apart" };

/** The section; it is read when it is opened. */
export function identity(group, id, openEpisode) {
  const body = h("div", { class: "identity" }, h("p", { class: "soft" }, "Looking it up ..."));
  const node = h("details", { class: "fold" }, h("summary", {}, h("h2", {}, "Names and merges"), h("span", { class: "hint" }, "who it is, and who decided")), body);
  let isRead = false;
  node.addEventListener("toggle", async () => {
    if (!node.open || isRead) return;
    isRead = true;
    const path = `/v1/entities/${encodeURIComponent(id)}`;
    const verdicts = paged(`${path}/verdicts`, { group_id: group, limit: 50 });
    try {
      const [names, first] = await Promise.all([get(`${path}/names`, { group_id: group }), verdicts.next()]);
      fill(body, namesOf(group, names, openEpisode), verdictsOf(group, id, verdicts, first));
    } catch (error) {
      isRead = false;
      fill(body, h("p", { class: "soft" }, error.detail ?? error.message));
      if (!error.isProblem) complain(error);
    }
  });
  return node;
}

function namesOf(group, { items }, openEpisode) {
  if (!items.length) return h("p", { class: "soft" }, "No name stands for it now.");
  const rows = items.map((one) =>
    h(
      "tr",
      {},
      h("td", {}, h("strong", {}, one.name), " ", one.type ? h("span", { class: "badge" }, one.type) : null),
      h("td", {}, `${one.mentions}`),
      h("td", {}, h("button", { type: "button", class: "link", onclick: () => openEpisode(group, one.episode_id) }, shown(one.first_at))),
    ),
  );
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Name"), h("th", { scope: "col" }, "Mentions"), h("th", { scope: "col" }, "First named"))), h("tbody", {}, rows)));
}

function verdictsOf(group, id, verdicts, first) {
  const list = h("ol", { class: "verdicts" }, first.map((one) => verdict(group, id, one)));
  const more = h("button", { type: "button", hidden: verdicts.isDone }, "Earlier verdicts");
  more.addEventListener("click", async () => {
    try {
      list.append(...(await verdicts.next()).map((one) => verdict(group, id, one)));
      more.hidden = verdicts.isDone;
    } catch (error) {
      complain(error);
    }
  });
  const none = first.length || !verdicts.isDone ? null : h("p", { class: "soft" }, "Nobody has decided about it: what is one name here was joined by its rules. ", h("a", { href: address("/review", { group, part: "pairs" }) }, "Pairs in doubt"));
  return [h("h3", {}, "Verdicts"), none, list, more];
}

function verdict(group, id, { decision, seq, left, right }) {
  const ends = [left, right].map((one) => (one.entity_id && one.entity_id !== id ? entityLink(group, one.entity_id, one.name) : h("strong", {}, one.name)));
  return h(
    "li",
    {},
    h("p", {}, ends[0], " and ", ends[1], " ", h("span", { class: `badge ${decision.kind === "merge" ? "accent" : ""}` }, KINDS[decision.kind] ?? decision.kind), seq === null ? h("span", { class: "badge warn" }, "takes effect with the next commit") : null),
    h("p", { class: "small soft" }, `${shown(decision.at)} by ${decision.who || decision.by}`, decision.reason ? `: ${decision.reason}` : ""),
  );
}
