// An arena: the time that is left, the table with the games of each player, and the games.

import { button, h } from "./dom.js";
import { clockText } from "./clock.js";
import { liveBoard, MOST } from "./live-boards.js";

const RESULTS = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };
const TICK_MS = 1000;

export const isArena = (state) => Boolean(state.format.arena);

// The remaining time, counted down from the last state of the server.
export class TimeLeft {
  constructor(element) {
    Object.assign(this, { element, end: null, timer: setInterval(() => this.show(), TICK_MS) });
  }

  set(leftMs) {
    this.end = leftMs === null ? null : performance.now() + leftMs;
    this.show();
  }

  show() {
    const left = this.end === null ? null : Math.max(0, this.end - performance.now());
    this.element.textContent = left === null ? "" : left > 0 ? `${clockText(TICK_MS * Math.ceil(left / TICK_MS))} left` : "The time is up. The last games are played to their end.";
  }

  stop() {
    clearInterval(this.timer);
  }
}

function sheet(games) {
  return games.map(({ points, double, berserk, opponent, color }) => h("span", { class: double ? "double" : null, title: `${color} against number ${opponent}${double ? ", double points" : ""}${berserk ? ", berserk" : ""}` }, points === null ? "*" : String(points), berserk && h("span", { class: "berserk", "aria-hidden": "true" }, "½"), berserk && h("span", { class: "hidden" }, " berserk")));
}

export function arenaTable(view) {
  const { state } = view;
  const ranked = view.ranked();
  const [first, second] = ranked;
  const name = (player) => [...view.name(player), player.streak && h("small", { class: "streak", title: "Two wins in a row: the next game counts double" }, "×2")];
  return h("section", {}, h("h2", {}, "Standings"),
    state.phase === "over" && first && first.place !== second?.place && h("p", { class: "panel offer" }, h("b", {}, first.name), ` wins with ${first.points} points.`),
    h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Standings" }, h("table", { class: "tree stacked" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "#"), h("th", { scope: "col" }, "Name"), h("th", { scope: "col", class: "number" }, "Points"), h("th", { scope: "col" }, "Games"))),
      h("tbody", {}, ranked.map((player) => h("tr", {}, h("td", { class: "number" }, String(player.place)), h("th", { scope: "row" }, name(player)),
        h("td", { class: "number" }, h("b", {}, String(player.points))), h("td", { class: "sheet" }, sheet(player.games))))))),
    h("p", { class: "note" }, "A win is 2 points and a draw 1; after two wins in a row the games count double until one is not won. A win with half the time (½) is one point more. Equal points are decided by the number of wins."));
}

// The games that are played, and the others if all are asked for.
export function arenaGames(view, isAll, onpgn) {
  const games = view.pairings().filter(({ game }) => game);
  const row = ({ white, black, game, result, board }, live = null) => h("li", {}, h("a", { href: `/game/${game}` }, live,
    h("span", { class: "names" }, `${view.nameOf(white)} – ${view.nameOf(black)}`), h("small", {}, `Game ${board}`), h("span", { class: "result" }, result ? RESULTS[result] ?? result : "in progress")));
  const part = (title, found) => [h("h2", {}, title), found.length ? h("ul", { class: "game-list" }, found.map((pairing) => row(pairing))) : h("p", { class: "note" }, "None at the moment.")];
  const now = games.filter(({ result }) => !result);
  const [first, others] = [now.slice(0, MOST), now.slice(MOST)];
  const side = (pairing) => (pairing.black === view.player ? "black" : "white");
  return h("section", {}, first.length > 0 ? [h("h2", {}, "Games now"), h("ul", { class: "game-list live-list" }, first.map((pairing) => row(pairing, liveBoard(pairing.game, side(pairing)))))] : part("Games now", []),
    others.length > 0 && part("More games", others),
    isAll && part("Games that are over", games.filter(({ result }) => result).reverse()),
    h("div", { class: "actions" }, button("PGN of all games", onpgn, { class: "quiet" })));
}
