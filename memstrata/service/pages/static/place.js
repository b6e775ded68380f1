// The address: which page, with which parameters. A view lives in its address, so that a link shows it again.

const PAGES = { "/": "search", "/entity": "entity", "/graph": "graph", "/review": "review", "/dashboard": "dashboard" };

/** The page that a path means; null for one that is none. */
export function pageOf(path) {
  return Object.hasOwn(PAGES, path) ? PAGES[path] : null;
}

/** An address of the pages: address("/entity", { group, id }); what is empty is left out. */
export function address(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Goes to an address: the same as following a link to it. */
export function go(to) {
  history.pushState(null, "", to);
  window.dispatchEvent(new Event("placechange"));
}

/** Writes parameters into the address of the page that is shown, without leaving it; null takes one out. */
export function keep(params) {
  const all = Object.fromEntries(new URLSearchParams(location.search));
  const to = address(location.pathname, { ...all, ...params });
  if (to === location.pathname + location.search) return;
  history.replaceState(null, "", to);
  window.dispatchEvent(new Event("placekept"));
}

/** The group that the address names; null where none is. */
export function group() {
  return new URLSearchParams(location.search).get("group");
}

/** The two times that the address names, as /v1 takes them; absent for now. */
export function times() {
  const params = new URLSearchParams(location.search);
  const named = {};
  for (const name of ["as_of", "system_as_of"]) if (params.get(name)) named[name] = params.get(name);
  return named;
}
