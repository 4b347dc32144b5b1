// Games from the position of the tree: those of the strongest players and the latest ones.

import { post } from "./api.js";
import { h, replace } from "./dom.js";
import { gameAddress } from "./explore-row.js";
import { writtenResult } from "./speech.js";
import { load, store } from "./storage.js";
import { tellError } from "./tell.js";

const WAIT_MS = 250;

export class NotableGames {
  constructor({ file }) {
    Object.assign(this, { file, asked: null, shown: null });
    this.body = h("div", {});
    this.element = h("details", { class: "notable", open: load("notable", true), ontoggle: () => {
      store("notable", this.element.open);
      this.load();
    } }, h("summary", {}, "Games from here"), this.body);
  }

  // `place`: { fen, moves, query }.
  show(place) {
    this.asked = place;
    // They are not loaded for a position that is only passed.
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), WAIT_MS);
  }

  end() {
    clearTimeout(this.timer);
  }

  // They are requested only while they can be seen.
  async load() {
    const { asked } = this;
    if (!asked || !this.element.open || this.shown === asked) return;
    this.shown = asked;
    try {
      const { count, top, latest } = await post(`/api/files/${this.file}/notable`, asked);
      if (this.asked !== asked) return;
      const lists = count > top.length ? [["Strongest players", top], ["Latest", latest]] : [["All of them", top]];
      replace(this.body, count ? lists.map(([title, games]) => h("section", {}, h("h2", {}, title), h("ul", {}, games.map((game) => this.row(game))))) : h("p", { class: "note" }, "No game has this position."));
    } catch (error) {
      if (this.asked === asked && error.code !== "bad_query") tellError(error);
    }
  }

  row(game) {
    const { white, black, white_elo: whiteElo, black_elo: blackElo, result, date } = game;
    const name = (player, elo) => [player || "?", /^[1-9]\d*$/.test(elo) && h("small", {}, ` ${elo}`)];
    return h("li", {}, h("a", { href: gameAddress(this.file, game) }, name(white, whiteElo), " – ", name(black, blackElo)), h("small", {}, ` ${writtenResult(result)} ${(date ?? "").replaceAll(".??", "").replace(/^\?+$/, "")}`));
  }
}
