// The panels of a tournament for its host, its players and its guests.

import { aboutServer } from "./api.js";
import { isArena } from "./arena.js";
import { button, dialog, field, h, icon, replace, select } from "./dom.js";
import { ask, linkRow, localNote, publicBase } from "./game-panels.js";
import { setSetting, settings } from "./settings.js";
import { tellError } from "./tell.js";

function nameField() {
  return h("input", { type: "text", maxlength: "100", required: true, autocomplete: "nickname", ".value": settings.name, placeholder: "Your name" });
}

// For a guest with an invitation.
export function joinPanel(view) {
  if (!view.can("join")) return null;
  const input = nameField();
  return h("form", { class: "panel", onsubmit: (event) => {
    event.preventDefault();
    setSetting("name", input.value.trim());
    view.act({ act: "join", name: input.value.trim() });
  } }, h("h2", {}, "Take part"), field("Your name", input), h("button", { type: "submit", class: "primary big" }, "Take part"));
}

// For a player: the own game, and the way out.
export function ownPanel(view) {
  const { state, player, ownGame } = view;
  if (player === null) return null;
  const me = state.players[player - 1];
  if (!me) return null;
  const opponent = ownGame && view.nameOf(ownGame.white === player ? ownGame.black : ownGame.white);
  const isInArena = isArena(state) && state.phase === "playing";
  const text = ownGame ? `Your game against ${opponent} is played.${isInArena && me.paused ? " After it you pause." : ""}`
    : isInArena && !me.withdrawn ? (me.paused ? "You pause, and are not paired." : view.can("pause") ? "You are paired as soon as somebody near you in the table is free. Stay on this page." : "The time is up.")
    : view.can("ready") ? "Your next game starts when both players are there."
      : me.withdrawn ? "You have withdrawn."
        : { open: `You take part. The host starts ${isArena(state) ? "the arena" : "the first round"}.`, playing: "Wait for the next round.", over: "The tournament is over." }[state.phase];
  return h("div", { class: `panel${ownGame || (view.can("ready") && !isInArena) ? " offer" : ""}` }, h("h2", {}, me.name), h("p", {}, text), h("div", { class: "actions" },
    ownGame && h("a", { class: "button primary", href: `/game/${ownGame.game}` }, "To your game"),
    view.can("ready") && (!isInArena || me.paused) && button([icon("check"), isInArena ? "Go on playing" : "I am here"], () => view.act({ act: "ready" }), { class: "primary" }),
    view.can("pause") && button("Pause", () => view.act({ act: "pause" })),
    state.phase !== "over" && !me.withdrawn && button("Withdraw", () => ask("Withdraw from the tournament? Games that you do not play are lost.", "Withdraw", () => view.act({ act: "withdraw" })), { class: "quiet" })));
}

// For the host: invitations, the start, and withdrawals.
export function hostPanel(view) {
  if (view.can("invite")) return beforePanel(view);
  if (!view.can("decide")) return null;
  return h("div", { class: "panel" }, h("h2", {}, "Host"), h("p", {}, "Rounds are paired as soon as all games are over. You are the arbiter of each game."),
    h("div", { class: "actions" }, overviewLink(view), leaveButton(view)));
}

function overviewLink(view) {
  return view.state.phase === "playing" && h("a", { class: "button", href: `/arbiter?tournament=${view.id}` }, "All games at once");
}

function leaveButton(view) {
  const { state } = view;
  const staying = state.players.filter(({ withdrawn }) => !withdrawn);
  const leave = () => {
    const who = select(staying.map(({ number, name }) => [String(number), name]), String(staying[0]?.number), () => {});
    const box = dialog("A player withdraws", h("form", { onsubmit: (event) => {
      event.preventDefault();
      box.close();
      view.act({ act: "withdraw", player: Number(who.value) });
    } }, field("Who", who), h("p", { class: "note" }, "Games that are not played are won by the opponents. A game that is played goes on."),
    h("button", { type: "submit", class: "danger" }, "Withdraw")), { className: "small" });
  };
  return button("A player withdraws …", leave);
}

// Before the start, and in an arena as long as it is played.
function beforePanel(view) {
  const { state } = view;
  const level = h("select", { "aria-label": "Strength of the computer" });
  const book = h("select", { "aria-label": "Opening book of the computer", hidden: true });
  aboutServer().then(({ levels = [], books = [] }) => {
    replace(level, levels.map(({ name, elo }) => h("option", { value: name }, elo ? `${name}, about ${elo}` : name)));
    replace(book, h("option", { value: "" }, "no opening book"), books.map((name) => h("option", { value: name }, name)));
    book.hidden = books.length === 0;
  }).catch(tellError);
  const add = async () => {
    await view.act({ act: "add_engine", level: level.value, book: book.value || null });
  };
  const invite = () => {
    const count = h("input", { type: "number", min: "1", max: "64", required: true, ".value": "1" });
    const links = h("div", {});
    dialog("Invite players", [h("form", { onsubmit: async (event) => {
      event.preventDefault();
      const answer = await view.act({ act: "invite", players: Number(count.value) });
      if (!answer) return;
      const base = await publicBase().catch(() => null);
      const players = Number(count.value);
      links.append(linkRow(players === 1 ? "Link for one player" : `Link for ${players} players`, `${base ?? location.origin}/tournament/${view.id}#${answer.token}`));
      if (!base && !links.querySelector(".note")) links.append(localNote());
    } }, field("For how many players", count, "A link is good for so many; each gets a seat of their own."), h("button", { type: "submit", class: "primary" }, "Make a link")), links]);
  };
  const takePart = () => {
    const input = nameField();
    const box = dialog("Take part yourself", h("form", { onsubmit: async (event) => {
      event.preventDefault();
      box.close();
      setSetting("name", input.value.trim());
      const answer = await view.act({ act: "invite", players: 1 });
      if (answer) await view.join(answer.token, input.value.trim());
    } }, field("Your name", input), h("button", { type: "submit", class: "primary" }, "Take part")), { className: "small" });
  };
  return h("div", { class: "panel" }, h("h2", {}, "Host"),
    h("p", {}, state.players.length ? `${state.players.length} ${state.players.length === 1 ? "player is" : "players are"} there.` : "Invite players, and add computers."),
    h("div", { class: "actions" }, button("Invite players …", invite, { class: state.players.length > 1 ? "" : "primary" }), view.player === null && button("Take part yourself …", takePart), !view.can("start") && leaveButton(view), overviewLink(view)),
    h("div", { class: "link-row" }, level, book, button("Add the computer", add)),
    view.can("start") && h("button", { type: "button", class: "primary big", disabled: state.players.length < 2, onclick: () => view.act({ act: "start" }) }, isArena(state) ? "Start the arena" : "Start the first round"));
}
