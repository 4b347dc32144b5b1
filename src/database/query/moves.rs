//! Terms about moves: single moves, lines, the length of a game, its annotations and its end.

use super::change::Change;
use super::headers::{BadValue, Range};
use super::text::Text;
use crate::chess::{CastlingSide, Color, File, Move, Outcome, Position, Rank, Role, Square};
use crate::notation::MoveNumber;
use crate::notation::eco::Opening;
use crate::notation::pgn::{Element, Game, Nag, without_commands};
use std::str::FromStr;

/// The pattern of a move, with the parts of its SAN that are stated.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct MovePattern {
    number: Option<(u16, Color)>,
    castle: Option<CastlingSide>,
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    is_capture: bool,
    to: Option<Square>,
    promotion: Option<Role>,
    gives_check: bool,
    gives_mate: bool,
}

/// The expected form of a move.
const A_MOVE: &str = "a move such as Nxf7, 12.Be3 or 12...Qe2";

/// The number of plies before the move with this number, in a game from the initial position.
const fn plies_before(number: u16, color: Color) -> u32 {
    (number as u32).saturating_sub(1) * 2 + color as u32
}

/// Splits the number from the start of a move: `12.` is White's, `12...` Black's.
pub(super) fn split_number(text: &str) -> Option<((u16, Color), &str)> {
    let dots = text.find(|letter: char| !letter.is_ascii_digit())?;
    let number = text[..dots].parse().ok().filter(|&number| number > 0)?;
    let rest = text[dots..].trim_start_matches('.');
    let color = match text[dots..].len() - rest.len() {
        0 => return None,
        1 => Color::White,
        _ => Color::Black,
    };
    Some(((number, color), rest))
}

impl FromStr for MovePattern {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let trimmed = text.trim();
        let (number, body) = match split_number(trimmed) {
            Some((number, body)) => (Some(number), body.trim_start()),
            None => (None, trimmed),
        };
        let at = text.len() - text.trim_end().len();
        let at = text.len() - at - body.len();
        let pattern = Self::body(body).ok_or_else(|| BadValue::new(at, A_MOVE))?;
        Ok(Self { number, ..pattern })
    }
}

impl MovePattern {
    /// Reads a move without its number.
    fn body(body: &str) -> Option<Self> {
        let body = body.trim_end_matches(['!', '?']);
        let gives_mate = body.ends_with('#');
        let gives_check = body.ends_with('+');
        let plain = body.trim_end_matches(['#', '+']);
        let pattern = Self { gives_check, gives_mate, ..Self::default() };
        match plain.replace('0', "O").as_str() {
            "O-O" => return Some(Self { castle: Some(CastlingSide::King), ..pattern }),
            "O-O-O" => return Some(Self { castle: Some(CastlingSide::Queen), ..pattern }),
            _ => {}
        }
        let mut letters: Vec<char> = plain.chars().collect();
        let first = *letters.first()?;
        let role = Role::from_letter(first).filter(|_| first.is_ascii_uppercase());
        if role.is_some() {
            letters.remove(0);
        }
        let promotion = letters.last().filter(|letter| letter.is_ascii_uppercase());
        let promotion = match promotion {
            Some(&letter) => {
                let promotion = Role::from_letter(letter).filter(|role| Role::PROMOTIONS.contains(role))?;
                letters.pop();
                if letters.last() == Some(&'=') {
                    letters.pop();
                }
                Some(promotion)
            }
            None => None,
        };
        let to = match letters[..] {
            [.., file, rank] => File::from_letter(file).zip(Rank::from_digit(rank)),
            _ => None,
        };
        if to.is_some() {
            letters.truncate(letters.len() - 2);
        }
        let is_capture = matches!(letters.last(), Some('x' | ':'));
        if is_capture || letters.last() == Some(&'-') {
            letters.pop();
        }
        let (from_file, from_rank) = match letters[..] {
            [] => (None, None),
            [one] => (File::from_letter(one), Rank::from_digit(one)),
            [file, rank] => (Some(File::from_letter(file)?), Some(Rank::from_digit(rank)?)),
            _ => return None,
        };
        let is_odd = letters.len() == 1 && from_file.is_none() && from_rank.is_none();
        // A pawn needs a square; a piece letter alone is any move of such a piece.
        if is_odd
            || role.is_none() && to.is_none()
            || role != Some(Role::Pawn) && role.is_some() && promotion.is_some()
        {
            return None;
        }
        let to = to.map(|(file, rank)| Square::new(file, rank));
        let role = Some(role.unwrap_or(Role::Pawn));
        Some(Self { role, from_file, from_rank, is_capture, to, promotion, ..pattern })
    }

    /// Reads consecutive moves, of which `None` is any move: `Bxh7+ Kxh7 * Qh5`.
    pub(super) fn read_several(text: &str) -> Result<Vec<Option<Self>>, BadValue> {
        let mut moves = Vec::new();
        let mut at = 0;
        // A number may be separated from its move.
        let mut number = "";
        let mut start = 0;
        for word in text.split_inclusive(char::is_whitespace) {
            let body = word.trim_end();
            let is_number = split_number(body).is_some_and(|(_, rest)| rest.is_empty());
            if number.is_empty() {
                start = at;
            }
            at += word.len();
            if body == "*" && number.is_empty() {
                moves.push(None);
            } else if is_number && number.is_empty() {
                number = body;
            } else if !body.is_empty() {
                let written = if number.is_empty() { body } else { text[start..at].trim_end() };
                let pattern =
                    written.parse().map_err(|error: BadValue| BadValue { at: start + error.at, ..error })?;
                moves.push(Some(pattern));
                number = "";
            }
        }
        let ends_with_any = matches!(moves.last(), Some(None)) || matches!(moves.first(), Some(None));
        if !number.is_empty() || moves.is_empty() || ends_with_any {
            return Err(BadValue::new(text.len(), A_MOVE));
        }
        Ok(moves)
    }

    /// The pattern on a changed board; `None` if a square would leave it.
    pub(super) fn changed(&self, change: Change) -> Option<Self> {
        /// A stated part must remain on the board.
        fn within<T>(part: Option<T>, place: impl Fn(T) -> Option<T>) -> Option<Option<T>> {
            part.map_or(Some(None), |part| place(part).map(Some))
        }
        Some(Self {
            number: self.number.map(|(number, color)| (number, change.color(color))),
            castle: within(self.castle, |wing| change.wing(wing))?,
            from_file: within(self.from_file, |file| change.file(file))?,
            from_rank: within(self.from_rank, |rank| change.rank(rank))?,
            to: within(self.to, |square| change.square(square))?,
            ..self.clone()
        })
    }

    /// Whether this move, which is legal in `before` and leads to `after`, matches.
    pub(super) fn matches(&self, before: &Position, mv: Move, after: &Position) -> bool {
        self.has_number(before.fullmove_number(), before.turn())
            && self.is_like(mv, before.role_at(mv.from()), before.captured_role(mv).is_some())
            && (!self.gives_check || after.is_check())
            && (!self.gives_mate || after.is_checkmate())
    }

    /// Whether a move with this number matches.
    pub(super) fn has_number(&self, number: u16, color: Color) -> bool {
        self.number.is_none_or(|wanted| wanted == (number, color))
    }

    /// Whether the pattern requires a check.
    pub(super) const fn wants_check(&self) -> bool {
        self.gives_check || self.gives_mate
    }

    /// Whether the pattern can be decided without detecting mates.
    pub(super) const fn is_seen(&self) -> bool {
        !self.gives_mate
    }

    /// The target square; `None` if it is not stated, and for castling.
    pub(super) fn target(&self) -> Option<Square> {
        self.to.filter(|_| self.castle.is_none())
    }

    /// Whether the target square of a move can match, which rules out most moves.
    #[inline]
    pub(super) fn may_lead_to(&self, mv: Move) -> bool {
        self.castle.is_some() || self.to.is_none_or(|wanted| wanted == mv.to())
    }

    /// Whether this move of a man with this role matches, ignoring its number, check and mate.
    pub(super) fn is_like(&self, mv: Move, role: Option<Role>, captures: bool) -> bool {
        if self.castle.is_some() || mv.is_castle() {
            let wing = if mv.to() > mv.from() { CastlingSide::King } else { CastlingSide::Queen };
            return mv.is_castle() && self.castle == Some(wing);
        }
        let (from, to) = (mv.from(), mv.to());
        // A capture by a pawn is written with its file or with the capture sign.
        let is_push = self.role == Some(Role::Pawn) && self.from_file.is_none() && !self.is_capture;
        role == self.role
            && self.to.is_none_or(|wanted| wanted == to)
            && self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
            && (captures || !self.is_capture)
            && (!captures || !is_push)
            && self.promotion.is_none_or(|role| mv.promotion() == Some(role))
    }
}

/// A step of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// Any single move.
    Any,
    /// All moves before this ply.
    Until(u32),
    /// A move of this side.
    Move(Color, MovePattern),
}

/// Consecutive moves from the start of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    steps: Vec<Step>,
    /// The offset of each step in its text.
    offsets: Vec<usize>,
}

impl FromStr for Line {
    type Err = BadValue;

    /// Reads `1.e4 e5 2.Nf3 * 3.d4`. The asterisk is one move, or before a number all moves up to that number.
    fn from_str(text: &str) -> Result<Self, BadValue> {
        let (mut steps, mut offsets) = (Vec::new(), Vec::new());
        let mut ply = 0;
        let mut is_open = false;
        let mut at = 0;
        for word in text.split_inclusive(char::is_whitespace) {
            let (start, mut body) = (at, word.trim_end());
            at += word.len();
            if let Some(((number, color), rest)) = split_number(body) {
                let stated = plies_before(number, color);
                let is_stretched = is_open && stated + 1 >= ply;
                if is_stretched {
                    steps.pop();
                    steps.push(Step::Until(stated));
                    ply = stated;
                } else if stated != ply {
                    return Err(BadValue::new(start, format!("move {}", MoveNumber::after_plies(ply))));
                }
                is_open = false;
                body = rest;
            }
            if body.is_empty() {
                continue;
            }
            let offset = start + word.trim_end().len() - body.len();
            offsets.push(offset);
            if body == "*" {
                steps.push(Step::Any);
                is_open = true;
            } else {
                let pattern = MovePattern::body(body)
                    .ok_or_else(|| BadValue::new(offset, "a move such as Nf3, or `*`"))?;
                let color = if ply % 2 == 0 { Color::White } else { Color::Black };
                steps.push(Step::Move(color, pattern));
                is_open = false;
            }
            ply += 1;
        }
        if steps.is_empty() {
            return Err(BadValue::new(0, "moves such as 1.e4 e5"));
        }
        Ok(Self { steps, offsets })
    }
}

impl Line {
    /// The first move that no game from the initial position can have after the moves before it. Moves are followed up
    /// to the first asterisk, as long as few positions can be meant. `None` if there is none, or if it is the first
    /// move: then the line is meant for games from other positions.
    pub(super) fn illegal_move(&self) -> Option<BadValue> {
        /// The maximum number of positions that are followed.
        const MAX_POSITIONS: usize = 64;
        let mut positions = vec![Position::start()];
        for (index, step) in self.steps.iter().enumerate() {
            let Step::Move(_, pattern) = step else { return None };
            let mut next = Vec::new();
            for before in &positions {
                let legal = before.legal_moves();
                let afters = legal.iter().map(|&mv| (mv, before.after(mv).0));
                next.extend(
                    afters.filter(|(mv, after)| pattern.matches(before, *mv, after)).map(|(_, after)| after),
                );
            }
            if next.is_empty() && index > 0 {
                let expected = "a legal move; with `setup` in the query also a move of other games";
                return Some(BadValue::new(self.offsets[index], expected));
            }
            if next.is_empty() || next.len() > MAX_POSITIONS {
                return None;
            }
            positions = next;
        }
        None
    }

    /// The number of completed steps after this move, which follows `ply` others; `step` is the number before it.
    /// `None` if the game leaves the line.
    pub(super) fn advance(
        &self,
        mut step: usize,
        ply: u32,
        before: &Position,
        mv: Option<Move>,
        after: &Position,
    ) -> Option<usize> {
        loop {
            match self.steps.get(step)? {
                Step::Any => return Some(step + 1),
                Step::Until(last) if ply < *last => return Some(step),
                Step::Until(_) => step += 1,
                Step::Move(color, pattern) => {
                    let is_it = before.turn() == *color && pattern.matches(before, mv?, after);
                    return is_it.then_some(step + 1);
                }
            }
        }
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }
}

/// The way in which a game ends on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Mate,
    Stalemate,
    /// Neither side can mate.
    Material,
    /// The position has occurred three times.
    Repetition,
    /// There were fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// The game ends in none of these ways.
    Open,
}

impl End {
    pub(super) const NAMES: [(&str, Self); 6] = [
        ("mate", Self::Mate),
        ("stalemate", Self::Stalemate),
        ("material", Self::Material),
        ("repetition", Self::Repetition),
        ("fifty-moves", Self::FiftyMoves),
        ("open", Self::Open),
    ];
}

impl From<Option<Outcome>> for End {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Checkmate { .. }) => Self::Mate,
            Some(Outcome::Stalemate) => Self::Stalemate,
            Some(Outcome::InsufficientMaterial) => Self::Material,
            Some(Outcome::ThreefoldRepetition | Outcome::FivefoldRepetition) => Self::Repetition,
            Some(Outcome::FiftyMoves | Outcome::SeventyFiveMoves) => Self::FiftyMoves,
            None => Self::Open,
        }
    }
}

/// The properties of the end of the main line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    pub end: End,
    pub opening: Option<&'static Opening>,
}

/// A term about a game as a whole.
#[derive(Clone, Debug)]
pub(super) enum GameTerm {
    /// The number of moves of the main line by each side, counted from the first.
    Moves(Range),
    Plies(Range),
    Comment(Text),
    Nag(Nag),
    Annotated,
    HasComments,
    HasVariations,
    /// The game starts from a position other than the initial one, as problems do.
    SetUp,
    End(End),
}

fn comments(game: &Game) -> impl Iterator<Item = String> {
    game.walk().filter_map(|element| match element {
        Element::Comment(text) => Some(without_commands(text)),
        _ => None,
    })
}

impl GameTerm {
    /// Whether the term holds; `None` if it depends on the unknown end of the game.
    pub(super) fn holds(&self, game: &Game, ending: Option<Ending>) -> Option<bool> {
        let plies = || game.mainline().count() as i64;
        let has_comments = || comments(game).any(|text| !text.is_empty());
        let has_variations = || game.walk().any(|element| element == Element::Begin);
        Some(match self {
            Self::Moves(range) => range.contains((plies() + 1) / 2),
            Self::Plies(range) => range.contains(plies()),
            Self::Comment(Text::Missing) => !has_comments(),
            Self::Comment(text) => comments(game).any(|comment| text.matches(Some(&comment))),
            Self::Nag(nag) => game.walk().any(|element| element == Element::Nag(*nag)),
            Self::Annotated => {
                has_variations()
                    || has_comments()
                    || game.walk().any(|element| matches!(element, Element::Nag(_)))
            }
            Self::HasComments => has_comments(),
            Self::HasVariations => has_variations(),
            Self::SetUp => game.is_set_up(),
            Self::End(end) => ending?.end == *end,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_san;

    /// Whether the pattern matches the last of these moves from the initial position.
    fn matches(pattern: &str, moves: &str) -> bool {
        let pattern: MovePattern = pattern.parse().expect("a pattern");
        let (mut before, mut now, mut last) = (Position::start(), Position::start(), None);
        for text in moves.split(' ') {
            let mv = parse_san(text, &now).expect(text);
            (before, now, last) = (now, mv.after(&now), mv.mv());
        }
        pattern.matches(&before, last.expect("a move"), &now)
    }

    #[test]
    fn a_move_is_all_that_is_written() {
        let game = "e4 d5 exd5 Nf6 Bb5+ c6 dxc6 Qb6 cxb7+ Qxb5 bxa8=Q Qb6 Nf3 e6 O-O";
        let before = |plies: usize| game.split(' ').take(plies).collect::<Vec<_>>().join(" ");
        let cases = [
            ("e4", 1, true),
            ("1.e4", 1, true),
            ("1. e4", 1, true),
            ("1...e4", 1, false),
            ("2.e4", 1, false),
            ("d5", 2, true),
            ("1...d5", 2, true),
            ("exd5", 3, true),
            ("xd5", 3, true),
            ("d5", 3, false),
            ("e4xd5", 3, true),
            ("Nf6", 4, true),
            ("Ng8f6", 4, true),
            ("Nb8f6", 4, false),
            ("Nxf6", 4, false),
            ("N", 4, true),
            ("B", 4, false),
            ("Bb5", 5, true),
            ("Bb5+", 5, true),
            ("Bb5#", 5, false),
            ("Qx", 10, true),
            ("Qxb5!?", 10, true),
            ("bxa8", 11, true),
            ("bxa8=Q", 11, true),
            ("bxa8=N", 11, false),
            ("bxa8Q", 11, true),
            ("O-O", 15, true),
            ("0-0", 15, true),
            ("O-O-O", 15, false),
            ("Kg1", 15, false),
            ("8.O-O", 15, true),
        ];
        for (pattern, plies, expected) in cases {
            assert_eq!(matches(pattern, &before(plies)), expected, "{pattern} after {plies}");
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for (text, at) in [
            ("", 0),
            ("12.", 3),
            ("Z", 0),
            ("Nf9", 0),
            ("exd", 0),
            ("e", 0),
            ("Nf3=Q", 0),
            (" 1. é", 4),
            ("0.e4", 0),
            ("Ngggf3", 0),
            ("e8=K", 0),
        ] {
            let error = text.parse::<MovePattern>().expect_err(text);
            assert_eq!((error.at, &*error.expected), (at, A_MOVE), "{text}");
        }
    }

    fn follows(line: &str, moves: &str) -> bool {
        let line: Line = line.parse().expect("a line");
        let (mut now, mut step) = (Position::start(), Some(0));
        for (ply, text) in (0..).zip(moves.split(' ')) {
            let mv = parse_san(text, &now).expect(text);
            let after = mv.after(&now);
            step = step.and_then(|step| line.advance(step, ply, &now, mv.mv(), &after));
            now = after;
            if step == Some(line.len()) {
                return true;
            }
        }
        false
    }

    #[test]
    fn lines_are_moves_in_their_order() {
        let game = "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6";
        let cases = [
            ("1.e4 e5 2.Nf3 Nc6", true),
            ("e4 e5 Nf3 Nc6", true),
            ("1. e4 1... e5 2. Nf3", true),
            ("1.e4 e5 2.d4", false),
            ("1.e4 * 2.Nf3 * 3.d4", true),
            ("1.e4 e5 2.Nf3 Nc6 * 3.d4", true),
            ("1.e4 * 4.Nxd4", true),
            ("1.e4 * 3.Nxd4", false),
            ("* * * Nc6", true),
            ("* 4...Nf6", true),
            ("1.* e5", true),
            ("1.e4 *", true),
            ("* * * * * * * * *", false),
        ];
        for (line, expected) in cases {
            assert_eq!(follows(line, game), expected, "{line}");
        }
    }

    #[test]
    fn numbers_of_lines_must_be_right() {
        let cases = [
            ("1.e4 e5 3.Nf3", 8, "move 2."),
            ("1.e4 2.e5", 5, "move 1..."),
            ("", 0, "moves such as 1.e4 e5"),
            ("1.e4 1-0", 5, "a move such as Nf3, or `*`"),
            ("1.e4 e5 * 1.d4", 10, "move 2..."),
        ];
        for (text, illegal) in [
            ("1.e4 c5 2.Ng3", Some(10)),
            ("e4 e5 Nf3 Nc6 Bb5 Bb5", Some(18)),
            ("1.e4 * 2.Ng3", None),
            ("1.N N 2.N N 3.N N 4.Qh5", None),
            ("1.N e5 2.Qg4", Some(9)),
            ("1.Kf6 Kd8 2.Qg4", None),
            ("1.e4 c5 2.Nf3", None),
        ] {
            let line: Line = text.parse().expect(text);
            assert_eq!(line.illegal_move().map(|error| error.at), illegal, "{text}");
        }
        for (text, at, expected) in cases {
            let error = text.parse::<Line>().expect_err(text);
            assert_eq!((error.at, &*error.expected), (at, expected), "{text}");
        }
    }
}
