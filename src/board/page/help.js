// Help: the rules in plain words, the keys, the settings.

import { dialog, h, replace } from "./dom.js";

const RULES = [
  ["How to move", [
    "Drag a piece, or click it and then the square. On a touch screen tap both. By keyboard go to the board with Tab, walk with the arrow keys, and press Enter on the piece and on the square.",
    "Only legal moves are accepted, so you cannot make a wrong one by mistake, and you are told why one is not. You may pick a piece up, put it back and move another one.",
    "To castle move the king two squares, or put the king onto the rook.",
    "A pawn that arrives on the other side becomes a queen, rook, bishop or knight: you choose. As long as you have not chosen, no move is made and your clock runs. Escape takes the pawn back.",
  ]],
  ["How a game ends", [
    "Checkmate: the king is attacked and cannot get out of it. Who mates wins.",
    "Stalemate: who has the move is not in check but has no legal move. That is a draw.",
    "Draw by position: nobody could ever mate, for example king against king. Walls of pawns are looked through as well; a position that cannot be decided is played on.",
    "Draw by repetition: the same position with the same rights stands for the third time. It comes by itself.",
    "Draw by fifty moves: fifty moves of each side without a capture or a pawn move. It comes by itself.",
    "Resigning: you give up, and the opponent wins. You are asked once.",
  ]],
  ["The clock", [
    "Your clock runs when it is your move, and stops as soon as your move has arrived. Under 20 seconds it shows tenths.",
    "Who runs out of time loses, unless the opponent could not mate by any moves: then it is a draw.",
    "If the game is made so, the first move of each side costs no time, or the opponent may claim a game that you have left for some minutes. Who sits down by a link is shown what holds.",
    "Beside each name is the time of a message to this player and back, such as 34 ms. It is only shown: the network costs the time of the player who moves.",
    "If your connection breaks, the clock runs on, and everything is there again when you come back. After a restart of the program games go on, and nobody is charged for the time in between.",
  ]],
  ["Draw offers", [
    "An offer cannot be taken back. It stands until it is accepted, until the opponent moves, or until the game ends.",
    "To decline it, just play on. If you offer a draw while one is offered to you, you agree.",
  ]],
  ["In casual games", [
    "You may ask to take a move back; your opponent must allow it. The computer always does. Against it you may also ask for a hint.",
    "Both clocks then show what they showed before the move that is taken back, and a draw offer ends.",
    "You may give your opponent 15 seconds, as often as you like.",
  ]],
  ["Over the board rules", [
    "If a game is set to these, draws by repetition and fifty moves are claimed by a button, also with the move that you are about to make. The fifth repetition and 75 moves end the game by themselves.",
    "A wrong claim gives the opponent two minutes and stands as an offer.",
  ]],
  ["Tournaments", [
    "Rounds are paired when all games of the round before are over. In a round robin all meet, once or twice; in a Swiss system equal points meet, and nobody meets an opponent again.",
    "In an arena whoever is free is paired again until the time is up. A win is 2 points and a draw 1; after two wins in a row the games count double until one is not won. You are paired while you look at the page of the arena, unless you pause.",
    "Berserk, before your first move in an arena: your clock is halved and you get no increment, and a win is one point more if you make at least 7 moves.",
    "A bye, of an odd number of players in a Swiss system, is one point. In a round robin one is free in each round, without a point.",
    "Who withdraws loses what is not played. The host is the arbiter of each game.",
  ]],
  ["People", [
    "Each seat has a link of its own. Who opens it first takes the seat; keep your own link to yourself.",
    "Who watches sees everything but can do nothing, and neither sees premoves nor that there are any. If the game was made so, the latest moves are shown later.",
    "The arbiter may stop the clocks, add time, declare the result, and allow an assistant to move the pieces for a player. All games at once shows the arbiter every game on one page.",
  ]],
];

const KEYS = [
  ["→ / ←", "one move on or back"],
  ["Page Down / Page Up", "five moves on or back"],
  ["Home / End", "start or end of the line"],
  ["↓ / ↑", "analysis: next or previous variation, out of a variation; game: end or start"],
  ["Backspace", "back to the position that was shown before"],
  ["r", "analysis: to the position at which you left this game last time"],
  ["m", "analysis: to the middle of the game"],
  ["Space", "analysis: plays the game through by itself, until you step by hand; twice quickly: next move at once"],
  ["n / N", "analysis: next or previous place at which a query has found the game, or another game"],
  ["[ / ]", "analysis: previous or next game of the file"],
  ["h", "study: a hint"],
  ["n", "study: the next one"],
  ["f", "turn the board"],
  ["e", "analysis: engine on or off"],
  ["l", "analysis: all lines, to choose one and play it through"],
  ["t", "analysis: try moves that are not part of the game, and back to it"],
  ["+", "analysis: material and space"],
  ["Ctrl+Z / Ctrl+Y", "analysis: undo, redo"],
  ["Ctrl+V", "paste a PGN or FEN: the analysis shows it"],
  ["Wheel", "over the board: one move on or back"],
  ["?", "these keys"],
  ["Escape", "puts the piece back, takes the premoves back, calls off a claim with the next move, closes what is open"],
  ["Tab, arrows, Enter", "on the board: to a square, and choose it"],
  ["Right button", "draw arrows and circles: green, with Shift red, with Alt blue, with both yellow"],
];

const TYPED = [
  ["Nf3, e4, exd5, O-O, e8=Q", "moves as they are written; e2e4 works, too"],
  ["last", "the last move in words"],
  ["clock", "both clocks"],
  ["board", "all pieces with their squares"],
  ["on e4", "what stands on a square"],
  ["moves", "all legal moves"],
];

const table = (rows, caption) => h("table", { class: "keys" }, h("caption", { class: "hidden" }, caption),
  h("tbody", {}, rows.map(([keys, text]) => h("tr", {}, h("th", { scope: "row" }, keys.split(" / ").map((key, index) => [index ? " " : "", h("kbd", {}, key)]).flat()), h("td", {}, text)))));

export function openKeys() {
  if (!document.querySelector("dialog[open]")) dialog("Keys", [table(KEYS, "Keys"), h("p", {}, h("a", { href: "/help" }, "How it works"))]);
}

export function helpView(container) {
  replace(container, h("article", { class: "document" },
    h("h1", {}, "How it works"),
    h("p", { class: "lead-text" }, "Hematite is a chess board on your own computer. Nothing leaves it, and nothing is loaded from anywhere. New here? ",
      h("a", { href: "/" }, "Start a game without a clock"), " and just try."),
    RULES.map(([title, lines]) => h("section", {}, h("h2", {}, title), h("ul", {}, lines.map((line) => h("li", {}, line))))),
    h("section", {}, h("h2", {}, "Keys"), table(KEYS, "Keys")),
    h("section", {}, h("h2", {}, "Typing moves"), h("p", {}, "Switch the field on in the settings: “A field to type moves”."), table(TYPED, "What can be typed")),
    h("section", {}, h("h2", {}, "Space and material"),
      h("p", {}, "Material is counted as pawn 1, knight and bishop 3, rook 5, queen 9. Space is the number of squares in the other half of the board that a side attacks, each counted once: none at the start, 5 for White after 1. e4."))));
}
