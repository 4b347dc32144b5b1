// The dialog of settings. Each one is kept in this browser and holds at once.

import { get } from "./api.js";
import { button, checkbox, choice, dialog, field, h, select } from "./dom.js";
import { pieceImage, SETS } from "./pieces.js";
import { resetSettings, setSetting, settings } from "./settings.js";
import { play } from "./sound.js";
import { tellError } from "./tell.js";

const BOARDS = ["brown", "green", "blue", "gray", "dark", "contrast", "own"];
const OWN_COLORS = [["ownLight", "Light squares"], ["ownDark", "Dark squares"], ["ownHighlight", "Last move"]];

const named = (name) => (name === "own" ? "Own colors" : name[0].toUpperCase() + name.slice(1));

export function openSettings() {
  const toggle = (name, label, note) => h("div", { class: "setting" }, checkbox(label, settings[name], (value) => {
    setSetting(name, value);
    if (name === "sound" && value) play("start");
  }), note && h("small", {}, note));
  const preview = h("div", { class: "set-preview", "aria-hidden": "true" }, [..."KQNpr"].map((letter) => h("span", {}, pieceImage(letter, "choice-piece"))));
  const letters = h("select", { onchange: () => setSetting("pieceNames", letters.value) });
  const offer = (languages) => {
    letters.replaceChildren(...[["letters", "English letters: Nf3"], ["figurines", "Pictures: ♘f3"],
      ...languages.map(({ name, letters: own }) => [`${name}:${own}`, `${name}: ${own[4]}f3`])].map(([value, text]) => h("option", { value }, text)));
    letters.value = settings.pieceNames;
  };
  offer([]);
  get("/api/notation").then(({ languages }) => offer(languages.filter(({ name }) => name !== "English"))).catch(tellError);
  const own = h("div", { class: "pair three own-colors" }, OWN_COLORS.map(([name, label]) => field(label, h("input", { type: "color", ".value": settings[name], oninput: ({ target }) => setSetting(name, target.value) }))));
  own.hidden = settings.board !== "own";
  // A number that is chosen by a slider, told in words.
  const slider = (name, label, { min, max, step, unit }) => {
    const text = (value) => `${value} ${unit}`;
    const told = h("span", {}, text(settings[name]));
    const input = h("input", { type: "range", min, max, step, ".value": settings[name], "aria-valuetext": text(settings[name]), oninput: () => {
      told.textContent = text(input.value);
      input.setAttribute("aria-valuetext", text(input.value));
      setSetting(name, Number(input.value));
    } });
    return h("label", { class: "field" }, h("span", { class: "label" }, `${label}: `, told), input);
  };
  const box = dialog("Settings", [
    h("h3", {}, "Look"),
    choice("Colors of the page", [{ value: "system", label: "Like the system" }, { value: "light", label: "Light" }, { value: "dark", label: "Dark" }],
      settings.theme, (value) => setSetting("theme", value)),
    choice("Board", BOARDS.map((value) => ({ value, title: named(value), label: [h("span", { class: "swatch", "data-swatch": value }), h("span", { class: "hidden" }, named(value))] })),
      settings.board, (value) => {
        setSetting("board", value);
        own.hidden = value !== "own";
      }, { class: "choice swatches" }),
    own,
    choice("Pieces", SETS.map((value) => ({ value, label: named(value) })), settings.pieces, (value) => setSetting("pieces", value)),
    preview,
    slider("boardSize", "Size of the board", { min: "40", max: "100", step: "5", unit: "%" }),
    choice("Coordinates", [{ value: "inside", label: "Inside" }, { value: "outside", label: "Outside" }, { value: "off", label: "None" }],
      settings.coordinates, (value) => setSetting("coordinates", value)),
    h("div", { class: "pair" },
      field("Numbers of the ranks", select([["left", "Left"], ["right", "Right"], ["both", "Both sides"]], settings.ranksAt, (value) => setSetting("ranksAt", value))),
      field("Letters of the files", select([["bottom", "Below"], ["top", "Above"], ["both", "Both"]], settings.filesAt, (value) => setSetting("filesAt", value)))),
    field("Moves are written with", letters),
    toggle("targets", "Show where a piece can go"),
    toggle("grid", "Lines between the squares"),
    toggle("lastMove", "Mark the last move"),
    choice("The last move is marked by", [{ value: "fill", label: "Color" }, { value: "border", label: "Border" }], settings.lastStyle, (value) => setSetting("lastStyle", value)),
    toggle("animation", "Pieces slide"),
    slider("slideMs", "A move takes", { min: "50", max: "1000", step: "10", unit: "ms" }),
    toggle("openingName", "Name of the opening"),
    toggle("stepButtons", "Buttons to step through a game"),
    toggle("hideMoves", "Hide the moves that follow", "In the analysis you see a move when you get there, and no result or curve before."),
    toggle("hideNames", "Hide names while you study", "Who played is told at the end of a game or problem."),
    toggle("sound", "Sounds"),
    field("Seconds for each move when a game is played through", h("input", { type: "number", min: "0.2", max: "60", step: "0.1", ".value": settings.autoplayS, onchange: ({ target }) => {
      target.value = Math.min(60, Math.max(0.2, Number(target.value) || 2));
      setSetting("autoplayS", Number(target.value));
    } })),
    h("h3", {}, "Moves"),
    toggle("auto_queen", "A pawn becomes a queen without a question", "Hold Shift to be asked all the same."),
    toggle("premove", "Premoves", "Enter your answer while the opponent thinks, and the answers after it. They are made at once and cost no time; if one is illegal, all are dropped."),
    toggle("confirm_move", "Confirm each move", "The clock runs until you have confirmed."),
    toggle("smart_move", "Smart move", "One click is enough where only one move uses that square."),
    toggle("moveField", "A field to type moves", "For playing by keyboard or with a screen reader."),
    h("div", { class: "actions" }, button("Reset all settings", () => {
      resetSettings();
      box.close();
      openSettings();
    }, { class: "quiet" })),
  ], { className: "settings" });
}
