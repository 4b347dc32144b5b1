"""Plays on the page of `hematite board` in headless Chromium as people do: two browsers play a game to mate, one to a
flag and one to an agreed draw; somebody plays against the engine, reloads in the middle, plays by keyboard only,
analyzes a game that was pasted, and uses a telephone. Nothing is loaded from outside, and the console stays empty.

Usage: board_page.py HEMATITE FOLDER [URL | --times]. With a URL no server is started, with --times it only measures.
"""

import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from browser import equal, free_port
from page import ENVIRONMENT, Page, live_match, new_game, own_folder, start

PGN = """[Event "Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke & Count <b>"]
[Result "1-0"]

1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 d6 {[%eval 0.5]} 3. d4 Bg4?! {[%eval 1.2] Pins. [%csl Rf3]}
(3... exd4 4. Nxd4 {<script>window.owned = 1</script>}) 4. dxe5 Bxf3 1-0
"""

# The steps of a study, which follow each other after STEP_MS of study.js, wait until they are called.
HELD_STEPS = """
const [set, clear] = [window.setTimeout, window.clearTimeout];
const held = new Map();
let id = 0;
window.setTimeout = (act, wait, ...rest) => (wait === 450 ? held.set(`held ${id += 1}`, act) && `held ${id}` : set(act, wait, ...rest));
window.clearTimeout = (timer) => held.delete(timer) || clear(timer);
window.releaseSteps = () => {
  Object.assign(window, { setTimeout: set, clearTimeout: clear });
  held.forEach((step) => step());
};
"""

# The games of a collection.
GAMES = """[White "Tal, Mihail"]
[Black "Botvinnik, Mikhail"]
[Result "1-0"]

1. e4 c6 2. d4 d5 1-0

[White "Botvinnik, Mikhail"]
[Black "Tal, Mihail"]
[Result "1/2-1/2"]

1. d4 Nf6 2. c4 g6 1/2-1/2

[White "Smyslov, Vasily"]
[Black "Tal, Mihail"]
[Result "0-1"]

1. e4 c5 2. Nf3 d6 0-1
"""

def check_mate(base, ann, bob):
    """A friend is invited by link, and mated by drag, clicks and keys; the moves are told to both."""
    ann.go("/")
    ann.run("document.querySelector('input[value=friend]').click()")
    ann.run("[...document.querySelectorAll('.colors input')].find((input) => input.value === 'black').click()")
    ann.type("input[autocomplete=nickname]", "Ann")
    ann.button("Make the link")
    link = ann.wait("return document.querySelector('.link-row input')?.value", "the link")
    ann.wait_status("Waiting for the players")
    bob.go(link.removeprefix(base))
    equal(bob.run("return location.hash"), "", "the token in the address")
    bob.wait("return document.querySelector('.sit input') !== null", "the chair")
    bob.type(".sit input", "Bob")
    bob.button("Sit down")
    bob.wait_turn()
    equal(ann.run("return document.querySelector('[data-square]').dataset.square"), "h1", "the upper left corner for Black")
    equal(bob.run("return document.querySelector('[data-square=h1]').classList.contains('light')"), True, "h1 is light")
    bob.move("f2f3", drags=True)
    for page in (ann, bob):
        page.wait_plies(1)
    ann.wait_turn()
    # A piece is put back and another one is moved.
    start = ann.middle("d7")
    ann.pointer("mouse", start, (start[0] + 40, start[1]), (2, 2))
    ann.move("e7e5")
    for page in (ann, bob):
        page.wait_plies(2)
    bob.wait_turn()
    bob.move("e2e5")
    equal(bob.state()["moves"], ["f3", "e5"], "an illegal move")
    bob.press("Escape")
    bob.move("g2g4", drags=True)
    ann.wait_plies(3)
    ann.wait_turn()
    # Reloading in the middle of a move changes nothing.
    ann.pointer("mouse", ann.middle("d8"))
    ann.command("POST", "/refresh", {})
    ann.wait_turn()
    state = ann.state()
    equal((state["moves"], state["squares"]["g4"], state["last"]), (["f3", "e5", "g4"], "white pawn", ["g2", "g4"]), "after a reload")
    ann.move("d8h4")
    for page in (ann, bob):
        page.wait_status("0–1")
        equal(page.state()["moves"], ["f3", "e5", "g4", "Qh4#"], "the moves")
        equal(page.run("return document.querySelector('.square.check').dataset.square"), "e1", "the king in check")
    ann.wait("return document.querySelector('dialog[open] h2')?.textContent === 'You win!'", "the winner is told")
    bob.wait("return document.querySelector('dialog[open] h2')?.textContent === 'You lose'", "the loser is told")
    ann.close_dialog()
    bob.close_dialog()
    before = ann.run("return location.pathname")
    ann.button("Rematch")
    bob.button("Accept the rematch")
    for page in (ann, bob):
        page.wait("return location.pathname !== arguments[0] && location.pathname.startsWith('/game/')", "the rematch", before)
    ann.wait_turn()


def check_draw(base, ann, bob):
    made = new_game(base)
    ann.go(f"/game/{made['id']}#{made['tokens']['white']}")
    bob.go(f"/game/{made['id']}#{made['tokens']['black']}")
    ann.move("e2e4")
    bob.wait_plies(1)
    bob.wait_turn()
    bob.move("e7e5")
    ann.wait_plies(2)
    bob.button("Offer a draw")
    bob.button("Offer it")
    ann.wait("return document.querySelector('.offer')?.textContent.includes('offers a draw')", "the offer")
    # It cannot be withdrawn, and a reload does not lose it.
    bob.wait("return document.querySelector('.panels')?.textContent.includes('You have offered a draw')", "the own offer")
    ann.command("POST", "/refresh", {})
    ann.button("Accept")
    for page in (ann, bob):
        page.wait_status("½–½")
        page.close_dialog()


def check_flag(base, ann, bob):
    made = new_game(base, time_control="2")
    ann.go(f"/game/{made['id']}#{made['tokens']['white']}")
    bob.go(f"/game/{made['id']}#{made['tokens']['black']}")
    for page in (ann, bob):
        page.wait_status("time")
        page.wait_status("0–1")
    equal(ann.wait("return document.querySelector('.player[data-color=white] .clock span').textContent", "the clock"), "0:00.0", "the clock")


def check_options(base, ann, bob):
    """Premove, promotion with Escape, confirmation, and what the opponent sees of it."""
    made = new_game(base, start={"fen": "7k/P7/8/8/8/8/8/K7 w - - 0 1"})
    ann.go("/help")
    ann.setting("confirm_move", True)
    bob.go("/help")
    bob.setting("premove", True)
    ann.go(f"/game/{made['id']}#{made['tokens']['white']}")
    bob.go(f"/game/{made['id']}#{made['tokens']['black']}")
    bob.wait("return document.querySelector('.board.movable') !== null", "premoves can be entered")
    bob.move("h8g7")
    bob.wait("return document.querySelectorAll('.square.premove').length === 2", "the premove")
    bob.move("g7f7")
    bob.wait("return document.querySelectorAll('.square.premove').length === 3", "the premove after it")
    equal(bob.state()["squares"].get("f7"), "black king", "the place where it will stand")
    bob.press("Escape")
    bob.wait("return document.querySelectorAll('.square.premove').length === 0", "no premove")
    equal(bob.state()["squares"].get("h8"), "black king", "the place where it stands")
    bob.move("h8g7")
    bob.wait("return document.querySelectorAll('.square.premove').length === 2", "the premove again")
    bob.move("g7f7")
    bob.wait("return document.querySelectorAll('.square.premove').length === 3", "both premoves")
    equal(ann.run("return document.querySelectorAll('.square.premove').length"), 0, "the premove of the opponent")
    ann.move("a7a8")
    ann.wait("return document.querySelectorAll('.promotion button').length === 4", "the question")
    ann.press("Escape")
    equal((ann.state()["squares"].get("a7"), ann.state()["moves"]), ("white pawn", []), "no answer, no move")
    ann.move("a7a8")
    ann.click(".promotion button", 2)
    ann.wait("return document.querySelector('.confirm') !== null", "the confirmation")
    ann.button("Cancel")
    equal(ann.state()["squares"].get("a7"), "white pawn", "a move that is not confirmed")
    ann.move("a7a8")
    ann.click(".promotion button", 2)
    ann.button("Play a8=R")
    ann.wait_plies(2)
    equal(ann.state()["moves"], ["a8=R+", "Kg7"], "the promotion and the premove")
    bob.wait("return document.querySelectorAll('.square.premove').length === 2", "the premove that is left")
    # The rook takes the square, so that the second one is dropped.
    ann.move("a8f8")
    ann.button("Play Rf8")
    bob.wait("return document.querySelectorAll('.square.premove').length === 0", "an illegal premove")
    equal(ann.state()["moves"], ["a8=R+", "Kg7", "Rf8"], "the premove that is dropped")
    ann.setting("confirm_move", False)
    bob.setting("premove", False)


def check_engine(base, page):
    page.go("/")
    page.run("document.querySelector('input[value=engine]').click()")
    page.run("[...document.querySelectorAll('.colors input')].find((input) => input.value === 'white').click()")
    page.wait("return document.querySelector('.level-text strong') !== null", "the levels")
    page.check("Casual")
    page.button("Play")
    page.wait_turn()
    page.move("e2e4")
    page.wait_plies(2)
    page.wait_turn()
    page.button("Take back")
    page.wait_plies(0)
    page.wait_turn()
    page.button("Resign")
    page.button("Resign")
    page.wait_status("0–1")
    page.close_dialog()
    page.go("/")
    page.wait("return document.querySelector('.game-list') !== null", "the list of games")


def check_keyboard(base, page):
    """A move by arrow keys and Enter, one by typing, all told to screen readers."""
    page.go("/help")
    page.setting("moveField", True)
    made = new_game(base, black={"person": "Bob"})
    page.go(f"/game/{made['id']}#{made['tokens']['white']}")
    page.wait_turn()
    page.run("document.querySelector('[data-square=e2]').focus()")
    # The piece stands above the square with the focus.
    hit = "document.querySelector('.pieces').style.pointerEvents = 'auto';" \
        "const found = document.elementFromPoint(...arguments[0])?.closest('.piece') !== null;" \
        "document.querySelector('.pieces').style.pointerEvents = ''; return found"
    page.press("Up", "Down")
    equal(page.run(hit, page.middle("e2")), True, "the piece is seen on a square with the focus")
    page.press("Enter", "Up", "Up", "Enter")
    page.wait_plies(1)
    page.wait("return document.getElementById('polite').textContent === 'White: e4'", "what is told")
    equal(page.run("return document.activeElement.getAttribute('aria-label')"), "e4, white pawn, last move", "the name of a square")
    page.command("POST", "/refresh", {})
    page.wait_plies(1)
    page.press("Left")
    page.wait("return document.querySelector('.square.last') === null", "one move back")
    page.press("Right")
    page.go(f"/game/{made['id']}#{made['tokens']['black']}")
    page.wait_turn()
    page.type("#move-field", "c5")
    page.press("Enter")
    page.wait_plies(2)
    equal(page.state()["moves"], ["e4", "c5"], "a typed move")
    page.setting("moveField", False)


def check_analysis(page):
    page.go("/analyse")
    page.button("Paste or open")
    page.run("document.querySelector('textarea.paste').value = arguments[0]", PGN)
    page.button("Show it")
    page.wait("return document.querySelector('h1').textContent === 'Morphy, Paul – Duke & Count <b>'", "the players")
    equal(page.run("return [window.owned === undefined, document.querySelectorAll('main script').length]"), [True, 0], "hostile comments")
    for _ in range(6):
        page.press("Right")
    state = page.state()
    equal((state["current"], state["squares"].get("g4")), ("Bg4?!", "black bishop"), "six steps")
    equal(page.run("return document.querySelectorAll('circle.shape').length"), 1, "the circle of the comment")
    page.press("Down", "Right")
    equal(page.state()["current"], "4. Nxd4", "into the variation")
    page.press("Up")
    equal(page.state()["current"], "Bg4?!", "out of it")
    page.press("End", "Home", "Right")
    equal(page.state()["current"], "1. e4", "the ends")
    # A move on the board is a variation, which can be undone.
    page.wait("return document.querySelector('.board.movable') !== null", "moves")
    page.move("c7c5")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('c5')", "a new variation")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}))")
    page.wait("return ![...document.querySelectorAll('.notation .move')].some((move) => move.textContent.includes('c5'))", "undone")
    page.command("POST", "/refresh", {})
    page.wait("return document.querySelectorAll('.notation .move').length === 10", "the game after a reload")
    # The whole game is analyzed by one click, and that can be undone.
    page.run("const all = document.querySelector('.review select'); all.value = '20000'; all.dispatchEvent(new Event('change'))")
    page.button("Analyze the game")
    page.wait("return document.querySelectorAll('.accuracy tbody tr').length === 2", "the accuracy of both")
    page.check_accessible("the analysis of the game")
    # What has been found leaves room for the moves, with the current one in sight.
    room = page.wait("const list = document.querySelector('.notation').getBoundingClientRect();"
                     "const move = document.querySelector('.move[aria-current]').getBoundingClientRect();"
                     "return move.top >= list.top && move.bottom <= list.bottom && list.height", "the current move")
    if room < 250:
        raise AssertionError(f"the moves have {room} px of 900, expected at least 250 px")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}))")
    page.wait("return document.querySelector('.accuracy tbody') === null", "undone")
    page.press("e")
    page.wait("return document.querySelectorAll('.engine-lines .line-score').length === 2", "the lines of the engine")
    page.check_accessible("the analysis")
    page.press("e")
    page.go("/help")
    page.command("POST", "/back", {})
    page.wait("return location.pathname === '/analyse' && document.querySelector('.notation') !== null", "the back key")


def check_study(page):
    """A game is guessed: a wrong move, a hint, right moves, and what is told at the end."""
    page.go("/study")
    page.wait("return document.querySelector('.source textarea') !== null", "the form")
    equal(page.run("return document.querySelector('nav [aria-current]').textContent"), "Study", "the section")
    page.run("document.querySelector('.source textarea').value = '1. e4 e5 2. Nf3 Nc6 *'")
    page.button("Begin")
    page.wait_status("Guess the moves of White")
    page.check_accessible("the study")
    page.move("d2d4")
    page.wait_status("d4 is not it")
    equal(page.state()["squares"].get("d2"), "white pawn", "a wrong move is taken back")
    page.button("Hint")
    page.wait_status("A pawn moves")
    page.move("e2e4")
    page.wait_status("Right: 1 point.")
    page.wait("return document.querySelector('[data-square=e5]').getAttribute('aria-label').includes('black pawn')", "the answer")
    # What is on the board is copied, and nothing of what comes.
    fen = page.copied(lambda: page.button("FEN"))
    equal(fen.split()[:2], ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "w"], "the position")
    pgn = page.copied(lambda: page.button("PGN"))
    equal(pgn.split("\n\n")[1].split(), ["1.", "e4", "e5", "*"], "the moves so far")
    link = page.copied(lambda: page.click("button[aria-label='Copy a link to this position']"))
    equal(link, f"{page.base}/analyse?fen={urllib.parse.quote(fen, safe='')}", "the link")
    page.click("button[aria-label='Picture of this position']")
    page.wait("return document.querySelector('dialog[open] img')?.naturalWidth > 0", "the picture")
    page.close_dialog()
    page.run(HELD_STEPS)
    page.move("g1f3")
    page.wait_status("Done: 4 of 6 points")
    # The answer is not waited for.
    equal(page.state()["squares"].get("b8"), "black knight", "the answer is yet to come")
    page.button("Next")
    page.wait_status("4 of 6 points: 2 moves, 1 at once")
    equal(page.state()["squares"].get("c6"), "black knight", "the answer stands on the board")
    page.run("releaseSteps()")
    page.check_quiet("a study that is ended before the answer")


def check_explore(page):
    """A collection is asked: an error at its column, a query, the tree, and a game that is opened."""
    page.go("/explore")
    page.wait("return document.querySelector('.count')?.textContent === '3 games'", "all games")
    page.type(".query input", "player:tal nosuch:1")
    page.wait("return document.querySelector('.query-error pre') !== null", "what is wrong with the query")
    column = page.run("return document.querySelector('.query-error pre').textContent.split('\\n')[1].indexOf('^')")
    equal(column, len("player:tal "), "the column of the error")
    page.run("document.querySelector('.query input').value = ''")
    page.type(".query input", "player:tal result:1-0")
    page.wait("return document.querySelector('.count').textContent === '1 game'", "the games that are found")
    equal(page.run("return [...document.querySelectorAll('.game-row .names')].map((names) => names.textContent)"),
          ["Tal, Mihail – Botvinnik, Mikhail"], "the list")
    equal(page.run("return [decodeURIComponent(location.search), document.querySelectorAll('.query-error *').length]"),
          ["?query=player:tal+result:1-0", 0], "the address")
    page.wait("return document.querySelector('.tree tbody tr')?.textContent.includes('e4')", "the moves that were played")
    page.check_accessible("the explorer")
    page.click(".game-row")
    page.wait("return document.querySelector('h1').textContent === 'Tal, Mihail – Botvinnik, Mikhail'", "the game")
    page.command("POST", "/back", {})
    page.wait("return document.querySelector('.count')?.textContent === '1 game'", "the back key")


FIELD = "const input = document.querySelector('.query input'); return input.value"


def check_completion(page):
    """The term at the caret is completed by keys and by the mouse, and a screen reader is told which proposal is meant."""
    page.go("/explore")
    page.wait("return document.querySelector('.count')?.textContent === '3 games'", "all games")
    page.type(".query input", "win")
    page.wait("return document.querySelector('[role=option]')?.textContent.startsWith('winner:')", "the term")
    equal(page.run("const input = document.querySelector('[role=combobox]');"
                   "return [input.getAttribute('aria-expanded'), document.getElementById(input.getAttribute('aria-controls')).getAttribute('role')]"),
          ["true", "listbox"], "the combobox")
    page.press("Down")
    chosen = "const id = document.querySelector('[role=combobox]').getAttribute('aria-activedescendant');" \
        "const option = id && document.getElementById(id); return option && [option.getAttribute('aria-selected'), option.querySelector('b').textContent]"
    equal(page.run(chosen), ["true", "winner:"], "the proposal that is meant")
    page.press("Enter")
    equal(page.run(FIELD), "winner:", "the completed term")
    page.type(".query input", "smy")
    page.wait("return [...document.querySelectorAll('[role=option] b')].map((name) => name.textContent).join() === 'Smyslov, Vasily'", "the name")
    page.check_accessible("the proposals")
    page.click("[role=option]")
    equal(page.run(FIELD), 'winner:"Smyslov, Vasily" ', "the completed name")
    page.wait("return document.querySelector('.count')?.textContent === '0 games'", "no game that he has won")
    # In the midst of a query only the term at the caret is replaced.
    page.run("const input = document.querySelector('.query input'); input.value = 'res result:0-1'; input.setSelectionRange(3, 3); input.focus();"
             "input.dispatchEvent(new Event('input'))")
    page.wait("return document.querySelector('[role=option]')?.textContent.startsWith('result:')", "the term at the caret")
    page.press("Escape")
    equal(page.run("return [document.querySelector('.proposals').hidden, document.querySelector('.query input').value]"), [True, "res result:0-1"], "Escape")
    page.run("const input = document.querySelector('.query input'); input.value = ''; input.dispatchEvent(new Event('input')); input.blur()")


def check_explore_address(page):
    """Moves and queries are in the address, and the back key takes one back; the tree is sorted; queries are kept."""
    page.go("/explore")
    page.wait("return document.querySelector('.count')?.textContent === '3 games'", "all games")
    tree = "return [...document.querySelectorAll('.opening-tree tbody .move')].map((move) => move.textContent).join()"
    page.wait(tree.replace("return", "return 'e4,d4' ==="), "the moves at the start")
    page.move("e2e4")
    page.wait(tree.replace("return", "return ['c5,c6', 'c6,c5'].includes(").replace(".join()", ".join())"), "the answers")
    equal(page.run("return location.search"), "?moves=e4", "the address")
    page.button("c5")
    page.wait("return document.querySelector('.path')?.textContent.startsWith('1. e4 c5')", "the line")
    page.wait("return document.querySelector('.path .opening')?.textContent.includes('Sicilian')", "the opening")
    page.button("Games from here")
    page.wait("return document.querySelector('.count')?.textContent === '1 game'", "the game with this position")
    for moves, count in (("e4 c5", 3), ("e4", 3), (None, 3)):
        page.command("POST", "/back", {})
        page.wait("return document.querySelector('.count')?.textContent === arguments[0] && new URLSearchParams(location.search).get('moves') === arguments[1]",
                  f"the back key, to {moves}", f"{count} games", moves)
    page.wait("return document.querySelector('.path').textContent === 'The initial position'", "the start")
    page.command("POST", "/forward", {})
    page.wait("return document.querySelector('.path').textContent.startsWith('1. e4')", "on again")
    # A position by its address, which no move has led to.
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    page.go("/explore/0?fen=" + urllib.request.quote(fen) + "&moves=O-O")
    page.wait("return document.querySelector('[data-square=f1]')?.getAttribute('aria-label').includes('rook')", "castled")
    page.wait("return document.querySelector('.path').textContent.startsWith('1. O-O')", "its move")
    page.go("/explore/0")
    page.wait("return document.querySelector('.opening-tree tbody .move') !== null", "the moves")
    page.button("Score")
    equal(page.run("return document.querySelector('.opening-tree [aria-sort=descending]').textContent"), "Score", "the order of the moves")
    page.button("Kept")
    page.wait("return document.querySelector('dialog[open] input') !== null", "the kept queries")
    page.run("document.querySelector('dialog[open] input').value = 'Wins of Tal'")
    page.button("Keep it")
    page.wait("return document.querySelector('.saved-queries b')?.textContent === 'Wins of Tal'", "it is kept")
    page.check_accessible("the kept queries")
    page.close_dialog()
    page.type(".query input", "result:1-0")
    page.wait("return document.querySelector('.count')?.textContent === '1 game'", "another query")
    page.button("Kept")
    page.button("Wins of Tal")
    page.wait("return document.querySelector('.count')?.textContent === '3 games' && document.querySelector('dialog[open]') === null", "the kept query")


def check_tables(page):
    """Players, openings and cross tables of the games that a query finds; names lead to their games."""
    page.go("/explore/0")
    for view, first in (("Players", "Tal, Mihail"), ("Openings", "Caro-Kann Defense"), ("Cross table", "Tal, Mihail")):
        page.button(view)
        page.wait("return [...document.querySelectorAll('.explore-table tbody th a')].some((name) => name.textContent === arguments[0])", view, first)
        page.check_accessible(view)
    page.button("Players")
    page.wait("return document.querySelector('.explore-table tbody th a')?.textContent === 'Tal, Mihail'", "most points")
    page.run("document.querySelector('.explore-table tbody th a').click()")
    page.wait("return document.querySelector('.count')?.textContent === '3 games' && document.querySelector('.query input').value === 'player=\"Tal, Mihail\"'", "his games")
    page.button("Players")
    page.wait("return [...document.querySelectorAll('.explore-table th a')].some((name) => name.textContent === 'Botvinnik, Mikhail')", "his opponents")
    page.run("[...document.querySelectorAll('.explore-table th a')].find((name) => name.textContent === 'Botvinnik, Mikhail').click()")
    page.wait("return document.querySelector('.count')?.textContent === '2 games'", "the games against each other")
    page.command("POST", "/back", {})
    page.wait("return document.querySelector('.views [aria-pressed=true]').textContent === 'Players'", "back to the table")


def check_positions(base, page):
    """From a game, the analysis and the editor: a picture of the position, and the games that have it."""
    made = new_game(base, casual=True)
    page.go(f"/game/{made['id']}#{made['tokens']['white']}")
    page.wait_turn()
    page.move("e2e4")
    page.wait_plies(1)
    page.click("[aria-label='Picture of this position']")
    page.wait("const image = document.querySelector('dialog[open] img'); return image?.complete && image.naturalWidth === 640", "the picture")
    page.check_accessible("the picture")
    addresses = page.run("return [...document.querySelectorAll('dialog[open] a')].map((link) => link.href)")
    for address, start in zip(addresses, (b"\x89PNG", b"<svg ")):
        with urllib.request.urlopen(address, timeout=30) as answer:
            drawn = answer.read()
        equal(drawn.startswith(start), True, address)
    equal(b"Last move: e2-e4" in drawn, True, "what the picture tells")
    page.devtools("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    page.button("Copy the picture")
    page.wait("return document.querySelector('.toast')?.textContent === 'The picture copied.'", "the picture is copied")
    page.close_dialog()
    page.click("[aria-label='Find this position in a collection']")
    page.wait("return location.pathname === '/explore/0' && document.querySelector('.count')?.textContent === '2 games'", "the games with it")
    page.wait("return document.querySelector('.path').textContent.startsWith('1. e4')", "how it came about")
    page.command("POST", "/back", {})
    page.wait("return document.querySelector('.moves .move') !== null", "back in the game")
    page.go("/analyse?fen=" + urllib.request.quote("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"))
    page.wait("return document.querySelector('.balance')?.textContent.includes('Space 5–')", "material and space")
    page.click("[aria-label='Find this position in a collection']")
    page.wait("return document.querySelector('.count')?.textContent === '1 game'", "the game with it")
    page.go("/editor?fen=" + urllib.request.quote("8/8/8/8/8/8/8/K7 w - - 0 1"))
    page.wait("return document.querySelectorAll('.problems.bad li').length > 0", "no position")
    page.click("[aria-label='Picture of this position']")
    page.wait("return document.querySelector('dialog[open] img')?.naturalWidth === 640", "the picture of what could not be played")
    page.close_dialog()


def check_editor(page):
    page.go("/editor?fen=" + urllib.request.quote("8/8/8/8/8/8/8/K7 w - - 0 1"))
    page.wait("return document.querySelectorAll('.problems.bad li').length > 0", "a king is missing")
    page.click(".palette button", 7)
    page.pointer("mouse", page.middle("e8"))
    page.wait("return document.querySelector('.problems')?.textContent.includes('A legal position')", "both kings")


def check_articles(base, page):
    """Articles of the rules for online games that are about what is seen, by their numbers, in all roles."""
    made = new_game(base, time_control="600")
    name, tokens = made["id"], made["tokens"]
    page.go(f"/game/{name}#{tokens['white']}")
    page.wait_turn()
    page.move("e2e4")
    page.wait_plies(1)
    for role in ("white", "black", "arbiter", None):
        page.go("/help")
        page.run("localStorage.clear(); sessionStorage.clear()")
        page.go(f"/game/{name}" + (f"#{tokens[role]}" if role else ""), fresh=True)
        online_2_3_the_moves_are_on_the_screen(page, role)
        online_3_1_the_right_lower_corner_is_light(page, role)
        online_4_1_both_clocks_are_shown(page, role)
        laws_2_4_squares_have_their_names(page, role)
    online_2_4_the_page_explains_itself(page)


def online_2_3_the_moves_are_on_the_screen(page, role):
    page.wait_plies(1)
    shown = "const move = document.querySelector('.moves .move'); const box = move.getBoundingClientRect();" \
        "return [move.textContent, move.checkVisibility(), box.width > 0 && box.left >= 0 && box.right <= innerWidth]"
    equal(page.run(shown), ["e4", True, True], f"the list of moves for {role}")


def online_2_4_the_page_explains_itself(page):
    page.go("/help")
    page.wait("return document.querySelectorAll('.document section').length > 3", "what the page explains")
    page.go("/")
    page.wait("return document.querySelector('.new-game') !== null", "a game for practice")


def online_3_1_the_right_lower_corner_is_light(page, role):
    corner = page.run("const all = [...document.querySelectorAll('.square')]; const last = all[all.length - 1];"
                      "return [all.length, last.dataset.square, last.classList.contains('light')]")
    equal(corner, [64, "a8" if role == "black" else "h1", True], f"the right lower corner for {role}")


def online_4_1_both_clocks_are_shown(page, role):
    clocks = page.run("return [...document.querySelectorAll('.clock')].filter((clock) => clock.checkVisibility()).map((clock) => clock.textContent)")
    equal([len(clocks), all(re.search(r"\d:\d\d", clock) for clock in clocks)], [2, True], f"the clocks for {role}: {clocks}")


def laws_2_4_squares_have_their_names(page, role):
    names = page.run("return [...document.querySelectorAll('.square')].map((cell) => [cell.dataset.square, cell.getAttribute('aria-label').split(',')[0]])")
    equal([one for one, other in names if one != other], [], f"the names of squares for {role}")
    written = page.run("return [...document.querySelectorAll('.square')].flatMap((cell) => ['::before', '::after'].map((part) => getComputedStyle(cell, part)))"
                       ".map(({display, content}) => (display === 'none' ? '' : content))")
    found = sorted(text[1] for text in written if re.fullmatch(r'"[a-h1-8]"', text))
    equal(found, list("12345678abcdefgh"), f"the coordinates for {role}")


def check_times(binary, base, folder, page):
    """How quick the page is: best of several, since the machine may have other work. Milliseconds."""
    starts, paints, moves = [], [], []
    for _ in range(10):
        port = free_port()
        begin = time.perf_counter()
        server = subprocess.Popen([binary, "board", "--port", str(port), "--state", str(folder / "times.sqlite")], env=ENVIRONMENT,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.001)
        starts.append(1000 * (time.perf_counter() - begin))
        server.terminate()
        server.wait()
    for _ in range(10):
        page.go("/", fresh=True)
        paints.append(page.wait("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime", "the first paint"))
    # From the release of the button until the frame with the piece on its new square is about to be drawn; and until the
    # server has accepted the move and told it.
    page.setting("animation", False)
    made = new_game(base)
    for mv in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "d2d3", "f8e7"):
        side = "white" if len(moves) % 2 == 0 else "black"
        page.go("/help")
        page.go(f"/game/{made['id']}#{made['tokens'][side]}", fresh=True)
        page.wait_turn()
        page.run("window.told = null; addEventListener('pointerup', () => { window.released = performance.now(); }, true);"
                 "const count = () => document.querySelectorAll('.moves .move').length; const before = count();"
                 "new MutationObserver(() => { if (count() > before && !window.told) requestAnimationFrame(() => { window.told = performance.now() - window.released; }); })"
                 ".observe(document.body, {childList: true, subtree: true});")
        page.move(mv)
        moves.append(page.wait("return window.told", f"{mv} is shown"))
    for name, times in (("from the start to the page", starts), ("first paint", paints), ("a move is shown", moves)):
        times.sort()
        print(f"{name}: {times[0]:.1f} ms, median {times[len(times) // 2]:.1f} ms, worst {times[-1]:.1f} ms")


def check_states(base, page, what):
    """Accessibility of what appears only in the course of things: roles, questions, offers, dialogs."""
    def see(name):
        page.check_width(f"{name} {what}")
        page.check_accessible(f"{name} {what}")

    made = new_game(base, time_control="600", rules="otb", casual=True)
    page.go(f"/game/{made['id']}#{made['tokens']['arbiter']}")
    page.wait("return document.querySelector('.panels .panel') !== null", "the panel of the arbiter")
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    see("the arbiter")
    page.go("/help")
    page.run("sessionStorage.clear()")
    page.go(f"/game/{made['id']}#{made['tokens']['white']}")
    page.wait_turn()
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    for words in ("Offer a draw", "Resign", "Claim a draw"):
        page.button(words)
        page.wait("return document.querySelector('dialog[open]') !== null", words)
        see(words)
        page.close_dialog()
    # Over the board a draw can be agreed upon only when both have moved.
    for side, mv in (("white", "e2e4"), ("black", "e7e5")):
        page.post(made, side, {"act": "move", "move": mv})
    page.post(made, "black", {"act": "offer_draw"})
    page.wait("return document.querySelector('.offer') !== null", "the offer")
    see("an offer")
    made = new_game(base, start={"fen": "7k/P7/8/8/8/8/8/K7 w - - 0 1"})
    page.go(f"/game/{made['id']}#{made['tokens']['white']}")
    page.wait_turn()
    page.move("a7a8")
    page.wait("return document.querySelectorAll('.promotion button').length === 4", "the question")
    see("a promotion")
    page.click(".promotion button", 0)
    page.wait_plies(1)
    page.post(made, "white", {"act": "resign"})
    page.wait("return document.querySelector('dialog[open]') !== null", "the end")
    see("the end of a game")
    page.close_dialog()
    see("a game that is over")
    page.go("/")
    page.wait("return document.querySelector('input[value=friend]') !== null", "the form")
    page.run("document.querySelector('input[value=friend]').click()")
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    see("a new game with a friend")
    page.button("Make the link")
    page.wait("return document.querySelector('.link-row input') !== null", "the link")
    see("an invitation")
    page.go("/analyse")
    page.button("Paste or open")
    see("the dialog to paste")
    page.run("document.querySelector('textarea.paste').value = arguments[0]", PGN)
    page.button("Show it")
    page.wait("return document.querySelectorAll('.notation .move').length === 10", "the game")
    see("an analysis")
    page.click("[aria-label='Picture of this position']")
    page.wait("return document.querySelector('dialog[open] img')?.naturalWidth > 0", "the picture")
    see("a picture")
    page.close_dialog()
    page.go("/study")
    page.wait("return document.querySelector('.source textarea') !== null", "the form")
    page.run("document.querySelector('.source textarea').value = '1. e4 e5 2. Nf3 Nc6 *'")
    page.button("Begin")
    page.wait_status("Guess the moves of White")
    see("a study")
    for view in ("players", "openings", "crosstable"):
        page.go(f"/explore/0?view={view}&moves=e4")
        page.wait("return document.querySelector('.explore-table tbody th a') !== null", view)
        page.wait("return document.querySelector('.opening-tree tbody .move') !== null", "the moves")
        see(view)


def check_nothing(page, what):
    """Where there is nothing, the page says so and leads on."""
    page.check_quiet(f"before addresses without anything {what}")
    for path, text in (("/nowhere", "There is nothing at this address"), ("/game/nothing", "There is no such game"), ("/tournament/nothing", "There is no such tournament")):
        page.go(path, fresh=True)
        page.wait("return document.querySelector('[role=alert] h1')?.textContent === arguments[0]", text, text)
        page.check_width(f"{path} {what}")
        page.check_accessible(f"{path} {what}")
    page.run("document.querySelector('[role=alert] a').click()")
    page.wait("return location.pathname === '/' && document.querySelector('.new-game') !== null", "the first page")
    # The browser tells of each answer 404.
    page.log("browser")


def check_watch(binary, page, what):
    """The page of a match between engines, while it is played."""
    engines = [word for name in ("One", "Two") for word in ("--engine", f"cmd={binary}", f"name={name}")]
    # It goes on for as long as it is looked at.
    words = ["--each", "tc=60+0.1", "nodes=100", "--maxmoves", "30", "--rounds", "100000", "--repeat", "--sprt", "elo0=0", "elo1=0.1"]
    with live_match(binary, [*engines, *words]) as address:
        base = page.base
        page.base = address
        page.go("/watch")
        page.wait("return document.querySelector('.live-board .square') !== null", "the board")
        page.wait("return document.querySelector('.watch .tree') !== null", "the table")
        page.wait("return document.querySelector('.llr polyline')?.points.length > 1", "the curve of the test")
        told = page.run("const box = document.querySelector('.llr svg').getBoundingClientRect(); return [document.querySelector('.llr figcaption').textContent, box.width > 200 && box.height > 50]")
        equal([told[0].startswith("LLR "), told[0].endswith("Elo 0 or 0.1"), told[1]], [True, True, True], f"the test: {told}")
        # The games are followed by links, positions and moves.
        equal(len(page.copied(lambda: page.button("FEN")).split()), 6, "the position")
        # The games are short: one that has just begun has no move yet.
        for _ in range(100):
            pgn = page.copied(lambda: page.button("PGN"))
            if "\n1. " in pgn:
                break
        for part in ('"One"]', '"Two"]', "\n1. "):
            equal(part in pgn, True, f"{part} in {pgn}")
        equal(page.copied(lambda: page.click("button[aria-label='Copy the link to watch']")), page.base + "/watch", "the link")
        page.click("button[aria-label='Picture of this position']")
        page.wait("return document.querySelector('dialog[open] img')?.naturalWidth > 0", "the picture")
        page.close_dialog()
        page.check_width(f"the match {what}")
        page.check_accessible(f"the match {what}")
        page.base = base


def check_views(base, page, what, fresh):
    # So many moves with clocks are wider than a telephone.
    made = new_game(base, time_control="300+3")
    for index, mv in enumerate("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5".split()):
        page.post(made, ("white", "black")[index % 2], {"act": "move", "move": mv})
    for path in ("/", f"/game/{made['id']}#{made['tokens']['white']}", "/analyse", "/explore", "/study", "/editor", "/tournament", "/openings", "/help"):
        page.go(path, fresh)
        page.check_width(f"{path.split('#')[0]} {what}")
        page.check_accessible(f"{path.split('#')[0]} {what}")
    page.run("document.getElementById('settings').click()")
    page.check_width(f"settings {what}")
    page.check_accessible(f"settings {what}")


def make_collection(binary, folder):
    games, collection = folder / "games.pgn", folder / "games.hdb"
    games.write_text(GAMES)
    if not collection.exists():
        subprocess.run([binary, "db", "create", str(collection), str(games)], check=True, capture_output=True)
    return str(collection)


def main():
    folder = own_folder()
    for old in folder.glob("board.sqlite*"):
        old.unlink()
    wish = sys.argv[3] if len(sys.argv) > 3 else None
    server, base = (None, wish) if wish and wish != "--times" else start(sys.argv[1], folder, [make_collection(sys.argv[1], folder)])
    try:
        if wish == "--times":
            with Page(base) as page:
                check_times(sys.argv[1], base, folder, page)
            return
        with Page(base) as ann, Page(base) as bob:
            check_mate(base, ann, bob)
            check_draw(base, ann, bob)
            check_flag(base, ann, bob)
            check_options(base, ann, bob)
            check_keyboard(base, bob)
            check_engine(base, ann)
            check_analysis(ann)
            check_study(ann)
            check_explore(ann)
            check_completion(ann)
            check_explore_address(ann)
            check_tables(ann)
            check_positions(base, ann)
            check_editor(ann)
            check_views(base, ann, "at 1280 px", fresh=True)
            check_states(base, ann, "at 1280 px")
            check_articles(base, ann)
            check_nothing(ann, "at 1280 px")
            ann.check_quiet("the first browser")
            bob.check_quiet("the second browser")
        with Page(base, 320, 700, dark=True, touch=True) as page:
            check_views(base, page, "at 320 px", fresh=False)
            check_states(base, page, "at 320 px")
            check_articles(base, page)
            made = new_game(base)
            page.go(f"/game/{made['id']}#{made['tokens']['white']}")
            page.wait_turn()
            page.move("e2e4")
            page.wait_plies(1)
            # The tap that asks what a pawn becomes does not answer as well.
            made = new_game(base, start={"fen": "7k/P7/8/8/8/8/8/K7 w - - 0 1"})
            page.go(f"/game/{made['id']}#{made['tokens']['white']}")
            page.wait_turn()
            page.move("a7a8")
            page.wait("return document.querySelectorAll('.promotion button').length === 4", "the question after a tap")
            page.click(".promotion button", 1)
            page.wait_plies(1)
            equal(page.state()["moves"], ["a8=N"], "the promotion by touch")
            back = page.run("return getComputedStyle(document.body).backgroundColor")
            if sum(map(int, re.findall(r"\d+", back)[:3])) > 3 * 64:
                raise AssertionError(f"the dark page is {back}")
            page.check_quiet("the telephone")
        with Page(base, 3840, 2160) as page:
            check_views(base, page, "at 3840 px", fresh=False)
            # There is room for a board that is larger than elsewhere.
            page.go("/analyse")
            width = page.run("return document.querySelector('.board').getBoundingClientRect().width")
            if width < 1200:
                raise AssertionError(f"the board is {width} px wide on a screen of 3840 x 2160 px, expected at least 1200 px")
            page.check_quiet("the large screen")
        if server:
            for width, is_dark in ((1280, False), (320, True)):
                with Page(base, width, 800, dark=is_dark) as page:
                    check_watch(sys.argv[1], page, f"at {width} px")
    finally:
        if server:
            server.terminate()
            server.wait()
    print("the board does what it should")


if __name__ == "__main__":
    main()
