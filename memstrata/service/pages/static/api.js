// Questions to /v1, with the token of this tab. What goes wrong comes as a Problem that says what to do.

const KEY = "memstrata-token";
const ADVICE = {
  401: "Enter a token; `memstrata token create --name you --group '*' --can read` makes one.",
  403: "Choose a group that this token reaches, or enter another token.",
  404: "It may have been merged or withdrawn since; search for its name.",
  429: "Wait a moment, then try again.",
  503: "The server is busy or something that it needs is away; try again in a moment.",
  504: "Ask for less: a smaller limit, one group, a narrower time.",
};

/** An answer that says no: problem+json, or what came in its place. */
export class Problem extends Error {
  constructor({ status = 0, title, detail, errors = [] }) {
    super(detail ?? title ?? "the server did not answer as expected");
    this.name = "Problem";
    this.isProblem = true;
    this.status = status;
    this.title = title ?? "The server refused";
    this.detail = this.message;
    this.errors = errors;
    this.advice = ADVICE[status] ?? null;
  }
}

/** Asks for a token; the shell replaces it by its dialog. Resolves to a token, or to null for none. */
let askForToken = async () => null;
let asking = null;

export function onTokenNeeded(ask) {
  askForToken = ask;
}

export function token() {
  return sessionStorage.getItem(KEY);
}

export function forget() {
  sessionStorage.removeItem(KEY);
  groupsAsked = null;
  window.dispatchEvent(new Event("tokenchange"));
}

/** GET: get("/v1/facts", { about, limit, groups: ["a", "b"] }, signal). Lists repeat their parameter. */
export function get(path, params = {}, signal = undefined) {
  return asked(addressed(path, params), { method: "GET", signal });
}

function addressed(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of [value].flat()) if (one !== null && one !== undefined && one !== "") query.append(name, one);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** POST of a JSON body. */
export function post(path, body, signal = undefined) {
  const headers = { "Content-Type": "application/json" };
  return asked(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** DELETE, with its parameters in the address. */
export function remove(path, params = {}, signal = undefined) {
  return asked(addressed(path, params), { method: "DELETE", signal });
}

/** A list that comes in pages: next() gives the next items; isDone says that there are none. */
export function paged(path, params = {}, signal = undefined) {
  let cursor = null;
  const list = {
    isDone: false,
    async next() {
      if (list.isDone) return [];
      const page = await get(path, { ...params, cursor }, signal);
      cursor = page.next_cursor ?? null;
      list.isDone = cursor === null;
      return page.items;
    },
  };
  return list;
}

let groupsAsked = null;

/** The groups within reach, asked for once: [{ group_id, facts, entities, ... }]. */
export function groups() {
  groupsAsked ??= get("/v1/groups").then(
    (found) => found.items,
    (error) => {
      groupsAsked = null;
      throw error;
    },
  );
  return groupsAsked;
}

/** The one group that a page of one group means: the one named, else `default`, else the fullest; null for none. */
export async function oneGroup(named) {
  if (named && named !== "*") return named;
  const all = await groups();
  if (all.some((one) => one.group_id === "default")) return "default";
  return all.toSorted((a, b) => b.facts - a.facts)[0]?.group_id ?? null;
}

async function asked(path, options) {
  for (;;) {
    const sent = token();
    const headers = { ...options.headers, ...(sent ? { Authorization: `Bearer ${sent}` } : {}) };
    const answer = await fetched(path, { ...options, headers });
    if (answer.ok) return answer.status === 204 ? null : answer.json();
    const problem = await problemIn(answer);
    if (answer.status !== 401 || !(await hasNewToken(problem, sent))) throw problem;
    options.signal?.throwIfAborted();
  }
}

async function fetched(path, options) {
  try {
    return await fetch(path, { ...options, credentials: "omit", cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ title: "The server does not answer", detail: "No connection to this server; see whether `memstrata serve` still runs, then try again." });
  }
}

async function problemIn(answer) {
  try {
    return new Problem({ status: answer.status, ...(await answer.json()) });
  } catch {
    return new Problem({ status: answer.status, title: `Answered with status ${answer.status}` });
  }
}

/** Whether there is another token than the one that was refused: everybody waits for the same dialog. */
async function hasNewToken(problem, sent) {
  if (token() !== sent) return token() !== null;
  asking ??= askForToken(problem).finally(() => (asking = null));
  const given = await asking;
  if (!given) return false;
  if (token() !== given) {
    sessionStorage.setItem(KEY, given);
    groupsAsked = null;
    window.dispatchEvent(new Event("tokenchange"));
  }
  return true;
}
