// Setting a position up: a palette, a board, and every reason why the position would not be legal.

import { position } from "./api.js";
import { Board } from "./board.js";
import { button, checkbox, choice, field, h, icon, iconButton, replace, select } from "./dom.js";
import { findGames, findPosition } from "./find.js";
import { PatternSearch, WILDCARDS } from "./pattern.js";
import { copyButtons } from "./picture.js";
import { pieceImage, pieceName } from "./pieces.js";
import { readPlacement, START, writePlacement } from "./placement.js";
import { go, setAddress, setTitle } from "./router.js";
import { announce, tellError } from "./tell.js";

const PALETTE = [..."KQRBNPkqrbnp"];
const isWildcard = (tool) => WILDCARDS.some(([sign]) => sign === tool);
// Whether a text begins with the eight ranks of a FEN; whether the position is legal is told when it is set up.
const isPosition = (text) => !text.includes("\n") && /^[a-z1-8]+(\/[a-z1-8]+){7}(\s|$)/i.test(text);
const RIGHTS = [["K", "White kingside"], ["Q", "White queenside"], ["k", "Black kingside"], ["q", "Black queenside"]];

export function editorView(container, { query }) {
  return new EditorView(container, query);
}

class EditorView {
  constructor(container, query) {
    this.tool = "hand";
    this.board = new Board({ label: "Board to set a position up" });
    this.board.element.classList.add("movable", "editable");
    this.board.onactivate = (square) => this.use(square);
    this.palettes = h("div", { class: "palette", role: "group", "aria-label": "Pieces" });
    this.controls = h("div", { class: "controls" });
    this.problems = h("div", { class: "problems", role: "status" });
    this.fen = h("input", { type: "text", spellcheck: "false", "aria-label": "FEN", onchange: () => this.read(this.fen.value.trim()) });
    this.pattern = new PatternSearch({ pieces: () => this.pieces, ontool: (sign) => this.choose(sign), onchange: (goesOn) => this.keepAddress(goesOn), onfind: (term) => findGames(term) });
    this.plays = button("Play from here", () => go(`/?fen=${encodeURIComponent(this.text)}`), { class: "primary" });
    this.finds = button([icon("find"), "Find"], () => findPosition({ start: this.text, moves: [], fen: this.text }), { title: "Find this position in a collection" });
    this.analyzes = button("Analyze", () => go(`/analyse?fen=${encodeURIComponent(this.text)}`), { class: "primary" });
    replace(container, h("section", { class: "editor" }, h("h1", {}, "Set up a position"),
      h("div", { class: "table" }, this.palettes, this.board.frame),
      h("div", { class: "side" }, this.problems, this.controls,
        field("FEN", this.fen), h("div", { class: "actions" }, this.plays, this.analyzes, this.finds),
        h("div", { class: "actions" }, button("Start position", () => this.read(START)), button("Clear", () => this.read("8/8/8/8/8/8/8/8 w - - 0 1")),
          iconButton("flip", "Turn the board", () => this.board.flip()),
          copyButtons({ shown: () => ({ fen: this.text, side: this.board.orientation }), link: () => location.origin + this.address })), this.pattern.element)));
    setTitle("Set up a position");
    const { element } = this.board;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", () => this.drop(null));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    // A pasted position is set up here, independently of the focus; games are shown by the analysis.
    const paste = (event) => {
      const text = event.clipboardData.getData("text").trim();
      if (!isPosition(text)) return;
      event.preventDefault();
      this.read(text);
      announce("The position is set up.");
    };
    document.addEventListener("paste", paste, true);
    this.end = () => document.removeEventListener("paste", paste, true);
    this.onaddress(query);
  }

  // Shows what an address says, at first and after the back key.
  onaddress(query) {
    this.pattern.read(query);
    this.patternShown = this.patternText;
    this.read(query.get("fen") ?? START);
  }

  get patternText() {
    return JSON.stringify(this.pattern.parameters);
  }

  // Each change of the pattern is one step back; `goesOn`: it belongs to the change before.
  keepAddress(goesOn = false) {
    const isNew = this.patternText !== this.patternShown;
    this.patternShown = this.patternText;
    setAddress(this.address, { push: isNew && !goesOn });
  }

  choose(tool) {
    this.tool = tool;
    this.showPalette();
  }

  get address() {
    const parts = { fen: this.text, ...this.pattern.parameters };
    return `/editor?${new URLSearchParams(Object.entries(parts).filter(([, value]) => value))}`;
  }

  // Takes a FEN apart; what is missing gets its usual value.
  read(fen) {
    const [placement = "8/8/8/8/8/8/8/8", turn = "w", castling = "-", enPassant = "-", halfmoves = "0", fullMoves = "1"] = fen.split(/\s+/);
    Object.assign(this, { pieces: readPlacement(placement), turn: turn === "b" ? "b" : "w", castling: castling === "-" ? "" : castling, enPassant, halfmoves, fullMoves });
    this.show();
  }

  get text() {
    return [writePlacement(this.pieces), this.turn, this.castling || "-", this.enPassant || "-", this.halfmoves || "0", this.fullMoves || "1"].join(" ");
  }

  show() {
    this.pieces.forEach((_, square) => this.pattern.wildcards.delete(square));
    this.board.setPieces(new Map(this.pieces));
    this.pattern.marks().forEach(([kind, squares]) => this.board.mark(kind, squares));
    this.pattern.show();
    this.fen.value = this.text;
    this.showPalette();
    this.showControls();
    // Squares that are drawn over in one go are one step.
    this.keepAddress(this.painted?.size > 1);
    this.check();
  }

  showPalette() {
    this.pattern.setTool(this.tool);
    const tool = (name, content, label) => button([content], () => this.choose(name), { "aria-pressed": String(this.tool === name), title: label, "aria-label": label });
    replace(this.palettes, tool("hand", handPicture(), "Move pieces"), PALETTE.map((letter) => tool(letter, pieceImage(letter, "choice-piece"), pieceName(letter))),
      tool("erase", eraserPicture(), "Take pieces away"));
  }

  showControls() {
    const rights = RIGHTS.map(([letter, label]) => checkbox(label, this.castling.includes(letter), (isOn) => {
      // Chess960 rights by files stay as they are written in the FEN.
      const wanted = new Set(this.castling);
      if (isOn) wanted.add(letter);
      else wanted.delete(letter);
      this.castling = [..."KQkq"].filter((known) => wanted.delete(known)).join("") + [...wanted].join("");
      this.show();
    }));
    const rank = this.turn === "w" ? "6" : "3";
    const squares = [["-", "none"], ...[..."abcdefgh"].map((file) => [file + rank, file + rank])];
    const number = (name, min) => h("input", { type: "number", min, max: "9999", ".value": this[name], onchange: (event) => {
      this[name] = event.target.value;
      this.show();
    } });
    replace(this.controls,
      choice("To move", [{ value: "w", label: "White" }, { value: "b", label: "Black" }], this.turn, (value) => {
        this.turn = value;
        this.enPassant = "-";
        this.show();
      }),
      h("fieldset", { class: "choice" }, h("legend", {}, "Castling"), h("div", { class: "rights" }, rights)),
      h("div", { class: "pair three" }, field("En passant", select(squares, squares.some(([own]) => own === this.enPassant) ? this.enPassant : "-", (value) => {
        this.enPassant = value;
        this.show();
      })), field("Half moves", number("halfmoves", "0")), field("Move", number("fullMoves", "1"))));
  }

  async check() {
    const { text } = this;
    let problems;
    try {
      ({ problems = [] } = await position(text));
    } catch (error) {
      if (error.status === 0) return tellError(error);
      problems = [error.message];
    }
    if (text !== this.text) return;
    const isLegal = problems.length === 0;
    this.plays.disabled = !isLegal;
    this.analyzes.disabled = !isLegal;
    this.finds.disabled = !isLegal;
    replace(this.problems, isLegal ? h("p", { class: "fine" }, "A legal position.") : [h("p", {}, "This position cannot be played:"), h("ul", {}, problems.map((problem) => h("li", {}, problem)))]);
    this.problems.classList.toggle("bad", !isLegal);
  }

  // Puts, takes away, or picks up.
  use(square) {
    if (this.tool === "hand") {
      if (this.held) {
        const letter = this.pieces.get(this.held);
        if (this.held !== square && letter) {
          this.pieces.delete(this.held);
          this.pieces.set(square, letter);
        }
        this.held = null;
      } else if (this.pieces.has(square)) this.held = square;
      this.board.mark("selected", [this.held]);
      return this.show();
    }
    if (isWildcard(this.tool)) {
      this.pieces.delete(square);
      this.pattern.toggle(square, this.tool);
    } else {
      this.pattern.wildcards.delete(square);
      if (this.tool === "erase" || this.pieces.get(square) === this.tool) this.pieces.delete(square);
      else this.pieces.set(square, this.tool);
    }
    return this.show();
  }

  down(event) {
    const square = this.board.squareAtPoint(event.clientX, event.clientY);
    if (!square) return;
    event.preventDefault();
    if (event.button === 2) {
      this.pieces.delete(square);
      this.pattern.wildcards.delete(square);
      return this.show();
    }
    this.board.element.setPointerCapture(event.pointerId);
    if (this.tool !== "hand" || this.held || !this.pieces.has(square)) {
      this.painted = new Set([square]);
      return this.use(square);
    }
    const node = this.board.nodes.get(square);
    this.drag = { from: square, node, hasMoved: false, x: event.clientX, y: event.clientY };
    return undefined;
  }

  move(event) {
    const square = this.board.squareAtPoint(event.clientX, event.clientY);
    if (this.painted && square && !this.painted.has(square) && this.tool !== "hand") {
      this.painted.add(square);
      if (isWildcard(this.tool)) this.pattern.wildcards.set(square, this.tool);
      if (isWildcard(this.tool) || this.tool === "erase") this.pieces.delete(square);
      else this.pieces.set(square, this.tool);
      return this.show();
    }
    const { drag } = this;
    if (!drag) return undefined;
    if (!drag.hasMoved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) return undefined;
    drag.hasMoved = true;
    const box = this.board.element.getBoundingClientRect();
    drag.node.element.classList.add("dragged");
    drag.node.element.style.transform = `translate(${event.clientX - box.left - box.width / 16}px, ${event.clientY - box.top - box.width / 16}px)`;
    return undefined;
  }

  up(event) {
    this.painted = null;
    const { drag } = this;
    if (!drag) return;
    if (!drag.hasMoved) {
      this.drag = null;
      return void this.use(drag.from);
    }
    this.drop(this.board.squareAtPoint(event.clientX, event.clientY), true);
  }

  // Off the board a piece is gone.
  drop(square, isWanted = false) {
    const { drag } = this;
    this.drag = null;
    this.painted = null;
    if (!drag) return;
    drag.node.element.classList.remove("dragged");
    const letter = this.pieces.get(drag.from);
    if (isWanted) {
      this.pieces.delete(drag.from);
      if (square && letter) this.pieces.set(square, letter);
    }
    this.board.withoutSliding(() => this.board.put(drag.node.element, drag.from));
    this.show();
  }
}

const drawn = (path) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  element.setAttribute("viewBox", "0 0 24 24");
  element.setAttribute("class", "icon");
  element.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  element.append(line);
  return element;
};
const handPicture = () => drawn("M5 4l6 16 2.5-6.5L20 11z");
const eraserPicture = () => drawn("M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13");
