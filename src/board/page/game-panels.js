// The acts of a player in a game besides moving: invite, offer, answer, resign, go on afterwards.

import { aboutServer, get } from "./api.js";
import { button, dialog, h, icon, iconButton, replace } from "./dom.js";
import { findPosition } from "./find.js";
import { pictureButton } from "./picture.js";
import { marked, opposite } from "./placement.js";
import { go } from "./router.js";
import { setSetting, settings } from "./settings.js";
import { keptOf } from "./storage.js";
import { copy, download, tellError } from "./tell.js";

// Asks before an act that cannot be undone.
export function ask(question, yes, onyes) {
  const box = dialog(question, h("div", { class: "actions" },
    button(yes, () => {
      box.close();
      onyes();
    }, { class: "danger", autofocus: true }),
    button("No, go on", () => box.close())), { className: "small" });
}

// The address of a game, with the token of a seat or of the right to act.
export const addressOf = (base, id, token) => `${base}/game/${id}${token ? `#${token}` : ""}`;

// The note for a link that works on this computer only.
export function localNote() {
  return h("p", { class: "note" }, "This link works on this computer. For other devices at home start with ", h("code", {}, "hematite board --listen 0.0.0.0"), ".");
}

// The address by which others reach this server; null if there is none.
export async function publicBase() {
  if (!["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) return location.origin;
  const { links = [] } = await aboutServer();
  return links[0] ?? null;
}

// The same, or this address where there is no other.
export const reachableBase = () => publicBase().catch(() => null).then((base) => base ?? location.origin);

// A link with a button that copies it.
export function linkRow(label, url) {
  const input = h("input", { type: "text", readonly: true, ".value": url, "aria-label": label, onfocus: () => input.select() });
  return h("div", { class: "link-row" }, input,
    button([icon("copy"), "Copy"], () => copy(url, "The link"), { class: "primary", "aria-label": `Copy: ${label}` }));
}

// The links that invite to the free seats, and a button that takes a seat for a guest who opened one.
export function waitingPanel(view) {
  const { state, id } = view;
  if (state.can.includes("sit")) return sitPanel(view);
  const invites = keptOf("invites", id);
  if (!invites || state.phase === "over") return null;
  if (state.phase !== "waiting") return linksPanel(view, invites);
  // While it is shown it is not built anew, so that a selected text stays selected.
  if (view.invitation) return view.invitation;
  const panel = h("div", { class: "panel invite" });
  view.invitation = panel;
  const show = (base, others) => {
    const links = Object.entries(invites).filter(([role]) => !["arbiter"].includes(role) && !view.state.seats[role]?.player);
    replace(panel, h("h2", {}, "Invite your friend"),
      h("p", {}, "Send this link. The game starts when your friend sits down."),
      links.map(([role, token]) => linkRow(`Link for ${role}`, addressOf(base, id, token))),
      others, otherLinks(base, id, invites));
  };
  show(location.origin, null);
  publicBase().then((base) => {
    if (base !== location.origin) show(base ?? location.origin, base ? null : localNote());
  }).catch(() => {});
  return panel;
}

function otherLinks(base, id, { arbiter }) {
  return h("details", {}, h("summary", {}, "Links to watch or to be the arbiter"),
    h("small", {}, "To watch"), linkRow("Link to watch", addressOf(base, id)),
    arbiter && [h("small", {}, "For the arbiter"), linkRow("Link for the arbiter", addressOf(base, id, arbiter))]);
}

// An arbiter may still be needed while the game is played.
function linksPanel(view, invites) {
  if (!view.otherLinks) {
    view.otherLinks = h("div", { class: "panel invite" });
    reachableBase().then((base) => replace(view.otherLinks, otherLinks(base, view.id, invites)));
  }
  return view.otherLinks;
}

const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

// The rules of a game, in words.
function fixedRules(rules) {
  const away = rules.abandonment_s;
  return [
    rules.text,
    rules.set === "otb" ? "Rules over the board: draws by repetition and by fifty moves are claimed" : "Online rules: draws by repetition and by fifty moves come by themselves",
    rules.chess960 && "Castling as in Chess960",
    rules.first_moves_free && "The first move of each side costs no time",
    away && `Who is away for ${away % 60 ? counted(away, "second") : counted(away / 60, "minute")} can lose the game: the opponent may claim it`,
    rules.casual && "Casual: moves can be taken back if the other side agrees, and time can be given",
    rules.decline && "A draw offer can be declined by a button",
    rules.countdown_s > 0 && `The game begins ${counted(rules.countdown_s, "second")} after both are there`,
    rules.lag_compensation_ms > 0 && rules.time_control !== "-" && `The way of a move through the network costs no time, up to ${rules.lag_compensation_ms} milliseconds a move`,
    rules.spectator_delay > 0 && `Who watches sees the game ${counted(rules.spectator_delay, "move")} later`,
  ].filter(Boolean);
}

function sitPanel(view) {
  if (view.chair) return view.chair;
  const input = h("input", { type: "text", maxlength: "100", required: true, autocomplete: "nickname", ".value": settings.name, placeholder: "Your name" });
  const side = view.state.role.split("_")[0];
  view.chair = h("form", {
    class: "panel sit",
    onsubmit: (event) => {
      event.preventDefault();
      setSetting("name", input.value.trim());
      view.act({ act: "sit", name: input.value.trim() });
    },
  }, h("h2", {}, `You play ${side === "white" ? "White" : "Black"}`), h("ul", { class: "fixed-rules" }, fixedRules(view.state.rules).map((text) => h("li", {}, text[0].toUpperCase() + text.slice(1)))),
  h("label", { class: "field" }, h("span", { class: "label" }, "Your name"), input),
  h("button", { type: "submit", class: "primary big" }, "Sit down and play"));
  return view.chair;
}

const other = (view, color) => color && !view.link.roles.includes(color);

// The open offers and their answers.
export function offers(view) {
  const { state } = view;
  const panels = [];
  const add = (text, buttons, note) => panels.push(h("div", { class: "panel offer" }, h("p", {}, text), note && h("p", { class: "note" }, note), h("div", { class: "actions" }, buttons)));
  const can = (act) => state.can.includes(act);
  const act = (name, more = {}) => () => view.act({ act: name, ...more });
  if (can("accept_draw") && state.phase !== "over") {
    add(`${view.nameOf(state.draw_offer ?? "white")} offers a draw.`, [
      button([icon("half"), "Accept"], act("accept_draw"), { class: "primary" }),
      can("decline_draw") && button("Decline", act("decline_draw")),
    ], can("decline_draw") ? null : "To decline, just play on.");
  } else if (state.draw_offer && !other(view, state.draw_offer)) {
    panels.push(h("p", { class: "note" }, "You have offered a draw. It stands until the answer or the next move of your opponent."));
  } else if (state.draw_offer) {
    panels.push(h("p", { class: "note" }, `${view.nameOf(state.draw_offer)} offers a draw.`));
  }
  if (view.claims) add("Your next move claims a draw.", button("Cancel", () => view.setClaims(false)));
  if (can("accept_takeback")) {
    add(`${view.nameOf(state.takeback_offer ?? "white")} asks to take the last move back.`, [
      button("Allow", act("accept_takeback"), { class: "primary" }), can("decline_takeback") && button("Decline", act("decline_takeback")),
    ]);
  } else if (state.takeback_offer && !other(view, state.takeback_offer)) {
    panels.push(h("p", { class: "note" }, "You have asked to take a move back."));
  }
  if (can("claim_abandoned")) {
    add("Your opponent has been away for long.", [
      button("Claim the win", act("claim_abandoned", { draw: false }), { class: "primary" }), button("Claim a draw", act("claim_abandoned", { draw: true })),
    ]);
  }
  if (state.premoves) {
    const told = state.premoves.map((uci) => `${uci.slice(0, 2)} to ${uci.slice(2)}`).join(", then ");
    panels.push(h("div", { class: "panel offer" }, h("p", {}, `${state.premoves.length > 1 ? "Premoves" : "Premove"}: ${told}`),
      button(state.premoves.length > 1 ? "Take them back" : "Take it back", act("cancel_premove"))));
  }
  return panels;
}

// The buttons of the game. `before` is called first, where they stand in a dialog.
export function actionButtons(view, before = () => {}) {
  const { state } = view;
  const can = (act) => state.can.includes(act);
  const act = (name, more = {}) => () => view.act({ act: name, ...more });
  if (state.phase === "over") return overButtons(view, before);
  const resigning = view.isShared ? state.turn : state.role;
  // At one screen both are asked at once.
  const together = async (offer, accept, from) => {
    if (await view.act({ act: offer }, from)) await view.act({ act: accept }, opposite(from));
  };
  const offerDraw = view.isShared
    ? () => ask("Do you both agree to a draw?", "We agree", () => together("offer_draw", "accept_draw", state.turn))
    : () => ask("Offer a draw? It cannot be taken back.", "Offer it", act("offer_draw"));
  const takeBack = view.isShared ? () => together("offer_takeback", "accept_takeback", opposite(state.turn)) : act("offer_takeback");
  return [
    can("offer_draw") && button([icon("half"), view.isShared ? "Draw" : "Offer a draw"], offerDraw),
    can("claim_draw") && button([icon("half"), "Claim a draw"], () => claim(view)),
    (can("offer_takeback") || (view.isShared && state.rules.casual && state.plies.length > 0)) && button([icon("undo"), "Take back"], takeBack),
    can("give_time") && !view.isShared && state.seats[opposite(state.role)].kind === "person" && button("Give 15 seconds", act("give_time"), { title: "The clock of your opponent gets 15 seconds more" }),
    can("berserk") && button("Berserk", () => ask("Play berserk? Your clock is halved and you get no increment; a win is one point more if you make at least 7 moves.", "Play berserk", act("berserk")), { title: "Half the time and no increment, but a win is one point more" }),
    view.hint.isAllowed(view) && button([icon("hint"), "Hint"], () => view.hint.ask(state)),
    view.coach.isAllowed(view) && button("Coach", () => {
      view.coach.switch(view);
      view.render();
    }, { "aria-pressed": String(view.coach.isOn), title: "Says after each of your moves whether it was good" }),
    can("resign") && button([icon("flag"), "Resign"], () => ask("Resign the game?", "Resign", () => view.act({ act: "resign" }, resigning))),
    can("abort") && button([icon("close"), "Break off"], () => ask("Break the game off? It will not count.", "Break it off", act("abort"))),
    view.isShared && state.phase === "playing" && button([icon("flip"), view.turns ? "Keep the board still" : "Turn the board each move"], () => {
      view.turns = !view.turns;
      view.render();
    }, { class: "quiet" }),
  ];
}

function claim(view) {
  const box = dialog("Claim a draw", [
    h("p", {}, "For the third time the same position, or fifty moves without a capture or a pawn move. A wrong claim gives your opponent two minutes, and stands as an offer."),
    h("div", { class: "actions" },
      button("It stands on the board", () => {
        box.close();
        view.setClaims(false);
        view.act({ act: "claim_draw" });
      }, { class: "primary" }),
      button("My next move brings it about", () => {
        box.close();
        view.setClaims(true);
      })),
  ]);
}

function overButtons(view, before) {
  const { state, id } = view;
  const hasSeat = state.role === "white" || state.role === "black";
  const offered = state.rematch?.offered_by;
  const isOwnOffer = offered && view.link.roles.includes(offered) && !view.isShared;
  const then = (call) => () => {
    before();
    call();
  };
  return [
    hasSeat && !state.tournament && !state.rematch?.id && button(isOwnOffer ? "Rematch is offered …" : offered ? "Accept the rematch" : "Rematch", then(() => view.rematch()),
      { class: "primary", disabled: Boolean(isOwnOffer) }),
    state.rematch?.id && button("To the rematch", then(() => view.toRematch(state.rematch)), { class: "primary" }),
    button("Analyze", then(() => go(`/analyse?game=${encodeURIComponent(id)}`))),
    state.tournament ? button("To the tournament", then(() => go(`/tournament/${state.tournament.id}`)), { class: "primary" }) : button("New game", then(() => go("/"))),
  ];
}

export function endingPanel(view) {
  const offered = view.state.rematch?.offered_by;
  return offered && other(view, offered) && view.state.role !== "spectator" && !view.isShared
    ? h("p", { class: "panel offer" }, `${view.nameOf(offered)} offers a rematch.`) : null;
}

// The parts of a game that can be copied.
export function copyMenu(view) {
  const { id } = view;
  const pgn = () => get(`/api/games/${encodeURIComponent(id)}/pgn`, { token: view.link.token(view.state.role) });
  const fen = () => {
    const ply = view.viewed ?? view.state.plies.length;
    return ply ? view.state.plies[ply - 1].fen : view.state.start;
  };
  const shown = () => {
    const ply = view.viewed ?? view.state.plies.length;
    const last = ply ? view.state.plies[ply - 1] : null;
    return { fen: fen(), side: view.board.orientation, last: last ? marked(view.placement(ply - 1), last.uci, last.san) : [] };
  };
  // A player of a rated game gets no help from other games.
  const isServed = view.state.phase === "over" || view.state.rules.casual || ["spectator", "arbiter"].includes(view.state.role);
  const moves = () => view.state.plies.slice(0, view.viewed ?? view.state.plies.length).map(({ san }) => san);
  return h("div", { class: "copy" },
    button("FEN", () => copy(fen(), "The position"), { class: "quiet", title: "Copy the position" }),
    button("PGN", () => pgn().then((text) => copy(text, "The game")).catch(tellError), { class: "quiet", title: "Copy the game" }),
    iconButton("save", "Save the game as a PGN file", () => pgn().then((text) => download(`game-${id}.pgn`, text, "application/x-chess-pgn")).catch(tellError), { class: "icon-button quiet" }),
    pictureButton(shown),
    isServed && iconButton("find", "Find this position in a collection", () => findPosition({ start: view.state.start, moves: moves(), fen: fen() }), { class: "icon-button quiet" }),
    iconButton("link", "Copy the link to watch", async () => copy(addressOf(await reachableBase(), id) + location.hash, "The link to watch"), { class: "icon-button quiet" }));
}
