"""Plays whole games on the page of `hematite board` in headless Chromium in the ways that people have: by the keyboard
alone, against the engine until it is mated, with the options for entering moves, Chess960, and with takebacks between
people; and looks at what stands beside the board meanwhile.

Usage: board_play.py HEMATITE FOLDER.
"""

import json
import time
import urllib.parse
import urllib.request

from board_bot import WebSocket
from browser import equal
from page import Page, new_game, own_folder, served

SHIFT = "\ue008"
# How long a slow connection takes for a message and the answer; longer than what the games allow for.
SLOW_S = 1


def tab_to(page, what, test):
    """Tab until the element with the focus, `element`, passes the test."""
    for _ in range(120):
        if page.run(f"const element = document.activeElement; return Boolean({test})"):
            return
        page.press("Tab")
    raise AssertionError(f"{what} is not reached by Tab")


def labeled(text):
    return f"element.labels?.[0]?.textContent.includes({text!r}) || element.textContent.trim() === {text!r}"


def type_keys(page, text):
    page.press(*text)
    page.press("Enter")


def key(page, kind, value):
    page.command("POST", "/actions", {"actions": [{"type": "key", "id": "held", "actions": [{"type": kind, "value": value}]}]})


def drag_right(page, first, last):
    """Draws with the right button."""
    (x, y), (to_x, to_y) = page.middle(first), page.middle(last)
    steps = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}, {"type": "pointerDown", "button": 2},
             {"type": "pointerMove", "x": round(to_x), "y": round(to_y), "duration": 0}, {"type": "pointerUp", "button": 2}]
    page.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]})


def open_game(page, made, role):
    page.go(f"/game/{made['id']}#{made['tokens'][role]}")
    page.wait("return document.querySelector('.status').dataset.phase !== ''", "the game")


def check_keyboard_only(page):
    """From the settings over the form to mate without a mouse; each move is typed as it is written."""
    page.go("/")
    page.wait("return document.querySelector('.level-text strong') !== null", "the form")
    tab_to(page, "the settings", labeled("Settings"))
    page.press("Enter")
    tab_to(page, "the field for moves", labeled("A field to type moves"))
    page.press("Space", "Escape")
    tab_to(page, "the opponent", "element.type === 'radio' && ['engine', 'friend', 'shared'].includes(element.value)")
    while page.run("return document.activeElement.value") != "shared":
        page.press("Right")
    tab_to(page, "the time", "element.type === 'radio' && element.value === '-'")
    tab_to(page, "the button", labeled("Play"))
    page.press("Enter")
    page.wait("return location.pathname.startsWith('/game/') && document.querySelector('.board') !== null", "the game")
    page.wait_status("to move")
    for count, move in enumerate(("f3", "e5", "g4", "Qh4"), start=1):
        page.wait("return document.querySelector('.board.movable') !== null", "the server has answered")
        tab_to(page, "the field", "element.id === 'move-field'")
        type_keys(page, move)
        page.wait_plies(count)
    page.wait("return document.querySelector('dialog[open] h2')?.textContent === 'Player 2 wins'", "who has won")
    equal(page.run("return document.querySelector('dialog[open]').contains(document.activeElement)"), True, "the focus is in the dialog")
    page.press("Escape")
    page.wait("return document.querySelector('dialog[open]') === null", "the dialog is closed")
    page.wait_status("0–1")
    equal(page.state()["moves"], ["f3", "e5", "g4", "Qh4#"], "the moves")
    tab_to(page, "the next game", labeled("New game"))
    page.press("Enter")
    page.wait("return location.pathname === '/'", "the first page")
    page.setting("moveField", False)


def begin_against_engine(page, fen, color):
    """The form for a game against the engine from a position."""
    page.go("/?fen=" + urllib.parse.quote(fen))
    page.wait("return document.querySelector('.new-game input[value=engine]') !== null", "the form")
    page.run("document.querySelector('input[value=engine]').click()")
    page.run("[...document.querySelectorAll('.colors input')].find((input) => input.value === arguments[0]).click()", color)
    page.wait("return document.querySelector('.level-text strong') !== null", "the levels")


def check_engine_to_mate(page):
    """A position is played out against the engine, with a hint, by the rules: it has one move, and is mated."""
    begin_against_engine(page, "7k/8/4K3/8/8/8/8/6Q1 w - - 0 1", "white")
    page.run("const level = document.querySelector('.level input'); level.value = '0'; level.dispatchEvent(new Event('input'))")
    page.check("Casual")
    page.button("Play")
    page.wait_turn()
    page.button("Hint")
    page.wait("return document.querySelectorAll('.shape').length > 0", "the hint")
    page.move("e6f7")
    page.wait_plies(2)
    page.wait_turn()
    equal(page.run("return document.querySelectorAll('.shape').length"), 0, "the hint is gone")
    page.move("g1g7")
    page.wait("return document.querySelector('dialog[open] h2')?.textContent === 'You win!'", "the win")
    page.close_dialog()
    page.wait_status("1–0")
    equal(page.state()["moves"], ["Kf7", "Kh7", "Qg7#"], "the moves")
    page.button("Analyze")
    page.wait("return document.querySelectorAll('.notation .move').length === 3", "the game in the analysis")


def check_coach(page):
    """The coach says why the own move was bad, and names no move of the engine that is still to come."""
    begin_against_engine(page, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "black")
    page.check("Coach")
    page.button("Play")
    page.wait_turn()
    equal(page.run("return document.querySelector('.coach').hidden"), True, "nothing is said before the first move")
    page.move("a7a6")
    page.wait("return document.querySelector('.coach p').textContent.includes('blunder')", "what the coach says")
    text = page.run("return document.querySelector('.coach p').textContent")
    if not text.startswith("3… a6 – A blunder: it overlooks the threat of mate in 1. Better was 3... ") or "Qxf7" in text:
        raise AssertionError(text)
    page.check_accessible("the coach")
    if page.run("return document.querySelector('dialog[open]') !== null"):
        page.close_dialog()


def check_entry(base, page):
    """Smart move, a queen without a question and with Shift all the same, and shapes that only the player sees."""
    page.go("/help")
    page.setting("smart_move", True)
    open_game(page, new_game(base), "white")
    page.wait_turn()
    page.pointer("mouse", page.middle("e4"))
    page.wait_plies(1)
    equal(page.state()["moves"], ["e4"], "one click is a move")
    page.setting("smart_move", False)
    page.go("/help")
    page.setting("auto_queen", True)
    pawn = {"start": {"fen": "7k/P7/8/8/8/8/8/K7 w - - 0 1"}}
    open_game(page, new_game(base, **pawn), "white")
    page.wait_turn()
    page.move("a7a8")
    page.wait_plies(1)
    equal(page.state()["moves"], ["a8=Q+"], "a queen without a question")
    open_game(page, new_game(base, **pawn), "white")
    page.wait_turn()
    key(page, "keyDown", SHIFT)
    page.move("a7a8")
    key(page, "keyUp", SHIFT)
    page.wait("return document.querySelectorAll('.promotion button').length === 4", "the question with Shift")
    page.click(".promotion button", 2)
    page.wait_plies(1)
    equal(page.state()["moves"], ["a8=R+"], "a rook")
    page.go("/help")
    page.setting("auto_queen", False)
    open_game(page, new_game(base), "white")
    page.wait_turn()
    drag_right(page, "e2", "e4")
    drag_right(page, "d5", "d5")
    page.wait("return document.querySelectorAll('path.shape.G').length === 1 && document.querySelectorAll('circle.shape.G').length === 1", "an arrow and a circle")
    equal(page.state()["moves"], [], "drawing is no move")
    # The arrow keys step through the game, also after the mouse has been on the board.
    page.move("e2e4")
    page.wait_plies(1)
    page.press("Left")
    page.wait("return location.hash === '#m0'", "one move back after a move by mouse")


def check_chess960(base, page):
    """The king is put onto his rook."""
    page.go("/help")
    open_game(page, new_game(base, start={"fen": "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1"}), "white")
    page.wait_turn()
    page.move("b1e1")
    page.wait_plies(1)
    state = page.state()
    equal((state["moves"], state["squares"].get("g1"), state["squares"].get("f1"), state["squares"].get("e1")), (["O-O"], "white king", "white rook", None), "castling")
    page.go("/")
    page.wait("return document.querySelector('.level-text strong') !== null || document.querySelector('.pair') !== null", "the form")
    page.run("document.querySelector('input[value=shared]').click(); document.querySelector('.more').open = true")
    page.run("document.querySelector('input[value=chess960]').click()")
    page.run("const input = document.querySelector('.more input[type=number][max=\"959\"]'); input.value = '0'; input.dispatchEvent(new Event('input'))")
    page.button("Play")
    page.wait("return document.querySelector('[data-square=a1]')?.getAttribute('aria-label').includes('white bishop')", "position 0 of Chess960")
    page.go("/")
    page.run("document.querySelector('input[value=standard]').click()")


def check_takeback(base, ann, bob):
    """In a casual game between people a move is taken back if the other one allows it."""
    made = new_game(base, casual=True)
    open_game(ann, made, "white")
    open_game(bob, made, "black")
    ann.wait_turn()
    ann.move("e2e4")
    bob.wait_plies(1)
    ann.button("Take back")
    bob.wait("return document.querySelector('.offer')?.textContent.includes('asks to take the last move back')", "the wish")
    bob.button("Decline")
    ann.wait("return !document.querySelector('.panels')?.textContent.includes('You have asked')", "it is declined")
    equal(ann.state()["moves"], ["e4"], "the move stays")
    ann.button("Take back")
    bob.button("Allow")
    for page in (ann, bob):
        page.wait_plies(0)
    ann.wait_turn()
    ann.move("d2d4")
    bob.wait_plies(1)
    # Who goes away is seen to be away, since when.
    bob.go("/help")
    ann.wait("return /away since \\d/.test(document.querySelector('.player').textContent)", "since when the opponent is away")
    made = new_game(base, casual=False)
    open_game(ann, made, "white")
    ann.move("e2e4")
    ann.wait_plies(1)
    equal(ann.run("return [...document.querySelectorAll('button')].some((button) => button.textContent.includes('Take back'))"), False, "no takeback in a game that counts")


# Keeps all that a screen reader is told politely.
LISTEN = """
window.told = [];
const region = document.getElementById("polite");
window.ear?.disconnect();
window.ear = new MutationObserver(() => window.told.push(region.textContent));
window.ear.observe(region, { childList: true });
"""


def check_told(base, ann, bob):
    """A screen reader hears both moves when a premove answers at once, and what becomes of premoves and takebacks."""
    def hears(page, text):
        page.wait("return window.told.some((told) => told.includes(arguments[0]))", f"{text} is said", text)

    ann.go("/help")
    ann.setting("premove", True)
    made = new_game(base, casual=True)
    open_game(ann, made, "white")
    open_game(bob, made, "black")
    ann.wait_turn()
    ann.move("e2e4")
    bob.wait_plies(1)
    ann.move("g1f3")
    ann.wait("return document.querySelector('.offer')?.textContent.startsWith('Premove')", "the premove")
    for page in (ann, bob):
        page.run(LISTEN)
    bob.wait_turn()
    bob.move("e7e5")
    for page in (ann, bob):
        page.wait_plies(3)
        hears(page, "Black: e5. White: knight f3, as entered before")
    ann.move("e4e5")
    ann.wait("return document.querySelector('.offer')?.textContent.startsWith('Premove')", "another premove")
    bob.wait_turn()
    bob.move("b8c6")
    ann.wait_plies(4)
    hears(ann, "Black: knight c6. A premove is not legal in this position; all premoves are dropped")
    hears(bob, "Black: knight c6")
    ann.button("Take back")
    bob.button("Allow")
    for page in (ann, bob):
        page.wait_plies(2)
        hears(page, "2 moves are taken back")
    ann.setting("premove", False)


def check_typed(base, page):
    """Moves are typed with the letters of the chosen language and with English ones, and premoves as well."""
    page.go("/help")
    for name, value in (("moveField", True), ("premove", True), ("pieceNames", "German:KDTLS")):
        page.setting(name, value)
    made = new_game(base)
    open_game(page, made, "white")
    page.wait_turn()
    tab_to(page, "the field", "element.id === 'move-field'")
    type_keys(page, "Sf3")
    page.wait_plies(1)
    # Before the opponent has answered it is a premove.
    type_keys(page, "Sc3")
    page.wait("return document.querySelector('.offer')?.textContent.startsWith('Premove: b1 to c3')", "the typed premove")
    type_keys(page, "O-O-O-O")
    page.wait("return document.getElementById('move-note').textContent === 'O-O-O-O is no move of your pieces.'", "what is no move")
    page.post(made, "black", {"act": "move", "move": "e7e5"})
    page.wait_plies(3)
    page.post(made, "black", {"act": "move", "move": "e5e4"})
    page.wait_plies(4)
    page.run("document.getElementById('move-field').value = ''")
    type_keys(page, "Nd4")
    page.wait_plies(5)
    equal(page.state()["moves"], ["Sf3", "e5", "Sc3", "e4", "Sd4"], "the moves in letters of the language")
    page.go("/help")
    for name, value in (("moveField", False), ("premove", False), ("pieceNames", "letters")):
        page.setting(name, value)


def check_tabs(base, page):
    """Two tabs of one browser keep their seats, however they were opened."""
    made = new_game(base)
    page.go("/help")
    seat = {"token": made["tokens"]["white"], "role": "white"}
    page.run("localStorage.setItem('hematite.seats', JSON.stringify({[arguments[0]]: [arguments[1]]}))", made["id"], seat)
    page.go(f"/game/{made['id']}")
    page.wait_turn()
    first = page.command("GET", "/window")
    other = page.command("POST", "/window/new", {"type": "tab"})["handle"]
    page.command("POST", "/window", {"handle": other})
    own = "return [...document.querySelectorAll('.player')].at(-1)?.dataset.color === arguments[0] && document.querySelector('.status').dataset.phase === 'playing'"
    open_game(page, made, "black")
    page.wait(own, "the seat of the second tab", "black")
    page.command("POST", "/window", {"handle": first})
    page.command("POST", "/refresh", {})
    page.wait(own, "the seat of the first tab", "white")
    page.command("POST", "/window", {"handle": other})
    page.command("POST", "/refresh", {})
    page.wait(own, "the seat of the second tab after a reload", "black")
    page.command("DELETE", "/window")
    page.command("POST", "/window", {"handle": first})


def check_rest(page, other):
    """A page that is hidden leaves the engine to others, and one that waits says so."""
    score = "return document.querySelector('.engine .speed')?.textContent.startsWith('depth')"
    waits = "return document.querySelector('.engine-lines')?.textContent === 'Waiting for another search …'"
    for own in (page, other):
        own.go("/analyse")
        own.wait("return document.querySelector('.engine .switch input') !== null", "the switch")
    page.run("document.querySelector('.engine .switch input').click()")
    page.wait(score, "the search of the first page")
    other.run("document.querySelector('.engine .switch input').click()")
    other.wait(waits, "the second page waits")
    hide = "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"
    page.run(hide, True)
    other.wait(score, "the search of the second page")
    page.run(hide, False)
    page.wait(waits, "the first page waits")
    other.run("document.querySelector('.engine .switch input').click()")
    page.wait("return document.querySelector('.engine-lines .line-moves') !== null", "the search of the first page again")
    page.run("document.querySelector('.engine .switch input').click()")


def page_ms(text):
    """A clock in whole seconds."""
    minutes, seconds = text.split(":")
    return 60 * int(minutes) + int(float(seconds))


def check_seats(page):
    """Seats of players are kept as long as their games are not over; those of games that are over are forgotten first."""
    script = """return import('/assets/storage.js').then(({ finishGames, keepSeat, knownGames, store }) => {
      const before = knownGames();
      store("seats", {});
      keepSeat("own", { token: "own", role: "white" });
      keepSeat("over", { token: "over", role: "black" });
      finishGames(["over"]);
      for (let index = 0; index < 300; index += 1) keepSeat(`arena${index}`, { token: "host", role: "arbiter" });
      const found = knownGames();
      const kept = ["own", "over", "arena0", "arena299"].map((id) => id in found);
      for (let index = 0; index < 300; index += 1) keepSeat(`played${index}`, { token: "own", role: "black" });
      const all = Object.keys(knownGames()).length;
      store("seats", before);
      return [kept, all];
    })"""
    equal(page.run(script), [[True, False, False, True], 301], "the seats that are kept")


def check_clocks(base, ann, bob):
    """Online 3.7: the clock after each move is seen by both players, and those of the position that is looked at."""
    made = new_game(base, time_control="300+3")
    open_game(ann, made, "white")
    open_game(bob, made, "black")
    ann.move("e2e4")
    bob.wait_plies(1)
    bob.wait_turn()
    bob.move("e7e5")
    clocks = "return [...document.querySelectorAll('.moves .after [aria-hidden]')].map((clock) => clock.textContent)"
    for page in (ann, bob):
        page.wait_plies(2)
        shown = page.wait(f"const all = (() => {{ {clocks} }})(); return all.length === 2 && all", "the clocks after the moves")
        if not all(clock.startswith(("4:5", "5:0")) for clock in shown):
            raise AssertionError(f"the clocks after the moves are {shown}")
    # A clock that runs never goes back, however often the page is drawn anew.
    clock = "return document.querySelector('.player[data-color=white] .clock span').textContent"
    time.sleep(2)
    before = page_ms(ann.run(clock))
    for pressed in ("Left", "Right", "f", "f"):
        ann.press(pressed)
        after = page_ms(ann.run(clock))
        if after > before:
            raise AssertionError(f"the clock went from {before} to {after} s after {pressed}")
        before = after
    state = state_of(base, made)
    equal([ply["white_ms"] is not None and ply["black_ms"] is not None for ply in state["plies"]], [True, True], "the clocks of the server")
    equal(state["clocks"]["start_ms"], 300_000, "the clocks at the start")
    ann.press("Home")
    ann.wait("return [...document.querySelectorAll('.then')].every((clock) => clock.textContent === 'then 5:00')", "the clocks at the start beside those that run")
    ann.press("Right")
    after = ann.run(clocks)[0]
    equal(ann.wait("return document.querySelector('.player[data-color=white] .then').textContent", "the clock then"), f"then {after}", "the clock after the first move")
    # The place has an address.
    equal(ann.run("return location.hash"), "#m1", "the address of a ply")
    ann.run("location.hash = '#m0'")
    ann.wait("return document.querySelector('.square.last') === null", "the address is followed")
    link = ann.copied(lambda: ann.click("button[aria-label='Copy the link to watch']"))
    equal(link, f"{base}/game/{made['id']}#m0", "the link to watch")
    ann.command("POST", "/refresh", {})
    ann.wait_plies(2)
    ann.wait("return document.querySelector('.square.last') === null && location.hash === '#m0'", "the ply after a reload")
    bob.button("Resign")
    bob.button("Resign")
    for page in (ann, bob):
        page.wait_status("1–0")
        page.close_dialog()
    bob.press("Home")
    bob.wait("return [...document.querySelectorAll('.clock span')].every((clock) => clock.textContent === '5:00')", "the clocks of a game that is over")


def check_delay(base, ann):
    """The clock of who has a delay stands still first; a slow connection has a time of each move that is shown."""
    open_game(ann, new_game(base, time_control="600d60"), "white")
    clock = "return document.querySelector('.player[data-color=white] .clock.running span')?.textContent ?? null"
    equal(ann.wait(clock, "the clock of White"), "10:00", "the clock at first")
    time.sleep(SLOW_S)
    equal(ann.run(clock), "10:00", "the clock during its delay")
    made = new_game(base, time_control="600", lag_compensation_ms=300)
    socket = WebSocket(base, f"/api/games/{made['id']}/socket")
    socket.say({"hello": {"token": made["tokens"]["black"], "lag": True}})
    # A ping is answered when it is read.
    time.sleep(SLOW_S)
    for message in socket.messages():
        if (message.get("lag", {}).get("black_ms") or 0) >= 300:
            break
    open_game(ann, made, "white")
    ann.move("e2e4")
    ann.wait("return document.querySelector('.player[data-color=black] .lag')?.textContent.includes('−300 ms')", "the time that Black is not charged")
    title = ann.run("return document.querySelector('.player[data-color=black] .lag').title")
    equal(title.endswith("Of each move the clock does not lose 300 ms."), True, "the words about it")
    ann.check_accessible("a game with compensation for lag")
    ann.see("play-lag")


def state_of(base, made):
    with urllib.request.urlopen(f"{base}/api/games/{made['id']}", timeout=30) as answer:
        return json.load(answer)


def check_form(base, page):
    """A game by link may have minutes after which it can be claimed."""
    page.go("/")
    page.run("document.querySelector('input[value=friend]').click(); document.querySelector('.more').open = true")
    page.wait("return document.querySelector('.more input[max=\"43200\"]') !== null", "the minutes")
    page.run("const input = document.querySelector('.more input[max=\"43200\"]'); input.value = '5'; input.dispatchEvent(new Event('input'))")
    lag = "const list = [...document.querySelectorAll('.more select')].find((list) => [...list.options].some(({ value }) => value === '300'))"
    page.run(f"{lag}; list.value = '300'; list.dispatchEvent(new Event('change'))")
    page.button("Make the link")
    page.wait("return document.querySelector('.link-row input') !== null", "the link")
    name = page.run("return location.pathname").rsplit("/", 1)[1]
    equal(state_of(base, {"id": name})["rules"]["abandonment_s"], 300, "the seconds after which it can be claimed")
    equal(state_of(base, {"id": name})["rules"]["lag_compensation_ms"], 300, "the time of each move that is not charged")


def main():
    with served(own_folder(), ["--searches", "1"]) as base, Page(base) as ann, Page(base) as bob:
        check_keyboard_only(ann)
        check_engine_to_mate(ann)
        check_coach(ann)
        check_entry(base, ann)
        check_chess960(base, ann)
        check_takeback(base, ann, bob)
        check_told(base, ann, bob)
        check_typed(base, ann)
        check_tabs(base, bob)
        check_seats(ann)
        check_clocks(base, ann, bob)
        check_delay(base, ann)
        check_form(base, ann)
        check_rest(ann, bob)
        ann.check_quiet("the first browser")
        bob.check_quiet("the second browser")
    print("games can be played")


if __name__ == "__main__":
    main()
