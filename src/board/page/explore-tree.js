// The moves of a position with their results, in an order that can be chosen.

import { button, h, replace } from "./dom.js";

const COLUMNS = [
  ["Move", null], ["Games", (row) => row.games], ["White, draws, Black", null], ["Score", (row) => row.score ?? -1, "Points of the side that moves, in percent"],
  ["Elo", (row) => row.average_rating ?? 0, "Average rating of the side that moves"], ["Perf.", (row) => row.performance ?? -9999, "Performance of the side that moves"], ["Last", (row) => row.last_year ?? 0, "The year of the latest game"],
];

export class TreeTable {
  // `onmove({ uci, san })`.
  constructor(onmove) {
    Object.assign(this, { onmove, rows: [], order: "Games" });
    this.element = h("table", { class: "tree" });
  }

  show(rows) {
    this.rows = rows;
    this.draw();
  }

  draw() {
    const total = this.rows.reduce((sum, { games }) => sum + games, 0);
    const key = COLUMNS.find(([name]) => name === this.order)[1];
    const rows = [...this.rows].sort((one, other) => key(other) - key(one));
    const heading = ([name, orders, title]) => h("th", { scope: "col", title, "aria-sort": orders && name === this.order ? "descending" : null }, !orders ? name : button(name, () => {
      this.order = name;
      this.draw();
      [...this.element.querySelectorAll("thead button")].find(({ textContent }) => textContent === name)?.focus();
    }, { class: "sort" }));
    replace(this.element, h("thead", {}, h("tr", {}, COLUMNS.map(heading))), h("tbody", {}, rows.map((row) => this.row(row, total))),
      !rows.length && h("caption", {}, "No game has a move here."));
  }

  row({ uci, san, games, white, draws, black, score, average_rating: rating, performance, last_year: year, opening }, total) {
    return h("tr", {},
      h("th", { scope: "row" }, button(san, () => this.onmove({ uci, san }), { class: "move", title: opening })),
      h("td", { class: "number" }, games.toLocaleString("en"), h("small", {}, total ? ` ${Math.round((100 * games) / total)} %` : "")),
      h("td", { class: "bar-cell" }, resultsBar(white, draws, black), opening && h("small", { class: "named" }, opening)),
      h("td", { class: "number" }, score === null ? "" : `${Math.round(score)} %`),
      h("td", { class: "number" }, rating ? Math.round(rating) : ""), h("td", { class: "number" }, performance ?? ""), h("td", { class: "number" }, year ?? ""));
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
