"""Reads annotated games with python-chess: for each the number of moves and of evaluations.

Fails if python-chess finds an error, or an evaluation that it does not understand. With more files, each annotated one
before that from which it was made, it prints how many main lines are the same, and fails if one differs."""

import sys

import chess.pgn


def games_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def check(game):
    if game.errors:
        sys.exit(f"{game.headers}: {game.errors}")
    nodes = list(game.mainline())
    for node in nodes:
        if "%eval" in node.comment and (node.eval() is None or node.eval_depth() is None):
            sys.exit(f"{node}: {node.comment}")
    return nodes


def line_of(game):
    return game.board().fen(), [move.uci() for move in game.mainline_moves()]


if len(sys.argv) == 2:
    for game in games_of(sys.argv[1]):
        nodes = check(game)
        print(len(nodes), sum(node.eval() is not None for node in nodes))
else:
    compared = 0
    for own_path, path in zip(sys.argv[1::2], sys.argv[2::2]):
        annotated, source = list(games_of(own_path)), list(games_of(path))
        if len(annotated) != len(source):
            # What is not well formed may be divided in other ways.
            if any(game.errors for game in source):
                continue
            sys.exit(f"{path}: {len(annotated)} games, not {len(source)}")
        for own, before in zip(annotated, source):
            if before.errors:
                continue
            check(own)
            if line_of(own) != line_of(before):
                sys.exit(f"{path}: {own.headers}: {line_of(own)}, not {line_of(before)}")
            compared += 1
    print(compared)
