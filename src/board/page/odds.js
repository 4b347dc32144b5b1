// A start at odds: one side begins without some of its men.

import { choice, h } from "./dom.js";
import { pieceImage, pieceName } from "./pieces.js";
import { readPlacement, START, writePlacement } from "./placement.js";

// The squares of White's men that may be taken away; Black's are on the other side of the board.
const MEN = ["a1", "b1", "c1", "d1", "f1", "g1", "h1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"];
const mirrored = (square) => square[0] + (9 - Number(square[1]));
const ofSide = (square, side) => (side === "white" ? square : mirrored(square));

// `odds`: { side, without: squares of White's men }. The server says which castlings are left.
export function oddsFen({ side, without }) {
  const pieces = readPlacement(START);
  for (const square of without) pieces.delete(ofSide(square, side));
  return [writePlacement(pieces), ...START.split(" ").slice(1)].join(" ");
}

// The fields of the form; `onchange(odds, isOther)` gets what is chosen, `isOther` if it is the other side.
export function oddsFields(odds, onchange) {
  const pieces = readPlacement(START);
  const men = h("div", { class: "odds", role: "group", "aria-label": "Begins without" }, MEN.map((white) => {
    const square = ofSide(white, odds.side);
    const letter = pieces.get(square);
    const input = h("input", { type: "checkbox", ".checked": odds.without.includes(white), "aria-label": `${pieceName(letter)} on ${square}`, onchange: () => {
      const without = odds.without.filter((other) => other !== white);
      odds = { ...odds, without: input.checked ? [...without, white] : without };
      onchange(odds, false);
    } });
    return h("label", { title: `${pieceName(letter)} on ${square}` }, input, pieceImage(letter, "choice-piece"), h("small", {}, square));
  }));
  return h("div", {}, choice("Who gives the odds", [{ value: "white", label: "White" }, { value: "black", label: "Black" }], odds.side, (side) => onchange({ ...odds, side }, true)),
    h("span", { class: "label" }, "Begins without"), men);
}
