"""Reads annotated games with python-chess: for each the number of moves and of evaluations.

Fails if python-chess finds an error, or an evaluation that it does not understand. With more files, each annotated one
before that from which it was made, it prints how many main lines are the same, and fails if one differs."""

import sys

import chess.pgn


def games_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def check(game, are_all_ours):
    if game.errors:
        sys.exit(f"{game.headers}: {game.errors}")
    nodes = list(game.mainline())
    for node in nodes:
        # Evaluations of others, which stay, may have no depth.
        is_unread = node.eval() is None or are_all_ours and node.eval_depth() is None
        if "%eval" in node.comment and is_unread:
            sys.exit(f"{node}: {node.comment}")
    return nodes


def line_of(game):
    return game.board().fen(), [move.uci() for move in game.mainline_moves()]


if len(sys.argv) == 2:
    for game in games_of(sys.argv[1]):
        nodes = check(game, True)
        print(len(nodes), sum(node.eval() is not None for node in nodes))
else:
    compared = 0
    for own_path, path in zip(sys.argv[1::2], sys.argv[2::2]):
        # Text around games may be one without moves.
        annotated, source = ([game for game in games_of(name) if game.variations] for name in (own_path, path))
        if len(annotated) != len(source):
            # What is not well formed may be divided in other ways, or be no game to python-chess; of what is, no game is
            # lost or doubled.
            if not source or any(game.errors for game in source + annotated):
                continue
            sys.exit(f"{path}: {len(annotated)} games, not {len(source)}")
        for own, before in zip(annotated, source):
            if before.errors:
                continue
            check(own, False)
            if line_of(own) != line_of(before):
                sys.exit(f"{path}: {own.headers}: {line_of(own)}, not {line_of(before)}")
            compared += 1
    print(compared)
