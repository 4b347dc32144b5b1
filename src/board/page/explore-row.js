// A row of a list of games: players, result, opening, and where the game is from.

import { h } from "./dom.js";
import { lastFound } from "./found-games.js";
import { writtenResult } from "./speech.js";

const known = (text) => (text && !["?", "-"].includes(text) ? text : "");
const elo = (text) => (/^\d+$/.test(text) && text !== "0" ? h("small", {}, ` ${text}`) : null);

// The name of a file without its folders.
const fileName = (path) => path.split(/[\\/]/).pop();

// The address of a game, at the place at which it was found. `search` is what its list asks for.
export function gameAddress(file, { number, hit }, search = "") {
  return `/analyse/${file}/${number}${search ? `?${search}` : ""}${hit?.path ? `#m${hit.path}` : ""}`;
}

export class GameRow {
  // `search()`: what the list asks for; `menu(number)` makes the button behind the row; `box(game)` the one before it,
  // or null.
  constructor({ file, search, menu, box }) {
    Object.assign(this, { file, search, menu, box });
  }

  element(game) {
    const { number, white, black, white_elo: whiteElo, black_elo: blackElo, result, date, event, round, eco, annotator, annotated, opening, opening_by_moves: isByMoves, plies, file, hit } = game;
    const place = [known(event), known(round) && `(${round})`].filter(Boolean).join(" ");
    const about = annotator ? `Annotated by ${annotator}` : annotated ? "With comments, signs or variations" : "";
    const named = [opening, isByMoves && "by its moves"].filter(Boolean).join(", ");
    const search = this.search();
    const isLast = lastFound.number(this.file) === number;
    const link = h("a", { class: "game-row", href: gameAddress(this.file, game, search), "aria-current": isLast ? "true" : null }, h("span", { class: "names" },
      h("span", {}, about && h("span", { title: about }, "✎ ", h("span", { class: "hidden" }, `${about}: `)), white || "?", elo(whiteElo)), h("span", { class: "dash" }, " – "), h("span", {}, black || "?", elo(blackElo))),
    h("span", { class: "result" }, writtenResult(result ?? "*")), h("span", { class: `eco ${isByMoves ? "by-moves" : ""}`, title: named || null }, eco ?? ""), h("span", { class: "date" }, (date ?? "").replaceAll(".??", "")),
    h("span", { class: "event" }, h("span", {}, [file && h("span", { class: "from", title: file }, fileName(file)), file && place && " · ", place].filter(Boolean)), opening && h("small", { class: isByMoves ? "by-moves" : null, title: named }, opening)),
    h("span", { class: "plies", title: hit ? `Found after ${hit.ply} plies` : null }, plies === null || plies === undefined ? "" : `${Math.ceil(plies / 2)}`));
    const box = this.box(game);
    return h("div", { class: box ? "game-line selecting" : "game-line" }, box, link, this.menu(number));
  }
}
