// A hint in a casual game against the engine: an arrow for the move that a short search prefers.

import { EngineLink } from "./engine-link.js";
import { spoken } from "./speech.js";
import { announce, toast } from "./tell.js";

const THOUGHT_MS = 1200;

export class Hint {
  constructor(board) {
    this.board = board;
    this.link = null;
  }

  // Never against a person, and only if nothing counts.
  isAllowed({ state, entry }) {
    const opponent = { white: "black", black: "white" }[state.role];
    return Boolean(state.rules.casual && opponent && state.seats[opponent].kind === "engine" && state.phase === "playing" && entry.mover);
  }

  ask(state) {
    this.end();
    let best = null;
    this.link = new EngineLink({
      oninfo: ({ lines }) => {
        best = lines?.[0] ?? best;
      },
      onerror: (text) => toast(text, "error"),
    });
    this.link.search({ fen: state.fen, moves: [], multipv: 1 });
    this.timer = setTimeout(() => {
      this.end();
      const [uci] = best?.uci ?? [];
      if (!uci) return toast("No hint came in time.");
      this.board.shapes.set("hint", [{ from: uci.slice(0, 2), to: uci.slice(2, 4), color: "B" }]);
      announce(`Hint: ${spoken(best.san?.[0] ?? uci)}`);
    }, THOUGHT_MS);
  }

  clear() {
    this.end();
    if (this.board.shapes.get("hint").length) this.board.shapes.set("hint", []);
  }

  end() {
    clearTimeout(this.timer);
    this.link?.close();
    this.link = null;
  }
}
