// The review page: pairs that may be one, facts that wait for a verdict, relations proposed to be declared,
// facts withdrawn or to be withdrawn, and every decision made.

import { get, oneGroup } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { empty } from "/pages/pieces.js";
import { address, group as named } from "/pages/place.js";
import { showDecisions } from "/pages/review-decisions.js";
import { showFacts } from "/pages/review-facts.js";
import { showItems } from "/pages/review-items.js";
import { showPairs } from "/pages/review-pairs.js";
import { showProposals } from "/pages/review-proposals.js";
import { styled } from "/pages/styles.js";

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
  const part = params.get("part") in PARTS ? params.get("part") : "pairs";
  const body = h("div", { class: "review-body" });
  const tabs = h("nav", { class: "tabs", "aria-label": "What to review" }, Object.entries(PARTS).map(([name, { title }]) => h("a", { href: address("/review", { group, part: name === "pairs" ? null : name }), "aria-current": name === part ? "page" : null }, title)));
  fill(
    main,
    h("header", { class: "review-head" }, h("h1", {}, "Review"), h("span", { class: "badge" }, group)),
    tabs,
    mayDecide(grant) ? null : h("p", { class: "hint refusal", id: "refusal" }, refusal(grant)),
    body,
  );
  const current = tabs.querySelector("[aria-current]"); // in sight, where the window is too narrow for all
  tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
  await PARTS[part].show(body, { group, params, signal, mayDecide: mayDecide(grant) });
}

function mayDecide({ rights }) {
  return rights.includes("decide");
}

function refusal({ who, rights }) {
  return `${who ? `The token of ${who}` : "Your token"} may ${rights.join(" and ") || "nothing"}, and not decide: the buttons are off. \`memstrata token create --can read --can decide\` makes one that may.`;
}
