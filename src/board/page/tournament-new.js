// A new tournament, and those that are there.

import { get, post } from "./api.js";
import { choice, field, h, replace, select } from "./dom.js";
import { lagField, TIMES, timeText } from "./home.js";
import { oddsFen, oddsFields } from "./odds.js";
import { openingField } from "./opening-field.js";
import { START } from "./placement.js";
import { go, setTitle } from "./router.js";
import { keepPart, load, store } from "./storage.js";
import { tellError } from "./tell.js";

const FORM = {
  name: "", format: "round_robin", rounds: 5, duration: 60, time: "300+3", begin: "at_once", rules: "online", start: "standard", fen: "", opening: null, odds: { side: "white", without: ["b1"] },
  countdown: 10, delay: 0, lag: 0, timeField: "",
};
const PHASES = { open: "players may come", playing: "in progress", over: "finished" };

export const FORMATS = { round_robin: "Round robin", double: "Double round robin", swiss: "Swiss system", arena: "Arena" };

// The name of a format as the server tells it.
export function formatName({ round_robin: all, swiss, arena }) {
  return arena ? `${FORMATS.arena}, ${arena.minutes} minutes` : swiss ? FORMATS.swiss : all.double ? FORMATS.double : FORMATS.round_robin;
}

export function newTournamentView(container) {
  const form = { ...FORM, ...load("tournament-form", {}) };
  const panel = h("form", { class: "card new-game", onsubmit: (event) => submit(event) });
  const list = h("div", { class: "games" });
  replace(container, h("section", { class: "home" }, h("div", { class: "welcome" }, h("h1", {}, "Tournament"),
    h("p", {}, "Players come by a link, computers are added. The rounds are paired and the results entered here.")), panel, h("div", { class: "beside" }, list)));
  setTitle("Tournament");
  const remember = (name, value, rebuild = false) => {
    form[name] = value;
    store("tournament-form", form);
    if (rebuild) build();
  };
  const number = (name, min, max) => h("input", { type: "number", min, max, required: true, ".value": form[name], oninput: ({ target }) => remember(name, Number(target.value) || 0) });
  const text = (name, more = {}) => h("input", { type: "text", ".value": form[name], oninput: ({ target }) => remember(name, target.value.trim()), ...more });

  function build() {
    const focus = panel.contains(document.activeElement) ? document.activeElement.value : null;
    replace(panel, h("h2", {}, "New tournament"),
      field("Name", text("name", { maxlength: "100", placeholder: "Our tournament" })),
      choice("Who meets whom", [
        { value: "round_robin", label: [h("b", {}, "Round robin"), h("small", {}, "all meet once")] },
        { value: "double", label: [h("b", {}, "Double"), h("small", {}, "all meet twice")] },
        { value: "swiss", label: [h("b", {}, "Swiss"), h("small", {}, "equal points meet")] },
        { value: "arena", label: [h("b", {}, "Arena"), h("small", {}, "for a certain time")] },
      ], form.format, (value) => remember("format", value, true), { class: "choice formats" }),
      form.format === "swiss" && field("Rounds", number("rounds", "1", "31"), "With 8 players 3 rounds find the winner, with 16 players 4, with 32 players 5"),
      form.format === "arena" && field("Minutes that it takes", number("duration", "1", "240"), "Whoever is free is paired again, as often as there is time. Players may come later and pause."),
      choice("Time for each", TIMES.filter(([value]) => value !== "custom").map(([value, label, note]) => ({ value, label: [h("b", {}, label), h("small", {}, note)] })),
        form.time, (value) => remember("time", value), { class: "choice times" }),
      form.format !== "arena" && choice("The games of a round start", [{ value: "at_once", label: "All at once" }, { value: "when_ready", label: "Each when both are there" }],
        form.begin, (value) => remember("begin", value)),
      h("details", { class: "more", open: form.start !== "standard" || form.rules !== "online" || form.timeField !== "" }, h("summary", {}, "More choices"),
        choice("Start", [{ value: "standard", label: "Standard" }, { value: "chess960", label: "Chess960" }, { value: "opening", label: "Opening" }, { value: "odds", label: "Odds" }, { value: "fen", label: "Own position" }],
          form.start, (value) => remember("start", value, true)),
        form.start === "opening" && openingField(form.opening, (opening) => remember("opening", opening)),
        form.start === "odds" && oddsFields(form.odds, (odds, isOther) => remember("odds", odds, isOther)),
        form.start === "fen" && field("Position (FEN)", text("fen", { spellcheck: "false", placeholder: START })),
        field("Rules", select([["online", "Online: draws come by themselves"], ["otb", "Over the board: draws are claimed"]], form.rules, (value) => remember("rules", value))),
        field("Countdown before each game, in seconds", number("countdown", "0", "600")),
        lagField(form.lag, (value) => remember("lag", value)),
        field("How many moves later spectators see the games", number("delay", "0", "100"), "Of either side; 0 shows them at once"),
        field("Time control as PGN has it", text("timeField", { spellcheck: "false", placeholder: "40/5400+30:1800+30" }), "Instead of the time above")),
      h("button", { type: "submit", class: "primary big" }, "Make the tournament"));
    // The control that has been used keeps the focus when the form is built anew.
    if (focus) [...panel.querySelectorAll("input")].find(({ value }) => value === focus)?.focus();
  }

  function start() {
    if (form.start === "opening" && form.opening) return { opening: form.opening.moves };
    if (form.start === "odds") return { fen: oddsFen(form.odds) };
    return form.start === "fen" ? { fen: form.fen || START } : form.start;
  }

  async function submit(event) {
    event.preventDefault();
    const { format, rounds, duration } = form;
    const formats = { swiss: { swiss: { rounds } }, arena: { arena: { minutes: duration } }, double: { round_robin: { double: true } } };
    try {
      const { id, tokens } = await post("/api/tournaments", {
        name: form.name || "Our tournament", format: formats[format] ?? { round_robin: {} }, begin: format === "arena" ? "at_once" : form.begin,
        game: { time_control: form.timeField || form.time, rules: form.rules, countdown_s: form.countdown, spectator_delay: form.delay, lag_compensation_ms: form.lag, start: start() },
      });
      keepPart(id, { host: tokens.host });
      go(`/tournament/${id}`);
    } catch (error) {
      tellError(error);
    }
  }

  build();
  get("/api/tournaments").then((all) => {
    const known = load("tournaments", {});
    const row = ({ id, name, phase, players, rounds, round_count: count, format, time_control: time }) => h("li", {}, h("a", { href: `/tournament/${id}` },
      h("span", { class: "names" }, name), h("small", {}, [formatName(format), `${players} players`, timeText(time)].join(" · ")),
      h("span", { class: "result" }, phase === "playing" && !format.arena ? `round ${rounds} of ${count}` : PHASES[phase])));
    const part = (title, found) => found.length > 0 && h("section", { class: "card" }, h("h2", {}, title), h("ul", { class: "game-list" }, found.map(row)));
    replace(list, part("Your tournaments", all.filter(({ id }) => known[id])), part("Other tournaments", all.filter(({ id }) => !known[id])));
  }).catch(tellError);
}
