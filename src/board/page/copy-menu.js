// The menu to copy of a game: all of it, its moves alone, the shown line, or the position.

import { openMenu } from "./menu.js";
import { copy, tellError } from "./tell.js";

// Moves with their numbers, as `number(node)` has them: "1. e4 e5 2. Nf3".
export function movesText(nodes, number, mover) {
  return nodes.map((node, index) => `${index === 0 || mover(node) === "white" ? `${number(node)} ` : ""}${node.san}`).join(" ");
}

// `tree`, the `node` that is shown, `fen` of its position, `pgn()` of the game.
export function openCopyMenu(button, { tree, node, fen, pgn }) {
  const text = (nodes) => movesText(nodes, (one) => tree.number(one), (one) => tree.mover(one));
  let end = node;
  while (end.next) end = end.next;
  const { left, bottom } = button.getBoundingClientRect();
  openMenu(left, bottom, [
    ["The game (PGN)", () => pgn().then((game) => copy(game, "The game")).catch(tellError)],
    tree.mainLine.length > 0 && ["The moves of the game", () => copy(text(tree.mainLine), "The moves")],
    node.parent && ["The moves up to here", () => copy(text(node.line), "The moves")],
    end.parent && ["The line that is shown", () => copy(text(end.line), "The line")],
    ["The position (FEN)", () => copy(fen, "The position")],
  ]);
}
