// The signs of a move and of its position as buttons; a dialog has those that are rarely used.

import { button, dialog, h, replace } from "./dom.js";
import { MOVE_NAGS, nagSign, otherNags, POSITION_NAGS } from "./nags.js";

export class Signs {
  // `ontoggle(nag, group)`: those of a group exclude each other.
  constructor(ontoggle) {
    this.ontoggle = ontoggle;
    this.element = h("div", { class: "glyphs" });
    this.more = button("More …", () => this.choose(), { title: "All other signs" });
  }

  show(node) {
    this.node = node;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    const sign = (nag, group) => button(nagSign(nag).sign, () => this.ontoggle(nag, group), {
      title: nagSign(nag).text, "aria-label": nagSign(nag).text, "aria-pressed": String(node.nags.includes(nag)), disabled: !node.parent,
    });
    const part = (label, nags, ...more) => h("div", { role: "group", "aria-label": label }, ...nags.map((nag) => sign(nag, nags)), ...more);
    const [quality, position] = [MOVE_NAGS, POSITION_NAGS].map((nags) => nags.map(([nag]) => nag));
    const others = node.nags.filter((nag) => !quality.includes(nag) && !position.includes(nag));
    this.more.disabled = !node.parent;
    replace(this.element, part("Quality of the move", quality),
      h("div", { role: "group", "aria-label": "Other signs" }, ...others.map((nag) => sign(nag, [nag])), this.more), part("Evaluation of the position", position));
    if (focused) [...this.element.querySelectorAll("button")].find((element) => element.getAttribute("aria-label") === focused)?.focus();
  }

  choose() {
    const box = dialog("Signs", h("ul", { class: "line-list" }, otherNags().map(([nag, sign, text]) => h("li", {}, button([h("b", {}, sign), text], () => {
      box.close();
      this.ontoggle(nag, [nag]);
    }, { class: "quiet", "aria-pressed": String(this.node.nags.includes(nag)) })))));
  }
}
