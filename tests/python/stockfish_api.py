"""Drives an engine through every call of the Python package `stockfish` (https://pypi.org/project/stockfish).

The argument is the program of the engine. Fails with a traceback, or with a message if a call takes too long:
the package waits for ever for a line that an engine does not write.
"""

import faulthandler
import os
import sys
import tempfile
import warnings

from stockfish import Stockfish, StockfishException

SECONDS_PER_RUN = 300
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
TWO_KINGS_TOO_FEW = "8/8/8/8/8/8/8/8 w - - 0 1"
WHITE_TO_TAKE_A_KING = "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
MIDDLEGAME = "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1BP2/PPPQ2PP/2KR1B1R w - - 4 12"


def same(found, expected):
    if found != expected:
        raise AssertionError(f"expected {expected!r}, found {found!r}")


def refused(error, call, *arguments):
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError(f"{call.__name__}{arguments} is not refused")


def positions(engine):
    same(engine.get_fen_position(), START)
    engine.set_fen_position(AFTER_E4)
    same(engine.get_fen_position(), AFTER_E4)
    engine.make_moves_from_start(["e2e4", "e7e5"])
    engine.make_moves_from_current_position(["g1f3"])
    same(
        engine.get_fen_position(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    )
    refused(ValueError, engine.make_moves_from_current_position, ["e2e4"])
    refused(ValueError, engine.make_moves_from_current_position, ["b8c6", "a1a5", "g8f6"])
    engine.make_moves_from_start()
    board = engine.get_board_visual().splitlines()
    same(len(board), 18)
    same(board[1], "| r | n | b | q | k | b | n | r | 8")
    same(board[17], "  a   b   c   d   e   f   g   h")
    board = engine.get_board_visual(False).splitlines()
    same(board[1], "| R | N | B | K | Q | B | N | R | 1")
    engine.flip()
    same(engine.get_fen_position(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    engine.set_fen_position(START)
    engine.send_ucinewgame_command()


def fens(engine):
    for fen in (START, AFTER_E4, CHECK, EN_PASSANT):
        same(engine.is_fen_valid(fen), True)
    for fen in ("", "hello", TWO_KINGS_TOO_FEW, WHITE_TO_TAKE_A_KING, MATED):
        same(engine.is_fen_valid(fen), False)
    # An illegal position is not answered with the moves of another one.
    engine.set_fen_position(WHITE_TO_TAKE_A_KING)
    same(engine.get_best_move(), None)
    same(engine.is_move_legal("e2e4"), False)
    same(engine.get_top_moves(2), [])
    same(engine.get_wdl_stats(), None)
    engine.get_fen_position()
    engine.get_board_visual()
    refused(RuntimeError, engine.get_static_eval)
    engine.set_fen_position(START)
    same(engine.get_fen_position(), START)


def moves(engine):
    same(engine.get_perft(1)[0], 20)
    nodes, below = engine.get_perft(3)
    same((nodes, len(below), below["e2e4"]), (8902, 20, 600))
    same((engine.is_move_legal("e2e4"), engine.is_move_legal("e2e5")), (True, False))
    same(engine.get_what_is_on_square("e1"), Stockfish.Piece.WHITE_KING)
    same(engine.get_what_is_on_square("b8"), Stockfish.Piece.BLACK_KNIGHT)
    same(engine.get_what_is_on_square("e4"), None)
    same(engine.will_move_be_a_capture("e2e4"), Stockfish.Capture.NO_CAPTURE)
    refused(ValueError, engine.will_move_be_a_capture, "e2e5")
    engine.set_fen_position(EN_PASSANT)
    same(engine.will_move_be_a_capture("e5d6"), Stockfish.Capture.EN_PASSANT)
    engine.make_moves_from_start(["e2e4", "d7d5"])
    same(engine.will_move_be_a_capture("e4d5"), Stockfish.Capture.DIRECT_CAPTURE)
    engine.update_engine_parameters({"UCI_Chess960": True})
    engine.set_fen_position(CASTLING)
    same(engine.will_move_be_a_capture("e1h1"), Stockfish.Capture.NO_CAPTURE)
    same(engine.will_move_be_a_capture("h1h8"), Stockfish.Capture.DIRECT_CAPTURE)
    engine.update_engine_parameters({"UCI_Chess960": False})
    engine.set_fen_position(START)


def searches(engine):
    for arguments in ({}, {"wtime": 500}, {"btime": 500}, {"wtime": 500, "btime": 500}):
        same(engine.is_move_legal(engine.get_best_move(**arguments)), True)
    same(engine.is_move_legal(engine.get_best_move_time(20)), True)
    same(engine.get_evaluation()["type"], "cp")
    same(engine.get_evaluation(20)["type"], "cp")
    same(sum(engine.get_wdl_stats()), 1000)
    same(type(engine.get_wdl_stats(get_as_tuple=True, time=20)), tuple)
    same(type(engine.get_static_eval()), float)
    for count in (1, 3):
        top = engine.get_top_moves(count)
        same([sorted(move) for move in top], [["Centipawn", "Mate", "Move"]] * count)
        same(len(engine.get_top_moves(count, num_nodes=3000)), count)
    verbose = engine.get_top_moves(2, verbose=True)[0]
    for key in ("Time", "Nodes", "NodesPerSecond", "SelectiveDepth", "MultiPVNumber", "PVMoves", "WDL"):
        assert key in verbose, verbose
    same(engine.raw_stockfish_output(engine.get_top_moves)[-1].split()[0], "bestmove")
    refused(ValueError, engine.raw_stockfish_output, engine.get_perft)
    # The value for White does not depend on the point of view.
    engine.set_fen_position("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1")
    engine.set_turn_perspective(False)
    same(engine.get_turn_perspective(), False)
    same((engine.get_evaluation()["value"] > 0, engine.get_static_eval() > 0), (True, True))
    engine.set_turn_perspective(True)
    same((engine.get_evaluation()["value"] < 0, engine.get_static_eval() < 0), (True, True))
    engine.set_fen_position(CHECK)
    same(engine.get_static_eval(), None)
    engine.set_fen_position(MATED)
    same(engine.get_best_move(), None)
    same(engine.get_evaluation(), {"type": "mate", "value": 0})
    same((engine.get_top_moves(), engine.get_wdl_stats()), ([], None))
    engine.set_fen_position(START)


def top_moves(engine):
    # A depth has as many lines as were asked for: bounds and a repeated last line would count as moves.
    for threads in (1, 2):
        engine.update_engine_parameters({"Threads": threads})
        for fen in (START, MIDDLEGAME):
            engine.set_fen_position(fen)
            for depth in (1, 4, 6, 9):
                engine.set_depth(depth)
                same([len(engine.get_top_moves(count)) for count in (1, 2, 3)], [1, 2, 3])
    engine.reset_engine_parameters()
    engine.set_depth(6)
    engine.set_fen_position(START)


def levels(engine):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for weaken in (lambda: engine.set_elo_rating(1400), lambda: engine.set_skill_level(2)):
            weaken()
            same(engine.is_move_legal(engine.get_best_move()), True)
            same(engine.is_move_legal(engine.get_best_move(wtime=500, btime=500)), True)
            # What the package promises: a full analysis.
            same([len(engine.get_top_moves(count)) for count in (1, 3)], [1, 3])
            same(len(engine.get_top_moves(1, num_nodes=5000)), 1)
            same(engine.get_evaluation()["type"], "cp")
            same(sum(engine.get_wdl_stats()), 1000)
            depth = engine.raw_stockfish_output(engine.get_wdl_stats)[-2].split()[2]
            same(int(depth), engine.get_depth())
    engine.resume_full_strength()


def parameters(engine):
    same(engine.get_engine_parameters()["Hash"], 16)
    engine.update_engine_parameters({"Hash": 8, "Threads": 2, "MultiPV": 2, "Ponder": True})
    engine.update_engine_parameters({"Move Overhead": 20, "Contempt": 10, "Slow Mover": 90})
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        engine.update_engine_parameters({"Debug Log File": log})
        engine.get_best_move()
        engine.update_engine_parameters({"Debug Log File": ""})
        assert os.path.getsize(log) > 0
    engine.reset_engine_parameters()
    same(engine.get_engine_parameters()["Threads"], 1)
    refused(ValueError, engine.update_engine_parameters, {"Hsah": 1})
    refused(NotImplementedError, engine.get_parameters)
    refused(NotImplementedError, engine.info)
    engine.set_depth(6)
    engine.set_num_nodes(4000)
    same((engine.get_depth(), engine.get_num_nodes()), (6, 4000))
    engine.set_debug_view(False)


def version(engine):
    major, minor = engine.get_stockfish_major_version(), engine.get_stockfish_minor_version()
    same(engine.get_stockfish_major_minor_version(), f"{major}.{minor}")
    same(engine.is_development_build_of_engine(), False)
    same((engine.get_stockfish_patch_version(), engine.get_stockfish_sha_version()), ("", ""))
    same(engine.does_current_engine_version_have_wdl_option(), True)


def benchmarks(engine):
    for parameters in ({"limit": 3}, {"limit": 2, "threads": 2}, {"limit": 1, "evalType": "NNUE"}):
        line = engine.benchmark(Stockfish.BenchmarkParameters(**parameters))
        assert int(line.split(":")[1]) > 0, line


def main():
    faulthandler.dump_traceback_later(SECONDS_PER_RUN, exit=True)
    engine = Stockfish(path=sys.argv[1], depth=6)
    for group in (positions, fens, moves, searches, top_moves, levels, parameters, version, benchmarks):
        print(group.__name__, flush=True)
        group(engine)
        same(engine.get_fen_position(), START)
    engine.send_quit_command()
    refused(StockfishException, engine.get_best_move)


main()
