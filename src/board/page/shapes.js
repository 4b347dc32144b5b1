// Arrows and circles over a board: drawn with the right button, of a comment, or of the engine.

import { svg } from "./dom.js";

// The colors of %cal and %csl by the keys that are held while drawing.
const colorOf = (event) => {
  const isRed = event.shiftKey || event.ctrlKey;
  return isRed && event.altKey ? "Y" : isRed ? "R" : event.altKey ? "B" : "G";
};

// Squares are ten units wide.
const SIZE = 10;
const HEAD = 3.2;

export class Shapes {
  constructor(board) {
    this.board = board;
    this.layers = new Map();
    this.onchange = null;
    this.element = svg("svg", { class: "shapes", viewBox: "0 0 80 80", "aria-hidden": "true" });
    this.drawing = null;
  }

  // Shows the shapes of a layer: [{ from, to: null for a circle, color, weak }].
  set(layer, shapes) {
    this.layers.set(layer, shapes);
    this.draw();
  }

  get(layer) {
    return this.layers.get(layer) ?? [];
  }

  // Lets the right button draw.
  listen() {
    const { element } = this.board;
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("pointerdown", (event) => {
      if (event.button === 2) {
        const from = this.board.squareAtPoint(event.clientX, event.clientY);
        if (!from) return;
        this.drawing = { from, to: null, color: colorOf(event) };
        element.setPointerCapture(event.pointerId);
        this.draw();
      } else if (event.button === 0 && this.get("user").length && !this.isKept) {
        this.change([]);
      }
    });
    element.addEventListener("pointermove", (event) => {
      if (!this.drawing) return;
      const square = this.board.squareAtPoint(event.clientX, event.clientY);
      const to = square === this.drawing.from ? null : square;
      if (to === this.drawing.to) return;
      this.drawing.to = to;
      this.draw();
    });
    element.addEventListener("pointerup", (event) => {
      if (!this.drawing || event.button !== 2) return;
      const drawn = this.drawing;
      this.drawing = null;
      const others = this.get("user").filter(({ from, to }) => from !== drawn.from || to !== drawn.to);
      const same = this.get("user").find(({ from, to }) => from === drawn.from && to === drawn.to);
      this.change(same?.color === drawn.color ? others : [...others, drawn]);
    });
    element.addEventListener("pointercancel", () => {
      this.drawing = null;
      this.draw();
    });
  }

  change(shapes) {
    this.set("user", shapes);
    this.onchange?.(shapes);
  }

  draw() {
    const shapes = [...this.layers.values()].flat();
    if (this.drawing) shapes.push(this.drawing);
    this.element.replaceChildren(...shapes.map((shape) => this.picture(shape)));
  }

  center(square) {
    return this.board.place(square).map((place) => (place + 0.5) * SIZE);
  }

  picture({ from, to, color, weak }) {
    const name = `shape ${color}${weak ? " weak" : ""}`;
    const [x, y] = this.center(from);
    if (!to) return svg("circle", { class: name, cx: x, cy: y, r: SIZE * 0.45 });
    const [endX, endY] = this.center(to);
    const length = Math.hypot(endX - x, endY - y);
    const [dx, dy] = [(endX - x) / length, (endY - y) / length];
    const width = weak ? 0.55 : 0.8;
    const head = weak ? HEAD * 0.8 : HEAD;
    // The arrow starts beside the middle, so that the piece there can be seen.
    const point = (along, across) => `${(x + dx * along - dy * across).toFixed(2)} ${(y + dy * along + dx * across).toFixed(2)}`;
    const [start, neck, tip] = [SIZE * 0.3, length - head, length - 0.4];
    const path = `M${point(start, -width)}L${point(neck, -width)}L${point(neck, -head * 0.55)}L${point(tip, 0)}` +
      `L${point(neck, head * 0.55)}L${point(neck, width)}L${point(start, width)}z`;
    return svg("path", { class: name, d: path });
  }
}

// The commands with arrows and circles.
export const SHAPES = /\[%(csl|cal)\s+([^\]]*)\]/g;

// The shape that a part of such a command means; null if there is none.
export function shapeOf(kind, text) {
  const found = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/.exec(text.trim());
  return found && Boolean(found[3]) === (kind === "cal") ? { color: found[1], from: found[2], to: found[3] ?? null } : null;
}

// The shapes in the text of a comment.
export function readShapes(text) {
  return [...text.matchAll(SHAPES)].flatMap(([, kind, list]) => list.split(",").map((part) => shapeOf(kind, part)).filter(Boolean));
}

// The commands that keep these shapes in a comment.
export function writeShapes(shapes) {
  const circles = shapes.filter(({ to }) => !to).map(({ color, from }) => color + from);
  const arrows = shapes.filter(({ to }) => to).map(({ color, from, to }) => color + from + to);
  return [circles.length && `[%csl ${circles.join(",")}]`, arrows.length && `[%cal ${arrows.join(",")}]`].filter(Boolean).join(" ");
}
