"""Uses the page of `hematite board` in headless Chromium for what the rules of play give to each role: reasons for moves that
are refused, claims, games that are left, the acts of the arbiter, what is told before one sits down, and steps through a game.

Usage: board_rules.py HEMATITE FOLDER.
"""

import json
import re
import subprocess
import sys
import time
import urllib.request

from browser import equal
from page import ENVIRONMENT, Page, new_game, own_folder, served, start

BUTTONS = "return [...document.querySelectorAll('button')].filter((button) => button.offsetParent !== null)" \
    ".map((button) => button.textContent.trim() || button.getAttribute('aria-label'))"


def open_game(page, made, role=None):
    page.go("/help")
    page.run("sessionStorage.clear(); localStorage.removeItem('hematite.seats')")
    page.go(f"/game/{made['id']}" + (f"#{made['tokens'][role]}" if role else ""))
    page.wait("return document.querySelector('.status').dataset.phase !== ''", "the game")


def has_button(page, text):
    return any(label.startswith(text) for label in page.run(BUTTONS))


def double_click(page, text):
    box = page.wait("const found = [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === arguments[0]); if (!found) return null;"
                    "found.scrollIntoView({block: 'center'}); const box = found.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]", text, text)
    click = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
    # Long enough for the answer of the server.
    actions = [{"type": "pointerMove", "duration": 0, "x": round(box[0]), "y": round(box[1])}, *click, {"type": "pause", "duration": 150}, *click]
    page.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "double", "parameters": {"pointerType": "mouse"}, "actions": actions}]})


def state_of(base, link):
    with urllib.request.urlopen(f"{base}/api/games/{re.search('/game/([^#]+)', link)[1]}", timeout=30) as answer:
        return json.load(answer)


def told(page, text):
    page.wait("return [...document.querySelectorAll('.toast')].some((toast) => toast.textContent.includes(arguments[0]))", text, text)


def check_reasons(base, page):
    """Why a move goes back, by drag, by clicks and by keys; the reason is told to screen readers."""
    open_game(page, new_game(base, start={"fen": "4k3/8/8/8/4r3/8/4B3/R3K2R w KQ - 0 1"}), "white")
    page.wait_turn()
    page.move("e2d3", drags=True)
    told(page, "Illegal move: it leaves the own king under attack (Laws of Chess, 1.4.1, 3.9.2)")
    equal(page.run("return document.getElementById('assertive').textContent").startswith("Illegal move: it leaves"), True, "what a screen reader says")
    page.move("a1b3")
    told(page, "the rook does not move there")
    page.move("h1e1", drags=True)
    told(page, "e1 is occupied by a piece of the same color")
    # A focus right after a press would be that of the mouse.
    time.sleep(0.3)
    page.run("document.querySelector('[data-square=e1]').focus()")
    page.press("Up", "Down", "Enter", "Right", "Right", "Right", "Up", "Enter")
    told(page, "the king does not move there")
    # A click on another own piece chooses it, and says nothing.
    page.run("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")
    page.pointer("mouse", page.middle("a1"))
    page.pointer("mouse", page.middle("h1"))
    equal(page.run("return [document.querySelector('.square.selected').dataset.square, document.querySelectorAll('.toast').length]"), ["h1", 0], "another piece")
    # Dots show where it can go.
    dots = page.run("return [...document.querySelectorAll('.square.target')].map((cell) => cell.dataset.square).sort().join()")
    equal(dots, "f1,g1,h2,h3,h4,h5,h6,h7,h8", "the targets of a rook")
    page.press("Escape")
    equal((page.state()["moves"], page.state()["squares"]["e2"]), ([], "white bishop"), "nothing has moved")
    page.move("e1g1")
    page.wait_plies(1)
    state = page.state()
    equal((state["moves"], state["squares"].get("g1"), state["squares"].get("f1")), (["O-O"], "white king", "white rook"), "castling by two squares")
    open_game(page, new_game(base, start={"fen": "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"}), "white")
    page.wait_turn()
    page.move("e5d6", drags=True)
    page.wait_plies(1)
    equal((page.state()["squares"].get("d6"), page.state()["squares"].get("d5")), ("white pawn", None), "the pawn that is taken in passing")


def check_steps(base, page):
    """A click on a move, the keys, the buttons and the wheel step through a game that is played."""
    made = new_game(base)
    for index, move in enumerate("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6".split()):
        page.post(made, ("white", "black")[index % 2], {"act": "move", "move": move})
    open_game(page, made, "white")
    page.wait_plies(8)
    place = "return location.hash"
    page.run("document.querySelectorAll('.moves .move')[2].click()")
    equal(page.run(place), "#m3", "a click on a move")
    for keys, expected in ((["PageDown"], ""), (["PageUp"], "#m3"), (["PageUp"], "#m0"), (["PageDown"], "#m5"), (["Backspace"], "#m0"), (["Right"], "#m1"),
                           (["Down"], ""), (["Up"], "#m0"), (["End", "Left"], "#m7")):
        page.press(*keys)
        equal(page.run(place), expected, f"{keys}")
    turn = "const board = document.querySelector('.board'); const turn = new WheelEvent('wheel', {deltaY: arguments[0], bubbles: true, cancelable: true});" \
        "board.dispatchEvent(turn); return [turn.defaultPrevented, location.hash]"
    equal(page.run(turn, -100), [True, "#m6"], "the wheel back")
    equal(page.run(turn, 100), [True, "#m7"], "the wheel")
    page.press("f")
    equal(page.run("return document.querySelector('[data-square]').dataset.square"), "h1", "the board is turned")
    page.click("[aria-label='Turn the board (f)']")
    equal(page.run("return document.querySelector('[data-square]').dataset.square"), "a8", "and back")


def check_left(base, ann, bob):
    """Who waits can claim a game that the opponent has left, as soon as the time has come."""
    made = new_game(base, abandonment_s=10)
    open_game(ann, made, "white")
    open_game(bob, made, "black")
    ann.wait_turn()
    ann.move("e2e4")
    bob.wait_plies(1)
    ann.go("/help")
    bob.wait("return /away since \\d/.test(document.querySelector('.player').textContent)", "since when she is away")
    equal(has_button(bob, "Claim the win"), False, "too early")
    bob.button("Claim the win")
    bob.wait_status("0–1")
    bob.close_dialog()


def check_claim(base, page):
    """Over the board a draw is claimed with the next move, and a wrong claim is an offer."""
    made = new_game(base, rules="otb", time_control="600")
    for index, move in enumerate("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1".split()):
        page.post(made, ("white", "black")[index % 2], {"act": "move", "move": move})
    open_game(page, made, "black")
    page.wait_plies(7)
    page.button("Claim a draw")
    page.button("It stands on the board")
    page.wait("return document.querySelector('.panels').textContent.includes('You have offered a draw')", "a wrong claim")
    claims = "Make the move that you claim the draw with"
    for what, cancel in (("the button", lambda: page.button("Cancel")), ("Escape", lambda: page.press("Escape"))):
        page.button("Claim a draw")
        page.button("My next move brings it about")
        page.wait_status(claims)
        page.see("a claim with the next move")
        cancel()
        page.wait("return !document.querySelector('.status').textContent.includes(arguments[0])", f"{what} calls it off", claims)
        equal(has_button(page, "Cancel"), False, f"{what} calls it off")
    page.button("Claim a draw")
    page.button("My next move brings it about")
    page.wait_status(claims)
    page.move("f6g8")
    page.wait_status("½–½")
    page.close_dialog()


def check_arbiter(base, ann, bob):
    """The arbiter's link stays until the end; the arbiter stops the clocks, adds time, allows an assistant, and decides."""
    ann.go("/")
    ann.run("document.querySelector('input[value=friend]').click()")
    ann.run("[...document.querySelectorAll('.colors input')].find((input) => input.value === 'white').click()")
    ann.run("document.querySelector('.times input[value=\"300+3\"]').click()")
    ann.type("input[autocomplete=nickname]", "Ann")
    ann.run("document.querySelector('.more').open = true")
    equal(ann.run("return [...document.querySelectorAll('.more label')].find((label) => label.textContent.startsWith('Casual')).querySelector('input').checked"), False, "a game counts at first")
    ann.run("const input = document.querySelector('.more input[max=\"43200\"]'); input.value = '5'; input.dispatchEvent(new Event('input'))")
    ann.run("[...document.querySelectorAll('.more label')].find((label) => label.textContent.startsWith('The first moves')).querySelector('input').click()")
    ann.button("Make the link")
    link = ann.wait("return document.querySelector('.link-row input')?.value", "the link")
    bob.go("/help")
    bob.go(link.removeprefix(base))
    shown = bob.wait("return document.querySelector('.fixed-rules')?.textContent", "what the game was made with")
    for part in ("5 minutes and 3 seconds a move", "Online rules", "The first move of each side costs no time", "away for 5 minutes"):
        equal(part in shown, True, f"{part} in {shown}")
    bob.check_accessible("the chair")
    bob.run("document.querySelector('.sit input').value = 'Bob'")
    bob.button("Sit down")
    ann.wait_turn()
    # Nobody helps who plays a game that counts.
    equal(has_button(ann, "Find this position"), False, "no collections in a game that counts")
    ann.run("document.querySelector('.invite details').open = true")
    arbiter = ann.wait("return document.querySelector('[aria-label=\"Link for the arbiter\"]')?.value", "the link while the game is played")
    watching = ann.run("return document.querySelector('[aria-label=\"Link to watch\"]').value")
    bob.go("/help")
    bob.run("sessionStorage.clear(); localStorage.removeItem('hematite.seats')")
    bob.go(watching.removeprefix(base), fresh=True)
    bob.wait_status("you are watching")
    equal(has_button(bob, "Find this position"), True, "who watches may look")
    ann.wait_status("1 watching")
    bob.go("/help")
    bob.go(arbiter.removeprefix(base))
    bob.wait_status("you are the arbiter")
    ann.wait("return !document.querySelector('.status').textContent.includes('watching')", "nobody watches")
    # The second click of a double click does not press the button that has come in its place.
    double_click(bob, "Pause")
    ann.wait_status("The game is paused")
    bob.wait("return [...document.querySelectorAll('.panel button')].some((one) => one.textContent === 'Go on')", "the other button")
    time.sleep(0.3)
    equal(state_of(base, link)["phase"], "paused", "after a double click")
    bob.button("Go on")
    ann.wait_turn()
    bob.button("Add time")
    bob.run("const [side, seconds] = document.querySelectorAll('dialog[open] select, dialog[open] input'); side.value = 'black'; seconds.value = '90'")
    bob.check_accessible("adding time")
    bob.run("document.querySelector('dialog[open] form').requestSubmit()")
    ann.wait("return document.querySelector('.player[data-color=black] .clock span').textContent === '6:30'", "the time that was added")
    bob.button("Assistant")
    bob.run("document.querySelector('dialog[open] input').value = 'Cid'; document.querySelector('dialog[open] form').requestSubmit()")
    assistant = bob.wait("return document.querySelector('input[aria-label=\"Link for the assistant\"]')?.value", "the link of the assistant")
    equal(assistant.startswith(f"{base}/game/"), True, assistant)
    bob.close_dialog()
    ann.wait("return document.querySelector('.player[data-color=white]').textContent.includes('with Cid')", "the assistant is named")
    bob.button("Result")
    bob.run("const [winner, cause] = document.querySelectorAll('dialog[open] select'); winner.value = 'black'; cause.value = 'abandoned';"
            "document.querySelector('dialog[open] form').requestSubmit()")
    ann.wait_status("0–1")
    ann.close_dialog()
    bob.wait_status("0–1")
    equal(ann.run("return [document.querySelector('.invite') === null, localStorage.getItem('hematite.invites')]"), [True, "{}"], "no links after the end")
    equal(has_button(ann, "Find this position"), True, "after the end")
    bob.button("Journal")
    bob.wait("return document.querySelector('.journal')?.textContent.includes('\"abandoned\"')", "the journal")
    bob.close_dialog()


def check_periods(base, ann, bob):
    """The moves of a period are counted on the clock, and time is given in a casual game."""
    made = new_game(base, time_control="40/5400:1800", casual=True)
    open_game(ann, made, "white")
    ann.wait_turn()
    to_go = "return document.querySelector('.player[data-color=white] .clock small').textContent"
    equal(ann.run(to_go), "for 40 moves", "the moves of the period")
    ann.move("e2e4")
    ann.wait_plies(1)
    ann.wait(to_go.replace("return ", "return 'for 39 moves' === "), "one move less")
    ann.check_accessible("a clock with moves")
    ann.button("Give 15 seconds")
    ann.wait("return document.querySelector('.log')?.textContent.includes('Black gets 15 seconds more')", "the time that was given")
    # A takeback ends an offer, and both are told.
    ann.button("Offer a draw")
    ann.button("Offer it")
    ann.wait("return document.querySelector('.panels').textContent.includes('You have offered a draw')", "the offer")
    ann.button("Take back")
    open_game(bob, made, "black")
    bob.button("Allow")
    for page in (ann, bob):
        page.wait_plies(0)
        page.wait("return document.querySelector('.log').textContent.includes(\"White's offer of a draw no longer stands\")", "the end of the offer")
        equal(page.run("return document.querySelector('.panels').textContent.includes('draw')"), False, "no offer any more")


def check_lost(binary, folder):
    """A cut is told soon, although attempts to come back fail meanwhile, and the game goes on after a restart."""
    for old in folder.glob("board.sqlite*"):
        old.unlink()
    server, base = start(binary, folder, [])
    try:
        with Page(base) as page:
            made = new_game(base)
            open_game(page, made, "white")
            page.wait_turn()
            page.move("e2e4")
            page.wait_plies(1)
            server.kill()
            server.wait()
            begin = time.monotonic()
            page.wait("return document.getElementById('connection').textContent.startsWith('Connection lost')", "the loss is told")
            if time.monotonic() - begin > 3:
                raise AssertionError(f"told after {time.monotonic() - begin:.1f} s")
            port = base.rsplit(":", 1)[1]
            server = subprocess.Popen([binary, "board", "--port", port, "--state", str(folder / "board.sqlite"), "--progress", str(folder / "progress.sqlite")], env=ENVIRONMENT,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            page.wait("return document.getElementById('connection').textContent === ''", "it is there again")
            page.wait("return document.querySelector('.board.offline') === null", "the board as well")
            equal(page.state()["moves"], ["e4"], "the game")
            page.post(made, "black", {"act": "move", "move": "e7e5"})
            page.wait_plies(2)
    finally:
        server.kill()
        server.wait()


def main():
    folder = own_folder()
    with served(folder, []) as base, Page(base) as ann, Page(base) as bob:
        check_reasons(base, ann)
        check_steps(base, ann)
        check_left(base, ann, bob)
        check_claim(base, ann)
        check_arbiter(base, ann, bob)
        check_periods(base, ann, bob)
        ann.check_quiet("the first browser")
        bob.check_quiet("the second browser")
    check_lost(sys.argv[1], folder)
    print("all roles can do what they may")


if __name__ == "__main__":
    main()
