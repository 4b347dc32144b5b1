// The settings of this browser, and their effects on the whole page.

import { load, store } from "./storage.js";

const DEFAULTS = {
  theme: "system",
  board: "brown",
  pieces: "modern",
  coordinates: "inside",
  ranksAt: "left",
  filesAt: "bottom",
  ownLight: "#f1dfc4",
  ownDark: "#b78862",
  ownHighlight: "#f2c91f",
  boardSize: 100,
  grid: false,
  animation: true,
  slideMs: 170,
  sound: false,
  targets: true,
  lastMove: true,
  lastStyle: "fill",
  openingName: true,
  stepButtons: true,
  hideMoves: false,
  hideNames: false,
  smart_move: false,
  premove: false,
  auto_queen: false,
  confirm_move: false,
  moveField: false,
  pieceNames: "letters",
  name: "",
  engineLines: 2,
  engineOn: false,
  secondOn: false,
  bar: true,
  autoplayS: 2,
  effort: 100_000,
};

export const settings = { ...DEFAULTS, ...load("settings", {}) };

const listeners = new Set();

// Calls it at each change; the answer ends that.
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setSetting(name, value) {
  settings[name] = value;
  store("settings", settings);
  apply();
  listeners.forEach((listener) => listener(name));
}

// Restores the defaults; only the name stays.
export function resetSettings() {
  const { name } = settings;
  Object.assign(settings, DEFAULTS, { name });
  store("settings", settings);
  apply();
  listeners.forEach((listener) => listener(null));
}

// The options of the rules (Online 3.6), as the zone has them.
export function zoneOptions() {
  const { smart_move, premove, auto_queen, confirm_move } = settings;
  return { smart_move, premove, auto_queen, confirm_move };
}

export function apply() {
  const { dataset, style } = document.documentElement;
  if (settings.theme === "system") delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.board = settings.board;
  dataset.coordinates = settings.coordinates;
  dataset.ranks = settings.ranksAt;
  dataset.files = settings.filesAt;
  dataset.animation = settings.animation ? "on" : "off";
  dataset.targets = settings.targets ? "on" : "off";
  dataset.last = settings.lastMove ? "on" : "off";
  dataset.lastStyle = settings.lastStyle;
  dataset.grid = settings.grid ? "on" : "off";
  dataset.opening = settings.openingName ? "on" : "off";
  dataset.hides = settings.hideMoves ? "on" : "off";
  dataset.steps = settings.stepButtons ? "on" : "off";
  style.setProperty("--own-light", settings.ownLight);
  style.setProperty("--own-dark", settings.ownDark);
  style.setProperty("--own-highlight", settings.ownHighlight);
  style.setProperty("--board-size", `${settings.boardSize}%`);
  style.setProperty("--slide", `${settings.slideMs}ms`);
}

// Another tab has changed them.
addEventListener("storage", (event) => {
  if (event.key !== "hematite.settings") return;
  Object.assign(settings, DEFAULTS, load("settings", {}));
  apply();
  listeners.forEach((listener) => listener(null));
});
