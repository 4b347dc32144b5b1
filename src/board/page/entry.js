// Entering moves: by drag, by two clicks, by touch, by keys on the board; with the options of the rules (Online 3.6).
// Legal moves come from the server; here they are only found by their squares.

import { button, guardClicks, h, icon } from "./dom.js";
import { colorOf } from "./pieces.js";
import { played, targets } from "./placement.js";
import { askPromotion } from "./promotion.js";
import { settings } from "./settings.js";
import { announce } from "./tell.js";

// A pointer that moves less is a click.
const DRAG_PX = 4;

export class MoveEntry {
  // `onmove({ uci, san }, wasDragged)`, `onpremove(uci)`, `oncancelpremove()`, `onillegal(uci)` for an illegal move;
  // moves are confirmed if `confirms()`.
  constructor(board, { onmove, onpremove = () => {}, oncancelpremove = () => {}, onillegal = () => {}, confirms = () => false }) {
    Object.assign(this, { board, onmove, onpremove, oncancelpremove, onillegal, confirms });
    Object.assign(this, { pieces: new Map(), legal: [], mover: null, premover: null, premoves: [] });
    Object.assign(this, { selected: null, drag: null, closeChooser: null, pending: null });
    this.index();
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", () => this.endDrag());
    element.addEventListener("keydown", (event) => event.key === "Escape" && this.escape());
    board.onactivate = (square, event) => this.click(square, event);
    board.shapes.listen();
  }

  // Sets the moves that can be entered now: those of `mover` out of `legal`, or premoves of `premover`.
  set({ pieces, legal = [], mover = null, premover = null, premoves = [] }) {
    const isSame = this.mover === mover && this.premover === premover && this.legal.length === legal.length &&
      this.legal.every(({ uci }, index) => uci === legal[index].uci);
    Object.assign(this, { pieces, legal, mover, premover, premoves });
    this.index();
    this.board.element.classList.toggle("movable", Boolean(mover || premover));
    this.board.mark("premove", premoves.flatMap((uci) => [uci.slice(0, 2), uci.slice(2, 4)]));
    if (!isSame) {
      // The open question belongs to another position.
      this.closeChooser?.();
      this.cancelPending();
    }
    if (this.drag && pieces.get(this.drag.from) !== this.drag.letter) this.endDrag();
    if (this.selected && !this.isOwn(this.selected)) this.select(null);
    else this.select(this.selected);
  }

  // from -> to -> moves, of which there are several for a promotion.
  index() {
    this.moves = new Map();
    const add = (from, to, move) => {
      if (!this.moves.has(from)) this.moves.set(from, new Map());
      const byTarget = this.moves.get(from);
      if (!byTarget.has(to)) byTarget.set(to, []);
      byTarget.get(to).push(move);
    };
    const castlings = this.legal.filter(({ san }) => san.startsWith("O-O"));
    for (const move of this.legal) {
      if (!castlings.includes(move)) add(move.uci.slice(0, 2), move.uci.slice(2, 4), move);
    }
    for (const move of castlings) {
      const from = move.uci.slice(0, 2);
      // In Chess960 a step of the king may have the squares of a castling; then the rook is what castles.
      for (const to of targets(this.pieces, move)) if (!this.moves.get(from)?.has(to)) add(from, to, move);
    }
  }

  isOwn(square) {
    const letter = this.pieces.get(square);
    return letter !== undefined && [this.mover, this.premover].includes(colorOf(letter));
  }

  select(square) {
    this.selected = square;
    this.board.mark("selected", [square]);
    const found = square && this.mover ? [...(this.moves.get(square)?.keys() ?? [])] : [];
    this.board.mark("target", found);
    this.board.mark("capture", found.filter((to) => this.pieces.has(to)));
  }

  escape() {
    if (this.pending) this.cancelPending();
    else if (this.drag) this.endDrag();
    else if (this.selected) this.select(null);
    else if (this.premoves.length) this.oncancelpremove();
  }

  down(event) {
    if (event.button !== 0 || this.drag || event.target.closest(".veil, .confirm")) return;
    const square = this.board.squareAtPoint(event.clientX, event.clientY);
    if (!square) return;
    this.board.setCursor(square);
    this.press = { square, wasSelected: this.selected === square, x: event.clientX, y: event.clientY };
    const isTarget = this.selected && this.moves.get(this.selected)?.has(square);
    if (this.pending || isTarget || !this.isOwn(square)) return;
    event.preventDefault();
    this.board.cell(square).focus({ preventScroll: true });
    this.board.element.setPointerCapture(event.pointerId);
    const node = this.board.nodes.get(square);
    this.drag = { from: square, letter: this.pieces.get(square), node, isTouch: event.pointerType === "touch", hasMoved: false };
    if (!this.smart(square)) this.select(square);
  }

  move(event) {
    const { drag } = this;
    if (!drag || !this.press) return;
    if (!drag.hasMoved) {
      if (Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) < DRAG_PX) return;
      drag.hasMoved = true;
      drag.node.element.classList.add("dragged");
      if (drag.isTouch) drag.node.element.classList.add("by-touch");
      this.select(drag.from);
    }
    const box = this.board.element.getBoundingClientRect();
    const size = box.width / 8;
    const [x, y] = [event.clientX - box.left - size / 2, event.clientY - box.top - size / 2];
    drag.node.element.style.transform = `translate(${x}px, ${y}px)`;
    this.board.mark("hover", [this.board.squareAtPoint(event.clientX, event.clientY)]);
  }

  up(event) {
    if (event.button !== 0 || !this.press) return;
    const { square: pressed, wasSelected } = this.press;
    this.press = null;
    const square = this.board.squareAtPoint(event.clientX, event.clientY);
    const { drag } = this;
    if (drag?.hasMoved) {
      const { from } = drag;
      if (square && square !== from && this.enter(from, square, event, true)) this.endDrag(false);
      else this.endDrag();
      if (square !== from) this.select(null);
      return;
    }
    this.drag = null;
    if (square !== pressed) return;
    if (drag && wasSelected) this.select(null);
    else if (drag) {
      const move = this.smart(square);
      if (move) this.finish(move);
    } else this.click(square, event);
  }

  // Puts the dragged piece back, or leaves it where it is going to be shown.
  endDrag(goesBack = true) {
    const { drag } = this;
    this.drag = null;
    this.press = null;
    this.board.mark("hover", []);
    if (!drag) return;
    drag.node.element.classList.remove("dragged", "by-touch");
    if (!goesBack) return;
    const square = [...this.board.nodes].find(([, node]) => node === drag.node)?.[0];
    if (square) this.board.withoutSliding(() => this.board.put(drag.node.element, square));
  }

  // A square without drag: selects, moves, or plays the only move that involves it.
  click(square, event) {
    if (this.pending) return;
    const { selected } = this;
    if (selected === square) return this.select(null);
    if (selected && this.enter(selected, square, event, false)) return this.select(null);
    const move = this.smart(square);
    if (move) return this.finish(move);
    if (this.isOwn(square)) return this.select(square);
    if (this.premoves.length) this.oncancelpremove();
    this.select(null);
  }

  // The only legal move with this square as its origin or target, if that is wished (Online 3.6.a). The promotions of a
  // pawn are four moves, unless it becomes a queen by itself.
  smart(square) {
    if (!settings.smart_move || !this.mover) return null;
    const found = this.legal.filter((move) => {
      if (settings.auto_queen && move.uci[4] && move.uci[4] !== "q") return false;
      return move.uci.startsWith(square) || targets(this.pieces, move)[0] === square;
    });
    return found.length === 1 ? found[0] : null;
  }

  // Enters a move by its squares. Whether there is one.
  enter(from, to, event, wasDragged) {
    if (this.mover && colorOf(this.pieces.get(from) ?? "x") === this.mover) {
      const found = this.moves.get(from)?.get(to);
      if (!found) {
        // A click on another piece chooses that one, and one on a square may be a move by itself.
        if (wasDragged || (!this.isOwn(to) && !this.smart(to))) this.onillegal(from + to);
        return false;
      }
      this.promote(found.length > 1, from, to, event, (role) =>
        this.finish(found.find(({ uci }) => !role || uci[4] === role), wasDragged));
      return true;
    }
    if (!this.premover || colorOf(this.pieces.get(from) ?? "x") !== this.premover) return false;
    const isPawn = this.pieces.get(from).toLowerCase() === "p" && "18".includes(to[1]);
    this.promote(isPawn, from, to, event, (role) => this.onpremove(from + to + (role ?? "")));
    // The piece goes back to where it stands until the move is made.
    if (wasDragged) this.endDrag();
    return true;
  }

  // Finds out what a pawn becomes. With the option for a queen, a key that is held asks all the same.
  promote(isPromotion, from, to, event, onrole) {
    if (!isPromotion) return onrole(null);
    const isAsked = event && (event.shiftKey || event.ctrlKey || event.altKey);
    if (settings.auto_queen && !isAsked) return onrole("q");
    const letter = this.pieces.get(from);
    const { pieces } = this;
    const shown = new Map(pieces);
    shown.delete(from);
    shown.set(to, letter);
    this.board.setPieces(shown);
    this.closeChooser = askPromotion(this.board, to, colorOf(letter), (role) => {
      this.closeChooser = null;
      this.board.setPieces(this.pieces);
      if (role) onrole(role);
      else announce("No promotion, no move.");
    });
  }

  finish(move, wasDragged = false) {
    this.select(null);
    if (!this.confirms()) return this.onmove(move, wasDragged);
    // The clock runs on until the move is confirmed (Online 3.6.d).
    this.board.setPieces(played(this.pieces, move.uci, move.san), { slide: !wasDragged });
    const confirm = button([icon("check"), `Play ${move.san}`], () => {
      this.dropPending();
      this.onmove(move, true);
    }, { class: "primary" });
    const cancel = button([icon("close"), "Cancel"], () => this.cancelPending());
    this.pending = h("div", { class: "confirm", role: "dialog", "aria-label": `Play ${move.san}?` }, confirm, cancel);
    guardClicks(this.pending);
    this.board.element.append(this.pending);
    confirm.focus({ preventScroll: true });
  }

  dropPending() {
    this.pending?.remove();
    this.pending = null;
  }

  cancelPending() {
    if (!this.pending) return;
    this.dropPending();
    this.board.setPieces(this.pieces);
    this.board.cell(this.board.cursor).focus({ preventScroll: true });
  }
}
