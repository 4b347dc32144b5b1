// The analysis: a game as a tree that can be edited, an engine, and games from anywhere.

import { editTools, gameTools, stepTools } from "./analysis-tools.js";
import { aboutServer, get, position, post } from "./api.js";
import { arrived } from "./arrivals.js";
import { Autoplay } from "./autoplay.js";
import { Board } from "./board.js";
import { openCopyMenu } from "./copy-menu.js";
import { readText, withShapes, withText } from "./comments.js";
import { Curve } from "./curve.js";
import { button, h, iconButton, isTyping, replace } from "./dom.js";
import { draftNote, dropDraft, keepDraft, newName, readDraft } from "./drafts.js";
import { EnginePanel } from "./engine-panel.js";
import { MoveEntry } from "./entry.js";
import { FoundGames } from "./found-games.js";
import { openLines } from "./lines.js";
import { materialText } from "./material.js";
import { openMenu } from "./menu.js";
import { loadNags } from "./nags.js";
import { moveField } from "./move-field.js";
import { NextMoves } from "./next-moves.js";
import { Notation } from "./notation.js";
import { nothingHere } from "./nothing.js";
import { PgnPane } from "./pgn-pane.js";
import { marked, turnOf } from "./placement.js";
import { addressWith, go, setAddress, setTitle } from "./router.js";
import { Review } from "./review.js";
import { save } from "./save.js";
import { Scratch } from "./scratch.js";
import { onSettings, settings } from "./settings.js";
import { readShapes, writeShapes } from "./shapes.js";
import { Signs } from "./signs.js";
import { playMove } from "./sound.js";
import { spoken, writtenResult } from "./speech.js";
import { keepOf, keptOf, load, store } from "./storage.js";
import { studyAddress } from "./study.js";
import { Tables } from "./tables.js";
import { announce, tellError, toast } from "./tell.js";
import { Tree } from "./tree.js";
import { onWheel } from "./wheel.js";

// The most moves of games that are kept in the browser.
const KEPT_MOVES = 5000;
// The parameters of addresses for panels beside the board, which are the same for every game.
const WITHOUT_PANELS = { text: "", next: "" };

function titleOf(tree) {
  const [white, black] = [tree.tag("White"), tree.tag("Black")];
  return white || black ? `${white || "?"} – ${black || "?"}` : "Analysis";
}

export function analysisView(container, address) {
  return new AnalysisView(container, address);
}

class AnalysisView {
  constructor(container, { parts: [file, number], query, isBack }) {
    this.source = file === undefined ? null : { file: Number(file), number: Number(number) };
    this.found = new FoundGames({ query: query.get("query") ?? "", sort: query.get("sort") ?? "" });
    // The key under which changes of the game are kept; null for none.
    this.origin = null;
    this.games = [];
    this.edited = new Set();
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
    this.scratch = new Scratch({ onturn: () => this.turnScratch(), ongo: (node) => this.go(node), onkeep: () => this.keepScratch() });
    this.review = new Review({ game: () => this.tree.game(), ongame: (game) => this.take(game), onstart: () => [this.engine, this.second].forEach((engine) => engine?.switch(false)) });
    const lines = { board: this.board, online: (moves) => this.addLine(moves), number: (index) => this.numberAfter(index) };
    this.engine = new EnginePanel(lines);
    this.secondPlace = h("div", { class: "second-engine" });
    aboutServer().then(({ second_engine: second }) => {
      if (!second || !container.isConnected) return;
      this.second = new EnginePanel({ ...lines, second });
      replace(this.secondPlace, this.second.element);
      if (this.engine.place) this.second.set(this.engine.place);
    }).catch(tellError);
    this.tables = new Tables((move) => this.play(move));
    this.nextMoves = new NextMoves({
      file: () => this.source?.file ?? null, onmove: (move) => this.play(move), onback: () => this.step(-1),
      onchoice: () => this.keepPanels({ push: true }),
    });
    this.text = new PgnPane({ pgn: () => this.pgn(), ontake: (game) => this.take(game), onplace: (index) => this.goWritten(index) });
    this.build(container);
    onWheel(this.board.frame, (by) => this.step(by));
    const listen = (target, name, call) => {
      target.addEventListener(name, call);
      return () => target.removeEventListener(name, call);
    };
    const ends = [
      listen(document, "keydown", (event) => this.key(event)),
      listen(window, "pagehide", () => this.commit()),
      listen(document, "arrival", () => this.openText(arrived())),
      onSettings((name) => {
        this.show();
        if (name !== "hideMoves" && name !== null) return;
        this.rebuild();
        this.showChooser();
      }),
    ];
    this.end = () => {
      this.commit();
      this.autoplay.stop();
      this.leave();
      this.review.stop();
      this.engine.end();
      this.second?.end();
      this.nextMoves.end();
      ends.forEach((end) => end());
    };
    this.onfragment = () => this.showPlace();
    // The same game with other panels; another game is another view.
    this.onaddress = (asked) => {
      if (addressWith(WITHOUT_PANELS) !== this.here) return false;
      this.showPanels({ isText: asked.get("text") !== null, next: asked.get("next") ?? "" }).catch(tellError);
      this.showPlace();
      return undefined;
    };
    this.start(query, isBack).catch((error) => this.source && error.status === 404 ? nothingHere(container, "There is no such game") : tellError(error));
  }

  build(container) {
    this.title = h("h1", {}, "Analysis");
    this.subtitle = h("p", { class: "subtitle" });
    this.opening = h("span", { class: "opening" });
    this.material = h("span", { class: "balance" });
    this.chooser = h("div", { class: "game-chooser", hidden: true });
    this.draft = h("div", { class: "draft" });
    this.field = moveField({
      context: () => ({ legal: this.entry.legal, pieces: this.entry.pieces, last: this.node.san, clocks: "There is no clock." }),
      onmove: (move) => this.play(move),
    });
    this.field.hidden = !settings.moveField;
    this.comment = h("textarea", {
      rows: "1", placeholder: "Comment", "aria-label": "Comment on this move",
      onchange: () => this.commit(),
    });
    this.signs = new Signs((nag, group) => this.edit(() => this.tree.toggleNag(this.node, nag, group)));
    this.file = h("input", { type: "file", accept: ".pgn,.fen,.epd,.txt,text/plain", class: "hidden", "aria-label": "Open a file", tabindex: "-1", onchange: () => this.openFile(this.file.files[0]) });
    this.autoplay = new Autoplay({ hasNext: () => Boolean(this.nextOf(this.node)), next: () => {
      const next = this.nextOf(this.node);
      if (next) this.go(next, { isPlaying: true });
      return Boolean(next);
    } });
    this.texts = button("Text", () => this.switchText(), { title: "Edit the game as PGN", "aria-pressed": "false" });
    this.annotate = h("div", { class: "annotate" }, this.comment, this.signs.element);
    replace(container, h("section", { class: "analysis", "aria-label": "Analysis" },
      h("div", { class: "table" }, h("div", { class: "with-bar" }, this.engine.bar, this.board.frame),
        h("div", { class: "facts" }, this.opening, this.material)),
      h("div", { class: "side" }, h("div", { class: "game-head" }, h("header", { class: "game-header" }, this.title, this.subtitle), this.chooser), this.draft, this.engine.element, this.secondPlace, this.tables.element, this.nextMoves.element, this.notation.element, this.text.element, this.scratch.element, this.curve.element, this.review.element, stepTools(this),
        this.field, this.annotate, editTools(this), gameTools(this), this.file)));
  }

  // Shows the game of the address, or the last one in this browser.
  async start(query, isBack) {
    // Games are shown as they were the last time, unless the address is that of another time.
    const { text: hadText = "", next = "" } = isBack ? {} : load("panels", {});
    await loadNags();
    if (this.source) {
      const { file, number } = this.source;
      const [{ files = [] }, game] = await Promise.all([aboutServer(), get(`/api/files/${file}/games/${number}`)]);
      this.version = game.version;
      this.from(`file/${files.find(({ id }) => id === file)?.name}@${game.version}`, game);
      this.showChooser();
    } else if (query.get("game")) {
      const id = query.get("game");
      const text = await get(`/api/games/${encodeURIComponent(id)}/pgn`);
      const { games } = await post("/api/analysis/read", { text });
      this.from(`game/${id}@${games[0].nodes.length}`, games[0]);
    } else if (query.get("moves")) {
      const { games } = await post("/api/analysis/read", { text: query.get("moves") });
      this.from(`line/${query.get("moves")}`, games[0]);
      if (!location.hash) this.go(this.tree.mainLine.at(-1) ?? this.tree.root);
    } else if (query.get("fen")) {
      this.from(`fen/${query.get("fen")}`, { start: query.get("fen") });
    } else {
      this.openOwn(query.get("own") ?? load("own", null) ?? newName());
      const text = arrived();
      if (text) await this.openText(text);
    }
    this.showPlace();
    await this.showPanels({ isText: Boolean(query.get("text") ?? hadText), next: query.get("next") ?? next });
  }

  // Shows a game from somewhere, with the changes that have been made to it here.
  from(key, game) {
    Object.assign(this, { origin: key, shownGame: 0, original: JSON.stringify(new Tree(game).game()) });
    this.here = addressWith(WITHOUT_PANELS);
    this.address = this.source ? location.pathname : this.here;
    this.open(readDraft(key)?.games[0] ?? game);
    draftNote(this.draft, { key, address: this.address, ontake: (games) => this.take(games[0]), ondrop: () => this.take(JSON.parse(this.original)) });
  }

  // Games of this browser alone, pasted or played here.
  openOwn(name, games = null) {
    const key = `own/${name}`;
    const kept = games ? { games, shown: 0 } : (readDraft(key) ?? { games: [{}], shown: 0 });
    Object.assign(this, { origin: key, address: `/analyse?own=${name}`, source: null, version: undefined, games: kept.games, shownGame: kept.shown });
    this.original = JSON.stringify(new Tree().game());
    this.edited = new Set();
    store("own", name);
    replace(this.draft);
    if (!games) setAddress(addressWith({ own: name }) + location.hash);
    this.here = addressWith(WITHOUT_PANELS);
    this.open(this.games[this.shownGame]);
    if (games) this.keep();
    this.showChooser();
  }

  // The place in the game that the address has.
  showPlace() {
    const place = /^#m([\d.]+)$/.exec(location.hash)?.[1];
    const node = place ? this.tree.at(place.split(".").map(Number)) : this.tree.root;
    if (node !== this.node) this.go(node);
  }

  // Keeps in the browser what has been changed and is saved nowhere else.
  keep() {
    const { origin: key, address, version } = this;
    if (!key) return;
    const game = this.tree.game();
    this.games[this.shownGame] = game;
    if (this.games.length === 1 && JSON.stringify(game) === this.original) {
      dropDraft(key);
      replace(this.draft);
      return;
    }
    this.edited.add(this.shownGame);
    const games = this.kept().map((one) => one.game);
    const isKept = keepDraft(key, { address, version, title: this.title.textContent, games, shown: games.indexOf(game) });
    if (!isKept && !this.isFull) toast("This game is too large to be kept in the browser. Save it.", "error");
    this.isFull = !isKept;
  }

  // Removes the shown game from what is kept, because it has been saved. Returns whether others are left.
  keepOthers() {
    const { origin: key, address, shownGame } = this;
    const others = this.kept().filter(({ index }) => index !== shownGame).map(({ game }) => game);
    if (!others.length) {
      dropDraft(key);
      return false;
    }
    keepDraft(key, { address, title: titleOf(new Tree(others[0])), games: others, shown: 0 });
    return true;
  }

  // The games that are kept in the browser: of very many games only those with changes.
  kept() {
    const count = this.games.reduce((sum, { nodes = [] }) => sum + nodes.length, 0);
    const all = this.games.map((game, index) => ({ game, index }));
    return all.filter(({ index }) => count <= KEPT_MOVES || index === this.shownGame || this.edited.has(index));
  }

  open(game) {
    this.review.stop();
    this.leaveScratch();
    this.tree = new Tree(game);
    this.node = this.tree.root;
    this.left = null;
    this.board.shapes.set("engine", []);
    this.rebuild();
  }

  // The menu that chooses one of several games.
  showChooser() {
    const { source, games } = this;
    this.chooser.hidden = !source && games.length < 2;
    if (source) return this.found.show(this.chooser, source, (by) => this.otherGame(by));
    const list = h("select", { "aria-label": "Game", onchange: () => this.openOther(Number(list.value)) }, games.map(({ tags = [] }, index) => {
      const tag = (name) => tags.find(([known]) => known === name)?.[1] ?? "?";
      return h("option", { value: String(index) }, `${index + 1}. ${tag("White")} – ${tag("Black")}${settings.hideMoves ? "" : ` ${tag("Result")}`}`);
    }));
    list.value = String(this.shownGame);
    return replace(this.chooser, iconButton("back", "Previous game ([)", () => this.otherGame(-1)), list, iconButton("next", "Next game (])", () => this.otherGame(1)));
  }

  async otherGame(by) {
    if (this.source) return this.found.go(this.source, by).catch(tellError);
    const index = this.shownGame + by;
    if (index >= 0 && index < this.games.length) this.openOther(index);
    else if (this.games.length > 1) toast(by > 0 ? "This is the last game." : "This is the first game.");
    return undefined;
  }

  openOther(index) {
    this.commit();
    this.leave();
    this.shownGame = index;
    this.open(this.games[index]);
    this.showChooser();
    setAddress(location.pathname + location.search);
    this.keep();
  }

  // The squares of the last move.
  get lastSquares() {
    const { parent, uci, san } = this.node;
    return parent && uci !== "0000" ? marked(this.tree.placement(parent), uci, san) : [];
  }

  // Remembers where this game is left.
  leave() {
    const place = this.scratch.home ?? this.node;
    if (place.parent) keepOf("places", this.placeKey, this.tree.path(place));
  }

  get placeKey() {
    return `${this.origin}.${this.shownGame}`;
  }

  showTitle() {
    const { tree } = this;
    const [white, black] = [tree.tag("White"), tree.tag("Black")];
    this.title.textContent = titleOf(tree);
    this.subtitle.textContent = [tree.tag("Event"), tree.tag("Site").replace(/^https?:\/\//, ""), tree.tag("Date").replaceAll(".??", ""), tree.result === "*" || settings.hideMoves ? "" : writtenResult(tree.result)]
      .filter(Boolean).join(" · ");
    this.title.classList.toggle("hidden", !white && !black && !this.subtitle.textContent);
    setTitle(white || black ? this.title.textContent : "Analysis");
  }

  // After a change of the tree.
  rebuild() {
    const place = this.scratch.home ?? this.node;
    this.notation.show(this.tree, place);
    this.curve.show(this.tree, place);
    this.review.show(this.tree);
    this.showTitle();
    this.show();
    this.text.refresh();
  }

  // The text of the game takes the place of the list of its moves.
  switchText() {
    this.commit();
    this.showText(!this.text.isOpen);
    this.keepPanels({ push: true });
  }

  // The panels of an address, which has them besides the game.
  async showPanels({ isText, next }) {
    if (isText !== this.text.isOpen) this.showText(isText, { focuses: false });
    if (next !== this.nextMoves.source) await this.nextMoves.set(next);
    this.keepPanels();
  }

  get panels() {
    return { text: this.text.isOpen ? "1" : "", next: this.nextMoves.source };
  }

  // The address has what is shown, and the next game begins with it.
  keepPanels({ push = false } = {}) {
    store("panels", this.panels);
    setAddress(addressWith(this.panels) + location.hash, { push });
  }

  showText(isText, { focuses = true } = {}) {
    // The text has the comments and signs, too.
    [this.notation.element, this.annotate, this.review.element].forEach((element) => {
      element.hidden = isText;
    });
    this.text.toggle(isText, { focuses });
    this.texts.setAttribute("aria-pressed", String(isText));
  }

  // To the move at which the caret stands in the text.
  goWritten(index) {
    const node = this.tree.written()[index] ?? this.tree.root;
    if (node !== this.node) this.go(node);
  }

  edit(change) {
    this.leaveScratch();
    change();
    this.rebuild();
    this.keep();
  }

  history(direction) {
    if (this.scratch.isOn) return this.takeBack();
    const node = this.tree[direction](this.node);
    if (!node) return toast(direction === "undo" ? "Nothing to undo." : "Nothing to redo.");
    this.node = node;
    this.rebuild();
    this.keep();
  }

  go(node, { slide = true, isPlaying = false } = {}) {
    if (!isPlaying) this.autoplay.stop();
    this.commit();
    if (this.scratch.isOn && !this.scratch.has(node)) this.scratch.end();
    if (node !== this.node) this.before = this.node;
    this.node = node;
    // The place in the game, also of a move that is only tried.
    const place = this.scratch.home ?? node;
    this.notation.mark(place);
    this.curve.mark(place);
    this.scratch.show(node);
    if (this.text.isOpen) this.text.mark(this.tree.written().indexOf(place));
    this.show({ slide });
    setAddress(location.pathname + location.search + (place.parent ? `#m${this.tree.path(place).join(".")}` : ""));
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
    replace(this.material, materialText(pieces));
    if (this.commented !== node || document.activeElement !== this.comment) this.comment.value = readText(node.after);
    this.commented = node;
    this.signs.show(node);
    const moves = node.line.map(({ uci }) => uci);
    const isStart = !(this.scratch.isOn ? this.scratch.previous(node) : node.parent);
    this.nextMoves.show(null, isStart);
    position(tree.start, moves).then((facts) => {
      if (this.node !== node || this.tree !== tree) return;
      this.facts = facts;
      this.board.mark("check", [facts.check]);
      this.entry.set({ pieces, legal: facts.legal, mover: facts.turn ?? turnOf(facts.fen) });
      this.tables.show(facts.tables, facts.turn);
      this.nextMoves.show(facts.problems?.length ? null : facts.fen, isStart);
      this.showOpening(facts.opening, node);
      const over = facts.outcome && !facts.legal.length ? `${facts.outcome.result} ${facts.outcome.reason}` : null;
      replace(this.material, materialText(pieces, facts.space));
      if (facts.problems?.length) this.opening.textContent = facts.problems.join(" ");
      const place = { fen: tree.start, moves, isOver: facts.problems?.length ? "This position cannot be analyzed." : over };
      this.engine.set(place);
      this.second?.set(place);
    }).catch(tellError);
  }

  // The name of the opening, and a star where the game has left all that have a name.
  showOpening(opening, { parent }) {
    const isLeft = opening ? opening.left : Boolean(parent);
    replace(this.opening, opening && `${opening.eco} ${opening.name}`, isLeft && h("span", { title: "The game has left the openings with a name" }, opening ? " *" : "*", h("span", { class: "hidden" }, " (left)")));
  }

  numberAfter(index) {
    const depth = this.node.depth + 1 + index;
    return this.tree.number({ depth });
  }

  play(move, wasDragged = false) {
    playMove(move.san);
    if (this.scratch.isOn) return this.go(this.scratch.play(this.node, move), { slide: !wasDragged });
    const count = this.node.children.length;
    const node = this.tree.add(this.node, move);
    const isNew = node.parent.children.length > count;
    this.before = this.node;
    this.node = node;
    if (isNew) {
      this.notation.show(this.tree, node);
      this.curve.show(this.tree, node);
      this.review.show(this.tree);
      this.keep();
      this.text.refresh();
    }
    this.go(node, { slide: !wasDragged });
  }

  // A line of the engine becomes a variation.
  addLine(moves) {
    let { node } = this;
    if (this.scratch.isOn) return this.go(moves.reduce((from, move) => this.scratch.play(from, move), node));
    for (const move of moves) node = this.tree.add(node, move);
    this.node = node;
    this.rebuild();
    this.keep();
    this.go(node);
  }

  step(by) {
    this.autoplay.stop();
    let { node } = this;
    for (let count = Math.abs(by); count > 0; count -= 1) node = (by > 0 ? this.nextOf(node) : this.scratch.isOn ? this.scratch.previous(node) : node.parent) ?? node;
    if (node !== this.node) this.go(node);
  }

  goStart() {
    this.go(this.scratch.home ?? this.tree.root);
  }

  goEnd() {
    let { node } = this;
    for (let next = this.nextOf(node); next; next = this.nextOf(node)) node = next;
    this.go(node);
  }

  // Moves that are tried, or back to the position of the game.
  turnScratch() {
    if (this.scratch.isOn) return this.go(this.leaveScratch());
    this.autoplay.stop();
    this.commit();
    this.scratch.begin(this.tree, this.node);
    announce("Moves are tried now, and not saved.");
  }

  // The place in the game.
  leaveScratch() {
    if (this.scratch.isOn) this.node = this.scratch.end();
    return this.node;
  }

  keepScratch() {
    const { moves } = this.scratch;
    this.leaveScratch();
    this.addLine(moves);
    this.scratch.toggle.focus();
  }

  // Takes a tried move back.
  takeBack() {
    const node = this.scratch.takeBack(this.node);
    if (!node) return toast("Nothing to undo.");
    this.go(node);
  }

  // The move after this one: that of the line which has been chosen, as long as it is in it.
  nextOf(node) {
    if (this.scratch.isOn) return this.scratch.next(node);
    const chosen = this.line?.[node.depth];
    return chosen?.parent === node ? chosen : node.next;
  }

  chooseLine() {
    openLines(this.tree, (line, start) => {
      this.line = line;
      this.go(start);
    });
  }

  // The next variation at this move, or out of the one that is shown.
  sibling(by) {
    const { node } = this;
    if (!node.parent || this.scratch.isOn) return;
    const { children } = node.parent;
    const next = children[children.indexOf(node) + by];
    if (next) return this.go(next);
    const branch = this.tree.branch(node);
    if (by < 0 && branch) this.go(branch.parent.children[branch.parent.children.indexOf(branch) - 1]);
  }

  // Stores the text of the field with the move for which the field was shown.
  commit() {
    const { commented: node, comment } = this;
    const text = comment.value.trim();
    if (node && text !== readText(node.after)) this.edit(() => this.tree.setComments(node, withText(node.after, text)));
  }

  keepShapes(shapes) {
    // Those over moves that are tried are as fleeting as these.
    if (this.scratch.isOn) return;
    this.tree.setComments(this.node, withShapes(this.node.after, writeShapes(shapes)));
    this.keep();
    this.text.refresh();
  }

  remove(node) {
    if (this.scratch.has(node)) return this.takeBack();
    if (!node.parent) return;
    this.leaveScratch();
    this.node = this.tree.remove(node);
    this.rebuild();
    this.keep();
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
      ["Study from here", () => this.pgn().then((text) => {
        go(studyAddress(text, this.tree.path(node).join(".")));
      }).catch(tellError)],
      ["Copy …", () => {
        this.go(node);
        openCopyMenu({ getBoundingClientRect: () => ({ left: x, bottom: y }) }, { tree: this.tree, node, fen: this.facts?.fen ?? this.tree.start, pgn: () => this.pgn() });
      }],
    ]);
  }

  showNovelty(node, sign) {
    this.go(node);
    if (sign) this.edit(() => this.tree.toggleNag(node, sign, [sign]));
  }

  async pgn() {
    const { pgn } = await post("/api/analysis/write", { game: this.tree.game() });
    return pgn;
  }

  // Replaces the game by its analysis; this can be undone.
  take(game) {
    this.commit();
    this.leaveScratch();
    const path = this.tree.path(this.node);
    this.tree.remember();
    this.tree.load(game);
    this.node = this.tree.at(path);
    this.rebuild();
    this.keep();
  }

  // The address of this place in the game, if the game can be had there as it is here; of the position otherwise.
  link() {
    const { node, tree } = this;
    if (!this.origin) return location.href;
    const original = new Tree(JSON.parse(this.original));
    const there = original.at(tree.path(node));
    const isThere = there.line.map(({ uci }) => uci).join() === node.line.map(({ uci }) => uci).join();
    if (isThere && !this.origin.startsWith("own/")) return `${location.origin}${this.address}${location.hash}`;
    return `${location.origin}/analyse?fen=${encodeURIComponent(this.facts?.fen ?? tree.start)}`;
  }

  save() {
    const { source, version } = this;
    save({ source, version, game: () => this.tree.game(), pgn: () => this.pgn(), onsaved: (place) => this.saved(place) }).catch(tellError);
  }

  // From now on the game is the one of the file. Other games that were beside it stay unsaved.
  async saved({ file, number, version }) {
    const { files } = await aboutServer();
    const isKept = this.keepOthers();
    replace(this.draft);
    if (isKept) toast("The other games are listed under “Paste or open” as not saved yet.");
    Object.assign(this, { source: { file, number }, version, origin: `file/${files.find(({ id }) => id === file)?.name}@${version}`, address: `/analyse/${file}/${number}`, games: [], edited: new Set(), shownGame: 0 });
    this.original = JSON.stringify(this.tree.game());
    setAddress(this.address + this.found.search + location.hash, { push: true });
    this.here = addressWith(WITHOUT_PANELS);
    this.keepPanels();
    this.showChooser();
  }

  // To the next or previous place at which the query is true, in this game or in another one of those that were found.
  async nextHit(by) {
    const { found, source } = this;
    if (!source || !found.query) return toast("These keys go through what a query has found: open the game from a list of Explore.");
    this.hits ??= await found.hits(source);
    const order = this.tree.written();
    const at = (node) => order.indexOf(node);
    const nodes = this.hits.map((path) => this.tree.at(path ? path.split(".").map(Number) : []));
    const behind = nodes.filter((node) => by * (at(node) - at(this.node)) > 0).sort((one, other) => by * (at(one) - at(other)));
    if (behind.length) return this.go(behind[0]);
    return found.go(source, by, true);
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
      Home: () => this.goStart(), End: () => this.goEnd(), PageUp: () => this.step(-5), PageDown: () => this.step(5),
      Backspace: () => this.before && this.go(this.before), f: () => this.board.flip(), e: () => this.engine.switch(!settings.engineOn),
      r: () => this.go(tree.at(keptOf("places", this.placeKey) ?? [])),
      m: () => tree.mainLine.length && this.go(tree.mainLine[Math.floor((tree.mainLine.length - 1) / 2)]),
      " ": () => this.autoplay.press(), n: () => this.nextHit(1).catch(tellError), N: () => this.nextHit(-1).catch(tellError), "[": () => this.otherGame(-1), "]": () => this.otherGame(1),
      l: () => this.chooseLine(), t: () => this.turnScratch(), "+": () => this.tellMaterial(), Delete: () => this.remove(this.node), Escape: () => this.entry.escape(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    if (event.key !== " ") this.autoplay.stop();
    acts[event.key]();
  }

  tellMaterial() {
    const { material, space } = this.facts ?? {};
    if (!material) return;
    const spaceText = space ? ` Space: White ${space.white}, Black ${space.black}.` : "";
    toast(`Material: White ${material.white}, Black ${material.black}.${spaceText}`);
  }

  async openFile(file) {
    if (file) this.openText(await file.text());
  }

  // Something from outside; what was here is kept, and the back key shows it.
  async openText(text) {
    try {
      const { games, problems = [] } = await post("/api/analysis/read", { text });
      for (const { line, column, text: told } of problems.slice(0, 3)) toast(`Line ${line}, column ${column}: ${told}`, "error");
      this.commit();
      this.leave();
      const isUnused = this.origin?.startsWith("own/") && !readDraft(this.origin);
      const name = isUnused ? this.origin.slice(4) : newName();
      setAddress(`/analyse?own=${name}`, { push: !isUnused });
      this.openOwn(name, games);
      this.keepPanels();
      return true;
    } catch (error) {
      tellError(error);
      return false;
    }
  }
}
