"""Asks a running `hematite board` everything that schemathesis (https://schemathesis.io) makes up from docs/openapi.json:
no answer is a failure of the server, and each is as the document says.

Usage: board_schemathesis.py HEMATITE FOLDER [EXAMPLES]. It needs the package schemathesis of PyPI and its command of the
same name, and starts a server of its own, whose engine is not asked.
"""

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from browser import free_port

PATIENCE_S = 30
GAME = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 {[%eval 0.3]} e5 1-0\n\n'
# An answer with this parameter ends only when the game does.
CONFIG = '[parameters]\n"query.follow" = false\n'
# A server may refuse what the document allows, as a move that is not legal, or a file that is not there.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def main():
    binary, folder = sys.argv[1], Path(sys.argv[2])
    examples = sys.argv[3] if len(sys.argv) > 3 else "50"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.sqlite*"):
        old.unlink()
    games = folder / "games.pgn"
    games.write_text(GAME)
    (folder / "schemathesis.toml").write_text(CONFIG)
    port = free_port()
    server = subprocess.Popen([binary, "board", "--port", str(port), "--state", str(folder / "board.sqlite"),
                               "--progress", str(folder / "progress.sqlite"), "--max-requests", "100000", str(games)],
                              stdout=subprocess.DEVNULL, env={**os.environ, "XDG_CONFIG_HOME": os.devnull})
    base = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                urllib.request.urlopen(base + "/api/about", timeout=5).close()
                break
            except OSError:
                if time.monotonic() > end or server.poll() is not None:
                    raise
                time.sleep(0.05)
        command = os.environ.get("SCHEMATHESIS", "schemathesis")
        # Sockets are not for requests of this kind, and games with engines would start a process each.
        run = subprocess.run([command, "run", base + "/api/openapi.json", "--url", base, "--checks", CHECKS, "--max-examples", examples,
                              "--exclude-operation-id-regex", "Socket$", "--continue-on-failure", "--no-color", "--seed", "1"], check=False, cwd=folder)
        if server.poll() is not None:
            raise AssertionError(f"the server has ended with {server.returncode}")
        urllib.request.urlopen(base + "/api/about", timeout=5).close()
        sys.exit(run.returncode)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
