// The analysis of the whole game: one click, its progress, and how well both have played.

import { button, h, replace, select } from "./dom.js";
import { WAITING } from "./engine-link.js";
import { setSetting, settings } from "./settings.js";
import { Socket } from "./socket.js";
import { announce, toast } from "./tell.js";

// Nodes for each position.
const EFFORTS = [["20000", "Quick"], ["100000", "Normal"], ["1000000", "Thorough"]];
const JUDGED = [["$6", "inaccuracies", "?!"], ["$2", "mistakes", "?"], ["$4", "blunders", "??"]];

export class Review {
  // `game()`: what is analyzed; `ongame(game)`: the same with what has been found; `onstart()`.
  constructor({ game, ongame, onstart }) {
    Object.assign(this, { game, ongame, onstart, wish: null, socket: null });
    this.work = h("div", { class: "actions" });
    this.table = h("table", { class: "accuracy" });
    this.element = h("section", { class: "review", hidden: true, "aria-label": "Analysis of the game" }, this.work, this.table);
    this.idle();
  }

  idle() {
    replace(this.work, button("Analyze the game", () => this.start(), { title: "Mistakes, better moves and accuracy of the whole game" }),
      select(EFFORTS, String(settings.effort), (value) => setSetting("effort", Number(value)), { "aria-label": "How thoroughly" }));
  }

  // The results of an earlier analysis, from the tags and glyphs of the game.
  show(tree) {
    this.element.hidden = !tree.root.next;
    const sides = [["White", "white"], ["Black", "black"]].filter(([name]) => tree.tag(`${name}Accuracy`));
    const cell = (side, nag) => tree.mainLine.filter((node) => tree.mover(node) === side && node.nags.includes(nag)).length;
    replace(this.table, sides.length ? [
      h("thead", {}, h("tr", {}, h("td", {}), [["accuracy"], ["loss", "average loss in centipawns"]].map(([text, title]) => h("th", { scope: "col", title }, text)),
        JUDGED.map(([nag, text, sign]) => h("th", { scope: "col", title: text }, h("b", { class: `nag-${nag.slice(1)}`, "aria-hidden": "true" }, sign), h("span", { class: "hidden" }, text))))),
      h("tbody", {}, sides.map(([name, side]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, `${tree.tag(`${name}Accuracy`)} %`),
        h("td", {}, tree.tag(`${name}ACPL`)), JUDGED.map(([nag]) => h("td", {}, String(cell(side, nag)))))))] : null);
  }

  start() {
    this.onstart();
    this.wish = { game: this.game(), nodes: settings.effort };
    this.bar = h("progress", { max: "1", value: "0", "aria-label": "Progress" });
    this.told = h("small", {}, "Starting …");
    replace(this.work, this.bar, this.told, button("Cancel", () => this.stop()));
    const wish = () => this.wish && { analyse: this.wish };
    // Before the socket is open, and after a cut, this is its first message.
    if (this.socket) this.socket.send(wish());
    else this.socket = new Socket("/api/analysis/game", { hello: wish, onmessage: (message) => this.receive(message) });
  }

  receive({ progress, waiting, game, error }) {
    if (!this.wish) return;
    if (waiting) this.told.textContent = WAITING;
    if (progress) {
      this.bar.max = progress.total;
      this.bar.value = progress.done;
      this.told.textContent = `${progress.done} of ${progress.total} positions`;
      return;
    }
    const { game: asked } = this.wish;
    if (game || error) this.end();
    if (error) toast(error.text, "error");
    if (!game) return;
    if (JSON.stringify(asked) !== JSON.stringify(this.game())) return toast("The game has been changed meanwhile. Please analyze it again.", "error");
    this.ongame(game);
    announce("The game is analyzed.");
  }

  stop() {
    if (!this.wish) return;
    this.socket.send({ stop: {} });
    this.end();
  }

  end() {
    this.wish = null;
    this.socket?.close();
    this.socket = null;
    this.idle();
  }
}
