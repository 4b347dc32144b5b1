// The first page: a new game, the games of this browser, and the doors to everything else.

import { aboutServer, get, post } from "./api.js";
import { button, checkbox, choice, field, h, replace, select } from "./dom.js";
import { liveBoard, MOST } from "./live-boards.js";
import { oddsFen, oddsFields } from "./odds.js";
import { openingField } from "./opening-field.js";
import { pieceImage } from "./pieces.js";
import { START } from "./placement.js";
import { go } from "./router.js";
import { setSetting, settings } from "./settings.js";
import { writtenResult } from "./speech.js";
import { finishGames, keepOf, keepSeat, knownGames, load, seats, store } from "./storage.js";
import { tellError } from "./tell.js";

// Descriptions of strengths, each with the rating up to which it holds.
const MEANINGS = [
  [700, "Knows how the pieces move and often gives them away. For the very first games."],
  [1000, "Takes what is free, but overlooks threats. For children who have begun."],
  [1300, "Plays simple plans and sees one-move threats. A friendly club beginner."],
  [1600, "Makes few gross blunders. Like somebody who plays often."],
  [1900, "A strong club player: punishes most mistakes."],
  [2200, "A master candidate. Very hard to beat."],
  [2600, "Plays like a master."],
  [Infinity, "Everything it can. Stronger than any human."],
];

export const meaning = (elo) => MEANINGS.find(([limit]) => (elo ?? Infinity) <= limit)[1];

export const TIMES = [
  ["-", "No clock", "no hurry"],
  ["900+10", "15 + 10", "calm"],
  ["600+5", "10 + 5", "rapid"],
  ["300+3", "5 + 3", "blitz"],
  ["180+2", "3 + 2", "fast"],
  ["60", "1 + 0", "bullet"],
  ["custom", "Other …", "your own"],
];

// The time of each move that the clock does not lose because of a slow connection, in milliseconds.
const LAGS = [[0, "Charged, as everything"], [100, "Not charged, up to 0.1 seconds a move"], [300, "Not charged, up to 0.3 seconds a move"], [1000, "Not charged, up to a second a move"]];

export const lagField = (chosen, change) => field("The way of a move through the network", select(LAGS.map(([ms, text]) => [String(ms), text]), String(chosen), (value) => change(Number(value))),
  "The server measures the connection of each player and shows it beside the name");

const FORM = {
  opponent: "engine", level: null, color: "white", time: "-", minutes: 10, seconds: 5, start: "standard", number: "", fen: "", opening: null, odds: { side: "white", without: ["b1"] },
  away: "", rules: "online", book: "", casual: false, coach: false, free: false, countdown: 0, delay: 0, lag: 0, decline: false, timeField: "", names: ["Player 1", "Player 2"],
};

export function homeView(container, { query }) {
  const form = { ...FORM, ...load("form", {}) };
  if (query.get("fen")) Object.assign(form, { start: "fen", fen: query.get("fen") });
  else if (form.start === "fen") form.start = "standard";
  const panel = h("form", { class: "card new-game", onsubmit: (event) => submit(event) });
  const running = h("div", { class: "games" });
  replace(container, h("section", { class: "home" },
    h("div", { class: "welcome" }, h("h1", {}, "Play chess"), h("p", {}, "Against the computer, or with a friend. No account, no internet.")),
    panel,
    h("div", { class: "beside" }, running, doors())));
  let levels = [];
  let books = [];
  const remember = (name, value, rebuild = false) => {
    form[name] = value;
    const { fen, ...kept } = form;
    store("form", kept);
    if (rebuild) build();
  };

  function build() {
    const focus = panel.contains(document.activeElement) ? document.activeElement.value : null;
    const isEngine = form.opponent === "engine";
    replace(panel,
      h("h2", {}, "New game"),
      choice("Opponent", [
        { value: "engine", label: "Computer" }, { value: "friend", label: "Friend, by link" }, { value: "shared", label: "Two on this screen" },
      ], form.opponent, (value) => remember("opponent", value, true), { class: "choice big-choice" }),
      isEngine && levels.length > 0 && levelField(),
      form.opponent === "shared" ? sharedNames() : choice("Your color", [
        { value: "white", label: [pieceImage("K", "choice-piece"), "White"] },
        { value: "random", label: [h("span", { class: "both", "aria-hidden": "true" }, pieceImage("K", "choice-piece"), pieceImage("k", "choice-piece")), "Random"] },
        { value: "black", label: [pieceImage("k", "choice-piece"), "Black"] },
      ], form.color, (value) => remember("color", value), { class: "choice colors" }),
      choice("Time for each", TIMES.map(([value, label, note]) => ({ value, label: [h("b", {}, label), h("small", {}, note)] })),
        form.time, (value) => remember("time", value, true), { class: "choice times" }),
      form.time === "custom" && customTime(),
      form.opponent !== "shared" && field("Your name", nameInput()),
      more(),
      h("button", { type: "submit", class: "primary big" }, isEngine || form.opponent === "shared" ? "Play" : "Make the link"));
    // The control that has been used keeps the focus when the form is built anew.
    if (focus) [...panel.querySelectorAll("input")].find(({ value }) => value === focus)?.focus();
  }

  function nameInput() {
    return h("input", {
      type: "text", maxlength: "100", autocomplete: "nickname", placeholder: "Your name", ".value": settings.name,
      oninput: (event) => setSetting("name", event.target.value.trim()),
    });
  }

  function levelField() {
    const index = Math.max(0, form.level === null ? 1 : levels.findIndex(({ name }) => name === form.level));
    const output = h("div", { class: "level-text", "aria-live": "polite" });
    const input = h("input", { type: "range", min: "0", max: String(levels.length - 1), step: "1", ".value": String(index), "aria-label": "Strength" });
    const show = () => {
      const { name, elo, text } = levels[Number(input.value)];
      replace(output, h("strong", {}, name), elo ? h("span", { class: "elo" }, `about ${elo}`) : null, h("p", {}, text ? `${text[0].toUpperCase()}${text.slice(1)}.` : meaning(elo)));
      input.setAttribute("aria-valuetext", name);
    };
    input.addEventListener("input", () => {
      remember("level", levels[Number(input.value)].name);
      show();
    });
    show();
    return h("div", { class: "field level" }, h("span", { class: "label" }, "Strength"), input, output);
  }

  function sharedNames() {
    const input = (index) => h("input", {
      type: "text", maxlength: "100", ".value": form.names[index], onchange: (event) => {
        const names = [...form.names];
        names[index] = event.target.value.trim() || FORM.names[index];
        remember("names", names);
      },
    });
    return h("div", { class: "pair" }, field("White is", input(0)), field("Black is", input(1)));
  }

  function customTime() {
    const number = (name, min, max) => h("input", { type: "number", min, max, step: "any", required: true, ".value": form[name], oninput: (event) => remember(name, Number(event.target.value)) });
    return h("div", { class: "pair" }, field("Minutes", number("minutes", "0", "1440")), field("Seconds for each move", number("seconds", "0", "600")));
  }

  function more() {
    const isOpen = form.start !== "standard" || form.rules !== "online";
    return h("details", { class: "more", open: isOpen }, h("summary", {}, "More choices"),
      choice("Start", [{ value: "standard", label: "Standard" }, { value: "chess960", label: "Chess960" }, { value: "opening", label: "Opening" }, { value: "odds", label: "Odds" }, { value: "fen", label: "Own position" }],
        form.start, (value) => remember("start", value, true)),
      form.start === "opening" && openingField(form.opening, (opening) => remember("opening", opening)),
      form.start === "odds" && oddsFields(form.odds, (odds, isOther) => remember("odds", odds, isOther)),
      form.start === "chess960" && field("Number", h("input", { type: "number", min: "0", max: "959", placeholder: "random", ".value": form.number, oninput: (event) => remember("number", event.target.value) }), "0 to 959; 518 is the standard position"),
      form.start === "fen" && h("div", {}, field("Position (FEN)", h("input", { type: "text", spellcheck: "false", placeholder: START, ".value": form.fen, oninput: (event) => remember("fen", event.target.value) })),
        h("a", { href: `/editor${form.fen ? `?fen=${encodeURIComponent(form.fen)}` : ""}` }, "Set it up on a board")),
      form.opponent === "engine" && books.length > 0 && field("Opening book of the computer", select([["", "None"], ...books.map((name) => [name, name])], ownBook(), (value) => remember("book", value)),
        "It plays the moves of the book as long as it has the position"),
      field("Rules", select([["online", "Online: draws come by themselves"], ["otb", "Over the board: draws are claimed"]], form.rules, (value) => remember("rules", value))),
      checkbox("Casual: moves may be taken back, time may be given, hints against the computer", form.casual, (value) => remember("casual", value)),
      form.opponent === "engine" && checkbox("Coach: after each of your moves it says whether it was good, what you missed and why; the game is casual", form.coach, (value) => remember("coach", value)),
      form.opponent === "friend" && checkbox("A draw offer may be declined by a button", form.decline, (value) => remember("decline", value)),
      form.opponent === "friend" && field("Minutes away until the opponent may claim the game", h("input", { type: "number", min: "1", max: "43200", placeholder: "never", ".value": form.away, oninput: (event) => remember("away", event.target.value) }), "Nobody has to claim it; a draw can be claimed as well"),
      checkbox("The first moves cost no time", form.free, (value) => remember("free", value)),
      field("Countdown before the start, in seconds", h("input", { type: "number", min: "0", max: "600", ".value": form.countdown, oninput: (event) => remember("countdown", Number(event.target.value) || 0) })),
      form.opponent === "friend" && lagField(form.lag, (value) => remember("lag", value)),
      form.opponent === "friend" && field("How many moves later spectators see the game", h("input", { type: "number", min: "0", max: "100", ".value": form.delay, oninput: (event) => remember("delay", Number(event.target.value) || 0) }), "Of either side; 0 shows them at once"),
      field("Time control as PGN has it", h("input", { type: "text", spellcheck: "false", placeholder: "40/5400+30:1800+30", ".value": form.timeField, oninput: (event) => remember("timeField", event.target.value.trim()) }), "Instead of the time above"));
  }

  // A book that was chosen earlier may not be there any more.
  const ownBook = () => (books.includes(form.book) ? form.book : "");

  function timeControl() {
    if (form.timeField) return form.timeField;
    if (form.time !== "custom") return form.time;
    const seconds = Math.round(form.minutes * 60);
    return form.seconds ? `${seconds}+${form.seconds}` : String(seconds || "-");
  }

  function start() {
    if (form.start === "chess960") return form.number === "" ? "chess960" : { chess960: Number(form.number) };
    if (form.start === "opening" && form.opening) return { opening: form.opening.moves };
    if (form.start === "odds") return { fen: oddsFen(form.odds) };
    return form.start === "fen" && form.fen.trim() ? { fen: form.fen.trim() } : "standard";
  }

  async function submit(event) {
    event.preventDefault();
    const { opponent } = form;
    const own = opponent === "shared" ? null : form.color === "random" ? (Math.random() < 0.5 ? "white" : "black") : form.color;
    const level = levels.find(({ name }) => name === form.level) ?? levels[1] ?? levels[0];
    const seat = (color) => {
      if (opponent === "shared") return { person: form.names[color === "white" ? 0 : 1] };
      if (color === own) return { person: settings.name };
      return opponent === "engine" ? { engine: { elo: level?.elo ?? null, book: ownBook() || null } } : { open: true };
    };
    const hasCoach = opponent === "engine" && form.coach;
    try {
      const { id, tokens } = await post("/api/games", {
        start: start(), rules: form.rules, time_control: timeControl(), countdown_s: form.countdown, casual: form.casual || hasCoach,
        first_moves_free: form.free, decline: form.decline, abandonment_s: opponent === "friend" && form.away ? Math.round(60 * form.away) : null, white: seat("white"), black: seat("black"), random_colors: false,
        spectator_delay: opponent === "friend" ? form.delay : 0, lag_compensation_ms: opponent === "friend" ? form.lag : 0,
      });
      for (const color of ["white", "black"]) {
        const isOwn = opponent === "shared" || color === own;
        if (tokens[color] && isOwn) keepSeat(id, { token: tokens[color], role: color, isShared: opponent === "shared" || undefined });
      }
      keepOf("arbiters", id, tokens.arbiter);
      if (opponent === "friend") {
        const other = own === "white" ? "black" : "white";
        keepOf("invites", id, { [other]: tokens[other], arbiter: tokens.arbiter });
      }
      if (hasCoach) keepOf("coach", id, true);
      go(`/game/${id}`);
    } catch (error) {
      tellError(error);
    }
  }

  build();
  aboutServer().then((about) => {
    levels = about.levels ?? [];
    books = about.books ?? [];
    build();
  }).catch(tellError);
  showGames(running).catch(() => {});
}

const moveCount = (plies) => (plies === 1 || plies === 2 ? "1 move" : `${Math.ceil(plies / 2)} moves`);

// The number of games of a request, and of finished games that are added at once.
const LISTED = 200;
const MORE = 24;
// The number of own games with a board.
const OWN_BOARDS = 4;

const PHASES = { waiting: "waiting", countdown: "begins", playing: "in progress", paused: "paused" };

async function showGames(container) {
  const games = [];
  // The server tells so many at once.
  for (let part = null; part === null || part.length === LISTED;) {
    part = await get(`/api/games?skip=${games.length}&limit=${LISTED}`);
    games.push(...part);
  }
  if (!container.isConnected) return;
  const known = knownGames();
  const newest = [...games].sort((one, other) => String(other.created).localeCompare(String(one.created), "en", { numeric: true }));
  const mine = newest.filter(({ id }) => known[id]);
  const others = newest.filter(({ id, phase }) => !known[id] && phase !== "over");
  const running = mine.filter(({ phase }) => phase !== "over");
  const finished = mine.filter(({ phase }) => phase === "over");
  finishGames(finished.map(({ id }) => id));
  const row = (game, board = null) => {
    const name = (seat, fallback) => (typeof seat === "string" ? seat : seat?.player) || fallback;
    const result = game.result && game.result !== "*" ? writtenResult(game.result) : (PHASES[game.phase] ?? "");
    return h("li", {}, h("a", { href: `/game/${game.id}` }, board,
      h("span", { class: "names" }, `${name(game.white, "?")} – ${name(game.black, "?")}`),
      h("small", {}, [timeText(game.time_control), moveCount(game.plies)].join(" · ")), h("span", { class: "result" }, result)));
  };
  const overview = h("a", { class: "button", href: "/arbiter" }, "All games at once");
  const list = (title, found, limit, { foot = null, boards = 0 } = {}) => {
    if (!found.length) return null;
    const sideOf = (id) => (seats(id).some(({ role, isShared }) => role === "black" && !isShared) ? "black" : "white");
    const shown = h("ul", { class: "game-list live-list" }, found.slice(0, boards).map((game) => row(game, liveBoard(game.id, sideOf(game.id)))));
    const rows = h("ul", { class: "game-list" }, found.slice(boards, limit).map((game) => row(game)));
    const rest = found.slice(limit);
    const more = rest.length > 0 && button(`Show ${rest.length} more`, () => {
      rows.append(...rest.splice(0, MORE).map((game) => row(game)));
      rows.lastElementChild.querySelector("a").focus();
      if (rest.length) more.textContent = `Show ${rest.length} more`;
      else more.remove();
    }, { class: "quiet" });
    return h("section", { class: "card" }, h("h2", {}, title), boards > 0 && shown, rows.childElementCount + rest.length > 0 && rows, h("div", { class: "actions" }, more, foot));
  };
  replace(container, list("Your games", running, 20, { boards: OWN_BOARDS, foot: others.length ? null : overview }), list("Games to watch", others, 12, { boards: MOST - OWN_BOARDS, foot: overview }),
    list("Finished", finished, 6, { foot: h("a", { class: "button", href: "/api/games.pgn", download: "games.pgn" }, "All games as PGN") }));
}

// A time control in short.
export function timeText(text) {
  const found = /^(\d+)(?:\+(\d+))?$/.exec(text ?? "");
  if (text === "-") return "no clock";
  if (!found) return text ?? "";
  const minutes = Number(found[1]) / 60;
  return `${Number.isInteger(minutes) ? minutes : `${found[1]} s`} + ${found[2] ?? 0}`;
}

function doors() {
  const door = (href, letter, title, text) => h("a", { class: "card door", href }, pieceImage(letter, "door-piece"), h("div", {}, h("h2", {}, title), h("p", {}, text)));
  return h("div", { class: "doors" },
    door("/analyse", "Q", "Analyze", "Go through a game, try moves, ask the engine."),
    door("/explore", "R", "Explore", "Look through collections of games."),
    door("/study", "P", "Study", "Guess the moves of a game, solve problems, mend your mistakes."),
    door("/tournament", "K", "Tournament", "Round robin, Swiss system or arena, with the computer as well."),
    door("/editor", "N", "Set up a position", "Put pieces on the board and play on from there."),
    door("/help", "B", "How it works", "Rules of play here, keys, settings."));
}
