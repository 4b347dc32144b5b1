// The games before and after one of a file: of all, or of those that a query has found.

import { get } from "./api.js";
import { h, iconButton, replace } from "./dom.js";
import { go } from "./router.js";
import { toast } from "./tell.js";

export class FoundGames {
  constructor(query) {
    this.query = query;
    this.search = query ? `?${new URLSearchParams({ query })}` : "";
  }

  neighbors({ file, number }) {
    return get(`/api/files/${file}/games/${number}/neighbors${this.search}`);
  }

  // `onstep(by)` goes to another game.
  show(element, source, onstep) {
    const text = h("span", {}, `Game ${source.number}`);
    replace(element, iconButton("back", "Previous game ([)", () => onstep(-1)), text,
      iconButton("next", "Next game (])", () => onstep(1)), h("a", { href: `/explore/${source.file}${this.search}` }, "To the list"));
    this.neighbors(source).then(({ count, index }) => {
      if (this.query) text.textContent += index === null ? `, not among the ${count} found` : `, ${index + 1} of ${count} found`;
      else if (count !== null) text.textContent += ` of ${count}`;
    }).catch(() => {
      // The buttons tell what is wrong.
    });
  }

  async go(source, by) {
    const { previous, next } = await this.neighbors(source);
    const number = by > 0 ? next : previous;
    const among = this.query ? " of those that were found" : "";
    if (number === null) return toast(`This is the ${by > 0 ? "last" : "first"} game${among}.`);
    return go(`/analyse/${source.file}/${number}${this.search}`);
  }
}
