// A field for an opening by its name, its code or its moves: it proposes what the server knows (the combobox of
// https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).

import { get } from "./api.js";
import { field, h, replace } from "./dom.js";
import { settings } from "./settings.js";
import { written } from "./speech.js";
import { tellError } from "./tell.js";

const WAIT_MS = 150;
const MOST = 30;

// Written as the settings say; numbers stay.
export const writtenMoves = (moves) => moves.split(" ").map((word) => (/^\d+\.$/.test(word) ? word : written(word, settings.pieceNames))).join(" ");

// `chosen`: { eco, name, moves } or null; `onchange(chosen)` gets another one, or null while none is chosen.
export function openingField(chosen, onchange) {
  let options = [];
  let active = -1;
  let asked = 0;
  let timer = null;
  const input = h("input", {
    type: "text", required: true, ".value": chosen?.name ?? "", placeholder: "Najdorf, B90, or 1. e4 c5", spellcheck: "false", autocomplete: "off", role: "combobox",
    "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "opening-options",
    oninput: () => {
      choose(null);
      clearTimeout(timer);
      timer = setTimeout(propose, WAIT_MS);
    },
    onkeydown: key, onblur: close,
  });
  const list = h("ul", { id: "opening-options", class: "proposals", role: "listbox", "aria-label": "Openings", hidden: true });
  const line = h("small", {});
  showLine();

  function showLine() {
    line.textContent = chosen ? `${chosen.eco} · ${writtenMoves(chosen.moves)}` : "Choose one of those that appear while you type";
    input.setCustomValidity(chosen ? "" : "Choose an opening from the list.");
  }

  function choose(opening) {
    chosen = opening;
    if (opening) {
      input.value = opening.name;
      close();
    }
    showLine();
    onchange(chosen);
  }

  async function propose() {
    const number = (asked += 1);
    const text = input.value.trim();
    try {
      const { rows } = text ? await get(`/api/openings?${new URLSearchParams({ text, sort: "name", limit: String(MOST) })}`) : { rows: [] };
      if (number !== asked || document.activeElement !== input) return;
      options = rows;
      active = -1;
      draw();
    } catch (error) {
      if (number === asked) tellError(error);
    }
  }

  function draw() {
    replace(list, options.map((opening, index) => h("li", {
      id: `opening-option-${index}`, role: "option", "aria-selected": String(index === active),
      // The field keeps the focus.
      onpointerdown: (event) => event.preventDefault(), onclick: () => choose(opening),
    }, h("b", {}, opening.name), h("small", {}, `${opening.eco} · ${writtenMoves(opening.moves)}`))));
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(options.length > 0));
    if (active >= 0) input.setAttribute("aria-activedescendant", `opening-option-${active}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[active]?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    asked += 1;
    clearTimeout(timer);
    options = [];
    active = -1;
    draw();
  }

  function key(event) {
    if (event.key === "ArrowDown" && !options.length) propose();
    else if (!options.length) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      // One place more, for none of them.
      const count = options.length + 1;
      active = ((active + 1 + (event.key === "ArrowDown" ? 1 : -1) + count) % count) - 1;
      draw();
    } else if (event.key === "Escape") close();
    else if (event.key === "Enter") choose(options[Math.max(0, active)]);
    else if (event.key === "Tab" && active >= 0) choose(options[active]);
    else return;
    event.preventDefault();
  }

  return h("div", { class: "opening-field query-field" }, field("Opening", input), line, list);
}
