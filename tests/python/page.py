"""The page of `hematite board` in a headless Chromium, and its server: what all scripts that use the page share."""

import base64
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from browser import Browser, equal, free_port

# The environment of servers: the defaults of the user do not count in tests.
ENVIRONMENT = {**os.environ, "XDG_CONFIG_HOME": os.devnull}

# How long a state of the page is waited for.
PATIENCE_S = 60

# What a page shows: pieces by their squares, marks, texts.
STATE = """
const squares = {};
for (const cell of document.querySelectorAll(".square")) {
  const name = cell.getAttribute("aria-label").split(", ")[1];
  if (name !== "empty") squares[cell.dataset.square] = name;
}
const text = (selector) => document.querySelector(selector)?.textContent ?? null;
return {squares, status: text(".status strong"), moves: [...document.querySelectorAll(".moves .move")].map((move) => move.textContent),
  current: text(".move[aria-current]"), last: [...document.querySelectorAll(".square.last")].map((cell) => cell.dataset.square).sort(),
  clocks: [...document.querySelectorAll(".clock span")].map((clock) => clock.textContent), panel: text(".panels")};
"""

# What WCAG 2.2 (AA) asks for and a program can see: contrast of texts (1.4.3), names of controls (4.1.2), no name given to
# two elements, and room for a finger or a mouse on buttons outside of sentences (2.5.8). Texts on pictures are left out.
ACCESSIBILITY = r"""
const found = [];
const rgb = (text) => { const n = text.match(/[\d.]+/g).map(Number); return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1]; };
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const light = (color) => {
  const [r, g, b] = color.slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (one, other) => { const [a, b] = [light(one), light(other)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
const top = document.querySelector("dialog[open]") ?? document.body;
const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".hidden, .skip");
const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const text = walker.currentNode.textContent.trim();
  if (!text || !seen(element) || element.closest(":disabled, script, style, option, noscript, .board, .bar")) continue;
  const layers = [];
  let isPicture = false;
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    isPicture ||= style.backgroundImage !== "none";
    if (!style.backgroundColor.startsWith("rgb")) isPicture = true;
    else layers.push(rgb(style.backgroundColor));
    if (layers.length && layers[layers.length - 1][3] === 1) break;
  }
  const style = getComputedStyle(element);
  if (isPicture || !style.color.startsWith("rgb")) continue;
  const back = layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const contrast = ratio(over(rgb(style.color), back), back);
  if (contrast < (isLarge ? 3 : 4.5)) found.push(`${text.slice(0, 40)}: contrast ${contrast.toFixed(2)}`);
}
const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
ids.filter((id, index) => ids.indexOf(id) !== index).forEach((id) => found.push(`two elements are called ${id}`));
for (const control of top.querySelectorAll("button, a[href], input, select, textarea, [role=gridcell], [role=img]")) {
  if (!seen(control) && control.type !== "radio") continue;
  const name = control.getAttribute("aria-label") || control.textContent.trim() || control.title || control.labels?.[0]?.textContent.trim();
  if (!name) found.push(`no name: ${control.outerHTML.slice(0, 80)}`);
  const box = control.getBoundingClientRect();
  const isInline = control.closest(".notation, .engine-lines") !== null;
  if (control.tagName === "BUTTON" && !isInline && (box.width < 24 || box.height < 24)) found.push(`${name}: ${box.width} x ${box.height} px`);
}
return found;
"""

# The text of axe-core (https://github.com/dequelabs/axe-core), whose variable names the file axe.min.js: with it every view
# is checked by its rules, too.
AXE = Path(os.environ["HEMATITE_AXE"]).read_text() if os.environ.get("HEMATITE_AXE") else None

# Clicks a link to an address, if the page is there and shows another one. What is shown until then is marked.
FOLLOW = """
const view = document.querySelector("#main .view");
const { origin, pathname } = new URL(arguments[0]);
if (!view || origin !== location.origin || pathname === location.pathname) return false;
view.dataset.left = "";
const link = document.createElement("a");
link.href = arguments[0];
document.body.append(link);
link.click();
link.remove();
return true;
"""

RUN_AXE = """
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
return axe.run(document, {runOnly: tags}).then(({violations}) => violations.flatMap(({id, nodes}) => nodes.map(({html, any, all, none}) =>
  `${id}: ${html.slice(0, 120)} (${[...any, ...all, ...none].map(({message}) => message).join("; ").slice(0, 160)})`)));
"""


class Page(Browser):
    """A browser that knows the page of the board."""

    def __init__(self, base, width=1280, height=900, **more):
        super().__init__(width, height, **more)
        self.base = base
        self.kind = "touch" if more.get("touch") else "mouse"

    def go(self, path, fresh=False):
        """Shows an address as a link on the page does. It is loaded `fresh`, which takes many times as long, if that is wanted,
        if nothing of this server is shown, and if only what follows the path is another."""
        if fresh or not self.run(FOLLOW, self.base + path):
            self.command("POST", "/url", {"url": self.base + path})
        self.wait("return document.querySelector('#main .view:not([data-left]) > *') !== null", f"{path} is shown")

    def wait(self, script, what, *arguments):
        """Waits until the script answers something true."""
        end = time.monotonic() + PATIENCE_S
        found = None
        while time.monotonic() < end:
            found = self.run(script, *arguments)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"{what}: not within {PATIENCE_S} s; the page shows {self.run('return document.body.innerText')!r}")

    def copied(self, press):
        """Returns the text that goes to the clipboard when `press` is called. What an earlier call has copied is forgotten first:
        a link does not load the page anew."""
        self.run("window.copied = null; navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        press()
        return self.wait("return window.copied", "a text is copied")

    def state(self):
        return self.run(STATE)

    def click(self, selector, index=0):
        self.wait("return document.querySelectorAll(arguments[0])[arguments[1]] !== undefined", selector, selector, index)
        left, top, width, height = self.box(selector, index)
        self.pointer(self.kind, (left + width / 2, top + height / 2))

    def button(self, text):
        """Clicks the button, visible and innermost, with this text."""
        script = "const open = document.querySelector('dialog[open]') ?? document; const all = [...open.querySelectorAll('button')];" \
            "const found = all.find((button) => button.textContent.trim().startsWith(arguments[0]) && button.offsetParent !== null);" \
            "if (!found || found.disabled) return false; found.click(); return true"
        self.wait(script, f"the button {text}", text)

    def middle(self, square):
        """The middle of a square, with the whole board in sight."""
        script = "document.querySelector('.board').scrollIntoView({block: 'center'});" \
            "const box = document.querySelector(`[data-square=${arguments[0]}]`).getBoundingClientRect();" \
            "return [box.left + box.width / 2, box.top + box.height / 2]"
        return self.run(script, square)

    def move(self, uci, drags=False):
        """Two clicks, or a drag."""
        self.wait("return document.querySelector('.board.movable') !== null", f"{uci}: pieces can be moved")
        start, end = self.middle(uci[:2]), self.middle(uci[2:4])
        if drags:
            self.pointer(self.kind, start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end)
        else:
            self.pointer(self.kind, start)
            self.pointer(self.kind, end)

    def wait_plies(self, count):
        self.wait("return document.querySelectorAll('.moves .move').length === arguments[0]", f"{count} plies", count)

    def wait_turn(self):
        self.wait("return document.querySelector('.status strong')?.textContent === 'Your move'", "the own move")

    def wait_status(self, part):
        self.wait("return document.querySelector('.status')?.textContent.includes(arguments[0])", part, part)

    def close_dialog(self):
        self.wait("const box = document.querySelector('dialog[open]'); box?.close(); return box !== null", "a dialog")

    def type(self, selector, text):
        element = self.command("POST", "/element", {"using": "css selector", "value": selector})
        name = next(iter(element.values()))
        self.command("POST", f"/element/{name}/value", {"text": text})

    def fill(self, label, value):
        """Puts a value into the field of the form of a new game or tournament whose label begins like that."""
        self.run(
            "const field = [...document.querySelectorAll('.new-game label')].find((label) => label.textContent.startsWith(arguments[0])).querySelector('input');"
            "field.value = arguments[1]; field.dispatchEvent(new Event('input'))", label, value)

    def check(self, label):
        """Ticks the box of the form of a new game whose label begins like that."""
        self.run("const box = [...document.querySelectorAll('.new-game label')].find((label) => label.textContent.startsWith(arguments[0])).querySelector('input');"
                 "if (!box.checked) box.click()", label)

    def setting(self, name, value):
        """Changes a setting, as another window of this browser does."""
        script = "const all = JSON.parse(localStorage.getItem('hematite.settings') ?? '{}'); all[arguments[0]] = arguments[1];" \
            "localStorage.setItem('hematite.settings', JSON.stringify(all));" \
            "dispatchEvent(new StorageEvent('storage', {key: 'hematite.settings'}))"
        self.run(script, name, value)

    def post(self, made, role, act):
        """Lets a role of a game do something without a page."""
        request = urllib.request.Request(f"{self.base}/api/games/{made['id']}/acts", json.dumps({"act": act}).encode(),
                                         {"Content-Type": "application/json", "Authorization": f"Bearer {made['tokens'][role]}"})
        urllib.request.urlopen(request, timeout=30).close()

    def check_accessible(self, what):
        equal(self.run(ACCESSIBILITY), [], f"{what}: accessibility")
        if AXE is not None:
            if not self.run("return window.axe !== undefined"):
                self.run(AXE)
            # Contrast is that of colors at rest.
            self.wait("return document.getAnimations().every(({ playState }) => playState === 'finished')", "the end of what moves")
            equal(self.run(RUN_AXE), [], f"{what}: axe-core")

    def picture(self, name):
        """Leaves a picture in the folder that is the third argument of the script, if it is given."""
        if len(sys.argv) > 3:
            folder = Path(sys.argv[3])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.png").write_bytes(base64.b64decode(self.command("GET", "/screenshot")))

    def see(self, name):
        """Checks the width and the accessibility of a view, and leaves a picture of it."""
        self.check_width(name)
        self.check_accessible(name)
        self.picture(name)

    def check_quiet(self, what, expected=None):
        """Nothing on the console but messages with an expected text, and nothing but this server is asked."""
        # The browser itself tells that a query was refused, which is what is tested.
        messages = [entry["message"] for entry in self.log("browser")]
        told = [text for text in messages if ("/games?query=" not in text or "status of 400" not in text) and (expected is None or expected not in text)]
        equal(told, [], f"{what}: the console")
        requests = set()
        for entry in self.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                requests.add(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                requests.add(message["params"]["url"].replace("ws:", "http:"))
        outside = [url for url in requests if not url.startswith((self.base, "data:", "about:", "chrome:", "blob:"))]
        equal(outside, [], f"{what}: requests")


def post(base, path, body):
    request = urllib.request.Request(base + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def new_game(base, **more):
    game = {"white": {"person": "Ann"}, "black": {"person": "Bob"}, "time_control": "-", **more}
    return post(base, "/api/games", game)


def start(binary, folder, files):
    port = free_port()
    # The browsers load the page more often than a person does.
    server = subprocess.Popen([binary, "board", *files, "--port", str(port), "--state", str(folder / "board.sqlite"),
                               "--progress", str(folder / "progress.sqlite"), "--max-requests", "100000"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT)
    base = f"http://127.0.0.1:{port}"
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            urllib.request.urlopen(base + "/api/about", timeout=5).close()
            return server, base
        except (urllib.error.URLError, ConnectionError) as error:
            if server.poll() is not None or time.monotonic() > end:
                server.kill()
                raise AssertionError(f"the server does not answer: {server.stderr.read().decode()}") from error
            time.sleep(0.05)


@contextmanager
def served(folder, files):
    """The address of a server without any games of an earlier run, for the time of a script: its first argument is the binary."""
    for old in folder.glob("board.sqlite*"):
        old.unlink()
    server, base = start(sys.argv[1], folder, files)
    try:
        yield base
    finally:
        server.terminate()
        server.wait()


@contextmanager
def live_match(binary, words):
    """The address of the page of a match, which is played for the time of a block."""
    match = subprocess.Popen([binary, "match", *words, "--live", "127.0.0.1:0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        told = ""
        while "/watch" not in told:
            told = match.stderr.readline()
            if not told:
                raise AssertionError("the match has ended")
        yield re.search(r"http://[\d.:]+", told).group()
    finally:
        match.terminate()
        match.wait()


def own_folder():
    """The folder that is the second argument of a script, which is made if it is missing."""
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    return folder
