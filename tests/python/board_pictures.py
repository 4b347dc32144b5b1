"""Makes the pictures of the page of `hematite board` in the documents, with headless Chromium.

Usage: board_pictures.py HEMATITE FOLDER [PICTURES]. The pictures go to the folder PICTURES, which is FOLDER if it is missing.
"""

import base64
import json
import struct
import subprocess
import sys
import time
import urllib.request
import zlib
from collections import Counter
from pathlib import Path

from page import Page, live_match, new_game, own_folder, served

OPERA = """[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[White "Morphy, Paul"]
[Black "Duke Karl, Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7
12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""

SPANISH = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7".split()

# Where the games of the match begin.
OPENINGS = """rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq -
rnbq1rk1/ppp1bppp/4pn2/3p4/2PP4/5NP1/PP2PPBP/RNBQ1RK1 b - -
r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq -
rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq -
rnbqkbnr/pp3ppp/4p3/2pp4/3PP3/8/PPPN1PPP/R1BQKBNR w KQkq -
rnbqk2r/ppppppbp/5np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR b KQkq -
"""
# The number of games that are over in the picture of the match, and the longest time that they take.
GAMES = 40
MATCH_PATIENCE_S = 300

PALETTE = 128


def rows_of(png):
    """The width, the rows without filters, and the bytes of a pixel of a picture as Chromium writes it."""
    place, width, color, packed = 8, 0, 0, b""
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, color = struct.unpack(">I", body[:4])[0], body[9]
        elif kind == b"IDAT":
            packed += body
        place += length + 12
    size = {2: 3, 6: 4}[color]
    data, rows, above = zlib.decompress(packed), [], bytearray(width * size)
    for start in range(0, len(data), width * size + 1):
        kind, row = data[start], bytearray(data[start + 1:start + 1 + width * size])
        for index in range(len(row)) if kind else ():
            left, corner = (row[index - size], above[index - size]) if index >= size else (0, 0)
            up = above[index]
            if kind == 4:
                guess = left + up - corner
                paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[index] = (row[index] + (0, left, up, (left + up) // 2, paeth if kind == 4 else 0)[kind]) & 255
        rows.append(row)
        above = row
    return width, rows, size


def with_palette(png):
    """The picture with the most frequent colors, which makes it several times smaller."""
    width, rows, size = rows_of(png)
    colors = [[bytes(row[index:index + 3]) for index in range(0, len(row), size)] for row in rows]
    counts = Counter(color for row in colors for color in row)
    palette = [color for color, _ in counts.most_common(PALETTE)]
    near = {color: min(range(len(palette)), key=lambda index: sum((a - b) ** 2 for a, b in zip(palette[index], color, strict=True))) for color in counts}
    data = b"".join(b"\0" + bytes(near[color] for color in row) for row in colors)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)
    return png[:8] + chunk(b"IHDR", head) + chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")


def shoot(page, path):
    path.write_bytes(with_palette(base64.b64decode(page.command("GET", "/screenshot"))))
    print(path.name, path.stat().st_size, "bytes")


def shoot_game(base, pictures):
    """A game in progress, with the squares that a knight can reach."""
    made = new_game(base, white={"person": "Mia"}, black={"person": "Dad"}, time_control="600+5", casual=True)
    for ply, move in enumerate(SPANISH):
        body = json.dumps({"act": {"act": "move", "move": move}}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {made['tokens']['black' if ply % 2 else 'white']}"}
        urllib.request.urlopen(urllib.request.Request(f"{base}/api/games/{made['id']}/acts", body, headers), timeout=30).close()
    with Page(base, 1200, 760) as page:
        page.go(f"/game/{made['id']}#{made['tokens']['white']}")
        page.wait_turn()
        page.pointer("mouse", page.middle("f3"))
        page.run("scrollTo(0, 0)")
        time.sleep(0.5)
        shoot(page, pictures / "board-game.png")


def shoot_analysis(base, pictures):
    """An annotated game with the lines of the engine, and the next moves of the openings with a name."""
    with Page(base, 1200, 760) as page:
        page.go("/analyse/0/1#m0.0.0.0.0.0")
        page.wait("return document.querySelectorAll('.notation .move').length > 0", "the game")
        page.run("document.querySelector('.engine .switch input').click()")
        page.wait("return Number(document.querySelector('.engine')?.textContent.match(/depth (\\d+)/)?.[1]) >= 16", "a depth")
        # Only the arrows of the engine, and no button below the pointer.
        page.run("document.activeElement.blur()")
        shoot(page, pictures / "board-analysis.png")
        page.press("e")
        page.go("/analyse?moves=" + "1.e4+c5+2.Nf3" + "&next=names")
        page.wait("return document.querySelectorAll('.next-moves tbody tr').length > 4", "the next moves")
        page.run("document.activeElement.blur()")
        time.sleep(0.5)
        shoot(page, pictures / "board-next-moves.png")


def shoot_match(folder, pictures):
    """A match between engines."""
    book = folder / "openings.epd"
    book.write_text(OPENINGS)
    engines = [word for name, nodes in (("New", 1500), ("Old", 1400)) for word in ("--engine", f"cmd={sys.argv[1]}", f"name={name}", "tc=600+5", f"nodes={nodes}")]
    words = ["--openings", f"file={book}", "order=random", "--concurrency", "2", "--rounds", "1000", "--repeat", "--resign", "movecount=3", "score=600"]
    with live_match(sys.argv[1], [*engines, *words, "--sprt", "elo0=0", "elo1=10"]) as address, Page(address, 1160, 700) as page:
        # Pieces stand still.
        page.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        page.go("/watch")
        end = time.monotonic() + MATCH_PATIENCE_S
        while page.run("return Number(document.querySelector('.watch .subtitle')?.textContent.match(/\\d+/)?.[0] ?? 0)") < GAMES and time.monotonic() < end:
            time.sleep(1)
        shoot(page, pictures / "board-watch.png")


def main():
    folder = own_folder()
    pictures = Path(sys.argv[3]) if len(sys.argv) > 3 else folder
    plain, file = folder / "plain.pgn", folder / "opera.pgn"
    plain.write_text(OPERA)
    subprocess.run([sys.argv[1], "analyse", str(plain), "--output", str(file)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with served(folder, [str(file)]) as base:
        shoot_game(base, pictures)
        shoot_analysis(base, pictures)
    shoot_match(folder, pictures)


if __name__ == "__main__":
    main()
