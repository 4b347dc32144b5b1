"""Plays tournaments on the page of `hematite board` in headless Chromium: engines play a round robin to its end, two people
join by links and play a round, and the standings, the cross table and the rounds are read; computers play in an arena. Beside that the list of openings,
a start at odds, the places of coordinates, and what makes the page installable.

Usage: board_tournament.py HEMATITE FOLDER [PICTURES]. With a folder of pictures it leaves one of each view there.
"""

import sys
import urllib.request

from browser import equal
from page import Page, own_folder, post, served

# The table of standings: place, name and points.
STANDINGS = """return [...document.querySelectorAll('.tournament section table tbody tr')].map((row) =>
  [...row.children].slice(0, 3).map((cell) => cell.textContent))"""

# Keeps the sockets that the page opens for the test.
KEEP_SOCKETS = """window.opened = []; window.RealSocket ??= WebSocket;
  window.WebSocket = class extends RealSocket { constructor(...all) { super(...all); opened.push(this); } }"""


def show(page, view):
    page.run("[...document.querySelectorAll('.tournament nav a')].find((link) => link.textContent === arguments[0]).click()", view)


def wait_head(page, text):
    page.wait("return [...document.querySelectorAll('.main h2')].some((head) => head.textContent === arguments[0])", text, text)


def make(page, choices, name):
    page.go("/tournament")
    page.wait("return document.querySelector('.new-game input') !== null", "the form")
    page.run("document.querySelector('.new-game input[type=text]').value = ''")
    page.type(".new-game input[type=text]", name)
    for value in choices:
        page.run("document.querySelector(`.new-game input[value='${arguments[0]}']`).click()", value)
    return page


def check_engines(base, page, what):
    make(page, ["round_robin", "60", "at_once"], "Engines <b>1</b>")
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.see(f"the form of a tournament {what}")
    page.fill("Time control as PGN", "1")
    page.fill("Countdown", "0")
    page.button("Make the tournament")
    page.wait("return document.querySelector('.tournament .panel') !== null", "the host's panel")
    for count in (1, 2, 3):
        page.wait("return document.querySelectorAll('.link-row option').length > 5", "the levels")
        page.run("document.querySelector('.link-row select').value = 'Beginner'")
        page.button("Add the computer")
        page.wait("return document.querySelectorAll('.tournament tbody tr').length === arguments[0]", "the computer", count)
    page.see(f"a tournament before its start {what}")
    page.button("Start the first round")
    # Where the browser is slow, all of it may be over already.
    page.wait("return /round \\d of 3|is over/.test(document.querySelector('.tournament .subtitle').textContent)", "the rounds")
    page.wait("return document.querySelector('.tournament .game-list a') !== null || document.querySelector('.tournament .subtitle').textContent.includes('finished')", "the game")
    page.see(f"a tournament that is played {what}")
    page.wait("return document.querySelector('.tournament .subtitle').textContent.includes('finished')", "the end")
    rows = page.run(STANDINGS)
    points = [float(row[2]) for row in rows]
    equal((len(rows), sum(points), points == sorted(points, reverse=True)), (3, 3.0, True), f"the standings {rows}")
    page.see(f"the standings {what}")
    show(page, "Cross table")
    wait_head(page, "Cross table")
    equal(page.run("return location.search"), "?show=crosstable", "the address")
    equal(page.run("return [...document.querySelectorAll('.main tbody tr')].map((row, index) => row.children[2 + index].textContent)"), ["·", "·", "·"], "the diagonal")
    page.see(f"the cross table {what}")
    show(page, "Round 2")
    page.wait("return location.search === '?show=round-2' && document.querySelector('.main h2').textContent === 'Round 2'", "the second round")
    page.see(f"a round {what}")
    page.command("POST", "/back", {})
    wait_head(page, "Cross table")
    address = page.run("return location.pathname")
    pgn = urllib.request.urlopen(f"{base}/api{address.replace('/tournament/', '/tournaments/')}/pgn", timeout=30).read().decode()
    equal(pgn.count('[Event "Engines <b>1</b>"]'), 3, "the games as PGN")
    page.go("/tournament")
    page.wait("return document.querySelector('.games .game-list a') !== null", "the list")
    page.see(f"the list of tournaments {what}")


def check_arena(page, what):
    """Two computers are paired again as long as there is time; the table, the games and the time are shown."""
    make(page, ["arena", "60"], "Arena")
    equal(page.run("return document.querySelector('.new-game input[value=at_once]')"), None, "nobody waits for a round")
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.fill("Time control as PGN", "1")
    page.fill("Countdown", "0")
    page.button("Make the tournament")
    page.wait("return document.querySelector('.tournament .panel') !== null", "the host's panel")
    for count in (1, 2):
        page.wait("return document.querySelectorAll('.link-row option').length > 5", "the levels")
        page.button("Add the computer")
        page.wait("return document.querySelectorAll('.tournament tbody tr').length === arguments[0]", "the computer", count)
    page.button("Start the arena")
    page.wait("return document.querySelector('[role=timer]').textContent.endsWith(' left')", "the time")
    page.wait("return [...document.querySelectorAll('.sheet')].some((cell) => /\\d/.test(cell.textContent))", "the first result")
    # Late entry: the third computer comes while the arena is played.
    page.button("Add the computer")
    page.wait("return document.querySelectorAll('.tournament tbody tr').length === 3", "the computer that comes later")
    page.see(f"an arena {what}")
    show(page, "Games")
    wait_head(page, "Games that are over")
    page.see(f"the games of an arena {what}")


def check_people(base, host, ann):
    """The host plays as well; the other player comes by a link, both say that they are there, and their game opens by itself."""
    make(host, ["swiss", "300+3", "when_ready"], "People")
    host.run("const field = document.querySelector('.new-game input[type=number]'); field.value = '1'; field.dispatchEvent(new Event('input'))")
    host.fill("Time control as PGN", "")
    host.button("Make the tournament")
    watched = host.copied(lambda: host.button("Copy the link to watch"))
    equal(watched, base + host.run("return location.pathname"), "the link to watch")
    host.run(KEEP_SOCKETS)
    host.button("Take part yourself")
    host.type("dialog[open] input", "Hanna")
    host.run("document.querySelector('dialog[open] form button').click()")
    host.wait("return [...document.querySelectorAll('.tournament tbody th')].some((cell) => cell.textContent.includes('Hanna'))", "the host as a player")
    host.wait("return [...document.querySelectorAll('.tournament .panel h2')].some((head) => head.textContent === 'Hanna')", "the own panel of the host")
    equal(host.run("return opened.length"), 1, "the socket of the host stays open, and one of a player is opened")
    host.run("window.WebSocket = RealSocket")
    host.button("Invite players")
    host.button("Make a link")
    link = host.wait("return document.querySelector('dialog[open] .link-row input')?.value", "the link")
    host.picture("invitation")
    host.check_accessible("the invitation")
    host.close_dialog()
    ann.go(link.removeprefix(base))
    equal(ann.run("return location.hash"), "", "the token in the address")
    ann.wait("return document.querySelector('.panel form, form.panel') !== null", "the form to take part")
    ann.run("document.querySelector('form.panel input').value = ''")
    ann.type("form.panel input", "Ann")
    ann.see("the form to take part")
    ann.run("document.querySelector('form.panel button[type=submit]').click()")
    ann.wait("return [...document.querySelectorAll('.tournament h2')].some((head) => head.textContent === 'Ann')", "the own panel")
    host.button("Start the first round")
    ann.button("I am here")
    host.wait("return document.querySelector('.main .game-list small')?.textContent.includes('waits for Hanna')", "who is waited for")
    host.button("I am here")
    for page in (host, ann):
        page.wait("return location.pathname.startsWith('/game/')", "the own game opens")
        page.wait("return document.querySelector('.status a')?.textContent === 'People, round 1'", "the way back")
    ann.see("a game of a tournament")
    players = {page: page.wait("return document.querySelector('.status strong')?.textContent", "whose move it is") for page in (host, ann)}
    first = next(page for page, text in players.items() if text == "Get ready: " or "Your move" in text or "Get ready" in text)
    host.wait("return document.querySelector('.status')?.dataset.phase === 'playing'", "the start")
    first.button("Resign")
    first.run("document.querySelector('dialog[open] .danger').click()")
    for page in (host, ann):
        page.wait("return document.querySelector('dialog[open] h2') !== null", "the end")
    equal(ann.run("return [...document.querySelectorAll('button')].some((button) => button.textContent === 'Rematch')"), False, "no rematch")
    ann.button("To the tournament")
    ann.wait("return document.querySelector('.tournament .subtitle')?.textContent.includes('finished')", "the end of the tournament")
    equal(sorted(row[2] for row in ann.run(STANDINGS)[:2]), ["0.0", "1.0"], "the points")


def check_refused(base, host):
    """A token that the tournament knows outlasts every other error, and is forgotten only if it does not know it."""
    made = post(base, "/api/tournaments", {"name": "Busy", "format": {"round_robin": {"double": False}}, "game": {"time_control": "300"}})
    host.run(KEEP_SOCKETS)
    is_host = "return [...document.querySelectorAll('.tournament .panel h2')].some((head) => head.textContent === 'Host')"
    host.go(f"/tournament/{made['id']}#{made['tokens']['host']}")
    host.wait(is_host, "the panel of the host")
    refuse = "const socket = opened.at(-1); socket.dispatchEvent(new MessageEvent('message', {data: JSON.stringify({error: {text: arguments[0], code: arguments[0]}})})); socket.close(); return opened.length"
    known = "return [localStorage.getItem('hematite.tournaments').includes(arguments[0]), sessionStorage.getItem(`hematite.tournament.${arguments[1]}`)]"
    count = host.run(refuse, "too_many_requests")
    host.wait("return opened.length > arguments[0]", "the socket comes back", count)
    token = made["tokens"]["host"]
    equal(host.run(known, token, made["id"]), [True, token], "the token is kept")
    host.wait(is_host, "the panel of the host again")
    host.run(refuse, "unknown_token")
    host.wait("return sessionStorage.getItem(`hematite.tournament.${arguments[0]}`) === null", "the token is forgotten", made["id"])
    host.go("/arbiter")
    host.wait("return document.querySelector('.overview .subtitle')?.textContent.includes('game')", "the games")
    count = host.run(refuse, "too_many_requests")
    host.wait("return opened.length > arguments[0]", "the socket of the overview comes back", count)
    host.wait("return /game/.test(document.querySelector('.overview .subtitle').textContent)", "the games again")
    host.run("window.WebSocket = RealSocket")


def check_openings(page, what):
    page.go("/openings")
    page.wait("return document.querySelectorAll('.openings-list tbody tr').length === 100", "the openings")
    page.see(f"the openings {what}")
    page.button("Moves")
    page.wait("return document.querySelector('.openings-list .line').textContent === '1. Na3'", "sorted by moves")
    equal(page.run("return location.search"), "?sort=moves", "the address")
    page.type("input[type=search]", "najdorf")
    page.wait("return [...document.querySelectorAll('.openings-list tbody th')].every((cell) => cell.textContent.includes('Najdorf'))", "those that are looked for")
    page.run("document.querySelector('.openings-list tbody a').click()")
    page.wait("return document.querySelectorAll('.notation .move').length >= 10", "its moves")
    page.wait("return document.querySelector('.opening').textContent.includes('Najdorf')", "its name")
    equal(page.run("return document.querySelector('.notation .move[aria-current]') !== null"), True, "the last move is shown")


def check_second_engine(page, what):
    """Two engines look at the same position, each with a switch and lines of its own."""
    page.go("/analyse?moves=1.%20e4%20e5")
    page.wait("return document.querySelectorAll('.engine').length === 2", "two engines")
    page.run("document.querySelectorAll('.engine input').forEach((input) => input.checked || input.click())")
    page.wait("return [...document.querySelectorAll('.engine')].every((engine) => engine.querySelector('.line-score') !== null)", "the lines of both")
    page.wait("return document.querySelectorAll('.shapes .Y').length > 0 && document.querySelectorAll('.shapes .B').length > 0", "the arrows of both")
    page.see(f"two engines {what}")
    page.run("document.querySelectorAll('.engine input').forEach((input) => input.checked && input.click())")
    page.wait("return document.querySelectorAll('.line-score').length === 0", "no lines")


def check_odds(page, what):
    page.go("/")
    page.wait("return document.querySelector('input[value=odds]') !== null", "the form")
    page.run("document.querySelector('input[value=shared]').click()")
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.run("document.querySelector('input[value=odds]').click()")
    page.wait("return document.querySelector('.odds') !== null", "the men")
    page.see(f"a start at odds {what}")
    page.run("for (const name of ['white knight on b1', 'white rook on a1']) document.querySelector(`.odds input[aria-label='${name}']`).click()")
    page.button("Play")
    page.wait("return document.querySelector('.board.movable') !== null", "the game")
    # The knight, which is off at first, is back, and the rook is away.
    squares = page.state()["squares"]
    equal((squares.get("a1"), squares.get("b1"), squares.get("a8")), (None, "white knight", "black rook"), "the start")


def check_coordinates(page):
    shown = "const at = (square, pseudo) => { const style = getComputedStyle(document.querySelector(`[data-square=${square}]`), pseudo); return style.display === 'none' ? '' : style.content.replaceAll('\"', ''); };" \
        "return [at('a1', '::before'), at('h1', '::before'), at('a1', '::after'), at('a8', '::after')]"
    page.go("/editor")
    for ranks, files, expected in [("left", "bottom", ["1", "", "a", ""]), ("right", "top", ["", "1", "", "a"]), ("both", "both", ["1", "1", "a", "a"])]:
        for place in ("inside", "outside"):
            page.setting("coordinates", place)
            page.setting("ranksAt", ranks)
            page.setting("filesAt", files)
            page.wait(f"return (() => {{ {shown} }})().join() === arguments[0]", f"coordinates {ranks} and {files} {place}", ",".join(expected))
            equal(page.run(shown), expected, f"coordinates {ranks} and {files} {place}")
            page.check_width(f"coordinates {ranks} and {files} {place}")
            page.picture(f"coordinates-{ranks}-{files}-{place}")
    page.run("localStorage.removeItem('hematite.settings')")
    page.go("/", fresh=True)
    page.run("document.getElementById('settings').click()")
    page.wait("return document.querySelector('dialog.settings select') !== null", "the settings")
    page.see("the settings")


def check_installable(page):
    page.go("/")
    page.wait("return navigator.serviceWorker.ready.then((found) => found.scope === location.origin + '/')", "the service worker")
    manifest = page.devtools("Page.getAppManifest", {})
    equal(manifest["errors"], [], "the manifest")
    page.run("return fetch('/assets/manifest.webmanifest').then((answer) => answer.json()).then((manifest) => { window.manifest = manifest; })")
    for icon in page.run("return window.manifest.icons"):
        script = "const image = new Image(); image.src = arguments[0]; return image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
        width, height = page.run(script, icon["src"])
        if icon["sizes"] != "any":
            equal(f"{width}x{height}", icon["sizes"], icon["src"])
    told = page.devtools("Page.getInstallabilityErrors", {})["installabilityErrors"]
    # A window without a profile of its own cannot install anything, whatever the page is.
    equal([error["errorId"] for error in told if error["errorId"] != "in-incognito"], [], "installable")
    page.check_quiet("the installable page")


def main():
    folder = own_folder()
    with served(folder, []) as base:
        with Page(base) as host, Page(base) as ann:
            check_engines(base, host, "at 1280 px")
            check_arena(host, "at 1280 px")
            check_people(base, host, ann)
            check_refused(base, host)
            check_openings(ann, "at 1280 px")
            check_odds(ann, "at 1280 px")
            check_coordinates(ann)
            check_installable(ann)
            host.check_quiet("the host")
        # The narrowest page is where something can fail to fit; the others are for who looks at pictures.
        widths = ((360, True), (800, False), (1600, False)) if len(sys.argv) > 3 else ((360, True),)
        for width, is_dark in widths:
            with Page(base, width, 900, dark=is_dark) as page:
                check_engines(base, page, f"at {width} px")
                check_arena(page, f"at {width} px")
                check_openings(page, f"at {width} px")
                check_odds(page, f"at {width} px")
                page.check_quiet(f"the window of {width} px")
        assert post(base, "/api/tournaments", {"name": "Last", "format": {"round_robin": {}}})["id"]
    with served(folder, ["--second-engine", sys.argv[1]]) as base:
        for width, is_dark in ((1280, False), (360, True)):
            with Page(base, width, 900, dark=is_dark) as page:
                check_second_engine(page, f"at {width} px")
                page.check_quiet(f"two engines at {width} px")
    print("tournaments are played")


if __name__ == "__main__":
    main()
