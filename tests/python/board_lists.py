"""Goes from lists and tables of games to games and back on the page of `hematite board` in headless Chromium as people do,
and through what was found in them; a game plays by itself, hides what comes, and is copied in parts.

Usage: board_lists.py HEMATITE FOLDER [--long]. With --long only a list of 200,000 games is gone through.
"""

import sys
import urllib.parse

from browser import equal
from page import Page, own_folder, served

# Spellings of a name, a tag that states another opening than the moves have, checks, and a variation.
SPELLED = """[Event "A"]
[White "Tal, Mihail"]
[Black "Botvinnik, M"]
[Result "1-0"]
[Date "1960.03.15"]
[ECO "A00"]
[WhiteElo "2700"]

1. e4 c5 2. Nf3 d6 3. Bb5+ Bd7 4. Bxd7+ Qxd7 5. c4 Nc6 1-0

[Event "A"]
[White "Botvinnik, Mikhail"]
[Black "Tal, M"]
[Result "1/2-1/2"]
[Date "1961.04.01"]
[WhiteElo "2600"]

1. e4 e5 2. Nf3 Nc6 {Two knights.} 3. Bb5 a6 (3... Nf6 4. O-O) 4. Bxc6 dxc6 1/2-1/2
"""

OTHER = """[Event "B"]
[White "Cid"]
[Black "Mihail Tal"]
[Result "1-0"]
[Date "1990.??.??"]

1. e4 c5 2. Nf3 Nc6 3. Bb5 g6 4. Bxc6 dxc6 5. d3 Bg7 6. h3 Nf6 7. Nc3 Nd7 8. Be3 e5 1-0
"""

GAME = "1. e4 e5 2. Nf3 {Out.} Nc6 (2... d6 3. d4) 3. Bb5 a6 4. Ba4 Nf6 5. O-O *"

CURRENT = "return document.querySelector('.notation .move[aria-current]')?.textContent ?? null"


def many(count):
    """So many games, each with a number and a check in its third move."""
    return "".join(f'[White "Player {number}"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 d5 2. Bb5+ c6 1-0\n\n' for number in range(1, count + 1))


def paste(page, text):
    page.run("const data = new DataTransfer(); data.setData('text', arguments[0]);"
             "document.body.dispatchEvent(new ClipboardEvent('paste', {bubbles: true, cancelable: true, clipboardData: data}))", text)


def link_in(page, selector, text):
    """Clicks the link with this text."""
    page.wait("const found = [...document.querySelectorAll(arguments[0])].find((link) => link.textContent === arguments[1]); found?.click(); return Boolean(found)",
              f"the link {text}", selector, text)


def wait_count(page, text):
    page.wait("return document.querySelector('.count[role=status]')?.textContent.startsWith(arguments[0])", f"{text} in the list", text)


def wait_tally(page, text):
    page.wait("return document.querySelector('.tally')?.firstChild?.textContent === arguments[0]", f"the results {text}", text)


def check_rows(page):
    """A row has its opening, its file and its signs; the results are told; the order is chosen."""
    page.go("/explore/0")
    wait_count(page, "3 games")
    wait_tally(page, "+2 =1 −0")
    rows = "return [...document.querySelectorAll('.game-row')].map((row) => [row.querySelector('.eco').textContent, row.querySelector('.event small')?.textContent ?? '', row.querySelector('.from').textContent])"
    page.wait("return document.querySelectorAll('.game-row .from').length === 3", "rows with files")
    equal(page.run(rows), [["A00", "Sicilian Defense: Moscow Variation, Sokolsky Variation", "a.pgn"], ["C68", "Ruy Lopez: Exchange Variation", "a.pgn"],
                           ["B31", "Sicilian Defense: Nyezhmetdinov-Rossolimo Attack, Fianchetto Variation", "b.pgn"]], "openings and files")
    equal(page.run("return [...document.querySelectorAll('.game-row')].map((row) => row.textContent.includes('✎'))"), [False, True, False], "the pencil")
    equal(page.run("return [...document.querySelectorAll('.game-row .eco')].map((code) => code.classList.contains('by-moves'))"), [False, True, True], "codes by moves")
    page.check_accessible("a list of games")
    page.run("const order = document.querySelector('.list-head select'); order.value = 'latest'; order.dispatchEvent(new Event('change'))")
    page.wait("return document.querySelector('.game-row .names').textContent.startsWith('Cid')", "the latest game first")
    equal(page.run("return location.search"), "?sort=latest", "the address of the order")
    page.click(".game-row")
    page.wait("return location.pathname === '/analyse/0/3' && document.querySelector('.game-chooser')?.textContent.includes('Game 3 of 3')", "the game")
    page.press("]")
    page.wait("return location.pathname === '/analyse/0/2'", "the next one in this order")
    page.go("/explore/0?query=" + urllib.parse.quote("player:tal"))
    wait_tally(page, "+1 =1 −1")
    equal(page.run("return document.querySelector('.tally').title"), "Won, drawn and lost: of the player who is looked for", "whose results")


def check_tables(page):
    """A name leads to all games that its row counts, with every spelling; openings are those of the moves."""
    page.go("/explore/0?view=players")
    page.wait("return document.querySelector('.joined')?.textContent.includes('Tal, M')", "the spellings")
    equal(page.run("return [...document.querySelectorAll('.explore-table tbody tr')].map((row) => [row.querySelector('a').textContent, row.children[2].textContent])"),
          [["Tal, Mihail", "3"], ["Cid", "1"], ["Botvinnik, Mikhail", "2"]], "players with their games")
    page.check_accessible("a table of players with spellings")
    link_in(page, ".explore-table a", "Tal, Mihail")
    wait_count(page, "3 games")
    # Among the games of another player, too.
    page.go("/explore/0?view=players&query=" + urllib.parse.quote("player:botvinnik or white:cid"))
    link_in(page, ".explore-table a", "Tal, Mihail")
    wait_count(page, "3 games")
    page.go("/explore/0?view=players")
    page.wait("return document.querySelector('.joined') !== null", "the spellings again")
    page.run("document.querySelector('.explore-table .check input').click()")
    page.wait("return document.querySelector('.explore-table .count').textContent === '6 players'", "exact names")
    equal(page.run("return document.activeElement.type"), "checkbox", "the choice keeps the focus")
    page.run("[...document.querySelectorAll('.explore-table thead button')].find((button) => button.textContent === 'Name').click()")
    ordered = "return document.querySelector('.explore-table [aria-sort]')?.textContent === arguments[0] && document.querySelector('.explore-table .count')?.textContent === arguments[1]"
    page.wait(ordered, "the order by names", "Name", "6 players")
    equal(page.run("return location.search"), "?view=players&by=name&exact=true", "the address of a table")
    page.command("POST", "/refresh", {})
    page.wait(ordered, "the same table after a reload", "Name", "6 players")
    page.command("POST", "/back", {})
    page.wait(ordered, "the order before", "Points", "6 players")
    page.command("POST", "/back", {})
    page.wait("return document.querySelector('.explore-table .count')?.textContent === '3 players' && document.querySelector('.explore-table .check input').checked === false", "the spellings before")
    page.go("/explore/0?view=openings&part=eco")
    page.wait("return document.querySelector('.explore-table select')?.value === 'eco' && document.querySelectorAll('.openings tbody tr').length === 3", "the codes of an address")
    page.go("/explore/0?view=crosstable")
    page.wait("return document.querySelector('.explore-table section .joined') !== null", "spellings in a cross table")
    link_in(page, ".explore-table section th a", "Tal, Mihail")
    wait_count(page, "2 games")
    for part, name, count in (("eco", "A00", None), ("family", "Sicilian Defense", "2 games"), ("variation", "Sicilian Defense: Moscow Variation", "1 game")):
        page.go("/explore/0?view=openings")
        page.wait("const part = document.querySelector('.explore-table select'); if (!part) return false; if (part.value === arguments[0]) return true; part.value = arguments[0]; part.dispatchEvent(new Event('change')); return false",
                  "openings by " + part, part)
        if count is None:
            page.wait("return document.querySelectorAll('.openings tbody tr').length === 3", "three codes")
            equal(page.run("return [...document.querySelectorAll('.openings tbody tr')].some((row) => row.children[1].textContent === arguments[0])", name), False, "no code of a tag")
            page.run("document.querySelector('.openings tbody a').click()")
            wait_count(page, "1 game")
        else:
            link_in(page, ".openings a", name)
            wait_count(page, count)


def check_hits(page):
    """A game that was found opens where the query is true, and keys go through these places, from game to game."""
    page.go("/explore/0?query=" + urllib.parse.quote("check or move:Bxc6"))
    wait_count(page, "3 games")
    page.click(".game-row")
    page.wait("return location.pathname === '/analyse/0/1' && location.hash === '#m0.0.0.0.0'", "the first check")
    page.wait(CURRENT + " === '3. Bb5+'", "the move of the check")
    page.press("n")
    page.wait(CURRENT + " === '4. Bxd7+'", "the next check")
    page.press("n")
    page.wait("return location.pathname === '/analyse/0/2' && document.querySelector('.notation .move[aria-current]')?.textContent === '4. Bxc6'", "the first place in the next game")
    page.press("N")
    page.wait("return location.pathname === '/analyse/0/1' && document.querySelector('.notation .move[aria-current]')?.textContent === '4. Bxd7+'", "the last place in the game before")
    page.press("N", "N")
    page.wait("return document.querySelector('.toasts').textContent.includes('This is the first game of those that were found.')", "no more")
    page.go("/analyse?own=hits")
    page.wait("return document.querySelector('.notation') !== null", "an own game")
    page.press("n")
    page.wait("return document.querySelector('.toasts').textContent.includes('These keys go through what a query has found')", "what the keys are for")


def check_place(page):
    """The list is where it was, and the game that one comes from is marked."""
    page.go("/explore/1?query=check")
    wait_count(page, "300 games")
    page.run("document.querySelector('.virtual').scrollTop = 4400")
    page.wait("return document.querySelector('.game-row[href^=\"/analyse/1/105?\"]') !== null", "rows in the middle")
    page.run("document.querySelector('.game-row[href^=\"/analyse/1/105?\"]').click()")
    page.wait("return document.querySelector('.game-chooser')?.textContent.includes('105 of 300 found')", "the game")
    page.command("POST", "/back", {})
    page.wait("return document.querySelector('.game-row[aria-current]')?.textContent.includes('Player 105')", "the game is marked")
    equal(page.run("return document.querySelector('.virtual').scrollTop"), 4400, "the place of the list")
    # After a walk through the games, the last one is in sight.
    page.run("document.querySelector('.game-row[aria-current]').click()")
    for number in range(106, 126):
        page.press("]")
        page.wait("return location.pathname === arguments[0] && document.querySelector('.game-chooser')?.textContent.includes(arguments[1])", f"game {number}", f"/analyse/1/{number}", f", {number} of 300")
    link_in(page, ".game-chooser a", "To the list")
    page.wait("return document.querySelector('.game-row[aria-current]')?.textContent.includes('Player 125')", "the last game is marked")
    equal(page.run("const list = document.querySelector('.virtual').getBoundingClientRect(); const row = document.querySelector('.game-row[aria-current]').getBoundingClientRect(); return row.top >= list.top && row.bottom <= list.bottom"), True, "and in sight")


# A list of so many rows in the page, each with its number; what the server would send is made here.
MANY_ROWS = """
const [count, done] = arguments;
import("/assets/virtual-list.js").then(({ VirtualList }) => {
  const row = (number) => Object.assign(document.createElement("div"), { textContent: String(number) });
  const load = async (skip, limit) => Array.from({ length: Math.min(limit, count - skip) }, (_, index) => skip + index + 1);
  window.rows = new VirtualList({ load, row, rowPx: 44, label: "Numbers" });
  Object.assign(rows.element.style, { position: "fixed", inset: "0 auto auto 0", inlineSize: "200px", blockSize: "600px", zIndex: "9" });
  document.body.append(rows.element);
  rows.set(count);
  rows.element.focus();
  done(true);
});
"""

# The numbers of the rows that are wholly in sight.
SEEN = """
const list = rows.element.getBoundingClientRect();
return [...rows.body.children].filter((row) => { const box = row.getBoundingClientRect(); return box.top >= list.top - 1 && box.bottom <= list.bottom + 1; })
  .map((row) => Number(row.textContent));
"""


def wheel(page, selector, pixels):
    """Turns the wheel over an element."""
    left, top, width, height = page.box(selector)
    turn = {"type": "scroll", "x": round(left + width / 2), "y": round(top + height / 2), "deltaX": 0, "deltaY": pixels, "duration": 0}
    page.command("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [turn]}]})


def check_long(page):
    """In lists that are longer than a page may be high every row can be reached, and rows follow each other without a gap."""
    page.go("/help")

    def seen(what, number=None):
        """The numbers of the rows in sight, once `number` is one of them."""
        rows = SEEN.replace("return [", "const found = [")
        complete = "found.length > 11 && found.every(Number) && (arguments[0] === null || found.includes(arguments[0]))"
        numbers = page.wait(f"{rows}return {complete} ? found : null", what, number)
        equal(numbers, list(range(numbers[0], numbers[0] + len(numbers))), what)
        return numbers

    for count in (1_000, 200_000, 5_000_000):
        page.command("POST", "/execute/async", {"script": MANY_ROWS, "args": [count]})
        equal(seen(f"the first of {count}")[0], 1, f"the first of {count}")
        page.press("End")
        page.wait("const list = rows.element; return list.scrollTop + list.clientHeight >= list.scrollHeight - 1", "the end")
        page.wait(f"return rows.body.lastElementChild.textContent === '{count}'", f"the last of {count}")
        equal(seen(f"the end of {count}")[-1], count, f"the last of {count}")
        page.press("Home")
        page.wait("return rows.element.scrollTop === 0", f"the first of {count} again")
        # A few pixels from the upper end, where the first rows leave.
        for top in (30, 100, 350):
            page.run("rows.element.scrollTop = arguments[0]", top)
            seen(f"{top} px down in {count}")
        for number in (7, count // 3, count // 2, count - 3):
            page.run("rows.show({ top: 0, index: arguments[0] - 1 })", number)
            seen(f"row {number} of {count}", number)
            # It stays where it is if it is in sight already.
            top = page.run("return rows.element.scrollTop")
            page.run("rows.show({ top: arguments[0], index: arguments[1] - 1 })", top, number)
            equal(page.run("return rows.element.scrollTop"), top, f"the place of row {number} of {count}")
        if count > 100_000:
            # There a pixel of the scroll bar stands for more than a pixel of rows.
            page.run("rows.show({ top: 0, index: arguments[0] }); rows.element.focus()", count // 2)
            first = seen(f"the middle of {count}", count // 2)[0]
            first_is = SEEN.replace("return [", "const found = [") + "return found[0] === arguments[0]"
            for press, by in (("Down", 1), ("Down", 1), ("Up", -1)):
                page.press(press)
                first += by
                page.wait(first_is, f"row {first} of {count} is the first after {press}", first)
            for by in (3, 3, -3):
                wheel(page, ".virtual", by * page.run("return rows.rowPx"))
                first += by
                page.wait(first_is, f"row {first} of {count} is the first after the wheel", first)
        page.run("rows.end(); rows.element.remove()")


def check_very_long(page, count):
    """The last of very many games is seen, and one in the middle is in sight when one comes back from it."""
    page.go("/explore/0")
    wait_count(page, f"{count:,} games")
    page.run("document.querySelector('.virtual').focus()")
    page.press("End")
    seen = "const list = document.querySelector('.virtual').getBoundingClientRect(); const row = [...document.querySelectorAll('.game-row')].find((row) => row.textContent.includes(arguments[0]));" \
        "const box = row?.getBoundingClientRect(); return Boolean(box) && box.top >= list.top - 1 && box.bottom <= list.bottom + 1"
    page.wait(seen, "the last game", f"Player {count}")
    middle = count // 2 + 1
    page.go("/explore/0?query=" + urllib.parse.quote(f'white:"Player {middle}"'))
    wait_count(page, "1 game")
    page.go("/explore/0")
    wait_count(page, f"{count:,} games")
    page.run("document.querySelector('.virtual').scrollTop = document.querySelector('.virtual-space').clientHeight / 2")
    page.wait("const found = [...document.querySelectorAll('.game-row')].find((row) => row.textContent.includes(arguments[0])); found?.click(); return Boolean(found)", "the game in the middle", f"Player {middle}")
    page.wait("return document.querySelector('.game-chooser')?.textContent.includes(arguments[0])", "the game", f"Game {middle:,}".replace(",", ""))
    page.press("]")
    page.wait("return location.pathname === arguments[0]", "the next game", f"/analyse/0/{middle + 1}")
    link_in(page, ".game-chooser a", "To the list")
    page.wait("return document.querySelector('.game-row[aria-current]')?.textContent.includes(arguments[0])", "the game is marked", f"Player {middle + 1}")
    page.wait(seen, "and in sight", f"Player {middle + 1}")


def check_line(page):
    """The moves on the board become a term, and any move is added to it."""
    page.go("/explore/0?moves=" + urllib.parse.quote("e4 c5"))
    page.wait("return document.querySelector('.path')?.textContent.startsWith('1. e4 c5')", "the moves")
    page.button("Games with this line")
    page.wait("return document.querySelector('.query input').value === 'line:\"1.e4 c5\"'", "the line")
    wait_count(page, "2 games")
    page.button("∗")
    page.wait("return document.querySelector('.query input').value === 'line:\"1.e4 c5 *\"'", "any move behind it")
    wait_count(page, "2 games")
    page.wait("return document.querySelectorAll('.notable li').length === 2", "games from the position")
    equal(page.run("return document.querySelector('.notable h2').textContent"), "All of them", "there are no more")
    page.check_accessible("games from a position")
    link_in(page, ".notable a", "Tal, Mihail 2700 – Botvinnik, M")
    page.wait("return location.pathname === '/analyse/0/1' && document.querySelector('.notation .move[aria-current]')?.textContent === 'c5'", "the game at the position")


def check_book(page):
    """A star tells that the openings are left, and the men that one side has more are shown."""
    page.go("/analyse?moves=" + urllib.parse.quote("e4 c5 h3"))
    page.wait("return document.querySelector('.facts .opening')?.textContent === 'B20 Sicilian Defense * (left)'", "left")
    page.press("Left")
    page.wait("return document.querySelector('.facts .opening')?.textContent === 'B20 Sicilian Defense'", "still in the book")
    page.go("/analyse?fen=" + urllib.parse.quote("4k3/8/8/8/8/8/4P3/R3K1b1 w - - 0 1"))
    page.wait("return document.querySelectorAll('.balance .more-men').length === 2", "men of both sides")
    equal(page.run("return document.querySelector('.balance .hidden').textContent"), " White has more: rook, pawn. Black has more: bishop.", "their names")
    page.press("+")
    page.wait("return document.querySelector('.toasts').textContent.includes('Material: White 6, Black 3.')", "the numbers")
    page.go("/explore/0?moves=" + urllib.parse.quote("e4 c5 h3"))
    page.wait("return document.querySelector('.path .opening')?.textContent.endsWith('*')", "left in the explorer")


def playing(page):
    return page.run("return document.querySelector('button[aria-label^=\"Play through\"]').getAttribute('aria-pressed') === 'true'")


def check_autoplay(page):
    """Space plays through the game and stops; twice it makes the next move at once; any step by hand stops it."""
    page.go("/analyse?own=autoplay")
    paste(page, GAME)
    page.wait("return document.querySelectorAll('.notation .move').length === 11", "the game")
    page.setting("autoplayS", 30)
    page.press(" ")
    equal([playing(page), page.run(CURRENT)], [True, None], "it plays")
    page.run("return new Promise((done) => setTimeout(done, 500))")
    twice = "for (const _ of [1, 2]) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true, cancelable: true}))"
    page.run(twice)
    equal([playing(page), page.run(CURRENT)], [True, "1. e4"], "the next move at once")
    page.run("return new Promise((done) => setTimeout(done, 500))")
    page.press(" ")
    equal(playing(page), False, "once stops it")
    stops = {
        "a click on a move": "document.querySelectorAll('.notation .move')[2].click()",
        "the button to the start": "document.querySelector('button[aria-label^=\"To the start\"]').click()",
        "the button one move on": "document.querySelector('button[aria-label^=\"One move on\"]').click()",
    }
    for what, act in stops.items():
        page.run("return new Promise((done) => setTimeout(done, 400))")
        page.press(" ")
        equal(playing(page), True, "it plays again")
        page.run(act)
        equal(playing(page), False, f"{what} stops it")
    page.run("return new Promise((done) => setTimeout(done, 400))")
    page.press(" ")
    page.move("d7d5")
    page.wait("return document.querySelector('.move[aria-current]')?.textContent.includes('d5')", "a move on the board")
    equal(playing(page), False, "a move on the board stops it")
    # To its end by itself.
    page.setting("autoplayS", 0.2)
    page.press("Home")
    page.run("document.activeElement.blur()")
    page.press(" ")
    page.wait(CURRENT + "?.includes('O-O')", "the end of the game")
    page.wait("return document.querySelector('button[aria-label^=\"Play through\"]').getAttribute('aria-pressed') === 'false'", "it stops at the end")
    # The time for each move is a setting.
    page.run("document.getElementById('settings').click()")
    page.run("const field = document.querySelector('dialog input[type=number]'); field.value = '0.7'; field.dispatchEvent(new Event('change'))")
    page.close_dialog()
    equal(page.run("return JSON.parse(localStorage.getItem('hematite.settings')).autoplayS"), 0.7, "the seconds for each move")
    page.setting("autoplayS", 2)


def visible_moves(page):
    return page.run("return [...document.querySelectorAll('.notation .move')].filter((move) => move.offsetParent !== null).map((move) => move.textContent)")


def check_hiding(page):
    """What follows in a game is hidden until one gets there."""
    page.go("/analyse?own=hidden")
    paste(page, '[Result "1-0"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 {Out.} Nc6 (2... d6 3. d4) 3. Bb5 1-0')
    page.wait("return document.querySelectorAll('.notation .move').length === 7", "the game")
    equal(len(visible_moves(page)), 7, "all moves")
    page.setting("hideMoves", True)
    equal(visible_moves(page), [], "nothing before the first move")
    equal(page.run("return [document.querySelector('.end-result').offsetParent, document.querySelector('.curve').offsetParent, document.querySelector('.subtitle').textContent]"), [None, None, ""], "no result")
    page.press("Right", "Right", "Right")
    equal(visible_moves(page), ["1. e4", "e5", "2. Nf3"], "the moves so far")
    equal(page.run("return [...document.querySelectorAll('.notation .comment')].map((text) => text.offsetParent !== null)"), [True], "the comment on the move")
    page.check_accessible("a game that hides what follows")
    page.press("Right", "Right")
    equal(visible_moves(page)[-1], "3. Bb5", "the last move")
    page.press("Left", "Left")
    equal(len(visible_moves(page)), 3, "hidden again")
    page.setting("hideMoves", False)
    equal(len(visible_moves(page)), 7, "all moves again")
    # The list of several games has their results, too.
    page.go("/analyse?own=several")
    paste(page, '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n[White "C"]\n[Black "D"]\n[Result "0-1"]\n\n1. d4 0-1\n')
    names = "return [...document.querySelectorAll('.game-chooser option')].map((option) => option.textContent)"
    page.wait(names.replace("return", "return 2 ===") + ".length", "two games")
    equal(page.run(names), ["1. A – B 1-0", "2. C – D 0-1"], "the games with their results")
    page.setting("hideMoves", True)
    equal(page.run(names), ["1. A – B", "2. C – D"], "the games without their results")
    page.setting("hideMoves", False)
    equal(page.run(names), ["1. A – B 1-0", "2. C – D 0-1"], "the results again")


def check_copies(page):
    """Parts of a game are copied."""
    page.go("/analyse?own=copies")
    paste(page, GAME)
    page.wait("return document.querySelectorAll('.notation .move').length === 11", "the game")
    page.press("Right", "Right", "Right", "Right", "Down")
    equal(page.run(CURRENT), "2… d6", "a variation")

    def copied(item):
        def press():
            page.run("document.querySelector('button[aria-label=\"Copy …\"]').click()")
            page.check_accessible("what can be copied")
            page.wait("const found = [...document.querySelectorAll('.menu button')].find(({textContent}) => textContent === arguments[0]); found?.click(); return Boolean(found)", item, item)
        return page.copied(press)

    equal(copied("The moves of the game"), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O", "the moves of the game")
    equal(copied("The moves up to here"), "1. e4 e5 2. Nf3 d6", "the moves up to here")
    equal(copied("The line that is shown"), "1. e4 e5 2. Nf3 d6 3. d4", "the line")
    equal(copied("The position (FEN)"), "rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3", "the position")
    equal("{Out.}" in copied("The game (PGN)"), True, "the game")
    # The choice of the text is kept.
    page.button("Text")
    page.wait("return document.querySelector('.pgn-pane textarea').value.includes('Out.')", "the text")
    page.go("/analyse/0/2")
    page.wait("return document.querySelector('.pgn-pane').offsetParent !== null && document.querySelector('.pgn-pane textarea').value.includes('Two knights.')", "the text of another game")
    equal(page.run("return document.activeElement.tagName"), "BODY", "the focus is not in it")
    page.button("Text")
    page.go("/analyse/0/1")
    page.wait("return document.querySelector('.notation').offsetParent !== null && document.querySelectorAll('.notation .move').length === 10", "the list of moves")


def check_engine_line(page):
    """A line of the engine is copied."""
    page.go("/analyse?fen=" + urllib.parse.quote("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"))
    page.run("document.querySelector('.engine input').click()")
    page.wait("return document.querySelector('.engine-lines li .move')?.textContent.includes('Ra8#')", "the mate")
    equal(page.copied(lambda: page.run("document.querySelector('.copy-line').click()")), "1. Ra8#", "the line")
    page.run("document.querySelector('.engine input').click()")


def check_novelty(page):
    """The first move that no earlier game has is marked."""
    page.go("/analyse/0/3")
    page.wait("return document.querySelectorAll('.notation .move').length === 16", "the game")
    page.click("button[aria-label='Find the novelty']")
    page.button("games")
    page.wait(CURRENT + "?.startsWith('Nc6')", "the move that is new")
    page.wait("return document.querySelector('.notation .move[aria-current] abbr')?.title === 'novelty'", "its sign")
    page.wait("return document.querySelector('.toasts').textContent.includes('2... Nc6 is new in games: 1 earlier game came to the position before it, the last Tal, Mihail – Botvinnik, M, 1960.03.15.')", "what was before")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}))")
    page.wait("return document.querySelector('.notation abbr') === null", "undone")


def check_study(page):
    """A study begins at the move on the board, asks both sides, and hides who played."""
    page.go("/analyse/0/2")
    page.wait("return document.querySelectorAll('.notation .move').length === 10", "the game")
    page.run("localStorage.setItem('hematite.study', JSON.stringify({side: 'both'}))")
    page.setting("hideNames", True)
    page.press("Right", "Right", "Right", "Right")
    page.button("Study")
    page.wait("return document.querySelector('.status strong')?.textContent === 'Guess the moves of both sides'", "both sides")
    equal(page.run("return [document.querySelector('.status').textContent.includes('Tal'), document.title.includes('Tal')]"), [False, False], "no names")
    equal(page.state()["squares"]["c6"], "black knight", "the position after four plies")
    for count, move in enumerate(("f1b5", "a7a6", "b5c6", "d7c6"), start=1):
        page.move(move)
        page.wait("return document.querySelectorAll('.found li').length >= arguments[0] || document.querySelector('.status strong')?.textContent.startsWith('Done')", f"guess {count}", count)
    page.wait("return document.querySelector('.status strong')?.textContent.startsWith('Done: 12 of 12')", "all moves are found")
    equal(page.run("return document.querySelector('.status').textContent.includes('Botvinnik, Mikhail – Tal, M')"), True, "the names at the end")
    page.check_accessible("a study of both sides")
    page.setting("hideNames", False)
    page.run("localStorage.removeItem('hematite.study')")


def main():
    folder = own_folder()
    if sys.argv[3:] == ["--long"]:
        count = 200_000
        (folder / "long.pgn").write_text(many(count))
        with served(folder, [str(folder / "long.pgn")]) as base, Page(base) as page:
            check_very_long(page, count)
            page.check_quiet("the browser")
        print("a very long list is gone through")
        return
    games = folder / "games"
    games.mkdir(exist_ok=True)
    (games / "a.pgn").write_text(SPELLED)
    (games / "b.pgn").write_text(OTHER)
    long = folder / "long.pgn"
    long.write_text(many(300))
    checks = (check_rows, check_tables, check_hits, check_place, check_long, check_line, check_book, check_autoplay, check_hiding, check_copies, check_engine_line, check_novelty, check_study)
    with served(folder, [str(games), str(long)]) as base, Page(base) as page:
        for check in checks:
            check(page)
        page.check_quiet("the browser")
    print("games are found and gone through")


if __name__ == "__main__":
    main()
