// What nodes and the heads of lines look like.

import { svg } from "/pages/dom.js";

const SHAPES = [
  (r) => svg("circle", { r }),
  (r) => svg("rect", { x: -r * 0.9, y: -r * 0.9, width: r * 1.8, height: r * 1.8, rx: 5 }),
  (r) => svg("path", { d: polygon(4, r * 1.2, 0) }),
  (r) => svg("path", { d: polygon(6, r * 1.1, 30) }),
  (r) => svg("path", { d: polygon(3, r * 1.3, 30) }),
  (r) => svg("path", { d: polygon(5, r * 1.12, 54) }),
  (r) => svg("rect", { x: -r * 1.2, y: -r * 0.75, width: r * 2.4, height: r * 1.5, rx: r * 0.75 }),
  (r) => svg("path", { d: polygon(8, r * 1.06, 22.5) }),
];

/** How many kinds look different. */
export const KINDS = SHAPES.length;

/** The shape of a kind: what a legend shows. */
export function shape(kind, size) {
  const made = SHAPES[kind % KINDS](size);
  made.setAttribute("class", "shape");
  return made;
}

function polygon(sides, r, turn) {
  const points = Array.from({ length: sides }, (_, at) => {
    const angle = ((360 / sides) * at + turn) * (Math.PI / 180);
    return `${round(r * Math.cos(angle))} ${round(r * Math.sin(angle))}`;
  });
  return `M${points.join("L")}Z`;
}

/** The head of a line. */
export function arrow(kind) {
  return svg(
    "marker",
    { id: `arrow${kind}`, class: kind || "plain", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    svg("path", { d: "M0 0.8L7.5 4L0 7.2Z" }),
  );
}

/** A coordinate as it is written: a tenth of a pixel is enough. */
export function round(value) {
  return Math.round(value * 10) / 10;
}
