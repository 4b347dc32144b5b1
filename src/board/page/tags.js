// The dialog of the tags of a game: players, event, date and result.

import { post } from "./api.js";
import { button, dialog, field, h, iconButton, replace, select } from "./dom.js";
import { tellError } from "./tell.js";

const UNKNOWN = { Date: "????.??.??" };
const RESULTS = [["*", "not over"], ["1-0", "White wins"], ["0-1", "Black wins"], ["1/2-1/2", "draw"]];
const HINTS = { Date: "1992.11.04, or 1992.??.?? if only the year is known" };
const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black"];
const RATINGS = ["WhiteElo", "BlackElo"];
const OWN = [...ROSTER, "Result", ...RATINGS];
// Tags that follow from the start position.
const OF_START = ["SetUp", "FEN"];

// `onchange(tags, result)` is called with the entered values, once the server finds no fault in them.
export function openTags(tree, onchange) {
  const value = (name) => tree.tags.find(([known]) => known === name)?.[1] ?? "";
  const known = (name) => (value(name) === "?" || value(name) === UNKNOWN[name] ? "" : value(name));
  const inputs = new Map(OWN.map((name) => [name, h("input", { type: "text", maxlength: "255", ".value": known(name), placeholder: UNKNOWN[name] ?? "?", autofocus: name === "White" })]));
  const label = (name) => name.replace("Elo", " Elo");
  const one = (name) => field(label(name), inputs.get(name), HINTS[name]);
  const result = select(RESULTS.map(([own, text]) => [own, `${own}, ${text}`]), tree.result, () => {});
  const others = tree.tags.filter(([name]) => !OWN.includes(name) && !OF_START.includes(name)).map(([name, text]) => [name, text]);
  const list = h("div", { class: "tag-list" });
  const showOthers = (focused = null) => {
    replace(list, others.map((tag, index) => h("div", { class: "tag-row" },
      h("input", { type: "text", ".value": tag[0], "aria-label": "Name of the tag", placeholder: "Name", oninput: (event) => {
        tag[0] = event.target.value.trim();
      } }),
      h("input", { type: "text", ".value": tag[1], "aria-label": `Value of ${tag[0] || "the tag"}`, placeholder: "Value", oninput: (event) => {
        tag[1] = event.target.value;
      } }),
      iconButton("trash", `Delete ${tag[0] || "this tag"}`, () => {
        others.splice(index, 1);
        showOthers();
      }))));
    list.children[focused]?.querySelector("input").focus();
  };
  const problems = h("div", { class: "problems bad", role: "alert", hidden: true });
  const entered = () => {
    const text = (name) => inputs.get(name).value.trim();
    const roster = ROSTER.map((name) => [name, text(name) || UNKNOWN[name] || "?"]);
    const elo = RATINGS.map((name) => [name, text(name)]);
    const rest = others.map(([name, own]) => [name, own.trim()]);
    return [...roster, ["Result", result.value], ...[...elo, ...rest].filter(([, own]) => own)];
  };
  const form = h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        const tags = entered();
        const { problems: found } = await post("/api/analysis/tags", { tags });
        problems.hidden = found.length === 0;
        replace(problems, found.map(({ text }) => h("p", {}, text)));
        if (found.length) return inputs.get(found[0].name)?.focus();
        box.close();
        onchange([...tags, ...tree.tags.filter(([name]) => OF_START.includes(name))], result.value);
      } catch (error) {
        tellError(error);
      }
      return undefined;
    },
  },
  h("div", { class: "pair" }, ["White", "Black", "WhiteElo", "BlackElo", "Event", "Site", "Date", "Round"].map(one)), field("Result", result),
  h("h3", {}, "Other tags"), list, problems,
  h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Keep"), button("Add a tag", () => {
    others.push(["", ""]);
    showOthers(others.length - 1);
  })));
  showOthers();
  const box = dialog("The game", form, { className: "tags" });
}
