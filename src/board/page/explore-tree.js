// The moves of a position with their numbers, in an order that can be chosen.

import { button, h, replace } from "./dom.js";
import { settings } from "./settings.js";
import { written } from "./speech.js";

// The class of cells and headings of numbers.
const NUMBER = "number";
const number = (...content) => h("td", { class: NUMBER }, ...content);
const counted = (count, percent) => number(count.toLocaleString("en"), h("small", {}, ` ${Math.round(percent)} %`));
const named = ({ eco, opening }) => opening && h("small", { class: "named" }, [eco, opening].filter(Boolean).join(" "));
const barred = (bar, row) => h("td", { class: "bar-cell" }, bar, named(row));

// A heading, its explanation, the value that orders rows, and the cell of a row among so many games.
const COLUMNS = {
  games: { text: "Games", order: (row) => row.games, cell: (row, total) => counted(row.games, total ? (100 * row.games) / total : 0) },
  lines: { text: "Lines", title: "Openings with a name that have this move", cell: (row) => counted(row.lines, row.percent) },
  weight: { text: "Weight", title: "How often the book chooses this move, relative to the others", cell: (row) => counted(row.weight, row.percent) },
  results: { text: "White, draws, Black", cell: (row) => barred(resultsBar(row.white, row.draws, row.black), row) },
  share: { text: "Opening", cell: (row) => barred(shareBar(row.percent), row) },
  score: { text: "Score", title: "Points of the side that moves, in percent", order: (row) => row.score ?? -1, cell: ({ score }) => number(score === null ? "" : `${Math.round(score)} %`) },
  rating: { text: "Elo", title: "Average rating of the side that moves", order: (row) => row.average_rating ?? 0, cell: (row) => number(row.average_rating ?? "") },
  performance: { text: "Perf.", title: "Performance of the side that moves", order: (row) => row.performance ?? -9999, cell: (row) => number(row.performance ?? "") },
  year: { text: "Last", title: "The year of the latest game", order: (row) => row.last_year ?? 0, cell: (row) => number(row.last_year ?? "") },
};
const WITH_BARS = ["results", "share"];
const ALL = ["games", "results", "score", "rating", "performance", "year"];
export const USUAL_ORDER = "games";

// Whether moves can be ordered by this.
export const isOrder = (name) => ALL.includes(name) && Boolean(COLUMNS[name].order);

export class TreeTable {
  // `onmove({ uci, san })`; `onorder(name)` when another order is chosen: without it, the order is that of the rows.
  constructor({ onmove, onorder = null }) {
    Object.assign(this, { onmove, onorder, rows: [], columns: ALL, order: USUAL_ORDER });
    this.element = h("table", { class: "tree" });
  }

  show(rows, { columns = this.columns, nothing = "No game has a move here." } = {}) {
    Object.assign(this, { rows, columns, nothing });
    this.draw();
  }

  setOrder(name) {
    if (name === this.order) return;
    this.order = name;
    this.draw();
  }

  draw() {
    const { order, columns, onorder } = this;
    const total = this.rows.reduce((sum, { games = 0 }) => sum + games, 0);
    const key = COLUMNS[order].order;
    const rows = onorder ? [...this.rows].sort((one, other) => key(other) - key(one)) : this.rows;
    const heading = (name) => {
      const { text, title, order: orders } = COLUMNS[name];
      return h("th", { scope: "col", title, class: WITH_BARS.includes(name) ? null : NUMBER, "aria-sort": onorder && name === order ? "descending" : null }, !orders || !onorder ? text : button(text, () => {
        this.setOrder(name);
        [...this.element.querySelectorAll("thead button")].find(({ textContent }) => textContent === text)?.focus();
        onorder(name);
      }, { class: "sort" }));
    };
    replace(this.element, rows.length > 0 && h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), columns.map(heading))), h("tbody", {}, rows.map((row) => h("tr", {},
      h("th", { scope: "row" }, button(written(row.san, settings.pieceNames), () => this.onmove(row), { class: "move", title: row.opening })), columns.map((name) => COLUMNS[name].cell(row, total))))),
    !rows.length && h("caption", {}, this.nothing));
  }
}

// Won, drawn and lost games as parts of a bar.
export function resultsBar(white, draws, black) {
  const all = white + draws + black;
  const share = (count) => (all ? Math.round((100 * count) / all) : 0);
  const part = (name, count) => {
    const element = h("span", { class: name }, share(count) >= 15 ? `${share(count)} %` : "");
    element.style.flexGrow = String(count);
    return count > 0 ? element : null;
  };
  return h("div", { class: "results", role: "img", "aria-label": `White ${share(white)} %, draws ${share(draws)} %, Black ${share(black)} %` }, part("won", white), part("drawn", draws), part("lost", black));
}

// A share as the filled part of a bar, which the number beside it states.
function shareBar(percent) {
  const filled = h("span", {});
  filled.style.width = `${percent}%`;
  return h("div", { class: "share", "aria-hidden": "true" }, filled);
}
