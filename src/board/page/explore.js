// Collections of games: a query, its games, and the moves of a position with their results.

import { aboutServer, get, position, post } from "./api.js";
import { Board } from "./board.js";
import { h, iconButton, isTyping, replace, button } from "./dom.js";
import { MoveEntry } from "./entry.js";
import { marked, played, readPlacement, START, turnOf } from "./placement.js";
import { setAddress, setTitle } from "./router.js";
import { tellError } from "./tell.js";
import { PAGE_ROWS, VirtualList } from "./virtual-list.js";

const ROW_PX = 44;
const WAIT_MS = 250;

// Terms that are proposed while typing; docs/queries.md has them all.
const TERMS = [
  "player:", "white:", "black:", "winner:", "loser:", "event:", "site:", "opening:", "eco:B20..B99", "date>=1990", "result:1-0", "result:0-1", "result:1/2-1/2",
  "elo>=2400", "moves<25", "move:Nxf7", "line:", "material:", "structure:", "in:endgame", "end:mate", "mate", "check", "sacrifice", "promotion", "commented", "castled:",
];

export function exploreView(container, { parts: [file], query }) {
  if (file === undefined) return chooseFile(container);
  return new ExploreView(container, Number(file), query.get("query") ?? "");
}

function chooseFile(container) {
  const list = h("div", { class: "doors" });
  replace(container, h("section", { class: "files" }, h("h1", {}, "Explore"), list));
  aboutServer().then(({ files = [] }) => {
    if (files.length === 1) return setTimeout(() => container.isConnected && location.replace(`/explore/${files[0].id}`));
    replace(list, files.map(({ id, name }) => h("a", { class: "card door", href: `/explore/${id}` }, h("div", {}, h("h2", {}, name)))));
    if (!files.length) {
      replace(list, h("div", { class: "card" }, h("h2", {}, "No collection is open"),
        h("p", {}, "Start with a file of games to look through it:"), h("pre", {}, "hematite board games.pgn"),
        h("p", {}, "A single game can also be opened on the ", h("a", { href: "/analyse" }, "analysis board"), ".")));
    }
    return undefined;
  }).catch(tellError);
  return null;
}

class ExploreView {
  constructor(container, file, query) {
    Object.assign(this, { file, query, moves: [], request: null });
    this.input = h("input", {
      type: "search", ".value": query, placeholder: "All games. For example: player:tal result:1-0", "aria-label": "Query", spellcheck: "false", autocomplete: "off",
      list: "query-terms", "aria-describedby": "query-error", oninput: () => this.typed(),
    });
    this.error = h("div", { id: "query-error", class: "query-error", role: "status" });
    this.count = h("p", { class: "count", role: "status" });
    this.list = new VirtualList({ load: (skip, limit) => this.load(skip, limit).then(({ games }) => games), row: (game) => this.row(game), rowPx: ROW_PX, label: "Games" });
    this.board = new Board({ label: "Position of the tree" });
    this.entry = new MoveEntry(this.board, { onmove: (move) => this.play(move) });
    this.path = h("p", { class: "path" });
    this.rows = h("table", { class: "tree" });
    this.heading = h("h1", {}, "Explore");
    replace(container, h("section", { class: "explore" }, h("header", { class: "explore-header" }, this.heading,
      h("form", { class: "query", role: "search", onsubmit: (event) => {
        event.preventDefault();
        this.search();
      } }, this.input, h("datalist", { id: "query-terms" }, TERMS.map((term) => h("option", { value: term }))), h("button", { type: "submit", class: "primary" }, "Find")),
      this.error),
    h("div", { class: "opening-tree" }, this.board.frame,
      h("div", { class: "tree-side" }, h("div", { class: "tools" }, iconButton("first", "To the start", () => this.setMoves([])),
        iconButton("back", "One move back (Left)", () => this.setMoves(this.moves.slice(0, -1))), iconButton("flip", "Turn the board (f)", () => this.board.flip())),
      h("div", { class: "actions" },
        button("Analyze", () => this.facts && location.assign(`/analyse?fen=${encodeURIComponent(this.facts.fen)}`)),
        button("Study", () => location.assign(`/study?${new URLSearchParams({ file: String(this.file), query: this.query })}`), { title: "Guess the moves of these games" }),
        button("Games from here", () => this.here(), { title: "Only games that reach this position" })),
      this.path, h("div", { class: "wide" }, this.rows))),
    h("div", { class: "games-found" }, this.count, this.list.element)));
    this.keys = (event) => {
      if (isTyping(event)) return;
      if (event.key === "ArrowLeft" && this.moves.length) this.setMoves(this.moves.slice(0, -1));
      else if (event.key === "f") this.board.flip();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", this.keys);
    this.end = () => {
      document.removeEventListener("keydown", this.keys);
      clearTimeout(this.timer);
      this.list.end();
    };
    aboutServer().then(({ files = [] }) => {
      this.heading.textContent = files.find(({ id }) => id === file)?.name ?? "Explore";
      setTitle(this.heading.textContent);
    }).catch(tellError);
    this.search();
    this.show();
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), WAIT_MS);
  }

  load(skip, limit) {
    return get(`/api/files/${this.file}/games?${new URLSearchParams({ query: this.query, skip: String(skip), limit: String(limit) })}`);
  }

  async search() {
    clearTimeout(this.timer);
    this.query = this.input.value.trim();
    const { query } = this;
    try {
      const { count, games } = await this.load(0, PAGE_ROWS);
      if (query !== this.query) return;
      replace(this.error);
      this.input.setAttribute("aria-invalid", "false");
      this.count.textContent = count === 1 ? "1 game" : `${count.toLocaleString("en")} games`;
      this.list.set(count, games);
      setAddress(`/explore/${this.file}${query ? `?${new URLSearchParams({ query })}` : ""}`);
      this.showTree();
    } catch (error) {
      if (query !== this.query) return;
      this.input.setAttribute("aria-invalid", "true");
      const { column } = error;
      // A mark below the place in the text that cannot be read.
      const mark = column ? h("pre", {}, `${query}\n${" ".repeat(column - 1)}^`) : null;
      replace(this.error, mark, h("p", {}, error.message));
    }
  }

  row({ number, white, black, result, date, event, eco, plies }) {
    const shown = (result ?? "*").replace("1/2-1/2", "½–½").replace("-", "–");
    return h("a", { class: "game-row", href: `/analyse/${this.file}/${number}${this.query ? `?${new URLSearchParams({ query: this.query })}` : ""}` }, h("span", { class: "names" }, `${white || "?"} – ${black || "?"}`),
      h("span", { class: "result" }, shown), h("span", { class: "eco" }, eco ?? ""), h("span", { class: "date" }, (date ?? "").replaceAll(".??", "")),
      h("span", { class: "event" }, event ?? ""), h("span", { class: "plies" }, plies === null ? "" : `${Math.ceil(plies / 2)}`));
  }

  play(move) {
    this.setMoves([...this.moves, { uci: move.uci, san: move.san }]);
  }

  setMoves(moves) {
    this.moves = moves;
    this.show();
    this.showTree();
  }

  here() {
    if (!this.facts) return;
    const others = this.query.replace(/\s*fen:"[^"]*"/g, "").trim();
    this.input.value = [others, `fen:"${this.facts.fen}"`].filter(Boolean).join(" ");
    this.search();
  }

  show() {
    const { moves } = this;
    let pieces = readPlacement(START);
    let last = [];
    for (const { uci, san } of moves) {
      last = marked(pieces, uci, san);
      pieces = played(pieces, uci, san);
    }
    this.board.setPieces(pieces);
    this.board.mark("last", last);
    this.entry.set({ pieces });
    this.path.textContent = moves.map(({ san }, index) => `${index % 2 ? "" : `${index / 2 + 1}. `}${san}`).join(" ") || "The initial position";
    position(START, moves.map(({ uci }) => uci)).then((facts) => {
      if (this.moves !== moves) return;
      this.facts = facts;
      this.board.mark("check", [facts.check]);
      this.entry.set({ pieces, legal: facts.legal, mover: turnOf(facts.fen) });
      if (facts.opening) this.path.append(h("span", { class: "opening" }, ` ${facts.opening.eco} ${facts.opening.name}`));
    }).catch(tellError);
  }

  async showTree() {
    const { moves, query } = this;
    try {
      const found = await post(`/api/files/${this.file}/tree`, { fen: START, moves: moves.map(({ uci }) => uci), query });
      if (this.moves !== moves || this.query !== query) return;
      const rows = Array.isArray(found) ? found : (found.rows ?? []);
      const total = rows.reduce((sum, { games }) => sum + games, 0);
      replace(this.rows, h("thead", {}, h("tr", {}, ["Move", "Games", "White, draws, Black", "Rating"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows.map((row) => this.treeRow(row, total))),
        !rows.length && h("caption", {}, "No game goes on from here."));
    } catch (error) {
      if (error.code !== "bad_query" && error.column === null) tellError(error);
    }
  }

  treeRow({ uci, san, games, white, draws, black, average_rating: rating }, total) {
    const share = (count) => (games ? Math.round((100 * count) / games) : 0);
    const part = (name, count) => {
      const element = h("span", { class: name }, share(count) >= 15 ? `${share(count)} %` : "");
      element.style.flexGrow = String(count);
      return count > 0 ? element : null;
    };
    return h("tr", {},
      h("th", { scope: "row" }, button(san, () => this.play({ uci, san }), { class: "move" })),
      h("td", { class: "number" }, games.toLocaleString("en"), h("small", {}, total ? ` ${Math.round((100 * games) / total)} %` : "")),
      h("td", {}, h("div", { class: "results", role: "img", "aria-label": `White ${share(white)} %, draws ${share(draws)} %, Black ${share(black)} %` }, part("won", white), part("drawn", draws), part("lost", black))),
      h("td", { class: "number" }, rating ? Math.round(rating) : ""));
  }
}
