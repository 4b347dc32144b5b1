"""Drives an engine with python-chess (https://pypi.org/project/chess) in the ways in which its users interrupt it.

The argument is the program of the engine.
"""

import asyncio
import sys

import chess
import chess.engine

SECONDS_PER_RUN = 300
LIMITS = (
    chess.engine.Limit(depth=5),
    chess.engine.Limit(nodes=2000),
    chess.engine.Limit(time=0.05),
    chess.engine.Limit(white_clock=0.5, black_clock=0.5),
)


async def play(engine):
    """A game with each kind of limit, and with pondering."""
    for ponder in (False, True):
        board = chess.Board()
        for ply in range(12):
            result = await engine.play(board, LIMITS[ply % len(LIMITS)], ponder=ponder, info=chess.engine.INFO_ALL)
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)


async def interrupt(engine):
    """Searches with a limit that are given up: the next command belongs to another position."""
    for text in ("e2e4", "d2d4", "g1f3"):
        board = chess.Board()
        board.push_uci(text)
        try:
            await asyncio.wait_for(engine.play(board, chess.engine.Limit(depth=60)), timeout=0.1)
        except asyncio.TimeoutError:
            pass
        result = await engine.play(board, chess.engine.Limit(depth=3))
        assert result.move in board.legal_moves, (text, result)


async def analyze(engine):
    """Analyses of several lines, stopped by hand, with a limited strength too."""
    for options in ({}, {"UCI_LimitStrength": True, "UCI_Elo": 1000}):
        await engine.configure(options)
        board = chess.Board()
        # `analysis.multipv` may be a line ahead of what is read here, so the lines are collected as they are read.
        lines = {}
        with await engine.analysis(board, multipv=3) as analysis:
            async for info in analysis:
                if "multipv" in info:
                    lines[info["multipv"]] = info
                if info.get("depth", 0) >= 6 and info.get("multipv") == 3:
                    break
        depths = {line["depth"] for line in lines.values()}
        scores = [lines[rank]["score"].relative for rank in sorted(lines)]
        assert sorted(lines) == [1, 2, 3] and len(depths) == 1, lines
        assert scores == sorted(scores, reverse=True), scores
        info = await engine.analyse(board, chess.engine.Limit(depth=7))
        assert info["depth"] == 7 and info["pv"], info
    await engine.configure({"UCI_LimitStrength": False})


async def main():
    _, engine = await chess.engine.popen_uci(sys.argv[1])
    for part in (play, interrupt, analyze):
        print(part.__name__, flush=True)
        await part(engine)
    await engine.ping()
    await engine.quit()


asyncio.run(asyncio.wait_for(main(), SECONDS_PER_RUN))
