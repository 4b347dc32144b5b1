// A tournament: its players, the rounds with their games, the table, and the acts of its host and players.

import { get, post } from "./api.js";
import { arenaGames, arenaTable, isArena, TimeLeft } from "./arena.js";
import { crosstable } from "./crosstable.js";
import { button, h, icon, replace } from "./dom.js";
import { ask, reachableBase } from "./game-panels.js";
import { liveBoard, MOST } from "./live-boards.js";
import { nothingHere } from "./nothing.js";
import { go, setAddress, setTitle } from "./router.js";
import { Socket } from "./socket.js";
import { finishGames, keepPart, keepSeat, keepTab, partsIn, seats } from "./storage.js";
import { announce, copy, download, tellError, toast } from "./tell.js";
import { formatName } from "./tournament-new.js";
import { hostPanel, joinPanel, ownPanel } from "./tournament-panels.js";

const RESULTS = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "0-0": "0–0" };
const TIE_BREAKS = {
  direct_encounter: ["Direct", "Direct encounter: the points among equal players, if all of them have met"],
  buchholz: ["Buchholz", "Buchholz: the points of all opponents"],
  sonneborn_berger: ["SB", "Sonneborn-Berger: the points of beaten opponents, and half of those with whom the player drew"],
  wins: ["Wins", "The number of games won"],
};
const ENDED = "over";

export function tournamentView(container, { parts: [id], query }) {
  return new TournamentView(container, id, query);
}

class TournamentView {
  constructor(container, id, query) {
    Object.assign(this, { id, container });
    this.ends = [];
    this.seen = null;
    this.heading = h("h1", {}, "Tournament");
    this.status = h("p", { class: "subtitle", role: "status" }, "Connecting …");
    this.time = h("p", { class: "time-left", role: "timer" });
    this.panels = h("div", { class: "panels" });
    this.watching = button([icon("link"), "Copy the link to watch"], async () => copy(`${await reachableBase()}${this.address("")}`, "The link to watch"), { class: "quiet" });
    this.views = h("nav", { class: "actions", "aria-label": "What is shown" });
    this.body = h("div", { class: "explore-table" });
    replace(container, h("section", { class: "tournament" }, h("header", {}, this.heading, this.status, this.time, this.watching), h("div", { class: "side" }, this.panels), h("div", { class: "main" }, this.views, this.body)));
    this.onaddress = (address) => {
      this.shows = address;
      this.takeFragment();
      this.render();
    };
    this.shows = query;
    this.left = new TimeLeft(this.time);
    this.end = () => {
      this.left.stop();
      this.disconnect();
    };
    if (!this.takeFragment()) this.connect();
  }

  // An invitation has a token, which leaves the address at once, so that it is in no history and on no picture.
  takeFragment() {
    const fragment = /^#([\w-]{16,})$/.exec(location.hash)?.[1];
    if (!fragment) return false;
    sessionStorage.setItem(`hematite.tournament.${this.id}`, fragment);
    setAddress(location.pathname + location.search);
    this.connect();
    return true;
  }

  // A socket for each of the tokens that this browser has. Those that are open stay, so that a host who takes part
  // remains the host meanwhile.
  connect() {
    const { host, player } = partsIn(this.id);
    const tokens = [...new Set([sessionStorage.getItem(`hematite.tournament.${this.id}`) ?? player, host].filter(Boolean))];
    const wanted = tokens.length ? tokens : [null];
    const before = this.ends;
    this.ends = wanted.map((token) => before.find((end) => end.token === token) ?? this.open(token));
    before.filter((end) => !this.ends.includes(end)).forEach(({ socket }) => socket.close());
  }

  open(token) {
    const end = { token, state: null };
    end.socket = new Socket(`/api/tournaments/${encodeURIComponent(this.id)}/socket`, {
      hello: () => ({ hello: { token } }),
      onmessage: ({ state, error }) => (state ? this.receive(end, state) : this.fail(end, error)),
      onstate: (isOpen) => !isOpen && !this.state && this.findOut(),
    });
    return end;
  }

  disconnect() {
    this.ends.forEach(({ socket }) => socket.close());
  }

  // Whether there is nothing to wait for.
  findOut() {
    get(`/api/tournaments/${encodeURIComponent(this.id)}`).catch((error) => {
      if (error.status !== 404) return;
      this.end();
      nothingHere(this.container, "There is no such tournament");
    });
  }

  // A token that the tournament does not know is forgotten; the page then shows the view of a spectator. After any
  // other error, such as too many messages, the socket comes back.
  fail(end, error) {
    if (error?.code !== "unknown_token") {
      if (!this.state) this.status.textContent = error?.text ?? "Connecting …";
      return;
    }
    end.socket.close();
    if (sessionStorage.getItem(`hematite.tournament.${this.id}`) === end.token) sessionStorage.removeItem(`hematite.tournament.${this.id}`);
    if (partsIn(this.id).player === end.token) keepPart(this.id, { player: undefined });
    this.ends = this.ends.filter((other) => other !== end);
    if (!this.ends.length) {
      toast(error.text ?? "This link is not one of the tournament.", "error");
      this.connect();
    }
  }

  receive(end, state) {
    if (end.state && state.version < end.state.version) return;
    end.state = state;
    if (state.role === "host") keepPart(this.id, { host: end.token });
    if (state.role === "player") keepPart(this.id, { player: end.token });
    this.left.set(state.phase === ENDED ? null : state.left_ms);
    this.keepGames();
    this.tellNews();
    this.render();
    this.tellPresence();
  }

  get state() {
    return this.ends.map(({ state }) => state).filter(Boolean).sort((one, other) => other.version - one.version)[0] ?? null;
  }

  // The number of the own player.
  get player() {
    return this.ends.map(({ state }) => state?.player).find(Boolean) ?? null;
  }

  can(act) {
    return this.ends.some(({ state }) => state?.can.includes(act));
  }

  // In an arena a player with this page open is free for the next game.
  tellPresence() {
    const me = this.state.players[this.player - 1];
    const end = this.ends.find(({ state }) => state?.can.includes("ready"));
    // If the next game starts meanwhile, nothing has to be said.
    if (isArena(this.state) && me && !me.paused && end) post(`/api/tournaments/${encodeURIComponent(this.id)}/acts`, { act: { act: "ready" } }, { token: end.token }).catch(() => {});
  }

  // Does something with the token that may do it; answers the state after it.
  act(act) {
    const end = this.ends.find(({ state }) => state?.can.includes(act.act)) ?? this.ends[0];
    return act.act === "join" ? this.join(end.token, act.name) : this.send(act, end.token);
  }

  send(act, token) {
    return post(`/api/tournaments/${encodeURIComponent(this.id)}/acts`, { act }, { token }).catch((error) => {
      tellError(error);
      return null;
    });
  }

  // Each participant uses an invitation once and gets a token of his own.
  async join(invitation, name) {
    const state = await this.send({ act: "join", name }, invitation);
    if (!state) return;
    keepPart(this.id, { player: state.token });
    sessionStorage.setItem(`hematite.tournament.${this.id}`, state.token);
    this.connect();
  }

  nameOf(number) {
    return this.state.players[number - 1]?.name ?? "?";
  }

  pairings() {
    return this.state.rounds.flatMap((round, index) => round.map((pairing, board) => ({ ...pairing, round: index + 1, board: board + 1 })));
  }

  isOwn({ white, black }) {
    return this.player !== null && (white === this.player || black === this.player);
  }

  // The page of an own game takes part. The host is the arbiter of all others: their pages find the token by the
  // tournament.
  keepGames() {
    const player = this.ends.find(({ state }) => state?.role === "player");
    if (!player) return;
    const own = this.pairings().filter((pairing) => pairing.game && this.isOwn(pairing));
    finishGames(own.filter(({ result }) => result).map(({ game }) => game));
    for (const { game, white } of own.filter(({ result }) => !result)) {
      keepTab(game, player.token);
      if (!seats(game).length) keepSeat(game, { token: player.token, role: white === this.player ? "white" : "black" });
    }
  }

  get ownGame() {
    return this.pairings().find((pairing) => this.isOwn(pairing) && pairing.game && !pairing.result) ?? null;
  }

  tellNews() {
    const { state, ownGame, seen } = this;
    const rounds = state.rounds.length;
    if (seen && ownGame && ownGame.game !== seen.game) go(`/game/${ownGame.game}`);
    else if (seen && rounds > seen.rounds) announce(`Round ${rounds} has been paired.`);
    else if (seen && state.phase === ENDED && seen.phase !== ENDED) announce("The tournament is over.", true);
    this.seen = { game: ownGame?.game ?? seen?.game ?? null, rounds, phase: state.phase };
  }

  address(show) {
    return `/tournament/${this.id}${show ? `?show=${show}` : ""}`;
  }

  render() {
    const { state } = this;
    if (!state) return;
    setTitle(state.name);
    this.heading.textContent = state.name;
    this.showPhase();
    const isTyping = this.panels.contains(document.activeElement) && document.activeElement.matches("input, select");
    const kind = [this.can("join"), this.player, this.can("invite"), this.can("decide")].join();
    // A form that is being filled in is not rebuilt, unless it is no longer needed.
    if (!isTyping || kind !== this.shownKind) replace(this.panels, joinPanel(this), ownPanel(this), hostPanel(this));
    this.shownKind = kind;
    const show = this.shows.get("show") ?? "";
    const isInArena = isArena(state);
    const round = Number(/^round-(\d+)$/.exec(show)?.[1] ?? NaN);
    const shown = !isInArena && state.rounds[round - 1] ? round : null;
    const views = state.phase === "open" ? [] : isInArena ? [["", "Standings"], ["games", "Games"]] : [["", "Standings"], ["crosstable", "Cross table"], ...state.rounds.map((_, index) => [`round-${index + 1}`, [h("span", { class: "hidden" }, "Round "), String(index + 1)]])];
    const isCurrent = (name) => (views.some(([known]) => known === show) ? name === show : name === "");
    const hadFocus = this.views.contains(document.activeElement) ? document.activeElement.textContent : null;
    const link = ([name, text]) => h("a", { class: "button", href: this.address(name), "aria-current": isCurrent(name) ? "page" : null }, text);
    replace(this.views, views.slice(0, 2).map(link), views.length > 2 && h("span", { class: "rounds" }, h("span", { class: "note", "aria-hidden": "true" }, "Round"), views.slice(2).map(link)));
    if (hadFocus) [...this.views.querySelectorAll("a")].find(({ textContent }) => textContent === hadFocus)?.focus();
    const last = state.rounds.length;
    if (isInArena && state.phase !== "open") replace(this.body, show === "games" ? null : arenaTable(this), arenaGames(this, show === "games", this.pgn("/pgn", "tournament")));
    else if (shown) replace(this.body, this.round(shown));
    else if (show === "crosstable") replace(this.body, this.crosstable());
    else replace(this.body, this.standings(), state.phase === "playing" && this.round(last));
  }

  showPhase() {
    const { state } = this;
    const phase = { open: "players may come", playing: isArena(state) ? "in progress" : `round ${state.rounds.length} of ${state.round_count}`, over: "finished" }[state.phase];
    this.status.textContent = [formatName(state.format), state.time_text, phase].join(" · ");
  }

  pgn(where, name) {
    return () => get(`/api/tournaments/${encodeURIComponent(this.id)}${where}`).then((text) => download(`${name}.pgn`, text, "application/x-chess-pgn")).catch(tellError);
  }

  // The players as they stand, with the number that the server knows.
  ranked() {
    return this.state.standings.map((row) => ({ ...row, ...this.state.players[row.player - 1] }));
  }

  name(player) {
    const more = [player.kind === "engine" && "computer", player.book && `book: ${player.book}`, player.withdrawn ? "withdrawn" : player.paused && "pauses", player.number === this.player && "you"].filter(Boolean);
    return [player.name, more.length > 0 && h("small", {}, ` ${more.join(", ")}`)].filter(Boolean);
  }

  tieBreaks() {
    const digits = { sonneborn_berger: 2, wins: 0 };
    return this.state.tie_breaks.map((name, index) => [TIE_BREAKS[name][0], (row) => row.tie_breaks[index]?.toFixed(digits[name] ?? 1) ?? "–", TIE_BREAKS[name][1]]);
  }

  standings() {
    const { state } = this;
    if (!state.players.length) return h("p", { class: "note" }, "Nobody is there yet.");
    const hasBegun = state.phase !== "open";
    const more = hasBegun ? [["Points", ({ points }) => points.toFixed(1)], ...this.tieBreaks()] : [];
    const order = this.tieBreaks().map(([, , text]) => text);
    const removes = this.can("remove");
    return h("section", {}, h("h2", {}, hasBegun ? "Standings" : "Players"), h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": hasBegun ? "Standings" : "Players" }, h("table", { class: "tree" },
      h("thead", {}, h("tr", {}, [["#"], ["Name"], ...more].map(([text, cell, title]) => h("th", { scope: "col", title, class: cell || text === "#" ? "number" : null }, text)), removes && h("td", {}))),
      h("tbody", {}, this.ranked().map((row) => h("tr", {}, h("td", { class: "number" }, String(hasBegun ? row.place : row.number)), h("th", { scope: "row" }, this.name(row)),
        more.map(([, text]) => h("td", { class: "number" }, text(row))),
        removes && h("td", { class: "number" }, button("Remove", () => this.act({ act: "remove", player: row.number }), { class: "quiet", "aria-label": `Remove ${row.name}` }))))))),
    hasBegun && h("p", { class: "note" }, `Equal points are decided by this, in order. ${order.join(". ")}.`));
  }

  crosstable() {
    const { state } = this;
    const isGrid = Boolean(state.format.round_robin);
    return h("section", {}, h("h2", {}, "Cross table"), crosstable({
      isGrid, rounds: state.rounds.map((_, index) => index + 1), players: this.ranked(), name: (player) => this.name(player),
      after: [["Points", ({ points }) => points.toFixed(1)], ...this.tieBreaks()],
    }), !isGrid && h("p", { class: "note" }, "Opponent, color and result of each round; + and − are decided without a game."));
  }

  round(number) {
    const row = ({ board, ...pairing }) => {
      const { white, black, game, result, forfeit } = pairing;
      const waits = [[white, pairing.white_ready], [black, pairing.black_ready]].filter(([player, isReady]) => player && !isReady && this.state.players[player - 1].kind === "person").map(([player]) => this.nameOf(player));
      const text = black === null ? "bye" : result ? RESULTS[result] ?? result : game ? "in progress" : "";
      const more = result && forfeit ? "without a game" : text ? "" : waits.length && this.state.begin === "when_ready" ? `waits for ${waits.join(" and ")}` : "waits for a free board";
      const names = black === null ? this.nameOf(white) : `${this.nameOf(white)} – ${this.nameOf(black)}`;
      const inner = [isLive(pairing) && liveBoard(game, black === this.player ? "black" : "white"), h("span", { class: "names" }, names), h("small", {}, [`Board ${board + 1}`, more].filter(Boolean).join(" · ")), h("span", { class: "result" }, text)];
      const decides = this.can("decide") && !game && !result;
      return h("li", {}, game ? h("a", { href: `/game/${game}` }, inner) : h("div", {}, inner),
        decides && h("div", { class: "actions" }, Object.entries(RESULTS).map(([value, sign]) => button(sign, () => ask(`${names}: ${sign} without a game?`, `Enter ${sign}`, () => this.act({ act: "decide", round: number, board: board + 1, result: value })), { "aria-label": `${names}: ${sign} without a game` }))));
    };
    const all = this.state.rounds[number - 1].map((pairing, board) => ({ ...pairing, board }));
    const shown = all.filter(({ game, result }) => game && !result).slice(0, MOST);
    const isLive = ({ game }) => shown.some((other) => other.game === game);
    const others = all.filter((pairing) => !shown.includes(pairing));
    return h("section", {}, h("h2", {}, `Round ${number}`), shown.length > 0 && h("ul", { class: "game-list live-list" }, shown.map(row)), others.length > 0 && h("ul", { class: "game-list" }, others.map(row)),
      h("div", { class: "actions" }, button(`PGN of round ${number}`, this.pgn(`/rounds/${number}/pgn`, `round-${number}`), { class: "quiet" }), button("PGN of all rounds", this.pgn("/pgn", "tournament"), { class: "quiet" })));
  }
}
