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

// The legal moves that a typed text may mean: SAN with or without its signs, or two squares. Letters of pieces may be
// small if that is unambiguous.
export function matches(text, legal) {
  const typed = plain(text.trim());
  if (!typed) return [];
  const exact = legal.filter(({ san, uci }) => plain(san) === typed || uci === text.trim().toLowerCase());
  if (exact.length) return exact;
  const small = typed.toLowerCase();
  return legal.filter(({ san, uci }) => plain(san).toLowerCase() === small || uci === small);
}

// Whether more letters may make a move of it.
export function begins(text, legal) {
  const typed = plain(text.trim()).toLowerCase();
  return legal.filter(({ san, uci }) => plain(san).toLowerCase().startsWith(typed) || uci.startsWith(typed));
}
