// A field in which moves are typed, and questions asked: playing without looking at the board.

import { h } from "./dom.js";
import { colorOf, roleName } from "./pieces.js";
import { SQUARES } from "./placement.js";
import { begins, matches, spoken } from "./speech.js";
import { announce } from "./tell.js";

const HELP = "Type a move such as e4, Nf3 or e2e4 and press Enter. Type last, clock, board, moves, or on e4, to hear about it.";

// `context()` gives { legal, pieces, last, clocks }; `onmove(move)` plays one.
export function moveField({ context, onmove }) {
  const note = h("small", { class: "note", id: "move-note" }, "For example e4, Nf3, O-O");
  const input = h("input", {
    type: "text", id: "move-field", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go",
    "aria-describedby": "move-note", placeholder: "Type a move",
  });
  const tell = (text, isError = false) => {
    note.textContent = text;
    note.classList.toggle("error", isError);
    input.setAttribute("aria-invalid", String(isError));
    announce(text, isError);
  };
  const answer = (text) => {
    const { pieces, last, clocks, legal } = context();
    if (text === "?" || text === "help") return HELP;
    if (text === "last" || text === "l") return last ? spoken(last) : "No move yet.";
    if (text === "clock" || text === "c") return clocks;
    if (text === "moves" || text === "m") return legal.length ? legal.map(({ san }) => san).join(", ") : "No moves now.";
    if (text === "board" || text === "p") {
      return ["white", "black"].map((color) => {
        const own = SQUARES.filter((square) => pieces.has(square) && colorOf(pieces.get(square)) === color);
        return `${color}: ${own.map((square) => `${roleName(pieces.get(square))} ${square}`).join(", ")}`;
      }).join(". ");
    }
    if (text.startsWith("on ")) return pieces.has(text.slice(3)) ? `${colorOf(pieces.get(text.slice(3)))} ${roleName(pieces.get(text.slice(3)))}` : "empty";
    return null;
  };
  const form = h("form", {
    class: "move-field",
    onsubmit: (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (!text) return;
      const { legal } = context();
      const found = matches(text, legal);
      if (found.length === 1) {
        input.value = "";
        note.textContent = "";
        onmove(found[0]);
        return;
      }
      const told = answer(text.toLowerCase());
      if (told !== null) {
        input.value = "";
        return tell(told);
      }
      if (!legal.length) return tell("It is not your move.", true);
      const near = begins(text, legal).slice(0, 6).map(({ san }) => san);
      if (found.length > 1 || near.length > 1) return tell(`Which one: ${(found.length ? found.map(({ san }) => san) : near).join(", ")}?`, true);
      tell(`${text} is no legal move here.`, true);
    },
  }, h("label", { for: "move-field", class: "hidden" }, "Your move"), input, note);
  return form;
}
