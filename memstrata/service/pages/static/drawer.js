// The evidence drawer: what a fact rests on. Every version with both its intervals, quotes, episodes.

import { get } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { complain } from "/pages/notice.js";
import { entityLink, marks, objectOf, relation, validity } from "/pages/pieces.js";
import { keep } from "/pages/place.js";
import { interval, shown } from "/pages/when.js";

const OPENED_AT_ONCE = 3;
const KINDS = { started: "says that it began", holds: "says that it holds", ended: "says that it ended", denied: "says that it is not so" };

/** Opens the drawer on a fact; Escape, the button and a click beside it close it. */
export async function openFact(group, factId) {
  const panel = opened("Evidence");
  keep({ fact: factId, fact_group: group });
  try {
    const record = await get(`/v1/facts/${encodeURIComponent(factId)}`, { groups: [group] }, panel.signal);
    fill(panel.body, ...factParts(group, record, panel));
  } catch (error) {
    panel.dialog.close();
    complain(error);
  }
}

/** Opens the drawer on an episode; the quotes are marked in it. */
export async function openEpisode(group, episodeId, quotes = []) {
  const panel = opened("Episode");
  try {
    const record = await get(`/v1/episodes/${encodeURIComponent(episodeId)}`, { group_id: group }, panel.signal);
    fill(panel.body, episodeParts(record, quotes.filter(Boolean)));
    panel.body.querySelector("mark")?.scrollIntoView({ block: "center" });
  } catch (error) {
    panel.dialog.close();
    complain(error);
  }
}

/** Opens what the address names, if it names something. */
export function openNamed(params) {
  if (params.get("fact") && params.get("fact_group")) openFact(params.get("fact_group"), params.get("fact"));
}

function opened(title) {
  document.querySelector("dialog.drawer")?.close();
  const leaving = new AbortController();
  const body = h("div", { class: "drawer-body" }, h("p", { class: "soft" }, "Looking it up ..."));
  const dialog = h(
    "dialog",
    { class: "drawer", "aria-label": title },
    h("header", {}, h("h2", {}, title), h("button", { type: "button", class: "quiet", onclick: () => dialog.close(), autofocus: true }, "Close")),
    body,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
    if (event.target instanceof Element && event.target.closest("a[href]")) dialog.close();
  });
  dialog.addEventListener("close", () => {
    leaving.abort();
    dialog.remove();
    keep({ fact: null, fact_group: null });
  });
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, body, signal: leaving.signal };
}

function factParts(group, record, panel) {
  const latest = record.versions.at(-1);
  const { fact } = latest.version;
  return [
    h("p", { class: "lead" }, fact.fact),
    h("p", { class: "triple" }, entityLink(group, fact.subject, latest.subject), h("span", { class: "relation" }, relation(fact.predicate)), objectOf(latest), marks(latest.version)),
    bothTimes(latest.version),
    record.successors.length ? h("p", {}, "What it rested on stands for ", record.successors.map((id, at) => [at ? ", " : "", h("button", { type: "button", class: "link", onclick: () => openFact(group, id) }, "another fact")]), " now.") : null,
    section(`${record.evidence.length === 1 ? "One statement" : `${record.evidence.length} statements`}`, statements(group, record.evidence, panel)),
    record.versions.length > 1 ? section(`${record.versions.length} versions`, h("ol", { class: "versions" }, record.versions.toReversed().map(versionLine))) : null,
    h("p", { class: "ids" }, "Fact ", h("code", {}, record.fact_id), " in group ", h("code", {}, group)),
  ];
}

function bothTimes({ fact, created_at: created, expired_at: expired }) {
  return h(
    "dl",
    { class: "times" },
    h("div", {}, h("dt", {}, "True"), h("dd", {}, validity(fact))),
    h("div", {}, h("dt", {}, "Believed"), h("dd", {}, interval(created, expired))),
    h("div", {}, h("dt", {}, "Confidence"), h("dd", {}, `${Math.round(fact.confidence * 100)} %`)),
  );
}

function versionLine(named) {
  const { version } = named;
  return h(
    "li",
    {},
    h("span", {}, version.fact.fact, " ", marks(version)),
    h("span", { class: "time" }, `true ${validity(version.fact)}`),
    h("span", { class: "time" }, `believed ${interval(version.created_at, version.expired_at)}`),
  );
}

function section(title, ...children) {
  return h("section", {}, h("h3", {}, title), children);
}

/** The statements, each with its quote and the episode it stands in, which is fetched when it is opened. */
function statements(group, evidence, panel) {
  if (!evidence.length) return h("p", { class: "soft" }, "Nothing states it any more.");
  return h(
    "ul",
    { class: "statements" },
    evidence.map((one, at) => {
      const details = h("details", {}, h("summary", {}, "The episode"), h("p", { class: "soft small" }, "Looking it up ..."));
      const load = () => showEpisode(details, group, one, panel);
      details.addEventListener("toggle", load, { once: true });
      details.open = at < OPENED_AT_ONCE;
      return h(
        "li",
        {},
        h("p", { class: "small soft" }, `${shown(one.reference_time)} ${KINDS[one.kind] ?? one.kind}`, one.retracted_at ? h("span", { class: "badge warn" }, "retracted") : null),
        one.quote ? h("blockquote", {}, one.quote) : null,
        details,
      );
    }),
  );
}

async function showEpisode(details, group, statement, panel) {
  try {
    const record = await get(`/v1/episodes/${encodeURIComponent(statement.episode_id)}`, { group_id: group }, panel.signal);
    details.lastChild.replaceWith(episodeParts(record, [statement.quote]));
  } catch (error) {
    if (error.name !== "AbortError") details.lastChild.replaceWith(h("p", { class: "soft small" }, error.detail ?? error.message));
  }
}

/** An episode: who said it when, its text with the quotes marked, where it came from. */
function episodeParts({ episode, earlier, is_retracted: isRetracted }, quotes) {
  const who = episode.speaker ? (episode.speaker.name ?? episode.speaker.id) : null;
  return h(
    "div",
    { class: "episode" },
    h("p", { class: "small soft" }, who ? `${who}, ` : "", shown(episode.reference_time), ` · ${episode.source_type} from ${episode.source}`, isRetracted ? h("span", { class: "badge warn" }, "retracted") : null, earlier.length ? h("span", { class: "badge" }, `revision ${episode.revision}`) : null),
    h("pre", {}, marked(episode.content, quotes)),
    h("p", { class: "ids" }, "Episode ", h("code", {}, episode.episode_id)),
  );
}

/** The text with the first occurrence of the first quote that stands in it marked. */
function marked(text, quotes) {
  for (const quote of quotes) {
    const found = quote && foundIn(text, quote);
    if (found) return [text.slice(0, found.index), h("mark", {}, found[0]), text.slice(found.index + found[0].length)];
  }
  return text;
}

/** Where a quote stands in a text; case and white space may differ, as they may for verification. */
function foundIn(text, quote) {
  const words = quote.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const pattern = words.join("\\s+");
  return new RegExp(pattern, "u").exec(text) ?? new RegExp(pattern, "iu").exec(text);
}
