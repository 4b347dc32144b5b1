// What a person has chosen for this browser, and what follows from it for the whole page.

import { load, store } from "./storage.js";

const DEFAULTS = {
  theme: "system",
  board: "brown",
  pieces: "modern",
  coordinates: "inside",
  animation: true,
  sound: false,
  targets: true,
  lastMove: true,
  smart_move: false,
  premove: false,
  auto_queen: false,
  confirm_move: false,
  moveField: false,
  pieceNames: "letters",
  name: "",
  engineLines: 2,
  engineOn: false,
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

// The options of the rules (Online 3.6), as the zone has them.
export function zoneOptions() {
  const { smart_move, premove, auto_queen, confirm_move } = settings;
  return { smart_move, premove, auto_queen, confirm_move };
}

export function apply() {
  const { dataset } = document.documentElement;
  if (settings.theme === "system") delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.board = settings.board;
  dataset.coordinates = settings.coordinates;
  dataset.animation = settings.animation ? "on" : "off";
  dataset.targets = settings.targets ? "on" : "off";
  dataset.last = settings.lastMove ? "on" : "off";
}

// Another tab has changed them.
addEventListener("storage", (event) => {
  if (event.key !== "hematite.settings") return;
  Object.assign(settings, DEFAULTS, load("settings", {}));
  apply();
  listeners.forEach((listener) => listener(null));
});
