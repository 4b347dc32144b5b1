// The evaluations of a game as a curve: above the middle White is better. A click goes to the move. Bands show the
// phases of the game, dots the mistakes, large dots the turning points.

import { post } from "./api.js";
import { h, replace, svg } from "./dom.js";
import { expectation, scoreText } from "./engine-link.js";

const [WIDTH, HEIGHT] = [600, 100];
const WAIT_MS = 200;
const JUDGED = { $4: "blunder", $2: "mistake", $6: "inaccuracy" };
const counted = (count, name) => `${count} ${count === 1 ? name : name === "inaccuracy" ? "inaccuracies" : `${name}s`}`;

export class Curve {
  // `onchoice(node)`.
  constructor(onchoice) {
    this.line = svg("line", { class: "now", y1: 0, y2: HEIGHT });
    this.area = svg("path", { class: "area" });
    this.bands = svg("g", {});
    this.dots = svg("g", {});
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "Evaluations of the game" },
      this.area, this.bands, svg("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }), this.line, this.dots);
    // The picture is stretched, and text must not be.
    this.names = h("div", { class: "phases", "aria-hidden": "true" });
    this.element = h("figure", { class: "curve", hidden: true }, this.picture, this.names);
    Object.assign(this, { nodes: [], heights: [], asked: "", told: "" });
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
    this.heights = this.nodes.map((node) => {
      // A move without an evaluation keeps that of the move before it.
      if (node.eval !== null) score = typeof node.eval === "number" ? { cp: node.eval } : node.eval;
      return (HEIGHT * (1 - expectation(score))).toFixed(1);
    });
    const points = this.heights.map((height, index) => `${this.x(index)} ${height}`);
    this.area.setAttribute("d", `M0 ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}z`);
    this.told = `Evaluations of the game; at the end ${scoreText(score)}`;
    this.picture.setAttribute("aria-label", this.told);
    this.mark(current);
    // A watched match has moves only, and no tree.
    if (tree.tags) this.ask(tree);
  }

  // Asks for the phases of the game, and for the moves at which it turned.
  ask(tree) {
    const { tags, start, result } = tree;
    const nodes = this.nodes.map(({ uci, san, nags, before, after }, index) => ({ parent: index ? index - 1 : null, uci, san, nags, before, after }));
    const game = { tags, start, result, comments: [], nodes };
    const asked = JSON.stringify(game);
    if (asked === this.asked) return void this.showCourse(tree);
    Object.assign(this, { asked, course: null });
    replace(this.bands);
    replace(this.dots);
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      // Without an answer the curve is still a curve.
      const course = await post("/api/analysis/course", { game }).catch(() => null);
      if (asked !== this.asked) return;
      this.course = course;
      this.showCourse(tree);
    }, WAIT_MS);
  }

  showCourse(tree) {
    if (!this.course) return;
    const { phases, judged: moves } = this.course;
    const last = this.nodes.length - 1;
    // The position after so many plies is that of the move before.
    const begins = phases.map(({ name, ply }) => ({ name, index: Math.max(0, ply - 1) })).filter(({ index }) => index < last || index === 0);
    const parts = begins.map(({ name, index }, place) => ({ name, index, end: begins[place + 1]?.index ?? last }));
    replace(this.bands, parts.flatMap(({ name, index, end }) => [
      svg("rect", { class: name, x: this.x(index), y: 0, width: this.x(end) - this.x(index), height: HEIGHT }),
      index > 0 && svg("line", { class: "phase", x1: this.x(index), x2: this.x(index), y1: 0, y2: HEIGHT })]));
    replace(this.names, parts.map(({ name, index, end }) => {
      const text = name[0].toUpperCase() + name.slice(1);
      const label = h("span", { class: name }, h("small", {}, text));
      label.style.flexGrow = String(Math.max(1, end - index));
      return label;
    }));
    replace(this.dots, moves.flatMap(({ ply, nag, turns }) => {
      const node = this.nodes[ply - 1];
      // A line without a length has round ends and is not stretched.
      const d = `M${this.x(ply - 1)} ${this.heights[ply - 1]}h.01`;
      const text = `${tree.number(node).replace("...", "…")} ${node.san}: ${JUDGED[nag]}${turns ? ", turning point" : ""}`;
      return [svg("path", { class: turns ? "halo turn" : "halo", d }), svg("path", { class: `judged nag-${nag.slice(1)}${turns ? " turn" : ""}`, d }, svg("title", {}, text))];
    }));
    const names = parts.map(({ name, index }) => (index ? `${name} from ${tree.number(this.nodes[index]).replace(/\.+$/, "")}` : name));
    const judged = Object.entries(JUDGED).map(([nag, name]) => [moves.filter((move) => move.nag === nag).length, name]).filter(([count]) => count);
    const turning = moves.filter(({ turns }) => turns).length;
    const judgedText = [...judged, ...(turning ? [[turning, "turning point"]] : [])].map(([count, name]) => counted(count, name)).join(", ");
    this.picture.setAttribute("aria-label", `${this.told}. Phases: ${names.join(", ")}.${judgedText ? ` ${judgedText}.` : ""}`);
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
