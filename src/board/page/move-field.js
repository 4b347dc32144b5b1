// A field in which moves are typed, and questions asked: playing without looking at the board.

import { h } from "./dom.js";
import { colorOf, roleName } from "./pieces.js";
import { SQUARES } from "./placement.js";
import { settings } from "./settings.js";
import { begins, matches, premoves, spoken, written } from "./speech.js";
import { announce } from "./tell.js";

const HELP = "Type a move such as e4, Nf3 or e2e4 and press Enter. Type last, clock, board, moves, or on e4, to hear about it.";

// `context()` gives { legal, pieces, last, clocks, premover }; `onmove(move)` plays one, and `onpremove(uci)` enters
// one of `premover` for later.
export function moveField({ context, onmove, onpremove }) {
  const shown = ({ san }) => written(san, settings.pieceNames);
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
    if (text === "moves" || text === "m") return legal.length ? legal.map(shown).join(", ") : "No moves now.";
    if (text === "board" || text === "p") {
      return ["white", "black"].map((color) => {
        const own = SQUARES.filter((square) => pieces.has(square) && colorOf(pieces.get(square)) === color);
        return `${color}: ${own.map((square) => `${roleName(pieces.get(square))} ${square}`).join(", ")}`;
      }).join(". ");
    }
    if (text.startsWith("on ")) return pieces.has(text.slice(3)) ? `${colorOf(pieces.get(text.slice(3)))} ${roleName(pieces.get(text.slice(3)))}` : "empty";
    return null;
  };
  // Enters a premove.
  const premove = (text) => {
    const { pieces, premover } = context();
    if (!premover) return tell("It is not your move.", true);
    const found = premoves(text, pieces, premover, settings.pieceNames);
    if (found.length > 1) return tell(`Which one: ${found.join(", ")}?`, true);
    const [uci] = found;
    if (!uci) return tell(`${text} is no move of your pieces.`, true);
    const isPromotion = pieces.get(uci.slice(0, 2)).toUpperCase() === "P" && "18".includes(uci[3]);
    if (isPromotion && !uci[4] && !settings.auto_queen) return tell("Say what the pawn becomes, as in e8=Q.", true);
    input.value = "";
    onpremove(isPromotion && !uci[4] ? `${uci}q` : uci);
    return tell(`Premove: ${uci.slice(0, 2)} to ${uci.slice(2, 4)}`);
  };
  const form = h("form", {
    class: "move-field",
    onsubmit: (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (!text) return;
      const { legal } = context();
      const found = matches(text, legal, settings.pieceNames);
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
      if (!legal.length) return premove(text);
      const near = begins(text, legal, settings.pieceNames).slice(0, 6).map(shown);
      if (found.length > 1 || near.length > 1) return tell(`Which one: ${(found.length ? found.map(shown) : near).join(", ")}?`, true);
      tell(`${text} is no legal move here.`, true);
    },
  }, h("label", { for: "move-field", class: "hidden" }, "Your move"), input, note);
  return form;
}
