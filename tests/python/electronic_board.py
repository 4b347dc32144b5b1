"""Connects an electronic chess board to a game of the board, as docs/api.md describes it.

Usage: DRIVER | electronic_board.py URL GAME TOKEN

The driver prints the pieces on the electronic board after each change, a line each, as the first field of FEN. This
program makes the moves that they show, and prints a line for each change: the move that was made, the squares where
another piece must stand, and at last the result. It needs nothing but the standard library.
"""

import contextlib
import json
import queue
import sys
import threading
import urllib.error
import urllib.request

# The time between two questions whether the opponent has moved.
PAUSE_S = 0.5
# How long the server may take for an answer.
PATIENCE_S = 30
NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


def report(url, game, token, pieces):
    """Sends the pieces, and returns the answer."""
    request = urllib.request.Request(
        f"{url}/api/games/{game}/pieces",
        data=json.dumps({"pieces": pieces}).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


def words(letter):
    """A piece in words."""
    if letter is None:
        return "nothing"
    return f"a {'white' if letter.isupper() else 'black'} {NAMES[letter.lower()]}"


def told(answer):
    """The lines that tell what has happened, and what must be done on the electronic board."""
    if answer["move"]:
        yield f"played {answer['move']}"
    for difference in answer["differences"]:
        square, found, expected = (difference[name] for name in ("square", "found", "expected"))
        yield f"set {square}: expected {words(expected)}, found {words(found)}"
    if answer["state"]["ending"]:
        yield answer["state"]["ending"]["text"]


def read_into(lines):
    """Passes on what the driver prints; an empty text is the end."""
    for line in sys.stdin:
        if line.strip():
            lines.put(line.strip())
    lines.put("")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    url, game, token = sys.argv[1:]
    lines = queue.Queue()
    threading.Thread(target=read_into, args=[lines], daemon=True).start()
    pieces = lines.get()
    shown = []
    while pieces:
        try:
            answer = report(url, game, token, pieces)
        except urllib.error.HTTPError as error:
            refusal = json.load(error)
            # The game has changed in the meantime, so the same pieces may mean something else.
            if refusal["code"] == "stale":
                continue
            sys.exit(f"the board refuses {pieces}: {refusal['error']}")
        except urllib.error.URLError as error:
            sys.exit(f"{url} does not answer: {error.reason}")
        now = list(told(answer))
        if now and now != shown:
            print("\n".join(now), flush=True)
        shown = now
        if answer["state"]["ending"]:
            return
        # The opponent may move while the own pieces stand still.
        with contextlib.suppress(queue.Empty):
            pieces = lines.get(timeout=PAUSE_S)


if __name__ == "__main__":
    main()
