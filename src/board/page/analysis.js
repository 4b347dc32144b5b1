// The analysis: a game as a tree that can be edited, an engine, and games from anywhere.

import { get, position, post } from "./api.js";
import { Board } from "./board.js";
import { Curve } from "./curve.js";
import { button, dialog, h, icon, iconButton, isTyping, replace } from "./dom.js";
import { EnginePanel } from "./engine-panel.js";
import { MoveEntry } from "./entry.js";
import { findPosition } from "./find.js";
import { openMenu } from "./menu.js";
import { MOVE_NAGS, POSITION_NAGS } from "./nags.js";
import { moveField } from "./move-field.js";
import { Notation } from "./notation.js";
import { pictureButton } from "./picture.js";
import { imbalance, marked, START, turnOf } from "./placement.js";
import { go, setAddress, setTitle } from "./router.js";
import { Review } from "./review.js";
import { save } from "./save.js";
import { onSettings, settings } from "./settings.js";
import { readShapes, withoutCommands, writeShapes } from "./shapes.js";
import { playMove } from "./sound.js";
import { spoken } from "./speech.js";
import { load, store } from "./storage.js";
import { handOver } from "./study.js";
import { Tables } from "./tables.js";
import { announce, copy, tellError, toast } from "./tell.js";
import { Tree } from "./tree.js";

// Games that are kept for a reload are no larger than this.
const KEPT_NODES = 3000;
const TWICE_MS = 350;

export function analysisView(container, address) {
  return new AnalysisView(container, address);
}

class AnalysisView {
  constructor(container, { parts: [file, number], query }) {
    this.source = file === undefined ? null : { file: Number(file), number: Number(number) };
    this.games = [];
    this.tree = new Tree();
    this.node = this.tree.root;
    this.facts = null;
    this.board = new Board();
    this.entry = new MoveEntry(this.board, { onmove: (move, wasDragged) => this.play(move, wasDragged) });
    // Shapes belong to the comment of the position.
    this.board.shapes.isKept = true;
    this.board.shapes.onchange = (shapes) => this.keepShapes(shapes);
    this.notation = new Notation({ onchoice: (node) => this.go(node), onmenu: (node, x, y) => this.menu(node, x, y) });
    this.curve = new Curve((node) => this.go(node));
    this.review = new Review({ game: () => this.tree.game(), ongame: (game) => this.take(game), onstart: () => this.engine.switch(false) });
    this.engine = new EnginePanel({ board: this.board, online: (moves) => this.addLine(moves), number: (index) => this.numberAfter(index) });
    this.tables = new Tables((move) => this.play(move));
    this.build(container);
    const listen = (target, name, call) => {
      target.addEventListener(name, call);
      return () => target.removeEventListener(name, call);
    };
    const ends = [
      listen(document, "keydown", (event) => this.key(event)),
      listen(document, "paste", (event) => this.paste(event)),
      listen(container, "dragover", (event) => event.preventDefault()),
      listen(container, "drop", (event) => this.drop(event)),
      onSettings(() => this.show()),
    ];
    this.end = () => {
      this.stopPlaying();
      this.leave();
      this.review.stop();
      this.engine.end();
      ends.forEach((end) => end());
    };
    this.start(query).catch(tellError);
  }

  build(container) {
    this.title = h("h1", {}, "Analysis");
    this.subtitle = h("p", { class: "subtitle" });
    this.opening = h("span", { class: "opening" });
    this.material = h("span", { class: "balance" });
    this.chooser = h("div", { class: "game-chooser", hidden: true });
    this.field = moveField({
      context: () => ({ legal: this.entry.legal, pieces: this.entry.pieces, last: this.node.san, clocks: "There is no clock." }),
      onmove: (move) => this.play(move),
    });
    this.field.hidden = !settings.moveField;
    this.comment = h("textarea", {
      rows: "1", placeholder: "Comment", "aria-label": "Comment on this move",
      onchange: () => this.setComment(this.comment.value.trim()),
    });
    this.glyphs = h("div", { class: "glyphs" });
    this.file = h("input", { type: "file", accept: ".pgn,.fen,.epd,.txt,text/plain", class: "hidden", "aria-label": "Open a file", tabindex: "-1", onchange: () => this.openFile(this.file.files[0]) });
    this.autoplay = iconButton("play", "Play through (Space)", () => this.togglePlaying());
    const tools = h("div", { class: "tools" },
      iconButton("first", "To the start (Home)", () => this.go(this.tree.root)),
      iconButton("back", "One move back (Left)", () => this.step(-1)),
      iconButton("next", "One move on (Right)", () => this.step(1)),
      iconButton("last", "To the end (End)", () => this.goEnd()),
      this.autoplay, iconButton("flip", "Turn the board (f)", () => this.board.flip()));
    const editing = h("div", { class: "tools editing" },
      iconButton("up", "Variation up", () => this.edit(() => this.tree.promote(this.node))),
      iconButton("trash", "Delete from here", () => this.remove(this.node)),
      iconButton("undo", "Undo (Ctrl+Z)", () => this.history("undo")),
      button("Study", () => this.pgn().then((text) => {
        handOver(text);
        go("/study");
      }).catch(tellError), { title: "Guess the moves of this game" }),
      button([icon("edit"), "Position"], () => go(`/editor?fen=${encodeURIComponent(this.facts?.fen ?? this.tree.start)}`), { title: "Set up a position" }));
    const actions = h("div", { class: "actions" },
      button("Paste or open", () => this.openDialog(), { class: "primary" }),
      button("FEN", () => copy(this.facts?.fen ?? this.tree.start, "The position"), { title: "Copy the position", class: "quiet" }),
      button("PGN", () => this.pgn().then((text) => copy(text, "The game")).catch(tellError), { title: "Copy the game", class: "quiet" }),
      iconButton("save", "Save", () => this.save(), { class: "icon-button quiet" }),
      pictureButton(() => ({ fen: this.facts?.fen ?? this.tree.start, side: this.board.orientation, last: this.lastSquares, shapes: writeShapes(this.board.shapes.get("user")) })),
      iconButton("find", "Find this position in a collection", () => findPosition({ start: this.tree.start, moves: this.node.line.map(({ san }) => san), fen: this.facts?.fen ?? this.tree.start }), { class: "icon-button quiet" }),
      iconButton("link", "Copy a link to this position", () => copy(`${location.origin}/analyse?fen=${encodeURIComponent(this.facts?.fen ?? this.tree.start)}`, "The link"), { class: "icon-button quiet" }),
      button("New", () => this.reset(), { class: "quiet" }));
    replace(container, h("section", { class: "analysis", "aria-label": "Analysis" },
      h("div", { class: "table" }, h("div", { class: "with-bar" }, this.engine.bar, this.board.frame),
        h("div", { class: "facts" }, this.opening, this.material)),
      h("div", { class: "side" }, h("header", { class: "game-header" }, this.title, this.subtitle), this.chooser, this.engine.element, this.tables.element, this.notation.element, this.curve.element, this.review.element, tools,
        this.field, h("div", { class: "annotate" }, this.comment, this.glyphs), editing, actions, this.file)));
  }

  // What the address asks for, or what was here last.
  async start(query) {
    if (this.source) {
      const { file, number } = this.source;
      this.origin = `file/${file}/${number}`;
      const game = await get(`/api/files/${file}/games/${number}`);
      this.version = game.version;
      this.open(game);
      this.showChooser();
    } else if (query.get("game")) {
      const id = query.get("game");
      this.origin = `game/${id}`;
      const text = await get(`/api/games/${encodeURIComponent(id)}/pgn`);
      await this.read(text);
    } else if (query.get("fen")) {
      this.origin = null;
      this.open({ start: query.get("fen") });
    } else {
      this.origin = "own";
      this.open(load("analysis", {}));
    }
    const place = /^#m([\d.]+)$/.exec(location.hash)?.[1];
    if (place) this.go(this.tree.at(place.split(".").map(Number)));
  }

  open(game) {
    this.review.stop();
    this.tree = new Tree(game);
    this.node = this.tree.root;
    this.left = null;
    this.board.shapes.set("engine", []);
    const { tree } = this;
    const [white, black] = [tree.tag("White"), tree.tag("Black")];
    this.title.textContent = white || black ? `${white || "?"} – ${black || "?"}` : "Analysis";
    this.subtitle.textContent = [tree.tag("Event"), tree.tag("Site").replace(/^https?:\/\//, ""), tree.tag("Date").replaceAll(".??", ""), tree.result === "*" ? "" : tree.result.replace("1/2-1/2", "½–½").replace("-", "–")]
      .filter(Boolean).join(" · ");
    this.title.classList.toggle("hidden", !white && !black && !this.subtitle.textContent);
    setTitle(white || black ? this.title.textContent : "Analysis");
    this.rebuild();
  }

  async read(text) {
    const { games, problems = [] } = await post("/api/analysis/read", { text });
    for (const { line, column, text: told } of problems.slice(0, 3)) toast(`Line ${line}, column ${column}: ${told}`, "error");
    if (!games.length) {
      if (!problems.length) toast("There is no game in it.", "error");
      return false;
    }
    this.games = games;
    this.shownGame = 0;
    this.open(games[0]);
    this.showChooser();
    return true;
  }

  // Which of several games is shown.
  showChooser() {
    const { source, games } = this;
    this.chooser.hidden = !source && games.length < 2;
    if (source) {
      replace(this.chooser, iconButton("back", "Previous game ([)", () => this.otherGame(-1)), h("span", {}, `Game ${source.number}`),
        iconButton("next", "Next game (])", () => this.otherGame(1)), h("a", { href: `/explore/${source.file}` }, "To the list"));
      return;
    }
    const list = h("select", { "aria-label": "Game", onchange: () => this.openOther(Number(list.value)) }, games.map(({ tags }, index) => {
      const tag = (name) => tags.find(([known]) => known === name)?.[1] ?? "?";
      return h("option", { value: String(index) }, `${index + 1}. ${tag("White")} – ${tag("Black")} ${tag("Result")}`);
    }));
    list.value = String(this.shownGame ?? 0);
    replace(this.chooser, iconButton("back", "Previous game ([)", () => this.otherGame(-1)), list, iconButton("next", "Next game (])", () => this.otherGame(1)));
  }

  otherGame(by) {
    if (this.source) {
      const number = this.source.number + by;
      if (number >= 1) go(`/analyse/${this.source.file}/${number}${location.search}`);
      return;
    }
    const index = (this.shownGame ?? 0) + by;
    if (index >= 0 && index < this.games.length) this.openOther(index);
  }

  openOther(index) {
    this.leave();
    this.games[this.shownGame] = this.tree.game();
    this.shownGame = index;
    this.open(this.games[index]);
    this.showChooser();
  }

  // From where and to where the last move went.
  get lastSquares() {
    const { parent, uci, san } = this.node;
    return parent && uci !== "0000" ? marked(this.tree.placement(parent), uci, san) : [];
  }

  // Remembers where this game is left.
  leave() {
    if (this.node.parent) store(`place.${this.placeKey}`, this.tree.path(this.node));
  }

  get placeKey() {
    return `${this.origin ?? "fen"}.${this.shownGame ?? 0}`;
  }

  reset() {
    if (location.pathname + location.search !== "/analyse") return go("/analyse");
    this.tree.remember();
    this.open({});
    store("analysis", undefined);
  }

  // After a change of the tree.
  rebuild() {
    this.notation.show(this.tree, this.node);
    this.curve.show(this.tree, this.node);
    this.review.show(this.tree);
    if (this.origin === "own") {
      const game = this.tree.game();
      store("analysis", game.nodes.length <= KEPT_NODES ? game : undefined);
    }
    this.show();
  }

  edit(change) {
    change();
    this.rebuild();
  }

  history(direction) {
    const node = this.tree[direction](this.node);
    if (!node) return toast(direction === "undo" ? "Nothing to undo." : "Nothing to redo.");
    this.node = node;
    this.rebuild();
  }

  go(node, { slide = true } = {}) {
    if (node !== this.node) this.before = this.node;
    this.node = node;
    this.notation.mark(node);
    this.curve.mark(node);
    this.show({ slide });
    setAddress(location.pathname + location.search + (node.parent ? `#m${this.tree.path(node).join(".")}` : ""));
    announce(node.san ? `${this.tree.number(node)} ${spoken(node.san)}` : "The start.");
  }

  show({ slide = true } = {}) {
    const { tree, node } = this;
    this.field.hidden = !settings.moveField;
    const pieces = tree.placement(node);
    this.board.setPieces(pieces, { slide });
    this.board.mark("last", this.lastSquares);
    this.board.mark("check", []);
    this.entry.set({ pieces });
    this.board.shapes.set("user", node.after.flatMap(readShapes));
    this.showMaterial(pieces);
    if (document.activeElement !== this.comment) this.comment.value = node.after.map(withoutCommands).filter(Boolean).join(" ");
    this.showGlyphs();
    const moves = node.line.map(({ uci }) => uci);
    position(tree.start, moves).then((facts) => {
      if (this.node !== node || this.tree !== tree) return;
      this.facts = facts;
      this.board.mark("check", [facts.check]);
      this.entry.set({ pieces, legal: facts.legal, mover: facts.turn ?? turnOf(facts.fen) });
      this.tables.show(facts.tables, facts.turn);
      this.opening.textContent = facts.opening ? `${facts.opening.eco} ${facts.opening.name}` : node.parent ? "*" : "";
      const over = facts.outcome && !facts.legal.length ? `${facts.outcome.result} ${facts.outcome.reason}` : null;
      if (facts.space) this.material.textContent += ` · Space ${facts.space.white}–${facts.space.black}`;
      if (facts.problems?.length) this.opening.textContent = facts.problems.join(" ");
      this.engine.set({ fen: tree.start, moves, isOver: facts.problems?.length ? "This position cannot be analyzed." : over });
    }).catch(tellError);
  }

  showMaterial(pieces) {
    const { difference } = imbalance(pieces);
    this.material.textContent = difference === 0 ? "Material even" : `${difference > 0 ? "White" : "Black"} +${Math.abs(difference)}`;
  }

  showGlyphs() {
    const { node } = this;
    const group = (nags) => nags.map(([nag, sign, text]) => button(sign, () => this.edit(() => this.tree.toggleNag(node, nag, nags.map(([own]) => own))),
      { title: text, "aria-label": text, "aria-pressed": String(node.nags.includes(nag)), disabled: !node.parent }));
    replace(this.glyphs, h("div", { role: "group", "aria-label": "Quality of the move" }, group(MOVE_NAGS)), h("div", { role: "group", "aria-label": "Evaluation of the position" }, group(POSITION_NAGS)));
  }

  numberAfter(index) {
    const depth = this.node.depth + 1 + index;
    return this.tree.number({ depth });
  }

  play(move, wasDragged = false) {
    playMove(move.san);
    const count = this.node.children.length;
    const node = this.tree.add(this.node, move);
    const isNew = node.parent.children.length > count;
    this.before = this.node;
    this.node = node;
    if (isNew) {
      this.notation.show(this.tree, node);
      if (this.origin === "own") store("analysis", this.tree.game());
      this.curve.show(this.tree, node);
      this.review.show(this.tree);
    }
    this.go(node, { slide: !wasDragged });
  }

  // A line of the engine becomes a variation.
  addLine(moves) {
    let { node } = this;
    for (const move of moves) node = this.tree.add(node, move);
    this.node = node;
    this.rebuild();
    this.go(node);
  }

  step(by) {
    this.stopPlaying();
    let { node } = this;
    for (let count = Math.abs(by); count > 0; count -= 1) node = (by > 0 ? node.next : node.parent) ?? node;
    if (node !== this.node) this.go(node);
  }

  goEnd() {
    this.stopPlaying();
    let { node } = this;
    while (node.next) node = node.next;
    this.go(node);
  }

  // The next variation at this move, or out of the one that is shown.
  sibling(by) {
    const { node } = this;
    if (!node.parent) return;
    const { children } = node.parent;
    const next = children[children.indexOf(node) + by];
    if (next) return this.go(next);
    const branch = this.tree.branch(node);
    if (by < 0 && branch) this.go(branch.parent.children[branch.parent.children.indexOf(branch) - 1]);
  }

  setComment(text) {
    const shapes = writeShapes(this.node.after.flatMap(readShapes));
    this.edit(() => this.tree.setComment(this.node, [text, shapes].filter(Boolean).join(" ")));
  }

  keepShapes(shapes) {
    const text = this.node.after.map(withoutCommands).filter(Boolean).join(" ");
    this.tree.setComment(this.node, [text, writeShapes(shapes)].filter(Boolean).join(" "));
    if (this.origin === "own") store("analysis", this.tree.game());
  }

  remove(node) {
    if (!node.parent) return;
    this.node = this.tree.remove(node);
    this.rebuild();
    toast("Deleted. Ctrl+Z brings it back.");
  }

  menu(node, x, y) {
    openMenu(x, y, [
      !node.isMain && ["Variation up", () => this.edit(() => this.tree.promote(node))],
      !node.isMain && ["Make it the main line", () => this.edit(() => this.tree.makeMain(node))],
      ["Comment", () => {
        this.go(node);
        this.comment.focus();
      }],
      ["Delete from here", () => this.remove(node)],
      ["Copy the game", () => this.pgn().then((text) => copy(text, "The game")).catch(tellError)],
    ]);
  }

  async pgn() {
    const { pgn } = await post("/api/analysis/write", { game: this.tree.game() });
    return pgn;
  }

  // What the analysis of the whole game has found takes the place of the game; it can be undone.
  take(game) {
    const path = this.tree.path(this.node);
    this.tree.remember();
    this.tree.load(game);
    this.node = this.tree.at(path);
    this.rebuild();
  }

  save() {
    const { source, version } = this;
    save({ source, version, game: () => this.tree.game(), pgn: () => this.pgn(), onsaved: (place) => this.saved(place) }).catch(tellError);
  }

  // From now on the game is the one of the file.
  saved({ file, number, version }) {
    Object.assign(this, { source: { file, number }, version, origin: `file/${file}/${number}`, games: [] });
    setAddress(`/analyse/${file}/${number}`, { push: true });
    this.showChooser();
  }

  togglePlaying() {
    if (this.timer) {
      const isTwice = performance.now() - this.startedAt < TWICE_MS;
      this.stopPlaying();
      if (!isTwice) return;
      if (this.node.next) this.go(this.node.next);
    }
    this.startedAt = performance.now();
    const next = () => {
      if (!this.node.next) return this.stopPlaying();
      this.go(this.node.next);
      this.timer = setTimeout(next, 1000 * settings.autoplayS);
    };
    this.timer = setTimeout(next, 1000 * settings.autoplayS);
    replace(this.autoplay, icon("pause"));
  }

  stopPlaying() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    replace(this.autoplay, icon("play"));
  }

  key(event) {
    const isField = isTyping({ target: event.target, ctrlKey: false });
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !isField) {
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      return this.history(key === "y" || event.shiftKey ? "redo" : "undo");
    }
    if (isTyping(event)) return;
    if (event.key === " " && event.target.closest?.("button, summary, a")) return;
    const { tree } = this;
    const acts = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), ArrowUp: () => this.sibling(-1), ArrowDown: () => this.sibling(1),
      Home: () => this.go(tree.root), End: () => this.goEnd(), PageUp: () => this.step(-5), PageDown: () => this.step(5),
      Backspace: () => this.before && this.go(this.before), f: () => this.board.flip(), e: () => this.engine.switch(!settings.engineOn),
      r: () => this.go(tree.at(load(`place.${this.placeKey}`, []))),
      m: () => tree.mainLine.length && this.go(tree.mainLine[Math.floor((tree.mainLine.length - 1) / 2)]),
      " ": () => this.togglePlaying(), "[": () => this.otherGame(-1), "]": () => this.otherGame(1),
      "+": () => this.tellMaterial(), Delete: () => this.remove(this.node), Escape: () => this.entry.escape(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    if (event.key !== " ") this.stopPlaying();
    acts[event.key]();
  }

  tellMaterial() {
    const { material, space } = this.facts ?? {};
    if (!material) return;
    const spaceText = space ? ` Space: White ${space.white}, Black ${space.black}.` : "";
    toast(`Material: White ${material.white}, Black ${material.black}.${spaceText}`);
  }

  paste(event) {
    if (isTyping({ target: event.target })) return;
    const text = event.clipboardData.getData("text");
    if (text.trim()) this.openText(text);
  }

  drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) return this.openFile(file);
    const text = event.dataTransfer.getData("text");
    if (text) this.openText(text);
  }

  async openFile(file) {
    if (file) this.openText(await file.text());
  }

  // Something from outside replaces what is here.
  async openText(text) {
    try {
      if (this.origin !== "own") {
        this.source = null;
        this.origin = "own";
        setAddress("/analyse", { push: true });
      }
      return await this.read(text);
    } catch (error) {
      tellError(error);
      return false;
    }
  }

  openDialog() {
    const area = h("textarea", { rows: "10", spellcheck: "false", placeholder: `Paste a game (PGN) or a position (FEN), for example ${START}`, "aria-label": "PGN or FEN", class: "paste" });
    const box = dialog("Paste or open", [area, h("div", { class: "actions" },
      button("Show it", async () => {
        if (area.value.trim() && (await this.openText(area.value))) box.close();
      }, { class: "primary" }),
      button("Open a file …", () => {
        box.close();
        this.file.click();
      })), h("p", { class: "note" }, "You can also drop a file on the page, or press Ctrl+V anywhere.")]);
    area.focus();
  }
}
