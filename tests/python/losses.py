"""What moves cost: the distribution of winning chances that players lose with a move, by their rating.

Reads PGN in which `hematite analyse` (or lichess) has written [%eval] after every move:

    python3 tests/python/losses.py GAMES.pgn [STEP]

prints a row for every STEP points of rating (all in one row without it): moves, mean loss in percent of winning
chances, and the share of moves below each bound. The opening and games that are decided do not count.
"""
import math
import re
import sys

BOUNDS = [2, 5, 10, 20, 30, 100]
OPENING_PLIES = 10
UNDECIDED = range(10, 91)
# What lichess takes for the evaluation of the initial position, and for a mate, in centipawns.
START, MATE = 20, 1000


def winning_chances(centipawns):
    """lichess's winning chances in percent."""
    bounded = max(-MATE, min(MATE, centipawns))
    return 50 + 50 * (2 / (1 + math.exp(-0.00368208 * bounded)) - 1)


def main_line(text):
    """The moves with their comments, without variations."""
    kept, depth, in_comment = [], 0, False
    for letter in text:
        if letter == "{":
            in_comment = True
        depth += not in_comment and letter == "("
        if depth == 0:
            kept.append(letter)
        depth -= not in_comment and letter == ")"
        if letter == "}":
            in_comment = False
    return "".join(kept)


def losses(game):
    """The losses of a game, each with the color that moved, 0 for White."""
    before = START
    for ply, text in enumerate(re.findall(r"\[%eval (#?-?[\d.]+)", main_line(game))):
        is_mate = text.startswith("#")
        number = float(text.lstrip("#"))
        score = math.copysign(MATE, number) if is_mate else 100 * number
        sign = 1 if ply % 2 == 0 else -1
        chances = winning_chances(sign * before)
        loss = max(0.0, chances - winning_chances(sign * score))
        before = score
        if ply >= OPENING_PLIES and UNDECIDED.start <= chances < UNDECIDED.stop:
            yield ply % 2, loss


def main():
    step = int(sys.argv[2]) if len(sys.argv) > 2 else None
    with open(sys.argv[1], errors="replace") as file:
        games = re.split(r"\n(?=\[Event )", file.read())
    rows = {}
    for game in games:
        tags = dict(re.findall(r'^\[(\w+) "([^"]*)"\]', game, re.M))
        if "FEN" in tags:
            continue
        _, _, moves = game.rpartition("]\n\n")
        for color, loss in losses(moves):
            rating = tags.get("WhiteElo" if color == 0 else "BlackElo", "")
            if step is None:
                rows.setdefault("all", []).append(loss)
            elif rating.isdigit():
                rows.setdefault(int(rating) // step * step, []).append(loss)
    print("rating  moves   mean  " + "".join(f"{'<' + str(bound):>7}" for bound in BOUNDS))
    for rating, found in sorted(rows.items()):
        lows = [0, *BOUNDS[:-1]]
        bounds = zip(lows, BOUNDS[:-1] + [101])
        shares = [100 * sum(low <= loss < high for loss in found) / len(found) for low, high in bounds]
        print(f"{rating:>6} {len(found):6} {sum(found) / len(found):6.2f}  " + "".join(f"{share:7.1f}" for share in shares))


if __name__ == "__main__":
    main()
