// A field for queries that completes the term at the caret: names of terms, and values of some (the combobox of
// https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).

import { get } from "./api.js";
import { h, replace } from "./dom.js";

const NAMED = { player: "player", white: "player", black: "player", winner: "player", loser: "player", event: "event", site: "site", opening: "opening", eco: "eco" };

// The term at the caret: { start, key, operator, value }, or null within a part that is no term.
export function termAt(text, caret) {
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < caret; index += 1) {
    if (text[index] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[\s()]/.test(text[index])) start = index + 1;
  }
  const typed = text.slice(start, caret);
  const found = /^([a-z]+)([:=~])"?([^"]*)$/i.exec(typed);
  return found ? { start, key: found[1].toLowerCase(), operator: found[2], value: found[3], typed } : { start, key: null, value: typed, typed };
}

export class QueryField {
  // `file` is the number of the file whose names are proposed; `oninput()` at every change of the text.
  constructor({ file, value, oninput, ...attributes }) {
    Object.assign(this, { file, oninput, options: [], active: -1, asked: 0 });
    this.input = h("input", {
      type: "search", ".value": value, spellcheck: "false", autocomplete: "off", autocapitalize: "off", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "query-options",
      oninput: () => {
        oninput();
        this.propose();
      },
      onkeydown: (event) => this.key(event), onblur: () => this.close(), ...attributes,
    });
    this.list = h("ul", { id: "query-options", class: "proposals", role: "listbox", "aria-label": "Proposals", hidden: true });
    this.element = h("div", { class: "query-field" }, this.input, this.list);
  }

  async propose() {
    const { input } = this;
    const asked = (this.asked += 1);
    const term = termAt(input.value, input.selectionStart ?? input.value.length);
    const options = await this.optionsFor(term).catch(() => []);
    if (asked !== this.asked || document.activeElement !== input) return;
    this.term = term;
    this.options = options;
    this.active = -1;
    this.draw();
  }

  // [{ text, note, whole }]: `whole` takes the place of the term.
  async optionsFor({ key, operator, value, typed }) {
    if (!NAMED[key]) {
      if (!typed) return [];
      const terms = await this.names("term", typed);
      const behind = key === null ? 0 : key.length + operator.length;
      return terms.filter(({ name }) => name !== typed.toLowerCase()).map(({ name, text }) => ({ text: name.slice(behind), note: text, whole: name }));
    }
    if (!value) return [];
    const quoted = (name) => `${key}${operator}${/^[\w./*-]+$/.test(name) ? name : `"${name}"`}`;
    const names = await this.names(NAMED[key], value);
    return names.filter(({ name }) => name !== value).map(({ name, games, text }) => ({
      text: name, note: text ?? (games === null ? "" : games === 1 ? "1 game" : `${games.toLocaleString("en")} games`), whole: quoted(name.replaceAll('"', "")),
    }));
  }

  names(kind, prefix) {
    return get(`/api/files/${this.file}/names?${new URLSearchParams({ kind, prefix })}`);
  }

  draw() {
    const { options, active, input, list } = this;
    replace(list, options.map(({ text, note }, index) => h("li", {
      id: `query-option-${index}`, role: "option", "aria-selected": String(index === active),
      // The field keeps the focus.
      onpointerdown: (event) => event.preventDefault(), onclick: () => this.choose(index),
    }, h("b", {}, text), note && h("small", {}, note))));
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(options.length > 0));
    if (active >= 0) input.setAttribute("aria-activedescendant", `query-option-${active}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[active]?.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.asked += 1;
    this.options = [];
    this.active = -1;
    this.draw();
  }

  choose(index) {
    const { input, term } = this;
    const { whole } = this.options[index];
    const rest = input.value.slice(term.start + term.typed.length).replace(/^"/, "");
    const isOpen = /[:=<>.(]$/.test(whole);
    input.value = input.value.slice(0, term.start) + whole + (isOpen || /^\s/.test(rest) ? "" : " ") + rest;
    const caret = term.start + whole.length + (isOpen ? 0 : 1);
    input.setSelectionRange(caret, caret);
    this.close();
    this.oninput();
    if (isOpen) this.propose();
  }

  key(event) {
    const { options } = this;
    if (event.key === "ArrowDown" && !options.length) this.propose();
    else if (!options.length) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const count = options.length + 1;
      // One place more, for none of them.
      this.active = ((this.active + 1 + (event.key === "ArrowDown" ? 1 : -1) + count) % count) - 1;
      this.draw();
    } else if (event.key === "Escape") this.close();
    else if ((event.key === "Enter" || event.key === "Tab") && this.active >= 0) this.choose(this.active);
    else return;
    event.preventDefault();
  }
}
