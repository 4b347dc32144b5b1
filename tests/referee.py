"""python-chess as referee: reads PGN and writes what it has understood.

For each game with moves in the files named as arguments one line on standard output: the file, the number
of the game among these, whether python-chess found errors in it, the moves of the main line as UCI
spells them (castling as king takes rook), and the final position.
"""

import io
import logging
import sys

import chess
import chess.pgn

logging.disable(logging.CRITICAL)


def uci(board, move):
    """Castling as king takes rook, whatever the rules are called."""
    if move and board.is_castling(move):
        rook = board.castling_rights & chess.BB_RANKS[chess.square_rank(move.from_square)]
        rooks = [square for square in chess.SquareSet(rook)]
        kingside = chess.square_file(move.to_square) > chess.square_file(move.from_square)
        wing = [square for square in rooks if (square > move.from_square) == kingside]
        if wing and move.to_square not in rooks:
            return chess.square_name(move.from_square) + chess.square_name(wing[0])
    return move.uci()


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    with io.StringIO(text) as file:
        number = 0
        while True:
            game = chess.pgn.read_game(file)
            if game is None:
                break
            number += 1
            board = game.board()
            moves = []
            for move in game.mainline_moves():
                moves.append(uci(board, move))
                board.push(move)
            # To python-chess, a result behind an empty line is a game of its own.
            if not moves:
                number -= 1
                continue
            fen = board.fen(en_passant="legal")
            print(path, number, int(bool(game.errors)), " ".join(moves), fen, sep="\t")
