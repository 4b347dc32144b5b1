"""Plays on `hematite board` through a reverse proxy, as a browser does: HTTPS and WebSocket by the name of the proxy, whose
certificate is checked. A game is made, both sit down, and a move is told to the opponent and to who watches.

Usage: board_proxy.py NAME PORT CERTIFICATE
"""

import base64
import http.client
import json
import os
import socket
import ssl
import struct
import sys

NAME, PORT, CERTIFICATE = sys.argv[1], int(sys.argv[2]), sys.argv[3]
PATIENCE_S = 60
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

CONTEXT = ssl.create_default_context(cafile=CERTIFICATE)


class Connection(http.client.HTTPSConnection):
    """A connection to this machine, by the name of the proxy."""

    def __init__(self):
        super().__init__(NAME, PORT, timeout=PATIENCE_S, context=CONTEXT)

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", PORT), PATIENCE_S)
        self.sock = CONTEXT.wrap_socket(plain, server_hostname=NAME)


def ask(method, path, body=None, token=None):
    headers = {"Host": NAME, "Origin": f"https://{NAME}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection = Connection()
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


class Socket:
    """A WebSocket, as far as this script needs one (RFC 6455)."""

    def __init__(self, path, origin=f"https://{NAME}"):
        self.connection = Connection()
        key = base64.b64encode(os.urandom(16)).decode()
        headers = {"Host": NAME, "Origin": origin, "Connection": "Upgrade", "Upgrade": "websocket",
                   "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key}
        self.connection.request("GET", path, headers=headers)
        self.stream = self.connection.sock.makefile("rb")
        line = self.stream.readline().decode()
        self.status = int(line.split(" ")[1])
        while self.stream.readline().strip():
            pass

    def send(self, kind, payload):
        mask = os.urandom(4)
        size = bytes([0x80 | len(payload)]) if len(payload) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(payload))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.connection.sock.sendall(bytes([0x80 | kind]) + size + mask + masked)

    def say(self, message):
        self.send(TEXT, json.dumps(message).encode())

    def hear(self):
        while True:
            first, second = self.stream.read(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self.stream.read(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.stream.read(8))
            payload = self.stream.read(length)
            kind = first & 0x0F
            if kind == TEXT:
                return json.loads(payload)
            if kind == PING:
                self.send(PONG, payload)
            elif kind == CLOSE:
                raise AssertionError("the socket is closed")

    def hear_plies(self, count):
        while True:
            state = self.hear().get("state")
            if state and len(state["plies"]) == count:
                return state


def main():
    status, headers, page = ask("GET", "/")
    assert status == 200 and b"Hematite" in page, status
    assert "default-src 'self'" in headers["Content-Security-Policy"], headers
    status, _, made = ask("POST", "/api/games", {"time_control": "300+3", "white": {"person": "Ann"}})
    assert status == 201, (status, made)
    made = json.loads(made)
    name, tokens = made["id"], made["tokens"]
    act = {"act": {"act": "sit", "name": "Bob"}}
    status, _, sat = ask("POST", f"/api/games/{name}/acts", act, tokens["black"])
    assert status == 200, (status, sat)
    path = f"/api/games/{name}/socket"
    ann, bob, watcher = Socket(path), Socket(path), Socket(path)
    for end, token in ((ann, tokens["white"]), (bob, json.loads(sat)["token"]), (watcher, None)):
        assert end.status == 101, end.status
        end.say({"hello": {"token": token}})
        end.hear_plies(0)
    ann.say({"act": {"act": "move", "move": "e2e4"}, "id": 1})
    for end in (ann, bob, watcher):
        assert end.hear_plies(1)["plies"][0]["san"] == "e4"
    bob.say({"act": {"act": "move", "move": "e7e5"}, "id": 1})
    assert ann.hear_plies(2)["plies"][1]["san"] == "e5"
    # A page of another site gets nothing, also by way of the proxy.
    assert Socket(path, origin="https://evil.example").status == 403
    # A client that asks too much is refused; the page still loads.
    connection = Connection()
    found = set()
    for _ in range(1500):
        connection.request("GET", "/api/about", headers={"Host": NAME})
        answer = connection.getresponse()
        answer.read()
        found.add(answer.status)
        if found == {200, 429}:
            break
    assert found == {200, 429}, found
    status, _, page = ask("GET", "/")
    assert status == 200 and b"Hematite" in page, status
    print("the board is played on through the proxy")


if __name__ == "__main__":
    main()
