"""Two programs play a game on the board by its interface for programs, as docs/api.md describes it: one makes the game and
sits at White, the other gets an invitation. Each takes the first capture it finds, or else the first legal move, and both
agree to a draw when the game gets long.

Usage: board_bot.py URL. It needs nothing but the standard library.
"""

import base64
import json
import os
import socket
import struct
import sys
import threading
import urllib.request

# How long the server may take for anything.
PATIENCE_S = 30
# After so many moves of both sides the programs have played enough.
LONG_GAME = 60

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class WebSocket:
    """The client's half of RFC 6455, as far as the board needs it."""

    def __init__(self, url, path):
        host = url.removeprefix("http://")
        name, port = host.rsplit(":", 1)
        self.stream = socket.create_connection((name, int(port)), timeout=PATIENCE_S)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self.reader = self.stream.makefile("rb")
        status = self.reader.readline().split()[1]
        while self.reader.readline().strip():
            pass
        if status != b"101":
            raise ConnectionError(f"the server answers {status.decode()}")

    def send(self, kind, payload):
        mask = os.urandom(4)
        length = len(payload)
        size = bytes([0x80 | length]) if length < 126 else bytes([0x80 | 126]) + struct.pack(">H", length)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.stream.sendall(bytes([0x80 | kind]) + size + mask + masked)

    def say(self, message):
        self.send(TEXT, json.dumps(message).encode())

    def messages(self):
        """What the server sends, until it says good-bye."""
        while True:
            head = self.reader.read(2)
            if len(head) < 2:
                return
            length = head[1] & 0x7F
            if length == 126:
                length = struct.unpack(">H", self.reader.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.reader.read(8))[0]
            payload = self.reader.read(length)
            kind = head[0] & 0x0F
            if kind == TEXT:
                yield json.loads(payload)
            elif kind == PING:
                self.send(PONG, payload)
            elif kind == CLOSE:
                return


def post(url, path, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


def choose(state):
    """What to do now, with the acts that the server says are possible; None to wait."""
    can = state["can"]
    if "accept_draw" in can:
        return {"act": "accept_draw"}
    if "move" not in can:
        return None
    if len(state["plies"]) >= LONG_GAME and "offer_draw" in can and state["draw_offer"] is None:
        return {"act": "offer_draw"}
    moves = sorted(state["legal"], key=lambda move: ("x" not in move["san"], move["uci"]))
    return {"act": "move", "move": moves[0]["uci"]}


def play(url, game, token):
    """Plays a seat until the game is over; returns the last state."""
    link = WebSocket(url, f"/api/games/{game}/socket")
    link.say({"hello": {"token": token}})
    answered = None
    for message in link.messages():
        # What was meant for a game that has changed in the meantime is refused; the new state comes as well.
        if message.get("refused", {}).get("code") in ("stale", "over"):
            continue
        if "state" not in message:
            raise RuntimeError(message)
        state = message["state"]
        if state["phase"] == "over":
            return state
        # Each version is answered once: the server tells again what it has been told.
        if state["version"] == answered:
            continue
        answered = state["version"]
        act = choose(state)
        if act:
            link.say({"act": act, "version": state["version"]})
    raise ConnectionError("the server has gone")


def main():
    url = sys.argv[1].rstrip("/")
    made = post(url, "/api/games", {"time_control": "300+3", "white": {"person": "White bot"}})
    game, tokens = made["id"], made["tokens"]
    sat = post(url, f"/api/games/{game}/acts", {"act": {"act": "sit", "name": "Black bot"}}, tokens["black"])
    ends = {}

    def seat(name, token):
        ends[name] = play(url, game, token)

    players = [threading.Thread(target=seat, args=pair) for pair in (("white", tokens["white"]), ("black", sat["token"]))]
    for player in players:
        player.start()
    for player in players:
        player.join()
    if ends["white"]["ending"] != ends["black"]["ending"]:
        raise AssertionError(f"the players see different endings: {ends}")
    with urllib.request.urlopen(f"{url}/api/games/{game}/pgn", timeout=PATIENCE_S) as answer:
        print(answer.read().decode(), end="")


if __name__ == "__main__":
    main()
