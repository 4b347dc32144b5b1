// The dialog to paste a game or a position, or to open a file, with what is not saved yet.

import { button, dialog, h } from "./dom.js";
import { draftList } from "./drafts.js";
import { START } from "./placement.js";
import { go } from "./router.js";

// `ontext(text)` promises whether the text could be shown; `onfile()` lets a file be chosen; `origin` is what is shown.
export function openDialog({ ontext, onfile, origin }) {
  const area = h("textarea", { rows: "10", spellcheck: "false", placeholder: `Paste a game (PGN) or a position (FEN), for example ${START}`, "aria-label": "PGN or FEN", class: "paste" });
  const box = dialog("Paste or open", [area, h("div", { class: "actions" },
    button("Show it", async () => {
      if (area.value.trim() && (await ontext(area.value))) box.close();
    }, { class: "primary" }),
    button("Open a file …", () => {
      box.close();
      onfile();
    }),
    button("Openings …", () => go("/openings"), { class: "quiet", title: "All openings with a name, to begin with one" })), h("p", { class: "note" }, "You can also drop a file on the page, or press Ctrl+V anywhere."), draftList(origin)]);
  area.focus();
}
