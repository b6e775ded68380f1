// Where the nodes of a graph stand. Nothing here is left to chance: the same graph gives the same picture,
// in whichever order its parts became known. First rings around the centre, a sector for each branch;
// then forces for a while (springs along links, everybody pushes everybody); then nobody overlaps.

const LINK = { longest: 150, shortest: 100 }; // how long links would like to be, among few and among many
const PUSH = 260;
const ROUNDS = 160;
const APART = 60;

/**
 * Positions by id: layout({ centre, nodes: [{ id, width, height }], links: [[id, id], ...], flat })
 * is a Map of id to { x, y }, the centre at 0, 0. `flat` is how much wider than high the picture is to be.
 * Links whose ends are unknown count for nothing.
 */
export function layout({ centre, nodes, links, flat = 1.5 }) {
  const order = nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const beside = neighboursOf(order, links);
  const rest = Math.max(LINK.shortest, LINK.longest - Math.max(0, nodes.length - 15) * 2);
  const places = rings(centre, order, beside, { flat, rest });
  const points = order.map((one) => ({ ...one, ...places.get(one.id), isCentre: one.id === centre }));
  const springs = springsOf(points, beside);
  for (let round = 0; round < ROUNDS; round += 1) pull(points, springs, { most: 30 * (1 - round / ROUNDS), flat, rest });
  for (let round = 0; round < APART && separate(points); round += 1);
  return new Map(points.map(({ id, x, y }) => [id, { x, y }]));
}

function neighboursOf(order, links) {
  const beside = new Map(order.map((one) => [one.id, new Set()]));
  for (const [one, other] of links) {
    if (one === other || !beside.has(one) || !beside.has(other)) continue;
    beside.get(one).add(other);
    beside.get(other).add(one);
  }
  return new Map([...beside].map(([id, ids]) => [id, [...ids].sort()]));
}

/** The tree of shortest ways from the centre, each branch in a sector as wide as it has leaves. */
function rings(centre, order, beside, { flat, rest }) {
  const children = new Map(order.map((one) => [one.id, []]));
  const seen = new Set([centre]);
  const queue = [centre];
  const visit = (id, from) => {
    seen.add(id);
    children.get(from).push(id);
    queue.push(id);
  };
  for (let at = 0; at < queue.length; at += 1) {
    for (const id of beside.get(queue[at])) if (!seen.has(id)) visit(id, queue[at]);
    if (at === queue.length - 1) {
      const left = order.find((one) => !seen.has(one.id)); // a part of its own
      if (left) visit(left.id, centre);
    }
  }
  const leaves = new Map();
  for (const id of queue.toReversed()) {
    leaves.set(id, Math.max(1, children.get(id).reduce((sum, one) => sum + leaves.get(one), 0)));
  }
  const places = new Map([[centre, { x: 0, y: 0 }]]);
  const sector = (id, from, width, depth) => {
    let angle = from;
    children.get(id).forEach((child, at) => {
      const share = (width * leaves.get(child)) / leaves.get(id);
      const shell = children.get(id).length > 16 ? (at % Math.ceil(children.get(id).length / 16)) * 90 : 0;
      const radius = depth * rest + shell;
      const middle = angle + share / 2;
      places.set(child, { x: radius * flat * Math.cos(middle), y: radius * Math.sin(middle) });
      sector(child, angle, share, depth + 1);
      angle += share;
    });
  };
  sector(centre, -Math.PI / 2, 2 * Math.PI, 1);
  return places;
}

function springsOf(points, beside) {
  const at = new Map(points.map((one, index) => [one.id, index]));
  return points.flatMap((one, index) =>
    beside
      .get(one.id)
      .map((id) => at.get(id))
      .filter((other) => other > index)
      .map((other) => [index, other]),
  );
}

/** One round of forces; nobody moves further than `most`, and sideways counts for less. */
function pull(points, springs, { most, flat, rest }) {
  const push = PUSH / (1 + points.length / 60);
  const force = points.map((one) => ({ x: -one.x * 0.015, y: -one.y * 0.015 * flat }));
  const both = (one, other, x, y) => {
    force[one].x += x;
    force[one].y += y;
    force[other].x -= x;
    force[other].y -= y;
  };
  for (let one = 0; one < points.length; one += 1) {
    for (let other = one + 1; other < points.length; other += 1) {
      const [x, y] = between(points[one], points[other]);
      const square = Math.max((x / flat) ** 2 + y ** 2, 100);
      if (square < 490_000) both(one, other, (x / square) * push, (y / square) * push);
    }
  }
  for (const [one, other] of springs) {
    const [x, y] = between(points[one], points[other]);
    const length = Math.hypot(x / flat, y) || 1;
    const strength = (0.11 * (rest - length)) / length;
    both(one, other, x * strength, y * strength);
  }
  points.forEach((one, index) => {
    if (one.isCentre) return;
    const length = Math.hypot(force[index].x, force[index].y) || 1;
    one.x += (force[index].x / length) * Math.min(length, most);
    one.y += (force[index].y / length) * Math.min(length, most);
  });
}

/** From the second to the first; two at one place are pushed apart along one fixed direction. */
function between(one, other) {
  const x = one.x - other.x;
  const y = one.y - other.y;
  return x === 0 && y === 0 ? [0.1, 0.2] : [x, y];
}

/** Moves apart whose boxes overlap, along the shorter way; whether any did. */
function separate(points) {
  let isCrowded = false;
  for (let one = 0; one < points.length; one += 1) {
    for (let other = one + 1; other < points.length; other += 1) {
      const [x, y] = between(points[one], points[other]);
      const wide = (points[one].width + points[other].width) / 2 - Math.abs(x);
      const high = (points[one].height + points[other].height) / 2 - Math.abs(y);
      if (wide <= 0 || high <= 0) continue;
      isCrowded = true;
      if (wide < high) shift(points[one], points[other], x < 0 ? -wide : wide, 0);
      else shift(points[one], points[other], 0, y < 0 ? -high : high);
    }
  }
  return isCrowded;
}

function shift(one, other, x, y) {
  const share = one.isCentre ? 0 : other.isCentre ? 1 : 0.5;
  one.x += x * share;
  one.y += y * share;
  other.x -= x * (1 - share);
  other.y -= y * (1 - share);
}
