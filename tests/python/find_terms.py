"""More kinds of queries for pgn_find.py: each a function that makes up a query and what it means of a game."""

import random
import re

import chess

import find_motifs
import pgn_find as base

PLAIN = r"[NBRQ]?x?[a-h][1-8]|[a-h]x[a-h][1-8]|O-O(-O)?"


def plain_san(game, ply):
    return game.sans[ply].rstrip("+#")


def motif(games):
    text, test = find_motifs.board_test()
    return text, lambda game: any(test(board) for board in game.boards)


def motif_moment():
    text, test = find_motifs.board_test()
    return text, lambda game, ply: test(game.boards[ply])


def lasting(games):
    """`for` with any test of a position."""
    text, holds = base.moments(games)
    plies = random.choice((1, 2, 5, 12))

    def lasts(game):
        run = 0
        for ply in range(game.plies + 1):
            run = run + 1 if holds(game, ply) else 0
            if run >= plies:
                return True
        return False

    return f"{text} for {plies}", lasts


def until(games):
    (one, first), (two, second), (three, third) = (base.moments(games) for _ in range(3))
    within = random.choice((None, 2, 8))

    def holds(game):
        since = None
        for ply in range(game.plies + 1):
            if since is not None and (within is None or ply - since <= within) and second(game, ply):
                return True
            if first(game, ply):
                since = ply
            elif third(game, ply):
                since = None
        return False

    return f"{one} then {two}" + (f" within {within}" if within else "") + f" until {three}", holds


def steps(games, depth=0):
    """A part of a path: its text, and a regular expression of letters, with what each letter means."""
    kind = random.choice(("one", "one", "one", "all", "any", "repeat")) if depth < 3 else "one"
    if kind == "one":
        text, holds = base.moments(games) if random.random() < 0.8 else ("any", lambda game, ply: True)
        return text, [holds], lambda names: names[0]
    parts = [steps(games, depth + 1) for _ in range(random.choice((2, 2, 3)) if kind != "repeat" else 1)]
    things = [thing for part in parts for thing in part[1]]

    def expressions(names):
        at = 0
        for _, own, expression in parts:
            yield expression(names[at : at + len(own)])
            at += len(own)

    if kind == "all":
        return "(" + " ".join(part[0] for part in parts) + ")", things, lambda names: ("all", list(expressions(names)))
    if kind == "any":
        return "(" + " or ".join(part[0] for part in parts) + ")", things, lambda names: ("any", list(expressions(names)))
    sign, least, most = random.choice(
        (("+", 1, None), ("*", 0, None), ("?", 0, 1), ("{2}", 2, 2), ("{1,3}", 1, 3), ("{2,}", 2, None))
    )
    return f"({parts[0][0]}){sign}", things, lambda names: ("repeat", next(expressions(names)), least, most)


def ends(expression, at, holds):
    """The places behind all matches of a path from here: `holds` tells whether a thing does at a place."""
    if isinstance(expression, int):
        return {at + 1} if holds(expression, at) else set()
    if expression[0] == "any":
        return set().union(*(ends(part, at, holds) for part in expression[1]))
    if expression[0] == "all":
        places = {at}
        for part in expression[1]:
            places = set().union(*(ends(part, place, holds) for place in places))
        return places
    _, part, least, most = expression
    places, found, count, seen = {at}, set(), 0, set()
    if least == 0:
        found |= places
    while places and (most is None or count < most):
        places = set().union(*(ends(part, place, holds) for place in places))
        count += 1
        if count >= least:
            found |= places
            if most is None:
                places -= seen
                seen |= places
    return found


def path(games):
    text, things, expression = steps(games)
    first, first_thing = base.moments(games)
    text, things = f"path({first} {text})", [first_thing, *things]
    whole = ("all", [0, expression(list(range(1, len(things))))])

    def holds(game):
        known = {}

        def at(thing, ply):
            if ply > game.plies:
                return False
            if (thing, ply) not in known:
                known[thing, ply] = bool(things[thing](game, ply))
            return known[thing, ply]

        return any(ends(whole, ply, at) for ply in range(game.plies + 1))

    return text, holds


def moves_in_a_row(games):
    game, ply = base.random_place(games)
    count = random.randint(2, 4)
    sans = [game.sans[at] for at in range(ply, min(ply + count, game.plies + 1))]
    if len(sans) > 2 and random.random() < 0.4:
        sans[1] = "*"
    text = " ".join(sans)

    def fits(game, start):
        return start + len(sans) <= game.plies + 1 and all(
            san == "*" or base.matches(san, game.boards[start + index - 1], game.moves[start + index])
            for index, san in enumerate(sans)
        )

    return f"move:{base.quoted(text)}", lambda game: any(fits(game, start) for start in range(1, game.plies + 1))


def route(games):
    """The route of a man of some game, with squares left out."""
    game, ply = base.random_place(games)
    squares = journeys(game)
    journey = random.choice(squares)
    if len(journey[1]) < 2:
        journey = max(squares, key=lambda journey: len(journey[1]))
    symbol, stops = journey
    if len(stops) < 2:
        return "route:Nb1-a8", lambda game: any(has_route(j, "N", [("b1", False, False), ("a8", False, False)]) for j in journeys(game))
    start = random.randint(0, len(stops) - 2)
    part = stops[start : start + random.randint(2, 4)]
    legs = []
    for index, (square, captures) in enumerate(part):
        name = random.choice((chess.square_name(square),) * 3 + ("*", chess.square_name(square)[0], chess.square_name(square)[1]))
        legs.append((name, index > 0 and captures and random.random() < 0.5, index > 0 and random.random() < 0.2))
    text = symbol + legs[0][0]
    for name, captures, is_far in legs[1:]:
        text += ("..." if is_far else "" if captures else "-") + ("x" if captures else "") + name
    return f"route:{base.quoted(text)}", lambda game: any(has_route(journey, symbol, legs) for journey in journeys(game))


def journeys(game):
    """For each man its letter at first, and the squares on which it has been, with captures."""
    if not hasattr(game, "journeys"):
        men = {square: (piece.symbol(), [(square, False)]) for square, piece in game.boards[0].piece_map().items()}
        done = []
        for board, move in zip(game.boards, game.moves[1:]):
            if board.is_castling(move):
                rank = move.from_square & 56
                is_short = board.is_kingside_castling(move)
                rooks = [square for square in chess.SquareSet(board.castling_rights) if square & 56 == rank]
                rook = max(rooks) if is_short else min(rooks)
                king = men.pop(move.from_square)
                tower = men.pop(rook)
                for man, to in ((king, rank + (6 if is_short else 2)), (tower, rank + (5 if is_short else 3))):
                    man[1].append((to, False))
                    men[to] = man
                continue
            man = men.pop(move.from_square)
            captured = move.to_square
            if board.is_en_passant(move):
                captured += -8 if board.turn else 8
            is_capture = board.is_capture(move)
            if captured in men:
                done.append(men.pop(captured))
            man[1].append((move.to_square, is_capture))
            men[move.to_square] = man
        game.journeys = [*done, *men.values()]
    return game.journeys


def has_route(journey, symbol, legs):
    if journey[0] != symbol:
        return False
    is_on = lambda name, square: name == "*" or name in (chess.square_name(square), *chess.square_name(square))
    places = [at for at, (square, _) in enumerate(journey[1]) if is_on(legs[0][0], square)]
    for name, captures, is_far in legs[1:]:
        places = [
            to
            for to, (square, is_capture) in enumerate(journey[1])
            if is_on(name, square)
            and (is_capture or not captures)
            and any(to == at + 1 or is_far and to > at for at in places)
        ]
    return bool(places)


def either_color(games):
    """A group with `any-color` or `mirror`: the same on the changed board."""
    (one, first), (two, second) = find_motifs.board_test(), find_motifs.board_test()
    change, word = random.choice(
        ((lambda board: board.mirror(), "any-color"), (lambda board: board.transform(chess.flip_horizontal), "mirror"))
    )
    turn = random.choice((None, True, False))
    both = lambda board: (turn is None or board.turn == turn) and first(board) and second(board)
    side = "" if turn is None else f" turn:{'white' if turn else 'black'}"
    return f"at({one} {two}{side}) {word}", lambda game: any(both(board) or both(change(board)) for board in game.boards)


def tags_of_either_color(games):
    name = (base.words(random.choice(games).headers["White"]) or ["x"])[0]
    white = lambda game: base.has_words(name, game.headers["White"]) and game.result == "1-0"
    black = lambda game: base.has_words(name, game.headers["Black"]) and game.result == "0-1"
    return f"(white:{name} result:1-0) any-color", lambda game: white(game) or black(game)


def shifted(games):
    """Two patterns that are moved together."""
    game, ply = base.random_place(games)
    men = list(game.boards[ply].piece_map().items())
    chosen = random.sample(men, min(len(men), random.randint(2, 3)))
    split = random.randint(1, len(chosen) - 1)

    def text(part):
        board = chess.Board.empty()
        for square, piece in part:
            board.set_piece_at(square, piece)
        return "pattern:" + base.quoted(board.board_fen())

    def fits(board, files, ranks):
        for square, piece in chosen:
            file, rank = (square & 7) + files, (square >> 3) + ranks
            if not (0 <= file < 8 and 0 <= rank < 8) or board.piece_at(8 * rank + file) != piece:
                return False
        return True

    def holds(game):
        return any(fits(board, files, ranks) for board in game.boards for files in range(-7, 8) for ranks in range(-7, 8))

    return f"at({text(chosen[:split])} {text(chosen[split:])}) shift", holds


def checks(games):
    def double(game, ply):
        return len(game.boards[ply].checkers()) >= 2

    def discovered(game, ply):
        if ply == 0 or game.boards[ply - 1].is_castling(game.moves[ply]):
            return False
        return any(square != game.moves[ply].to_square for square in game.boards[ply].checkers())

    name, holds = random.choice((("double-check", double), ("discovered-check", discovered)))
    operator, limit = random.choice(base.OPERATORS), random.randint(0, 3)
    number = lambda game: sum(holds(game, ply) for ply in range(game.plies + 1))
    return f"count({name}){operator}{limit}", lambda game: base.compare(operator, number(game), limit)


def stated(games):
    """What comments state: evaluations, clocks and times."""

    def values(game, name):
        if not hasattr(game, "stated"):
            game.stated = {"eval": [], "clk": [], "emt": []}
            for node in [game.game, *game.game.mainline()]:
                found = re.search(r"\[%eval\s+([-+]?\d+(?:\.\d+)?)(?:,\d+)?\]|\[%eval\s+#([-+]?\d+)(?:,\d+)?\]", node.comment)
                if found:
                    game.stated["eval"].append(float(found[1]) if found[1] else (-1e6 if found[2][0] == "-" else 1e6))
                for kind in ("clk", "emt"):
                    time = re.search(r"\[%" + kind + r"\s+(\d+):(\d\d):(\d\d(?:\.\d+)?)\]", node.comment)
                    if time:
                        game.stated[kind].append(int(time[1]) * 3600 + int(time[2]) * 60 + float(time[3]))
        return game.stated[name]

    name = random.choice(("eval", "eval", "clk", "emt"))
    known = [value for game in games for value in values(game, name) if abs(value) < 1e5]
    if not known or random.random() < 0.1:
        return f"has:{name}", lambda game: bool(values(game, name))
    if name == "eval" and random.random() < 0.2:
        return "eval:mate", lambda game: any(abs(value) > 1e5 for value in values(game, name))
    operator, limit = random.choice(("<", ">", "<=", ">=")), random.choice(known)
    return f"{name}{operator}{limit:g}", lambda game: any(base.compare(operator, value, limit) for value in values(game, name))


def reaches(games):
    usual = [game for game in games if game.boards[0].fen() == chess.STARTING_FEN and game.plies]
    if not usual:
        return "reaches:e4", lambda game: base.key(after_e4()) in game.keys
    game = random.choice(usual)
    plies = random.randint(1, min(game.plies, 14))
    text = chess.Board().variation_san(game.moves[1 : plies + 1])
    wanted = base.key(game.boards[plies])
    return f"reaches:{base.quoted(text)}", lambda game: wanted in game.keys


def after_e4():
    board = chess.Board()
    board.push_san("e4")
    return board


def all_moves(game):
    """All moves of a game with the boards before and after them, those of variations, too."""
    if not hasattr(game, "all_moves"):
        game.all_moves = []
        waiting = [(game.game, game.game.board())]
        while waiting:
            node, board = waiting.pop()
            for child in node.variations:
                after = board.copy(stack=False)
                after.push(child.move)
                game.all_moves.append((board, child.move, after))
                waiting.append((child, after))
    return game.all_moves


def in_variations(games):
    game = random.choice([game for game in games if game.plies])
    board, move, after = random.choice(all_moves(game))
    if random.random() < 0.5:
        wanted = base.key(after)
        return f"fen:{base.quoted(after.fen(en_passant='legal'))} in:variations", lambda game: (
            wanted in game.keys or any(base.key(after) == wanted for _, _, after in all_moves(game))
        )
    san = board.san(move)
    return f"move:{san} in:variations", lambda game: any(
        base.matches(san, board, move) for board, move, _ in all_moves(game)
    )


def openings(games):
    """Codes and names that the tags state; what only the moves tell is beyond this script."""
    if random.random() < 0.6:
        codes = [game.headers["ECO"] for game in games if re.fullmatch(r"[A-E]\d\d", game.headers.get("ECO", ""))]
        code = random.choice(codes or ["B20"])[: random.randint(1, 3)]
        stated = lambda game: re.match(r"[A-E]\d\d", game.headers.get("ECO", ""))
        return f"eco:{code} tag.ECO:/^[A-E][0-9][0-9]/", lambda game: bool(stated(game)) and game.headers["ECO"].startswith(code)
    names = [game.headers["Opening"] for game in games if base.words(game.headers.get("Opening", ""))]
    found = random.choice(base.words(random.choice(names or ["Sicilian"])))
    return f"tag.Opening:{found}", lambda game: base.has_words(found, game.headers.get("Opening", ""))


def similar(games):
    """Positions that differ by their pawns, their material and the wings of their kings by no more than a number."""
    game, ply = base.random_place(games)
    wanted = side_counts(game.boards[ply])
    limit = random.choice((None, 0, 1, 2, 3, 4, 6, 10))
    change, word = random.choice(
        (
            (None, ""),
            (None, ""),
            (lambda board: board.mirror(), " any-color"),
            (lambda board: board.transform(chess.flip_horizontal), " mirror"),
        )
    )

    def fits(board):
        return difference(side_counts(board), wanted) <= (4 if limit is None else limit)

    def holds(game):
        return any(fits(board) or change is not None and fits(change(board)) for board in game.boards)

    fen = game.boards[ply].fen(en_passant="legal")
    return f"similar:{base.quoted(fen if limit is None else f'{fen} <={limit}')}{word}", holds


def side_counts(board):
    """For each side the squares of its pawns, the numbers of its pieces, and the wing of its king."""
    sides = []
    for color in chess.COLORS:
        pieces = [len(board.pieces(role, color)) for role in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)]
        sides.append((set(board.pieces(chess.PAWN, color)), pieces, "qqqcckkk"[board.king(color) & 7]))
    return sides


def difference(one, other):
    total = 0
    for (pawns, pieces, wing), (other_pawns, other_pieces, other_wing) in zip(one, other):
        total += max(len(pawns - other_pawns), len(other_pawns - pawns))
        changes = [a - b for a, b in zip(pieces, other_pieces)]
        total += max(sum(n for n in changes if n > 0), -sum(n for n in changes if n < 0))
        total += 2 * (wing != other_wing)
    return total


def expressions(games):
    name = random.choice(base.ROSTER)
    found = re.findall("[A-Za-z]+", random.choice(games).headers.get(name, "?")) or ["x"]
    word = random.choice(found)
    pattern = random.choice((f"^{word[:3]}", f"{word[-3:]}$", f"{word[:2]}.*{word[-1]}"))
    return f"{name.lower()}:/{pattern}/", lambda game: re.search(pattern, game.headers.get(name, ""), re.IGNORECASE) is not None


def any_tag(games):
    pairs = [(name, value) for game in games for name, value in game.headers.items() if value and name.isalnum()]
    name, value = random.choice(pairs)
    return f"tag.{name}={base.quoted(value)}", lambda game: game.headers.get(name) == value


def rounds(games):
    read = lambda text: [int(part) for part in text.split(".")] if re.fullmatch(r"\d+(\.\d+)*", text) else None
    known = [game.headers.get("Round", "?") for game in games if read(game.headers.get("Round", "?"))]
    limit = random.choice(known or ["2", "1.1"])
    wanted = read(limit)
    operator = random.choice(("<", "<=", ">", ">="))

    def holds(game):
        round = read(game.headers.get("Round", "?"))
        if not round:
            return False
        same = round[: len(wanted)] == wanted[: len(round)]
        if same and len(round) < len(wanted):
            return False
        return base.compare(operator, round[: len(wanted)], wanted)

    return f"round{operator}{limit}", holds


def event_date(games):
    values = [game.headers.get("EventDate", "") for game in games if base.days(game.headers.get("EventDate", ""))]
    value = random.choice(values or ["2000"])[:4]
    low, high = base.days(value)
    days = lambda game: base.days(game.headers.get("EventDate", ""))
    return f"eventdate>={value}", lambda game: bool(days(game)) and days(game)[0] >= low


def castled(games):
    name = random.choice(("white", "black", "same", "opposite", "K", "Q", "k", "q"))
    tests = {
        "white": lambda done: bool(done & set("KQ")),
        "black": lambda done: bool(done & set("kq")),
        "same": lambda done: {"K", "k"} <= done or {"Q", "q"} <= done,
        "opposite": lambda done: {"K", "q"} <= done or {"Q", "k"} <= done,
    }
    test = tests.get(name, lambda done: name in done)
    return f"castled:{name}", lambda game: test(set(game.castled[-1]))


def differences(games):
    game, ply = base.random_place(games)
    one, other = random.choice("QRBNP"), random.choice("qrbnp")
    count = lambda board, letter: len(board.pieces(chess.PIECE_SYMBOLS.index(letter.lower()), letter.isupper()))
    difference = lambda board: count(board, one) - count(board, other)
    operator, limit = random.choice(base.OPERATORS[2:]), difference(game.boards[ply])
    plies = random.choice((1, 1, 5))

    def holds(game):
        run = 0
        for board in game.boards:
            run = run + 1 if base.compare(operator, difference(board), limit) else 0
            if run >= plies:
                return True
        return False

    return f'material:"{one}-{other}{operator}{limit}" for {plies}', holds


def sets(games):
    game, ply = base.random_place(games)
    board = game.boards[ply]
    chosen = {}
    for square in random.sample(range(64), 3):
        piece = board.piece_at(square)
        if piece is None:
            chosen[square] = random.choice((".", "[^QRNBPK]", "[^a]"))
        else:
            side = "A" if piece.color else "a"
            chosen[square] = random.choice((piece.symbol(), f"[{piece.symbol()}{random.choice('NBqr')}]", side, f"[^{side.swapcase()}]"))

    def fits(text, piece):
        letters = text.strip("[]^")
        hit = any(
            piece is None and letter == "." or piece is not None and (letter == piece.symbol() or letter == ("A" if piece.color else "a"))
            for letter in letters
        )
        return hit != text.startswith("[^")

    ranks = ("".join(chosen.get(8 * rank + file, "?") for file in range(8)) for rank in range(7, -1, -1))
    return f'pattern:"{"/".join(ranks)}"', lambda game: any(
        all(fits(text, board.piece_at(square)) for square, text in chosen.items()) for board in game.boards
    )


def any_end(games):
    kinds = {
        "mate": lambda board: board.is_checkmate(),
        "stalemate": lambda board: board.is_stalemate(),
        "material": lambda board: board.is_insufficient_material() and not board.is_stalemate(),
        "repetition": lambda board: not board.is_checkmate()
        and not board.is_stalemate()
        and not board.is_insufficient_material()
        and board.is_repetition(3),
        "fifty-moves": lambda board: not board.is_checkmate()
        and not board.is_stalemate()
        and not board.is_insufficient_material()
        and not board.is_repetition(3)
        and board.halfmove_clock >= 100,
    }
    name = random.choice(sorted(kinds))
    return f"end:{name}", lambda game: kinds[name](game.boards[-1])


KINDS = (
    motif, lasting, until, path, moves_in_a_row, route, either_color, tags_of_either_color, shifted, checks, stated,
    reaches, in_variations, openings, expressions, any_tag, rounds, event_date, castled, differences, sets, any_end, similar,
)
