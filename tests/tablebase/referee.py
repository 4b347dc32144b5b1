"""python-chess as referee: looks positions up in endgame tables.

For each FEN on standard input, one line on standard output: win (2), cursed win (1), draw (0), blessed
loss (-1) or loss (-2) for the side to move; and, for every so many of them as the second argument says, the
distance to the next capture or pawn move, which takes much longer to find.
"""

import sys

import chess
import chess.syzygy

with chess.syzygy.open_tablebase(sys.argv[1]) as tables:
    for number, line in enumerate(sys.stdin):
        board = chess.Board(line.strip())
        print(tables.probe_wdl(board), end="")
        print("" if number % int(sys.argv[2]) else f" {tables.probe_dtz(board)}")
