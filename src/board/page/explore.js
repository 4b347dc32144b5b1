// Collections of games: a query, its games and tables of them, and the moves of a position with their results.

import { aboutServer, get, position, post } from "./api.js";
import { Board } from "./board.js";
import { button, h, iconButton, isTyping, replace, select } from "./dom.js";
import { MoveEntry } from "./entry.js";
import { NotableGames } from "./explore-notable.js";
import { GameRow } from "./explore-row.js";
import { ExploreTables } from "./explore-tables.js";
import { isOrder, TreeTable, USUAL_ORDER } from "./explore-tree.js";
import { FileChanges } from "./file-changes.js";
import { both, exploreAddress } from "./find.js";
import { lastFound } from "./found-games.js";
import { copyButtons } from "./picture.js";
import { marked, played, readPlacement, START, turnOf } from "./placement.js";
import { QueryField } from "./query-field.js";
import { go, setAddress, setTitle } from "./router.js";
import { openSavedQueries } from "./saved-queries.js";
import { printGames, Selection } from "./selection.js";
import { writtenResult } from "./speech.js";
import { tellError } from "./tell.js";
import { PAGE_ROWS, VirtualList } from "./virtual-list.js";

const ROW_PX = 44;
const WAIT_MS = 250;
const ORDERS = [["", "As in the file"], ["latest", "Latest first"], ["earliest", "Earliest first"], ["rating", "Strongest first"], ["white", "By White"], ["black", "By Black"], ["event", "By event"]];
const VIEWS = [["", "Games"], ["players", "Players"], ["openings", "Openings"], ["crosstable", "Cross table"]];

export function exploreView(container, { parts: [file], query }) {
  if (file === undefined) return chooseFile(container);
  return new ExploreView(container, Number(file), query);
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
  constructor(container, file, address) {
    Object.assign(this, { file, query: "", view: "", sort: "", start: START, moves: [], facts: null, isPushed: false });
    this.field = new QueryField({
      file, value: "", oninput: () => this.typed(), placeholder: "All games. For example: player:tal result:1-0", "aria-label": "Query", "aria-describedby": "query-error", onchange: () => { this.isPushed = false; },
    });
    this.input = this.field.input;
    this.error = h("div", { id: "query-error", class: "query-error", role: "status" });
    this.count = h("p", { class: "count", role: "status" });
    this.tally = h("small", { class: "tally" });
    this.list = new VirtualList({ load: (skip, limit) => this.load(skip, limit).then(({ games }) => games), row: (game) => this.rows.element(game), rowPx: ROW_PX, label: "Games", onscroll: (top) => lastFound.scroll(file, this.search, top) });
    this.orders = select(ORDERS, "", (sort) => {
      this.sort = sort;
      this.find({ ends: true, withTree: false });
    }, { "aria-label": "Order of the games" });
    this.changes = new FileChanges({ file, onchange: (number) => this.changed(number), onprint: (number) => printGames(file, [number]) });
    this.selection = new Selection({ file, all: (limit) => this.load(0, limit).then(({ games }) => games.map(({ number }) => number)), onchange: () => this.list.draw() });
    this.rows = new GameRow({ file, search: () => this.search, menu: (number) => this.changes.button(number), box: (game) => this.selection.box(game) });
    this.tables = new ExploreTables({ file, address: (term) => this.address({ query: both(this.query, term), view: "" }), onchoice: () => setAddress(this.address({}), { push: true }) });
    this.notable = new NotableGames({ file });
    this.views = h("div", { class: "views", role: "group", "aria-label": "What is shown of the games" });
    this.board = new Board({ label: "Position of the tree" });
    this.entry = new MoveEntry(this.board, { onmove: (move) => this.play(move) });
    this.lines = button("Games with this line", () => this.ask(both(this.others("line"), this.line())), { title: "Only games that begin with exactly these moves" });
    this.path = h("p", { class: "path" });
    this.single = h("div", { class: "single", role: "status" });
    this.tree = new TreeTable({ onmove: (move) => this.play(move), onorder: () => setAddress(this.address({}), { push: true }) });
    this.heading = h("h1", {}, "Explore");
    replace(container, h("section", { class: "explore" }, h("header", { class: "explore-header" }, this.heading,
      h("form", { class: "query", role: "search", onsubmit: (event) => {
        event.preventDefault();
        this.field.close();
        this.find({ ends: true });
      } }, this.field.element, h("button", { type: "submit", class: "primary" }, "Find"), button("Kept", () => openSavedQueries(this.input.value.trim(), (query) => this.ask(query)), { title: "Queries with a name", "aria-haspopup": "dialog" })),
      this.error),
    h("div", { class: "opening-tree" }, this.board.frame,
      h("div", { class: "tree-side" }, h("div", { class: "tools" }, iconButton("first", "To the start (Home)", () => this.setMoves([])),
        iconButton("back", "One move back (Left)", () => this.setMoves(this.moves.slice(0, -1))), iconButton("flip", "Turn the board (f)", () => this.board.flip())),
      h("div", { class: "actions" },
        button("Analyze", () => go(`/analyse?fen=${encodeURIComponent(this.fen)}`)),
        button("Study", () => go(`/study?${new URLSearchParams({ file: String(this.file), query: this.query })}`), { title: "Guess the moves of these games" }),
        button("Games from here", () => this.here(), { title: "Only games that reach this position" }),
        this.lines,
        button("∗", () => this.anyMove(), { title: "Add any move to the line that is looked for", "aria-label": "Add any move to the line that is looked for" }),
        copyButtons({
          shown: () => ({ fen: this.fen, side: this.board.orientation, last: this.last }), pgn: async () => (await post("/api/analysis/write", { game: this.game() })).pgn,
          link: () => location.origin + this.address({}),
        })),
      this.path, this.single), h("div", { class: "wide" }, this.tree.element, this.notable.element)),
    h("div", { class: "games-found" }, this.views, h("div", { class: "list-head" }, this.count, this.tally, this.orders, this.selection.toggle, this.changes.element), this.selection.bar, this.list.element, this.tables.element)));
    this.keys = (event) => {
      if (isTyping(event)) return;
      if (event.key === "ArrowLeft" && this.moves.length) this.setMoves(this.moves.slice(0, -1));
      else if (event.key === "Home" && this.moves.length && !event.target.closest?.(".virtual")) this.setMoves([]);
      else if (event.key === "f") this.board.flip();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", this.keys);
    this.end = () => {
      document.removeEventListener("keydown", this.keys);
      clearTimeout(this.timer);
      this.list.end();
      this.notable.end();
    };
    aboutServer().then(({ files = [] }) => {
      this.heading.textContent = files.find(({ id }) => id === file)?.name ?? "Explore";
      setTitle(this.heading.textContent);
    }).catch(tellError);
    this.onaddress(address);
  }

  // Shows what an address says, at first and after the back key.
  async onaddress(address) {
    clearTimeout(this.timer);
    const asked = { start: address.get("fen") || START, line: address.get("moves") ?? "" };
    this.view = VIEWS.some(([name]) => name === address.get("view")) ? address.get("view") : "";
    this.input.value = address.get("query") ?? "";
    this.sort = ORDERS.some(([name]) => name === address.get("sort")) ? address.get("sort") : "";
    this.orders.value = this.sort;
    this.tree.setOrder(isOrder(address.get("tree")) ? address.get("tree") : USUAL_ORDER);
    this.isPushed = false;
    this.tables.read(this.view, address);
    this.showViews();
    const isSame = asked.start === this.start && asked.line === this.moves.map(({ san }) => san).join(" ");
    this.find({ keeps: true, withTree: isSame && this.facts !== null });
    if (isSame && this.facts) return;
    this.asked = asked;
    const moves = asked.line ? await readLine(asked).catch((error) => tellError(error) ?? []) : [];
    if (this.asked !== asked) return;
    Object.assign(this, { start: asked.start, moves });
    this.show();
    this.showTree();
  }

  // The address of this state, with some parts changed.
  address({ query = this.query, view = this.view, moves = this.moves }) {
    return exploreAddress(this.file, { fen: this.start, moves: moves.map(({ san }) => san), query, view, sort: this.sort, tree: this.tree.order === USUAL_ORDER ? "" : this.tree.order, table: this.tables.parts(view) });
  }

  // The parameters that the address of a game in this list has.
  get search() {
    return new URLSearchParams({ ...(this.query && { query: this.query }), ...(this.sort && { sort: this.sort }) }).toString();
  }

  get fen() {
    return this.facts?.fen ?? this.start;
  }

  get last() {
    const [last] = this.moves.slice(-1);
    return last ? [last.uci.slice(0, 2), last.uci.slice(2, 4)] : [];
  }

  // The moves of the board as a game.
  game() {
    return { tags: [], start: this.start, result: "*", comments: [], nodes: this.moves.map(({ uci, san }, index) => ({ parent: index ? index - 1 : null, uci, san, number: "", nags: [], before: [], after: [], eval: null, clk_s: null })) };
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), WAIT_MS);
  }

  // Another query takes the place of this one.
  ask(query) {
    this.input.value = query;
    this.isPushed = false;
    this.find({ ends: true });
  }

  load(skip, limit) {
    return get(`/api/files/${this.file}/games?${new URLSearchParams({ query: this.query, sort: this.sort || "number", skip: String(skip), limit: String(limit) })}`);
  }

  // Continuous typing is one step of the history; `keeps` leaves the address as it is.
  async find({ ends = false, keeps = false, withTree = true, keepsPlace = false } = {}) {
    clearTimeout(this.timer);
    const isNew = this.query !== this.input.value.trim();
    this.query = this.input.value.trim();
    const { query, sort } = this;
    try {
      const found = await this.load(0, PAGE_ROWS);
      const { count, shown, games } = found;
      if (query !== this.query || sort !== this.sort) return;
      replace(this.error);
      this.input.setAttribute("aria-invalid", "false");
      this.showCount(found);
      this.changes.set(found, query === "" && sort === "");
      this.selection.setStamp(found.stamp);
      this.list.set(shown, games, keepsPlace);
      // Scrolls to the last place in this list.
      const last = keeps && !keepsPlace ? lastFound.of(this.file, this.search) : null;
      if (last) this.list.show(last);
      if (!keeps) {
        setAddress(this.address({}), { push: isNew && !this.isPushed });
        this.isPushed = !ends;
      }
      this.tables.show(this.view, query);
      if (withTree) this.showTree();
    } catch (error) {
      if (query !== this.query) return;
      this.input.setAttribute("aria-invalid", "true");
      if (!this.list.count) this.list.set(0);
      const { column } = error;
      // A mark below the place in the text that cannot be read.
      const mark = column ? h("pre", {}, `${query}\n${" ".repeat(column - 1)}^`) : null;
      replace(this.error, mark, h("p", {}, error.message));
    }
  }

  showCount({ count, shown, results }) {
    const number = (value) => value.toLocaleString("en");
    const text = count === 1 ? "1 game" : `${number(count)} games`;
    const { won, drawn, lost, of_player: isOfPlayer } = results;
    const whose = isOfPlayer ? "of the player who is looked for" : "of White";
    this.count.textContent = text;
    replace(this.tally, count > 0 && [`+${number(won)} =${number(drawn)} −${number(lost)}`, h("span", { class: "hidden" }, ` ${whose}`)], shown < count && `, the first ${number(shown)} are shown`);
    this.tally.title = count > 0 ? `Won, drawn and lost: ${whose}` : "";
  }

  // The file has been changed; the game that was keeps the focus.
  async changed(number) {
    await this.find({ keeps: true, keepsPlace: true });
    this.list.element.querySelector(`[data-game="${number}"]`)?.focus({ preventScroll: true });
  }

  showViews() {
    replace(this.views, VIEWS.map(([name, text]) => button(text, () => {
      if (name !== this.view) this.tables.order = "usual";
      this.view = name;
      setAddress(this.address({}), { push: true });
      this.showViews();
      this.tables.show(name, this.query);
      this.views.querySelector('[aria-pressed="true"]').focus();
    }, { "aria-pressed": String(name === this.view) })));
    this.list.element.hidden = this.view !== "";
    this.orders.hidden = this.view !== "";
    this.selection.setShown(this.view === "");
    this.tables.element.hidden = this.view === "";
  }

  play(move) {
    this.setMoves([...this.moves, { uci: move.uci, san: move.san }]);
  }

  setMoves(moves) {
    this.asked = null;
    this.moves = moves;
    setAddress(this.address({}), { push: true });
    this.show();
    this.showTree();
  }

  // The query without its terms of this name.
  others(name) {
    return this.query.replace(new RegExp(`\\s*\\b${name}:"[^"]*"`, "g"), "").trim();
  }

  here() {
    this.ask(both(this.others("fen"), `fen:"${this.fen}"`));
  }

  // The moves on the board as a term.
  line() {
    return `line:"${this.numbered().replaceAll(". ", ".").replaceAll("... ", "...")}"`;
  }

  // One move more, whichever it is, behind the line that is looked for.
  anyMove() {
    const known = /\bline:"([^"]*)"/.exec(this.query);
    if (known) this.ask(this.query.replace(known[0], () => `line:"${known[1]} *"`));
    else if (!this.lines.disabled) this.ask(both(this.query, this.line().replace(/"$/, ' *"')));
    else this.ask(both(this.query, 'line:"1.*"'));
  }

  // The moves with their numbers.
  numbered() {
    const { moves, start } = this;
    const [, turn, , , , full] = start.split(" ");
    const before = 2 * ((Number(full) || 1) - 1) + (turn === "b" ? 1 : 0);
    return moves.map(({ san }, index) => {
      const ply = before + index;
      return ply % 2 === 0 ? `${ply / 2 + 1}. ${san}` : index === 0 ? `${(ply + 1) / 2}... ${san}` : san;
    }).join(" ");
  }

  show() {
    const { moves, start } = this;
    let pieces = readPlacement(start);
    let last = [];
    for (const { uci, san } of moves) {
      last = marked(pieces, uci, san);
      pieces = played(pieces, uci, san);
    }
    this.facts = null;
    // A line begins where games begin.
    this.lines.disabled = moves.length === 0 || start !== START;
    this.board.setPieces(pieces);
    this.board.mark("last", last);
    this.entry.set({ pieces });
    this.path.textContent = this.numbered() || (start === START ? "The initial position" : "The position that was looked for");
    position(start, moves.map(({ uci }) => uci)).then((facts) => {
      if (this.moves !== moves || this.start !== start) return;
      this.facts = facts;
      this.board.mark("check", [facts.check]);
      this.entry.set({ pieces, legal: facts.legal, mover: turnOf(facts.fen) });
      if (facts.opening) this.path.append(h("span", { class: "opening" }, ` ${facts.opening.eco} ${facts.opening.name}${facts.opening.left ? " *" : ""}`));
    }).catch(tellError);
  }

  async showTree() {
    const { moves, query, start } = this;
    try {
      const found = await post(`/api/files/${this.file}/tree`, { fen: start, moves: moves.map(({ uci }) => uci), query });
      if (this.moves !== moves || this.query !== query || this.start !== start) return;
      this.tree.show(found);
      this.notable.show({ fen: start, moves: moves.map(({ uci }) => uci), query });
      await this.offerSingle(found);
    } catch (error) {
      if (error.code !== "bad_query") tellError(error);
    }
  }

  // Offers the game if only one is left, and does not open it.
  async offerSingle(found) {
    const { moves, query, start } = this;
    const left = found.reduce((sum, { games }) => sum + games, 0);
    replace(this.single);
    if (left > 1 || !moves.length) return;
    const { count, games: [game] } = await get(`/api/files/${this.file}/games?${new URLSearchParams({ query: both(query, `fen:"${(await position(start, moves.map(({ uci }) => uci))).fen}"`), limit: "1" })}`);
    if (this.moves !== moves || this.query !== query || count !== 1) return;
    const { number, white, black, result, date, event } = game;
    const facts = [writtenResult(result ?? "*"), (date ?? "").replaceAll(".??", "").replace(/^\?+$/, ""), event === "?" ? "" : event].filter(Boolean).join(" · ");
    replace(this.single, h("p", {}, "One game is left: ", h("b", {}, `${white || "?"} – ${black || "?"}`), ` ${facts}`), h("a", { class: "button", href: `/analyse/${this.file}/${number}${start === START ? `#m${moves.map(() => 0).join(".")}` : ""}` }, "Open the game"));
  }
}

// The moves of an address, which are in SAN.
async function readLine({ start, line }) {
  const { games, problems = [] } = await post("/api/analysis/read", { text: `[SetUp "1"]\n[FEN "${start.replaceAll('"', "")}"]\n\n${line.replace(/[^\w+#=-]/g, " ")} *` });
  if (problems.length) throw new Error(problems[0].text);
  return (games[0]?.nodes ?? []).map(({ uci, san }) => ({ uci, san }));
}
