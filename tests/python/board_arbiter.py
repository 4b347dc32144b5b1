"""Follows all games of an arbiter on the page of `hematite board` in headless Chromium: clocks, offers, claims and acts at a
glance, for the creator of games, for the host of a tournament, and for a browser that has no token; and the round-trip times
of connections.

Usage: board_arbiter.py HEMATITE FOLDER [PICTURES]. With a folder of pictures it leaves some of each view there.
"""

import json
import urllib.request

from browser import equal
from page import Page, new_game, own_folder, post, served

CARDS = "[...document.querySelectorAll('.overview-game')]"


def keep(page, name, values):
    """Puts tokens where the page keeps them."""
    page.run("localStorage.setItem(`hematite.${arguments[0]}`, arguments[1])", name, json.dumps(values))


def card(page, names, script, what, *arguments):
    """Waits until the script answers something true for the card of a game between these players."""
    find = f"const card = {CARDS}.find((one) => one.querySelector('h3').textContent.endsWith(arguments[0])); return card && (() => {{ {script} }})()"
    return page.wait(find, f"{names}: {what}", names, *arguments)


def press(page, names, text):
    script = "const found = [...card.querySelectorAll('button, .actions a')].find((one) => (one.textContent.trim() || one.getAttribute('aria-label')).startsWith(arguments[1]));" \
        "found?.click(); return Boolean(found)"
    card(page, names, script, f"{text} is pressed", text)


def has_signal(page, names, text):
    card(page, names, "return [...card.querySelectorAll('.signals li')].some((one) => one.textContent.includes(arguments[1]))", text, text)


def game(base, white, black, **more):
    return new_game(base, white={"person": white}, black={"person": black}, **more)


def check_games(base, page, player):
    """The games of a creator: what is open is marked, acts take effect, and a game that ends stays in sight."""
    offered = game(base, "Ann", "Bob", time_control="600+5", casual=True)
    claimed = game(base, "Cid", "Dan", time_control="3000", rules="otb")
    calm = game(base, "Eve", "Fay", time_control="-")
    short = game(base, "Gus", "Hal", time_control="14")
    page.go("/help")
    keep(page, "arbiters", {made["id"]: made["tokens"]["arbiter"] for made in (offered, claimed, calm, short)})
    page.go("/arbiter")
    page.wait(f"return {CARDS}.length === 4", "four games")
    for index, move in enumerate("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6".split()):
        page.post(offered, ("white", "black")[index % 2], {"act": "move", "move": move})
    page.post(offered, "white", {"act": "offer_draw"})
    for index, move in enumerate("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split()):
        page.post(claimed, ("white", "black")[index % 2], {"act": "move", "move": move})
    has_signal(page, "Ann – Bob", "Ann offers a draw")
    has_signal(page, "Cid – Dan", "Cid can claim a draw")
    has_signal(page, "Gus – Hal", "Gus is short of time")
    card(page, "Ann – Bob", "return card.querySelector('.overview-head small').textContent.startsWith('3… a6, Ann to move')", "the last move and the side to move")
    equal(page.run(f"const card = {CARDS}.find((one) => one.textContent.includes('Ann')); return [card.querySelectorAll('.mini-board .last').length, card.querySelectorAll('.clock.running').length]"), [2, 1], "the mark of the move, and a clock that runs")
    page.wait("return [...document.querySelectorAll('.urgent li a')].some((one) => one.textContent === 'Ann offers a draw')", "the offer in the list")
    page.see("the overview")
    # A player who comes has a connection, and one who leaves is away.
    player.go(f"/game/{offered['id']}#{offered['tokens']['black']}")
    player.wait("return /^\\d+ ms/.test(document.querySelector('.player[data-color=black] .lag:not([hidden])')?.textContent)", "the own round-trip time")
    card(page, "Ann – Bob", "return /\\d+ ms.*connection: \\d+ millisecond/.test(card.querySelector('.player[data-color=black] .lag:not([hidden])')?.textContent)", "the round-trip time of a player")
    equal(page.run(f"return {CARDS}.find((one) => one.textContent.includes('Ann')).querySelector('.player[data-color=white] .lag').hidden"), True, "none without a page")
    player.check_accessible("a game with round-trip times")
    player.picture("a game with round-trip times")
    player.go("/help")
    has_signal(page, "Ann – Bob", "Bob is away since ")
    card(page, "Ann – Bob", "return card.querySelector('.player[data-color=black] .lag').hidden", "no time of a closed page")
    # The end of a game by time.
    page.wait(f"return {CARDS}.length === 3 && document.querySelector('.overview .game-list')?.textContent.includes('Gus – Hal')", "the game that is over")
    page.wait("return !localStorage.getItem('hematite.arbiters').includes(arguments[0])", "its token is forgotten", short["id"])
    # The acts of the arbiter.
    press(page, "Eve – Fay", "Pause")
    has_signal(page, "Eve – Fay", "The clocks are stopped")
    press(page, "Eve – Fay", "Go on")
    press(page, "Cid – Dan", "Acts of the arbiter")
    page.wait("return document.querySelector('.menu button')", "the menu")
    equal(page.run("return [...document.querySelectorAll('.menu button')].map((one) => one.textContent)"), ["Add time …", "Result …", "Assistant …", "Journal"], "the acts")
    page.check_accessible("the menu of the arbiter")
    page.button("Add time")
    page.run("const [side, seconds] = document.querySelectorAll('dialog[open] select, dialog[open] input'); side.value = 'black'; seconds.value = '900'; document.querySelector('dialog[open] form').requestSubmit()")
    card(page, "Cid – Dan", "return /^1:0[45]/.test(card.querySelector('.player[data-color=black] .clock').textContent)", "the time that was added")
    press(page, "Eve – Fay", "Acts of the arbiter")
    page.button("Result")
    page.run("document.querySelector('dialog[open] form').requestSubmit()")
    page.wait(f"return {CARDS}.length === 2 && document.querySelector('.overview .game-list').textContent.includes('Eve – Fay')", "the decided game")
    page.picture("the overview with finished games")
    press(page, "Cid – Dan", "Open")
    page.wait_status("you are the arbiter")
    page.run("[...document.querySelectorAll('.panel a')].find((link) => link.textContent === 'All games').click()")
    page.wait(f"return {CARDS}.length === 2", "the overview again")
    return offered


def check_creator(base, page):
    """The creator of a game on the page is its arbiter, and has a seat in it."""
    page.go("/")
    page.run("document.querySelector('input[value=friend]').click()")
    page.run("[...document.querySelectorAll('.colors input')].find((input) => input.value === 'white').click()")
    page.run("document.querySelector('input[autocomplete=nickname]').value = ''")
    page.type("input[autocomplete=nickname]", "Max")
    page.button("Make the link")
    page.wait("return Boolean(document.querySelector('.game .status')?.dataset.phase)", "the game")
    page.go("/")
    page.wait("return [...document.querySelectorAll('.games a.button')].some((link) => link.textContent === 'All games at once')", "the way to the overview")
    page.run("[...document.querySelectorAll('.games a.button')].find((link) => link.textContent === 'All games at once').click()")
    card(page, "Max – Black", "return card.querySelector('.actions a').textContent === 'Your game' && card.querySelector('.actions button') !== null", "the acts beside the own seat")
    has_signal(page, "Max – Black", "Waits for the players")


def check_link(base, page):
    """A browser that has opened the link of an arbiter shows that game as well."""
    made = game(base, "Nia", "Ole", time_control="900")
    page.go(f"/game/{made['id']}#{made['tokens']['arbiter']}")
    page.wait_status("you are the arbiter")
    page.go("/arbiter")
    press(page, "Nia – Ole", "Pause")
    has_signal(page, "Nia – Ole", "The clocks are stopped")


def check_host(base, page, stranger):
    """The host of a tournament sees its games only; a browser without its token sees none of them there."""
    made = post(base, "/api/tournaments", {"name": "Club night", "format": {"round_robin": {"double": False}}, "begin": "at_once", "game": {"time_control": "900+10"}})

    def act(token, wish):
        request = urllib.request.Request(f"{base}/api/tournaments/{made['id']}/acts", json.dumps({"act": wish}).encode(),
                                         {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    host = made["tokens"]["host"]
    for name in ("Isabella Nowak-Zimmermann", "Jonas", "Kim", "Lea"):
        invitation = act(host, {"act": "invite"})["token"]
        act(invitation, {"act": "join", "name": name})
    page.go(f"/tournament/{made['id']}#{host}")
    page.wait("return [...document.querySelectorAll('.panel button')].some((one) => one.textContent === 'Start the first round')", "the panel of the host")
    act(host, {"act": "start"})
    page.wait("const link = [...document.querySelectorAll('.panel a')].find((one) => one.textContent === 'All games at once'); link?.click(); return Boolean(link)", "the way to the overview")
    page.wait(f"return {CARDS}.length === 2 && document.querySelector('h1').textContent === 'Club night'", "the games of the tournament")
    equal(page.run(f"return {CARDS}.map((card) => card.querySelector('h3 a').firstChild.textContent)"), ["Round 1, board 1", "Round 1, board 2"], "the places")
    page.see("the overview of a tournament")
    # The page of each game finds the token of the host, which is not kept for the game.
    page.run(f"{CARDS}[0].querySelector('h3 a').click()")
    page.wait_status("you are the arbiter")
    equal(page.run("return [JSON.parse(localStorage.getItem('hematite.seats') ?? '{}')[location.pathname.split('/')[2]] ?? null, sessionStorage.getItem(`hematite.tab.${location.pathname.split('/')[2]}`)]"), [None, None], "no token of the game")
    page.go(f"/arbiter?tournament={made['id']}")
    page.wait(f"return {CARDS}.length === 2", "the games of the tournament again")
    stranger.go(f"/arbiter?tournament={made['id']}")
    stranger.wait("return document.querySelector('.overview').textContent.includes('Only the host of this tournament')", "nothing without the token")
    stranger.check_accessible("the overview without a token")
    # This is the computer of the server: the games are there to watch, without acts.
    stranger.go("/arbiter")
    stranger.wait(f"return {CARDS}.length > 1", "games to watch")
    equal(stranger.run(f"return [{CARDS}.every((card) => card.querySelector('.actions').textContent === 'Watch'), document.querySelector('.urgent').hidden]"), [True, True], "no acts without a token")
    return made["id"], host


def check_looks(base, made, tournament):
    """Every width, light and dark."""
    for width, dark in ((320, False), (360, True), (800, False), (1600, True), (1600, False)):
        with Page(base, width, 900, dark=dark) as page:
            page.go("/help")
            keep(page, "arbiters", {made["id"]: made["tokens"]["arbiter"]})
            keep(page, "tournaments", {tournament[0]: {"host": tournament[1]}})
            page.go("/arbiter")
            page.wait(f"return {CARDS}.length > 3", "the games")
            page.see(f"the overview {width} {'dark' if dark else 'light'}")


def main():
    folder = own_folder()
    with served(folder, []) as base:
        with Page(base) as page, Page(base) as other:
            made = check_games(base, page, other)
            check_link(base, other)
            other.run("localStorage.clear(); sessionStorage.clear()")
            check_creator(base, page)
            tournament = check_host(base, page, other)
            page.check_quiet("the first browser")
            other.check_quiet("the second browser")
        check_looks(base, made, tournament)
    print("an arbiter sees all games")


if __name__ == "__main__":
    main()
