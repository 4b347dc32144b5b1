// The page for an unknown address, with a link to the first page.

import { h, replace } from "./dom.js";
import { setTitle } from "./router.js";

export function nothingHere(container, text) {
  setTitle(text);
  replace(container, h("section", { class: "files" }, h("div", { class: "card", role: "alert" }, h("h1", {}, text),
    h("p", {}, "Perhaps the address is not complete, or it belongs to another board."), h("a", { class: "button primary", href: "/" }, "To the first page"))));
}

export function nothingView(container) {
  nothingHere(container, "There is nothing at this address");
  return null;
}
