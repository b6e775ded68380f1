// Elements from values. Everything from the memory is hostile: it becomes text or a plain attribute,
// never markup, never a style or a handler, never an address of another kind than http.

const SVG = "http://www.w3.org/2000/svg";
const ADDRESSES = new Set(["href", "src", "action", "formaction"]);

/** An element: h("a", { href, class, onclick: fn }, "text", child, [more], null). */
export function h(tag, props, ...children) {
  return made(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function svg(tag, props, ...children) {
  return made(document.createElementNS(SVG, tag), props, children);
}

/** Puts children in the place of what a node holds. */
export function fill(node, ...children) {
  node.replaceChildren(...flat(children));
  return node;
}

function made(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) set(node, name, value);
  node.append(...flat(children));
  return node;
}

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) {
    if (typeof value !== "function") throw new TypeError(`${name} takes a function`);
    node.addEventListener(name.slice(2), value);
  } else if (name === "style" || name === "srcdoc") {
    throw new TypeError(`${name} is not set from values`);
  } else if (ADDRESSES.has(name)) {
    if (isPlain(String(value))) node.setAttribute(name, value);
  } else if (name === "value" && "value" in node) {
    node.value = value;
  } else {
    node.setAttribute(name, value === true ? "" : value);
  }
}

function isPlain(address) {
  if (address.startsWith("#")) return true;
  try {
    return ["http:", "https:"].includes(new URL(address, location.origin).protocol);
  } catch {
    return false;
  }
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((one) => one !== null && one !== undefined && one !== false)
    .map((one) => (one instanceof Node ? one : String(one)));
}
