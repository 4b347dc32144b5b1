// All running games of an arbiter at once: those of a tournament, or all of which this browser is the arbiter or the
// host; on the computer of the server, the others to watch as well.

import { post } from "./api.js";
import { actButton, arbiterActs } from "./arbiter.js";
import { h, iconButton, replace } from "./dom.js";
import { timeText } from "./home.js";
import { MiniBoard } from "./live-boards.js";
import { openMenu } from "./menu.js";
import { PlayerBar } from "./player-bar.js";
import { setTitle } from "./router.js";
import { settings } from "./settings.js";
import { Socket } from "./socket.js";
import { written, writtenResult } from "./speech.js";
import { arbiterTokens, closeArbiter, hostTokens, keepSeat, seats } from "./storage.js";
import { announce, tellError } from "./tell.js";

const COLORS = ["white", "black"];
const TICK_MS = 1000;
// As many tournaments and games as are asked about, the newest.
const ASKED_TOURNAMENTS = 20;
const ASKED_GAMES = 200;
// As many finished games stay in sight.
const KEPT_OVER = 12;
// Up to so many games have larger boards.
const FEW = 8;
// A player is short of time with less than this part of the time at the start, at most five minutes.
const SHORT_PART = 0.1;
const SHORT_MS = 300_000;
const LEAST_SHORT_MS = 10_000;

// The matters that are listed beside the games, and told to screen readers.
const URGENT = ["offer", "claim", "away"];
const TOKENS = ["hematite.arbiters", "hematite.tournaments", "hematite.invites"];

const CLAIMS = { draw: "can claim a draw", abandoned: "can claim the game: the opponent is away" };

const newest = (tokens, count) => Object.fromEntries([...tokens].slice(-count));

export function overviewView(container, { query }) {
  return new OverviewView(container, query.get("tournament"));
}

class OverviewView {
  constructor(container, tournament) {
    Object.assign(this, { tournament, games: new Map(), tournaments: [], over: [], told: null, isKnown: false });
    this.heading = h("h1", {}, "All games");
    this.status = h("p", { class: "subtitle", role: "status" }, "Connecting …");
    this.urgent = h("section", { class: "panel urgent", hidden: true });
    this.body = h("div", { class: "overview-groups" });
    replace(container, h("section", { class: "overview" }, h("header", {}, this.heading, this.status), this.urgent, this.body));
    setTitle("All games");
    this.timer = setInterval(() => this.tick(), TICK_MS);
    // Another window of this browser has made a game or a tournament.
    this.ontokens = ({ key }) => TOKENS.includes(key) && this.connect();
    addEventListener("storage", this.ontokens);
    this.end = () => {
      removeEventListener("storage", this.ontokens);
      clearInterval(this.timer);
      this.socket?.close();
      this.games.forEach((game) => game.end());
    };
    this.onaddress = () => false;
    this.connect();
  }

  // Without a token only the server's own computer has something to see.
  connect() {
    this.socket?.close();
    const games = () => (this.tournament ? {} : newest(arbiterTokens(), ASKED_GAMES));
    const hosted = () => {
      const all = hostTokens();
      return this.tournament ? newest(new Map([...all].filter(([id]) => id === this.tournament)), 1) : newest(all, ASKED_TOURNAMENTS);
    };
    this.tokens = { games: arbiterTokens(), hosts: hostTokens() };
    this.socket = new Socket("/api/arbiter", {
      hello: () => {
        this.isFirst = true;
        return { hello: { games: games(), tournaments: hosted(), all: !this.tournament } };
      },
      onmessage: (message) => (message.error ? this.fail(message.error) : this.receive(message)),
    });
  }

  // Without a valid token there is nothing to wait for; after any other error the socket comes back.
  fail(error) {
    this.status.textContent = "";
    if (error.code !== "not_yours") {
      this.status.textContent = error.text;
      return;
    }
    this.socket.close();
    const text = this.tournament ? "Only the host of this tournament sees all its games here." : "There is no game of which this browser is the arbiter.";
    replace(this.body, h("div", { class: "card" }, h("p", {}, text), h("div", { class: "actions" },
      this.tournament && h("a", { class: "button", href: `/tournament/${this.tournament}` }, "To the tournament"), h("a", { class: "button", href: "/" }, "To the first page"))));
  }

  receive({ games, tournaments, closed, left_out: leftOut }) {
    closed.forEach(closeArbiter);
    Object.assign(this, { tournaments, leftOut });
    const before = this.membership;
    // After a cut there may be games that have ended meanwhile.
    if (this.isFirst) for (const id of this.games.keys()) if (!games.some((state) => state.id === id)) this.drop(id);
    this.isFirst = false;
    for (const state of games) {
      const known = this.games.get(state.id);
      if (known && known.state.role !== state.role) this.drop(state.id);
      if (state.phase === "over") this.finish(state);
      else if (this.games.has(state.id)) known.set(state);
      else this.games.set(state.id, this.begin(state));
    }
    const only = this.tournament && tournaments.find(({ id }) => id === this.tournament);
    if (only) {
      this.heading.textContent = only.name;
      setTitle(`${only.name}: all games`);
    }
    if (this.membership !== before || !this.isKnown) this.arrange();
    this.isKnown = true;
    this.tick();
  }

  get membership() {
    return [...[...this.games.values()].map(({ state: { id, role } }) => `${id} ${role}`), "", ...this.over.map(({ id }) => id)].join();
  }

  begin(state) {
    const own = this.tokens.games.get(state.id);
    const token = state.role === "arbiter" ? own ?? this.tokens.hosts.get(state.tournament?.id) ?? null : null;
    // So that the game opens with the rights of the arbiter, unless this browser has a seat in it. The page of a game
    // of a tournament finds the token of the host by itself.
    if (token && token === own && !seats(state.id).length) keepSeat(state.id, { token, role: "arbiter" });
    return new OverviewGame(state, token);
  }

  drop(id) {
    this.games.get(id)?.end();
    this.games.delete(id);
  }

  finish(state) {
    this.drop(state.id);
    this.over = [state, ...this.over.filter(({ id }) => id !== state.id)].slice(0, KEPT_OVER);
    if (this.isKnown) announce(`${namesOf(state)}: ${state.ending?.text ?? writtenResult(state.result)}`);
  }

  // The games by tournament, each in the order of its boards; those of no tournament with the newest first.
  arrange() {
    const all = [...this.games.values()];
    const isMine = ({ state }) => state.role === "arbiter";
    const byPlace = ({ state: one }, { state: other }) => one.tournament.round - other.tournament.round || one.tournament.board - other.tournament.board;
    const byTime = ({ state: one }, { state: other }) => other.created - one.created;
    const events = [...new Map(all.filter(({ state }) => isMine({ state }) && state.tournament).map(({ state }) => [state.tournament.id, state.tournament.name]))];
    const group = (title, games) => games.length > 0 && h("section", {}, h("h2", { class: title ? null : "hidden" }, title || "Games"), h("ul", { class: all.length > FEW ? "overview-games" : "overview-games few" }, games.map(({ element }) => element)));
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    replace(this.body,
      events.map(([id, name]) => group(!this.tournament && h("a", { href: `/tournament/${id}` }, name), all.filter((game) => isMine(game) && game.state.tournament?.id === id).sort(byPlace))),
      group(events.length > 0 && "Other games", all.filter((game) => isMine(game) && !game.state.tournament).sort(byTime)),
      group(all.some(isMine) && "To watch", all.filter((game) => !isMine(game)).sort(byTime)),
      all.length === 0 && h("p", { class: "card" }, "No game is played at the moment. Games that begin appear here by themselves."),
      this.over.length > 0 && h("section", {}, h("h2", {}, "Just finished"), h("ul", { class: "game-list" }, this.over.map((state) => h("li", {}, h("a", { href: `/game/${state.id}` },
        h("span", { class: "names" }, namesOf(state)), h("small", {}, [placeOf(state), state.ending?.text].filter(Boolean).join(" · ")), h("span", { class: "result" }, writtenResult(state.result))))))),
      this.tournament && h("div", { class: "actions" }, h("a", { class: "button", href: `/tournament/${this.tournament}` }, "To the tournament")));
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }

  // Updates the parts that time alone changes, and the list of matters that need attention.
  tick() {
    if (!this.isKnown) return;
    const matters = [];
    for (const game of this.games.values()) {
      game.tick();
      if (game.token) matters.push(...game.matters.filter(({ kind }) => URGENT.includes(kind)).map(({ text }) => ({ game, text })));
    }
    const count = this.games.size;
    const paused = [...this.games.values()].filter(({ state }) => state.phase === "paused").length;
    const text = [count === 1 ? "1 game" : `${count} games`, paused > 0 && `${paused} paused`, this.leftOut > 0 && `${this.leftOut} more are not shown`].filter(Boolean).join(" · ");
    if (this.status.textContent !== text) this.status.textContent = text;
    const lines = matters.map(({ game, text: own }) => [`${game.state.id} ${own}`, `${game.place ? `${game.place}: ` : ""}${own}`]);
    const now = new Set(lines.map(([key]) => key));
    this.urgent.hidden = ![...this.games.values()].some(({ token }) => token);
    if (this.told && now.size === this.told.size && lines.every(([key]) => this.told.has(key))) return;
    const fresh = lines.filter(([key]) => this.told && !this.told.has(key)).map(([, line]) => line);
    if (fresh.length) announce(fresh.join(". "));
    this.told = now;
    replace(this.urgent, h("h2", {}, "Needs attention"), matters.length === 0 && h("p", { class: "note" }, "Nothing at the moment."), h("ul", {}, matters.map(({ game, text: own }) => h("li", {},
      h("a", { href: `/game/${game.state.id}` }, own), h("small", {}, [game.place, namesOf(game.state)].filter(Boolean).join(" · "))))));
  }
}

const namesOf = (state) => COLORS.map((color) => nameIn(state, color)).join(" – ");

function nameIn(state, color) {
  const seat = state.seats[color];
  return seat.player || (seat.kind === "engine" ? "Hematite" : color === "white" ? "White" : "Black");
}

// The place of a game in its tournament.
function placeOf({ tournament }) {
  if (!tournament) return "";
  return tournament.round ? `Round ${tournament.round}, board ${tournament.board}` : `Game ${tournament.board}`;
}

// A game on a small board, with its clocks, what is open, and the acts of the arbiter.
class OverviewGame {
  constructor(state, token) {
    this.token = token;
    this.mini = new MiniBoard(state.id, "white");
    this.bars = { white: new PlayerBar(), black: new PlayerBar() };
    this.last = h("small", {});
    this.signals = h("ul", { class: "signals", "aria-label": "State" });
    this.actions = h("div", { class: "actions" });
    this.link = h("a", { href: `/game/${state.id}` });
    this.element = h("li", { class: "overview-game card" }, h("div", { class: "overview-head" }, h("h3", {}, this.link), this.last),
      this.bars.black.element, h("div", { class: "overview-board", onclick: () => this.link.click() }, this.mini.board), this.bars.white.element, this.signals, this.actions);
    this.set(state);
  }

  get place() {
    return placeOf(this.state);
  }

  set(state) {
    Object.assign(this, { state, at: Date.now() });
    const names = namesOf(state);
    replace(this.link, this.place || timeText(state.time_control), h("span", { class: "hidden" }, `: ${names}`));
    this.mini.showPieces(state);
    const dots = state.turn === "black" ? "." : "…";
    const move = state.last_san && `${state.fullmove}${dots} ${written(state.last_san, settings.pieceNames)}`;
    replace(this.last, move ?? h("span", { class: "hidden" }, "no move yet"), h("span", { class: "hidden" }, `, ${nameIn(state, state.turn)} to move`));
    for (const color of COLORS) {
      const seat = state.seats[color];
      const notes = [seat.kind === "engine" && "computer", seat.assistant && `with ${seat.assistant}`];
      this.bars[color].set({
        color, name: nameIn(state, color), note: notes.filter(Boolean).join(" · "), more: [], lead: 0, hasMove: state.phase === "playing" && state.turn === color,
        clock: { ms: state[`${color}_ms`], delay: state.delay_ms, isRunning: state.running === color, isOwn: false },
      });
      this.bars[color].setLag(state[`${color}_lag_ms`], state[`${color}_compensation_ms`]);
    }
    this.showActs();
    this.shown = null;
    this.tick();
  }

  showActs() {
    const { state } = this;
    const own = seats(state.id).find(({ role }) => COLORS.includes(role));
    const kind = [namesOf(state), this.token !== null, own?.role, ...state.can].join();
    if (kind === this.shownActs) return;
    this.shownActs = kind;
    const hadFocus = this.actions.contains(document.activeElement);
    const open = h("a", { class: "button", href: `/game/${state.id}`, "aria-label": `${own ? "To your game" : this.token ? "Open as arbiter" : "Watch"}: ${namesOf(state)}` }, own ? "Your game" : this.token ? "Open" : "Watch");
    const acts = this.token ? arbiterActs(this.adapter()) : [];
    const direct = acts.filter(([text]) => ["Pause", "Go on"].includes(text));
    const others = acts.filter((act) => !direct.includes(act));
    const more = others.length > 0 && iconButton("more", `Acts of the arbiter: ${namesOf(state)}`, () => {
      const { left, bottom } = more.getBoundingClientRect();
      openMenu(left, bottom, others);
    }, { class: "icon-button", "aria-haspopup": "menu" });
    replace(this.actions, open, direct.map((act) => actButton(act, { "aria-label": `${act[0]}: ${namesOf(state)}` })), more);
    if (hadFocus) (this.actions.querySelector("button") ?? open).focus({ preventScroll: true });
  }

  // The game as the acts of the arbiter need it.
  adapter() {
    const game = this;
    return {
      id: this.state.id, nameOf: (color) => nameIn(game.state, color), link: { token: () => game.token },
      get state() {
        return game.state;
      },
      act: (act) => post(`/api/games/${encodeURIComponent(game.state.id)}/acts`, { act }, { token: game.token }).catch(tellError),
    };
  }

  // The matters that ask for the attention of the arbiter.
  get matters() {
    const { state } = this;
    const name = (color) => nameIn(state, color);
    const short = Math.min(SHORT_MS, Math.max(LEAST_SHORT_MS, (state.start_ms ?? 0) * SHORT_PART));
    const found = [];
    const add = (kind, text) => found.push({ kind, text });
    if (state.phase === "waiting") add("phase", "Waits for the players");
    if (state.phase === "countdown") add("phase", "Begins in a moment");
    if (state.phase === "paused") add("phase", "The clocks are stopped");
    if (state.draw_offer) add("offer", `${name(state.draw_offer)} offers a draw`);
    if (state.takeback_offer) add("offer", `${name(state.takeback_offer)} asks to take a move back`);
    for (const { side, claim } of state.claims) add("claim", `${name(side)} ${CLAIMS[claim]}`);
    for (const color of COLORS) {
      const { away_ms: away, kind } = state.seats[color];
      if (away !== null && kind === "person" && state.phase !== "waiting") add("away", `${name(color)} is away since ${new Date(this.at - away).toLocaleTimeString([], { timeStyle: "short" })}`);
      const { left } = this.bars[color].clock;
      if (left !== null && state.phase === "playing" && left < short) add("time", `${name(color)} is short of time`);
    }
    return found;
  }

  tick() {
    const { matters } = this;
    const shown = matters.map(({ text }) => text).join("\n");
    if (shown === this.shown) return;
    this.shown = shown;
    replace(this.signals, matters.map(({ kind, text }) => h("li", { class: kind }, text)));
    this.signals.hidden = matters.length === 0;
    this.element.classList.toggle("has-matter", matters.some(({ kind }) => URGENT.includes(kind)));
  }

  end() {
    Object.values(this.bars).forEach(({ clock }) => clock.stop());
  }
}
