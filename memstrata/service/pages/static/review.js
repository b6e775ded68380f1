// The review page: pairs that may be one, facts that wait for a verdict, relations proposed to be declared,
// facts withdrawn or to be withdrawn, and every decision made.

import { get, oneGroup, paged } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { empty } from "/pages/pieces.js";
import { group as named, keep } from "/pages/place.js";
import { showDecisions } from "/pages/review-decisions.js";
import { showFacts } from "/pages/review-facts.js";
import { showItems } from "/pages/review-items.js";
import { showPairs } from "/pages/review-pairs.js";
import { showProposals } from "/pages/review-proposals.js";
import { Tabs } from "/pages/review-tabs.js";
import { styled } from "/pages/styles.js";

const AT_ONCE = 20;
const PARTS = {
  pairs: { title: "May be one", show: showPairs },
  items: { title: "Waiting facts", show: showItems },
  proposals: { title: "Proposals", show: showProposals },
  facts: { title: "Facts", show: showFacts },
  decisions: { title: "Decisions", show: showDecisions },
};

export async function show(main, params, signal) {
  const [group, grant] = await Promise.all([oneGroup(named()), get("/v1/grant", {}, signal), styled("/pages/review.css")]);
  if (signal.aborted) return;
  if (!group) {
    fill(main, h("h1", {}, "Review"), empty("Nothing is remembered here yet", h("p", {}, "Where the memory is not sure whether two names are one, it keeps them apart and asks here.")));
    return;
  }
  const pairs = begun(paged("/v1/review", { group_id: group, limit: AT_ONCE }, signal));
  const asked = params.get("part");
  const tabs = new Tabs(PARTS, { group, signal, shown: asked });
  const body = h("div", { class: "review-body" });
  fill(
    main,
    h("header", { class: "review-head" }, h("h1", {}, "Review"), h("span", { class: "badge" }, group)),
    tabs.row,
    mayDecide(grant) ? null : h("p", { class: "hint refusal", id: "refusal" }, refusal(grant)),
    body,
  );
  const part = Object.hasOwn(PARTS, asked ?? "") ? asked : await firstWithSomething(tabs, pairs);
  if (signal.aborted) return;
  if (part !== asked) keep({ part });
  tabs.show(part);
  await PARTS[part].show(body, { group, params, signal, tabs, pairs, mayDecide: mayDecide(grant) });
}

/** The first part in which something waits for a person; pairs where nothing does. */
async function firstWithSomething(tabs, pairs) {
  const first = await pairs.first().catch(() => []);
  if (first.length) return "pairs"; // the counts are on their way, and are not waited for
  if (await tabs.counted.items) return "items";
  return (await tabs.counted.proposals) ? "proposals" : "pairs";
}

/** A list of pages whose first page may be looked at before it is taken; it is asked for once, when wanted. */
function begun(list) {
  let page = null;
  let isTaken = false;
  const first = () => (page ??= list.next());
  return {
    first,
    get isDone() {
      return isTaken && list.isDone;
    },
    next() {
      if (isTaken) return list.next();
      const found = first();
      return found.then((pairs) => ((isTaken = true), pairs), (error) => ((page = null), Promise.reject(error)));
    },
  };
}

function mayDecide({ rights }) {
  return rights.includes("decide");
}

function refusal({ who, rights }) {
  return `${who ? `The token of ${who}` : "Your token"} may ${rights.join(" and ") || "nothing"}, and not decide: the buttons are off. \`memstrata token create --can read --can decide\` makes one that may.`;
}
