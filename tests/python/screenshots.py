"""Takes pictures of every view of the page of `hematite board` in headless Chromium, in three widths, light and dark, to be looked
at: FOLDER/pictures has them, and FOLDER/index.html shows all on one page. It fails, after the last picture, if a view is wider
than its window, writes to the console, or asks for anything outside of its server.

Usage: screenshots.py HEMATITE FOLDER [VIEW...]. With names of views only these are shown, such as `home` or `explore-tree`.
"""

import base64
import html
import json
import random
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from board_pictures import OPENINGS
from page import Page, live_match, new_game, own_folder, post, served

# Widths and heights of the windows: a phone, a tablet, and a large screen.
WINDOWS = ((360, 740), (800, 1000), (1600, 1000))
# What is farther below is left out of a picture.
MAX_HEIGHT = 2400
# So much of a message about a fault is shown.
MAX_FAULT = 400
# Pictures are shown a moment after they have arrived.
REST_S = 0.2

ANNOTATED = """[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[White "Morphy, Paul"]
[Black "Duke Karl, Count Isouard"]
[Result "1-0"]

{A game in a box of the opera, during a performance.} 1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {[%cal Gg4d1,Rd4e5][%csl Yd1] The bishop has to take soon.}
(3... exd4 4. Nxd4 Nf6 5. Nc3 {is usual} Be7 (5... g6 $5)) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 $2 7. Qb3 $1 Qe7 8. Nc3 c6 9. Bg5 b5 $2
10. Nxb5 $3 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ $3 Nxb8 17. Rd8# 1-0
"""
PROBLEM = """[Event "A mate"]
[White "White to move"]
[Black "Mate in 2"]
[Result "1-0"]
[SetUp "1"]
[FEN "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"]

1. Ra6 bxa6 2. b7# 1-0
"""
PLAYERS = ["Anderssen, Adolf", "Bird, Henry Edward", "Chigorin, Mikhail", "Janowski, Dawid Markelowicz", "Lasker, Emanuel", "Morphy, Paul", "Pillsbury, Harry Nelson",
           "Rubinstein, Akiba", "Steinitz, Wilhelm", "Tarrasch, Siegbert", "Zukertort, Johannes Hermann"]
EVENTS = ["London", "Hastings", "Sankt Petersburg (International Tournament)", "Nuremberg", "Vienna"]
SPANISH = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8".split()
MATE = "f2f3 e7e5 g2g4 d8h4".split()


def games(base):
    """Games that begin with openings that have a name, by players and results that are drawn, but always the same."""
    rng = random.Random(1)
    text = []
    rows = json.load(urllib.request.urlopen(f"{base}/api/openings?limit=200&text=1.%20e4%20e5", timeout=30))["rows"]
    rows += json.load(urllib.request.urlopen(f"{base}/api/openings?limit=200&text=sicilian", timeout=30))["rows"]
    for number, row in enumerate(rows, 1):
        white, black = rng.sample(PLAYERS, 2)
        result = rng.choice(["1-0", "1-0", "1/2-1/2", "0-1"])
        tags = {"Event": rng.choice(EVENTS), "Site": "?", "Date": f"{rng.randrange(1851, 1914)}.{rng.randrange(1, 13):02}.??", "Round": number % 11 + 1, "White": white, "Black": black, "Result": result,
                "WhiteElo": rng.randrange(2300, 2800), "BlackElo": rng.randrange(2300, 2800)}
        text.append("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{row['moves']} {result}\n")
    return "\n".join(text)


def act(base, made, role, wanted, kind="games"):
    body = json.dumps({"act": wanted}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {made['tokens'][role]}"}
    with urllib.request.urlopen(urllib.request.Request(f"{base}/api/{kind}/{made['id']}/acts", body, headers), timeout=30) as answer:
        return json.load(answer)


def play(base, made, moves):
    for ply, move in enumerate(moves):
        act(base, made, "black" if ply % 2 else "white", {"act": "move", "move": move})


def games_of(base):
    """Games in all states."""
    made = {name: new_game(base, white={"person": "Mia"}, black={"person": "Theodora Constantinopoulos"}, time_control=control, casual=casual)
            for name, control, casual in (("playing", "900+10", True), ("watched", "5400+30", False), ("over", "40/5400+30:1800+30", False), ("promotion", "-", False))}
    play(base, made["playing"], SPANISH)
    play(base, made["watched"], SPANISH[:9])
    play(base, made["over"], MATE)
    promotion = {"start": {"fen": "8/P6k/8/8/8/8/6K1/8 w - - 0 1"}}
    made["promotion"] = new_game(base, **promotion)
    made["open"] = new_game(base, black={"open": True}, time_control="600+5", abandonment_s=600, countdown_s=10, decline=True)
    made["engine"] = new_game(base, black={"engine": {"elo": 1000, "book": "gambits.bin"}}, casual=True)
    play(base, made["engine"], ["e2e4"])
    return made


def tournament(base, name, shape, names, begin="at_once", control="-"):
    made = post(base, "/api/tournaments", {"name": name, "format": shape, "begin": begin, "game": {"time_control": control}})
    for player in names:
        invited = act(base, made, "host", {"act": "invite", "players": 1}, "tournaments")["token"]
        act(base, {"id": made["id"], "tokens": {"player": invited}}, "player", {"act": "join", "name": player}, "tournaments")
    return made


def tournaments_of(base):
    """A tournament in its second round, one before its start, and an arena of computers that is played."""
    made = {"open": tournament(base, "Autumn Open", {"round_robin": {"double": True}}, PLAYERS[:3])}
    made["swiss"] = tournament(base, "Club championship", {"swiss": {"rounds": 4}}, PLAYERS[:9], "when_ready", "300+3")
    act(base, made["swiss"], "host", {"act": "start"}, "tournaments")
    for board, result in enumerate(["1-0", "0-1", "1/2-1/2", "1-0"], 1):
        act(base, made["swiss"], "host", {"act": "decide", "round": 1, "board": board, "result": result}, "tournaments")
    act(base, made["swiss"], "host", {"act": "decide", "round": 2, "board": 1, "result": "1/2-1/2"}, "tournaments")
    made["arena"] = tournament(base, "Arena of the computers", {"arena": {"minutes": 240}}, [], control="2")
    for level in ("Beginner", "Learner", "Beginner", "Casual"):
        act(base, made["arena"], "host", {"act": "add_engine", "level": level}, "tournaments")
    act(base, made["arena"], "host", {"act": "start"}, "tournaments")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        state = json.load(urllib.request.urlopen(f"{base}/api/tournaments/{made['arena']['id']}", timeout=30))
        if sum(pairing["result"] is not None for pairing in state["rounds"][0]) >= 8:
            break
        time.sleep(0.5)
    for player in range(1, 5):
        act(base, made["arena"], "host", {"act": "withdraw", "player": player}, "tournaments")
    return made


class Shooter:
    """Takes the pictures of one window, and keeps what is wrong."""

    def __init__(self, page, folder, label, wanted, faults):
        self.page, self.folder, self.label, self.wanted, self.faults = page, folder, label, wanted, faults

    def keep_still(self, is_dark):
        """Lets pieces stand still."""
        wishes = {"prefers-color-scheme": "dark" if is_dark else "light", "prefers-reduced-motion": "reduce"}
        self.page.devtools("Emulation.setEmulatedMedia", {"features": [{"name": name, "value": value} for name, value in wishes.items()]})

    def shoot(self, name, path, *steps, ready=None, expected=None):
        """Goes to an address, executes steps, each a function of the page or the text of a script, and takes a picture. The console
        may have messages with the expected text."""
        if self.wanted and name not in self.wanted:
            return
        self.name, what = name, f"{name} at {self.label}"
        # Also of a view that is not as it should be there is a picture.
        for part in (lambda: self.reach(what, path, steps, ready), self.take, lambda: self.page.check_width(what), lambda: self.page.check_quiet(what, expected)):
            try:
                part()
            except (AssertionError, RuntimeError) as error:
                self.faults.append(str(error)[:MAX_FAULT])
        self.page.run("document.querySelectorAll('dialog[open]').forEach((box) => box.close())")

    def reach(self, what, path, steps, ready):
        """Goes to the view, until it is at rest."""
        page = self.page
        page.go(path)
        for step in steps:
            if callable(step):
                step(page)
            else:
                page.run(step)
        if ready:
            page.wait(f"return Boolean({ready})", what)
        page.wait("return document.getAnimations().every(({ playState }) => playState === 'finished') && document.querySelector('#main [aria-busy=true]') === null", f"{what}: rest")
        time.sleep(REST_S)

    def take(self):
        height = self.page.run("return document.querySelector('dialog[open]') ? innerHeight : Math.max(innerHeight, document.documentElement.scrollHeight)")
        clip = {"x": 0, "y": 0, "width": self.page.run("return innerWidth"), "height": min(height, MAX_HEIGHT), "scale": 1}
        taken = self.page.devtools("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True, "clip": clip})
        (self.folder / f"{self.name}-{self.label}.png").write_bytes(base64.b64decode(taken["data"]))


def click(selector):
    return f"document.querySelector({json.dumps(selector)}).click()"


def home_views(shooter, made):
    more = "document.querySelectorAll('details.more').forEach((part) => { part.open = true; })"
    form = "document.querySelector('.new-game .level')"
    shooter.shoot("home", "/", click("input[value=engine]"), ready="document.querySelector('.mini .piece') && document.querySelector('.new-game .times')")
    shooter.shoot("home-more", "/", click("input[value=engine]"), more, ready=form)
    shooter.shoot("home-friend", "/", click("input[value=friend]"), more, ready="document.querySelector('.new-game .times')")
    shooter.shoot("home-odds", "/", click("input[value=shared]"), more, click("input[value=odds]"), ready="document.querySelector('.odds')")
    shooter.shoot("home-opening", "/", click("input[value=opening]"),
                  lambda page: (page.run("document.querySelector('.opening-field input').value = ''"), page.type(".opening-field input", "najdorf")), ready="document.querySelectorAll('.opening-field li').length > 1")
    shooter.shoot("home-custom-time", "/", click("input[value=standard]"), click("input[value=custom]"), ready="document.querySelector('.new-game .pair')")
    shooter.page.run("localStorage.removeItem('hematite.form')")


def game_views(shooter, made):
    def seat(name, role="white"):
        return f"/game/{made[name]['id']}#{made[name]['tokens'][role]}"

    board = "document.querySelector('.board .piece')"
    shooter.shoot("game", seat("playing"), lambda page: page.wait_turn(), lambda page: page.pointer("mouse", page.middle("b1")), "scrollTo(0, 0)", ready=board)
    shooter.shoot("game-engine", seat("engine"), lambda page: page.wait_turn(), ready=board)
    shooter.shoot("game-watched", f"/game/{made['watched']['id']}", ready=board)
    shooter.shoot("game-arbiter", seat("watched", "arbiter"), ready=board)
    shooter.shoot("arbiter", "/arbiter", ready="document.querySelector('.overview .piece')")
    shooter.shoot("game-over", seat("over"), ready=board)
    shooter.shoot("game-over-watched", f"/game/{made['over']['id']}", ready=board)
    shooter.shoot("game-invited", seat("open", "black"), ready="document.querySelector('.sit')")
    shooter.shoot("game-promotion", seat("promotion"), lambda page: page.move("a7a8"), "scrollTo(0, 0)", ready="document.querySelector('.promotion, dialog[open]')")
    shooter.shoot("game-resign", seat("playing"), lambda page: page.wait_turn(), lambda page: page.button("Resign"), ready="document.querySelector('dialog[open]')")
    shooter.shoot("game-link", "/", click("input[value=friend]"), lambda page: page.button("Make the link"), ready="document.querySelector('.invite')")
    shooter.page.run("localStorage.removeItem('hematite.form')")


def tournament_views(shooter, made):
    def host(name, view=""):
        return f"/tournament/{made[name]['id']}{view}#{made[name]['tokens']['host']}"

    table = "document.querySelector('.tournament tbody tr')"
    # A browser keeps the rights of a host.
    shooter.shoot("tournament-watched", f"/tournament/{made['swiss']['id']}", ready=table)
    for value in ("round_robin", "swiss", "arena"):
        shooter.shoot(f"tournament-new-{value.replace('_', '-')}", "/tournament", click(f"input[value={value}]"), ready="document.querySelector('.games .game-list a')")
    shooter.shoot("tournament-open", host("open"), ready=f"{table} && document.querySelectorAll('.link-row option').length > 5")
    shooter.shoot("tournament", host("swiss"), ready=table)
    shooter.shoot("tournament-crosstable", host("swiss", "?show=crosstable"), ready=table)
    shooter.shoot("tournament-round", host("swiss", "?show=round-2"), ready="document.querySelector('.main .game-list')")
    shooter.shoot("arena", host("arena"), ready=table)
    shooter.shoot("arena-games", host("arena", "?show=games"), ready="document.querySelector('.main .game-list')")


def analysis_views(shooter):
    moves = "document.querySelectorAll('.notation .move').length > 20"
    shooter.shoot("analyse", "/analyse/0/1#m0.0.0.0.0.0", ready=f"{moves} && document.querySelector('.curve')")
    shooter.shoot("analyse-engine", "/analyse/0/1#m0.0.0.0.0.0.0.0.0.0.0.0", "document.querySelector('.engine .switch input').click()",
                  ready="Number(document.querySelector('.engine')?.textContent.match(/depth (\\d+)/)?.[1]) >= 8 && document.querySelectorAll('.line-score').length > 1")
    shooter.page.run("const box = document.querySelector('.engine .switch input'); if (box?.checked) box.click()")
    shooter.shoot("analyse-next", "/analyse?moves=1.+e4+e5&next=2", ready="document.querySelectorAll('.next-moves tbody tr').length > 2")
    shooter.shoot("analyse-names", "/analyse?moves=1.+e4+c5&next=names", ready="document.querySelectorAll('.next-moves tbody tr').length > 2")
    shooter.shoot("analyse-book", "/analyse?moves=1.+e4+e5&next=book:gambits.bin", ready="document.querySelectorAll('.next-moves tbody tr').length > 0")
    shooter.shoot("analyse-text", "/analyse/0/1?text=1#m0.0", ready="document.querySelector('.pgn-text')?.value.includes('Bg4')")
    shooter.shoot("analyse-try", "/analyse/0/1#m0.0.0.0", lambda page: page.wait(f"return {moves}", "the game"), lambda page: page.press("t"), ready="document.querySelector('.scratch')")
    shooter.shoot("analyse-empty", "/analyse?own=empty", ready="document.querySelector('.board .piece')")
    shooter.shoot("analyse-paste", "/analyse?own=empty", lambda page: page.button("Paste or open"), ready="document.querySelector('dialog[open]')")
    shooter.shoot("analyse-mate", "/analyse?game=" + shooter.over, ready="document.querySelectorAll('.notation .move').length === 4")
    shooter.shoot("openings", "/openings?text=gambit", ready="document.querySelectorAll('.openings-list tbody tr').length > 20")
    shooter.shoot("editor", "/editor", ready="document.querySelector('.board .piece')")
    shooter.shoot("editor-illegal", "/editor?fen=" + urllib.parse.quote("8/8/4k3/8/3P4/8/8/8 w - - 0 1"), ready="document.querySelector('.board .piece')")
    pattern = urllib.parse.urlencode({"fen": "8/8/8/8/3P4/8/8/8 w - - 0 1", "wild": "c5a", "count": "Q=1 p>=7", "either": "1"})
    shooter.shoot("editor-pattern", f"/editor?{pattern}", ready="document.querySelector('.pattern-query')?.textContent")


def explore_views(shooter):
    rows = "document.querySelectorAll('.opening-tree .tree .move').length > 1"
    shooter.shoot("explore", "/explore/2", ready=rows)
    shooter.shoot("explore-tree", "/explore/2?moves=" + urllib.parse.quote("e4 e5"), ready=rows)
    shooter.shoot("explore-query", "/explore/2?query=" + urllib.parse.quote("player:morphy"), ready=rows)
    shooter.shoot("explore-error", "/explore/2?query=" + urllib.parse.quote("player:tal reslut:1-0"), ready="document.querySelector('#main').textContent.includes('reslut')", expected="status of 400")
    shooter.shoot("explore-nothing", "/explore/2?query=" + urllib.parse.quote("player:nobody"), ready="document.querySelector('.tally, .list-head')")
    for view in ("players", "openings", "crosstable"):
        shooter.shoot(f"explore-{view}", f"/explore/2?view={view}", ready="document.querySelector('.explore-table tbody tr')")
    shooter.shoot("explore-menu", "/explore/1", lambda page: page.wait("return document.querySelector('.row-menu') !== null", "a row"), click(".row-menu"), ready="document.querySelector('.menu')")
    select = (lambda page: page.wait("return document.querySelector('.game-row') !== null", "the games"), "const toggle = document.querySelector('[title=\"Choose games to print\"]'); if (toggle.getAttribute('aria-pressed') !== 'true') toggle.click()",
              lambda page: page.wait("const box = document.querySelector('.row-box input'); if (box && !box.checked) box.click(); return box !== null", "a box"))
    shooter.shoot("explore-select", "/explore/2", *select, ready="document.querySelector('.selection-bar:not([hidden])')")
    shooter.shoot("explore-print", "/explore/2", *select, lambda page: page.button("Print"), ready="document.querySelector('dialog[open]')")
    shooter.shoot("compare", "/compare?games=2/1,2/2", ready="document.querySelectorAll('.compare table, .compare .move, .compare h2').length > 1")


def study_views(shooter):
    asked = "/study?file=0&side=white&what=games&judge=0"
    shooter.shoot("study", "/study", ready="document.querySelector('.source .query input')")
    shooter.shoot("study-question", asked, ready="document.querySelector('.status')?.textContent.includes('Morphy') && document.querySelector('.board .piece')")
    shooter.shoot("study-hint", asked, lambda page: page.wait("return document.querySelector('.board.movable') !== null", "the question"), lambda page: page.press("h"), lambda page: time.sleep(0.5), ready="document.querySelector('.board .piece')")
    shooter.shoot("study-problem", "/study?file=1&side=white&what=games", ready="document.querySelector('.board .piece')")


def other_views(shooter):
    shooter.shoot("help", "/help", ready="document.querySelector('#main h2')")
    shooter.shoot("nothing", "/nowhere", ready="document.querySelector('#main .view > *')", expected="status of 404")
    shooter.shoot("settings", "/help", click("#settings"), ready="document.querySelector('dialog.settings select')")
    shooter.shoot("settings-end", "/help", click("#settings"), lambda page: page.wait("return document.querySelector('dialog.settings select') !== null", "the settings"),
                  "document.querySelector('dialog.settings').scrollTo(0, 1e6); document.querySelector('dialog.settings .content').scrollTo(0, 1e6)", ready="document.querySelector('dialog.settings select')")
    shooter.shoot("keys", "/help", lambda page: page.press("?"), ready="document.querySelector('dialog[open]')")
    shooter.page.setting("board", "green")
    shooter.page.setting("coordinates", "outside")
    shooter.shoot("editor-green-outside", "/editor", ready="document.querySelector('.board .piece')")
    shooter.page.setting("board", "brown")
    shooter.page.setting("coordinates", "inside")


def shoot_board(base, folder, wanted, faults):
    made, played = games_of(base), tournaments_of(base)
    for width, height in WINDOWS:
        for is_dark in (False, True):
            label = f"{width}-{'dark' if is_dark else 'light'}"
            with Page(base, width, height, dark=is_dark) as page:
                shooter = Shooter(page, folder, label, wanted, faults)
                shooter.keep_still(is_dark)
                shooter.over = made["over"]["id"]
                page.go("/help")
                other_views(shooter)
                explore_views(shooter)
                study_views(shooter)
                analysis_views(shooter)
                tournament_views(shooter, played)
                game_views(shooter, made)
                home_views(shooter, made)


def shoot_match(binary, folder, wanted, faults):
    """A match between engines."""
    engines = [word for name, nodes in (("New", 300), ("Old", 250)) for word in ("--engine", f"cmd={binary}", f"name={name}", "tc=600+5", f"nodes={nodes}")]
    openings = folder.parent / "openings.epd"
    openings.write_text(OPENINGS)
    words = ["--openings", f"file={openings}", "order=random", "--concurrency", "2", "--rounds", "1000", "--resign", "movecount=3", "score=600", "--sprt", "elo0=0", "elo1=10"]
    with live_match(binary, [*engines, *words]) as address:
        for width, height in WINDOWS:
            for is_dark in (False, True):
                with Page(address, width, height, dark=is_dark) as page:
                    label = f"{width}-{'dark' if is_dark else 'light'}"
                    shooter = Shooter(page, folder, label, wanted, faults)
                    shooter.keep_still(is_dark)
                    shooter.shoot("watch", "/watch", ready="document.querySelectorAll('.watch .board .piece, .watch .mini .piece').length > 10 && Number(document.querySelector('.watch .subtitle')?.textContent.match(/\\d+/)?.[0]) > 3")


def write_index(folder, pictures):
    """One page with all pictures: a row for each view, light ones before dark ones."""
    labels = [f"{width}-{theme}" for theme in ("light", "dark") for width, _ in WINDOWS]
    names = sorted({path.stem.rsplit("-", 2)[0] for path in pictures.glob("*.png")})
    rows = []
    for name in names:
        cells = [f"<td><a href='pictures/{name}-{label}.png'><img loading='lazy' src='pictures/{name}-{label}.png' alt='{html.escape(name)}, {label}'></a></td>" for label in labels]
        rows.append(f"<tr><th>{html.escape(name)}</th>{''.join(cells)}</tr>")
    style = "body{font:14px sans-serif;background:#888}td,th{vertical-align:top;padding:4px}img{max-height:480px;max-width:420px}thead th{position:sticky;top:0;background:#888}"
    heads = "".join(f"<th>{label}</th>" for label in labels)
    (folder / "index.html").write_text(f"<!doctype html><meta charset='utf-8'><title>The page of hematite board</title><style>{style}</style><table><thead><tr><th></th>{heads}</tr></thead>{''.join(rows)}</table>\n")


def main():
    folder, binary, wanted = own_folder(), sys.argv[1], set(sys.argv[3:])
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    plain, annotated, problem, source = folder / "plain.pgn", folder / "opera.pgn", folder / "problem.pgn", folder / "games.pgn"
    plain.write_text(ANNOTATED)
    problem.write_text(PROBLEM)
    subprocess.run([binary, "analyse", "--nodes", "4000", str(plain), "--output", str(annotated)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with served(folder, []) as base:
        source.write_text(games(base))
    collection = folder / "masters.hdb"
    shutil.rmtree(collection, ignore_errors=True)
    books = [folder / "masters.bin", folder / "gambits.bin"]
    for command in (["db", "create", collection, source], *(["book", "make", "--min-games", "1", "--output", book, source] for book in books)):
        subprocess.run([binary, *map(str, command)], check=True, stdout=subprocess.DEVNULL)
    faults = []
    with served(folder, [str(annotated), str(problem), str(collection), *(word for book in books for word in ("--book", str(book)))]) as base:
        shoot_board(base, pictures, wanted, faults)
    if not wanted or "watch" in wanted:
        shoot_match(binary, pictures, wanted, faults)
    write_index(folder, pictures)
    print(f"{len(list(pictures.glob('*.png')))} pictures: {folder / 'index.html'}")
    if faults:
        sys.exit("\n".join(["these views are not as they should be:", *faults]))


if __name__ == "__main__":
    main()
