"""Begins games with an opening, and with a book of the computer, on the first page of `hematite board` in headless Chromium, and
watches the small boards of its lists.

Usage: board_home.py HEMATITE FOLDER.
"""

import json
import subprocess
import sys
import urllib.request

from browser import equal
from page import Page, new_game, own_folder, post, served

# What the small boards show: the game, the letters of the pieces, and the marks of the last move.
BOARDS = """return [...document.querySelectorAll('.mini')].map((mini) =>
  [mini.dataset.game, mini.querySelectorAll('.piece').length, mini.querySelectorAll('.last').length])"""


def choose_opening(page, text, keys):
    """Types into the field for an opening, and chooses one by keys."""
    page.run("document.querySelector('.more').open = true; document.querySelector('input[value=opening]').click()")
    page.wait("return document.querySelector('.opening-field input') !== null", "the field")
    page.run("const field = document.querySelector('.opening-field input'); field.value = ''; field.focus()")
    page.type(".opening-field input", text)
    page.wait("return document.querySelectorAll('.opening-field li').length > 0", "what is proposed")
    page.check_accessible("proposed openings")
    page.press(*keys)


def check_opening(base, page):
    """An opening is found by a part of its name, and the game begins behind its moves."""
    page.go("/")
    page.run("document.querySelector('input[value=shared]').click()")
    choose_opening(page, "sicilian najdorf", ["Down", "Enter"])
    equal(page.run("return [document.querySelector('.opening-field input').value, document.querySelector('.opening-field small').textContent]"),
          ["Sicilian Defense: Najdorf Variation", "B90 · 1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"], "the opening")
    # What is typed and not chosen is no opening.
    page.type(".opening-field input", "x")
    equal(page.run("return document.querySelector('.opening-field input').checkValidity()"), False, "half a name")
    choose_opening(page, "najdorf", ["Enter"])
    equal(page.run("return document.querySelector('.opening-field input').checkValidity()"), True, "a whole name")
    page.button("Play")
    page.wait("return location.pathname.startsWith('/game/')", "the game")
    page.wait("return document.querySelector('[data-square=a6]')?.getAttribute('aria-label').startsWith('a6, black pawn')", "the position")
    page.move("f1e2")
    page.wait_plies(1)


def check_boards(base, page):
    """Games that are played have small boards in the list, which follow the moves; games that are over have none."""
    game = new_game(base, time_control="300")
    page.go("/")
    page.wait("return document.querySelector(`.mini[data-game='${arguments[0]}'] .piece`) !== null", "the board", game["id"])
    boards = {name: rest for name, *rest in page.run(BOARDS)}
    equal(boards[game["id"]], [32, 0], "the start")
    page.post(game, "white", {"act": "move", "move": "e2e4"})
    page.wait("return document.querySelectorAll(`.mini[data-game='${arguments[0]}'] .last`).length === 2", "the move", game["id"])
    equal(page.run("return document.querySelector(`.mini[data-game='${arguments[0]}'] .runs`) !== null", game["id"]), True, "the clock that runs")
    page.check_accessible("small boards")
    page.check_width("small boards")
    page.post(game, "black", {"act": "resign"})
    page.wait("return document.querySelector(`.mini[data-game='${arguments[0]}'] .mini-clocks`)?.textContent === '1–0'", "the result", game["id"])
    page.go("/help")
    page.go("/")
    page.wait("return document.querySelector('.game-list') !== null", "the list again")
    equal([name for name, *_ in page.run(BOARDS) if name == game["id"]], [], "a game that is over")
    # At most twelve games are asked for.
    for _ in range(14):
        new_game(base)
    page.go("/help")
    page.go("/")
    page.wait("return document.querySelectorAll('.mini .piece').length > 0", "boards")
    if page.run("return document.querySelectorAll('.mini').length") > 12:
        raise AssertionError("more than twelve boards")


def check_round(base, page):
    """The games of a tournament that are played have boards, too."""
    made = post(base, "/api/tournaments", {"name": "Club", "format": {"round_robin": {}}, "begin": "at_once", "game": {"time_control": "600"}})
    address = f"/api/tournaments/{made['id']}/acts"

    def act(token, act):
        request = urllib.request.Request(base + address, json.dumps({"act": act}).encode(), {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    host = made["tokens"]["host"]
    link = act(host, {"act": "invite", "players": 2})["token"]
    for name in ("Ann", "Bob"):
        act(link, {"act": "join", "name": name})
    act(host, {"act": "start"})
    page.go(f"/tournament/{made['id']}")
    page.wait("return document.querySelectorAll('.tournament .mini .piece').length === 32", "the board of the game")
    page.check_accessible("the round")


def check_book(base, page):
    """The computer gets one of the books, and plays by it."""
    page.go("/")
    page.run("document.querySelector('input[value=engine]').click()")
    page.wait("return document.querySelector('.level') !== null", "the levels")
    page.run("document.querySelector('.more').open = true; document.querySelector('input[value=standard]').click()")
    fields = "[...document.querySelectorAll('.new-game label')].filter((label) => label.textContent.startsWith('Opening book'))"
    page.wait(f"return {fields}.length === 1", "the books")
    equal(page.run(f"return [...{fields}[0].querySelectorAll('option')].map((option) => option.textContent)"), ["None", "odd.bin", "other.bin"], "the choices")
    page.run(f"const list = {fields}[0].querySelector('select'); list.value = 'odd.bin'; list.dispatchEvent(new Event('change'))")
    page.check_accessible("the choice of a book")
    page.button("Play")
    page.wait_status("book: odd.bin")
    page.move("a2a4")
    page.wait_plies(2)
    equal(page.state()["moves"][1].startswith("h5"), True, "the move of the book")


def main():
    folder = own_folder()
    games, books = folder / "odd.pgn", [folder / name for name in ("odd.bin", "other.bin")]
    games.write_text('[Result "0-1"]\n\n1. a4 h5 0-1\n')
    for book in books:
        subprocess.run([sys.argv[1], "book", "make", "--min-games", "1", "--output", str(book), str(games)], check=True, stdout=subprocess.DEVNULL)
    with served(folder, [word for book in books for word in ("--book", str(book))]) as base, Page(base) as page:
        for check in (check_opening, check_book, check_boards, check_round):
            check(base, page)
        page.check_quiet("the browser")
    print("games are begun and watched")


if __name__ == "__main__":
    main()
