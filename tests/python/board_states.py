"""Shows the moves that follow beside the analysis board, from every source, and checks that what is shown has an address which
loads, and that the back key undoes the last step, on the page of `hematite board` in headless Chromium.

Usage: board_states.py HEMATITE FOLDER.
"""

import shutil
import subprocess
import sys
import urllib.parse

from browser import equal
from page import Page, own_folder, served


def game(white, black, result, moves):
    return f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n{moves} {result}\n\n'


FILE = game("Ann", "Bob", "1-0", "1. e4 e5 2. Nf3 Nc6 3. Bb5") + game("Ann", "Cid", "0-1", "1. e4 c5 2. Nf3") + game("Bob", "Ann", "1/2-1/2", "1. d4 d5 2. c4")
OTHER = game("Dan", "Eve", "1-0", "1. c4 e5")
KEPT = game("Fay", "Gus", "0-1", "1. Nf3 d5") + game("Fay", "Hal", "0-1", "1. Nf3 Nf6") + game("Fay", "Ian", "1-0", "1. e4 d6")

# Moves of the panel with their numbers.
ROWS = "return [...document.querySelectorAll('.next-moves tbody tr')].map((row) => [row.querySelector('.move').textContent, row.querySelector('.number').textContent])"
SELECTED = "document.querySelector('.next-moves [aria-selected=true]')?.textContent"
PARAMETERS = "return Object.fromEntries(new URLSearchParams(location.search))"


def back(page):
    page.command("POST", "/back", {})


def wait_rows(page, rows, what):
    page.wait(ROWS.replace("return ", "return JSON.stringify(") + ") === JSON.stringify(arguments[0])", what, rows)


def wait_tab(page, name):
    page.wait(f"return {SELECTED} === arguments[0]", f"the tab {name}", name)


def press_move(page, san):
    page.wait("const move = [...document.querySelectorAll('.next-moves .move')].find((button) => button.textContent === arguments[0]); move?.focus(); move?.click(); return Boolean(move)", f"the move {san}", san)


def current(page):
    return page.run("return document.querySelector('.notation .move[aria-current]')?.textContent ?? null")


def check_sources(page):
    """Each source has a tab; a move that is clicked is played, and there is a way back."""
    page.go("/analyse?own=next", fresh=True)
    page.wait("return document.querySelector('.next-moves') !== null", "the panel")
    equal(page.run("return document.querySelector('.next-moves').open"), False, "the panel is closed at first")
    page.click(".next-moves summary")
    wait_rows(page, [["e4", "2 67 %"], ["d4", "1 33 %"]], "the moves of the file")
    equal(page.run("return [...document.querySelectorAll('.next-moves [role=tab]')].map((tab) => tab.textContent)"), ["File", "Collection", "Names", "Book"], "the tabs")
    equal(page.run(PARAMETERS), {"own": "next", "next": "0"}, "the address of the first source")
    page.check_accessible("the next moves of a file")
    press_move(page, "e4")
    wait_rows(page, [["e5", "1 50 %"], ["c5", "1 50 %"]], "the answers")
    equal(current(page), "1. e4", "the move that was played")
    page.wait("return document.activeElement.textContent === 'e5'", "the focus goes to the first answer")
    press_move(page, "c5")
    wait_rows(page, [["Nf3", "1 100 %"]], "the moves after two plies")
    page.click(".next-moves .tab-row > button")
    wait_rows(page, [["e5", "1 50 %"], ["c5", "1 50 %"]], "one move back")
    page.press("Home")
    wait_rows(page, [["e4", "2 67 %"], ["d4", "1 33 %"]], "the start")
    equal(page.run("return document.querySelector('.next-moves .tab-row > button').disabled"), True, "no way back from the start")
    # Another file of the same kind.
    page.run("const list = document.querySelector('.next-moves select'); list.value = '1'; list.dispatchEvent(new Event('change'))")
    wait_rows(page, [["c4", "1 100 %"]], "the moves of the other file")
    back(page)
    wait_rows(page, [["e4", "2 67 %"], ["d4", "1 33 %"]], "the first file again")


def check_tabs(page):
    """Arrow keys go through the tabs, and do not step through the game."""
    page.run("document.querySelector('.next-moves [aria-selected=true]').focus()")
    page.press("Right")
    wait_tab(page, "Collection")
    wait_rows(page, [["Nf3", "2 67 %"], ["e4", "1 33 %"]], "the moves of the collection")
    page.press("Right")
    wait_tab(page, "Names")
    page.wait("return document.querySelector('.next-moves thead')?.textContent.includes('Lines')", "lines")
    first = page.run(ROWS)[0]
    equal(first[0], "e4", "most names begin with")
    page.check_accessible("the next moves of the names")
    page.press("Right")
    wait_tab(page, "Book")
    # A win is 2 points, a draw is 1.
    wait_rows(page, [["e4", "4 80 %"], ["d4", "1 20 %"]], "the moves of the book")
    equal(page.run("return [...document.querySelectorAll('.next-moves .named')].map((name) => name.textContent)"), ["B00 King's Pawn Game", "A40 Queen's Pawn Game"], "the openings")
    page.check_accessible("the next moves of a book")
    page.press("Home")
    wait_tab(page, "File")
    page.press("Left")
    wait_tab(page, "Book")
    equal(page.run("return [document.activeElement.textContent, document.querySelectorAll('.next-moves [role=tab][tabindex=\"0\"]').length]"), ["Book", 1], "one stop of the Tab key")
    for name in ("File", "Book", "Names", "Collection", "File"):
        back(page)
        wait_tab(page, name)
    back(page)
    page.wait("return !document.querySelector('.next-moves').open", "the panel is closed again")


def check_next_address(page):
    """The address of a source loads; the next game begins with it; tried moves are not saved; illegal positions have none."""
    page.go("/analyse/0/1?next=names", fresh=True)
    wait_tab(page, "Names")
    page.press("]")
    page.wait("return location.pathname === '/analyse/0/2' && location.search === '?next=names'", "the next game with the panel")
    wait_tab(page, "Names")
    # For a source that this board does not have there is the usual one.
    page.go("/analyse/0/3?next=17", fresh=True)
    wait_tab(page, "File")
    page.wait("return location.search === '?next=0'", "the address of what is shown")
    page.press("t")
    press_move(page, "e4")
    page.wait("return document.querySelector('.scratch-moves')?.textContent.includes('e4')", "a tried move")
    page.click(".next-moves .tab-row > button")
    page.wait("return document.querySelector('.next-moves .tab-row > button').disabled", "back at the position of the game")
    page.press("t")
    equal(page.run("return document.querySelectorAll('.notation .move').length"), 3, "the game is as it was")
    page.go("/analyse?fen=" + urllib.parse.quote("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") + "&next=book", fresh=True)
    page.wait("return document.querySelector('.next-moves caption')?.textContent === 'The book has no move here.'", "no move of the book")
    page.click(".next-moves summary")
    page.wait("return !location.search.includes('next')", "closed")


def check_text(page):
    """The text of the game has an address."""
    shown = "return document.querySelector('.pgn-pane')?.hidden === false && document.querySelector('.pgn-text').value.includes('Bb5')"
    page.go("/analyse/0/1#m0.0", fresh=True)
    page.wait("return document.querySelectorAll('.notation .move').length === 5", "the game")
    page.button("Text")
    page.wait(shown, "the text")
    equal(page.run("return location.search + location.hash"), "?text=1#m0.0", "the address of the text")
    back(page)
    page.wait("return document.querySelector('.pgn-pane').hidden && document.querySelector('.notation').offsetParent !== null", "the moves again")
    equal(page.run("return location.search + location.hash"), "#m0.0", "the address of the moves")
    page.command("POST", "/forward", {})
    page.wait(shown, "the text again")
    page.go("/analyse/0/1?text=1#m0.0.0", fresh=True)
    page.wait(shown, "the text of the address")
    equal(current(page), "2. Nf3", "the place of the address")
    page.button("Text")
    page.wait("return location.search === ''", "without text")


def check_order(page):
    """The order of the moves of the explorer has an address."""
    moves = "return [...document.querySelectorAll('.opening-tree .tree .move')].map((move) => move.textContent).join(' ')"
    sorted_by = "return document.querySelector('.opening-tree [aria-sort] button')?.textContent"
    page.go("/explore/0", fresh=True)
    page.wait(f"{moves} === 'e4 d4'", "the moves by games")
    page.button("Last")
    page.wait(f"{sorted_by} === 'Last'", "by year")
    equal(page.run("return location.search"), "?tree=year", "the address of the order")
    page.button("Score")
    page.wait(f"{sorted_by} === 'Score'", "by score")
    press = "[...document.querySelectorAll('.opening-tree .tree .move')].find((move) => move.textContent === 'e4').click()"
    page.run(press)
    page.wait("return location.search === '?moves=e4&tree=score'", "the order stays with the next move")
    page.wait(f"{moves} === 'e5 c5' || {moves.removeprefix('return ')} === 'c5 e5'", "the answers")
    back(page)
    back(page)
    page.wait(f"{sorted_by} === 'Last'", "back to the years")
    back(page)
    page.wait(f"{sorted_by} === 'Games'", "back to the games")
    page.go("/explore/0?moves=e4&tree=score", fresh=True)
    # Black scores with 1... c5.
    page.wait(f"{moves} === 'c5 e5'", "the order of the address")


def check_pattern(page):
    """A pattern has an address, and each step of it can be undone."""
    term = "return document.querySelector('.pattern-query')?.textContent"
    page.go("/editor?" + urllib.parse.urlencode({"fen": "8/8/8/8/3P4/8/8/8 w - - 0 1", "wild": "c5a", "count": "Q=1 p>=7", "either": "1"}), fresh=True)
    whole = 'at(pattern:"8/8/8/2a5/3P4/8/8/8" material:"Q=1 p>=7") any-color'
    page.wait(f"{term} === arguments[0]", "the pattern of the address", whole)
    equal(page.run("return document.querySelector('.pattern').open"), True, "it is open")
    page.run("document.querySelector('.pattern .check input').click()")
    page.wait(f"{term} === arguments[0]", "without the other colors", whole.removesuffix(" any-color"))
    page.run("const list = document.querySelectorAll('.count-of select')[0]; list.value = ''; list.dispatchEvent(new Event('change'))")
    page.wait(f"{term} === arguments[0]", "without queens", 'at(pattern:"8/8/8/2a5/3P4/8/8/8" material:"p>=7")')
    page.button("No piece")
    page.pointer("mouse", page.middle("e2"), page.middle("f2"), page.middle("g2"))
    drawn = 'at(pattern:"8/8/8/2a5/3P4/8/4...1/8" material:"p>=7")'
    page.wait(f"{term} === arguments[0]", "three squares", drawn)
    back(page)
    page.wait(f"{term} === arguments[0]", "the squares are one step", 'at(pattern:"8/8/8/2a5/3P4/8/8/8" material:"p>=7")')
    back(page)
    page.wait(f"{term} === arguments[0]", "the queens again", whole.removesuffix(" any-color"))
    equal(page.run("return document.querySelectorAll('.count-of select')[0].value"), "=", "the choice for the queens")
    back(page)
    page.wait(f"{term} === arguments[0]", "the other colors again", whole)
    equal(page.run("return document.querySelector('.pattern .check input').checked"), True, "the box for them")


def check_study(page):
    """A study has an address, with the game that is asked."""
    def wait_status(text):
        page.wait("return document.querySelector('.status')?.textContent.includes(arguments[0])", text, text)

    page.go("/study", fresh=True)
    page.wait("return document.querySelector('.source .query input') !== null", "the files")
    page.run("document.querySelector('.source .query input').value = 'player:ann'; document.querySelector('.source input[value=black]').click()")
    page.run("document.querySelector('.source .query button').click()")
    wait_status("Ann – Bob")
    asked = {"side": "black", "what": "games", "all": "0", "judge": "0", "equal": "none", "file": "0", "query": "player:ann"}
    equal(page.run(PARAMETERS), asked, "the address of the study")
    page.button("Skip")
    wait_status("Ann – Cid")
    equal(page.run(PARAMETERS), {**asked, "game": "2"}, "the address of the second game")
    page.command("POST", "/refresh", {})
    wait_status("Ann – Cid")
    back(page)
    wait_status("What would you like to study?")
    # Other settings in the address than those that were chosen last; they are shown.
    page.go("/study?file=0&side=white&what=games&game=3", fresh=True)
    wait_status("Bob – Ann")
    equal(page.run("return document.querySelector('.source input[value=white]').checked"), True, "the side of the address")
    # A game that was handed over.
    page.go("/analyse/0/2", fresh=True)
    page.wait("return document.querySelectorAll('.notation .move').length === 3", "the game")
    page.button("Study")
    page.wait("return location.pathname === '/study' && document.querySelector('.status')?.textContent.includes('Ann – Cid')", "the game that was handed over")
    page.command("POST", "/refresh", {})
    wait_status("Ann – Cid")
    back(page)
    page.wait("return location.pathname === '/analyse/0/2'", "the analysis")
    page.go("/study?own=none", fresh=True)
    page.wait("return document.querySelector('.toasts').textContent.includes('kept in its window only')", "what is not there any more")


def main():
    folder = own_folder()
    files = {name: folder / name for name in ("a.pgn", "b.pgn", "kept.hdb", "book.bin")}
    # A collection is a folder.
    shutil.rmtree(files["kept.hdb"], ignore_errors=True)
    files["a.pgn"].write_text(FILE)
    files["b.pgn"].write_text(OTHER)
    kept = folder / "kept.pgn"
    kept.write_text(KEPT)
    for command in (["db", "create", files["kept.hdb"], kept], ["book", "make", "--min-games", "1", "--output", files["book.bin"], files["a.pgn"], kept]):
        subprocess.run([sys.argv[1], *command], check=True, stdout=subprocess.DEVNULL)
    arguments = [str(files[name]) for name in ("a.pgn", "b.pgn", "kept.hdb")] + ["--book", str(files["book.bin"])]
    with served(folder, arguments) as base, Page(base) as page:
        for check in (check_sources, check_tabs, check_next_address, check_text, check_order, check_pattern, check_study):
            check(page)
        page.check_quiet("the browser")
    print("next moves are shown, and states have addresses")


if __name__ == "__main__":
    main()
