// The dialog of settings. Each one is kept in this browser and holds at once.

import { checkbox, choice, dialog, h } from "./dom.js";
import { pieceImage, SETS } from "./pieces.js";
import { setSetting, settings } from "./settings.js";
import { play } from "./sound.js";

const BOARDS = ["brown", "green", "blue", "gray", "dark", "contrast"];

const named = (name) => name[0].toUpperCase() + name.slice(1);

export function openSettings() {
  const toggle = (name, label, note) => h("div", { class: "setting" }, checkbox(label, settings[name], (value) => {
    setSetting(name, value);
    if (name === "sound" && value) play("start");
  }), note && h("small", {}, note));
  const preview = h("div", { class: "set-preview", "aria-hidden": "true" }, [..."KQNpr"].map((letter) => h("span", {}, pieceImage(letter, "choice-piece"))));
  dialog("Settings", [
    h("h3", {}, "Look"),
    choice("Colors of the page", [{ value: "system", label: "Like the system" }, { value: "light", label: "Light" }, { value: "dark", label: "Dark" }],
      settings.theme, (value) => setSetting("theme", value)),
    choice("Board", BOARDS.map((value) => ({ value, title: named(value), label: [h("span", { class: "swatch", "data-swatch": value }), h("span", { class: "hidden" }, named(value))] })),
      settings.board, (value) => setSetting("board", value), { class: "choice swatches" }),
    choice("Pieces", SETS.map((value) => ({ value, label: named(value) })), settings.pieces, (value) => setSetting("pieces", value)),
    preview,
    choice("Coordinates", [{ value: "inside", label: "Inside" }, { value: "outside", label: "Outside" }, { value: "off", label: "None" }],
      settings.coordinates, (value) => setSetting("coordinates", value)),
    choice("Moves are written with", [{ value: "letters", label: "Letters: Nf3" }, { value: "figurines", label: "Pictures: ♘f3" }],
      settings.pieceNames, (value) => setSetting("pieceNames", value)),
    toggle("targets", "Show where a piece can go"),
    toggle("lastMove", "Mark the last move"),
    toggle("animation", "Pieces slide"),
    toggle("sound", "Sounds"),
    h("h3", {}, "Moves"),
    toggle("auto_queen", "A pawn becomes a queen without a question", "Hold Shift to be asked all the same."),
    toggle("premove", "Premoves", "Enter your answer while the opponent thinks. It is made at once and costs no time; an illegal one is dropped."),
    toggle("confirm_move", "Confirm each move", "The clock runs until you have confirmed."),
    toggle("smart_move", "Smart move", "One click is enough where only one move uses that square."),
    toggle("moveField", "A field to type moves", "For playing by keyboard or with a screen reader."),
  ], { className: "settings" });
}
