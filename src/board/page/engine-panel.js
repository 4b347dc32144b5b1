// The engine beside the board: its lines, its evaluation as a bar, its moves as arrows.

import { button, h, iconButton, replace, select } from "./dom.js";
import { EngineLink, expectation, scoreText, WAITING } from "./engine-link.js";
import { onSettings, setSetting, settings } from "./settings.js";
import { written } from "./speech.js";
import { copy } from "./tell.js";

const SHOWN_PLIES = 12;

// 1_234_567 -> "1.2 M".
function short(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count ?? 0);
}

export class EnginePanel {
  // `online(moves)`: a line, up to the clicked move, as [{ uci, san }]; `board` gets arrows. `second` is the name of
  // another engine that searches the same position beside the first one.
  constructor({ board, online, number, second = null }) {
    Object.assign(this, { board, online, number, place: null, hidesArrows: false });
    this.setting = second ? "secondOn" : "engineOn";
    [this.layer, this.color] = second ? ["second", "Y"] : ["engine", "B"];
    this.link = new EngineLink({ isSecond: Boolean(second), oninfo: (info, wish) => this.info(info, wish), onerror: (text) => this.tell(text), onwaiting: () => this.tell(WAITING) });
    this.toggle = h("input", { type: "checkbox", role: "switch", ".checked": settings[this.setting], onchange: () => this.switch(this.toggle.checked) });
    this.score = h("strong", { class: "score" });
    this.speed = h("small", { class: "speed" });
    this.lines = h("ol", { class: "engine-lines" });
    const count = second ? null : select([1, 2, 3, 4, 5].map((lines) => [String(lines), `${lines} ${lines === 1 ? "line" : "lines"}`]), String(settings.engineLines), (value) => {
      setSetting("engineLines", Number(value));
    }, { "aria-label": "Number of lines" });
    this.element = h("section", { class: "engine", "aria-label": second ?? "Engine" },
      h("header", {}, h("label", { class: "switch" }, this.toggle, h("span", {}, second ?? "Engine")), this.score, this.speed, ...[count].filter(Boolean)), this.lines);
    this.endSettings = onSettings((name) => name === "engineLines" && this.ask());
    this.fill = h("span", { class: "fill" });
    this.barText = h("span", { class: "bar-score" });
    this.bar = h("div", { class: "bar", hidden: !settings[this.setting], role: "img", "aria-label": "Evaluation" }, this.fill, this.barText);
  }

  switch(isOn) {
    setSetting(this.setting, isOn);
    this.toggle.checked = isOn;
    this.bar.hidden = !isOn;
    this.ask();
  }

  // Sets the position on the board: { fen, moves, isOver, ply }.
  set(place) {
    this.place = place;
    this.ask();
  }

  ask() {
    const { place } = this;
    this.board.shapes.set(this.layer, []);
    if (!settings[this.setting] || !place || place.isOver) {
      this.link.stop();
      replace(this.lines, place?.isOver ? h("li", { class: "note" }, place.isOver) : null);
      this.score.textContent = "";
      this.speed.textContent = "";
      return;
    }
    this.link.search({ fen: place.fen, moves: place.moves, multipv: settings.engineLines });
  }

  tell(text) {
    replace(this.lines, h("li", { class: "note" }, text));
  }

  info({ depth, nps, lines = [] }, wish) {
    const { place } = this;
    // An answer about the position before.
    if (!place || wish.moves.length !== place.moves.length || wish.fen !== place.fen) return;
    // Of several lines the engine tells one after the other.
    const known = lines.filter(Boolean);
    const [best] = known;
    if (!best) return;
    this.score.textContent = scoreText(best);
    this.speed.textContent = `depth ${depth} · ${short(nps)}/s`;
    this.fill.style.blockSize = `${(100 * expectation(best)).toFixed(1)}%`;
    this.barText.textContent = best.mate === null || best.mate === undefined ? (Math.abs(best.cp ?? 0) / 100).toFixed(1) : `#${Math.abs(best.mate)}`;
    this.bar.classList.toggle("black-ahead", expectation(best) < 0.5);
    this.bar.setAttribute("aria-label", `Evaluation ${scoreText(best)}`);
    replace(this.lines, known.map((line) => this.line(line)));
    this.board.shapes.set(this.layer, known.slice(0, 3).reverse().map((line, index, all) =>
      line.uci?.[0] && ({ from: line.uci[0].slice(0, 2), to: line.uci[0].slice(2, 4), color: this.color, weak: index < all.length - 1 })).filter(Boolean));
  }

  line(line) {
    const sans = line.san ?? [];
    const moves = sans.slice(0, SHOWN_PLIES).map((san, index) => button([
      index === 0 || !this.number(index).endsWith("...") ? h("span", { class: "number" }, `${this.number(index).replace("...", "…")} `) : null,
      written(san, settings.pieceNames)].filter(Boolean), () => {
      this.online(sans.slice(0, index + 1).map((own, place) => ({ san: own, uci: line.uci[place] })));
    }, { class: "move" }));
    return h("li", {}, h("b", { class: `line-score ${expectation(line) < 0.5 ? "black" : "white"}` }, scoreText(line)), h("span", { class: "line-moves" }, moves.flatMap((move) => [move, " "])),
      iconButton("copy", "Copy this line", () => copy(sans.map((san, index) => `${index === 0 || !this.number(index).endsWith("...") ? `${this.number(index)} ` : ""}${san}`).join(" "), "The line"), { class: "icon-button quiet copy-line" }));
  }

  end() {
    this.endSettings();
    this.link.close();
  }
}
