// A match between engines as it is played: its boards, the table, and the course of its test.

import { Board } from "./board.js";
import { Curve } from "./curve.js";
import { h, replace, svg } from "./dom.js";
import { scoreText } from "./engine-link.js";
import { copyButtons, pgnOf } from "./picture.js";
import { marked, readPlacement } from "./placement.js";
import { PlayerBar } from "./player-bar.js";
import { setTitle } from "./router.js";
import { settings } from "./settings.js";
import { Socket } from "./socket.js";
import { written } from "./speech.js";
import { announce } from "./tell.js";

const SHOWN_PLIES = 8;
const [WIDTH, HEIGHT] = [600, 160];
const RESULT = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };

export function watchView(container) {
  const boards = new Map();
  const heading = h("h1", {}, "Match");
  const status = h("p", { class: "subtitle", role: "status" });
  const grid = h("div", { class: "live-boards" });
  const table = h("div", { class: "wide" });
  const test = h("figure", { class: "llr" });
  const recent = h("ol", { class: "recent", tabindex: "0", "aria-label": "Games that are over" });
  let isOver = false;
  // This server has nothing but the match.
  document.body.classList.add("alone");
  replace(container, h("section", { class: "watch" }, h("header", {}, heading, status), grid,
    h("div", { class: "standing" }, h("h2", {}, "Standing"), table, test, h("h2", {}, "Games that are over"), recent)));
  const socket = new Socket("/api/live/socket", {
    onmessage: ({ boards: changed = [], standing }) => {
      for (const game of changed) {
        if (!boards.has(game.place)) {
          const board = new LiveBoard();
          boards.set(game.place, board);
          replace(grid, [...boards].sort(([a], [b]) => a - b).map(([, { element }]) => element));
        }
        boards.get(game.place).show(game);
      }
      if (standing) showStanding(standing);
    },
  });

  function showStanding({ names, conditions, games, total, table: rows, sprt, recent: over, ended }) {
    heading.textContent = names.length === 2 ? names.join(" – ") : "Match";
    setTitle(heading.textContent);
    status.textContent = [ended, `${games} of ${total} games`, conditions].filter(Boolean).join(" · ");
    if (ended && !isOver) {
      isOver = true;
      announce(ended);
      // It ends with the program; nothing comes any more.
      socket.close();
    }
    replace(table, crosstable(rows));
    test.hidden = !sprt;
    if (sprt) replace(test, ...curve(sprt));
    replace(recent, over.map(({ round, white, black, result, reason, plies }) =>
      h("li", {}, h("span", { class: "names" }, `${white} – ${black}`), h("b", {}, RESULT[result] ?? result), h("small", {}, `${round} · ${Math.ceil(plies / 2)} moves · ${reason}`))));
  }
  return {
    end() {
      document.body.classList.remove("alone");
      boards.forEach((board) => board.end());
      socket.close();
    },
  };
}

// A board with its players, their clocks, and how the engines judge.
class LiveBoard {
  constructor() {
    this.board = new Board();
    [this.white, this.black] = [new PlayerBar(), new PlayerBar()];
    this.curve = new Curve(() => {});
    this.moves = h("p", { class: "last-moves" });
    const copies = copyButtons({
      shown: () => ({ fen: this.game.fen, last: this.last }), pgn: () => this.pgn(),
      link: () => location.href, linkName: "Copy the link to watch",
    });
    this.element = h("article", { class: "live-board" }, this.black.element, this.board.frame, this.white.element, h("div", { class: "live-curve" }, this.curve.element), h("div", { class: "live-foot" }, this.moves, copies));
    this.pieces = null;
  }

  show(game) {
    const pieces = readPlacement(game.fen);
    const sans = game.moves ? game.moves.split(" ") : [];
    this.board.grid.setAttribute("aria-label", `${game.white} – ${game.black}, game ${game.round}`);
    this.last = game.uci && this.pieces ? marked(this.round === game.round ? this.pieces : pieces, game.uci, sans.at(-1)) : [];
    this.board.mark("last", this.last);
    this.board.setPieces(pieces);
    Object.assign(this, { pieces, game, round: game.round });
    for (const color of ["white", "black"]) {
      const hasMove = !game.result && game.turn === color;
      const left = game[`${color}_ms`];
      this[color].set({
        color, name: game[color], note: this.note(game, color), more: [], lead: 0, hasMove,
        clock: { ms: left === null ? null : left - (hasMove ? game.running_ms : 0), isRunning: hasMove, isOwn: false },
      });
    }
    const nodes = game.scores.map((score) => ({ eval: score, parent: null }));
    this.curve.show({ mainLine: nodes }, nodes.at(-1));
    const first = Math.max(0, sans.length - SHOWN_PLIES);
    replace(this.moves, game.result ? h("b", {}, `${RESULT[game.result] ?? game.result} ${game.reason}`) : `… ${sans.slice(first).map((san) => written(san, settings.pieceNames)).join(" ")}`);
  }

  // The moves so far.
  pgn() {
    const { round, white, black, result, start, moves } = this.game;
    return pgnOf({ tags: Object.entries({ Round: round, White: white, Black: black }), start, result: result ?? "*", moves: moves.split(" ").filter(Boolean).map((san) => ({ san })) });
  }

  // The last evaluation of a side, from White's view.
  note({ scores, turn }, color) {
    const last = scores.length - (turn === color ? 2 : 1);
    const score = scores[last];
    return score === null || score === undefined ? "" : scoreText(typeof score === "number" ? { cp: score } : score);
  }

  end() {
    this.white.clock.stop();
    this.black.clock.stop();
  }
}

// With the minus of typography.
function number(value, digits = 0) {
  return value === null ? "" : value.toFixed(digits).replace("-", "−");
}

function crosstable(rows) {
  const head = ["", "Engine", "Points", "Games", "Elo", ...(rows.length > 2 ? rows.map((_, index) => String(index + 1)) : ["+", "=", "−"])];
  const cells = ({ against, wins, draws, losses }) => (rows.length > 2
    ? against.map((counts) => (counts ? `+${counts[0]} =${counts[1]} −${counts[2]}` : "·")) : [wins, draws, losses].map(String));
  return h("table", { class: "tree" }, h("thead", {}, h("tr", {}, head.map((text) => (text ? h("th", { scope: "col" }, text) : h("td", {}))))),
    h("tbody", {}, rows.map((row, index) => h("tr", {}, h("td", {}, String(index + 1)), h("th", { scope: "row" }, row.name), h("td", {}, number(row.points, 1)), h("td", {}, String(row.games)),
      h("td", {}, row.elo === null || !row.games ? "–" : `${number(row.elo)} ± ${number(row.error) || "?"}`), cells(row).map((text) => h("td", {}, text))))));
}

// The log-likelihood ratio between its bounds.
function curve({ llr, lower, upper, elo0, elo1, curve: points }) {
  const last = Math.max(1, points.at(-1)?.[0] ?? 1);
  const most = Math.max(upper, ...points.map(([, value]) => value)) * 1.1;
  const least = Math.min(lower, ...points.map(([, value]) => value)) * 1.1;
  const y = (value) => ((HEIGHT * (most - value)) / (most - least)).toFixed(1);
  const bound = (value, name) => svg("line", { class: name, x1: 0, x2: WIDTH, y1: y(value), y2: y(value) });
  const text = `LLR ${number(llr, 2)} between ${number(lower, 2)} and ${number(upper, 2)}, Elo ${elo0} or ${elo1}`;
  return [h("figcaption", {}, text), svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": text },
    bound(upper, "accepted"), bound(lower, "rejected"), bound(0, "even"),
    svg("polyline", { points: points.map(([games, value]) => `${((WIDTH * games) / last).toFixed(1)},${y(value)}`).join(" ") }))];
}
