// The placement of the pieces: squares and letters, as a FEN has them. The server knows the legal moves.

export const FILES = "abcdefgh";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export const SQUARES = [..."87654321"].flatMap((rank) => [...FILES].map((file) => file + rank));

// File and rank of a square from 0 on.
export const fileOf = (square) => FILES.indexOf(square[0]);
export const rankOf = (square) => Number(square[1]) - 1;
export const squareAt = (file, rank) => (file >= 0 && file < 8 && rank >= 0 && rank < 8 ? FILES[file] + (rank + 1) : null);
export const opposite = (color) => (color === "white" ? "black" : "white");

// The pieces of a FEN: square -> letter.
export function readPlacement(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else if ("KQRBNPkqrbnp".includes(letter)) {
        const square = squareAt(file, 7 - index);
        if (square) pieces.set(square, letter);
        file += 1;
      }
    }
  });
  return pieces;
}

export function writePlacement(pieces) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < 8; file += 1) {
      const letter = pieces.get(squareAt(file, rank));
      if (!letter) {
        empty += 1;
        continue;
      }
      row += (empty || "") + letter;
      empty = 0;
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

export const turnOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "white");

// The squares of a castling: of king and rook, before and after.
function castling(pieces, from, to, san) {
  const rank = rankOf(from);
  const isKingside = !san.startsWith("O-O-O");
  const rook = pieces.get(from) === "K" ? "R" : "r";
  let origin = to;
  if (pieces.get(to) !== rook) {
    // The king's target is given, so the rook is the outermost one on that side.
    const files = isKingside ? [7, 6, 5, 4, 3, 2] : [0, 1, 2, 3, 4, 5];
    origin = files.map((file) => squareAt(file, rank)).find((square) => pieces.get(square) === rook);
  }
  return { king: squareAt(isKingside ? 6 : 2, rank), rook: origin, rookTo: squareAt(isKingside ? 5 : 3, rank) };
}

// The pieces after a move that the server has called legal.
export function played(pieces, uci, san = "") {
  const [from, to, promotion] = [uci.slice(0, 2), uci.slice(2, 4), uci[4]];
  const after = new Map(pieces);
  const letter = after.get(from);
  if (!letter) return after;
  after.delete(from);
  if (san.startsWith("O-O")) {
    const squares = castling(pieces, from, to, san);
    after.delete(squares.rook);
    after.set(squares.king, letter);
    after.set(squares.rookTo, letter === "K" ? "R" : "r");
    return after;
  }
  if (letter.toLowerCase() === "p" && from[0] !== to[0] && !pieces.has(to)) after.delete(to[0] + from[1]);
  after.set(to, arriving(letter, promotion));
  return after;
}

const arriving = (letter, promotion) => (promotion && letter === letter.toUpperCase() ? promotion.toUpperCase() : promotion ?? letter);

// The pieces as they will stand after moves that may not be legal: each goes where it is to go.
export function premoved(pieces, moves) {
  const after = new Map(pieces);
  for (const uci of moves) {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const letter = after.get(from);
    if (!letter) break;
    after.delete(from);
    after.set(to, arriving(letter, uci[4]));
  }
  return after;
}

// The squares that a legal move may be entered by: castling also by the king's target and by the rook.
export function targets(pieces, { uci, san }) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  if (!san.startsWith("O-O")) return [to];
  const { king, rook } = castling(pieces, from, to, san);
  return [...new Set([king, rook])];
}

// The two squares that are marked after a move.
export function marked(pieces, uci, san) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  return san.startsWith("O-O") ? [from, castling(pieces, from, to, san).king] : [from, to];
}

const VALUES = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };

// The surplus of each side: { white: ["q"], black: ["p", "p"], difference: 7 }.
export function imbalance(pieces) {
  const count = {};
  for (const letter of pieces.values()) {
    const role = letter.toLowerCase();
    count[role] = (count[role] ?? 0) + (letter === role ? -1 : 1);
  }
  const found = { white: [], black: [], difference: 0 };
  for (const role of "qrbnp") {
    const more = count[role] ?? 0;
    found.difference += more * VALUES[role];
    for (let index = 0; index < Math.abs(more); index += 1) found[more > 0 ? "white" : "black"].push(role);
  }
  return found;
}
