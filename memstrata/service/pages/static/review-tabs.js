// The row of what can be reviewed: how many wait in each part, where that is cheap to tell.

import { get } from "/pages/api.js";
import { fill, h } from "/pages/dom.js";
import { address } from "/pages/place.js";

const MOST = 100;

/** How many wait: in words for a tab; nothing for none, and where nobody counted. */
function said({ count, isMore }) {
  return count ? `${count.toLocaleString("en")}${isMore ? "+" : ""}` : "";
}

/** What a part has waiting, { count, isMore }, of those that are counted without reading the part itself. */
const COUNTED = {
  items: async (group, signal) => {
    const { items } = await get("/v1/review/counts", { group_id: group }, signal);
    return { count: items.reduce((sum, one) => sum + one.count, 0), isMore: false };
  },
  proposals: async (group, signal) => {
    const { items, next_cursor: following } = await get("/v1/review/proposals", { group_id: group, state: "open", limit: MOST }, signal);
    return { count: items.length, isMore: following !== null };
  },
};

/** The tabs of those parts, by name and title; `shown` is the part that the address names, if it does. */
export class Tabs {
  constructor(parts, { group, signal, shown }) {
    Object.assign(this, { group, signal, current: null, numbers: new Map() });
    this.links = Object.fromEntries(
      Object.entries(parts).map(([name, { title }]) => {
        const number = h("span", { class: "number" });
        this.numbers.set(name, number);
        return [name, h("a", { href: address("/review", { group, part: name }) }, title, number)];
      }),
    );
    this.row = h("nav", { class: "tabs", "aria-label": "What to review", onscroll: () => this.hint() }, Object.values(this.links));
    this.counted = {};
    for (const name of Object.keys(COUNTED)) if (name !== "items" || name !== shown) this.recount(name); // that part counts itself
    const sized = new ResizeObserver(() => this.hint());
    sized.observe(this.row);
    signal.addEventListener("abort", () => sized.disconnect());
  }

  /** Counts a part anew; an answer that does not come leaves its tab without a number. */
  recount(name) {
    this.counted[name] = COUNTED[name](this.group, this.signal).then(
      (found) => (this.tell(name, found), found.count),
      () => 0,
    );
    return this.counted[name];
  }

  /** Writes how many wait in a part. */
  tell(name, found) {
    const text = said(found);
    fill(this.numbers.get(name), text ? [" ", text] : null);
    this.bringInSight();
  }

  /** Marks the part that is shown. */
  show(name) {
    this.current = this.links[name];
    this.current.setAttribute("aria-current", "page");
    this.bringInSight();
  }

  /** Brings the part that is shown in sight, where the window is too narrow for all. */
  bringInSight() {
    const link = this.current;
    if (link) this.row.scrollLeft = link.offsetLeft - this.row.offsetLeft - (this.row.clientWidth - link.offsetWidth) / 2;
    this.hint();
  }

  /** Fades the row out at the ends where it goes on. */
  hint() {
    const { scrollLeft: left, scrollWidth: whole, clientWidth: seen } = this.row;
    this.row.classList.toggle("before", left > 1);
    this.row.classList.toggle("after", left + seen < whole - 1);
  }
}
