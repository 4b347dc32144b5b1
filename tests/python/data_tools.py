"""Other tools answer the questions of docs/data-tools.md as the program does.

    data_tools.py BINARY PAGE duckdb|spark FILE...

The blocks of the page are run as they are there, on the tables of each file. A difference is written, and the exit code is 1.
"""

import glob
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# The line of the page, and lines that some of the games come to.
LINES = ["1. e4 c5", "1. d4", "1. d4 Nf6 2. c4", "1. e4 e5 2. Nf3 Nc6"]


class Page:
    """The blocks of a page by their sections and languages."""

    def __init__(self, path):
        self.blocks = {}
        section, language, lines = None, None, []
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            if line.startswith("```") and language is None:
                language, lines = line[3:], []
            elif line.startswith("```"):
                self.blocks.setdefault((section, language), []).append("\n".join(lines))
                language = None
            elif language is not None:
                lines.append(line)
            elif line.startswith("## "):
                section = line[3:]

    def block(self, section, language, index=0):
        return self.blocks[section, language][index]


def run(binary, line, file, moves):
    """What a line of the page prints, of this file and this line of moves."""
    words = [moves if word == "1. e4 c5" else word for word in shlex.split(line)]
    words = [word.replace('"1. e4 c5"', f'"{moves}"').replace("games.pgn", file) for word in words]
    done = subprocess.run([binary] + words[1:], capture_output=True, text=True)
    assert done.returncode in (0, 1), (words, done.stderr)
    return done.stdout


def main():
    binary, path, tool, *files = sys.argv[1:]
    binary = os.path.abspath(binary)
    page = Page(path)
    files = [os.path.abspath(file) for file in files]
    folder = tempfile.mkdtemp(prefix="hematite-data-tools-")
    os.chdir(folder)
    differences, answers = 0, 0

    def compare(what, expected, found):
        nonlocal differences, answers
        answers += 1
        if expected != found:
            differences += 1
            print(f"{what}:\n  hematite: {str(expected)[:500]}\n  {tool}: {str(found)[:500]}")

    index = 0 if tool == "duckdb" else 1
    for number, file in enumerate(files):
        subprocess.run([binary, "pgn", "export", "-q", "--parquet", "tables", file], check=False)
        names = {}
        exec(page.block("DuckDB and Spark", "python", index), names)
        ask = names["ask"]

        players = json.loads(run(binary, page.block("Players", "sh"), file, ""))["players"]
        expected = sorted((player["name"], player["games"], player["points"]) for player in players)
        found = ask(page.block("Players", "sql"))
        assert found == sorted(found, key=lambda row: (-row[2], row[0])), "not sorted"
        found = sorted((name, games, float(points)) for name, games, points in found)
        compare(f"{file}: players", expected, found)

        for moves in LINES:
            tree, position = page.block("The moves of a position", "sh").splitlines()
            tree = json.loads(run(binary, tree, file, moves))["moves"]
            names["key"] = json.loads(run(binary, position, file, moves))["key"]
            exec(page.block("The moves of a position", "python"), names)
            key = str(names["number"])
            expected = [(row["uci"], row["games"], row["white"], row["draws"], row["black"]) for row in tree]
            found = ask(page.block("The moves of a position", "sql").replace("{key}", key))
            compare(f"{file}: tree of {moves!r}", sorted(expected, key=lambda row: (-row[1], row[0])), found)

            lines = run(binary, page.block("The games of a position", "sh"), file, moves).splitlines()
            expected = [json.loads(line)["game"] for line in lines]
            found = [row[0] for row in ask(page.block("The games of a position", "sql").replace("{key}", key))]
            compare(f"{file}: games of {moves!r}", expected, found)

        if tool == "duckdb":
            names["db"].close()
        os.rename("tables", f"tables-{number}")

    if tool == "spark":
        os.mkdir("archive")
        os.mkdir("bin")
        os.symlink(binary, "bin/hematite")
        os.environ["PATH"] = os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]
        expected = []
        for number, file in enumerate(files):
            pathlib.Path(f"archive/{number}.pgn").write_bytes(pathlib.Path(file).read_bytes())
        for block in page.blocks["Queries within Spark", "python"]:
            command = re.search(r'"(?:xargs )?hematite (.*)"', block).group(1)
            archive = sorted(glob.glob("archive/*.pgn"))
            words = [word for word in shlex.split(command) if word != "-"]
            expected = subprocess.run([binary] + words + archive, capture_output=True, text=True).stdout
            names["glob"] = glob
            exec(block, names)

            def games(lines):
                found = map(json.loads, lines)
                return sorted(json.dumps([game["tags"], game["plies"], game["matches"]]) for game in found)

            compare(command, games(expected.splitlines()), games(names["lines"].collect()))
        names["spark"].stop()

    print(f"{tool}: {answers} answers, {differences} of them different")
    sys.exit(1 if differences or not answers else 0)


main()
