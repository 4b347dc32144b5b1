//! The sources of positions with mates: random, but biased toward attack.

use hematite::chess::{
    CastlingRight, CastlingSide, Color, File, Move, Piece, Position, Rank, Role, Setup, Square,
};
use hematite::rng::Rng;

/// A kind of position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Three to five pieces on random squares.
    Endgame,
    /// Six to twenty pieces on random squares, with castling, en passant and promotions more often than by chance.
    Composition,
    /// Games of random moves in which one side plays greedily.
    Game,
}

/// The material of endgames with mates, the stronger side first.
const MATERIAL: [&str; 32] = [
    "KQvK", "KRvK", "KPvK", "KBBvK", "KBNvK", "KQPvK", "KRPvK", "KBPvK", "KNPvK", "KPPvK", "KRBvK", "KRNvK",
    "KQvKR", "KQvKB", "KQvKN", "KQvKP", "KQvKQ", "KRvKB", "KRvKN", "KRvKP", "KQNvKR", "KRRvKR", "KRBvKR",
    "KRNvKB", "KBNvKP", "KNNvKP", "KRPvKR", "KQPvKQ", "KQRvKQ", "KPPvKP", "KRPvKP", "KBPvKN",
];

/// The roles of random pieces; roles that an army has more of are more frequent.
const ROLES: [Role; 12] = [
    Role::Pawn,
    Role::Pawn,
    Role::Pawn,
    Role::Pawn,
    Role::Knight,
    Role::Knight,
    Role::Bishop,
    Role::Bishop,
    Role::Rook,
    Role::Rook,
    Role::Queen,
    Role::Queen,
];

/// In one endgame out of this many, the weaker side is the one to mate.
const UPSETS: u64 = 16;
/// In one endgame out of this many, the weaker king may be on any square: most mates occur on the edge.
const ANYWHERE: u64 = 4;
/// The maximum number of pieces of a side besides the king in a composition.
const MOST_MEN: u64 = 9;
/// The minimum number of pieces of a composition, kings included: fewer are an endgame.
const FEWEST_MEN: usize = 6;
/// The number of kinds of compositions, which are equally frequent: with castling, en passant or promotions, and any
/// others.
const COMPOSITIONS: u64 = 4;
/// The maximum length of a game, in plies.
const LONGEST_GAME: usize = 120;
/// The ply before which mates are rare.
const FIRST_PLY: usize = 8;
/// One greedy move out of this many is random, so that games differ.
const WHIM: u64 = 4;
/// The value of a check for the greedy side, in pawns.
const CHECK: u32 = 2;

impl Source {
    /// Draws some positions of this kind.
    pub(crate) fn draw(self, rng: &mut Rng) -> Vec<Position> {
        match self {
            Self::Endgame => endgame(rng).into_iter().collect(),
            Self::Composition => composition(rng).into_iter().collect(),
            Self::Game => game(rng),
        }
    }
}

fn color(rng: &mut Rng) -> Color {
    if rng.below(2) == 0 { Color::White } else { Color::Black }
}

/// Puts a piece on a square, or on a random one. An occupied square is left unchanged.
fn put(setup: &mut Setup, rng: &mut Rng, piece: Piece, square: Option<Square>) {
    let square = square.or_else(|| rng.choose(&Square::ALL).copied());
    if let Some(place) = square.map(|square| &mut setup.pieces[square.index()]) {
        place.get_or_insert(piece);
    }
}

fn endgame(rng: &mut Rng) -> Option<Position> {
    let (strong, weak) = rng.choose(&MATERIAL)?.split_once('v')?;
    let expected = strong.len() + weak.len();
    let mut setup = Setup { turn: color(rng), ..Setup::EMPTY };
    let winner = if rng.below(UPSETS) == 0 { !setup.turn } else { setup.turn };
    if rng.below(ANYWHERE) > 0 {
        let edge = Square::ALL.into_iter().filter(|square| {
            [File::A, File::H].contains(&square.file())
                || [Rank::First, Rank::Eighth].contains(&square.rank())
        });
        let square = rng.choose(&edge.collect::<Vec<_>>()).copied();
        put(&mut setup, rng, Piece::new(!winner, Role::King), square);
    }
    let has_king = setup.pieces.iter().any(Option::is_some);
    let weak = if has_king { &weak[1..] } else { weak };
    for (color, letters) in [(winner, strong), (!winner, weak)] {
        for role in letters.chars().filter_map(Role::from_letter) {
            put(&mut setup, rng, Piece::new(color, role), None);
        }
    }
    let men = setup.pieces.iter().flatten().count();
    (men == expected).then(|| Position::try_from(setup).ok()).flatten()
}

fn composition(rng: &mut Rng) -> Option<Position> {
    let turn = color(rng);
    let mut setup = Setup { turn, ..Setup::EMPTY };
    let ours = |role| Piece::new(turn, role);
    let theirs = |role| Piece::new(!turn, role);
    let on = |file, rank| Some(Square::new(file, turn.relative(rank)));
    match rng.below(COMPOSITIONS) {
        0 => {
            let wing = *rng.choose(&CastlingSide::ALL)?;
            let rook = if wing == CastlingSide::King { File::H } else { File::A };
            put(&mut setup, rng, ours(Role::King), on(File::E, Rank::First));
            put(&mut setup, rng, ours(Role::Rook), on(rook, Rank::First));
            setup.castling.push(CastlingRight::Outermost(turn, wing));
        }
        1 => {
            let file = *rng.choose(&File::ALL)?;
            put(&mut setup, rng, theirs(Role::Pawn), on(file, Rank::Fifth));
            setup.en_passant = on(file, Rank::Sixth);
            let beside = setup.en_passant?.offset(if rng.below(2) == 0 { -1 } else { 1 }, 0)?;
            put(&mut setup, rng, ours(Role::Pawn), on(beside.file(), Rank::Fifth));
            put(&mut setup, rng, ours(Role::King), None);
        }
        2 => {
            let file = *rng.choose(&File::ALL)?;
            put(&mut setup, rng, ours(Role::Pawn), on(file, Rank::Seventh));
            put(&mut setup, rng, ours(Role::King), None);
        }
        _ => put(&mut setup, rng, ours(Role::King), None),
    }
    put(&mut setup, rng, theirs(Role::King), None);
    for color in [turn, !turn] {
        for _ in 0..=rng.below(MOST_MEN) {
            let piece = Piece::new(color, *rng.choose(&ROLES)?);
            put(&mut setup, rng, piece, None);
        }
    }
    let men = setup.pieces.iter().flatten().count();
    (men >= FEWEST_MEN).then(|| Position::try_from(setup).ok()).flatten()
}

/// The positions of one game in which the favored side is to move.
fn game(rng: &mut Rng) -> Vec<Position> {
    let lucky = color(rng);
    let mut position = Position::start();
    let mut positions = Vec::new();
    for ply in 0..LONGEST_GAME {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let is_lucky = position.turn() == lucky;
        if is_lucky && ply >= FIRST_PLY {
            positions.extend(without_clocks(&position));
        }
        let best = moves.iter().map(|&mv| gain(&position, mv)).max();
        let is_wanted = |mv: &Move| !is_lucky || Some(gain(&position, *mv)) == best;
        let wanted: Vec<Move> = moves.iter().copied().filter(is_wanted).collect();
        let chosen = if rng.below(WHIM) == 0 { rng.choose(&moves) } else { rng.choose(&wanted) };
        let Some(&mv) = chosen else { break };
        position = position.after(mv).0;
    }
    positions
}

/// The immediate gain of a move, in pawns.
fn gain(position: &Position, mv: Move) -> u32 {
    let value = |role: Option<Role>| match role {
        Some(Role::Queen) => 9,
        Some(Role::Rook) => 5,
        Some(Role::Bishop | Role::Knight) => 3,
        Some(Role::Pawn) => 1,
        Some(Role::King) | None => 0,
    };
    let check = if position.after(mv).0.is_check() { CHECK } else { 0 };
    value(position.captured_role(mv)) + value(mv.promotion()) + check
}

/// The position with the counters of an initial position.
fn without_clocks(position: &Position) -> Option<Position> {
    let setup = Setup { halfmove_clock: 0, fullmove_number: 1, ..Setup::from(position) };
    Position::try_from(setup).ok()
}
