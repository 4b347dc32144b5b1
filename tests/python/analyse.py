"""Reads annotated games with python-chess: for each the number of moves and of evaluations.

Fails if python-chess finds an error, or an evaluation that it does not understand."""

import sys

import chess.pgn

with open(sys.argv[1], encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        if game.errors:
            sys.exit(f"{game.headers}: {game.errors}")
        nodes = list(game.mainline())
        scores = [node.eval() for node in nodes]
        for node in nodes:
            if "%eval" in node.comment and (node.eval() is None or node.eval_depth() is None):
                sys.exit(f"{node}: {node.comment}")
        print(len(nodes), sum(score is not None for score in scores))
