// The buttons of the analysis: to step, to edit, and for the game as a whole. Each does what the view offers.

import { openCopyMenu } from "./copy-menu.js";
import { button, h, iconButton } from "./dom.js";
import { newName } from "./drafts.js";
import { findPosition } from "./find.js";
import { findNovelty } from "./novelty.js";
import { openDialog } from "./open-dialog.js";
import { pictureButton } from "./picture.js";
import { go } from "./router.js";
import { writeShapes } from "./shapes.js";
import { studyAddress } from "./study.js";
import { openTags } from "./tags.js";
import { copy, tellError } from "./tell.js";

// Through the game.
export function stepTools(view) {
  return h("div", { class: "tools steps" },
    iconButton("first", "To the start (Home)", () => view.goStart()),
    iconButton("farBack", "Five moves back (Page Up)", () => view.step(-5)),
    iconButton("back", "One move back (Left)", () => view.step(-1)),
    iconButton("next", "One move on (Right)", () => view.step(1)),
    iconButton("farNext", "Five moves on (Page Down)", () => view.step(5)),
    iconButton("last", "To the end (End)", () => view.goEnd()),
    view.autoplay.button, iconButton("flip", "Turn the board (f)", () => view.board.flip()));
}

// To change the game.
export function editTools(view) {
  return h("div", { class: "tools editing" },
    iconButton("up", "Variation up", () => view.edit(() => view.tree.promote(view.node))),
    iconButton("trash", "Delete from here", () => view.remove(view.node)),
    iconButton("undo", "Undo (Ctrl+Z)", () => view.history("undo")),
    view.texts, view.scratch.toggle,
    button("Lines", () => view.chooseLine(), { title: "Choose a line and play it through (l)" }),
    button("Study", () => view.pgn().then((text) => {
      go(studyAddress(text, view.node.parent ? view.tree.path(view.node).join(".") : ""));
    }).catch(tellError), { title: "Guess the moves of this game from here on" }),
    button("N", () => findNovelty({ tree: view.tree, source: view.source, onfound: (node, sign) => view.showNovelty(node, sign) }).catch(tellError), { title: "Find the novelty: the first move that no earlier game of a collection has", "aria-label": "Find the novelty" }),
    button("Tags", () => openTags(view.tree, (tags, result) => view.edit(() => view.tree.setTags(tags, result))), { title: "Players, event, date and result" }),
    iconButton("edit", "Set up a position", () => go(`/editor?fen=${encodeURIComponent(view.facts?.fen ?? view.tree.start)}`)));
}

// From elsewhere, and to elsewhere.
export function gameTools(view) {
  return h("div", { class: "actions" },
    button("Paste or open", () => openDialog({ ontext: (text) => view.openText(text), onfile: () => view.file.click(), origin: view.origin }), { class: "primary" }),
    button("New", () => go(`/analyse?own=${newName()}`), { title: "Begin with an empty board" }),
    iconButton("copy", "Copy …", ({ currentTarget }) => openCopyMenu(currentTarget, { tree: view.tree, node: view.node, fen: view.facts?.fen ?? view.tree.start, pgn: () => view.pgn() }), { class: "icon-button quiet", "aria-haspopup": "menu" }),
    button("PGN", () => view.pgn().then((text) => copy(text, "The game")).catch(tellError), { title: "Copy the game", class: "quiet" }),
    iconButton("save", "Save", () => view.save(), { class: "icon-button quiet" }),
    pictureButton(() => ({ fen: view.facts?.fen ?? view.tree.start, side: view.board.orientation, last: view.lastSquares, shapes: writeShapes(view.board.shapes.get("user")) })),
    iconButton("find", "Find this position in a collection", () => findPosition({ start: view.tree.start, moves: view.node.line.map(({ san }) => san), fen: view.facts?.fen ?? view.tree.start }), { class: "icon-button quiet" }),
    iconButton("link", "Copy a link to this position", () => copy(view.link(), "The link"), { class: "icon-button quiet" }));
}
