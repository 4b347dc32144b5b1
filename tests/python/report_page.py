"""Opens pages of `hematite report` in headless Chromium and uses them as a person does: keys step through a game, the
curve and the moves are clicked, a finger swipes; nothing is loaded and the console stays empty.

Usage: report_page.py HEMATITE FOLDER.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from browser import Browser, equal

GAMES = """[Event "Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke & Count <b>"]
[Result "1-0"]
[TimeControl "3600"]

1. e4 {[%eval 0.3] [%clk 1:00:00]} e5 {[%eval 0.3] [%clk 0:59:50]} 2. Nf3 {[%eval 0.3] [%clk 0:59:40]} d6
{[%eval 0.5] [%clk 0:59:00]} 3. d4 {[%eval 0.4] [%clk 0:59:00] [%cal Gd4e5]} Bg4?! {[%eval 1.2] [%clk 0:58:00] Pins.
[%csl Rf3]} (3... exd4 4. Nxd4 (4. Qxd4 Nc6) 4... Nf6 {is sound.}) 4. dxe5 {[%eval 1.2] [%clk 0:58:00]} Bxf3 {[%eval 1.2]
[%clk 0:55:00]} 5. Qxf3 {[%eval 1.1] [%clk 0:57:00]} dxe5 {[%eval 1.2] [%clk 0:54:00]} 6. Bc4 {[%eval 1.2] [%clk 0:56:00]}
Nf6 {[%eval 4.0] [%clk 0:53:00]} 7. Qb3 {[%eval 4.1] [%clk 0:55:00]} 1-0

[Event "Opera"]
[White "Castle, A"]
[Black "Castle, B"]
[Result "*"]

1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *

[Event "Problem"]
[White "Problem"]
[Black "Mate in 1"]
[Result "1-0"]
[SetUp "1"]
[FEN "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]

{[%cal Ga1a8] [%csl Rg8]} 1. Ra8# 1-0
"""

# What the page shows of a game.
STATE = """
const article = document.querySelectorAll("article.game")[arguments[0]];
const pieces = {};
for (const use of article.querySelectorAll(".view .board use")) {
  const name = use.getAttribute("href").slice(1);
  if (name[0] !== "c") continue;
  pieces["abcdefgh"[Number(use.getAttribute("x") || 0)] + (8 - Number(use.getAttribute("y") || 0))] = name[1];
}
const current = article.querySelector("b[aria-current]");
const now = article.querySelector(".now");
return {pieces, caption: article.querySelector(".view figcaption").textContent, current: current && current.textContent,
  now: now && now.getAttribute("x1"), marks: article.querySelectorAll(".view .mark, .view .arrow").length};
"""


def check_keys(browser):
    state = lambda: browser.run(STATE, 0)
    browser.run("document.querySelector('#g1').scrollIntoView()")
    first = state()
    equal(first["caption"], "Position after 7. Qb3", "before any key")
    browser.press("Right")
    found = state()
    equal((found["caption"], found["current"]), ("1. e4   +0.30   ◷ 1:00:00", "e4"), "the first step")
    equal((found["pieces"].get("e4"), found["pieces"].get("e2"), len(found["pieces"])), ("P", None, 32), "the board")
    browser.press("Right", "Right", "Right", "Right", "Right")
    found = state()
    equal((found["current"], found["now"], found["marks"]), ("Bg4?!", f"{600 / 13}%", 1), "six steps")
    browser.press("Down")
    found = state()
    equal((found["current"], found["pieces"].get("d4")), ("exd4", "p"), "into the variation")
    browser.press("Right", "Down", "Right")
    found = state()
    equal((found["current"], found["pieces"].get("c6"), found["caption"]), ("Nc6", "n", "4... Nc6"), "a variation within it")
    browser.press("Left", "Up", "Left", "Left")
    equal(state()["current"], "d4", "out of both")
    browser.press("End")
    found = state()
    equal((found["caption"][:7], found["pieces"]), ("7. Qb3 ", first["pieces"]), "the end")
    browser.press("Right")
    equal(state()["current"], "Qb3", "behind the end")
    browser.press("Home")
    found = state()
    equal((found["caption"], found["current"], found["now"]), ("Initial position", None, "0%"), "the start")
    browser.press("Left", "f")
    upper_left = browser.run(
        "return document.querySelector('.view .board use[href=\"#cK\"]').getAttribute('x')"
    )
    equal(upper_left, "3", "the king's place seen by Black")
    browser.press("f")


def check_pointer(browser):
    state = lambda game=0: browser.run(STATE, game)
    left, top, width, height = browser.box(".chances")
    browser.pointer("mouse", (left + width * 6 / 13, top + height / 2))
    equal(state()["current"], "Bg4?!", "a click on the evaluations")
    left, top, width, height = browser.box(".clocks")
    browser.pointer("mouse", (left + width * 2 / 13, top + height / 2), (left + width * 3.1 / 13, top + height / 2))
    equal(state()["current"], "Nf3", "the clocks, dragged")
    left, top, width, height = browser.box("#g1 .v b", 2)
    browser.pointer("mouse", (left + width / 2, top + height / 2))
    equal(state()["current"], "Qxd4", "a click on a move of a variation")
    left, top, width, height = browser.box("#g1 .board")
    browser.pointer("mouse", (left + width * 0.9, top + height / 2))
    equal(state()["current"], "Nc6", "a click on the right half of the board")
    left, top, width, height = browser.box("#g1 .buttons button", 1)
    browser.pointer("mouse", (left + width / 2, top + height / 2))
    equal(state()["current"], "Qxd4", "a click on a button")
    # The second game, whose board comes into view, takes the keys from now on.
    left, top, width, height = browser.box("#g2 .moves b", 6)
    browser.pointer("mouse", (left + width / 2, top + height / 2))
    found = state(1)
    equal((found["current"], found["pieces"].get("g1"), found["pieces"].get("f1")), ("O-O", "K", "R"), "castling")
    browser.press("Left")
    equal((state(1)["current"], state(0)["current"]), ("Bg7", "Qxd4"), "a key for the game that was used last")


def check_start(browser):
    state = lambda: browser.run(STATE, 2)
    browser.run("document.querySelector('#g3').scrollIntoView()")
    left, top, width, height = browser.box("#g3 .moves b")
    browser.pointer("mouse", (left + width / 2, top + height / 2))
    equal((state()["caption"], state()["marks"]), ("1. Ra8#", 0), "the only move")
    browser.press("Left")
    equal((state()["caption"], state()["marks"]), ("Initial position, White to move", 2), "a set-up position")


def check_focus(browser):
    browser.run("document.querySelectorAll('b[aria-current]')[0].focus()")
    browser.press("Tab")
    outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    equal(outline, "solid", "the outline of what has the focus")
    live = browser.run("return document.querySelector('.view figcaption').getAttribute('aria-live')")
    equal(live, "polite", "the current move is told")


def check_touch(browser):
    state = lambda: browser.run(STATE, 0)
    left, top, width, height = browser.box("#g1 .board")
    middle = top + height / 2
    browser.pointer("touch", (left + width * 0.8, middle), (left + width * 0.3, middle))
    equal(state()["current"], "e4", "a swipe to the left")
    browser.pointer("touch", (left + width * 0.8, middle))
    equal(state()["current"], "e5", "a touch on the right")
    browser.pointer("touch", (left + width * 0.2, middle), (left + width * 0.8, middle))
    equal(state()["current"], "e4", "a swipe to the right")


def check_quiet(browser, what):
    """Nothing on the console, no request but that of the page."""
    console = [entry for entry in browser.log("browser")]
    equal(console, [], f"{what}: the console")
    requests = set()
    for entry in browser.log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            requests.add(message["params"]["request"]["url"])
    outside = [url for url in requests if not url.startswith(("file:", "data:", "about:", "chrome:"))]
    equal(outside, [], f"{what}: requests")


def check_hostile(browser, page):
    browser.open(page)
    browser.press("Right", "Right")
    found = browser.run("return [document.title === 'owned', window.owned === undefined, "
                        "document.querySelectorAll('main script, iframe, img, object, [onerror], [onclick]').length,"
                        "[...document.querySelectorAll('a')].filter(a => !/^#/.test(a.getAttribute('href'))).length]")
    equal(found, [False, True, 0, 0], "hostile games")
    check_quiet(browser, "hostile games")


HOSTILE = """[Event "<script>window.owned = 1; document.title = 'owned'</script>"]
[Site "javascript:alert(1)"]
[White "\u202eevil\u2066 <img src=x onerror='window.owned = 1'>"]
[Black "</title><iframe src='javascript:window.owned=1'>"]
[Annotator "\\" onclick=\\"window.owned = 1"]
[Result "1-0"]

1. e4 {</span></div><script>window.owned = 1</script> <a href="javascript:window.owned=1">} e5 {--> ]]> \u202e <!--} 1-0
"""


def main():
    binary, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)

    def report(name, games):
        path = folder / f"{name}.html"
        made = subprocess.run([binary, "report", "-", "--force", "-o", str(path)], input=games.encode(), capture_output=True)
        equal(made.returncode, 0, made.stderr.decode())
        return path

    page = report("games", GAMES)
    hostile = report("hostile", HOSTILE)
    with Browser(1600, 1000) as browser:
        browser.open(page)
        check_keys(browser)
        check_pointer(browser)
        check_start(browser)
        check_focus(browser)
        browser.check_width("1600 px")
        check_quiet(browser, "the page")
        check_hostile(browser, hostile)
    with Browser(360, 800, dark=True, touch=True) as browser:
        browser.open(page)
        check_touch(browser)
        browser.check_width("360 px")
        back = browser.run("return getComputedStyle(document.body).backgroundColor")
        if sum(map(int, re.findall(r"\d+", back)[:3])) > 3 * 64:
            raise AssertionError(f"the dark page is {back}")
        check_quiet(browser, "the page on a telephone")
    print("the pages do what they should")


if __name__ == "__main__":
    main()
