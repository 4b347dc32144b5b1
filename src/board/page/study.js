// Study: moves of games are guessed, problems are solved, own mistakes are mended. Only the server knows the answers.

import { aboutServer } from "./api.js";
import { Board } from "./board.js";
import { button, checkbox, choice, field, h, icon, iconButton, isTyping, replace, select } from "./dom.js";
import { MoveEntry } from "./entry.js";
import { moveField } from "./move-field.js";
import { copyButtons, pgnOf } from "./picture.js";
import { marked, played, readPlacement, START, turnOf } from "./placement.js";
import { addressWith, setAddress, setTitle } from "./router.js";
import { onSettings, settings } from "./settings.js";
import { Socket } from "./socket.js";
import { playMove } from "./sound.js";
import { spoken, written } from "./speech.js";
import { load, store } from "./storage.js";
import { announce, tellError, toast } from "./tell.js";

// The time between two moves that are shown one after the other.
const STEP_MS = 450;
// The choices for the tolerance of a guess against the right move, in centipawns.
const EQUAL = [["", "are wrong"], ["0", "are accepted"], ["20", "are accepted, if 0.2 worse, too"], ["50", "are accepted, if 0.5 worse, too"]];
const SIDES = [{ value: "white", label: "White" }, { value: "black", label: "Black" }, { value: "both", label: "Both", title: "The moves of both sides are asked" }];
const KINDS = [{ value: "games", label: "Games", title: "The moves of games, and the solutions of problems" }, { value: "mistakes", label: "Mistakes", title: "Better moves than those that were played, from variations" },
  { value: "repertoire", label: "Repertoire", title: "The games are lines of your openings, with variations" }];
const NOT_EQUAL = "none";
// Studied texts are kept in the window by a name: { text, from }. A text that is too large for it is lost by a reload.
const texts = new Map();
const keptAt = (name) => `hematite.study.${name}`;

function keepText(kept) {
  const name = Date.now().toString(36);
  texts.set(name, kept);
  try {
    sessionStorage.setItem(keptAt(name), JSON.stringify(kept));
  } catch {
    // It is in memory.
  }
  return name;
}

const keptText = (name) => texts.get(name) ?? JSON.parse(sessionStorage.getItem(keptAt(name)) ?? "null");

// The address at which these games are studied; `from` is the path to the move behind which the study of a game begins.
export function studyAddress(pgn, from = "") {
  return `/study?${new URLSearchParams({ own: keepText({ text: pgn, ...(from && { from }) }) })}`;
}

// The settings of an address that can be used: { side, what, all, judge, equal }.
function formOf(query) {
  const form = {};
  if (SIDES.some(({ value }) => value === query.get("side"))) form.side = query.get("side");
  if (KINDS.some(({ value }) => value === query.get("what"))) form.what = query.get("what");
  const equal = query.get("equal");
  if (equal === NOT_EQUAL) form.equal = "";
  else if (EQUAL.some(([value]) => value === equal)) form.equal = equal;
  for (const name of ["all", "judge"]) if (query.has(name)) form[name] = query.get(name) === "1";
  return form;
}

// The loss of winning chances by a guess, in points of 100, if it is known.
function lostText({ lost, judgement }) {
  if (lost === null || lost === undefined) return "";
  if (lost <= 0) return ", though it is no worse";
  return `: it lowers the winning chances by ${lost} of 100${judgement ? ` (${judgement})` : ""}`;
}

export function studyView(container, { query }) {
  return new StudyView(container, query);
}

class StudyView {
  constructor(container, query) {
    this.form = { side: "white", what: "games", all: false, judge: false, equal: "", ...load("study", {}), ...formOf(query) };
    this.open = null;
    this.task = null;
    this.steps = [];
    // The position on the board, and the moves that are yet to be played on it.
    this.shown = START;
    this.waiting = [];
    this.board = new Board();
    this.entry = new MoveEntry(this.board, { onmove: (move) => this.guess(move) });
    this.field = moveField({
      context: () => ({ legal: this.entry.legal, pieces: this.entry.pieces, last: this.steps.at(-1)?.san, clocks: "There is no clock." }),
      onmove: (move) => this.guess(move),
    });
    this.field.hidden = !settings.moveField;
    this.endSettings = onSettings(() => {
      this.field.hidden = !settings.moveField;
      if (this.task) this.showTask(false);
    });
    this.status = h("div", { class: "status" });
    this.found = h("ol", { class: "found", "aria-label": "Moves found" });
    this.comment = h("p", { class: "comment" });
    this.actions = h("div", { class: "actions" });
    this.source = h("details", { class: "panel source", open: true });
    this.file = h("input", { type: "file", accept: ".pgn,.epd,.txt,text/plain", class: "hidden", "aria-label": "Open a file", tabindex: "-1", onchange: () => this.openFile() });
    replace(container, h("section", { class: "game study", "aria-label": "Study" }, h("h1", { class: "hidden" }, "Study"),
      h("div", { class: "table" }, this.board.frame),
      h("div", { class: "side" }, this.status, this.actions, this.comment, this.found, this.field, this.source, this.file)));
    this.board.setPieces(readPlacement(START));
    this.socket = new Socket("/api/study", {
      // After a cut the session begins anew; what was answered is kept.
      hello: () => this.open && { open: { ...this.open, first: this.task?.game ?? this.open.first } },
      onmessage: (message) => this.receive(message),
    });
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.end = () => {
      document.removeEventListener("keydown", this.keys);
      this.endSettings();
      clearTimeout(this.timer);
      this.socket.close();
    };
    setTitle("Study");
    this.idle();
    const own = query.get("own");
    const given = own === null ? null : keptText(own);
    this.build(given?.text, query);
    const first = Number(query.get("game")) || 1;
    if (given) this.begin({ own, first, ...given });
    else if (own !== null) toast("What was studied here was kept in its window only. Paste it again.", "error");
    else if (query.has("file")) this.begin({ file: Number(query.get("file")), query: query.get("query") ?? "", first });
  }

  idle() {
    replace(this.status, h("strong", {}, "What would you like to study?"),
      h("small", {}, "A game whose moves you guess, problems, or your own mistakes."));
  }

  build(given, asked) {
    const remember = (name) => (value) => {
      this.form[name] = value;
      store("study", this.form);
    };
    const area = h("textarea", { rows: "4", spellcheck: "false", class: "paste", placeholder: "Games (PGN) or problems (PGN, EPD)", "aria-label": "PGN or EPD", ".value": given ?? "" });
    const files = h("div", {});
    const start = () => (area.value.trim() ? this.begin({ text: area.value }, { push: true }) : toast("Paste something to study, or open a file.", "error"));
    replace(this.source, h("summary", {}, "What to study"), area,
      choice("Your side", SIDES, this.form.side, remember("side")), choice("What is asked", KINDS, this.form.what, remember("what")),
      checkbox("The engine judges wrong guesses", this.form.judge, remember("judge")),
      field("Guesses that are as good", select(EQUAL, this.form.equal, remember("equal"))),
      checkbox("Also what is not due yet", this.form.all, remember("all")),
      h("div", { class: "actions" }, button("Begin", start, { class: "primary" }), button("Open a file …", () => this.file.click())), files);
    aboutServer().then(({ files: found = [] }) => {
      if (!found.length) return;
      let chosen = found.find(({ id }) => String(id) === asked.get("file"))?.id ?? found[0].id;
      const query = h("input", { type: "search", ".value": asked.get("query") ?? "", spellcheck: "false", placeholder: "All games", "aria-label": "Query" });
      replace(files, field("Or from a file of this board", select(found.map(({ id, name }) => [String(id), name]), String(chosen), (value) => {
        chosen = Number(value);
      })), h("div", { class: "query" }, query, button("Begin", () => this.begin({ file: chosen, query: query.value.trim() }, { push: true }))));
    }).catch(tellError);
  }

  async openFile() {
    const [file] = this.file.files;
    if (file) this.begin({ text: await file.text() }, { push: true });
    this.file.value = "";
  }

  // `source`: { file, query } or { text, from, own }, and the number of the game that is the first.
  begin({ own, ...source }, { push = false } = {}) {
    const { side, what, all, judge, equal } = this.form;
    const place = source.text === undefined ? { file: String(source.file), query: source.query } : { own: own ?? keepText({ text: source.text }) };
    // The address has the settings, too, so the back key restores the same questions.
    const asked = { file: "", query: "", own: "", side, what, all: all ? "1" : "0", judge: judge ? "1" : "0", equal: equal || NOT_EQUAL, game: source.first > 1 ? String(source.first) : "", ...place };
    setAddress(addressWith(asked), { push });
    this.open = { ...source, side, mistakes: what === "mistakes", repertoire: what === "repertoire", all, judge, ...(equal && { accept_equal_cp: Number(equal) }) };
    // Before the socket is open, this is its first message.
    this.socket.send({ open: this.open });
  }

  receive({ task, hint, done, error }) {
    if (task) this.receiveTask(task);
    if (hint) {
      this.say(hint);
      announce(hint);
    }
    if (done) this.finish(done);
    if (error) {
      if (error.code === "no_lessons" || error.code === "bad_query") this.open = null;
      tellError(new Error(error.text));
      if (this.task) this.show();
    }
  }

  receiveTask(task) {
    const isNew = !task.verdict && task.marks.length === 0;
    if (isNew) {
      this.steps = [];
      this.board.setOrientation(task.side);
      this.source.open = false;
      replace(this.comment);
    }
    this.task = task;
    if (task.game) setAddress(addressWith({ game: task.game > 1 ? String(task.game) : "" }));
    clearTimeout(this.timer);
    if (isNew) this.shown = task.start;
    this.waiting = [...task.steps];
    // The own move stands on the board already; the answer comes after a moment.
    this.next(isNew || task.verdict?.shown || task.verdict?.equal ? STEP_MS : 0);
    this.showTask(isNew);
  }

  next(wait) {
    const show = () => {
      const step = this.waiting.shift();
      if (step) {
        const before = readPlacement(this.shown);
        this.shown = step.fen;
        this.steps.push({ ...step, last: marked(before, step.uci, step.san) });
        playMove(step.san);
        announce(spoken(step.san));
        if (step.comments.length) replace(this.comment, step.comments.join(" "));
      }
      this.show();
      if (this.waiting.length) this.next(STEP_MS);
    };
    if (!wait) return show();
    this.show();
    this.timer = setTimeout(show, wait);
    return undefined;
  }

  show() {
    const { task } = this;
    const pieces = readPlacement(this.shown);
    this.board.setPieces(pieces);
    this.board.mark("last", this.steps.at(-1)?.last ?? []);
    const isNow = this.waiting.length === 0;
    this.board.mark("check", [isNow ? task.check : null]);
    this.entry.set({ pieces, legal: isNow ? task.legal : [], mover: isNow && task.legal.length ? turnOf(task.fen) : null });
  }

  // Whether it may be told who has played.
  get isNamed() {
    return !settings.hideNames || !this.task || this.task.is_over;
  }

  showTask(isNew) {
    const { task } = this;
    setTitle((this.isNamed && task.title) || "Study");
    const side = task.side === "white" ? "White" : "Black";
    const asks = { game: task.asks_both ? "Guess the moves of both sides" : `Guess the moves of ${side}`, problem: `${side} to move`, repertoire: `${side} to move`, mistake: `${side} finds something better` }[task.kind];
    const { right, equal, wrong, shown } = task.verdict ?? {};
    const note = right ? `Right: ${right.points} ${right.points === 1 ? "point" : "points"}.${task.is_over && right.also.length ? ` Also right: ${right.also.join(", ")}.` : ""}`
      : equal ? `${equal.guess} is as good. The game goes on with ${equal.san}.` : wrong ? `${wrong.guess} is not it${lostText(wrong)}.` : shown ? `The move is ${shown.san}.` : (task.instead_of ? `Played was ${task.instead_of}.` : "");
    this.say(note, task.is_over ? `Done: ${task.points} of ${task.most} points` : asks);
    if (note) announce(note);
    replace(this.found, task.marks.map(({ san, points, is_shown: isShown }) =>
      h("li", {}, h("span", {}, written(san, settings.pieceNames)), h("small", {}, isShown ? "shown" : "●".repeat(points) + "○".repeat(3 - points), h("span", { class: "hidden" }, ` ${points} points`)))));
    replace(this.actions,
      !task.is_over && button([icon("hint"), "Hint"], () => this.socket.send({ hint: {} })),
      !task.is_over && button("Show it", () => this.socket.send({ show: {} })),
      button(task.is_over ? "Next" : "Skip", () => this.socket.send({ next: {} }), { class: task.is_over ? "primary" : "quiet" }),
      iconButton("flip", "Turn the board (f)", () => this.board.flip(), { class: "icon-button quiet" }),
      // Only the moves on the board are copied, so that no answer is revealed.
      copyButtons({
        shown: () => ({ fen: this.shown, side: this.board.orientation, last: this.steps.at(-1)?.last }), pgn: () => pgnOf({ start: task.start, moves: this.steps }),
        link: () => `${location.origin}/analyse?fen=${encodeURIComponent(this.shown)}`,
      }));
    if (isNew) announce(this.isNamed ? `${task.title}. ${asks}.` : `${asks}.`);
  }

  say(note, title) {
    this.title = title ?? this.title;
    this.status.classList.toggle("own", Boolean(this.task?.verdict?.right || this.task?.verdict?.equal));
    this.status.classList.toggle("failed", Boolean(this.task?.verdict?.wrong) && title !== undefined);
    replace(this.status, h("strong", {}, this.title), h("small", {}, [this.isNamed && this.task?.title, note].filter(Boolean).join(" · ")));
  }

  guess(move) {
    this.board.setPieces(played(this.entry.pieces, move.uci, move.san));
    this.socket.send({ guess: move.uci });
  }

  finish({ exercises, moves, clean, points, most, judged, lost, later, left }) {
    // The next task may be asked for before the last answer was played.
    clearTimeout(this.timer);
    this.shown = this.waiting.at(-1)?.fen ?? this.shown;
    this.waiting = [];
    this.board.setPieces(readPlacement(this.shown));
    this.task = null;
    this.open = null;
    // From here on it begins anew.
    setAddress(addressWith({ game: "" }));
    this.entry.set({ pieces: this.board.pieces });
    replace(this.actions);
    replace(this.found);
    this.status.classList.remove("own", "failed");
    const text = exercises ? `${points} of ${most} points: ${moves} ${moves === 1 ? "move" : "moves"}, ${clean} at once.` : "There is nothing to study now.";
    const losses = judged ? ` ${judged} judged ${judged === 1 ? "guess lowers" : "guesses lower"} the winning chances by ${lost} of 100 on average.` : "";
    const more = losses + (later ? ` ${later} not due yet.` : "") + (left ? ` ${left} new positions are left.` : "");
    replace(this.status, h("strong", {}, exercises ? "All done" : "Nothing is due"), h("small", {}, text + more));
    announce(text + more);
    this.source.open = true;
  }

  key(event) {
    if (isTyping(event)) return;
    const acts = { f: () => this.board.flip(), h: () => this.task && !this.task.is_over && this.socket.send({ hint: {} }), n: () => this.task && this.socket.send({ next: {} }), Escape: () => this.entry.escape() };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}
