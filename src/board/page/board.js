// A board: squares with names for keyboards and screen readers, pieces that slide over them, marks.

import { h } from "./dom.js";
import { fileOf, rankOf, squareAt } from "./placement.js";
import { pieceImage, pieceName } from "./pieces.js";
import { Shapes } from "./shapes.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// The conditions on a square of a pattern, with their texts.
const WILD_TEXTS = [["wild-white", "any white piece"], ["wild-black", "any black piece"], ["wild-empty", "must be empty"]];

export class Board {
  // `onactivate(square)` is called for Enter and Space on a square.
  constructor({ label = "Chessboard", orientation = "white" } = {}) {
    this.orientation = orientation;
    this.pieces = new Map();
    this.nodes = new Map();
    this.marks = new Map();
    this.cursor = orientation === "white" ? "e2" : "e7";
    this.onactivate = () => {};
    // Whether a press may still move the focus, and whether the focus was moved by keys.
    this.isPressed = false;
    this.isWalked = false;
    this.grid = h("div", { class: "grid", role: "grid", "aria-label": label });
    this.layer = h("div", { class: "pieces", "aria-hidden": "true" });
    this.shapes = new Shapes(this);
    this.element = h("div", { class: "board" }, this.grid, this.layer, this.shapes.element);
    this.frame = h("div", { class: "board-frame" }, this.element);
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", (event) => {
      this.setCursor(event.target.dataset.square ?? this.cursor);
      this.isWalked = !this.isPressed;
    });
    // After a click the arrow keys step through the game; they do not move the focus over the board.
    const release = () => (this.isPressed = false);
    this.element.addEventListener("pointerdown", () => {
      this.isPressed = true;
      this.isWalked = false;
      // A drag may end without a click.
      window.addEventListener("keydown", release, { once: true, capture: true });
    });
    // The press moves the focus before its click, however busy the browser is.
    for (const end of ["click", "contextmenu", "pointercancel"]) this.element.addEventListener(end, release);
    this.buildSquares();
  }

  // Column and row on the screen, from the upper left corner.
  place(square) {
    const [file, rank] = [fileOf(square), rankOf(square)];
    return this.orientation === "white" ? [file, 7 - rank] : [7 - file, rank];
  }

  squareOf(column, row) {
    return this.orientation === "white" ? squareAt(column, 7 - row) : squareAt(7 - column, row);
  }

  // The square under a point of the window; null outside the board.
  squareAtPoint(x, y) {
    const box = this.element.getBoundingClientRect();
    return this.squareOf(Math.floor((8 * (x - box.left)) / box.width), Math.floor((8 * (y - box.top)) / box.height));
  }

  flip() {
    this.setOrientation(this.orientation === "white" ? "black" : "white");
  }

  setOrientation(orientation) {
    if (this.orientation === orientation) return;
    this.orientation = orientation;
    this.buildSquares();
    this.withoutSliding(() => this.nodes.forEach(({ element }, square) => this.put(element, square)));
    for (const [kind, squares] of this.marks) squares.forEach((square) => this.cell(square).classList.add(kind));
    this.shapes.draw();
  }

  buildSquares() {
    this.cells = new Map();
    const rows = [];
    for (let row = 0; row < 8; row += 1) {
      const cells = [];
      for (let column = 0; column < 8; column += 1) {
        const square = this.squareOf(column, row);
        const shade = (fileOf(square) + rankOf(square)) % 2 ? "light" : "dark";
        // A setting chooses the edges with coordinates.
        const edges = [column === 0 && "left", column === 7 && "right", row === 0 && "top", row === 7 && "bottom"].filter(Boolean);
        const cell = h("div", {
          class: `square ${shade}`, role: "gridcell", tabindex: "-1", "data-square": square, "data-edge": edges.join(" ") || null,
          "data-rank": column % 7 === 0 ? square[1] : null, "data-file": row % 7 === 0 ? square[0] : null,
        });
        this.cells.set(square, cell);
        cells.push(cell);
      }
      rows.push(h("div", { class: "row", role: "row" }, cells));
    }
    this.grid.replaceChildren(...rows);
    this.cell(this.cursor).tabIndex = 0;
    this.cells.forEach((_, square) => this.label(square));
  }

  cell(square) {
    return this.cells.get(square);
  }

  // Shows these pieces: those that have moved slide, unless it is not wished.
  setPieces(pieces, { slide = true } = {}) {
    const changed = new Set();
    const gone = [];
    for (const [square, node] of this.nodes) {
      if (pieces.get(square) === node.letter) continue;
      gone.push({ square, ...node });
      this.nodes.delete(square);
      changed.add(square);
    }
    const moved = [];
    for (const [square, letter] of pieces) {
      if (this.nodes.has(square)) continue;
      changed.add(square);
      const from = nearest(gone, square, letter);
      const element = from ? from.element : pieceImage(letter);
      if (!from) {
        this.put(element, square);
        this.layer.append(element);
      }
      this.nodes.set(square, { letter, element });
      moved.push([element, square]);
    }
    gone.forEach(({ element }) => element.remove());
    const put = () => moved.forEach(([element, square]) => this.put(element, square));
    if (slide) put();
    else this.withoutSliding(put);
    this.pieces = pieces;
    changed.forEach((square) => this.label(square));
  }

  put(element, square) {
    const [column, row] = this.place(square);
    element.style.transform = `translate(${100 * column}%, ${100 * row}%)`;
  }

  withoutSliding(change) {
    this.layer.classList.add("still");
    change();
    // The places are computed before the class that forbids sliding goes away.
    void this.layer.offsetWidth;
    this.layer.classList.remove("still");
  }

  // Gives a mark, such as "last" or "check", to these squares and to no others.
  mark(kind, squares) {
    const before = this.marks.get(kind) ?? [];
    const after = squares.filter(Boolean);
    before.forEach((square) => this.cell(square).classList.remove(kind));
    after.forEach((square) => this.cell(square).classList.add(kind));
    this.marks.set(kind, after);
    if (kind === "hover") return;
    new Set([...before, ...after]).forEach((square) => this.label(square));
  }

  has(kind, square) {
    return this.marks.get(kind)?.includes(square) ?? false;
  }

  // Names a square as it is told by a screen reader.
  label(square) {
    const letter = this.pieces.get(square);
    const words = [square, letter ? pieceName(letter) : "empty"];
    for (const [kind, text] of WILD_TEXTS) if (this.has(kind, square)) words[1] = text;
    if (this.has("check", square)) words.push("in check");
    if (this.has("target", square)) words.push("can be reached");
    if (this.has("last", square)) words.push("last move");
    if (this.has("premove", square)) words.push("premove");
    const cell = this.cell(square);
    cell.setAttribute("aria-label", words.join(", "));
    cell.setAttribute("aria-selected", String(this.has("selected", square)));
  }

  setCursor(square) {
    this.cell(this.cursor).tabIndex = -1;
    this.cursor = square;
    this.cell(square).tabIndex = 0;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROWS[event.key];
    if (step && !this.isWalked) return;
    if (step) {
      const [column, row] = this.place(this.cursor);
      const next = this.squareOf(column + step[0], row - step[1]);
      if (next) {
        this.setCursor(next);
        this.cell(next).focus();
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.onactivate(this.cursor, event);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

// Takes the piece of this letter that stood nearest out of those that are gone.
function nearest(gone, square, letter) {
  let best = -1;
  let shortest = Infinity;
  gone.forEach((node, index) => {
    if (node.letter !== letter) return;
    const distance = Math.hypot(fileOf(node.square) - fileOf(square), rankOf(node.square) - rankOf(square));
    if (distance < shortest) [best, shortest] = [index, distance];
  });
  return best < 0 ? null : gone.splice(best, 1)[0];
}
