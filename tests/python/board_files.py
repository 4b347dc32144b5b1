"""Looks for patterns, edits the games of a file and their text, compares and prints games on the page of `hematite board` in headless
Chromium as people do.

Usage: board_files.py HEMATITE FOLDER.
"""

import urllib.parse

from browser import equal
from page import Page, own_folder, served

GAMES = """[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 {Best.} e5 2. Nf3 Nc6 3. Bc4 Bc5 1-0

[White "Cid"]
[Black "Ann"]
[Result "0-1"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 0-1

[White "Eve"]
[Black "Fay"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *
"""


def paste(page, text, selector="body"):
    page.run("const data = new DataTransfer(); data.setData('text', arguments[0]);"
             "document.querySelector(arguments[1]).dispatchEvent(new ClipboardEvent('paste', {bubbles: true, cancelable: true, clipboardData: data}))", text, selector)


def choose(page, selector, index, value):
    page.run("const field = document.querySelectorAll(arguments[0])[arguments[1]]; field.value = arguments[2];"
             "field.dispatchEvent(new Event('input', {bubbles: true})); field.dispatchEvent(new Event('change', {bubbles: true}))", selector, index, value)


# The players of White, without the sign of games with comments.
WHITES = "[...document.querySelectorAll('.game-row .names')].map((row) => row.textContent.split(' – ')[0].split(': ').pop())"


def whites(page):
    return page.run(f"return {WHITES}")


def check_pattern(page):
    """Pieces and wildcards of the editor, and numbers of pieces, become a query."""
    page.go("/editor?fen=" + urllib.parse.quote("8/8/8/8/8/8/8/8 w - - 0 1"))
    page.click(".pattern summary")
    equal(page.run("return document.querySelector('.pattern .primary').disabled"), True, "nothing to look for")
    page.click(".palette button", 6)
    page.pointer("mouse", page.middle("d4"))
    page.button("Any black piece")
    page.pointer("mouse", page.middle("c5"))
    page.button("No piece")
    page.pointer("mouse", page.middle("e2"))
    page.pointer("mouse", page.middle("h8"))
    page.pointer("mouse", page.middle("h8"))
    equal(page.run("return ['c5', 'e2', 'h8'].map((square) => document.querySelector(`[data-square=${square}]`).getAttribute('aria-label'))"),
          ["c5, any black piece", "e2, must be empty", "h8, empty"], "what the squares are called")
    choose(page, ".count-of select", 0, "=")
    choose(page, ".count-of select", 9, ">=")
    choose(page, ".count-of input", 9, "7")
    page.run("document.querySelector('.pattern .check input').click()")
    query = 'at(pattern:"8/8/8/2a5/3P4/8/4.3/8" material:"Q=1 p>=7") any-color'
    equal(page.run("return document.querySelector('.pattern-query').textContent"), query, "the term")
    page.check_accessible("a pattern")
    # The address has it all.
    page.wait("return location.search.includes('wild=c5ae2.')", "the wildcards in the address")
    page.command("POST", "/refresh", {})
    page.wait("return document.querySelector('.pattern-query')?.textContent === arguments[0]", "the pattern again", query)
    equal(page.run("return [...document.querySelectorAll('.count-of input:not([hidden])')].map((input) => input.value)"), ["1", "7"], "the numbers again")
    page.run("document.querySelector('.pattern .check input').click()")
    choose(page, ".count-of select", 0, "")
    choose(page, ".count-of select", 9, "")
    page.button("Find games")
    page.wait("return document.querySelector('.query input')?.value === arguments[0]", "the query", 'pattern:"8/8/8/2a5/3P4/8/4.3/8"')
    page.wait("return document.querySelector('.count')?.textContent === '1 game'", "the game")
    equal(whites(page), ["Cid"], "the game that was found")


def check_paste(page):
    """A position that is pasted is set up, whatever has the focus, and told what is wrong; games go to the analysis."""
    page.go("/editor")
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    paste(page, fen + "\n")
    page.wait("return document.querySelector('input[aria-label=FEN]').value === arguments[0]", "the position", fen)
    equal(page.run("return location.pathname"), "/editor", "the view")
    paste(page, "8/8/8/8/8/8/8/4K2R w K - 0 1", "input[aria-label=FEN]")
    page.wait("return document.querySelectorAll('.problems.bad li').length > 0", "what is wrong with it")
    paste(page, "1. f4 *")
    page.wait("return document.querySelector('.notation .move')?.textContent.includes('f4')", "a game in the analysis")


def check_openings(page):
    """Names of openings open their parts, and lead to their games; where one game is left it is offered."""
    page.go("/explore/0?view=openings")
    page.wait("return document.querySelectorAll('.openings tbody tr').length === 3", "three families")
    page.wait("const opens = [...document.querySelectorAll('.opens')].find((one) => one.getAttribute('aria-label').includes('Sicilian')); opens?.click(); return Boolean(opens)", "the Sicilian")
    page.wait("return document.querySelector('.depth-1')?.textContent.includes('Najdorf Variation')", "its variation")
    page.check_accessible("the tree of openings")
    page.run("document.querySelector('.depth-1 .opens').click()")
    page.wait("return document.querySelector('.depth-2') !== null", "its names")
    page.run("document.querySelector('.opens[aria-expanded=true]').click()")
    equal(page.run("return [...document.querySelectorAll('.depth-1, .depth-2')].every((row) => row.hidden)"), True, "closed with all below")
    page.run("[...document.querySelectorAll('.openings a')].find((link) => link.textContent.startsWith('Sicilian')).click()")
    page.wait("return document.querySelector('.count')?.textContent === '1 game' && location.search.includes('opening')", "its game")
    page.go("/explore/0?moves=" + urllib.parse.quote("e4 e5 Nf3 Nc6"))
    page.wait("return document.querySelectorAll('.tree tbody tr').length === 2", "two moves")
    equal(page.run("return document.querySelector('.single').textContent"), "", "nothing to offer")
    page.wait("const move = [...document.querySelectorAll('.tree button.move')].find(({textContent}) => textContent === 'Bb5'); move?.click(); return Boolean(move)", "a move")
    page.wait("return document.querySelector('.single')?.textContent.includes('One game is left: Eve – Fay')", "the game is offered")
    equal(page.run("return location.pathname"), "/explore/0", "and not opened")
    page.check_accessible("a game is offered")
    page.run("document.querySelector('.single a').click()")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('Bb5')", "the game at this move")


def change(page, number, item):
    page.click(f"[data-game='{number}']")
    page.wait("const found = [...document.querySelectorAll('.menu button')].find(({textContent}) => textContent === arguments[0]); found?.click(); return Boolean(found)", item, item)


def wait_whites(page, expected, what):
    page.wait(f"return {WHITES}.join() === arguments[0]", what, ",".join(expected))


def check_changes(page, file):
    """Games of a file are moved, copied, inserted and deleted; the last change is undone."""
    page.go("/explore/0")
    wait_whites(page, ["Ann", "Cid", "Eve"], "the games")
    change(page, 1, "Move down")
    wait_whites(page, ["Cid", "Ann", "Eve"], "moved down")
    page.wait("return document.activeElement.dataset.game === '2'", "the game keeps the focus")
    change(page, 2, "Duplicate")
    wait_whites(page, ["Cid", "Ann", "Ann", "Eve"], "copied")
    page.button("Undo: game 2 was copied")
    wait_whites(page, ["Cid", "Ann", "Eve"], "the copy is undone")
    change(page, 2, "Move up")
    wait_whites(page, ["Ann", "Cid", "Eve"], "moved up")
    change(page, 3, "Delete")
    wait_whites(page, ["Ann", "Cid"], "deleted")
    page.check_accessible("a file that was changed")
    page.button("Undo: game 3 was deleted")
    wait_whites(page, ["Ann", "Cid", "Eve"], "the deletion is undone")
    equal(file.read_text().split(), GAMES.split(), "the file as it was")
    # Somebody else changes the file.
    file.write_text(GAMES.replace("Eve", "Gus"))
    change(page, 1, "Delete")
    page.wait("return document.querySelector('.toasts').textContent.includes('has been changed meanwhile')", "what was changed stays")
    wait_whites(page, ["Ann", "Cid", "Gus"], "the file as it is")
    file.write_text(GAMES)
    page.command("POST", "/refresh", {})
    wait_whites(page, ["Ann", "Cid", "Eve"], "the games again")
    change(page, 2, "Insert a new game before")
    page.wait("return location.pathname === '/analyse/0/2' && document.querySelector('.notation .empty') !== null", "a new game")
    page.move("g2g3")
    page.wait("return document.querySelectorAll('.notation .move').length === 1", "its move")
    page.run("document.querySelector('button[aria-label=Save]').click()")
    page.button("Game 2 of")
    page.wait("return document.querySelector('dialog[open]') === null", "it is saved")
    equal("1. g3 *" in file.read_text(), True, "the new game in the file")
    page.go("/explore/0")
    page.button("Undo: game 2 was changed")
    wait_whites(page, ["Ann", "?", "Cid", "Eve"], "empty again")
    change(page, 2, "Delete")
    wait_whites(page, ["Ann", "Cid", "Eve"], "as at first")


def check_text(page):
    """The text of a game is edited; what is wrong is told with its place, and both follow one another."""
    page.go("/analyse/0/1")
    page.wait("return document.querySelectorAll('.notation .move').length === 6", "the game")
    page.button("Text")
    text = page.wait("return document.querySelector('.pgn-pane textarea').value", "its text")
    equal("1. e4 {Best.} 1... e5 2. Nf3 Nc6" in text, True, text)
    page.check_accessible("the text of a game")
    choose(page, ".pgn-pane textarea", 0, text.replace("2. Nf3 Nc6", "2. Nf3 Nd6"))
    page.button("Apply")
    page.wait("return document.querySelector('.pgn-pane .problems')?.textContent.includes('Nd6')", "what is wrong")
    line = text[: text.index("2. Nf3")].count("\n") + 1
    page.button(f"Line {line}, column")
    equal(page.run("const area = document.querySelector('.pgn-pane textarea'); return area.value.slice(area.selectionStart).startsWith('Nd6')"), True, "the place")
    equal(page.run("return document.querySelectorAll('.notation .move').length"), 6, "the game stays")
    choose(page, ".pgn-pane textarea", 0, text + "\n\n1. d4 *\n")
    page.button("Apply")
    page.wait("return document.querySelector('.pgn-pane .problems')?.textContent.includes('2 games, expected one')", "two games")
    choose(page, ".pgn-pane textarea", 0, text.replace("2. Nf3 Nc6", "2. Nf3 (2. f4 exf4) 2... Nc6"))
    page.run("document.querySelector('.pgn-pane textarea').focus()")
    page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true}))")
    page.wait("return document.querySelectorAll('.notation .move').length === 8 && document.querySelector('.pgn-pane .problems').hidden", "a variation")
    # The caret leads to its move, and a move marks its place.
    page.run("const area = document.querySelector('.pgn-pane textarea'); const at = area.value.indexOf('exf4') + 1; area.setSelectionRange(at, at); area.dispatchEvent(new MouseEvent('click'))")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('exf4')", "the move at the caret")
    page.run("document.activeElement.blur()")
    page.press("Home", "Right", "Right", "Right", "Right")
    equal(page.run("const area = document.querySelector('.pgn-pane textarea'); return area.value.slice(area.selectionStart, area.selectionEnd)"), "Nc6", "the place of the move")
    page.button("Text")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}))")
    page.wait("return document.querySelectorAll('.notation .move').length === 6", "undone")


def check_compare(page):
    page.go("/explore/0")
    change(page, 3, "Compare with another …")
    page.type("dialog[open] input", "\ue0031")
    page.button("Compare with")
    page.wait("return document.querySelectorAll('.compared').length === 2", "both games")
    equal(page.run("return location.search"), "?games=0/3,0/1", "the address")
    told = page.run("return document.querySelector('.summary').textContent")
    for part in ("tags (Black, Result, White)", "results", "moves after 4 plies", "comments at 1 move"):
        equal(part in told, True, told)
    differs = page.run("return [...document.querySelectorAll('.compared')[1].querySelectorAll('.differs')].map((row) => row.querySelector('th').textContent)")
    equal(differs, ["1.", "3.", "3…"], "the moves that differ")
    page.check_accessible("two games")
    for name, part in (("PGN 1", '[White "'), ("PGN 2", '[White "')):
        equal(part in page.copied(lambda: page.button(name)), True, name)
    link = page.copied(lambda: page.click("button[aria-label='Copy a link to both games']"))
    equal(link, page.base + "/compare?games=0/3,0/1", "the link to both games")
    page.run("[...document.querySelectorAll('.compared a.move')].find((link) => link.textContent === 'Bb5').click()")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('Bb5')", "a move in its game")
    page.go("/compare?games=0/1,0/1")
    page.wait("return document.querySelector('.summary')?.textContent === 'The games are equal.'", "equal games")
    page.go("/compare")
    page.wait("return document.querySelector('.compare a') !== null", "how games are compared")


# The boxes of the rows: whether they are ticked.
BOXES = "[...document.querySelectorAll('.row-box input')].map((box) => box.checked)"


def selected(page, text):
    page.wait("return document.querySelector('.selection-bar [role=status]').textContent === arguments[0]", text, text)


def in_new_window(page, see):
    """Calls `see` in the window that has just been opened, and closes it."""
    own = page.command("GET", "/window")
    page.wait("return true", "the page")
    other = next(handle for handle in page.command("GET", "/window/handles") if handle != own)
    page.command("POST", "/window", {"handle": other})
    see()
    page.command("DELETE", "/window")
    page.command("POST", "/window", {"handle": own})


def check_print(page):
    """Games are selected over several queries, and printed as one document with boards, or as text."""
    page.go("/explore/0")
    page.wait("return document.querySelectorAll('.game-row').length === 3", "the games")
    equal(page.run(f"return {BOXES}"), [], "no boxes at first")
    page.button("Select")
    page.wait("return document.querySelectorAll('.row-box').length === 3", "the boxes")
    selected(page, "No game selected")
    page.check_accessible("games to select")
    page.run("document.querySelectorAll('.row-box input')[2].click()")
    selected(page, "1 game selected")
    page.run("const field = document.querySelector('.query input'); field.value = 'white:ann'; field.dispatchEvent(new Event('input', {bubbles: true}))")
    page.wait("return document.querySelectorAll('.game-row').length === 1", "the games of a query")
    equal(page.run(f"return {BOXES}"), [False], "another game")
    page.button("All found")
    selected(page, "2 games selected")
    # The selection lasts: it is there when the list is shown again.
    page.go("/help")
    page.go("/explore/0", fresh=True)
    page.wait("return document.querySelectorAll('.row-box').length === 3", "the boxes again")
    equal(page.run(f"return {BOXES}"), [True, False, True], "the selection again")
    page.check_width("a selection")
    page.button("Print")
    page.check_accessible("how games are printed")
    document = page.run("return document.querySelector('dialog[open] a').getAttribute('href')")
    equal(document, "/api/files/0/print?games=3,1&pieces=modern", "the address of the document")
    page.run("document.querySelector('dialog[open] a').click()")

    def see():
        page.wait("return document.querySelectorAll('article.game').length === 2", "the document")
        names = page.run("return [...document.querySelectorAll('article.game h2 bdi')].map((name) => name.textContent)")
        equal(names, ["Eve", "Fay", "Ann", "Bob"], "the games in the order in which they were chosen")
        # Its own script runs, as its policy allows.
        page.wait("return document.querySelector('.buttons') !== null", "boards to play through")
        page.run("document.querySelector('nav, table a').click()")

    in_new_window(page, see)
    page.wait("return document.querySelector('dialog[open]') === null", "the dialog is closed")
    page.button("Print")
    page.run("document.querySelector('dialog[open] input[value=pgn]').click(); document.querySelector('dialog[open] a').click()")
    in_new_window(page, lambda: page.wait("return document.body.innerText.includes('[White \"Eve\"]') && document.body.innerText.includes('{Best.}')", "the text"))
    page.button("None")
    selected(page, "No game selected")
    equal(page.run(f"return {BOXES}"), [False, False, False], "nothing is selected")
    page.button("Select")
    page.wait("return document.querySelectorAll('.row-box').length === 0", "no boxes")
    page.click(".row-menu", 1)
    page.button("Print")
    equal(page.run("return document.querySelector('dialog[open] a').getAttribute('href')"), "/api/files/0/print?games=2&pieces=modern", "one game")
    page.close_dialog()


def check_look(page):
    """Colors, size, lines and marks of the board are chosen, and reset."""
    page.go("/analyse/0/1")
    page.wait("return document.querySelectorAll('.notation .move').length === 6", "the game")
    page.press("Right")
    width = page.run("return document.querySelector('.board').clientWidth")
    page.run("document.getElementById('settings').click()")
    page.run("document.querySelector('.swatches input[value=own]').click()")
    choose(page, "dialog input[type=color]", 1, "#123456")
    choose(page, "dialog input[type=range]", 0, "50")
    choose(page, "dialog input[type=range]", 1, "300")
    page.run("document.querySelector('dialog input[value=border]').click()")
    for text in ("Lines between the squares", "Name of the opening", "Buttons to step"):
        page.run("[...document.querySelectorAll('dialog .check')].find((label) => label.textContent.startsWith(arguments[0])).querySelector('input').click()", text)
    page.check_accessible("the settings")
    page.close_dialog()
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    equal(page.run(style, "[data-square=a1]", "backgroundColor"), "rgb(18, 52, 86)", "an own color")
    equal(page.run("return document.querySelector('.board').clientWidth") <= width / 2 + 1, True, "half the size")
    equal(page.run(style, "[data-square=e4]", "backgroundImage"), "none", "a border")
    equal("inset" in page.run(style, "[data-square=e4]", "boxShadow"), True, "a border around the last move")
    equal("inset" in page.run(style, "[data-square=a1]", "boxShadow"), True, "lines")
    equal([page.run(style, selector, "display") for selector in (".opening", ".tools.steps")], ["none", "none"], "what is hidden")
    page.run("document.getElementById('settings').click()")
    page.button("Reset all settings")
    page.close_dialog()
    equal(page.run("return document.querySelector('.board').clientWidth"), width, "the usual size")
    equal(page.run(style, "[data-square=a1]", "backgroundColor"), "rgb(183, 136, 98)", "the usual color")


def main():
    folder = own_folder()
    file = folder / "games.pgn"
    file.write_text(GAMES)
    with served(folder, [str(file)]) as base, Page(base) as page:
        for check in (check_pattern, check_paste, check_openings, check_text, check_compare, check_print, check_look):
            check(page)
        page.check_quiet("the browser")
        check_changes(page, file)
    print("games are found, changed and compared")


if __name__ == "__main__":
    main()
