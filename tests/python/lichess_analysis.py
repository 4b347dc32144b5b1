"""Holds `hematite analyse` against lichess's server analysis: games of lichess with [%eval] in their comments.

    lichess_analysis.py BINARY GAMES formulas
    lichess_analysis.py BINARY GAMES agreement [--nodes N] [--cache FILE] [--worst N] [ARGUMENT...]

`formulas` gives their evaluations to `--use-evals`, computes judgements and accuracy by the formulas that lichess
publishes (https://lichess.org/page/accuracy and https://github.com/lichess-org/lila), written down here anew, and fails at
the first difference. `agreement` leaves their evaluations, glyphs and comments out, lets our search evaluate, and prints
how far judgements and accuracy agree, with the worst disagreements; it fails if there is nothing to compare."""

import argparse
import json
import math
import re
import subprocess
import sys

HEAVY = ("mistake", "blunder")
JUDGEMENTS = ("inaccuracy", *HEAVY)
# The score of the initial position in centipawns.
START = {"cp": 15}


def games(text):
    """The games that lichess has evaluated, as text."""
    all_games = re.split(r"^(?=\[Event )", text, flags=re.MULTILINE)
    return [game for game in all_games if "[%eval " in game]


def without_analysis(game):
    """A game without evaluations, glyphs and what else was said about its moves; clocks stay."""
    tags, _, moves = game.partition("\n\n")
    clocks = lambda found: " ".join(["{", *re.findall(r"\[%clk [^\]]*\]", found.group()), "}"])
    moves = re.sub(r"\{[^}]*\}", clocks, moves)
    moves = re.sub(r"\s\$\d+|(?<=[\w+#=])[?!]{1,2}", "", moves)
    return f"{tags}\n\n{moves}"


def analyse(binary, text, *arguments):
    command = [binary, "analyse", "-q", "--json", *arguments, "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def chances(score):
    """White's winning chances, from -1 to 1."""
    mate = score.get("mate")
    centipawns = score["cp"] if mate is None else math.copysign(1000, mate)
    return 2 / (1 + math.exp(-0.00368208 * max(-1000, min(1000, centipawns)))) - 1


def judgement(before, after, sign):
    """The judgement of a move of White (1) or Black (-1) between two scores; None if it is none."""
    if "cp" in before and "cp" in after:
        loss = sign * (chances(before) - chances(after))
        return next((name for bound, name in ((0.3, "blunder"), (0.2, "mistake"), (0.1, "inaccuracy")) if loss >= bound), None)
    had_mate = sign * before.get("mate", 0) > 0
    has_mate = sign * after.get("mate", 0) > 0
    was_mated = sign * before.get("mate", 0) < 0
    is_mated = sign * after.get("mate", 0) < 0
    if had_mate and not has_mate:
        decided = sign * after.get("cp", 0)
    elif is_mated and not was_mated and not had_mate:
        decided = -sign * before.get("cp", 0)
    else:
        return None
    return "inaccuracy" if decided > 999 else "mistake" if decided > 700 else "blunder"


def accuracies(scores, first):
    """The accuracy of White and Black in a game, of the scores at its start and after each move."""
    percents = [50 + 50 * chances(score) for score in scores]
    width = max(2, min(8, (len(scores) - 1) // 10))
    # The first moves have the first window.
    windows = [percents[:width]] * (width - 2) + [percents[i : i + width] for i in range(len(percents) - width + 1)]
    players = {"white": [], "black": []}
    for index, (before, after, window) in enumerate(zip(percents, percents[1:], windows)):
        is_white = (index % 2 == 0) == first
        loss = before - after if is_white else after - before
        accuracy = 103.1668100711649 * math.exp(-0.04354415386753951 * loss) - 3.166924740191411 + 1
        accuracy = 100 if loss <= 0 else max(0, min(100, accuracy))
        mean = sum(window) / len(window)
        weight = math.sqrt(sum((percent - mean) ** 2 for percent in window) / len(window))
        players["white" if is_white else "black"].append((accuracy, max(0.5, min(12, weight))))
    result = {}
    for name, moves in players.items():
        if moves:
            weighted = sum(accuracy * weight for accuracy, weight in moves) / sum(weight for _, weight in moves)
            harmonic = len(moves) / sum(1 / max(1, accuracy) for accuracy, _ in moves)
            result[name] = (weighted + harmonic) / 2
    return result


def formulas(binary, text):
    moves = players = 0
    for game in analyse(binary, text, "--use-evals"):
        scores = [START]
        for move in game["moves"]:
            if "score" not in move:
                continue
            # A gap would begin anew: lichess leaves none but the mate on the board.
            assert move["ply"] == len(scores), game
            sign = 1 if move["ply"] % 2 else -1
            expected = judgement(scores[-1], move["score"], sign)
            if move.get("judgement") != expected:
                sys.exit(f"{game}: {move}: expected {expected} after {scores[-1]}")
            scores.append(move["score"])
            moves += 1
        for name, expected in accuracies(scores, True).items():
            found = game[name]["accuracy"]
            if abs(found - expected) > 0.00501:
                sys.exit(f"{game}: {name}: accuracy {found}, expected {expected}")
            players += 1
    print(f"{moves} moves and {players} players are judged exactly by the formulas")
    if moves < 1000:
        sys.exit("expected 1000 moves")


def shown(score):
    return f"#{score['mate']}" if "mate" in score else f"{score['cp'] / 100:+.2f}"


def agreement(binary, text, options):
    theirs = analyse(binary, text, "--use-evals")
    bare = "".join(map(without_analysis, games(text)))
    limits = ["--nodes", options.nodes] + (["--cache", options.cache] if options.cache else [])
    ours = analyse(binary, bare, *limits, *options.arguments)
    assert len(theirs) == len(ours)
    counts = {}
    differences, worst = [], []
    for number, (their_game, our_game) in enumerate(zip(theirs, ours), 1):
        before = START, START
        for their, our in zip(their_game["moves"], our_game["moves"]):
            assert their["uci"] == our["uci"]
            if "score" not in their or "score" not in our:
                continue
            pair = their.get("judgement"), our.get("judgement")
            counts[pair] = counts.get(pair, 0) + 1
            sign = 1 if their["ply"] % 2 else -1
            after = their["score"], our["score"]
            their_loss, our_loss = (sign * (chances(a) - chances(b)) for a, b in zip(before, after))
            if pair[0] in HEAVY and pair[1] not in HEAVY:
                text = f"game {number} ply {their['ply']} {their['move']}: {pair[0]} {their_loss:.2f} from {shown(before[0])} to {shown(after[0])}"
                worst.append((our_loss - their_loss, f"{text}; ours {pair[1]} {our_loss:.2f} from {shown(before[1])} to {shown(after[1])}"))
            before = after
        for name in ("white", "black"):
            if "accuracy" in their_game[name] and "accuracy" in our_game[name]:
                differences.append(abs(their_game[name]["accuracy"] - our_game[name]["accuracy"]))
    heavy = {pair: count for pair, count in counts.items() if pair[0] in HEAVY}
    total = sum(heavy.values())
    if not total or not differences:
        sys.exit("there is nothing to compare")
    as_heavy = sum(count for pair, count in heavy.items() if pair[1] in HEAVY)
    judged = sum(count for pair, count in heavy.items() if pair[1])
    only_ours = sum(count for pair, count in counts.items() if pair[1] in HEAVY and pair[0] not in HEAVY)
    print(f"{len(theirs)} games, {sum(counts.values())} moves, {options.nodes} nodes a move")
    print("theirs \\ ours   none " + " ".join(f"{name:>10}" for name in JUDGEMENTS))
    for name in (None, *JUDGEMENTS):
        row = " ".join(f"{counts.get((name, own), 0):10}" for own in JUDGEMENTS)
        print(f"{name or 'none':>13} {counts.get((name, None), 0):6} {row}")
    print(f"mistakes and blunders of lichess: {total}; of these by ours mistakes or blunders {as_heavy} ({as_heavy / total:.1%}), judged {judged} ({judged / total:.1%})")
    print(f"mistakes and blunders by ours alone: {only_ours}")
    print(f"accuracy: {sum(differences) / len(differences):.2f} points apart on average, {max(differences):.1f} at most, {len(differences)} players")
    for _, line in sorted(worst)[: options.worst]:
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("games")
    parser.add_argument("check", choices=("formulas", "agreement"))
    parser.add_argument("--nodes", default="100k")
    parser.add_argument("--cache")
    parser.add_argument("--worst", type=int, default=10)
    options, options.arguments = parser.parse_known_args()
    with open(options.games, encoding="utf-8") as file:
        text = "".join(games(file.read()))
    if options.check == "formulas":
        formulas(options.binary, text)
    else:
        agreement(options.binary, text, options)


if __name__ == "__main__":
    main()
