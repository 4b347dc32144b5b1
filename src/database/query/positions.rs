//! Tests of positions: placements with wildcards, pawn structure, material.

use super::change::Change;
use super::content::{CONTENT, Content, SET, read_set};
use super::headers::{BadValue, Operator, Range};
use crate::chess::{
    Bitboard, CastlingRight, Color, File, Move, MoveKind, Piece, Position, Rank, Role, Setup, Square,
};
use crate::database::men::Arrangement;
use crate::database::store::Seen;
use crate::notation::{parse_san, position_from_fen, without_number};
use std::ops::RangeInclusive;

/// The variants in which a pattern may also occur.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Variants {
    /// With the colors exchanged, from the other side of the board.
    pub any_color: bool,
    /// With the wings exchanged.
    pub mirror: bool,
    /// Anywhere on the board.
    pub shift: bool,
}

/// A placement of men on some squares.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Placement {
    /// The squares that must contain each piece.
    pieces: Vec<(Piece, Bitboard)>,
    /// The squares with other requirements, unless anything is allowed.
    others: Vec<(Content, Bitboard)>,
}

impl Placement {
    fn new(board: &[Content; Square::COUNT]) -> Self {
        let mut squares: Vec<(Content, Bitboard)> = Vec::new();
        for square in Square::ALL {
            let content = board[square];
            if content == Content::ANYTHING {
                continue;
            }
            match squares.iter_mut().find(|entry| entry.0 == content) {
                Some(entry) => entry.1 = entry.1.with(square),
                None => squares.push((content, square.bitboard())),
            }
        }
        let single =
            |content: Content| Piece::ALL.into_iter().find(|&piece| Content::piece(piece) == content);
        let pieces = squares.iter().filter_map(|&(content, squares)| Some((single(content)?, squares)));
        let others = squares.iter().copied().filter(|&(content, _)| single(content).is_none());
        Self { pieces: pieces.collect(), others: others.collect() }
    }

    #[inline]
    fn holds(&self, position: &impl Arrangement) -> bool {
        self.pieces
            .iter()
            .all(|&(piece, squares)| squares.is_subset(position.pieces(piece.color(), piece.role())))
            && self.others.iter().all(|(content, squares)| squares.is_subset(content.squares(position)))
    }
}

/// A board with wildcards, in all variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    placements: Vec<Placement>,
    /// The squares with requirements.
    squares: Bitboard,
    /// The boards from which the placements were made.
    boards: Vec<Squares>,
    /// The content required on unspecified squares.
    rest: Content,
}

type Squares = [Content; Square::COUNT];

impl Pattern {
    /// Reads ranks as in FEN. A number is that many squares with any content.
    pub(super) fn read(text: &str, variants: Variants) -> Result<Self, BadValue> {
        Ok(Self::with_variants(read_board(text)?, Content::ANYTHING, variants))
    }

    /// Reads the pawns of a structure; other pawns are not allowed.
    pub(super) fn read_structure(text: &str, variants: Variants) -> Result<Self, BadValue> {
        let board = read_board(text)?;
        let pawns = Color::ALL.map(|color| Content::piece(Piece::new(color, Role::Pawn)));
        if board.iter().any(|content| *content != Content::ANYTHING && !pawns.contains(content)) {
            return Err(BadValue::new(0, "pawns `P` and `p`, and numbers of squares without pawns"));
        }
        let rest = pawns.iter().fold(Content::ANYTHING, |rest, &pawn| rest.but(pawn));
        Ok(Self::with_variants(board, rest, variants))
    }

    fn with_variants(board: Squares, rest: Content, variants: Variants) -> Self {
        let mut boards = vec![board];
        let chosen = [(variants.any_color, Change::Exchange), (variants.mirror, Change::Mirror)];
        for (_, change) in chosen.iter().filter(|(is_chosen, _)| *is_chosen) {
            boards.extend(boards.clone().iter().filter_map(|board| changed(board, *change)));
        }
        if variants.shift {
            let shifts = |board| Change::shifts().filter_map(move |change| changed(&board, change));
            boards = boards.into_iter().flat_map(shifts).collect();
        }
        Self::of_boards(boards, rest)
    }

    fn of_boards(boards: Vec<Squares>, rest: Content) -> Self {
        let mut placements: Vec<Placement> = Vec::new();
        for board in &boards {
            let filled = board.map(|content| if content == Content::ANYTHING { rest } else { content });
            let placement = Placement::new(&filled);
            if !placements.contains(&placement) {
                placements.push(placement);
            }
        }
        let pieces = placements.iter().flat_map(|placement| &placement.pieces).map(|&(_, squares)| squares);
        let others = placements.iter().flat_map(|placement| &placement.others).map(|&(_, squares)| squares);
        let squares = pieces.chain(others).fold(Bitboard::EMPTY, |all, squares| all | squares);
        Self { placements, squares, boards, rest }
    }

    /// The pattern on a changed board; `None` if no variant stays on the board.
    pub(super) fn changed(&self, change: Change) -> Option<Self> {
        let boards: Vec<Squares> = self.boards.iter().filter_map(|board| changed(board, change)).collect();
        (!boards.is_empty()).then(|| Self::of_boards(boards, self.rest))
    }

    /// Whether the pattern may hold in a game with this summary.
    pub(super) fn may_hold_in(&self, seen: &Seen) -> bool {
        let has_been = |&(piece, squares): &(Piece, Bitboard)| {
            piece.role() != Role::Pawn || squares.is_subset(seen.pawns[piece.color()])
        };
        self.placements.iter().any(|placement| placement.pieces.iter().all(has_been))
    }

    /// The squares with requirements.
    pub(super) const fn squares(&self) -> Bitboard {
        self.squares
    }

    /// Whether a move may change whether the pattern holds.
    #[inline]
    pub(super) fn may_change(&self, mv: Move) -> bool {
        let is_simple = mv.kind() == MoveKind::Normal;
        !is_simple || self.squares.contains(mv.from()) || self.squares.contains(mv.to())
    }

    #[inline]
    pub(super) fn holds(&self, position: &impl Arrangement) -> bool {
        self.placements.iter().any(|placement| placement.holds(position))
    }
}

/// The changed board; `None` if something would leave it.
fn changed(board: &Squares, change: Change) -> Option<Squares> {
    let mut other = [Content::ANYTHING; Square::COUNT];
    for square in Square::ALL {
        let content = board[square];
        if content != Content::ANYTHING {
            other[change.square(square)?] = match change {
                Change::Exchange => content.exchanged(),
                Change::Mirror | Change::Shift { .. } => content,
            };
        }
    }
    Some(other)
}

fn read_board(text: &str) -> Result<Squares, BadValue> {
    let mut board = [Content::ANYTHING; Square::COUNT];
    let mut at = 0;
    let mut ranks = Rank::ALL.into_iter().rev();
    for row in text.split('/') {
        let Some(rank) = ranks.next() else { return Err(BadValue::new(at, "8 ranks")) };
        let mut files = File::ALL.into_iter();
        let mut letters = row.char_indices();
        while let Some((offset, letter)) = letters.next() {
            let place = at + offset;
            let (content, count) = match letter {
                '1'..='8' => (Content::ANYTHING, letter as usize - '0' as usize),
                '[' => (read_set(&mut letters).ok_or_else(|| BadValue::new(place, SET))?, 1),
                _ => (Content::from_letter(letter).ok_or_else(|| BadValue::new(place, CONTENT))?, 1),
            };
            for _ in 0..count {
                let file = files.next().ok_or_else(|| BadValue::new(place, "8 squares in each rank"))?;
                board[Square::new(file, rank)] = content;
            }
        }
        at += row.len();
        if files.next().is_some() {
            return Err(BadValue::new(at, "8 squares in each rank"));
        }
        at += 1;
    }
    if ranks.next().is_some() {
        return Err(BadValue::new(text.len(), "8 ranks"));
    }
    Ok(board)
}

/// The men that are counted: of a role, or all of a color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Men(Color, Option<Role>);

impl Men {
    fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'A' => Some(Self(Color::White, None)),
            'a' => Some(Self(Color::Black, None)),
            _ => Piece::from_letter(letter).map(|piece| Self(piece.color(), Some(piece.role()))),
        }
    }

    fn count(self, position: &impl Arrangement) -> i64 {
        let squares = match self.1 {
            Some(role) => position.pieces(self.0, role),
            None => position.color(self.0),
        };
        squares.count().into()
    }

    /// Whether their number can never increase in a game.
    const fn only_decreases(self) -> bool {
        matches!(self.1, None | Some(Role::Pawn | Role::King))
    }
}

/// A test of a number of men, or of the difference between two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CountTest {
    men: Men,
    less: Option<Men>,
    range: Range,
}

impl CountTest {
    fn exchanged(self) -> Self {
        let exchanged = |men: Men| Men(!men.0, men.1);
        Self { men: exchanged(self.men), less: self.less.map(exchanged), range: self.range }
    }

    fn holds(&self, position: &impl Arrangement) -> bool {
        let less = self.less.map_or(0, |men| men.count(position));
        self.range.contains(self.men.count(position) - less)
    }

    /// Whether the test may hold somewhere between two positions of a game.
    fn may_hold(&self, first: &Position, last: &Position) -> bool {
        self.less.is_some()
            || !self.men.only_decreases()
            || self.range.meets(self.men.count(last.board()), self.men.count(first.board()))
    }
}

/// The men of both sides: a signature, or counts that must all match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Material {
    /// The alternative sets of counts.
    alternatives: Vec<Vec<CountTest>>,
}

impl Material {
    /// Reads `KRPkr`, `KRPKR` or `KRPvKR`, or counts such as `Q=0 P>=5 R-r=1`.
    pub(super) fn read(text: &str, any_color: bool) -> Result<Self, BadValue> {
        let is_signature = text.trim().chars().all(char::is_alphabetic);
        let tests = if is_signature { read_signature(text)? } else { read_counts(text)? };
        let exchanged: Vec<CountTest> = tests.iter().map(|test| test.exchanged()).collect();
        Ok(Self { alternatives: if any_color { vec![tests, exchanged] } else { vec![tests] } })
    }

    /// The test with the colors exchanged.
    pub(super) fn exchanged(&self) -> Self {
        let exchanged = |tests: &Vec<CountTest>| tests.iter().map(|test| test.exchanged()).collect();
        Self { alternatives: self.alternatives.iter().map(exchanged).collect() }
    }

    /// Whether the test may hold in a game with this summary.
    pub(super) fn may_hold_in(&self, seen: &Seen) -> bool {
        let may_hold = |test: &CountTest| match test {
            CountTest { men: Men(color, None), less: None, range } => {
                range.meets(seen.men[*color].into(), i64::MAX)
            }
            _ => true,
        };
        self.alternatives.iter().any(|tests| tests.iter().all(may_hold))
    }

    pub(super) fn holds(&self, position: &impl Arrangement) -> bool {
        self.alternatives.iter().any(|tests| tests.iter().all(|test| test.holds(position)))
    }

    /// Whether the test may hold somewhere between two positions of a game.
    pub(super) fn may_hold(&self, first: &Position, last: &Position) -> bool {
        self.alternatives.iter().any(|tests| tests.iter().all(|test| test.may_hold(first, last)))
    }
}

fn read_signature(text: &str) -> Result<Vec<CountTest>, BadValue> {
    const EXPECTED: &str = "men of both sides such as KRPkr, or counts such as `Q=0 P>=5`";
    let wrong = || BadValue::new(0, EXPECTED);
    let text = text.trim();
    let is_lower = |letter: char| letter.is_ascii_lowercase() && letter != 'v';
    let (white, black) = match text.split_once('v') {
        Some(sides) => sides,
        None if text.contains(is_lower) => text.split_at(text.find(is_lower).ok_or_else(wrong)?),
        None => text.split_at(text.rfind('K').ok_or_else(wrong)?),
    };
    let mut tests = Vec::new();
    for (color, side) in Color::ALL.into_iter().zip([white, black]) {
        let is_upper = |letter: char| letter.is_ascii_uppercase();
        if color == Color::White && !side.chars().all(is_upper)
            || side.contains(is_upper) && side.contains(is_lower)
        {
            return Err(wrong());
        }
        let roles: Vec<Role> =
            side.chars().map(Role::from_letter).collect::<Option<_>>().ok_or_else(wrong)?;
        let count = |role: Role| roles.iter().filter(|&&found| found == role).count() as i64;
        if count(Role::King) != 1 {
            return Err(wrong());
        }
        // The total number is the cheapest test, and the one that fails in most games.
        tests.push(CountTest {
            men: Men(color, None),
            less: None,
            range: Range::exactly(roles.len() as i64),
        });
        for role in Role::ALL {
            tests.push(CountTest {
                men: Men(color, Some(role)),
                less: None,
                range: Range::exactly(count(role)),
            });
        }
    }
    Ok(tests)
}

fn read_counts(text: &str) -> Result<Vec<CountTest>, BadValue> {
    const EXPECTED: &str = "a count such as `Q=0`, `P>=5` or `R-r=1`";
    let mut tests = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let (start, count) = (at, word.trim_end());
        at += word.len();
        if count.is_empty() {
            continue;
        }
        let wrong = || BadValue::new(start, EXPECTED);
        let end = count.find(['=', '<', '>', ':']).ok_or_else(wrong)?;
        let letters: Vec<char> = count[..end].chars().collect();
        let men = |letter: char| Men::from_letter(letter).ok_or_else(wrong);
        let (men, less) = match letters[..] {
            [one] => (men(one)?, None),
            [one, '-', other] => (men(one)?, Some(men(other)?)),
            _ => return Err(wrong()),
        };
        let (operator, value) = split_operator(&count[end..]).ok_or_else(wrong)?;
        let offset = start + count.len() - value.len();
        let range =
            Range::read(operator, value).map_err(|error| BadValue { at: offset + error.at, ..error })?;
        tests.push(CountTest { men, less, range });
    }
    if tests.is_empty() {
        return Err(BadValue::new(0, EXPECTED));
    }
    Ok(tests)
}

/// Splits an operator from the start of a text.
pub(super) fn split_operator(text: &str) -> Option<(Operator, &str)> {
    const OPERATORS: [(&str, Operator); 8] = [
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("=", Operator::Equal),
        (":", Operator::Colon),
        ("~~", Operator::Like),
        ("~", Operator::Tilde),
    ];
    OPERATORS.iter().find_map(|(sign, operator)| text.strip_prefix(sign).map(|rest| (*operator, rest)))
}

/// The colors of the squares of the two bishops, if both sides have exactly one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bishops {
    Same,
    Opposite,
}

impl Bishops {
    pub(super) const NAMES: [(&str, Self); 2] = [("same", Self::Same), ("opposite", Self::Opposite)];

    pub(super) fn holds(self, position: &impl Arrangement) -> bool {
        let single = |color| position.pieces(color, Role::Bishop).single();
        let Some((white, black)) = single(Color::White).zip(single(Color::Black)) else { return false };
        let shade = |square: Square| (square.file().index() + square.rank().index()) % 2;
        (shade(white) == shade(black)) == (self == Self::Same)
    }
}

/// White's material minus Black's, in pawns.
pub(super) fn balance(position: &impl Arrangement) -> i64 {
    let side = |color| -> u32 {
        Role::ALL.into_iter().map(|role| role.points() * position.pieces(color, role).count()).sum()
    };
    i64::from(side(Color::White)) - i64::from(side(Color::Black))
}

/// The position of a term, ignoring its clocks.
#[derive(Clone, Debug)]
pub(super) struct Target(pub Box<Position>);

impl Target {
    /// Reads a FEN.
    pub(super) fn read_fen(text: &str) -> Result<Self, BadValue> {
        match position_from_fen(text) {
            Ok(position) => Ok(Self(Box::new(position))),
            Err(error) => {
                let reason = error.reasons().next().map(ToString::to_string).unwrap_or_default();
                Err(BadValue::new(0, format!("the FEN of a position ({reason})")))
            }
        }
    }

    /// The position after moves from the initial one.
    pub(super) fn read_moves(text: &str) -> Result<Self, BadValue> {
        let mut position = Position::start();
        let mut at = 0;
        for word in text.split_inclusive(char::is_whitespace) {
            let written = word.trim_end();
            let san = without_number(written);
            if !san.is_empty() {
                let place = at + written.len() - san.len();
                let mv = parse_san(san, &position).map_err(|error| {
                    BadValue::new(place, format!("moves from the initial position ({error})"))
                })?;
                position = mv.after(&position);
            }
            at += word.len();
        }
        if at == 0 {
            return Err(BadValue::new(0, "moves from the initial position"));
        }
        Ok(Self(Box::new(position)))
    }

    /// The position with the colors exchanged.
    pub(super) fn exchanged(&self) -> Option<Self> {
        let setup = Setup::from(&*self.0);
        let pieces = Square::ALL.map(|square| {
            let piece = setup.pieces[square.flip_rank().index()]?;
            Some(Piece::new(!piece.color(), piece.role()))
        });
        let castling = setup.castling.iter().map(|right| match *right {
            CastlingRight::Outermost(color, wing) => CastlingRight::Outermost(!color, wing),
            CastlingRight::WithRookOn(color, file) => CastlingRight::WithRookOn(!color, file),
        });
        let exchanged = Setup {
            pieces,
            turn: !setup.turn,
            castling: castling.collect(),
            en_passant: setup.en_passant.map(Square::flip_rank),
            ..setup
        };
        Position::try_from(exchanged).ok().map(|position| Self(Box::new(position)))
    }

    pub(super) fn holds(&self, position: &Position) -> bool {
        position.key() == self.0.key()
    }

    /// Whether the position may occur between two positions of a game, by the numbers of men and pawns.
    pub(super) fn may_hold(&self, first: &Position, last: &Position) -> bool {
        let within = |count: &dyn Fn(&Position) -> u32| {
            let allowed: RangeInclusive<u32> = count(last)..=count(first);
            allowed.contains(&count(&self.0))
        };
        Color::ALL.iter().all(|&color| {
            within(&|position| position.color(color).count())
                && within(&|position| position.pieces(color, Role::Pawn).count())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        position_from_fen(fen).expect(fen)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    const ENDGAME: &str = "8/5k2/2p5/3p4/3P1r2/4P3/6K1/5R2 w - -";

    #[test]
    fn patterns_have_wildcards() {
        let cases = [
            ("8/8/8/8/8/8/PPPPPPPP/8", START, true),
            ("8/8/8/8/8/8/8/?[^R]?Q?BNR", START, true),
            ("8/8/8/8/8/8/8/[^R]7", START, false),
            ("8/8/......../8/8/8/AAAAAAAA/8", START, true),
            ("8/aaaaaaaa/8/8/8/8/8/8", START, true),
            ("8/AAAAAAAA/8/8/8/8/8/8", START, false),
            ("8/.7/8/8/8/8/8/8", START, false),
            ("8/8/2p5/3p4/3P4/4P3/8/8", ENDGAME, true),
            ("8/8/2p5/3p4/3P4/4P3/8/5[NB]2", ENDGAME, false),
            ("8/8/2p5/3p4/3P4/4P3/8/5[NR]2", ENDGAME, true),
        ];
        for (pattern, fen, expected) in cases {
            let pattern_read = Pattern::read(pattern, Variants::default()).expect(pattern);
            assert_eq!(pattern_read.holds(position(fen).board()), expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_have_variants() {
        let plain = Variants::default();
        let cases = [
            ("8/8/3p4/3P4/4p3/5P2/8/8", plain, false),
            ("8/8/4p3/3p4/3P4/2P5/8/8", plain, false),
            ("8/8/4p3/3p4/3P4/2P5/8/8", Variants { any_color: true, ..plain }, true),
            ("8/8/2p5/3p4/3P4/4P3/8/8", Variants { mirror: true, ..plain }, true),
            ("8/8/5p2/4p3/4P3/3P4/8/8", Variants { mirror: true, ..plain }, true),
            ("8/8/4p3/3p4/3P4/2P5/8/8", Variants { any_color: true, mirror: true, ..plain }, true),
            ("8/8/8/p7/P7/1P6/8/8", Variants { shift: true, ..plain }, true),
            ("8/8/8/8/p7/P7/1P6/8", Variants { shift: true, ..plain }, true),
            ("8/8/8/1p6/P7/8/8/8", Variants { shift: true, ..plain }, false),
            ("8/8/8/p7/1P6/8/8/8", Variants { shift: true, any_color: true, ..plain }, false),
            ("8/p7/1P6/8/8/8/8/8", Variants { shift: true, any_color: true, mirror: true }, false),
            ("8/8/1p6/p7/P7/8/8/8", Variants { shift: true, any_color: true, mirror: true }, true),
        ];
        for (pattern, variants, expected) in cases {
            let read = Pattern::read(pattern, variants).expect(pattern);
            assert_eq!(read.holds(position(ENDGAME).board()), expected, "{pattern} {variants:?}");
        }
        let exchanged = position("5r2/6k1/4p3/3p1R2/3P4/2P5/5K2/8 b - -");
        let pattern = "8/8/2p5/3p4/3P4/4P3/8/5R2";
        assert!(!Pattern::read(pattern, plain).expect(pattern).holds(exchanged.board()));
        let any_color = Variants { any_color: true, ..plain };
        assert!(Pattern::read(pattern, any_color).expect(pattern).holds(exchanged.board()));
    }

    #[test]
    fn a_structure_has_no_other_pawns() {
        let structure = |text| Pattern::read_structure(text, Variants::default()).expect("a structure");
        assert!(structure("8/8/2p5/3p4/3P4/4P3/8/8").holds(position(ENDGAME).board()));
        assert!(!structure("8/8/2p5/3p4/3P4/8/8/8").holds(position(ENDGAME).board()));
        assert!(Pattern::read_structure("8/8/2n5/8/8/8/8/8", Variants::default()).is_err());
    }

    #[test]
    fn wrong_patterns_have_a_place() {
        let cases = [
            ("8/8", 3, "8 ranks"),
            ("8/8/8/8/8/8/8/8/8", 16, "8 ranks"),
            ("9/8/8/8/8/8/8/8", 0, CONTENT),
            ("8/44p/8/8/8/8/8/8", 4, "8 squares in each rank"),
            ("8/43/8/8/8/8/8/8", 4, "8 squares in each rank"),
            ("8/x7/8/8/8/8/8/8", 2, CONTENT),
            ("8/[]7/8/8/8/8/8/8", 2, SET),
            ("8/[N7/8/8/8/8/8/8", 2, SET),
            ("", 0, "8 squares in each rank"),
        ];
        for (text, at, expected) in cases {
            let error = Pattern::read(text, Variants::default()).expect_err(text);
            assert_eq!((error.at, &*error.expected), (at, expected), "{text}");
        }
    }

    #[test]
    fn material_is_a_signature_or_counts() {
        let cases = [
            ("KRPPkrpp", ENDGAME, true),
            ("KRPPKRPP", ENDGAME, true),
            ("KRPPvKRPP", ENDGAME, true),
            ("KRPPkrp", ENDGAME, false),
            ("PPRKkrpp", ENDGAME, true),
            ("R=1 r=1 P>=2 Q=0", ENDGAME, true),
            ("P>2", ENDGAME, false),
            ("P-p=0 A-a=0", ENDGAME, true),
            ("P=1..2", ENDGAME, true),
            ("N=2", START, true),
            ("A=16 a=16", START, true),
        ];
        for (text, fen, expected) in cases {
            assert_eq!(
                Material::read(text, false).expect(text).holds(position(fen).board()),
                expected,
                "{text}"
            );
        }
        let unequal = position("6k1/8/8/8/3P4/8/6K1/5R2 w - -");
        assert!(!Material::read("Kkrp", false).expect("material").holds(unequal.board()));
        assert!(Material::read("Kkrp", true).expect("material").holds(unequal.board()));
        assert!(Material::read("p-P>=1", true).expect("material").holds(unequal.board()));
        for (wrong, at) in [
            ("", 0),
            ("K", 0),
            ("RPkr", 0),
            ("KkR", 0),
            ("KRX=1", 0),
            ("P=1 q", 4),
            ("P=x", 2),
            ("P>=1 Q=", 7),
            ("kK", 0),
            ("KvkR", 0),
            ("KéKR", 0),
        ] {
            assert_eq!(Material::read(wrong, false).expect_err(wrong).at, at, "{wrong}");
        }
    }

    #[test]
    fn what_cannot_come_is_ruled_out() {
        let (first, last) = (position(START), position(ENDGAME));
        let cases = [
            ("KRPPkrpp", true),
            ("KRPPPkrpp", true),
            ("Kk", false),
            ("P<=1", false),
            ("P<=2", true),
            ("Q=9", true),
            ("A<5", true),
            ("A<4", false),
        ];
        for (text, expected) in cases {
            assert_eq!(Material::read(text, false).expect(text).may_hold(&first, &last), expected, "{text}");
        }
        assert!(Target(Box::new(position(ENDGAME))).may_hold(&first, &last));
        let lone = position("8/5k2/8/8/8/8/6K1/8 w - -");
        assert!(!Target(Box::new(lone)).may_hold(&first, &last));
    }

    #[test]
    fn bishops_have_colors_and_men_have_values() {
        let opposite = position("5b2/5k2/8/8/8/8/6K1/5B2 w - -");
        let same = position("5b2/5k2/8/8/8/8/6K1/4B3 w - -");
        let none = position(ENDGAME);
        let found = [opposite, same, none]
            .map(|position| Bishops::NAMES.map(|(_, bishops)| bishops.holds(position.board())));
        assert_eq!(found, [[false, true], [true, false], [false, false]]);
        assert_eq!(balance(position(ENDGAME).board()), 0);
        assert_eq!(balance(position("6k1/8/8/8/3P4/8/6K1/q4R2 w - -").board()), -3);
    }
}
