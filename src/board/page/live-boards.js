// Small boards of current games, for lists: a few at a time, requested together, and only while they can be seen.

import { get } from "./api.js";
import { clockText } from "./clock.js";
import { h, replace } from "./dom.js";
import { pieceImage } from "./pieces.js";
import { fileOf, rankOf, readPlacement } from "./placement.js";
import { writtenResult } from "./speech.js";

// As many as the server tells at once.
export const MOST = 12;
const EVERY_MS = 2000;

const boards = new Map();
let timer = null;

export class MiniBoard {
  constructor(id, side) {
    Object.assign(this, { id, side, shown: "", isOver: false });
    this.board = h("span", { class: "mini-board", "aria-hidden": "true" });
    this.clocks = h("small", { class: "mini-clocks" });
    this.element = h("span", { class: "mini", "data-game": id }, this.board, this.clocks);
  }

  at(square, element) {
    const [file, rank] = this.side === "white" ? [fileOf(square), 7 - rankOf(square)] : [7 - fileOf(square), rankOf(square)];
    element.style.transform = `translate(${100 * file}%, ${100 * rank}%)`;
    return element;
  }

  showPieces({ pieces, last }) {
    const shown = `${pieces} ${last}`;
    if (shown !== this.shown) replace(this.board, (last ?? []).map((square) => this.at(square, h("span", { class: "last" }))), [...readPlacement(pieces)].map(([square, letter]) => this.at(square, pieceImage(letter))));
    this.shown = shown;
  }

  show(game) {
    const { white_ms: white, black_ms: black, running, result, phase } = game;
    this.isOver = phase === "over";
    this.showPieces(game);
    const clock = (name, ms) => h("span", { class: running === name ? "runs" : null }, ms === null ? "" : clockText(ms));
    replace(this.clocks, this.isOver ? writtenResult(result) : white === null ? null : [clock("white", white), clock("black", black)]);
  }
}

// The small board of a game, from this side; the same element whenever it is asked for, as long as it is shown.
export function liveBoard(id, side = "white") {
  if (!boards.has(id)) boards.set(id, new MiniBoard(id, side));
  schedule(0);
  return boards.get(id).element;
}

function schedule(waitMs) {
  if (timer !== null && waitMs > 0) return;
  clearTimeout(timer);
  timer = setTimeout(ask, waitMs);
}

async function ask() {
  timer = null;
  for (const [id, { element }] of boards) if (!element.isConnected) boards.delete(id);
  const wanted = [...boards.values()].filter(({ isOver }) => !isOver).slice(0, MOST);
  // Without a visible board there are no requests.
  if (!wanted.length || document.hidden) return;
  try {
    const { boards: found } = await get(`/api/boards?games=${wanted.map(({ id }) => encodeURIComponent(id)).join(",")}`);
    found.forEach((board) => boards.get(board.id)?.show(board));
  } catch {
    // The next answer has everything.
  }
  schedule(EVERY_MS);
}

document.addEventListener("visibilitychange", () => schedule(0));
