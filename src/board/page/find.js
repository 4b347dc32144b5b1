// "Find this position": from any board to the collections that have it.

import { aboutServer } from "./api.js";
import { button, dialog, h } from "./dom.js";
import { START } from "./placement.js";
import { go } from "./router.js";
import { tellError, toast } from "./tell.js";

// A query for what two queries find; a comment in the first one ends with its line.
export function both(one, other) {
  if (!one || !other) return one || other;
  return /\bor\b|#|\n/i.test(one) ? `(${one}${one.includes("#") ? "\n" : ""}) ${other}` : `${one} ${other}`;
}

// The address of the explorer at a position, reached by these moves in SAN, with a query, in an order; the moves of
// the tree are in the order `tree`. `table` has what is chosen for a table.
export function exploreAddress(file, { fen = START, moves = [], query = "", view = "", sort = "", tree = "", table = {} }) {
  const parts = { fen: fen === START ? "" : fen, moves: moves.join(" "), query, view, sort, tree, ...table };
  const search = new URLSearchParams(Object.entries(parts).filter(([, value]) => value)).toString();
  return `/explore/${file}${search ? `?${search}` : ""}`;
}

// Opens the explorer of a collection, of which one is chosen if there are several. `parts` are those of its address.
async function openExplorer(title, parts) {
  try {
    const { files = [] } = await aboutServer();
    const open = ({ id }) => go(exploreAddress(id, parts));
    if (files.length === 1) return open(files[0]);
    if (!files.length) return toast("No collection is open. Start the board with one: hematite board games.pgn", "error");
    const box = dialog(title, h("div", { class: "choices" }, files.map((file) => button(file.name, () => {
      box.close();
      open(file);
    }))), { className: "small" });
  } catch (error) {
    tellError(error);
  }
  return undefined;
}

// The games that reach a position. `position`: { start, moves, fen } with moves in SAN.
export function findPosition({ start, moves, fen }) {
  return openExplorer("Find this position in", { fen: start, moves, query: fen === START ? "" : `fen:"${fen}"` });
}

// The games that a query finds.
export function findGames(query) {
  return openExplorer("Find these games in", { query });
}
