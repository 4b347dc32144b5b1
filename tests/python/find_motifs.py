"""Motifs of queries by python-chess: pawns, files, lines and attacks, square by square."""

import random

import chess

LETTERS = "PNBRQKpnbrqk"
VALUES = {chess.PAWN: 1, chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4, chess.KING: 5}
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
# Of each board, so that many queries on one game take less time.
CACHE = {}


def attacks(board):
    """For each square with a man what that attacks."""
    kept = CACHE.get(id(board))
    if kept is None or kept[0] is not board:
        kept = CACHE[id(board)] = (board, {square: board.attacks_mask(square) for square in board.piece_map()})
    return kept[1]


class Men:
    """Men on some squares, as a designator writes them."""

    def __init__(self, letters=None, may_be_limited=True):
        self.text = random.choice(letters or (*LETTERS, "A", "a", "A", "a", "[NB]", "[qr]", "[PRk]", "white", "black"))
        self.letters = {"A": LETTERS[:6], "a": LETTERS[6:], "white": LETTERS[:6], "black": LETTERS[6:]}.get(
            self.text, self.text.strip("[]")
        )
        self.squares = chess.BB_ALL
        self.files = range(8)
        if may_be_limited and random.random() < 0.3:
            file, rank = random.choice(("", "c", "d", "a-d", "e-h", "f")), random.choice(("", "", "4", "5-7", "1-3"))
            self.text += file + rank
            self.files = span(file, "abcdefgh")
            ranks = span(rank, "12345678")
            self.squares = sum(chess.BB_SQUARES[8 * rank + file] for file in self.files for rank in ranks)

    def on(self, board, square):
        piece = board.piece_at(square)
        return piece is not None and piece.symbol() in self.letters and bool(self.squares >> square & 1)


def span(text, names):
    if not text:
        return range(8)
    return range(names.index(text[0]), names.index(text[-1]) + 1)


def pawns(board, color):
    return board.pieces(chess.PAWN, color)


def is_passed(board, square, color):
    file, rank, step = square & 7, square >> 3, 1 if color else -1
    return not any(abs((other & 7) - file) <= 1 and ((other >> 3) - rank) * step > 0 for other in pawns(board, not color))


def neighbors(board, square, color):
    return [other for other in pawns(board, color) if abs((other & 7) - (square & 7)) == 1]


def is_backward(board, square, color):
    step = 1 if color else -1
    beside = neighbors(board, square, color)
    stop = square + 8 * step
    enemies = any(abs((other & 7) - (stop & 7)) == 1 and (other >> 3) - (stop >> 3) == step for other in pawns(board, not color))
    return bool(beside) and all(((other >> 3) - (square >> 3)) * step > 0 for other in beside) and enemies


PAWNS = {
    "passed": is_passed,
    "isolated": lambda board, square, color: not neighbors(board, square, color),
    "doubled": lambda board, square, color: any(
        other != square and other & 7 == square & 7 for other in pawns(board, color)
    ),
    "connected": lambda board, square, color: any(
        abs((other >> 3) - (square >> 3)) <= 1 for other in neighbors(board, square, color)
    ),
    "backward": is_backward,
}


def pawn_count(kind, men):
    def count(board):
        return sum(
            PAWNS[kind](board, square, color)
            for color in chess.COLORS
            for square in pawns(board, color)
            if men is None or men.on(board, square)
        )

    return count


def open_count(files):
    def count(board):
        return sum(not board.pawns & chess.BB_FILES[file] for file in files)

    return count


def half_open_count(men):
    def is_half_open(board, file, color):
        mask = chess.BB_FILES[file] & board.pawns
        return mask and not mask & board.occupied_co[color]

    def count(board):
        sides = [color for color in chess.COLORS if men is None or men.letters == (LETTERS[:6] if color else LETTERS[6:])]
        files = range(8) if men is None else men.files
        return sum(bool(is_half_open(board, file, color)) for color in sides for file in files)

    return count


def is_hanging(board, square):
    color = board.color_at(square)
    attacked = any(
        mask >> square & 1 and board.color_at(other) != color for other, mask in attacks(board).items()
    )
    protected = any(mask >> square & 1 and board.color_at(other) == color for other, mask in attacks(board).items())
    return attacked and not protected


def hanging_count(men):
    def count(board):
        return sum(
            board.piece_type_at(square) != chess.KING and (men is None or men.on(board, square)) and is_hanging(board, square)
            for square in attacks(board)
        )

    return count


def attack_count(one, two):
    def count(board):
        return sum(
            two.on(board, target)
            for square, mask in attacks(board).items()
            if one.on(board, square)
            for target in chess.scan_forward(mask)
        )

    return count


def fork_count(men, prey):
    def is_prey(board, square, target):
        if prey is not None:
            return prey.on(board, target)
        worth = VALUES[board.piece_type_at(target)]
        return worth == VALUES[chess.KING] or worth > VALUES[board.piece_type_at(square)] or is_hanging(board, target)

    def count(board):
        found = 0
        for square, mask in attacks(board).items():
            if men is not None and not men.on(board, square):
                continue
            enemies = mask & board.occupied_co[not board.color_at(square)]
            if enemies & (enemies - 1):
                found += sum(is_prey(board, square, target) for target in chess.scan_forward(enemies)) >= 2
        return found

    return count


def ray_count(kind, one, two, three):
    """Bishops, rooks and queens, the first man on each of their lines, and the next one behind it."""
    steps = {chess.BISHOP: (7, 9, -7, -9), chess.ROOK: (1, -1, 8, -8)}
    steps[chess.QUEEN] = steps[chess.BISHOP] + steps[chess.ROOK]

    def line(board, square, step):
        while True:
            before = square & 7
            square += step
            if not 0 <= square < 64 or abs((square & 7) - before) > 1:
                return
            if board.occupied >> square & 1:
                yield square

    def fits(board, color, man, behind):
        if two is not None and not two.on(board, man):
            return False
        role = board.piece_type_at(behind)
        if three is not None:
            if not three.on(board, behind):
                return False
        elif kind == "pin" and role != chess.KING or kind == "skewer" and role in (chess.PAWN, chess.KING):
            return False
        if kind == "xray":
            return True
        if board.color_at(man) == color or board.color_at(behind) == color:
            return False
        return kind == "pin" or VALUES[board.piece_type_at(man)] > VALUES[role]

    def count(board):
        found = 0
        for square, piece in board.piece_map().items():
            if piece.piece_type not in SLIDERS or one is not None and not one.on(board, square):
                continue
            for step in steps[piece.piece_type]:
                men = line(board, square, step)
                man, behind = next(men, None), next(men, None)
                found += behind is not None and fits(board, piece.color, man, behind)
        return found

    return count


def battery_count(one, two):
    def count(board):
        table = attacks(board)
        return sum(
            any(
                mask >> other & 1
                and table[other] >> square & 1
                and board.piece_type_at(other) in SLIDERS
                and board.color_at(other) == board.color_at(square)
                and (two is None or two.on(board, other))
                for other in table
            )
            for square, mask in table.items()
            if board.piece_type_at(square) in SLIDERS and (one is None or one.on(board, square))
        )

    return count


def outpost_count(men):
    def is_outpost(board, square):
        piece = board.piece_at(square)
        color, step = piece.color, 1 if piece.color else -1
        file, rank = square & 7, square >> 3
        if men is None and piece.piece_type not in (chess.KNIGHT, chess.BISHOP):
            return False
        if men is not None and not men.on(board, square):
            return False
        if (rank if color else 7 - rank) not in (3, 4, 5):
            return False
        protected = any(rank - (other >> 3) == step for other in neighbors(board, square, color))
        attackable = any(
            abs((other & 7) - file) == 1 and ((other >> 3) - rank) * step > 0 for other in pawns(board, not color)
        )
        return protected and not attackable

    return lambda board: sum(is_outpost(board, square) for square in board.piece_map())


def motif():
    """The text of a motif without its count, and a function that counts it."""
    kind = random.choice(
        (*PAWNS, *PAWNS, "open-file", "half-open", "attacks", "attacks", "xray", "pin", "skewer", "battery", "hanging", "fork", "outpost")
    )
    maybe = lambda letters=None, limited=True: Men(letters, limited) if random.random() < 0.7 else None
    arrows = lambda *men: "->".join(man.text for man in men if man is not None)
    if kind in PAWNS:
        men = maybe(("P", "p", "A", "a", "white", "black"))
        return kind, arrows(men), pawn_count(kind, men)
    if kind == "open-file":
        files = random.choice(("", "d", "a-c", "e-h"))
        return kind, files, open_count(span(files, "abcdefgh"))
    if kind == "half-open":
        men = maybe(("A", "a", "white", "black"))
        return kind, arrows(men), half_open_count(men)
    if kind == "attacks":
        one, two = Men(), Men()
        return kind, arrows(one, two), attack_count(one, two)
    if kind in ("pin", "skewer") and random.random() < 0.4:
        two = maybe()
        return kind, arrows(two), ray_count(kind, None, two, None)
    if kind in ("xray", "pin", "skewer"):
        one, two = Men(("A", "a", "R", "b", "Q", "[BQ]")), Men()
        three = Men() if kind == "xray" else maybe()
        return kind, arrows(one, two, three), ray_count(kind, one, two, three)
    if kind == "battery":
        one = maybe(("A", "a", "R", "q", "[BQ]"))
        two = maybe(("A", "a", "R", "q", "[BQ]")) if one else None
        return kind, arrows(one, two), battery_count(one, two)
    if kind == "hanging":
        men = maybe()
        return kind, arrows(men), hanging_count(men)
    if kind == "fork":
        men = maybe()
        prey = maybe() if men else None
        return kind, arrows(men, prey), fork_count(men, prey)
    men = maybe(("A", "a", "N", "b", "[NB]"))
    return "outpost", arrows(men), outpost_count(men)


def board_test():
    """A motif with its count: a text, and whether it holds on a board."""
    kind, men, count = motif()
    operator = random.choice(("", "", ">=", "=", "<"))
    least = random.choice((1, 2, 2, 3))
    if not operator:
        text = f"{kind}:{men}" if men else kind
        return text, lambda board: count(board) >= 1
    compare = {">=": lambda n: n >= least, "=": lambda n: n == least, "<": lambda n: n < least}[operator]
    text = f'{kind}:"{men}{operator}{least}"' if men else f"{kind}{operator}{least}"
    return text, lambda board: compare(count(board))
