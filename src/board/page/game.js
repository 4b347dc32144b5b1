// A game: board, clocks, moves, offers, for players, assistants, the arbiter and spectators.

import { get, post } from "./api.js";
import { arbiterPanel } from "./arbiter.js";
import { Board } from "./board.js";
import { clockText, clockWords } from "./clock.js";
import { Coach } from "./coach.js";
import { dialog, h, iconButton, isTyping, replace } from "./dom.js";
import { MoveEntry } from "./entry.js";
import { copyMenu, actionButtons, endingPanel, offers, waitingPanel } from "./game-panels.js";
import { GameLink } from "./game-link.js";
import { Hint } from "./hint.js";
import { moveField } from "./move-field.js";
import { Moves } from "./moves.js";
import { imbalance, marked, opposite, played, premoved, readPlacement } from "./placement.js";
import { PlayerBar } from "./player-bar.js";
import { nothingHere } from "./nothing.js";
import { go, setAddress, setTitle } from "./router.js";
import { onSettings, settings, zoneOptions } from "./settings.js";
import { play, playMove } from "./sound.js";
import { spoken, writtenResult } from "./speech.js";
import { dropSeat, finishGames, keepOf, keepSeat, keepTab, keptOf, partsIn, seats, tabToken } from "./storage.js";
import { announce, tellError, toast } from "./tell.js";
import { onWheel } from "./wheel.js";

// The tokens with which this tab takes part: that of the link it was opened by, or those that the browser keeps.
function ownTokens(id) {
  const fragment = /^#([\w-]{16,})$/.exec(location.hash)?.[1];
  if (fragment) {
    // The token leaves the address at once, so that it is in no history and on no picture.
    keepSeat(id, { token: fragment });
    keepTab(id, fragment);
    setAddress(location.pathname + location.search);
    return [fragment];
  }
  const ofTab = tabToken(id);
  if (ofTab) return [ofTab];
  const kept = seats(id);
  const shared = kept.filter(({ isShared }) => isShared);
  if (shared.length) return shared.map(({ token }) => token);
  return kept.slice(-1).map(({ token }) => token);
}

// The events after the known ones. Of very many events the oldest are no longer sent. Several may have the same time.
function newEvents(known, events) {
  const last = known?.at(-1)?.at_ms ?? -1;
  const count = (list) => list.filter(({ at_ms: at }) => at === last).length;
  const old = count(known ?? []);
  return events.filter(({ at_ms: at }) => at >= last).slice(Math.min(old, count(events)));
}

// An event as it is spoken; the notation of a move is not read out letter by letter.
function spokenEvent(text) {
  const sentence = text.replace(/\.$/, "");
  const [, side, san, more = ""] = /^(White|Black) plays ([^\s,]+)(, .*)?$/.exec(sentence) ?? [];
  return san ? `${side}: ${spoken(san)}${more}` : sentence;
}

// The interval between two updates of a countdown.
const COUNTED_MS = 200;

const isPlayer = (role) => role === "white" || role === "black";
const sideOf = (role) => role?.split("_")[0];

export function gameView(container, { parts: [id] }) {
  return new GameView(container, id);
}

class GameView {
  constructor(container, id) {
    Object.assign(this, { id, container });
    this.state = null;
    this.viewed = null;
    this.optimistic = null;
    this.claims = false;
    this.lag = { white_ms: null, black_ms: null };
    this.seen = { plies: null, events: null, isOver: null, phase: null };
    this.board = new Board();
    this.entry = new MoveEntry(this.board, {
      onmove: (move, wasDragged) => this.move(move, wasDragged),
      onpremove: (uci) => this.act({ act: "premove", move: uci, add: true }),
      oncancelpremove: () => this.act({ act: "cancel_premove" }),
      onillegal: (uci) => this.findReason(uci),
      confirms: () => settings.confirm_move,
    });
    this.moves = new Moves((ply) => this.look(ply));
    this.bars = { top: new PlayerBar(), bottom: new PlayerBar() };
    this.hint = new Hint(this.board);
    this.coach = new Coach(id);
    this.field = moveField({ context: () => this.context(), onmove: (move) => this.entry.finish(move), onpremove: (uci) => this.entry.onpremove(uci) });
    this.status = h("div", { class: "status", "data-phase": "" }, "Connecting …");
    this.panel = h("div", { class: "panels" });
    this.actions = h("div", { class: "actions" });
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": "What happened" });
    this.tools = h("div", { class: "tools steps" },
      iconButton("first", "To the start (Home)", () => this.look(0)),
      iconButton("farBack", "Five moves back (Page Up)", () => this.step(-5)),
      iconButton("back", "One move back (Left)", () => this.step(-1)),
      iconButton("next", "One move on (Right)", () => this.step(1)),
      iconButton("farNext", "Five moves on (Page Down)", () => this.step(5)),
      iconButton("last", "To the newest move (End)", () => this.look(Infinity)),
      iconButton("flip", "Turn the board (f)", () => this.flip()));
    replace(container, h("section", { class: "game", "aria-label": "Game" },
      h("h1", { class: "hidden" }, "Game"),
      h("div", { class: "table" }, this.bars.top.element, this.board.frame, this.bars.bottom.element),
      h("div", { class: "side" }, this.status, this.panel, this.coach.element, this.moves.element, this.tools, this.actions, this.field,
        h("details", { class: "events" }, h("summary", {}, "What happened"), this.log))));
    onWheel(this.board.frame, (by) => this.step(by));
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.onfragment = () => this.state && this.look(this.place() ?? Infinity);
    this.endSettings = onSettings(() => this.chooseOptions() || this.render());
    this.field.hidden = !settings.moveField;
    const tokens = ownTokens(id);
    // Several seats are two people at one screen.
    this.isShared = tokens.length > 1;
    this.link = this.connect(tokens);
    this.end = () => {
      document.removeEventListener("keydown", this.keys);
      this.endSettings();
      this.link.close();
      this.hint.end();
      this.coach.end();
      clearTimeout(this.counting);
      Object.values(this.bars).forEach((bar) => bar.clock.stop());
    };
  }

  connect(tokens) {
    const { id } = this;
    return new GameLink(id, tokens, {
      onstate: (state, error) => (state ? this.receive(state) : this.fail(error)),
      onconnection: (isOpen) => this.connection(isOpen),
      onlag: (lag) => {
        this.lag = lag;
        this.renderLag();
      },
      ontoken: (old, token, role) => {
        dropSeat(id, old);
        keepSeat(id, { token, role });
        keepTab(id, token);
      },
    });
  }

  // The host of a tournament is the arbiter of its games, with the token that is kept for the tournament. Returns
  // whether this page continues with it.
  takesHost({ role, tournament }) {
    const host = role === "spectator" && tournament ? partsIn(tournament.id).host : null;
    if (!host || this.link.token(role)) return false;
    this.link.close();
    this.link = this.connect([host]);
    return true;
  }

  fail(text) {
    this.status.textContent = text;
    this.status.classList.add("failed");
  }

  connection(isOpen) {
    this.board.element.classList.toggle("offline", !isOpen);
    if (!isOpen && !this.state) this.findOut();
    if (!isOpen && this.optimistic) {
      this.optimistic = null;
      this.render();
    }
  }

  // Whether there is nothing to wait for.
  findOut() {
    get(`/api/games/${encodeURIComponent(this.id)}`).catch((error) => {
      if (error.status !== 404) return;
      this.link.close();
      nothingHere(this.container, "There is no such game");
    });
  }

  receive(state) {
    const isFirst = this.state === null;
    if (isFirst && this.takesHost(state)) return;
    this.state = state;
    this.receivedAt = performance.now();
    if (this.optimistic && (state.plies.length > this.optimistic.ply || state.phase === "over")) this.optimistic = null;
    if (isFirst) {
      this.sitDown(state);
      this.viewed = this.place();
    }
    if (state.phase === "over") {
      for (const name of ["invites", "turns"]) if (keptOf(name, this.id) !== undefined) keepOf(name, this.id);
      finishGames([this.id]);
    }
    this.tellNews(isFirst);
    this.render();
    this.coach.follow(this);
    if (isFirst) this.chooseOptions();
  }

  sitDown(state) {
    if (sideOf(state.role) === "black") this.board.setOrientation("black");
    if (isPlayer(state.role)) {
      const seat = { token: this.link.token(state.role), role: state.role };
      const kept = seats(this.id).find(({ token }) => token === seat.token);
      if (seat.token) keepSeat(this.id, { ...kept, ...seat });
      // Another tab of this browser may get the other seat.
      if (seat.token && !this.isShared) keepTab(this.id, seat.token);
    }
    const arbiter = state.role === "arbiter" ? this.link.token("arbiter") : null;
    if (arbiter && arbiter !== partsIn(state.tournament?.id).host) keepSeat(this.id, { token: arbiter, role: "arbiter" });
    setTitle(`${this.nameOf("white")} – ${this.nameOf("black")}`);
  }

  nameOf(color) {
    const seat = this.state.seats[color];
    return seat.player || (seat.kind === "engine" ? "Hematite" : color === "white" ? "White" : "Black");
  }

  // Sounds and announcements for new events.
  tellNews(isFirst) {
    const { state, seen } = this;
    const isOver = state.phase === "over";
    const added = state.plies.length - (seen.plies ?? 0);
    const last = state.plies[state.plies.length - 1];
    if (!isFirst && added > 0) {
      this.view(null);
      if (!this.ownMove) playMove(last.san);
      this.hint.clear();
    } else if (!isFirst && added < 0) {
      this.view(null);
      this.hint.clear();
    }
    this.ownMove = false;
    if (added !== 0 || state.phase !== "playing") this.claims = false;
    if (!isFirst && seen.phase !== "playing" && state.phase === "playing" && state.plies.length === 0) {
      play("start");
      if (seen.phase === "waiting") toast("The game has begun.");
    }
    const events = state.events ?? [];
    if (!isFirst) {
      // The ending is announced below.
      const told = newEvents(seen.events, events).map(({ text }) => spokenEvent(text)).filter((text) => text !== state.ending?.text);
      if (told.length) announce(told.join(". "));
    }
    if (!isFirst && state.draw_offer && state.draw_offer !== seen.offer && !this.link.roles.includes(state.draw_offer)) play("offer");
    if (!isFirst && isOver && !seen.isOver) {
      const isOwnWin = isPlayer(state.role) && state.ending?.result === (state.role === "white" ? "1-0" : "0-1");
      play(isOwnWin ? "win" : "end");
      announce(state.ending?.text ?? "The game is over.", true);
      this.showEnding();
    }
    if (state.rematch?.id && state.rematch.id !== seen.rematch && !isFirst && !this.isShared) this.toRematch(state.rematch);
    this.seen = { plies: state.plies.length, events, isOver, phase: state.phase, offer: state.draw_offer, rematch: state.rematch?.id };
  }

  chooseOptions() {
    if (this.field.hidden === settings.moveField) this.field.hidden = !settings.moveField;
    const { state } = this;
    if (!state || !isPlayer(state.role) || state.phase === "over") return;
    const wanted = zoneOptions();
    for (const role of this.link.roles.filter(isPlayer)) {
      const isSame = state.options && Object.keys(wanted).every((name) => state.options[name] === wanted[name]);
      if (role === state.role && isSame) continue;
      this.link.act({ act: "choose", options: wanted }, role).catch(() => {});
    }
  }

  act(act, role) {
    return this.link.act(act, role).catch((error) => {
      if (error.code !== "cut") tellError(error);
      this.render();
    });
  }

  move(move, wasDragged) {
    const { state } = this;
    this.optimistic = { ply: state.plies.length, at: performance.now(), ...move };
    this.ownMove = true;
    playMove(move.san);
    this.render({ slide: !wasDragged });
    const claims = this.claims;
    this.claims = false;
    this.link.act({ act: claims ? "claim_draw" : "move", move: move.uci }).catch((error) => {
      this.optimistic = null;
      this.ownMove = false;
      this.render();
      if (error.code !== "cut") tellError(error);
    });
  }

  // Whether the next move claims a draw.
  setClaims(claims) {
    if (this.claims === claims) return;
    this.claims = claims;
    this.render();
  }

  // Asks for the reason why a move is illegal: the server, which knows the rules, refuses it with the reason. It is
  // sent for this position only.
  findReason(uci) {
    this.link.act({ act: "move", move: uci }, undefined, this.state.version).catch(({ code, message }) => {
      if (code === "illegal_move") toast(message[0].toUpperCase() + message.slice(1), "error");
    });
  }

  // The plies that are shown, with the own move that the server has not yet answered.
  get plies() {
    const { plies } = this.state;
    return this.optimistic ? [...plies, { uci: this.optimistic.uci, san: this.optimistic.san, fen: null }] : plies;
  }

  // The pieces after so many plies.
  placement(ply) {
    const { plies } = this;
    if (ply === 0) return readPlacement(this.state.start);
    const { fen, uci, san } = plies[ply - 1];
    return fen ? readPlacement(fen) : played(this.placement(ply - 1), uci, san);
  }

  render({ slide = true } = {}) {
    const { state, plies } = this;
    if (!state) return;
    const ply = this.viewed ?? plies.length;
    const premoves = ply === plies.length ? (state.premoves ?? []) : [];
    const placed = this.placement(ply);
    const pieces = premoved(placed, premoves);
    const last = ply > 0 ? plies[ply - 1] : null;
    if (!this.entry.drag?.hasMoved || this.optimistic) this.board.setPieces(pieces, { slide });
    else this.board.setPieces(pieces);
    this.board.mark("last", last ? marked(this.placement(ply - 1), last.uci, last.san) : []);
    const isLive = ply === plies.length;
    const turn = (ply % 2 === 0) === (state.start.split(" ")[1] !== "b") ? "white" : "black";
    const king = [...placed].find(([, letter]) => letter === (turn === "white" ? "K" : "k"))?.[0];
    const isCheck = last ? /[+#]$/.test(last.san) : Boolean(state.check) && state.plies.length === 0;
    this.board.mark("check", isCheck ? [king] : []);
    const side = sideOf(state.role);
    const isMoving = isLive && !this.optimistic && state.can.includes("move") && state.turn === side;
    const canPremove = isLive && state.phase === "playing" && settings.premove && !isMoving && !this.isShared &&
      (state.can.includes("premove") || this.optimistic) && isPlayer(state.role);
    this.entry.set({
      pieces, legal: isMoving ? state.legal : [], mover: isMoving ? side : null, premover: canPremove ? side : null,
      premoves,
    });
    if (this.isShared && isLive && this.turns && state.phase === "playing") this.board.setOrientation(state.turn);
    this.moves.set({ plies, start: state.start, current: ply });
    this.renderBars(placed, turn);
    this.renderLag();
    this.renderStatus();
    replace(this.panel, waitingPanel(this), offers(this), state.role === "arbiter" && arbiterPanel(this), state.phase === "over" && endingPanel(this));
    replace(this.actions, actionButtons(this), copyMenu(this));
    replace(this.log, (state.events ?? []).slice(-50).reverse().map(({ text }) => h("li", {}, text)));
  }

  renderBars(pieces, turn) {
    const { state } = this;
    const { white, black, difference } = imbalance(pieces);
    const { clocks } = state;
    const then = this.viewed === null ? null : (state.plies[this.viewed - 1] ?? { white_ms: clocks.start_ms, black_ms: clocks.start_ms });
    const bottom = this.board.orientation;
    for (const [place, color] of [["bottom", bottom], ["top", opposite(bottom)]]) {
      const seat = state.seats[color];
      const notes = [];
      if (this.link.roles.includes(color) && !this.isShared) notes.push("you");
      if (seat.kind === "engine") notes.push("computer");
      if (seat.assistant) notes.push(`with ${seat.assistant}`);
      if (!seat.player && seat.kind !== "engine" && state.phase === "waiting") notes.push("not here yet");
      else if (seat.away_ms !== null && seat.away_ms !== undefined && state.phase !== "over") notes.push(`away since ${new Date(Date.now() - seat.away_ms).toLocaleTimeString([], { timeStyle: "short" })}`);
      // After the game the clocks are those of the shown position; until then they stand beside.
      const past = then?.[`${color}_ms`] ?? null;
      const known = (state.phase === "over" ? past : null) ?? clocks[`${color}_ms`] ?? null;
      // An own move is shown at once, so the clocks change at once as well; the server's time follows.
      const movedAt = this.optimistic?.at ?? this.receivedAt;
      const spent = clocks.running === color ? Math.max(0, movedAt - this.receivedAt - (clocks.delay_ms ?? 0)) : 0;
      const ms = known === null ? null : Math.max(0, known - spent);
      const running = this.optimistic ? (clocks.running ? opposite(clocks.running) : null) : clocks.running;
      const delay = this.optimistic ? 0 : clocks.delay_ms;
      this.bars[place].set({
        color, name: this.nameOf(color), note: notes.join(" · "),
        more: color === "white" ? white : black, lead: color === "white" ? difference : -difference,
        hasMove: state.phase === "playing" && (this.viewed === null ? turn : state.turn) === color,
        then: state.phase === "over" || past === null ? "" : `then ${clockText(past)}`,
        clock: { ms, since: movedAt, delay, isRunning: running === color, isOwn: this.link.roles.includes(color), movesToGo: state.phase === "over" ? null : clocks[`${color}_moves_to_go`] },
      });
    }
  }

  // Two people at one screen have one connection, about which there is nothing to tell.
  renderLag() {
    const { state, lag, isShared } = this;
    if (!state) return;
    const isShown = state.phase !== "over" && !isShared;
    for (const color of ["white", "black"]) this.barOf(color).setLag(isShown ? lag[`${color}_ms`] : null, state.clocks[`${color}_compensation_ms`]);
  }

  renderStatus() {
    const { state } = this;
    const words = {
      waiting: state.invitation === "taken" ? "This seat is taken already" : "Waiting for the players",
      countdown: `Get ready: ${this.countdown()}`,
      paused: "The game is paused",
      over: state.ending?.text ?? "The game is over",
    };
    let text = words[state.phase];
    if (state.phase === "playing") {
      const isOwn = this.link.roles.includes(state.turn) && !this.isShared;
      text = isOwn ? "Your move" : `${this.nameOf(state.turn)} to move`;
      if (this.claims) text = "Make the move that you claim the draw with";
    }
    this.status.dataset.phase = state.phase;
    this.status.classList.remove("failed");
    this.status.classList.toggle("own", text === "Your move");
    const result = state.ending?.result && writtenResult(state.ending.result);
    replace(this.status, h("strong", {}, state.phase === "over" && result ? `${result} ` : null, text),
      h("small", {}, [state.rules.text, state.rules.casual ? "casual" : null, ...Object.values(state.seats).map(({ book }) => book && `book: ${book}`), state.role === "spectator" ? `you are watching${this.lateness()}` : null,
        state.role === "arbiter" ? "you are the arbiter" : null, state.spectators > Number(state.role === "spectator") ? `${state.spectators} watching` : null].filter(Boolean).join(" · ")),
      state.tournament && h("a", { href: `/tournament/${state.tournament.id}` }, `${state.tournament.name}${state.tournament.round ? `, round ${state.tournament.round}` : ""}`));
  }

  // The delay of spectators, in moves.
  lateness() {
    const { rules: { spectator_delay: delay }, phase } = this.state;
    return delay && phase !== "over" ? `, ${delay} ${delay === 1 ? "move" : "moves"} late` : "";
  }

  // The time until the start, in seconds.
  countdown() {
    const { countdown_ms: ms, phase } = this.state;
    clearTimeout(this.counting);
    if (phase !== "countdown" || !Number.isFinite(ms)) return "";
    this.counting = setTimeout(() => this.renderStatus(), COUNTED_MS);
    return Math.max(0, Math.ceil((ms - (performance.now() - this.receivedAt)) / 1000));
  }

  showEnding() {
    const { state } = this;
    if (state.role === "spectator" || state.role === "arbiter") return;
    const won = { "1-0": "white", "0-1": "black" }[state.ending?.result];
    const title = !won ? "Draw" : this.isShared ? `${this.nameOf(won)} wins` : won === sideOf(state.role) ? "You win!" : "You lose";
    const box = dialog(state.ending?.result === "*" ? "The game is broken off" : title,
      [h("p", { class: "ending-text" }, state.ending?.text ?? ""), h("div", { class: "actions" }, actionButtons(this, () => box.close()))],
      { className: "ending" });
  }

  // The tokens are those of this game, with the other color.
  toRematch({ id, token }) {
    const arbiter = keptOf("arbiters", this.id);
    if (arbiter) keepOf("arbiters", id, arbiter);
    if (this.isShared) for (const end of this.link.ends) keepSeat(id, { token: end.token, isShared: true });
    else if (token) {
      keepSeat(id, { token });
      keepTab(id, token);
    }
    go(`/game/${id}`);
  }

  async rematch() {
    const roles = this.isShared ? this.link.roles.filter(isPlayer) : [this.state.role];
    try {
      for (const role of roles) {
        const answer = await post(`/api/games/${this.id}/rematch`, {}, { token: this.link.token(role) });
        const found = answer?.id && answer.token ? answer : answer?.rematch?.id ? answer.rematch : null;
        if (found) return this.toRematch(found);
      }
    } catch (error) {
      tellError(error);
    }
    return undefined;
  }

  look(ply) {
    if (!this.state) return;
    const { length } = this.plies;
    const wanted = Math.max(0, Math.min(ply, length));
    const before = this.viewed ?? length;
    if (wanted !== before) this.left = before;
    this.view(wanted === length ? null : wanted);
    this.render();
    const shown = wanted > 0 ? spoken(this.plies[wanted - 1].san) : "The start";
    announce(`${shown}.`);
  }

  // The ply that is looked at, null for the newest, is in the address.
  view(ply) {
    this.viewed = ply;
    setAddress(location.pathname + location.search + (ply === null ? "" : `#m${ply}`));
  }

  // The ply that the address has.
  place() {
    const ply = Number(/^#m(\d+)$/.exec(location.hash)?.[1] ?? NaN);
    return ply < this.plies.length ? ply : null;
  }

  step(by) {
    this.look((this.viewed ?? this.plies.length) + by);
  }

  flip() {
    this.board.flip();
    this.turns = false;
    this.render();
  }

  key(event) {
    if (isTyping(event)) return;
    const acts = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.look(0), End: () => this.look(Infinity),
      ArrowUp: () => this.look(0), ArrowDown: () => this.look(Infinity), PageUp: () => this.step(-5), PageDown: () => this.step(5),
      Backspace: () => this.left !== undefined && this.look(this.left), f: () => this.flip(),
      Escape: () => {
        this.setClaims(false);
        this.entry.escape();
      },
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  context() {
    const { state, plies } = this;
    const { clocks } = state;
    const told = ["white", "black"].map((color) => `${color}: ${clockWords(clocks[`${color}_ms`] === null ? null : this.barOf(color).clock.left)}`);
    return { legal: this.entry.legal, premover: this.entry.premover, pieces: this.entry.pieces, last: plies[plies.length - 1]?.san, clocks: told.join(", ") };
  }

  barOf(color) {
    return this.board.orientation === color ? this.bars.bottom : this.bars.top;
  }

  // Remembers for each of these games whether the board turns to the side to move.
  get turns() {
    return keptOf("turns", this.id) ?? false;
  }

  set turns(value) {
    if (this.isShared) keepOf("turns", this.id, value);
  }
}
