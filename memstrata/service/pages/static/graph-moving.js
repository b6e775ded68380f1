// Pointer, wheel and pinch over the picture of a graph.

const AGAIN = 600; // milliseconds within which a second click is a double one

/** What pointers do to a picture: drag and pinch move it, a click selects and expands, a double click centres. */
export class Moving {
  constructor(picture) {
    this.picture = picture;
    this.fingers = new Map();
    this.moved = 0;
    this.last = { id: null, at: 0 };
  }

  listen() {
    const { element } = this.picture;
    element.addEventListener("wheel", (event) => this.rolled(event), { passive: false });
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => this.up(event, name));
    element.addEventListener("focusin", (event) => {
      const id = nodeAt(event.target);
      if (id && id !== this.picture.selected && !this.fingers.size) this.picture.on.select(id);
    });
  }

  rolled(event) {
    event.preventDefault();
    this.picture.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), this.at(event));
  }

  down(event) {
    if (event.button !== 0) return;
    this.fingers.set(event.pointerId, this.at(event));
    this.moved = this.fingers.size > 1 ? 100 : 0;
    this.pressed = { id: nodeAt(event.target), at: event.timeStamp };
  }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.moved < 5) return;
    this.picture.element.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, now);
    if (other) {
      const length = (one) => Math.hypot(one.x - other.x, one.y - other.y) || 1;
      this.picture.zoom(length(now) / length(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else this.picture.move(now.x - before.x, now.y - before.y);
  }

  up(event, name) {
    if (!this.fingers.delete(event.pointerId) || name === "pointercancel" || this.moved >= 5) return;
    const { id } = this.pressed ?? {};
    if (!id) return;
    const isAgain = this.last.id === id && event.timeStamp - this.last.at < AGAIN;
    this.last = { id: isAgain ? null : id, at: event.timeStamp };
    if (isAgain) this.picture.on.centre(id);
    else {
      this.picture.on.select(id, { focus: true });
      this.picture.on.expand(id, { isClick: true });
    }
  }

  at(event) {
    const box = this.picture.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

function nodeAt(target) {
  return target instanceof Element ? (target.closest(".node")?.dataset.id ?? null) : null;
}
