"""python-chess as referee: the tree below positions of games has the same moves with the same results.

    pgn_tree.py BINARY FILE...

Positions are drawn from the games of all files together that python-chess reads without errors, which are written to one
file. The binary and this script count what is played there; a difference is written, and the exit code is 1.
"""

import collections
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import chess
import chess.pgn

# The same positions every time.
SEED = 30
POSITIONS = 40


def read(paths):
    games = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                if not game.errors and "Variant" not in game.headers and all(node.move for node in game.mainline()):
                    games.append(game)
    return games


def rating(text):
    text = text.strip()
    return int(text) if text.isdigit() and 0 < int(text) < 65536 else None


class Game:
    def __init__(self, game):
        headers = game.headers
        self.result = headers["Result"]
        self.elos = {chess.WHITE: rating(headers.get("WhiteElo", "")), chess.BLACK: rating(headers.get("BlackElo", ""))}
        year = headers.get("Date", "????")[:4]
        self.year = int(year) if year.isdigit() and int(year) > 0 else None
        self.start = game.board()
        self.moves = [node.move for node in game.mainline()]
        self.keys = []
        self.turns = []
        self.fens = []
        board = game.board()
        for move in [*self.moves, None]:
            self.keys.append(board.epd(en_passant="legal"))
            self.turns.append(board.turn)
            self.fens.append(board.fen(en_passant="legal"))
            if move:
                board.push(move)


class Tally:
    def __init__(self):
        self.games = self.white = self.draws = self.black = 0
        self.elos = []
        self.opponents = []
        self.points = 0
        self.year = None

    def add(self, game, side):
        self.games += 1
        self.white += game.result == "1-0"
        self.draws += game.result == "1/2-1/2"
        self.black += game.result == "0-1"
        points = {"*": None, "1/2-1/2": 0.5, "1-0": 1.0 if side else 0.0, "0-1": 0.0 if side else 1.0}[game.result]
        if game.elos[side]:
            self.elos.append(game.elos[side])
        if game.elos[not side] and points is not None:
            self.opponents.append(game.elos[not side])
            self.points += points
        if game.year and (self.year is None or game.year > self.year):
            self.year = game.year

    def numbers(self, side):
        finished = self.white + self.draws + self.black
        won = self.white if side else self.black
        average = lambda values: sum(values) / len(values) if values else None
        performance = None
        if self.opponents:
            share = self.points / len(self.opponents)
            gain = 800 if share == 1 else -800 if share == 0 else 400 * math.log10(share / (1 - share))
            performance = average(self.opponents) + max(-800, min(800, gain))
        return {
            "games": self.games,
            "white": self.white,
            "draws": self.draws,
            "black": self.black,
            "unfinished": self.games - finished,
            "score": 100 * (won + self.draws / 2) / finished if finished else None,
            "average_rating": average(self.elos),
            "performance": performance,
            "last_year": self.year,
        }


def same(ours, theirs):
    """Whether a number is the same, that of the binary rounded where it must be."""
    for name, value in theirs.items():
        found = ours[name]
        if value is None or found is None:
            if value is not found:
                return f"{name}: {found}, not {value}"
        elif abs(found - value) > (0.5001 if name in ("average_rating", "performance") else 1e-6):
            return f"{name}: {found}, not {value}"
    return None


def expected(games, line, key, exact):
    total, moves = Tally(), collections.defaultdict(Tally)
    for game in games:
        places = [ply for ply, found in enumerate(game.keys) if found == key]
        if exact:
            is_line = game.moves[: len(line)] == line and game.start.fen() == chess.STARTING_FEN
            places = [len(line)] if is_line else []
        if not places:
            continue
        total.add(game, game.turns[places[0]])
        for move in {game.moves[ply] for ply in places if ply < len(game.moves)}:
            moves[move.uci()].add(game, game.turns[places[0]])
    return total, moves


def main():
    binary, *paths = sys.argv[1:]
    random.seed(SEED)
    read_games = read(paths)
    with tempfile.NamedTemporaryFile("w", suffix=".pgn", encoding="utf-8", delete=False) as file:
        for game in read_games:
            print(game, end="\n\n", file=file)
    try:
        compare(binary, file.name, [Game(game) for game in read_games])
    finally:
        os.remove(file.name)


def compare(binary, path, games):
    compared = differences = 0
    for _ in range(POSITIONS):
        game = random.choice([game for game in games if game.start.fen() == chess.STARTING_FEN and game.moves])
        ply = random.randint(0, min(len(game.moves), random.choice((2, 6, 14))))
        line, key, side = game.moves[:ply], game.keys[ply], game.turns[ply]
        board = chess.Board()
        sans = []
        for move in line:
            sans.append(board.san_and_push(move))
        exact = random.random() < 0.4
        arguments = ["--moves", " ".join(sans)] if exact or random.random() < 0.5 else ["--fen", game.fens[ply]]
        arguments += ["--exact"] * exact
        command = [binary, "pgn", "tree", "--json", "-q", *arguments, path]
        answer = subprocess.run(command, capture_output=True, text=True)
        ours = json.loads(answer.stdout)
        total, moves = expected(games, line, key, exact)
        problems = [same(ours, total.numbers(side))]
        rows = {row["uci"]: row for row in ours["moves"]}
        if rows.keys() != moves.keys():
            problems.append(f"moves {sorted(rows)}, not {sorted(moves)}")
        else:
            problems += [same(rows[uci], tally.numbers(side)) for uci, tally in moves.items()]
        compared += len(moves)
        for problem in filter(None, problems):
            differences += 1
            print(f"{arguments}: {problem}")
    print(f"{len(games)} games, {POSITIONS} positions, {compared} moves, {differences} differences")
    sys.exit(1 if differences or compared < POSITIONS else 0)


main()
