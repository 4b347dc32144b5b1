// The openings with a name: looked for by words or moves, in three orders, to begin a game or an analysis with one.

import { get } from "./api.js";
import { button, h, replace } from "./dom.js";
import { writtenMoves } from "./opening-field.js";
import { setAddress, setTitle } from "./router.js";
import { tellError } from "./tell.js";

const PAGE = 100;
const WAIT_MS = 200;
const ORDERS = [["eco", "ECO"], ["name", "Opening"], ["moves", "Moves"]];

export function openingsView(container, { query }) {
  let order = ORDERS.some(([name]) => name === query.get("sort")) ? query.get("sort") : "eco";
  let rows = [];
  let timer = null;
  let asked = 0;
  const input = h("input", { type: "search", ".value": query.get("text") ?? "", placeholder: "Najdorf, B90, or 1. e4 c5", "aria-label": "Look for an opening", spellcheck: "false", oninput: () => {
    clearTimeout(timer);
    timer = setTimeout(load, WAIT_MS);
  } });
  const count = h("p", { class: "count", role: "status" });
  const body = h("tbody", {});
  const head = h("tr", {});
  const more = button("", () => load(rows.length), { class: "quiet", hidden: true });
  setTitle("Openings");
  replace(container, h("section", { class: "document openings-list" }, h("h1", {}, "Openings"), h("p", { class: "note" }, "Choose one: its moves are on the board, and the game goes on from there."),
    input, count, h("div", { class: "wide" }, h("table", { class: "tree stacked" }, h("thead", {}, head), body)), h("div", { class: "actions" }, more)));

  function showHead() {
    replace(head, ORDERS.map(([name, text]) => h("th", { scope: "col", "aria-sort": name === order ? "ascending" : null }, button(text, () => {
      order = name;
      load().then(() => head.querySelector("[aria-sort] button")?.focus());
    }, { class: "sort", title: `Sort by ${text === "ECO" ? "the code" : text === "Moves" ? "the moves" : "the name"}` }))));
  }

  async function load(skip = 0) {
    const number = (asked += 1);
    const text = input.value.trim();
    const search = new URLSearchParams({ ...(text && { text }), ...(order !== "eco" && { sort: order }) }).toString();
    setAddress(`/openings${search ? `?${search}` : ""}`);
    showHead();
    try {
      const found = await get(`/api/openings?${new URLSearchParams({ text, sort: order, skip: String(skip), limit: String(PAGE) })}`);
      if (number !== asked) return;
      rows = skip ? [...rows, ...found.rows] : found.rows;
      count.textContent = `${found.count.toLocaleString("en")} openings`;
      const made = found.rows.map(({ eco, name, moves }) => h("tr", {}, h("td", {}, eco), h("th", { scope: "row" }, h("a", { href: `/analyse?moves=${encodeURIComponent(moves)}` }, name)), h("td", { class: "line" }, writtenMoves(moves))));
      if (skip) body.append(...made);
      else body.replaceChildren(...made);
      const left = found.count - rows.length;
      more.hidden = left <= 0;
      more.textContent = `Show more, ${left.toLocaleString("en")} are left`;
    } catch (error) {
      if (number === asked) tellError(error);
    }
  }

  load();
  return { end: () => clearTimeout(timer) };
}
