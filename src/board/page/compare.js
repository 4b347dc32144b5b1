// Two games side by side, with the differences of their tags and moves, which the server finds.

import { aboutServer, get, post } from "./api.js";
import { button, h, iconButton, replace } from "./dom.js";
import { setTitle } from "./router.js";
import { settings } from "./settings.js";
import { written } from "./speech.js";
import { copy, tellError } from "./tell.js";
import { Tree } from "./tree.js";

export function compareView(container, { query }) {
  const places = (query.get("games") ?? "").split(",").map((place) => place.split("/").map(Number));
  const content = h("section", { class: "compare" }, h("h1", {}, "Two games"));
  replace(container, content);
  setTitle("Two games");
  if (places.length !== 2 || places.flat().some((number) => !Number.isInteger(number) || number < 0)) {
    content.append(h("p", {}, "The list of games under ", h("a", { href: "/explore" }, "Explore"), " has a menu in each row, by which games are compared."));
    return null;
  }
  show(content, places).catch(tellError);
  return null;
}

async function show(content, places) {
  const [{ files = [] }, ...games] = await Promise.all([aboutServer(), ...places.map(([file, number]) => get(`/api/files/${file}/games/${number}`))]);
  const documents = games.map(({ version, ...game }) => game);
  const found = await post("/api/analysis/compare", { games: documents });
  const trees = documents.map((game) => new Tree(game));
  const heads = trees.map((tree, index) => {
    const [file, number] = places[index];
    const name = `${tree.tag("White") || "?"} – ${tree.tag("Black") || "?"}`;
    return h("th", { scope: "col" }, h("a", { href: `/analyse/${file}/${number}` }, name), h("small", {}, ` Game ${number} of ${files.find(({ id }) => id === file)?.name ?? "a file"}`));
  });
  // No position is shown here; the moves lead to those that can be copied.
  const copies = h("div", { class: "copy" },
    documents.map((game, index) => button(`PGN ${index + 1}`, () => post("/api/analysis/write", { game }).then(({ pgn }) => copy(pgn, "The game")).catch(tellError), { class: "quiet", title: `Copy the ${index ? "second" : "first"} game` })),
    iconButton("link", "Copy a link to both games", () => copy(location.href, "The link"), { class: "icon-button quiet" }));
  content.append(h("p", { class: "summary", role: "status" }, summary(found)), copies, tagTable(heads, trees, found), moveTable(heads, trees, places, found));
}

// A sentence about everything that differs.
function summary({ equal, tags, other_start: otherStart, other_result: otherResult, first_move: first, comments, glyphs, variations }) {
  if (equal) return "The games are equal.";
  const at = (name, plies) => plies.length > 0 && `${name} at ${plies.length === 1 ? "1 move" : `${plies.length} moves`}`;
  const parts = [
    tags.length > 0 && `tags (${tags.map(({ name }) => name).join(", ")})`, otherStart && "initial positions", otherResult && "results",
    first !== null && (first === 0 ? "moves from the first on" : `moves after ${first === 1 ? "the first ply" : `${first} plies`}`),
    at("comments", comments), at("signs", glyphs), at("variations", variations),
  ];
  return `The games differ: ${parts.filter(Boolean).join("; ")}.`;
}

// Differences have a sign, which does not depend on colors.
const sign = (differs) => h("td", { class: "sign" }, differs && [h("span", { "aria-hidden": "true" }, "≠"), h("span", { class: "hidden" }, "different")]);

function table(caption, heads, rows) {
  return h("section", {}, h("h2", {}, caption), h("div", { class: "wide" }, h("table", { class: "tree compared" },
    h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, caption === "Tags" ? "Tag" : "Move"), heads.map((head) => head.cloneNode(true)))), h("tbody", {}, rows))));
}

function tagTable(heads, trees, { tags }) {
  const names = [...new Set(trees.flatMap((tree) => tree.tags.map(([name]) => name)))];
  return table("Tags", heads, names.map((name) => {
    const differs = tags.some((tag) => tag.name === name);
    return h("tr", { class: differs ? "differs" : null }, sign(differs), h("th", { scope: "row" }, name), trees.map((tree) => h("td", {}, tree.tags.find(([known]) => known === name)?.[1] ?? "–")));
  }));
}

function moveTable(heads, trees, places, { first_move: first, comments, glyphs, variations }) {
  const lines = trees.map((tree) => tree.mainLine);
  const length = Math.max(...lines.map((line) => line.length));
  const noted = [[comments, "comments"], [glyphs, "signs"], [variations, "variations"]];
  const rows = [];
  for (let index = 0; index < length; index += 1) {
    const notes = noted.filter(([plies]) => plies.includes(index + 1) || (index === 0 && plies.includes(0))).map(([, name]) => name);
    const isOther = first !== null && index >= first && lines[0][index]?.san !== lines[1][index]?.san;
    const own = lines.map((line, place) => {
      const node = line[index];
      const [file, number] = places[place];
      return h("td", {}, node && h("a", { class: "move", href: `/analyse/${file}/${number}#m${Array(index + 1).fill(0).join(".")}` }, written(node.san, settings.pieceNames)), place === 1 && notes.length > 0 && h("small", {}, ` Other ${notes.join(", ")}`));
    });
    const node = lines[0][index] ?? lines[1][index];
    rows.push(h("tr", { class: isOther || notes.length ? "differs" : null }, sign(isOther || notes.length > 0), h("th", { scope: "row" }, trees[lines[0][index] ? 0 : 1].number(node).replace("...", "…")), own));
  }
  return table("Moves", heads, rows);
}
