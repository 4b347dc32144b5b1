"""python-chess as referee: random queries find the same games.

    pgn_find.py BINARY COUNT FILE...
    pgn_find.py BINARY COUNT --chunk SIZE --seed NUMBER [--only KIND] FILE...

COUNT queries of each kind are made up from the games of each file, which must have no errors. The binary and
this script answer each of them; a difference is written, and the exit code is 1. With --chunk, all games of the
files are taken, so many at a time, and COUNT is the number of queries of each kind over all of them.
"""

import io
import json
import random
import re
import subprocess
import sys
import tempfile

import chess
import chess.pgn

import find_motifs
import find_terms

# The same queries every time.
SEED = 20
# Games that python-chess reads: it is slow.
MAX_GAMES = 150
# The longest game possible has 11,797 plies, and takes this script minutes.
MAX_PLIES = 600
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
ROSTER = ("White", "Black", "Event", "Site")


class Game:
    """A game with all positions of its main line, and the move that leads to each."""

    def __init__(self, game, path):
        self.game = game
        self.path = path
        self.headers = game.headers
        self.result = game.headers["Result"]
        self.boards = [game.board()]
        self.moves = [None]
        self.sans = [None]
        for node in game.mainline():
            board = self.boards[-1]
            self.sans.append(board.san(node.move))
            self.moves.append(node.move)
            board = board.copy()
            board.push(node.move)
            self.boards.append(board)
        self.plies = len(self.moves) - 1
        self.comments = []
        self.nags = set()
        self.has_variations = False
        waiting = [game]
        while waiting:
            node = waiting.pop()
            self.comments += comments_of(node)
            self.nags |= node.nags
            self.has_variations |= len(node.variations) > 1
            waiting += node.variations
        self.keys = {key(board) for board in self.boards}
        self.balances = [balance(board) for board in self.boards]
        # The castlings up to each ply, as the letters of a FEN.
        self.castled = [""]
        for board, move in zip(self.boards, self.moves[1:]):
            letter = ""
            if board.is_castling(move):
                letter = "k" if board.is_kingside_castling(move) else "q"
            self.castled.append(self.castled[-1] + (letter.upper() if board.turn else letter))


def comments_of(node):
    texts = [node.comment, getattr(node, "starting_comment", "")]
    return [re.sub(r"\[%[^\]]*\]", " ", text) for text in texts]


def key(board):
    """What makes two positions the same."""
    return board.epd(en_passant="legal")


def words(text):
    """The words without apostrophes, which do not separate words."""
    return [word for word in re.split(r"[^a-z0-9]+", re.sub("['`]", "", text.lower())) if word]


def words_and_parts(text):
    """The words, and what is between and after apostrophes."""
    parts = [part for part in re.split(r"[^a-z0-9]+", text.lower()) if part]
    ends = [re.split(r"[^a-z0-9'`]", text.lower()[at:])[0] for at in range(len(text)) if text[at] in "'`"]
    return words(text) + parts + [end for rest in ends for end in words(rest)]


def has_words(wanted, text):
    return all(any(word.startswith(start) for word in words_and_parts(text)) for start in words(wanted))


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    games = []
    with io.StringIO(text) as file:
        while len(games) < MAX_GAMES:
            game = chess.pgn.read_game(file)
            if game is None:
                break
            games.append(game)
    return games


def usable(game):
    """Games of chess that both programs read in the same way."""
    headers = game.headers
    is_plain = all(value.isascii() for value in headers.values())
    no_null = all(node.move for node in game.mainline())
    is_short = sum(1 for _ in game.mainline()) <= MAX_PLIES
    return is_plain and is_short and no_null and not game.errors and "Variant" not in headers


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def compare(operator, left, right):
    return {
        "=": left == right,
        ":": left == right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


OPERATORS = ("=", ":", "<", "<=", ">", ">=")


def distance(one, two):
    """How many letters are changed, missing, too many or exchanged with the next, each place once."""
    rows = [list(range(len(two) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, other in enumerate(two, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == two[j - 2] and one[i - 2] == other:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def parts_of(text):
    return {part for part in re.split(r"[^a-z0-9]+", text.lower()) if part}


def alike(wanted, text):
    most = lambda word: 0 if len(word) <= 2 else 1 if len(word) <= 5 else 2
    return all(any(distance(like, word) <= most(like) for word in set(words(text)) | parts_of(text)) for like in words(wanted))


def mistaken(games):
    """A word with mistakes."""
    name = random.choice(ROSTER)
    word = random.choice(words(random.choice(games).headers.get(name, "?")) or ["x"])
    for _ in range(random.randint(0, 3)):
        at = random.randint(0, len(word) - 1)
        letter = random.choice("aeiou")
        ends = [word[at + 1 :], letter + word[at:], letter + word[at + 1 :], word[at + 1 : at + 2] + word[at] + word[at + 2 :]]
        word = word[:at] + random.choice(ends) or "x"
    return f"{name.lower()}~~{quoted(word)}", lambda game: alike(word, game.headers.get(name, ""))


def speed(games):
    """The class of a time control of one period."""
    limits = (("bullet", 180), ("blitz", 480), ("rapid", 1500), ("classical", 86400))
    name = random.choice(limits)[0]

    def holds(game):
        # Engines have parts of seconds, too.
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", game.headers.get("TimeControl", "?"))
        seconds = float(found[1]) + 40 * float(found[2] or 0) if found else None
        return found is not None and next((other for other, limit in limits if seconds < limit), None) == name

    return f"speed:{name}", holds


def source(games):
    """The file, of which all games are."""
    word = random.choice(words(games[0].path) + ["x"])
    start = word[: random.randint(1, len(word))]
    if random.random() < 0.2:
        return random.choice((("added:none", lambda game: True), ("added>=1990", lambda game: False)))
    return f"source:{start}", lambda game: has_words(start, game.path)


def random_place(games):
    """A game and a ply in it after the start."""
    game = random.choice([game for game in games if game.plies])
    return game, random.randint(1, game.plies)


# Each kind of query: a function that makes up a query and what it means of a game.


def text(games):
    name = random.choice(ROSTER)
    found = words(random.choice(games).headers.get(name, "?")) or ["x"]
    start = " ".join(word[: random.randint(1, len(word))] for word in random.sample(found, min(2, len(found))))
    operator = random.choice(":~=")
    if operator == ":":
        return f"{name.lower()}:{quoted(start)}", lambda game: has_words(start, game.headers.get(name, ""))
    value = random.choice(games).headers.get(name, "?")
    if operator == "=":
        return f"{name.lower()}={quoted(value)}", lambda game: game.headers.get(name) == value
    begin = random.randint(0, max(0, len(value) - 3))
    part = value[begin : begin + 3]
    return f"{name.lower()}~{quoted(part)}", lambda game: part.lower() in game.headers.get(name, "").lower()


def player(games):
    def name():
        found = words(random.choice(games).headers[random.choice(("White", "Black"))]) or ["x"]
        return found[0][: random.randint(2, 6)]

    one, two = name(), name()
    white = lambda game, name: has_words(name, game.headers["White"])
    black = lambda game, name: has_words(name, game.headers["Black"])
    either = lambda game, name: white(game, name) or black(game, name)
    return random.choice(
        [
            (f"player:{one}", lambda game: either(game, one)),
            (f"player:{one} -player:{two}", lambda game: either(game, one) and not either(game, two)),
            (
                f"player:{one} player:{two}",
                lambda game: white(game, one) and black(game, two) or black(game, one) and white(game, two),
            ),
            (
                f"winner:{one}",
                lambda game: game.result == "1-0" and white(game, one) or game.result == "0-1" and black(game, one),
            ),
        ]
    )


def number(games):
    kind = random.choice(("plies", "moves", "whiteelo", "elo"))
    operator = random.choice(OPERATORS)
    if kind in ("plies", "moves"):
        of = lambda game: game.plies if kind == "plies" else (game.plies + 1) // 2
        limit = of(random.choice(games))
        return f"{kind}{operator}{limit}", lambda game: compare(operator, of(game), limit)
    names = ("WhiteElo",) if kind == "whiteelo" else ("WhiteElo", "BlackElo")
    elos = lambda game: [int(game.headers[name]) for name in names if re.fullmatch(r"\d+", game.headers.get(name, ""))]
    limit = random.choice([elo for game in games for elo in elos(game)] or [2000])
    return f"{kind}{operator}{limit}", lambda game: any(compare(operator, elo, limit) for elo in elos(game))


def days(value):
    found = re.fullmatch(r"(\d{4})(?:\.(\d\d|\?\?)(?:\.(\d\d|\?\?))?)?", value)
    if not found:
        return None
    low = high = int(found[1])
    for part, least, most in ((found[2], 1, 12), (found[3], 1, 31)):
        is_known = part and part != "??"
        if is_known and not least <= int(part) <= most:
            return None
        low = low * 100 + (int(part) if is_known else least)
        high = high * 100 + (int(part) if is_known else most)
    return low, high


def date(games):
    values = [game.headers["Date"] for game in games if days(game.headers["Date"])]
    value = random.choice(values or ["2000"])[: random.choice((4, 7, 10))]
    low, high = days(value)
    operator = random.choice(OPERATORS)

    def holds(game):
        found = days(game.headers["Date"])
        if not found:
            return False
        if operator in "=:":
            return low <= found[0] and found[1] <= high
        if operator == "<":
            return found[1] < low
        if operator == "<=":
            return found[1] <= high
        return found[0] > high if operator == ">" else found[0] >= low

    return f"date{operator}{value}", holds


def result(games):
    value = random.choice(("1-0", "0-1", "1/2-1/2", "*"))
    return f"result:{value}", lambda game: game.result == value


def notes(games):
    texts = [word for game in games for comment in game.comments for word in words(comment)] or ["x"]
    word = random.choice(texts)
    nag = random.choice(sorted({nag for game in games for nag in game.nags}) or [1])
    has_comments = lambda game: any(comment.strip() for comment in game.comments)
    return random.choice(
        [
            (f"comment:{word}", lambda game: any(has_words(word, comment) for comment in game.comments)),
            (f"nag:${nag}", lambda game: nag in game.nags),
            ("commented", has_comments),
            ("variations", lambda game: game.has_variations),
            ("annotated", lambda game: has_comments(game) or game.has_variations or bool(game.nags)),
        ]
    )


def position(games):
    game, ply = random_place(games)
    board = game.boards[min(ply, random.randint(1, 30))]
    wanted = key(board)
    return f"fen:{quoted(board.fen(en_passant='legal'))}", lambda game: wanted in game.keys


def line(games):
    game, _ = random_place([game for game in games if "FEN" not in game.headers])
    length = random.randint(1, min(10, game.plies))
    sans = game.sans[1 : length + 1]
    wild = {index for index in range(length - 1) if random.random() < 0.2}
    shown = ["*" if index in wild else san for index, san in enumerate(sans)]
    numbered = [f"{index // 2 + 1}.{san}" if index % 2 == 0 and index - 1 not in wild else san for index, san in enumerate(shown)]

    def holds(other):
        if other.plies < length or not other.boards[0].turn:
            return False
        return all(
            index in wild or matches(san, other.boards[index], other.moves[index + 1])
            for index, san in enumerate(sans)
        )

    return f"line:{quoted(' '.join(numbered))}", holds


def matches(san, board, move):
    """Whether this move is what this text says on this board, which is before it."""
    has_sign = True
    if san[-1] in "+#":
        after = board.copy(stack=False)
        after.push(move)
        has_sign = after.is_checkmate() if san[-1] == "#" else after.is_check()
    if san.startswith("O"):
        is_wing = (san.rstrip("+#") == "O-O-O") == board.is_queenside_castling(move)
        return has_sign and board.is_castling(move) and is_wing
    found = re.fullmatch(r"([NBRQK]?)([a-h]?)([1-8]?)(x?)([a-h][1-8])(?:=([NBRQ]))?[+#]?", san)
    piece, file, rank, capture, to, promotion = found.groups()
    role = chess.PIECE_SYMBOLS.index(piece.lower() or "p")
    return (
        has_sign
        and not board.is_castling(move)
        and board.piece_type_at(move.from_square) == role
        and chess.square_name(move.to_square) == to
        and (not file or chess.square_name(move.from_square)[0] == file)
        and (not rank or chess.square_name(move.from_square)[1] == rank)
        and (not capture or board.is_capture(move))
        and (piece or capture or not board.is_capture(move))
        and (not promotion or move.promotion == chess.PIECE_SYMBOLS.index(promotion.lower()))
    )


def played(game, test):
    """Whether some move of a game passes the test."""
    return any(test(game.boards[ply - 1], game.moves[ply], game.boards[ply]) for ply in range(1, game.plies + 1))


def move(games):
    game, ply = random_place(games)
    san = game.sans[ply]
    if random.random() < 0.5:
        san = san.rstrip("+#")
    before = game.boards[ply - 1]
    number, turn = before.fullmove_number, before.turn
    if random.random() < 0.5:
        return f"move:{quoted(san)}", lambda game: played(game, lambda board, move, _: matches(san, board, move))
    text = f"{number}{'.' if turn else '...'}{san}"
    return f"move:{text}", lambda game: played(
        game,
        lambda board, move, _: board.fullmove_number == number and board.turn == turn and matches(san, board, move),
    )


def counts(board):
    return {
        (color, role): len(board.pieces(role, color)) for color in chess.COLORS for role in chess.PIECE_TYPES
    }


def flipped(counts):
    return {(not color, role): count for (color, role), count in counts.items()}


def lasting(game, test, length):
    run = 0
    for board in game.boards:
        run = run + 1 if test(board) else 0
        if run >= length:
            return True
    return False


def material(games):
    game, ply = random_place(games)
    board = game.boards[random.choice((ply, game.plies))]
    wanted = counts(board)
    either = random.random() < 0.5
    length = random.choice((1, 1, 4, 10))
    suffix = (" any-color" if either else "") + (f" for {length}" if length > 1 else "")
    if random.random() < 0.5:
        letters = [
            "".join(chess.piece_symbol(role).upper() * wanted[color, role] for role in reversed(chess.PIECE_TYPES))
            for color in chess.COLORS[:]
        ]
        white, black = letters if chess.COLORS[0] == chess.WHITE else reversed(letters)
        text = random.choice((f"{white}{black.lower()}", f"{white}v{black}", f"{white}{black}"))
        test = lambda found: found == wanted
    else:
        chosen = random.sample(sorted(wanted), 3)
        tests = [(place, random.choice(("=", "<=", ">=", "<", ">")), wanted[place]) for place in chosen]
        letter = lambda color, role: chess.Piece(role, color).symbol()
        text = " ".join(f"{letter(*place)}{operator}{count}" for place, operator, count in tests)
        test = lambda found: all(compare(operator, found[place], count) for place, operator, count in tests)
    both = lambda board: test(counts(board)) or either and test(flipped(counts(board)))
    return f"material:{quoted(text)}{suffix}", lambda game: lasting(game, both, length)


def placement(board, squares):
    """A pattern of these squares of a board."""
    rows = []
    for rank in reversed(range(8)):
        row = ""
        for file in range(8):
            square = chess.square(file, rank)
            piece = board.piece_at(square)
            row += "?" if square not in squares else piece.symbol() if piece else "."
        rows.append(re.sub(r"\?+", lambda found: str(len(found[0])) if random.random() < 0.8 else found[0], row))
    return "/".join(rows)


def pattern(games):
    game, ply = random_place(games)
    board = game.boards[ply]
    squares = random.sample(range(64), random.randint(2, 5))
    squares = random.choice((squares, list(board.pieces(chess.PAWN, chess.WHITE)) + squares[:1]))
    wanted = {square: board.piece_at(square) for square in squares}
    any_color, mirror, shift = (random.random() < 0.4 for _ in range(3))
    shift = shift and random.random() < 0.3
    forms = [wanted]
    if any_color:
        turned = lambda piece: piece and chess.Piece(piece.piece_type, not piece.color)
        forms += [{chess.square_mirror(square): turned(piece) for square, piece in form.items()} for form in forms]
    if mirror:
        forms += [{square ^ 7: piece for square, piece in form.items()} for form in forms]
    if shift:
        moved = []
        for form in forms:
            places = [(chess.square_file(square), chess.square_rank(square), piece) for square, piece in form.items()]
            for files in range(-7, 8):
                for ranks in range(-7, 8):
                    if all(0 <= file + files < 8 and 0 <= rank + ranks < 8 for file, rank, _ in places):
                        moved.append(
                            {chess.square(file + files, rank + ranks): piece for file, rank, piece in places}
                        )
        forms = moved
    holds = lambda board: any(all(board.piece_at(square) == piece for square, piece in form.items()) for form in forms)
    words = [word for word, is_there in (("any-color", any_color), ("mirror", mirror), ("shift", shift)) if is_there]
    return " ".join([f"pattern:{quoted(placement(board, squares))}"] + words), lambda game: any(map(holds, game.boards))


def structure(games):
    game, ply = random_place(games)
    board = game.boards[ply]
    pawns = board.pawns
    white, black = pawns & board.occupied_co[chess.WHITE], pawns & board.occupied_co[chess.BLACK]
    text = placement(board, list(chess.SquareSet(pawns)))
    same = lambda board: board.pawns & board.occupied_co[chess.WHITE] == white and (
        board.pawns & board.occupied_co[chess.BLACK] == black
    )
    return f"structure:{quoted(text)}", lambda game: any(map(same, game.boards))


def balance(board):
    side = lambda color: sum(
        value * chess.popcount(board.pieces_mask(role, color)) for role, value in VALUES.items()
    )
    return side(chess.WHITE) - side(chess.BLACK)


def bishops(board, is_same):
    sides = [board.pieces(chess.BISHOP, color) for color in chess.COLORS]
    if any(len(side) != 1 for side in sides):
        return False
    shades = [bool(chess.BB_SQUARES[list(side)[0]] & chess.BB_LIGHT_SQUARES) for side in sides]
    return (shades[0] == shades[1]) == is_same


def sacrificed(game, ply):
    """What the move of this ply gives up."""
    if ply == 0 or ply + 2 > game.plies:
        return 0
    sign = 1 if game.boards[ply - 1].turn else -1
    of = lambda ply: sign * game.balances[ply]
    if not game.boards[ply].is_capture(game.moves[ply + 1]):
        return 0
    later = [of(after) for after in (ply + 2, ply + 4) if after <= game.plies]
    return of(ply - 1) - max(later)


def moments(games):
    """A test of one position: its text, and whether it holds at a ply of a game."""
    game, ply = random_place(games)
    board = game.boards[ply]
    role = random.choice((chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN))
    symbol = chess.piece_symbol(role).upper()
    operator = random.choice(OPERATORS)
    capture = lambda game, ply: ply > 0 and game.boards[ply - 1].is_capture(game.moves[ply])
    captured = lambda game, ply: (
        chess.PAWN
        if game.boards[ply - 1].is_en_passant(game.moves[ply])
        else game.boards[ply - 1].piece_type_at(game.moves[ply].to_square)
    )
    number, value = len(board.piece_map()), balance(board)
    gives = random.choice((2, 3, 5))
    san = game.sans[ply]
    if random.random() < 0.3:
        return find_terms.motif_moment()
    colors = random.choice(((True, "white"), (False, "black")))
    return random.choice(
        [
            ("check", lambda game, ply: game.boards[ply].is_check()),
            ("mate", lambda game, ply: game.boards[ply].is_checkmate()),
            ("last", lambda game, ply: ply == game.plies),
            ("capture", capture),
            (f"capture:{symbol}", lambda game, ply: capture(game, ply) and captured(game, ply) == role),
            ("promotion", lambda game, ply: ply > 0 and game.moves[ply].promotion is not None),
            (f"turn:{colors[1]}", lambda game, ply: game.boards[ply].turn == colors[0]),
            (f"men{operator}{number}", lambda game, at: compare(operator, chess.popcount(game.boards[at].occupied), number)),
            (f"balance{operator}{value}", lambda game, at: compare(operator, game.balances[at], value)),
            (f"ply{operator}{ply}", lambda game, at: compare(operator, at, ply)),
            ("bishops:same", lambda game, ply: bishops(game.boards[ply], True)),
            ("bishops:opposite", lambda game, ply: bishops(game.boards[ply], False)),
            (f"sacrifice>={gives}", lambda game, ply: sacrificed(game, ply) >= gives),
            ("castled:opposite", lambda game, ply: set(game.castled[ply]) in ({"K", "q"}, {"Q", "k"})),
            ("castled:K", lambda game, ply: "K" in game.castled[ply]),
            (f"move:{san}", lambda game, at: at > 0 and matches(san, game.boards[at - 1], game.moves[at])),
        ]
    )


def moment(games):
    text, holds = moments(games)
    return text, lambda game: any(holds(game, ply) for ply in range(game.plies + 1))


def same_position(games):
    one, two = moments(games), moments(games)
    negated = random.random() < 0.3
    text = f"at({one[0]} {'not ' if negated else ''}{two[0]})"
    return text, lambda game: any(
        one[1](game, ply) and two[1](game, ply) != negated for ply in range(game.plies + 1)
    )


def sequence(games):
    one, two = moments(games), moments(games)
    within = random.choice((None, 1, 2, 6))

    def holds(game):
        firsts = [ply for ply in range(game.plies + 1) if one[1](game, ply)]
        seconds = [ply for ply in range(game.plies + 1) if two[1](game, ply)]
        return any(
            first < second and (within is None or second - first <= within) for first in firsts for second in seconds
        )

    return f"{one[0]} then {two[0]}" + (f" within {within}" if within else ""), holds


def count(games):
    text, holds = moments(games)
    operator, limit = random.choice(OPERATORS), random.randint(0, 6)
    number = lambda game: sum(bool(holds(game, ply)) for ply in range(game.plies + 1))
    return f"count({text}){operator}{limit}", lambda game: compare(operator, number(game), limit)


def end(games):
    kinds = {
        "mate": lambda board: board.is_checkmate(),
        "stalemate": lambda board: board.is_stalemate(),
        "material": lambda board: board.is_insufficient_material() and not board.is_stalemate(),
        "open": lambda board: board.outcome(claim_draw=False) is None
        and not board.is_repetition(3)
        and board.halfmove_clock < 100,
    }
    name = random.choice(sorted(kinds))
    return f"end:{name}", lambda game: kinds[name](game.boards[-1])


KINDS = (
    text, mistaken, speed, source, player, number, date, result, notes, position, line, move, material, pattern, structure, moment,
    same_position, sequence, count, end,
)


def joined(games):
    """Two queries of any kind, joined."""
    one, two = (random.choice(KINDS)(games) for _ in range(2))
    kind = random.choice(("and", "or", "not"))
    if kind == "or":
        return f"({one[0]}) or ({two[0]})", lambda game: one[1](game) or two[1](game)
    if kind == "not":
        return f"({one[0]}) -({two[0]})", lambda game: one[1](game) and not two[1](game)
    return f"({one[0]}) and ({two[0]})", lambda game: one[1](game) and two[1](game)


def ask(binary, path, games, make, known):
    """A query by the script and by the binary: the games found, and whether they are the same."""
    query, holds = make(known)
    expected = [number for number, game in games.items() if holds(game)]
    answer = subprocess.run([binary, "pgn", "find", query, "--json", "-q", path], capture_output=True, text=True)
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    numbers = [line["game"] for line in lines if line["game"] in games]
    is_same = answer.returncode <= 1 and numbers == expected
    if not is_same:
        print(f"{path}: {make.__name__}: {query}\n  python: {expected}\n  found:  {numbers} {answer.stderr}", flush=True)
    return len(numbers), is_same


def chunks(binary, paths, size, folder):
    """All games of the files that have no errors, so many in a file, and how many there are."""
    path = f"{folder}/all.pgn"
    for source in paths:
        subprocess.run(
            [binary, "pgn", "find", "", "--broken", "drop", "--strict", "-q", "--append", path, source], check=False
        )
    with open(path, encoding="utf-8") as file:
        games = [text for text in re.split(r"\n\n(?=\[Event )", file.read()) if text.strip()]
    random.shuffle(games)
    for start in range(0, len(games), size):
        name = f"{folder}/{start}.pgn"
        with open(name, "w", encoding="utf-8") as file:
            file.write("\n\n".join(text.strip("\n") for text in games[start : start + size]) + "\n\n")
        yield name, len(games)


def options(arguments):
    """The options behind the number of queries, and the files."""
    chosen = {"chunk": None, "seed": SEED, "only": None}
    while arguments and arguments[0].startswith("--"):
        name, value, *arguments = arguments
        chosen[name[2:]] = value if name == "--only" else int(value)
    return chosen, arguments


def main():
    binary, cases, *arguments = sys.argv[1:]
    chosen, paths = options(arguments)
    random.seed(chosen["seed"])
    compared = found = differences = all_games = 0
    kinds = [make for make in (*KINDS, *find_terms.KINDS, joined) if chosen["only"] in (None, make.__name__)]
    with tempfile.TemporaryDirectory() as folder:
        parts = [(path, None) for path in paths]
        if chosen["chunk"]:
            parts = list(chunks(binary, paths, chosen["chunk"], folder))
        for index, (path, _) in enumerate(parts):
            games = {index + 1: Game(game, path) for index, game in enumerate(read(path)) if usable(game)}
            known = [game for game in games.values() if game.plies]
            all_games += len(games)
            if not known:
                continue
            # Over all parts as many as are wanted, the same number of each but for the rest.
            count = int(cases)
            if chosen["chunk"]:
                count = count * (index + 1) // len(parts) - count * index // len(parts)
            for make in kinds:
                for _ in range(count):
                    numbers, is_same = ask(binary, path, games, make, known)
                    compared += 1
                    found += numbers
                    differences += not is_same
            find_motifs.CACHE.clear()
            if chosen["chunk"]:
                print(f"{all_games} games: {compared} queries, {differences} differences so far", file=sys.stderr)
    print(f"{all_games} games: {compared} queries, {found} games found, {differences} differences")
    sys.exit(1 if differences or not found else 0)


if __name__ == "__main__":
    # They use this file as a module, which is then another one than this program: only its functions matter.
    main()
