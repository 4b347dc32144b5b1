// A hint in a casual game against the engine: an arrow for the move that a short search prefers.

import { EngineLink, WAITING } from "./engine-link.js";
import { spoken } from "./speech.js";
import { announce, toast } from "./tell.js";

const THOUGHT_MS = 1200;
// The time for which a hint waits for other searches.
const LONGEST_MS = 30_000;

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
    const tell = () => {
      this.end();
      const [uci] = best?.uci ?? [];
      if (!uci) return toast("No hint came in time.");
      this.board.shapes.set("hint", [{ from: uci.slice(0, 2), to: uci.slice(2, 4), color: "B" }]);
      announce(`Hint: ${spoken(best.san?.[0] ?? uci)}`);
    };
    const wait = (ms) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(tell, ms);
    };
    this.link = new EngineLink({
      isShort: true,
      oninfo: ({ lines }) => {
        if (!best && this.isWaiting) wait(THOUGHT_MS);
        best = lines?.[0] ?? best;
      },
      onwaiting: () => {
        this.isWaiting = true;
        toast(WAITING);
        wait(LONGEST_MS);
      },
      onerror: (text) => toast(text, "error"),
    });
    this.isWaiting = false;
    this.link.search({ fen: state.fen, moves: [], multipv: 1 });
    wait(THOUGHT_MS);
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
