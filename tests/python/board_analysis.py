"""Edits games on the page of `hematite board` in headless Chromium as people do: what other programs have written stays,
what is not saved is there again, the games that were found are gone through, and every place has an address.

Usage: board_analysis.py HEMATITE FOLDER.
"""

import urllib.parse

from browser import equal
from page import Page, own_folder, served

# A game as programs write it, and two more.
GAMES = """[Event "Club"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 {First. [%clk 0:05:00] [%emt 0:00:02]} {[%eval 0.3] Second.} e5 {[%clk 0:04:58] [%tqu "x"]} 2. Nf3 {[%csl Ra1,Xb2]} Nc6 1-0

[Event "Club"]
[White "Cid"]
[Black "Ann"]
[Result "0-1"]

1. d4 d5 0-1

[Event "Club"]
[White "Bob"]
[Black "Ann"]
[Result "*"]

1. c4 *
"""

# A game with a blunder, which begins in the middlegame and ends in the endgame.
CURVE = """[SetUp "1"]
[FEN "r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R2Q1RK1 w - - 0 12"]

12. Qxd8 {[%eval 0.1]} Raxd8?? {[%eval 4.5]} 13. Rfd1 {[%eval 4.5]} Rxd1+ {[%eval 4.5]} 14. Rxd1 {[%eval 4.5]} h6 {[%eval 4.5]} *
"""

UNDO = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}))"


def show_game(page, number, rest=""):
    page.go(f"/analyse/0/{number}{rest}")
    page.wait("return document.querySelectorAll('.notation .move').length > 0", f"game {number}")


def paste(page, text):
    page.run("const data = new DataTransfer(); data.setData('text', arguments[0]);"
             "document.body.dispatchEvent(new ClipboardEvent('paste', {bubbles: true, cancelable: true, clipboardData: data}))", text)


def set_comment(page, text):
    page.run("const field = document.querySelector('.annotate textarea'); field.focus(); field.value = arguments[0];"
             "field.dispatchEvent(new Event('change'))", text)


def draw(page, start, end=None):
    """Draws a circle with the right button, or an arrow."""
    at = lambda square: dict(zip("xy", map(round, page.middle(square)), strict=True), type="pointerMove", duration=0)
    moves = [at(end)] if end else []
    actions = [at(start), {"type": "pointerDown", "button": 2}, *moves, {"type": "pointerUp", "button": 2}]
    page.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "right", "parameters": {"pointerType": "mouse"}, "actions": actions}]})


def saved(page, file):
    """Saves the game in its place; the file as it is then."""
    before = file.read_text()
    page.run("document.querySelector('button[aria-label=Save]').click()")
    page.button("Game 1 of")
    page.wait("return document.querySelector('dialog[open]') === null", "it is saved")
    after = file.read_text()
    if before == after:
        raise AssertionError("nothing has been saved")
    return " ".join(after.split())


def check_comments(page, file):
    """A text, circles and an arrow change nothing else of the comments."""
    show_game(page, 1)
    page.press("Right")
    equal(page.run("return document.querySelector('.annotate textarea').value"), "First.\n\nSecond.", "two comments")
    set_comment(page, "Changed.\n\nSecond.")
    page.press("Escape")
    page.run("document.activeElement.blur()")
    page.press("Right")
    draw(page, "e5")
    page.wait("return document.querySelectorAll('circle.shape').length === 1", "the circle")
    page.press("Right")
    draw(page, "f3")
    page.press("Right")
    draw(page, "b8", "c6")
    page.wait("return document.querySelectorAll('path.shape').length === 1", "the arrow")
    set_comment(page, "New.")
    text = saved(page, file)
    for part in ("{Changed. [%clk 0:05:00] [%emt 0:00:02]} {[%eval 0.3] Second.}", '{[%clk 0:04:58] [%tqu "x"] [%csl Ge5]}', "{[%csl Ra1,Gf3] [%csl Xb2]}", "{[%cal Gb8c6] New.}"):
        if part not in text:
            raise AssertionError(f"expected {part} in {text}")
    # It is there again with the game.
    page.go("/help")
    page.go("/analyse/0/1", fresh=True)
    page.wait("return document.querySelectorAll('.notation .move').length > 0", "the game")
    page.press("End")
    page.wait("return document.querySelectorAll('path.shape').length === 1", "the arrow of the comment")


def check_drafts(page):
    """What is not saved is there again, with a note; it can be dropped, and that can be undone."""
    show_game(page, 2)
    page.wait("return document.querySelector('.board.movable') !== null", "moves")
    page.move("e2e4")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('e4')", "a variation")
    page.press("]")
    page.wait("return location.pathname === '/analyse/0/3' && document.querySelector('h1').textContent === 'Bob – Ann'", "the next game")
    equal(page.run("return document.querySelector('.draft').textContent"), "", "no note on a game without changes")
    # A comment that is still being written is kept as well.
    page.press("Right")
    page.run("const field = document.querySelector('.annotate textarea'); field.focus(); field.value = 'Typed.'")
    page.command("POST", "/back", {})
    page.wait("return document.querySelector('.draft')?.textContent.includes('Your changes of')", "the note")
    equal(page.run("return document.querySelectorAll('.notation .move').length"), 3, "the variation")
    page.check_accessible("a game with changes")
    page.button("Drop them")
    page.wait("return document.querySelectorAll('.notation .move').length === 2", "the game as it is in the file")
    page.run(UNDO)
    page.wait("return document.querySelectorAll('.notation .move').length === 3", "the changes again")
    show_game(page, 3)
    page.wait("return document.querySelector('.comment')?.textContent.includes('Typed.')", "the comment")
    # Pasted games have an address each.
    page.go("/analyse")
    paste(page, "1. e4 e5 *")
    page.wait("return document.querySelectorAll('.notation .move').length === 2", "the first text")
    paste(page, "1. d4 d5 2. c4 *")
    page.wait("return document.querySelectorAll('.notation .move').length === 3", "the second text")
    page.command("POST", "/back", {})
    page.wait("return document.querySelectorAll('.notation .move').length === 2", "the first text again")
    # A position to which moves were added.
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    page.go("/analyse?fen=" + urllib.parse.quote(fen))
    page.move("e2e4")
    page.wait("return document.querySelectorAll('.notation .move').length === 1", "a move")
    page.go("/help")
    page.go("/analyse?fen=" + urllib.parse.quote(fen))
    page.wait("return document.querySelectorAll('.notation .move').length === 1", "the move again")
    page.button("Paste or open")
    page.wait("return document.querySelectorAll('dialog .game-list a').length >= 3", "the list of what is not saved")
    page.check_accessible("the list of what is not saved")
    page.close_dialog()


def check_several(page, file):
    """When one of several pasted games is saved, the others stay unsaved."""
    text = file.read_text()
    page.go("/analyse")
    paste(page, "".join(f'[White "W{number}"]\n[Black "B{number}"]\n[Result "*"]\n\n1. d4 {{Note {number}}} *\n\n' for number in (1, 2, 3)))
    page.wait("return document.querySelectorAll('.game-chooser option').length === 3", "three games")
    own = page.run("return location.search")
    for count in (2, 1, 0):
        page.run("document.querySelector('button[aria-label=Save]').click()")
        page.button("Add to")
        page.wait("return location.pathname.startsWith('/analyse/0/')", "it is saved")
        drafts = page.run("const all = JSON.parse(localStorage.getItem('hematite.drafts') ?? '[]').filter(({ address }) => address === `/analyse${arguments[0]}`);"
                          "return all.map(({ key, title }) => [title, JSON.parse(localStorage.getItem(`hematite.draft.${key}`)).games.length])", own)
        equal(drafts, [[f"W{4 - count} – B{4 - count}", count]] if count else [], "the games that are not saved")
        if count:
            page.go(f"/analyse{own}")
            page.wait("return document.querySelector('h1').textContent === arguments[0]", "the next game", f"W{4 - count} – B{4 - count}")
    for number in (1, 2, 3):
        equal(f"Note {number}" in file.read_text(), True, f"game {number} is in the file")
    file.write_text(text)


def check_found(page):
    """The games that a query finds are gone through, and no others."""
    page.go("/explore/0?query=" + urllib.parse.quote("white:bob or white:ann"))
    page.wait("return document.querySelectorAll('.game-row').length === 2", "the games that are found")
    page.click(".game-row")
    page.wait("return document.querySelector('.game-chooser')?.textContent.includes('Game 1, 1 of 2 found')", "the place among those found")
    page.press("]")
    page.wait("return location.pathname === '/analyse/0/3' && document.querySelector('.game-chooser')?.textContent.includes('2 of 2 found')", "the next one")
    page.press("]")
    page.wait("return document.querySelector('.toasts').textContent.includes('This is the last game of those that were found.')", "no more")
    equal(page.run("return [location.pathname, document.querySelectorAll('.notation .move').length]"), ["/analyse/0/3", 1], "the game stays")
    page.press("[")
    page.wait("return location.pathname === '/analyse/0/1' && document.querySelector('.game-chooser')?.textContent.includes('1 of 2 found')", "back")
    page.run("[...document.querySelectorAll('.game-chooser a')].find((link) => link.textContent === 'To the list').click()")
    page.wait("return document.querySelector('.query input')?.value === 'white:bob or white:ann'", "the list with its query")
    show_game(page, 3)
    page.press("]")
    page.wait("return document.querySelector('.toasts').textContent.includes('This is the last game.')", "the end of the file")


def check_addresses(page):
    """A place in a game has an address, which can be copied and changed."""
    show_game(page, 1, "#m0.0.0")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('Nf3')", "the third ply")
    page.press("Left")
    equal(page.run("return location.hash"), "#m0.0", "the address of the second ply")
    page.run("location.hash = '#m0'")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('e4')", "the first ply")
    link = page.copied(lambda: page.click("button[aria-label='Copy a link to this position']"))
    equal(link, page.base + "/analyse/0/1#m0", "the link to a game and ply")


def check_tags(page):
    """Players and result are entered; what is no date is told."""
    page.go("/analyse?own=tags")
    page.move("e2e4")
    page.wait("return document.querySelectorAll('.notation .move').length === 1", "a move")
    page.button("Tags")
    fill = "const all = [...document.querySelectorAll('dialog label')]; for (const [name, value] of arguments[0]) {" \
        "all.find((label) => label.textContent.startsWith(name)).querySelector('input, select').value = value; }"
    page.run(fill, [["White", "Ann <b>"], ["Black", 'Bob "B"'], ["Date", "tomorrow"], ["Result", "1-0"], ["White Elo", "1800"]])
    page.button("Add a tag")
    page.run("const [name, value] = document.querySelectorAll('.tag-row input'); name.value = 'Annotator'; value.value = 'Me';"
             "name.dispatchEvent(new Event('input')); value.dispatchEvent(new Event('input'))")
    page.button("Keep")
    page.wait("return document.querySelector('dialog .problems').textContent.includes('Date is `tomorrow`, expected a date')", "what is wrong")
    page.check_accessible("the tags of a game")
    page.run(fill, [["Date", "2026.11.26"]])
    page.button("Keep")
    page.wait("return document.querySelector('h1').textContent === 'Ann <b> – Bob \"B\"'", "the players")
    pgn = page.copied(lambda: page.button("PGN"))
    for part in ('[White "Ann <b>"]', '[Black "Bob \\"B\\""]', '[Date "2026.11.26"]', '[Result "1-0"]', '[WhiteElo "1800"]', '[Annotator "Me"]', "1. e4 1-0"):
        if part not in pgn:
            raise AssertionError(f"expected {part} in {pgn}")
    page.run(UNDO)
    page.wait("return document.querySelector('h1').textContent === 'Analysis'", "undone")


def check_signs(page):
    """All signs have names, moves have letters of other languages, and a line is chosen."""
    page.go("/analyse?own=signs")
    paste(page, "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5)) 2. Nf3 $22 Nc6 *")
    page.wait("return document.querySelectorAll('.notation .move').length === 8", "the game")
    equal(page.run("return document.querySelector('.notation abbr').title"), "White is in zugzwang", "the name of a sign")
    page.press("Right")
    page.button("More")
    page.wait("return document.querySelectorAll('.line-list button').length > 100", "all signs")
    page.check_accessible("all signs")
    page.run("[...document.querySelectorAll('.line-list button')].find((row) => row.textContent.includes('White has the initiative')).click()")
    page.wait("return document.querySelector('.notation abbr').title === 'White has the initiative'", "another sign")
    page.button("Lines")
    equal(page.run("return [...document.querySelectorAll('.line-list button')].map((row) => row.textContent)"),
          ["Main line: 1. e4 e5 2. Nf3 Nc6", "1… c5 2. Nf3", "2. c3 d5"], "the lines")
    page.check_accessible("the list of lines")
    page.button("2. c3 d5")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent === '2. c3'", "the beginning of the line")
    page.press("Left", "Left", "Right", "Right")
    equal(page.run("return document.querySelector('.move[aria-current]').textContent"), "2. c3", "the chosen line is followed")
    page.setting("pieceNames", "German:KDTLS")
    page.command("POST", "/refresh", {})
    page.wait("return [...document.querySelectorAll('.notation .move')].some((move) => move.textContent.includes('Sf3'))", "German letters")
    page.setting("pieceNames", "letters")
    page.command("POST", "/refresh", {})
    page.wait("return [...document.querySelectorAll('.notation .move')].some((move) => move.textContent.includes('Nf3'))", "English letters")
    # The wheel steps, and the page does not scroll.
    page.press("Home")
    turn = "const board = document.querySelector('.board'); const turn = new WheelEvent('wheel', {deltaY: arguments[0], bubbles: true, cancelable: true});" \
        "board.dispatchEvent(turn); return [turn.defaultPrevented, document.querySelector('.move[aria-current]')?.textContent ?? null]"
    equal(page.run(turn, 100), [True, "1. e4↑"], "the wheel")
    equal(page.run(turn, -100), [True, None], "the wheel back")
    page.run("document.querySelector('button[aria-label^=\"Five moves on\"]').click()")
    equal(page.run("return document.querySelector('.move[aria-current]').textContent"), "Nc6", "five moves on, as far as there are some")
    page.press("?")
    page.wait("return document.querySelector('dialog[open] .keys') !== null", "the keys")
    page.close_dialog()


def check_curve(page):
    """The curve of a game has its phases and the moves at which it turned."""
    page.go("/analyse?own=curve")
    paste(page, CURVE)
    page.wait("return document.querySelectorAll('.phases span').length === 2", "two phases")
    equal(page.run("return [...document.querySelectorAll('.phases span')].map((name) => name.textContent)"), ["Middlegame", "Endgame"], "the phases")
    equal(page.run("return [...document.querySelectorAll('.curve .judged.turn title')].map((title) => title.textContent)"), ["12… Raxd8: blunder, turning point"], "the turning point")
    told = page.run("return document.querySelector('.curve svg').getAttribute('aria-label')")
    equal(told, "Evaluations of the game; at the end +4.50. Phases: middlegame, endgame from 14. 1 blunder, 1 turning point.", "the curve in words")
    page.check_accessible("the curve")


def check_scratch(page, file):
    """Moves are tried, which are never saved; kept ones become a variation."""
    show_game(page, 2)
    page.press("Right")
    moves = "return [...document.querySelectorAll('.scratch-moves .move')].map((move) => move.textContent)"
    game = "return document.querySelectorAll('.notation .move').length"
    before = page.run(game)
    page.press("t")
    page.wait("return document.querySelector('.scratch')?.checkVisibility() && document.querySelector('.scratch p').textContent.startsWith('Tried after 1. d4')", "the frame")
    equal(page.run("return document.querySelector('button[aria-label^=\"Try moves\"]').getAttribute('aria-pressed')"), "true", "the switch is on")
    equal(page.run("return document.querySelector('.annotate').checkVisibility()"), False, "there are no comments on tried moves")
    for move in ("e7e5", "d4e5", "d7d6"):
        page.move(move)
        page.wait("return document.querySelector('.scratch-moves .move[aria-current]')?.textContent.includes(arguments[0])", move, {"e7e5": "e5", "d4e5": "dxe5", "d7d6": "d6"}[move])
    equal(page.run(moves), ["1… e5", "2. dxe5", "d6"], "the moves that are tried")
    equal([page.run(game), page.run("return location.hash"), file.read_text().count("dxe5")], [before, "#m0", 0], "the game is as it was")
    page.check_accessible("moves that are tried")
    # Another move takes the place of what followed; the keys stay within the line.
    page.press("Left")
    page.move("b8c6")
    page.wait("return document.querySelectorAll('.scratch-moves .move').length === 3 && document.querySelector('.scratch-moves .move[aria-current]').textContent === 'Nc6'", "another move")
    page.press("Left", "Left", "Left", "Left", "End", "Home", "Right")
    equal(page.run("return document.querySelector('.scratch-moves .move[aria-current]').textContent"), "1… e5", "the keys")
    page.run(UNDO)
    page.wait("return document.querySelectorAll('.scratch-moves .move').length === 0", "all is taken back")
    page.move("e7e5")
    page.wait("return document.querySelectorAll('.scratch-moves .move').length === 1", "a move again")
    page.press("t")
    page.wait("return !document.querySelector('.scratch').checkVisibility()", "the frame is gone")
    equal([page.run(game), page.run("return document.querySelector('.move[aria-current]').textContent")], [before, "1. d4"], "the position of the game")
    equal(page.run("return document.querySelector('[data-square=e7]').getAttribute('aria-label')"), "e7, black pawn", "the board")
    page.run("document.querySelector('button[aria-label^=\"Try moves\"]').click()")
    page.move("g8f6")
    page.wait("return document.querySelectorAll('.scratch-moves .move').length === 1", "a move")
    page.button("Keep as variation")
    page.wait("return [...document.querySelectorAll('.variation .move')].some((move) => move.textContent === '1… Nf6')", "a variation")
    equal(page.run("return document.querySelector('.move[aria-current]').textContent"), "1… Nf6", "the place in it")
    page.run(UNDO)
    page.wait(game + " === arguments[0]", "undone", before)


def check_sound_and_motion(page):
    """Sounds are off until somebody wants them; pieces slide, unless the system asks for reduced motion."""
    page.go("/analyse?own=sound")
    page.wait("return document.querySelector('.board.movable') !== null", "moves")
    page.run("window.knocks = 0; const { prototype } = AudioBufferSourceNode; const { start } = prototype;"
             "prototype.start = function (...when) { window.knocks += 1; return start.apply(this, when); }")
    page.move("e2e4")
    page.wait("return document.querySelectorAll('.notation .move').length === 1", "a move")
    equal(page.run("return window.knocks"), 0, "sounds that nobody has switched on")
    page.run("document.getElementById('settings').click()")
    page.wait("return document.querySelector('dialog[open]') !== null", "the settings")
    box = "return [...document.querySelectorAll('dialog[open] label')].find((label) => label.textContent.startsWith('Sound')).querySelector('input')"
    equal(page.run(f"{box}.checked"), False, "the setting for sounds")
    page.run(f"{box}.click()")
    page.close_dialog()
    for move, count, knocks in (("d7d5", 2, 1), ("e4d5", 3, 3)):
        page.move(move)
        page.wait("return document.querySelectorAll('.notation .move').length === arguments[0]", move, count)
        equal(page.run("return window.knocks"), knocks, f"the sounds up to {move}")
    page.setting("sound", False)
    page.move("d8d5")
    page.wait("return document.querySelectorAll('.notation .move').length === 4", "a move")
    equal(page.run("return window.knocks"), 3, "sounds that are off again")
    slide = "return getComputedStyle(document.querySelector('.pieces:not(.still) .piece')).transitionDuration"
    for wish, seconds in (("no-preference", "0.17s"), ("reduce", "0s")):
        page.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": wish}]})
        equal(page.run(slide), seconds, f"the time in which a piece slides, {wish}")
    # Nothing else moves, either, once the pieces have arrived: a note is there at once.
    page.wait("return document.getAnimations().length === 0", "the end of what has moved before")
    page.click("button[aria-label='Copy a link to this position']")
    page.wait("return document.querySelector('.toast') !== null", "a note")
    equal(page.run("return document.getAnimations().length"), 0, "what moves")
    page.devtools("Emulation.setEmulatedMedia", {"features": []})


def check_arrivals(page):
    """A game may be pasted on every page but that of a game."""
    for path, move in (("/", "c4"), ("/editor", "d4"), ("/explore/0", "e4"), ("/study", "f4"), ("/help", "g3")):
        page.go(path)
        paste(page, f"1. {move} c5 *")
        page.wait("return location.pathname === '/analyse' && document.querySelector('.notation .move')?.textContent === arguments[0]", f"pasted on {path}", f"1. {move}")


def check_no_game(page):
    """What is no game is refused, and an address without a game shows a way on."""
    page.go("/analyse/0/99")
    page.wait("return document.querySelector('[role=alert] h1')?.textContent === 'There is no such game'", "no game")
    page.go("/")
    paste(page, "nothing at all")
    page.wait("return document.querySelector('.toasts').textContent.includes('line 1, column 1')", "what is no game")


def main():
    folder = own_folder()
    file = folder / "own.pgn"
    file.write_text(GAMES)
    with served(folder, [str(file)]) as base, Page(base) as page:
        for check in (lambda: check_comments(page, file), lambda: check_drafts(page), lambda: check_several(page, file), lambda: check_found(page), lambda: check_addresses(page),
                      lambda: check_tags(page), lambda: check_signs(page), lambda: check_curve(page), lambda: check_scratch(page, file),
                      lambda: check_sound_and_motion(page), lambda: check_arrivals(page)):
            check()
        page.check_quiet("the browser")
        check_no_game(page)
    print("games can be edited")


if __name__ == "__main__":
    main()
