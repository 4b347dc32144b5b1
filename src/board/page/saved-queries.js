// Queries with a name, which this browser keeps.

import { button, dialog, field, h, iconButton, replace } from "./dom.js";
import { load, store } from "./storage.js";

const KEPT = 200;

// Shows them: one is chosen, `query` is kept under a name, others are dropped. `onchoice(query)`.
export function openSavedQueries(query, onchoice) {
  const list = h("ul", { class: "saved-queries" });
  const show = () => {
    const all = load("queries", []);
    replace(list, all.map(({ name, query: text }) => h("li", {}, button([h("b", {}, name), h("small", {}, text || "all games")], () => {
      box.close();
      onchoice(text);
    }), iconButton("trash", `Forget ${name}`, () => {
      store("queries", load("queries", []).filter((saved) => saved.name !== name));
      show();
      input.focus();
    }, { class: "icon-button quiet" }))), !all.length && h("li", { class: "note" }, "None is kept yet."));
  };
  const input = h("input", { type: "text", maxlength: "60", required: true, ".value": query });
  const form = h("form", { onsubmit: (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) return;
    store("queries", [{ name, query }, ...load("queries", []).filter((saved) => saved.name !== name)].slice(0, KEPT));
    show();
  } }, field("Keep this query under a name", input, query || "all games"), h("button", { type: "submit", class: "primary" }, "Keep it"));
  const box = dialog("Kept queries", [list, form]);
  show();
}
