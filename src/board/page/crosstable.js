// A cross table: a grid of all players if all have met, otherwise round by round.

import { h } from "./dom.js";

const SIGNS = { 0: "0", 0.5: "½", 1: "1" };
const FORFEITS = { 0: "−", 1: "+" };

function sign({ points, forfeit }) {
  return (forfeit && FORFEITS[points]) || (SIGNS[points] ?? "*");
}

// `players` are in the order of their places, each with `games`: { opponent, round, color, points, forfeit }; an
// opponent is a place in the list, and none is a bye. `name(player)` is its cell; `before` and `after` are more
// columns, [heading, cell(player), explanation].
export function crosstable({ isGrid, rounds, players, name, before = [], after = [] }) {
  const columns = isGrid ? players.map((_, index) => index + 1) : rounds;
  const cell = ({ games }, own, column) => {
    const found = games.filter(({ opponent, round }) => (isGrid ? opponent : round) === column);
    if (isGrid) return own + 1 === column ? "·" : found.map(sign).join("");
    return found.map((game) => (game.opponent === null ? "bye" : `${game.opponent}${game.color.toLowerCase() === "white" ? "w" : "b"}${sign(game)}`)).join(" ") || "–";
  };
  const head = ([text, cell, title, kind]) => h("th", { scope: "col", title, class: kind ?? (cell || text === "#" ? "number" : null) }, String(text));
  const number = (player) => ([, text]) => h("td", { class: "number" }, text(player));
  return h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Cross table" }, h("table", { class: "tree" },
    h("thead", {}, h("tr", {}, [["#"], ["Name"], ...before, ...columns.map((column) => [column, null, null, "met"]), ...after].map(head))),
    h("tbody", {}, players.map((player, index) => h("tr", {}, h("td", { class: "number" }, String(index + 1)), h("th", { scope: "row" }, name(player)),
      before.map(number(player)), columns.map((column) => h("td", { class: "met" }, cell(player, index, column))), after.map(number(player)))))));
}
