// Moves as they are spoken, and as they are typed; results as they are written.

const ROLES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

// "Nbxd7+" -> "knight b takes d7, check".
export function spoken(san) {
  const ending = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const move = san.replace(/[+#!?]+$/, "");
  if (move === "O-O") return `castles kingside${ending}`;
  if (move === "O-O-O") return `castles queenside${ending}`;
  const words = [];
  for (const letter of move) {
    if (ROLES[letter]) words.push(ROLES[letter]);
    else if (letter === "x") words.push("takes");
    else if (letter === "=") words.push("becomes a");
    else if (/\d/.test(letter) && words.length && /^[a-h]$/.test(words[words.length - 1])) words[words.length - 1] += letter;
    else words.push(letter);
  }
  return words.join(" ") + ending;
}

const FIGURINES = "♔♕♖♗♘";

// "1/2-1/2" -> "½–½".
export const writtenResult = (result) => result.replace("1/2-1/2", "½–½").replace("-", "–");

// SAN with pictures for letters, or with those of another language, as in "German:KDTLS".
export function written(san, style) {
  if (style === "letters") return san;
  const letters = style === "figurines" ? FIGURINES : style.split(":")[1];
  return san.replace(/[KQRBN]/g, (letter) => letters?.["KQRBN".indexOf(letter)] ?? letter);
}

const plain = (text) => text.replace(/[+#=!?x\-–\s.]/g, "").replace(/0/g, "O");

// The legal moves that a typed text may mean: SAN with or without its signs, or two squares, with the letters of
// `style` or with English ones; if a text is a move with both, the letters of the style count, as they stand on the
// page. Letters of pieces may be small if that is unambiguous.
export function matches(text, legal, style = "letters") {
  const typed = plain(text.trim());
  if (!typed) return [];
  const square = text.trim().toLowerCase();
  const small = typed.toLowerCase();
  const readings = [...new Set([style, "letters"])].map((own) => ({ san }) => plain(written(san, own)));
  const ways = [...readings.map((read) => (move) => read(move) === typed), ({ uci }) => uci === square, ...readings.map((read) => (move) => read(move).toLowerCase() === small)];
  return ways.map((isMeant) => legal.filter(isMeant)).find(({ length }) => length) ?? [];
}

// Whether more letters may make a move of it.
export function begins(text, legal, style = "letters") {
  const typed = plain(text.trim()).toLowerCase();
  return legal.filter(({ san, uci }) => [style, "letters"].some((own) => plain(written(san, own)).toLowerCase().startsWith(typed)) || uci.startsWith(typed));
}

// SAN with English letters of a text with those of a style, as far as it begins with one.
function english(text, style) {
  const letters = style === "letters" ? "" : style === "figurines" ? FIGURINES : style.split(":")[1];
  const place = [...(letters ?? "")].findIndex((letter) => text.startsWith(letter));
  const role = place < 0 ? text : "KQRBN"[place] + text.slice(1);
  return role.replace(/(?<=[1-8]=?)\S$/, (last) => "KQRBN"[[...(letters ?? "")].indexOf(last)] ?? last);
}

// Whether a piece can go from one square to another on an empty board: the next moves are not known.
function canReach(letter, from, to, isCapture) {
  const [x, y] = [to.charCodeAt(0) - from.charCodeAt(0), Number(to[1]) - Number(from[1])];
  const [wide, high] = [Math.abs(x), Math.abs(y)];
  const role = letter.toUpperCase();
  if (role === "P") {
    const forward = letter === "P" ? y : -y;
    const isFirst = from[1] === (letter === "P" ? "2" : "7");
    return isCapture ? wide === 1 && forward === 1 : wide === 0 && (forward === 1 || (forward === 2 && isFirst));
  }
  const reached = { N: wide * high === 2, K: Math.max(wide, high) === 1, R: wide * high === 0, B: wide === high, Q: wide * high === 0 || wide === high };
  return from !== to && reached[role];
}

// The premoves of a side that a typed text may mean, in UCI.
export function premoves(text, pieces, color, style = "letters") {
  const isOwn = (square) => pieces.has(square) && (pieces.get(square) < "a") === (color === "white");
  const typed = text.trim().replace(/[+#!?\s.]+/g, "");
  const squares = /^([a-h][1-8])-?([a-h][1-8])([qrbn]?)$/i.exec(typed);
  if (squares) return isOwn(squares[1].toLowerCase()) ? [squares.slice(1).join("").toLowerCase()] : [];
  const own = [...pieces.keys()].filter(isOwn);
  const castling = /^[O0]-?[O0](-?[O0])?$/i.exec(typed);
  if (castling) {
    const king = own.find((square) => pieces.get(square).toUpperCase() === "K");
    const rooks = own.filter((square) => pieces.get(square).toUpperCase() === "R" && square[1] === king?.[1] && (square > king) === !castling[1]).sort();
    const rook = castling[1] ? rooks[0] : rooks.at(-1);
    return rook ? [king + rook] : [];
  }
  for (const reading of [english(typed, style), typed]) {
    const [, role, file, rank, takes, to, becomes] = /^([KQRBN]?)([a-h]?)([1-8]?)([x:]?)([a-h][1-8])=?([QRBN]?)$/.exec(reading) ?? [];
    const isCapture = role === "" && (takes !== "" || (file !== "" && file !== to[0]));
    const found = to ? own.filter((from) => pieces.get(from).toUpperCase() === (role || "P") && from.startsWith(file) && from.endsWith(rank) && canReach(pieces.get(from), from, to, isCapture)) : [];
    if (found.length) return found.map((from) => from + to + becomes.toLowerCase());
  }
  return [];
}
