// Pairs that may be one: side by side, decided by a key. A verdict is shown as made at once, and comes
// back with its reason to the front of the queue if the server refuses it.

import { get } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { openFact } from "/pages/drawer.js";
import { announce, clear, complain } from "/pages/notice.js";
import { empty, relation, validity } from "/pages/pieces.js";
import { address } from "/pages/place.js";
import { judge } from "/pages/verdicts.js";

const FACTS_SHOWN = 6;
const QUOTED = 3;
const DONE = { merge: "Merged", keep_apart: "Kept apart" };
const OTHER = { merge: "keep_apart", keep_apart: "merge" };
const UNDO = { merge: "Undo: keep them apart", keep_apart: "Undo: merge them" };

export async function showPairs(body, context) {
  const queue = new Queue(body, context);
  await queue.begin();
}

class Queue {
  constructor(body, { group, signal, mayDecide, tabs, pairs }) {
    Object.assign(this, { body, group, signal, mayDecide, tabs, list: pairs });
    this.pairs = [];
    this.at = 0;
    this.made = []; // { pair, kind, state: "sending" | "kept", reason }
    this.sending = 0;
    this.known = new Map();
  }

  async begin() {
    this.reason = h("input", { type: "text", id: "reason", maxlength: 2000, autocomplete: "off", placeholder: "Why (kept with the decision)", disabled: !this.mayDecide });
    this.pair = h("section", { class: "pair", "aria-live": "polite", "aria-label": "Pair" });
    this.buttons = {
      merge: this.button("Merge", "m", () => this.decide("merge"), "main", !this.mayDecide),
      apart: this.button("Keep apart", "k", () => this.decide("keep_apart"), "", !this.mayDecide),
      back: this.button("Back", "←", () => this.step(-1), "quiet"),
      skip: this.button("Skip", "j →", () => this.step(1), "quiet"),
    };
    this.progress = h("p", { class: "progress small soft", role: "status" });
    this.done = h("ol", { class: "made" });
    this.acts = h("div", { class: "verdict" },
      h("label", { class: "unseen", for: "reason" }, "Reason"), this.reason,
      h("div", { class: "buttons" }, this.buttons.back, this.buttons.skip, this.buttons.apart, this.buttons.merge),
    );
    fill(this.body, this.progress, this.pair, this.acts, h("section", { class: "undo", "aria-label": "Decided here" }, this.done));
    this.listen();
    await this.fetch();
    await this.draw();
  }

  button(text, keys, act, look, isOff = false) {
    return h("button", { type: "button", class: look, onclick: act, disabled: isOff, "aria-keyshortcuts": keys.replace("→", "ArrowRight").replace("←", "ArrowLeft"), "aria-describedby": isOff ? "refusal" : null }, text, h("span", { class: "keys", "aria-hidden": "true" }, keys.split(" ").map((key) => h("kbd", {}, key))));
  }

  listen() {
    const typed = (event) => this.typed(event);
    const leaving = (event) => this.sending && event.preventDefault();
    document.addEventListener("keydown", typed);
    window.addEventListener("beforeunload", leaving);
    this.signal.addEventListener("abort", () => {
      document.removeEventListener("keydown", typed);
      window.removeEventListener("beforeunload", leaving);
    });
  }

  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]")) return;
    const isWriting = event.target instanceof Element && event.target.closest("input, textarea, select");
    if (isWriting) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = { m: () => this.decide("merge"), k: () => this.decide("keep_apart"), j: () => this.step(1), ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Pages until there is a pair: one may hold none and still be followed. */
  async fetch() {
    this.body.setAttribute("aria-busy", "true");
    do {
      const found = await this.list.next();
      const there = new Set([...this.pairs.map(keyOf), ...this.made.map((one) => keyOf(one.pair))]);
      this.pairs.push(...found.filter((one) => !there.has(keyOf(one))));
    } while (this.at >= this.pairs.length && !this.list.isDone && !this.signal.aborted);
    this.body.removeAttribute("aria-busy");
  }

  get current() {
    return this.pairs[this.at] ?? null;
  }

  async step(by) {
    if (by > 0 && !this.current) return;
    this.at = Math.max(0, this.at + by);
    await this.draw();
  }

  async draw() {
    try {
      if (!this.current && !this.list.isDone) await this.fetch();
      if (!this.current && this.at > 0 && this.pairs.length) this.at = 0; // what was skipped comes again
      this.tell();
      const pair = this.current;
      this.acts.hidden = !pair;
      if (!pair) return fill(this.pair, this.nothing());
      fill(this.pair, h("p", { class: "why" }, h("span", { class: "badge warn" }, "suspected"), " ", pair.reason), h("div", { class: "sides" }, [pair.left, pair.right].map((side) => this.side(side, pair))));
      this.ahead();
    } catch (error) {
      complain(error);
    }
  }

  nothing() {
    return this.made.length
      ? empty("All decided", h("p", {}, "What was merged takes effect with the next pass:"), h("pre", {}, "memstrata work"))
      : empty("No pair is in doubt", h("p", {}, "Where two names may be one and the memory is not sure, it keeps them apart and asks here."));
  }

  tell() {
    const left = this.pairs.length;
    this.tabs.tell("pairs", { count: left, isMore: !this.list.isDone });
    const parts = [left ? `Pair ${this.at + 1} of ${left}${this.list.isDone ? "" : " and more"}` : null, this.made.length ? `${this.made.length} decided` : null, this.sending ? `${this.sending} on the way` : null];
    this.progress.textContent = parts.filter(Boolean).join(" · ");
  }

  /** One of the two, with what is known of it, which comes a moment later. */
  side(entity, pair) {
    const facts = h("div", { class: "known", "aria-busy": "true" }, h("p", { class: "soft small" }, "Looking it up ..."));
    const other = entity === pair.left ? pair.right : pair.left;
    Promise.all([this.knownOf(entity), this.knownOf(other)]).then(
      ([mine, theirs]) => {
        fill(facts, knownParts(mine, theirs, this.group));
        facts.removeAttribute("aria-busy");
      },
      (error) => this.signal.aborted || fill(facts, h("p", { class: "small soft" }, error.detail ?? error.message)),
    );
    return h(
      "article",
      { class: "card side" },
      h("h2", {}, h("a", { href: address("/entity", { group: this.group, id: entity.entity_id }) }, entity.name)),
      h("p", { class: "about" }, h("span", { class: "badge" }, entity.type ?? "no type"), entity.aliases.length ? h("span", { class: "small soft" }, ` also ${entity.aliases.join(", ")}`) : null),
      facts,
      h("p", { class: "small" }, h("a", { href: address("/graph", { group: this.group, id: entity.entity_id }) }, "Graph")),
    );
  }

  /** The latest facts of an entity, the first of them with the words in which they were said; asked once. */
  knownOf({ entity_id: id }) {
    if (!this.known.has(id)) this.known.set(id, this.lookUp(id));
    return this.known.get(id);
  }

  async lookUp(id) {
    const around = await get("/v1/neighbours", { entity: id, groups: [this.group], limit: FACTS_SHOWN, history: true }, this.signal);
    const quotes = await Promise.all(around.facts.slice(0, QUOTED).map((one) => this.quoteOf(one.version.fact.id)));
    return { total: around.total, facts: around.facts.map((named, at) => ({ named, quote: quotes[at] ?? "" })), id };
  }

  async quoteOf(id) {
    const record = await get(`/v1/facts/${encodeURIComponent(id)}`, { groups: [this.group] }, this.signal);
    return record.evidence.findLast((one) => one.quote)?.quote ?? "";
  }

  ahead() {
    const next = this.pairs[this.at + 1];
    for (const one of next ? [next.left, next.right] : []) this.knownOf(one).catch(() => this.known.delete(one.entity_id));
  }

  /** Takes the verdict at once and sends it; refused, the pair is back where it was. */
  async decide(kind) {
    const pair = this.current;
    if (!pair || !this.mayDecide) return;
    const made = { pair, kind, reason: this.reason.value.trim(), isSending: true };
    this.pairs.splice(this.at, 1);
    this.made.unshift(made);
    this.reason.value = "";
    clear();
    const drawn = this.draw();
    if (!(await this.send(made, kind))) {
      this.made.splice(this.made.indexOf(made), 1);
      this.pairs.splice(this.at, 0, pair);
      if (!this.reason.value) this.reason.value = made.reason;
      await drawn;
      await this.draw();
    }
    this.tellMade();
    this.tell();
  }

  async send(made, kind) {
    this.sending += 1;
    made.isSending = true;
    this.tell();
    this.tellMade();
    try {
      await judge(this.group, kind, made.pair, made.reason);
      Object.assign(made, { kind });
      announce(`${DONE[kind]}: ${made.pair.left.name} and ${made.pair.right.name}`);
      return true;
    } catch (error) {
      complain(error);
      return false;
    } finally {
      this.sending -= 1;
      made.isSending = false;
    }
  }

  tellMade() {
    fill(
      this.done,
      this.made.map((made) => {
        const undo = async () => {
          await this.send(made, OTHER[made.kind]);
          this.tellMade();
          this.tell();
        };
        return h("li", {}, h("span", {}, h("strong", {}, DONE[made.kind]), ` ${made.pair.left.name} and ${made.pair.right.name}`, made.reason ? h("span", { class: "soft" }, `: ${made.reason}`) : null), made.isSending ? h("span", { class: "soft small" }, "sending ...") : h("button", { type: "button", class: "link small", onclick: undo }, UNDO[made.kind]));
      }),
    );
  }
}

function keyOf({ left, right }) {
  return `${left.entity_id}\n${right.entity_id}`;
}

/** The facts of one side; what both sides say alike is marked. */
function knownParts(mine, theirs, group) {
  const alike = new Set(theirs.facts.map(({ named }) => sameness(named, theirs.id)));
  const lines = mine.facts.map(({ named, quote }) => {
    const { fact } = named.version;
    const isSubject = fact.subject === mine.id;
    return h(
      "li",
      {},
      h("button", { type: "button", class: "link", "aria-label": `Evidence of: ${fact.fact}`, onclick: () => openFact(group, fact.id) }, isSubject ? `${relation(fact.predicate)} ${named.object}` : `${named.subject} ${relation(fact.predicate)} it`),
      alike.has(sameness(named, mine.id)) ? h("span", { class: "badge accent" }, "both") : null,
      h("span", { class: "time" }, validity(fact)),
      quote ? h("blockquote", {}, quote.length > 220 ? `${quote.slice(0, 219)}…` : quote) : null,
    );
  });
  const more = mine.total - mine.facts.length;
  return [lines.length ? h("ul", {}, lines) : h("p", { class: "small soft" }, "No facts."), more > 0 ? h("p", { class: "small soft" }, `and ${more.toLocaleString("en")} more facts`) : null];
}

function sameness({ version: { fact } }, id) {
  return fact.subject === id ? `${fact.predicate}\n>${fact.object}` : `${fact.predicate}\n<${fact.subject}`;
}
