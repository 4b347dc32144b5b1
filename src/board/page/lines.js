// The ends of all lines of a game: one is chosen, and played through from where it branches off.

import { dialog, h } from "./dom.js";
import { settings } from "./settings.js";
import { written } from "./speech.js";

// So many moves of a line are shown at its beginning and at its end.
const SHOWN = 6;

// `onchoice(line, start)`: the moves of a line from the start of the game, and the first one that is its own.
export function openLines(tree, onchoice) {
  const ends = tree.nodes().filter((node) => !node.next);
  const row = (end) => {
    const { line } = end;
    const start = tree.branch(end) ?? line[0];
    const own = line.slice(line.indexOf(start));
    const text = (nodes, isFirst) => nodes.map((node, index) => `${index === 0 && isFirst || tree.mover(node) === "white" ? `${tree.number(node).replace("...", "…")} ` : ""}${written(node.san, settings.pieceNames)}`).join(" ");
    const shown = own.length > 2 * SHOWN ? `${text(own.slice(0, SHOWN), true)} … ${text(own.slice(-SHOWN), true)}` : text(own, true);
    return h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => {
      box.close();
      onchoice(line, start);
    } }, h("span", {}, tree.branch(end) ? null : h("b", {}, "Main line: "), shown)));
  };
  const box = dialog(ends.length === 1 ? "One line" : `${ends.length} lines`, ends.length ? h("ol", { class: "line-list" }, ends.map(row)) : h("p", {}, "There are no moves yet."));
}
