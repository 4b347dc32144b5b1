// The games of a list that are chosen to be printed. The choice lasts as long as the window, over other queries, and
// until the file changes, which may give the games other numbers.

import { button, choice, dialog, h, icon, replace } from "./dom.js";
import { settings } from "./settings.js";
import { announce, tellError, toast } from "./tell.js";

const KEY = "hematite.selection";
// As many as the server prints at once.
export const MOST = 500;
const FORMS = [
  { value: "page", label: [h("b", {}, "With boards"), h("small", {}, "comments, curves, an index")] },
  { value: "pgn", label: [h("b", {}, "As text"), h("small", {}, "the PGN of the games")] },
];

const counted = (count) => (count === 1 ? "1 game" : `${count} games`);

// The address of a document with these games, in this order.
export function printAddress(file, numbers, form) {
  const letters = settings.pieceNames.split(":")[0];
  const style = form === "page" ? { letters: letters === "letters" ? "" : letters, pieces: settings.pieces } : { form };
  const asked = Object.entries({ games: numbers.join(","), ...style }).filter(([, value]) => value);
  return `/api/files/${file}/print?${new URLSearchParams(asked).toString().replaceAll("%2C", ",")}`;
}

// Asks for the form, and opens the document in a window of its own, whose browser prints it.
export function printGames(file, numbers) {
  const link = h("a", { class: "button primary", target: "_blank", rel: "noopener", autofocus: true, onclick: () => box.close() }, "Open the document");
  const update = (form) => {
    link.href = printAddress(file, numbers, form);
  };
  update("page");
  const box = dialog(`Print ${counted(numbers.length)}`, [
    choice("Form", FORMS, "page", update, { class: "choice forms" }),
    h("p", { class: "note" }, "The document opens in a window of its own; print it there as any page."),
    h("div", { class: "actions" }, link)], { className: "small" });
}

export class Selection {
  // `all(limit)` promises the numbers of the first games that are found; `onchange()` when rows look different.
  constructor({ file, all, onchange }) {
    Object.assign(this, { file, all, onchange, isOn: false, isListed: true, stamp: null, numbers: new Set() });
    this.toggle = button([icon("check"), "Select"], () => this.switch(!this.isOn), { "aria-pressed": "false", title: "Choose games to print" });
    this.count = h("span", { role: "status" });
    this.print = button([icon("print"), "Print …"], () => printGames(file, [...this.numbers]), { class: "primary", "aria-haspopup": "dialog" });
    this.none = button("None", () => this.clear(), { class: "quiet", "aria-label": "Select no game" });
    this.bar = h("div", { class: "selection-bar", hidden: true }, this.count, h("div", { class: "actions" }, this.print, button("All found", () => this.takeAll(), { title: `At most ${MOST}` }), this.none));
    this.read();
    if (this.numbers.size) this.switch(true);
  }

  read() {
    try {
      const { stamp = null, numbers = [] } = JSON.parse(sessionStorage.getItem(`${KEY}.${this.file}`)) ?? {};
      Object.assign(this, { stamp, numbers: new Set(numbers) });
    } catch {
      // Nothing has been chosen.
    }
    this.show();
  }

  write() {
    try {
      sessionStorage.setItem(`${KEY}.${this.file}`, JSON.stringify({ stamp: this.stamp, numbers: [...this.numbers] }));
    } catch {
      // It lasts as long as this view.
    }
    this.show();
  }

  // The state of the file as the list shows it.
  setStamp(stamp) {
    if (this.stamp === stamp) return;
    const isOther = this.stamp !== null && this.numbers.size > 0;
    this.stamp = stamp;
    if (isOther) {
      this.numbers.clear();
      toast("The file has been changed, so no game is selected.");
    }
    this.write();
  }

  switch(isOn) {
    this.isOn = isOn;
    this.toggle.setAttribute("aria-pressed", String(isOn));
    this.show();
    this.onchange();
  }

  clear() {
    this.numbers.clear();
    this.write();
    this.onchange();
    this.toggle.focus();
  }

  async takeAll() {
    try {
      const before = this.numbers.size;
      for (const number of await this.all(MOST)) if (this.numbers.size < MOST) this.numbers.add(number);
      if (this.numbers.size === before) announce("All these games are selected already.");
      this.write();
      this.onchange();
    } catch (error) {
      tellError(error);
    }
  }

  set(number, isChosen) {
    if (isChosen && this.numbers.size >= MOST) {
      toast(`At most ${MOST} games are printed at once.`, "error");
      return false;
    }
    if (isChosen) this.numbers.add(number);
    else this.numbers.delete(number);
    this.write();
    return true;
  }

  show() {
    const { size } = this.numbers;
    this.bar.hidden = !this.isOn || !this.isListed;
    replace(this.count, size ? `${counted(size)} selected` : "No game selected");
    this.print.disabled = size === 0;
    this.none.disabled = size === 0;
  }

  // Shows the controls, where there is a list.
  setShown(isShown) {
    this.isListed = isShown;
    this.toggle.hidden = !isShown;
    this.show();
  }

  // The box of a row; null while nothing is chosen.
  box({ number, white, black }) {
    if (!this.isOn) return null;
    const box = h("input", { type: "checkbox", ".checked": this.numbers.has(number), "aria-label": `Select game ${number}: ${white || "?"} – ${black || "?"}`, onchange: () => {
      if (!this.set(number, box.checked)) box.checked = false;
    } });
    return h("label", { class: "row-box" }, box);
  }
}
