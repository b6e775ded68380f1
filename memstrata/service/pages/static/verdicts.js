// Verdicts as /v1 takes them.

import { post, remove } from "/pages/api.js";

/** That the two of a pair are one (`merge`) or are not (`keep_apart`). An id that is gone is said by its name. */
export async function judge(group, kind, { left, right }, reason) {
  const said = (pair) => post("/v1/decisions", { kind, pair, group_id: group, reason });
  try {
    return await said([left.entity_id, right.entity_id]);
  } catch (error) {
    if (error.status !== 400) throw error;
    return said([left.name, right.name]); // a merge that was taken in has left one of the ids
  }
}

/** Withdraws a fact. */
export function withdraw(group, factId, reason) {
  return remove(`/v1/facts/${encodeURIComponent(factId)}`, { group_id: group, reason });
}

/** A verdict (`accept`, `reject` or `edit`) on an item that waits; it has taken effect when this is over. */
export function rule(group, entryId, verdict, reason, changes = {}) {
  return post(`/v1/review/items/${encodeURIComponent(entryId)}`, { verdict, changes, group_id: group, reason, wait: true });
}

/** The same on all that one rule keeps waiting: { count }, of which a dry one only tells. */
export function ruleAll(group, name, { verdict, reason, isDry }) {
  return post("/v1/review/items", { verdict, rule: name, group_id: group, reason, dry_run: isDry, wait: !isDry });
}

/** Takes a withdrawal back, by its decision. */
export function restore(group, decisionId, reason) {
  const query = new URLSearchParams({ group_id: group, reason });
  return post(`/v1/decisions/${encodeURIComponent(decisionId)}/restore?${query}`, {});
}

/** A verdict (`accept` or `reject`) on the proposal to declare a relation; it is committed when this is over. */
export function ruleOnProposal(group, predicate, verdict, reason) {
  return post("/v1/review/proposals", { predicate, verdict, group_id: group, reason, wait: true });
}
