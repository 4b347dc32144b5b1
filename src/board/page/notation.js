// The text of a game beside the board: moves, variations, comments and glyphs.

import { withoutCommands } from "./comments.js";
import { h } from "./dom.js";
import { scoreText } from "./engine-link.js";
import { isMoveNag, nagSign } from "./nags.js";
import { settings } from "./settings.js";
import { written, writtenResult } from "./speech.js";

export class Notation {
  // `onchoice(node)`, `onmenu(node, x, y)`.
  constructor({ onchoice, onmenu }) {
    Object.assign(this, { onchoice, onmenu, elements: new Map(), owners: new WeakMap(), opening: new Set(), current: null });
    this.element = h("div", { class: "notation", role: "group", "aria-label": "Moves", tabindex: "-1" });
    const owner = (event) => this.owners.get(event.target.closest?.("button.move"));
    this.element.addEventListener("click", (event) => owner(event) && this.onchoice(owner(event)));
    // Elements beside it may take its room.
    new ResizeObserver(() => this.elements.has(this.current) && this.mark(this.current)).observe(this.element);
    this.element.addEventListener("contextmenu", (event) => {
      const node = owner(event);
      if (!node) return;
      event.preventDefault();
      this.onmenu(node, event.clientX, event.clientY);
    });
  }

  show(tree, current) {
    this.tree = tree;
    this.elements = new Map();
    const before = this.comments(tree.root.after);
    this.opening = new Set(before);
    const parts = [...before, ...this.line(tree.root, true)];
    if (tree.result !== "*") parts.push(h("b", { class: "end-result" }, writtenResult(tree.result)));
    if (!tree.root.next) parts.push(h("p", { class: "empty" }, "Make a move on the board, or paste a game."));
    this.element.replaceChildren(...parts);
    this.mark(current);
  }

  // Nothing of what comes after a move is shown, if that is wished: moves, comments, variations and the result.
  hide(node) {
    const parts = [...this.element.querySelectorAll(".hides-text")];
    parts.forEach((part) => part.classList.remove("hides-text"));
    if (!settings.hideMoves) return;
    const shown = this.elements.get(node);
    const own = new Set();
    // Its own comments belong to it.
    for (let next = shown?.nextElementSibling; next?.classList.contains("comment"); next = next.nextElementSibling) own.add(next);
    const isBehind = (part) => !own.has(part) && (shown ? Boolean(shown.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) && !shown.contains(part) : !part.classList.contains("empty") && !this.opening.has(part));
    this.element.querySelectorAll("*").forEach((part) => isBehind(part) && part.classList.add("hides-text"));
  }

  mark(node) {
    this.elements.get(this.current)?.removeAttribute("aria-current");
    this.current = node;
    this.hide(node);
    const element = this.elements.get(node);
    if (!element) {
      this.element.scrollTop = 0;
      return;
    }
    element.setAttribute("aria-current", "true");
    const [outer, inner] = [this.element.getBoundingClientRect(), element.getBoundingClientRect()];
    if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) {
      this.element.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    }
  }

  comments(texts) {
    return texts.map(withoutCommands).filter(Boolean).map((text) => h("span", { class: "comment" }, `${text} `));
  }

  // The moves after a node, with the variations at each of them.
  line(from, isMain) {
    const parts = [];
    let numbered = true;
    for (let node = from.next; node; node = node.next) {
      parts.push(...this.comments(node.before));
      parts.push(this.move(node, numbered || node.before.length > 0 || this.tree.mover(node) === "white"), " ");
      const comments = this.comments(node.after);
      parts.push(...comments);
      const variations = node.parent.children.slice(1);
      parts.push(...variations.map((variation) => this.variation(variation, isMain)));
      numbered = comments.length > 0 || variations.length > 0;
    }
    return parts;
  }

  variation(node, isBlock) {
    const parts = [...this.comments(node.before), this.move(node, true), " ", ...this.comments(node.after), ...this.line(node, false)];
    return h(isBlock ? "div" : "span", { class: isBlock ? "variation" : "inner-variation" }, isBlock ? null : "(", parts, isBlock ? null : ") ");
  }

  move(node, numbered) {
    const signs = node.nags.map((nag) => h("abbr", { title: nagSign(nag).text, class: isMoveNag(nag) ? null : "position-nag" }, nagSign(nag).sign));
    const judged = node.nags.find(isMoveNag);
    const score = node.isMain && node.eval !== null && settings.bar ? scoreText(typeof node.eval === "number" ? { cp: node.eval } : node.eval) : "";
    const element = h("button", { type: "button", class: `move ${judged ? `nag-${judged.slice(1)}` : ""}`, title: score || null },
      numbered && h("span", { class: "number" }, `${this.tree.number(node).replace("...", "…")} `), written(node.san ?? node.uci, settings.pieceNames), signs);
    this.elements.set(node, element);
    this.owners.set(element, node);
    return element;
  }
}
