"""python-chess as referee: looks positions up in endgame tables.

For each FEN on standard input, one line on standard output: win (2), cursed win (1), draw (0), blessed
loss (-1) or loss (-2) for the side to move, and the distance to the next capture or pawn move.
"""

import sys

import chess
import chess.syzygy

with chess.syzygy.open_tablebase(sys.argv[1]) as tables:
    for line in sys.stdin:
        board = chess.Board(line.strip())
        print(tables.probe_wdl(board), tables.probe_dtz(board))
