// The moves that follow the position on the board: in a file, a collection, the openings with a name, or a book.

import { aboutServer, post } from "./api.js";
import { button, h, iconButton, replace, select } from "./dom.js";
import { TreeTable } from "./explore-tree.js";
import { onSettings } from "./settings.js";
import { tellError } from "./tell.js";

// Positions that are only passed are not asked for.
const WAIT_MS = 150;
const GAMES = ["games", "results", "score"];
// The start of the source of another book than the first one, before its name.
const BOOK = "book:";

const kindOf = (source) => (source.startsWith(BOOK) ? "book" : source);

export class NextMoves {
  // `file()`: the number of the file that the game is from, or null; `onmove({ uci, san })`; `onback()`;
  // `onchoice(source)` when another source is chosen: the number of a file, "names" or "book", "book:" with the name of
  // another book, "" for a closed panel.
  constructor({ file, onmove, onback, onchoice }) {
    Object.assign(this, { file, onback, onchoice, source: "", tabs: [], fen: null, shown: null, asked: null });
    this.table = new TreeTable({ onmove: (move) => this.shown === this.fen && onmove(move) });
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": "Where the moves are from", onkeydown: (event) => this.key(event) });
    this.back = iconButton("back", "One move back (Left)", () => onback(), { class: "icon-button quiet" });
    this.about = h("p", { class: "note", role: "status" });
    this.panel = h("div", { class: "wide", role: "tabpanel", id: "next-moves", "aria-label": "Next moves" }, this.table.element);
    this.element = h("details", { class: "panel next-moves" },
      h("summary", { onclick: (event) => {
        event.preventDefault();
        this.choose(this.source ? "" : this.usual);
      } }, "Next moves"),
      this.about, h("div", { class: "tab-row" }, this.list, this.back), this.panel);
    this.ready = aboutServer().then(({ files = [], books = [] }) => {
      const of = (isCollection) => files.filter((one) => one.is_collection === isCollection).map(({ id, name }) => ({ source: String(id), name }));
      this.tabs = [{ text: "File", sources: of(false) }, { text: "Collection", sources: of(true) },
        { text: "Names", sources: [{ source: "names", name: "Openings with a name" }] }, { text: "Book", sources: books.map((name, index) => ({ source: index ? BOOK + name : "book", name })) }]
        .filter(({ sources }) => sources.length > 0);
    }).catch(tellError);
    this.endSettings = onSettings(() => this.table.draw());
  }

  // The source that is shown when the panel is opened: the file of the game, or the first there is.
  get usual() {
    const own = String(this.file());
    return this.tabOf(own) ? own : (this.tabs[0]?.sources[0].source ?? "");
  }

  tabOf(source) {
    return this.tabs.find(({ sources }) => sources.some((one) => one.source === source));
  }

  // Chosen by hand.
  choose(source) {
    this.set(source);
    this.onchoice(this.source);
  }

  // Shows this source, or the usual one if it is not there.
  async set(source) {
    this.source = source;
    this.element.open = source !== "";
    await this.ready;
    if (this.source !== source || !source) return;
    if (!this.tabOf(source)) this.source = this.usual;
    this.element.open = this.source !== "";
    if (!this.source) return;
    this.showTabs();
    this.shown = null;
    this.ask();
  }

  showTabs() {
    const chosen = this.tabOf(this.source);
    const hadFocus = this.list.contains(document.activeElement);
    replace(this.list, this.tabs.map((tab) => button(tab.text, () => this.choose(tab.sources[0].source), {
      role: "tab", "aria-selected": String(tab === chosen), "aria-controls": this.panel.id, tabindex: tab === chosen ? "0" : "-1",
    })));
    if (hadFocus) this.list.querySelector('[aria-selected="true"]').focus();
    this.panel.setAttribute("aria-label", `Next moves: ${chosen.text}`);
  }

  // The tabs are one stop of the Tab key; arrows go from one to the next.
  key(event) {
    const tabs = [...this.list.children];
    const place = tabs.indexOf(document.activeElement);
    const next = { ArrowLeft: place - 1 + tabs.length, ArrowRight: place + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined || place < 0) return;
    event.preventDefault();
    tabs[next % tabs.length].focus();
    tabs[next % tabs.length].click();
  }

  // The position on the board; null while it is unknown, and if no moves follow it. `isStart`: there is no way back.
  show(fen, isStart) {
    this.fen = fen;
    this.back.disabled = isStart;
    this.ask();
  }

  cancel() {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.asked = null;
  }

  ask() {
    this.cancel();
    const { source, fen } = this;
    if (!source || !fen || this.shown === fen) return;
    this.panel.setAttribute("aria-busy", "true");
    this.timer = setTimeout(() => this.load(source, fen), WAIT_MS);
  }

  async load(source, fen) {
    const asked = new AbortController();
    this.asked = asked;
    const book = source.startsWith(BOOK) ? { book: source.slice(BOOK.length) } : {};
    const path = { names: "/api/openings/tree", book: "/api/book" }[kindOf(source)] ?? `/api/files/${source}/tree`;
    try {
      const rows = await post(path, { fen, ...book }, { signal: asked.signal });
      if (this.asked === asked) this.draw(source, fen, rows);
    } catch (error) {
      if (this.asked === asked) tellError(error);
    }
    if (this.asked === asked) this.panel.removeAttribute("aria-busy");
  }

  draw(source, fen, rows) {
    const hadFocus = this.panel.contains(document.activeElement);
    this.shown = fen;
    const columns = { names: ["lines", "share"], book: ["weight", "share"] }[kindOf(source)] ?? GAMES;
    const nothing = { names: "No opening with a name goes on from here.", book: "The book has no move here." }[kindOf(source)] ?? "No game has a move here.";
    this.table.show(rows, { columns, nothing });
    const { sources } = this.tabOf(source);
    const { name } = sources.find((one) => one.source === source);
    const games = rows.reduce((sum, row) => sum + (row.games ?? row.lines ?? 0), 0);
    const unit = source === "names" ? "line" : "game";
    const chooser = sources.length > 1 ? select(sources.map((one) => [one.source, one.name]), source, (other) => this.choose(other), { "aria-label": kindOf(source) === "book" ? "Book" : "File" }) : h("span", {}, name);
    const isChooser = this.about.contains(document.activeElement);
    replace(this.about, chooser, kindOf(source) !== "book" && h("span", {}, `${games.toLocaleString("en")} ${unit}${games === 1 ? "" : "s"}`));
    if (isChooser) chooser.focus();
    // By keyboard one goes on at the first move.
    if (hadFocus) (this.panel.querySelector("button") ?? this.back).focus();
  }

  end() {
    this.endSettings();
    this.cancel();
  }
}
