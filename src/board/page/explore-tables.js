// Tables of the games that a query finds: players, openings and cross tables. Names lead to their games.

import { get } from "./api.js";
import { crosstable } from "./crosstable.js";
import { button, checkbox, h, replace, select } from "./dom.js";
import { resultsBar } from "./explore-tree.js";
import { both } from "./find.js";
import { tellError } from "./tell.js";

const PAGE = 100;
// A text as queries have it.
const quoted = (text) => `"${text.replace(/[\\"]/g, "\\$&")}"`;
// A regular expression for a text that begins so.
const begins = (text, ends) => `/^${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(${ends}|$)/`;
const number = (value, digits = 0) => h("td", { class: "number" }, value === null || value === undefined ? "" : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
// The next finer part below each part of a name.
const BELOW = { family: "variation", variation: "name" };
const PARTS = [["family", "Openings"], ["variation", "Variations"], ["name", "Whole names"], ["eco", "Codes"]];

// Shows those rows below one whose own rows above are all open.
function showBelow(row) {
  const depth = Number(row.dataset.depth);
  const open = [];
  for (let next = row; next && (next === row || Number(next.dataset.depth) > depth); next = next.nextElementSibling) {
    const own = Number(next.dataset.depth);
    if (next !== row) next.hidden = !open.slice(depth, own).every(Boolean);
    open[own] = next.querySelector(".opens")?.getAttribute("aria-expanded") === "true";
  }
}

// The orders of the tables.
const ORDERS = { players: ["name", "usual", "games", "score", "rating", "performance"], openings: ["name", "eco", "usual", "score"], crosstable: ["usual"] };
const USUAL = { part: "family", order: "usual", isExact: false };

export class ExploreTables {
  // `address(term)` is that of the games which a term finds besides the query; `onchoice()` after another choice.
  constructor({ file, address, onchoice = () => {} }) {
    Object.assign(this, { file, address, onchoice, ...USUAL, joined: {}, limit: PAGE, asked: 0 });
    this.element = h("div", { class: "explore-table", hidden: true });
  }

  // The parts of the address for the choices of the table that is shown; the usual ones are left out.
  parts(view) {
    if (!view) return {};
    const { part, order, isExact } = this;
    return {
      by: order === USUAL.order ? "" : order, part: view !== "openings" || part === USUAL.part ? "" : part,
      exact: view !== "openings" && isExact ? "true" : "",
    };
  }

  // Takes the choices of an address.
  read(view, address) {
    const known = (list, name, usual) => (list?.includes(address.get(name)) ? address.get(name) : usual);
    Object.assign(this, {
      part: known(PARTS.map(([name]) => name), "part", USUAL.part), order: known(ORDERS[view], "by", USUAL.order), isExact: address.get("exact") === "true",
    });
  }

  // `view`: players, openings or crosstable.
  show(view, query) {
    if (view !== this.view || query !== this.query) this.limit = PAGE;
    Object.assign(this, { view, query });
    this.element.hidden = !view;
    if (view) this.load();
  }

  async load() {
    const asked = (this.asked += 1);
    const { view, query, order, part, limit, isExact } = this;
    this.element.setAttribute("aria-busy", "true");
    try {
      const found = await get(`/api/files/${this.file}/${view}?${new URLSearchParams({ query, sort: order, limit: String(limit), ...(view === "openings" ? { part } : { exact: String(isExact) }) })}`);
      if (asked !== this.asked) return;
      this.joined = found.joined ?? {};
      const draw = { players: () => this.players(found), openings: () => this.openings(found), crosstable: () => this.crosstables(found) }[view];
      const left = found.count - limit;
      replace(this.element, ...draw(), left > 0 && view !== "crosstable" && button(`Show more, ${left.toLocaleString("en")} are left`, () => {
        this.limit += 5 * PAGE;
        this.load();
      }));
    } catch (error) {
      // The fault of the query is shown below it.
      if (asked === this.asked && error.code !== "bad_query") tellError(error);
    }
    if (asked === this.asked) this.element.removeAttribute("aria-busy");
  }

  // The term for the games of a player, with every spelling that is counted.
  named(side, name) {
    // Two terms `player` side by side are two players.
    const sides = side === "player" && /player/i.test(this.query) ? ["white", "black"] : [side];
    const terms = [name, ...(this.joined[name] ?? [])].flatMap((spelling) => sides.map((own) => `${own}=${quoted(spelling)}`));
    return terms.length > 1 ? `(${terms.join(" or ")})` : terms[0];
  }

  // The name of a player as a link to the games, with the spellings that were joined.
  player(name, more = "") {
    const others = this.joined[name];
    return [this.link(this.named("player", name) + more, name), others && h("small", { class: "joined" }, ` = ${others.join(" = ")}`)];
  }

  // Whether spellings are joined.
  exact() {
    return checkbox("Exact names", this.isExact, (value) => {
      this.isExact = value;
      this.onchoice();
      this.load().then(() => this.element.querySelector(".check input")?.focus());
    }, { title: "Names in different spellings are different players" });
  }

  link(term, text, title) {
    return h("a", { href: this.address(term), title }, text);
  }

  // Headings of which some choose the order.
  head(columns) {
    return h("thead", {}, h("tr", {}, columns.map(([text, order, title]) => h("th", { scope: "col", title, "aria-sort": order && order === this.order ? "descending" : null },
      order ? button(text, () => {
        this.order = order;
        this.onchoice();
        this.load().then(() => [...this.element.querySelectorAll("thead button")].find(({ textContent }) => textContent === text)?.focus());
      }, { class: "sort" }) : text))));
  }

  players({ count, rows }) {
    const colored = (name, side, { games, score }) => h("td", { class: "number" }, games ? this.link(this.named(side, name), score === null ? "–" : `${score.toFixed(0)} %`, `${games} games with ${side === "white" ? "White" : "Black"}`) : "");
    return [h("div", { class: "actions" }, h("p", { class: "count" }, `${count.toLocaleString("en")} players`), this.exact()), h("div", { class: "wide" }, h("table", { class: "tree" },
      this.head([["Name", "name"], ["Points", "usual"], ["Games", "games"], ["Score", "score"], ["White", null, "The score with White"], ["Black", null, "The score with Black"], ["Elo", "rating", "The latest rating"], ["Perf.", "performance", "The performance"], ["Last", null, "The year of the latest game"]]),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, this.player(row.name)), number(row.points, 1), number(row.games),
        h("td", { class: "number" }, row.score === null ? "" : `${row.score.toFixed(1)} %`), colored(row.name, "white", row.as_white), colored(row.name, "black", row.as_black),
        h("td", { class: "number" }, row.rating ?? ""), h("td", { class: "number" }, row.performance ?? ""), h("td", { class: "number" }, row.last_year ?? ""))))))];
  }

  openings({ count, rows }) {
    const parts = select(PARTS, this.part, (value) => {
      this.part = value;
      this.limit = PAGE;
      this.onchoice();
      this.load().then(() => this.element.querySelector("select")?.focus());
    }, { "aria-label": "What is counted together" });
    return [h("div", { class: "actions" }, parts, h("p", { class: "count" }, `${count.toLocaleString("en")} with a name`)), h("div", { class: "wide" }, h("table", { class: "tree openings" },
      this.head([["Opening", "name"], ["ECO", "eco"], ["Games", "usual"], ["White, draws, Black"], ["White", "score", "White's score"], ["Elo", null, "White's average rating"], ["Last", null, "The year of the latest game"]]),
      h("tbody", {}, rows.map((row) => this.opening(row, this.part, 0)))))];
  }

  // A row of a name; its parts open below it.
  opening(row, part, depth, shown = row.name) {
    const term = this.ofOpening(row, part);
    const below = BELOW[part];
    let children = null;
    const opens = below && button("▸", async () => {
      const isOpen = opens.getAttribute("aria-expanded") === "true";
      if (!children) {
        opens.disabled = true;
        children = await this.openingsOf(row, below, depth + 1).catch((error) => tellError(error) ?? []);
        opens.disabled = false;
        element.after(...children);
        opens.focus();
      }
      opens.setAttribute("aria-expanded", String(!isOpen));
      opens.textContent = isOpen ? "▸" : "▾";
      showBelow(element);
    }, { class: "quiet opens", "aria-expanded": "false", "aria-label": `Parts of ${shown}` });
    const element = h("tr", { "data-depth": String(depth), class: depth ? `depth-${depth}` : null }, h("th", { scope: "row" }, h("span", { class: "named-row" }, opens, this.link(term, shown, row.name))), h("td", {}, row.eco),
      h("td", { class: "number" }, row.games.toLocaleString("en"), h("small", {}, ` ${row.share.toFixed(0)} %`)),
      h("td", { class: "bar-cell" }, resultsBar(row.white, row.draws, row.black)), h("td", { class: "number" }, row.score === null ? "" : `${row.score.toFixed(0)} %`),
      h("td", { class: "number" }, row.average_rating ?? ""), h("td", { class: "number" }, row.last_year ?? ""));
    return element;
  }

  // The term for the games of a row. They are counted by their moves, not by their tags.
  ofOpening({ name, eco }, part) {
    if (part === "eco") return `played-eco:${eco}`;
    return part === "name" ? `played-opening=${quoted(name)}` : `played-opening:${begins(name, part === "family" ? ": " : ", ")}`;
  }

  // The rows of the names that begin with this one.
  async openingsOf({ name }, part, depth) {
    const term = this.ofOpening({ name }, part === "variation" ? "family" : "variation");
    const query = both(this.query, term);
    const { rows } = await get(`/api/files/${this.file}/openings?${new URLSearchParams({ query, part, limit: String(10 * PAGE) })}`);
    // As in "Sicilian Defense: Najdorf Variation, English Attack"; a family may have a comma of its own.
    const before = name.includes(": ") ? ", " : ": ";
    const own = rows.filter((row) => row.name === name || row.name.startsWith(name + before));
    return own.map((row) => this.opening(row, part, depth, row.name === name ? "Without another name" : row.name.slice(name.length + before.length)));
  }

  crosstables({ count, rows }) {
    const left = count - rows.length;
    const note = left > 0 && h("p", { class: "note" }, `${left === 1 ? "1 more event is" : `${left} more events are`} not shown. Ask for one with event: to see its table.`);
    return [h("div", { class: "actions" }, this.exact()), ...rows.map((event) => this.crosstable(event)), note || (!rows.length && h("p", { class: "note" }, "No game has two known players."))];
  }

  crosstable({ event, distinctions = [], style, rounds, without_round: without, players }) {
    const isGrid = style === "round-robin";
    const known = event && event !== "?";
    const fixed = (value, digits) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return h("section", {}, h("h2", {}, known ? this.link(`event=${quoted(event)}`, event) : "Games without an event", distinctions.map((text) => ` · ${text}`)), crosstable({
      isGrid, rounds, players, name: (player) => this.player(player.name, known ? ` event=${quoted(event)}` : ""),
      before: [["Elo", ({ rating }) => rating ?? ""]],
      after: [["Points", ({ points }) => fixed(points, 1)],
        isGrid ? ["SB", (player) => fixed(player.sonneborn_berger, 2)] : ["Buchholz", ({ buchholz }) => fixed(buchholz, 1)], ["Perf.", ({ performance }) => performance ?? ""]],
    }), without > 0 && !isGrid && h("p", { class: "note" }, `${without} games have no round.`));
  }
}
