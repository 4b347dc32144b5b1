// The drawings of the pieces: one sheet for a set, a line for each role, recolored for both sides.

import { svg } from "./dom.js";
import { settings } from "./settings.js";

const LETTERS = { king: "K", queen: "Q", rook: "R", bishop: "B", knight: "N", pawn: "P" };

// The colors of the drawings: body, outline, shade, lines within the body; and what they are for White and Black.
const DRAWN = ["#fff", "#000", "#ddd", "#111"];
const PALETTES = {
  modern: [["#fff", "#26262b", "#d9d9de", "#26262b"], ["#43434b", "#17171b", "#333", "#f4f4f6"]],
  sharp: [["#fff", "#111", "#cfd2da", "#111"], ["#3d3f48", "#000", "#15161a", "#fff"]],
};

export const SETS = Object.keys(PALETTES);

let shown = null;

// Puts the drawings of the chosen set into the page.
export async function loadPieces() {
  const set = SETS.includes(settings.pieces) ? settings.pieces : SETS[0];
  if (shown === set) return;
  shown = set;
  const answer = await fetch(`/assets/${set}.svg`);
  const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  if (shown !== set) return;
  const sheet = svg("svg", { class: "hidden", "aria-hidden": "true", id: "piece-sheet" });
  for (const [role, letter] of Object.entries(LETTERS)) {
    PALETTES[set].forEach((palette, color) => {
      const group = document.importNode(drawn.getElementById(role), true);
      group.id = `piece-${color ? letter.toLowerCase() : letter}`;
      for (const part of [group, ...group.children]) {
        for (const name of ["fill", "stroke"]) {
          const index = DRAWN.indexOf(part.getAttribute(name));
          if (index >= 0) part.setAttribute(name, palette[index]);
        }
      }
      sheet.append(group);
    });
  }
  document.getElementById("piece-sheet")?.remove();
  document.body.append(sheet);
}

// The picture of a piece, which changes with the set.
export function pieceImage(letter, className = "piece") {
  return svg("svg", { viewBox: "0 0 100 100", class: className, "aria-hidden": "true" }, svg("use", { href: `#piece-${letter}` }));
}

const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

export const isWhite = (letter) => letter < "a";
export const colorOf = (letter) => (isWhite(letter) ? "white" : "black");
export const pieceName = (letter) => `${colorOf(letter)} ${NAMES[letter.toLowerCase()]}`;
export const roleName = (letter) => NAMES[letter.toLowerCase()];
