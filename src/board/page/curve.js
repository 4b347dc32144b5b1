// The evaluations of a game as a curve: above the middle White is better. A click goes to the move.

import { h, svg } from "./dom.js";
import { expectation, scoreText } from "./engine-link.js";

const [WIDTH, HEIGHT] = [600, 100];

export class Curve {
  // `onchoice(node)`.
  constructor(onchoice) {
    this.line = svg("line", { class: "now", y1: 0, y2: HEIGHT });
    this.area = svg("path", { class: "area" });
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "Evaluations of the game" },
      this.area, svg("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }), this.line);
    this.element = h("figure", { class: "curve", hidden: true }, this.picture);
    this.nodes = [];
    const choose = (event) => {
      if (!(event.buttons & 1)) return;
      const box = this.picture.getBoundingClientRect();
      const index = Math.round(((event.clientX - box.left) / box.width) * (this.nodes.length - 1));
      const node = this.nodes[Math.max(0, Math.min(index, this.nodes.length - 1))];
      if (node) onchoice(node);
    };
    this.picture.addEventListener("pointerdown", choose);
    this.picture.addEventListener("pointermove", choose);
  }

  show(tree, current) {
    this.nodes = tree.mainLine;
    const judged = this.nodes.filter((node) => node.eval !== null).length;
    this.element.hidden = judged < 2;
    if (this.element.hidden) return;
    let score = { cp: 0 };
    const points = this.nodes.map((node, index) => {
      // A move without an evaluation keeps that of the move before it.
      if (node.eval !== null) score = typeof node.eval === "number" ? { cp: node.eval } : node.eval;
      return `${this.x(index)} ${(HEIGHT * (1 - expectation(score))).toFixed(1)}`;
    });
    this.area.setAttribute("d", `M0 ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}z`);
    this.picture.setAttribute("aria-label", `Evaluations of the game; at the end ${scoreText(score)}`);
    this.mark(current);
  }

  x(index) {
    return ((WIDTH * index) / Math.max(1, this.nodes.length - 1)).toFixed(1);
  }

  mark(node) {
    let main = node;
    while (main.parent && !main.isMain) main = main.parent;
    const index = this.nodes.indexOf(main);
    this.line.style.visibility = index < 0 ? "hidden" : "visible";
    if (index < 0) return;
    this.line.setAttribute("x1", this.x(index));
    this.line.setAttribute("x2", this.x(index));
  }
}
