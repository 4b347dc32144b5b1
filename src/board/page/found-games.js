// The games before and after one of a file, among all games or among those that a query finds, and the places at which
// the query has found it.

import { get } from "./api.js";
import { h, iconButton, replace } from "./dom.js";
import { go } from "./router.js";
import { toast } from "./tell.js";

const KEY = "hematite.found";

// The last place in the list of a file, in this window.
export const lastFound = {
  read(file) {
    try {
      return JSON.parse(sessionStorage.getItem(`${KEY}.${file}`)) ?? {};
    } catch {
      return {};
    }
  },
  write(file, more) {
    try {
      sessionStorage.setItem(`${KEY}.${file}`, JSON.stringify({ ...this.read(file), ...more }));
    } catch {
      // It is only a convenience.
    }
  },
  // The list has been scrolled.
  scroll(file, search, top) {
    this.write(file, this.read(file).search === search ? { top } : { search, top, index: null });
  },
  // A game has been shown, which has this place in the list.
  game(file, search, number, index) {
    this.write(file, this.read(file).search === search ? { number, index } : { search, number, index, top: 0 });
  },
  // The game that was shown last.
  number(file) {
    return this.read(file).number;
  },
  // The last place in this list: { top, index }, or null.
  of(file, search) {
    const known = this.read(file);
    return known.search === search ? { top: known.top ?? 0, index: known.index ?? null } : null;
  },
};

export class FoundGames {
  // `query` and `sort` are those of the list.
  constructor({ query, sort }) {
    this.query = query;
    this.sort = sort;
    const search = new URLSearchParams({ ...(query && { query }), ...(sort && { sort }) }).toString();
    this.search = search ? `?${search}` : "";
  }

  neighbors({ file, number }) {
    return get(`/api/files/${file}/games/${number}/neighbors${this.search}`);
  }

  // The places of a game at which the query is true, as paths to their moves.
  async hits({ file, number }) {
    if (!this.query) return [];
    const found = await get(`/api/files/${file}/games/${number}/hits?${new URLSearchParams({ query: this.query })}`);
    return found.map(({ path }) => path);
  }

  // `onstep(by)` goes to another game.
  show(element, source, onstep) {
    const text = h("span", {}, `Game ${source.number}`);
    replace(element, iconButton("back", "Previous game ([)", () => onstep(-1)), text,
      iconButton("next", "Next game (])", () => onstep(1)), h("a", { href: `/explore/${source.file}${this.search}` }, "To the list"));
    this.neighbors(source).then(({ count, index }) => {
      lastFound.game(source.file, this.search.slice(1), source.number, index);
      if (this.query) text.textContent += index === null ? `, not among the ${count} found` : `, ${index + 1} of ${count} found`;
      else if (count !== null) text.textContent += ` of ${count}`;
    }).catch(() => {
      // The buttons tell what is wrong.
    });
  }

  // To the game before or behind; `atHit`: to the last or the first place in it at which the query is true.
  async go(source, by, atHit = false) {
    const { previous, next } = await this.neighbors(source);
    const number = by > 0 ? next : previous;
    const among = this.query ? " of those that were found" : "";
    if (number === null) return toast(`This is the ${by > 0 ? "last" : "first"} game${among}.`);
    const hits = atHit ? await this.hits({ file: source.file, number }) : [];
    const path = hits.at(by > 0 ? 0 : -1);
    return go(`/analyse/${source.file}/${number}${this.search}${path ? `#m${path}` : ""}`);
  }
}
