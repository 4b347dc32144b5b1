// The text of the game, as PGN, beside its moves. An edited text replaces the game once the server can read all of it.

import { post } from "./api.js";
import { button, h, replace } from "./dom.js";
import { tellError } from "./tell.js";

const WAIT_MS = 200;
// The tokens of a text: moves, and between them tags, comments, signs, numbers and results.
const TOKENS = /^\[[^\n]*\]\s*$|\{[^}]*\}|;[^\n]*|^%[^\n]*|\$\d+|[()]|\d+\.+|1-0|0-1|1\/2-1\/2|\*|[^\s(){};]+/gm;
const isMove = (token) => /^([a-hKQRBNPO0]|--)/.test(token) && !/^0-1$/.test(token);

export class PgnPane {
  // `pgn()` promises the text of the game; `ontake(game)` gets the edited game; `onplace(index)` when the caret is at a
  // move, counted in the order of the text.
  constructor({ pgn, ontake, onplace }) {
    Object.assign(this, { pgn, ontake, onplace, written: "", asked: 0 });
    this.area = h("textarea", {
      class: "pgn-text", spellcheck: "false", "aria-label": "The game as PGN", "aria-describedby": "pgn-problems", oninput: () => this.showState(),
      onclick: () => this.tellPlace(), onkeyup: (event) => /^(Arrow|Home|End|Page)/.test(event.key) && this.tellPlace(),
      onkeydown: (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        this.apply();
      },
    });
    this.problems = h("div", { id: "pgn-problems", class: "problems bad", role: "alert", hidden: true });
    this.applies = button("Apply", () => this.apply(), { class: "primary", title: "Ctrl+Enter" });
    this.drops = button("Drop what is not applied", () => this.load(), { class: "quiet" });
    this.element = h("div", { class: "pgn-pane", hidden: true }, this.area, this.problems, h("div", { class: "actions" }, this.applies, this.drops));
    this.showState();
  }

  get isOpen() {
    return !this.element.hidden;
  }

  get isChanged() {
    return this.area.value !== this.written;
  }

  toggle(isOpen, { focuses = true } = {}) {
    this.element.hidden = !isOpen;
    if (isOpen) this.load().then(() => {
      if (!focuses) return;
      this.area.focus();
      this.area.setSelectionRange(0, 0);
      this.area.scrollTop = 0;
    });
  }

  // The game has been changed. An unfinished text stays.
  refresh() {
    if (!this.isOpen || this.isChanged) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.isChanged || this.load(), WAIT_MS);
  }

  async load() {
    const asked = (this.asked += 1);
    try {
      const text = await this.pgn();
      if (asked !== this.asked) return;
      const { scrollTop } = this.area;
      this.written = text;
      this.area.value = text;
      this.area.scrollTop = scrollTop;
      this.showProblems([]);
      this.showState();
    } catch (error) {
      tellError(error);
    }
  }

  showState() {
    this.applies.disabled = !this.isChanged;
    this.drops.hidden = !this.isChanged;
  }

  async apply() {
    const { value: text } = this.area;
    try {
      const { games, problems } = await post("/api/analysis/read", { text });
      if (text !== this.area.value) return;
      if (games.length > 1) problems.push({ line: 1, column: 1, text: `${games.length} games, expected one` });
      this.showProblems(problems);
      if (problems.length) return;
      this.written = text;
      this.ontake(games[0]);
      await this.load();
    } catch (error) {
      if (error.code !== "no_game") return void tellError(error);
      const [, line = 1, column = 1, told = error.message] = /^line (\d+), column (\d+): (.*)$/s.exec(error.message) ?? [];
      this.showProblems([{ line: Number(line), column: Number(column), text: told }]);
    }
  }

  showProblems(problems) {
    this.problems.hidden = problems.length === 0;
    this.area.setAttribute("aria-invalid", String(problems.length > 0));
    replace(this.problems, h("p", {}, "Not applied, since it cannot be read:"), problems.map(({ line, column, text }) => h("p", {}, button(`Line ${line}, column ${column}`, () => this.goTo(line, column), { class: "quiet" }), ` ${text}`)));
  }

  // Puts the caret to a place, which counts letters from 1.
  goTo(line, column) {
    const lines = this.area.value.split("\n");
    const before = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const at = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.area.focus();
    this.area.setSelectionRange(at, at + 1);
  }

  // The places of the moves in the text.
  moves() {
    return [...this.area.value.matchAll(TOKENS)].filter(([token]) => isMove(token)).map(({ 0: token, index }) => [index, index + token.length]);
  }

  tellPlace() {
    if (this.isChanged) return;
    const caret = this.area.selectionStart;
    const index = this.moves().findLastIndex(([start]) => start <= caret);
    if (caret === this.area.selectionEnd) this.onplace(index);
  }

  // Marks the shown move, unless the text is edited.
  mark(index) {
    if (!this.isOpen || this.isChanged || document.activeElement === this.area) return;
    const place = this.moves()[index];
    if (!place) return;
    this.area.setSelectionRange(...place);
    const lines = this.area.value.slice(0, place[0]).split("\n").length;
    const all = this.area.value.split("\n").length;
    this.area.scrollTop = (this.area.scrollHeight * lines) / all - this.area.clientHeight / 2;
  }
}
