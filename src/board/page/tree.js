// A game as a tree of moves, which can be edited and undone, in the format that the server reads and writes.

import { played, readPlacement, START } from "./placement.js";

const KEPT_STATES = 100;

// A move and what follows. The root is the start and has no move.
class Node {
  constructor(parent, fields = {}) {
    this.parent = parent;
    this.children = [];
    this.uci = fields.uci ?? null;
    this.san = fields.san ?? null;
    this.nags = [...(fields.nags ?? [])];
    this.before = [...(fields.before ?? [])];
    this.after = [...(fields.after ?? [])];
    this.eval = fields.eval ?? null;
    this.clk_s = fields.clk_s ?? null;
    this.depth = parent ? parent.depth + 1 : 0;
    this.cached = null;
  }

  get isMain() {
    for (let node = this; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
    return true;
  }

  get next() {
    return this.children[0] ?? null;
  }

  // The moves from the start to here.
  get line() {
    const nodes = [];
    for (let node = this; node.parent; node = node.parent) nodes.unshift(node);
    return nodes;
  }
}

export class Tree {
  constructor(game = {}) {
    this.undone = [];
    this.done = [];
    this.load(game);
  }

  load({ tags = [], start = START, result = "*", nodes = [], comments = [] }) {
    this.tags = tags.map(([name, value]) => [name, value]);
    this.start = start;
    this.result = result;
    this.root = new Node(null, { after: comments });
    const made = [];
    for (const fields of nodes) {
      const parent = fields.parent === null || fields.parent === undefined ? this.root : made[fields.parent];
      const node = new Node(parent ?? this.root, fields);
      node.parent.children.push(node);
      made.push(node);
    }
  }

  tag(name) {
    const value = this.tags.find(([known]) => known === name)?.[1];
    return value && value !== "?" ? value : "";
  }

  // The nodes in an order in which each parent is before its children and main lines before variations.
  nodes() {
    const found = [];
    const waiting = [...this.root.children].reverse();
    while (waiting.length) {
      const node = waiting.pop();
      found.push(node);
      for (let index = node.children.length - 1; index >= 0; index -= 1) waiting.push(node.children[index]);
    }
    return found;
  }

  // The nodes in the order in which a text has them: a move, the variations beside it, and what follows.
  written() {
    const found = [];
    const line = (first) => {
      for (let node = first; node; node = node.next) {
        found.push(node);
        // The variations of a move stand behind it, those of its first move behind all of them.
        if (node.parent.children[0] === node) node.parent.children.slice(1).forEach(line);
      }
    };
    if (this.root.next) line(this.root.next);
    return found;
  }

  // As the server writes it.
  game() {
    const nodes = this.nodes();
    const places = new Map(nodes.map((node, index) => [node, index]));
    return {
      tags: this.tags, start: this.start, result: this.result, comments: this.root.after,
      nodes: nodes.map((node) => ({
        parent: node.parent === this.root ? null : places.get(node.parent), uci: node.uci, san: node.san, number: this.number(node),
        nags: node.nags, before: node.before, after: node.after, eval: node.eval, clk_s: node.clk_s,
      })),
    };
  }

  // The side that made the move: "white" or "black".
  mover(node) {
    const starts = this.start.split(" ")[1] === "b" ? 1 : 0;
    return (node.depth - 1 + starts) % 2 ? "black" : "white";
  }

  // "12." or "12...".
  number(node) {
    const fields = this.start.split(" ");
    const starts = fields[1] === "b" ? 1 : 0;
    const plies = node.depth - 1 + starts;
    return `${(Number(fields[5]) || 1) + Math.floor(plies / 2)}${plies % 2 ? "..." : "."}`;
  }

  placement(node) {
    if (!node.parent) return (node.cached ??= readPlacement(this.start));
    return (node.cached ??= played(this.placement(node.parent), node.uci, node.san));
  }

  get mainLine() {
    const line = [];
    for (let node = this.root.next; node; node = node.next) line.push(node);
    return line;
  }

  // A node by the places of its moves among their siblings, and back; for addresses.
  path(node) {
    return node.line.map((step) => step.parent.children.indexOf(step));
  }

  at(path) {
    let node = this.root;
    for (const place of path) {
      if (!node.children[place]) break;
      node = node.children[place];
    }
    return node;
  }

  // Keeps what is there now, so that the next change can be undone.
  remember() {
    this.done.push(JSON.stringify(this.game()));
    if (this.done.length > KEPT_STATES) this.done.shift();
    this.undone = [];
  }

  // The node that stands where the given one stood, or null if there is nothing to undo.
  step(from, to, current) {
    if (!from.length) return null;
    const path = this.path(current);
    to.push(JSON.stringify(this.game()));
    this.load(JSON.parse(from.pop()));
    return this.at(path);
  }

  undo(current) {
    return this.step(this.done, this.undone, current);
  }

  redo(current) {
    return this.step(this.undone, this.done, current);
  }

  // A move after this node that is not part of the game.
  tried(parent, { uci, san }) {
    return new Node(parent, { uci, san });
  }

  // The move after this node; a new one is a variation if there are others.
  add(parent, { uci, san }) {
    const known = parent.children.find((child) => child.san === san || child.uci === uci);
    if (known) return known;
    this.remember();
    const node = new Node(parent, { uci, san });
    parent.children.push(node);
    return node;
  }

  // Moves a variation one place up where it branches off.
  promote(node) {
    const branch = this.branch(node);
    if (!branch) return;
    this.remember();
    const { children } = branch.parent;
    const place = children.indexOf(branch);
    [children[place - 1], children[place]] = [children[place], children[place - 1]];
  }

  makeMain(node) {
    if (node.isMain) return;
    this.remember();
    for (let step = node; step.parent; step = step.parent) {
      const { children } = step.parent;
      children.splice(children.indexOf(step), 1);
      children.unshift(step);
    }
  }

  // The first move of the innermost variation with this node; null in the main line.
  branch(node) {
    for (let step = node; step.parent; step = step.parent) if (step.parent.children[0] !== step) return step;
    return null;
  }

  // Takes a move and all that follows away. Its parent.
  remove(node) {
    this.remember();
    const { parent } = node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  setComments(node, comments) {
    if (JSON.stringify(node.after) === JSON.stringify(comments)) return;
    this.remember();
    node.after = comments;
  }

  setTags(tags, result) {
    if (JSON.stringify([this.tags, this.result]) === JSON.stringify([tags, result])) return;
    this.remember();
    Object.assign(this, { tags, result });
  }

  // Glyphs of one group exclude each other.
  toggleNag(node, nag, group) {
    this.remember();
    const has = node.nags.includes(nag);
    node.nags = node.nags.filter((known) => !group.includes(known));
    if (!has) node.nags.push(nag);
  }
}
