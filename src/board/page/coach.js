// The coach: in a casual game against the engine it judges each move of the player, and shows a better one with the
// reason.

import { h } from "./dom.js";
import { WAITING } from "./engine-link.js";
import { turnOf } from "./placement.js";
import { Socket } from "./socket.js";
import { keepOf, keptOf } from "./storage.js";

// For each position that it looks at.
const NODES = 50000;

export class Coach {
  constructor(id) {
    Object.assign(this, { id, isOn: Boolean(keptOf("coach", id)), key: "", socket: null });
    this.text = h("p", { role: "status" });
    this.element = h("section", { class: "panel coach", hidden: true, "aria-label": "Coach" }, h("b", {}, "Coach"), this.text);
  }

  // Never against a person, and only if nothing counts.
  isAllowed({ state }) {
    const opponent = { white: "black", black: "white" }[state.role];
    return Boolean(state.rules.casual && opponent && state.seats[opponent].kind === "engine" && state.phase === "playing");
  }

  switch(view) {
    this.isOn = !this.isOn;
    keepOf("coach", this.id, this.isOn || undefined);
    this.follow(view);
  }

  // Looks at the last own move, once.
  follow(view) {
    const { role, turn, plies, start, phase } = view.state;
    // The judgement of the last move stays when the game is over.
    if (phase === "over") return;
    const index = plies.length - (turn === role ? 2 : 1);
    const isOn = this.isOn && this.isAllowed(view) && index >= 0;
    const key = isOn ? `${index} ${plies[index].uci}` : "";
    if (key === this.key) return;
    this.end();
    this.key = key;
    this.element.hidden = !isOn;
    this.element.className = "panel coach";
    this.text.textContent = isOn ? "…" : "";
    if (isOn) this.ask(key, index ? plies[index - 1].fen : start, plies[index]);
  }

  ask(key, fen, { uci, san }) {
    const analyse = { game: { tags: [], start: fen, result: "*", nodes: [{ parent: null, uci, san }] }, nodes: NODES, coach: true };
    const number = `${fen.split(" ")[5]}${turnOf(fen) === "white" ? "." : "…"}`;
    this.socket = new Socket("/api/analysis/game", {
      hello: () => ({ analyse }),
      onmessage: ({ coach, waiting, error }) => {
        if (waiting && key === this.key) this.text.textContent = WAITING;
        if (coach) this.tell(key, `${number} ${san} – ${coach.text}`, coach.nag);
        else if (error) this.tell(key, error.text);
      },
    });
  }

  tell(key, text, nag = null) {
    if (key !== this.key) return;
    this.end();
    this.text.textContent = text;
    if (nag) this.element.classList.add(`judged-${nag.slice(1)}`);
  }

  end() {
    this.socket?.close();
    this.socket = null;
  }
}
