// The choice of a promotion. Without an answer no move is made (Laws 3.7.3.3); Escape takes the question back.

import { button, guardClicks, h } from "./dom.js";
import { pieceImage, roleName } from "./pieces.js";

const ROLES = ["q", "n", "r", "b"];

// Calls `onchoice` with q, r, b or n, or with null. The answer closes the question from outside.
export function askPromotion(board, square, color, onchoice) {
  const [column, row] = board.place(square);
  const before = document.activeElement;
  let isOpen = true;
  const finish = (role) => {
    if (!isOpen) return;
    isOpen = false;
    veil.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
    onchoice(role);
  };
  const buttons = ROLES.map((role) => {
    const letter = color === "white" ? role.toUpperCase() : role;
    return button([pieceImage(letter, "choice-piece")], () => finish(role), { "aria-label": roleName(role), title: roleName(role) });
  });
  const list = h("div", { class: `promotion ${row > 3 ? "from-below" : ""}`, role: "dialog", "aria-label": "The pawn becomes a" }, buttons);
  list.style.left = `${12.5 * column}%`;
  const veil = h("div", { class: "veil" }, list);
  guardClicks(veil);
  veil.addEventListener("pointerdown", (event) => event.stopPropagation());
  veil.addEventListener("click", (event) => event.target === veil && finish(null));
  veil.addEventListener("contextmenu", (event) => event.preventDefault());
  veil.addEventListener("keydown", (event) => {
    const index = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") finish(null);
    else if (ROLES.includes(event.key)) finish(event.key);
    else if (step) buttons[(index + (row > 3 ? -step : step) + ROLES.length) % ROLES.length].focus();
    // The focus stays within the question.
    else if (event.key === "Tab") buttons[(index + (event.shiftKey ? 3 : 1)) % ROLES.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  board.element.append(veil);
  buttons[0].focus({ preventScroll: true });
  return () => finish(null);
}
