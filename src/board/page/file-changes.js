// The games of a file: inserted, copied, moved and deleted, and the last change undone. The server refuses a change if
// the file has been changed meanwhile.

import { aboutServer, post } from "./api.js";
import { button, dialog, field, h, iconButton } from "./dom.js";
import { openMenu } from "./menu.js";
import { START } from "./placement.js";
import { go } from "./router.js";
import { tellError, toast } from "./tell.js";

export class FileChanges {
  // `onchange(number)` when the file has been changed: the game that was, or null; `onprint(number)` prints a game.
  constructor({ file, onchange, onprint }) {
    Object.assign(this, { file, onchange, onprint, stamp: "", count: 0, canSave: false, isCollection: false });
    this.undo = button("", () => this.make({ do: "undo" }, "Undone."), { hidden: true });
    this.adds = button("New game", () => this.insert(this.count + 1), { hidden: true, title: "Behind all games of the file" });
    this.element = h("div", { class: "actions" }, this.adds, this.undo);
    aboutServer().then(({ files = [] }) => {
      const known = files.find(({ id }) => id === file);
      this.canSave = known?.can_save ?? false;
      this.isCollection = known?.is_collection ?? false;
      this.show();
    }).catch(tellError);
  }

  // Sets the state of the file as the server sent it; `isAll` if all its games were counted.
  set({ count, stamp, undo }, isAll) {
    this.isAll = isAll;
    if (isAll) this.count = count;
    Object.assign(this, { stamp, done: undo });
    this.show();
  }

  show() {
    this.adds.hidden = !this.canSave || this.isCollection || !this.isAll;
    this.undo.hidden = !this.done;
    this.undo.textContent = `Undo: ${this.done}`;
  }

  // The button of a row, with everything that can be done with its game.
  button(number) {
    const open = iconButton("more", `Game ${number}: change, compare or print`, () => {
      const { left, bottom } = open.getBoundingClientRect();
      openMenu(left, bottom, this.items(number));
    }, { class: "icon-button quiet row-menu", "aria-haspopup": "menu", "data-game": String(number) });
    return open;
  }

  items(number) {
    const act = (change, text) => () => this.make(change, text);
    const isOrdered = this.canSave && !this.isCollection;
    return [
      ["Compare with another …", () => this.chooseOther(number)],
      ["Print …", () => this.onprint(number)],
      isOrdered && this.isAll && number > 1 && ["Move up", act({ do: "move", number, to: number - 1 }, `Game ${number - 1} now.`)],
      isOrdered && this.isAll && number < this.count && ["Move down", act({ do: "move", number, to: number + 1 }, `Game ${number + 1} now.`)],
      isOrdered && ["Move to …", () => this.askNumber("Move to", "The number that the game gets", (to) => this.make({ do: "move", number, to }, `Game ${to} now.`))],
      isOrdered && ["Duplicate", act({ do: "copy", number }, `Copied as game ${number + 1}.`)],
      isOrdered && ["Insert a new game before", () => this.insert(number)],
      this.canSave && ["Delete", act({ do: "delete", number }, `Game ${number} is deleted.`)],
    ];
  }

  async insert(number) {
    const game = { tags: [], start: START, result: "*", nodes: [] };
    const made = await this.make({ do: "insert", number, game }, `Game ${number} is new.`);
    if (made) go(`/analyse/${this.file}/${made.number}`);
  }

  async make(change, text) {
    try {
      const made = await post(`/api/files/${this.file}/changes`, { stamp: this.stamp, change });
      toast(text);
      this.onchange(made.number);
      return made;
    } catch (error) {
      tellError(error);
      // The list as it is now.
      if (error.code === "changed" || error.code === "no_undo") this.onchange(null);
      return null;
    }
  }

  chooseOther(number) {
    this.askNumber("Compare with", "The number of the other game", (other) => go(`/compare?games=${this.file}/${number},${this.file}/${other}`), number > 1 ? number - 1 : number + 1);
  }

  askNumber(title, label, onchoice, value = 1) {
    const input = h("input", { type: "number", min: "1", required: true, autofocus: true, ".value": String(value) });
    const box = dialog(title, h("form", {
      onsubmit: (event) => {
        event.preventDefault();
        box.close();
        onchoice(Number(input.value));
      },
    }, field(label, input), h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, title))), { className: "small" });
    input.select();
  }
}
