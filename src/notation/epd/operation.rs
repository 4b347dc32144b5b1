//! Operations: the facts of an EPD record about its position.

use crate::chess::Move;
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::num::{NonZeroU16, NonZeroU32};

/// One fact about a position, or one request: a variant for each opcode.
///
/// Moves are legal in the position of their record, and each move of a variation is legal in the position after the
/// moves before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `acd`: the depth of an analysis in plies. Not in the standard of 1994, but in common use.
    AnalysisDepth(u32),
    /// `acn`: the number of nodes of an analysis.
    AnalysisNodes(u64),
    /// `acs`: the number of seconds of an analysis.
    AnalysisSeconds(u64),
    /// `am`: moves to avoid.
    AvoidMoves(Vec<Move>),
    /// `bm`: the best moves.
    BestMoves(Vec<Move>),
    /// `c0` to `c9`: a comment; without one, the comments of this and all higher digits are cleared.
    Comment(CommentIndex, Option<String>),
    /// `ce`: an evaluation for the side to move.
    Evaluation(CentipawnEvaluation),
    /// `dm`: the side to move mates in this number of full moves.
    DirectMate(NonZeroU16),
    /// `draw_accept`: the side to move accepts a draw offer.
    DrawAccept,
    /// `draw_claim`: the side to move claims a draw.
    DrawClaim,
    /// `draw_offer`: the side to move offers a draw.
    DrawOffer,
    /// `draw_reject`: the side to move rejects a draw offer.
    DrawReject,
    /// `eco`: a code of the Encyclopedia of Chess Openings; without one, the code is cleared.
    Eco(Option<String>),
    /// `fmvn`: the number of the full move to be played.
    FullmoveNumber(NonZeroU16),
    /// `hmvc`: plies since the last capture or pawn move.
    HalfmoveClock(u16),
    /// `id`: the name of the position.
    Id(String),
    /// `nic`: a code of New In Chess; without one, the code is cleared.
    Nic(Option<String>),
    /// `noop`: no operation; its operands are for testing programs.
    Noop(Vec<Operand>),
    /// `pm`: the predicted move.
    PredictedMove(Move),
    /// `pv`: the predicted variation.
    PredictedVariation(Vec<Move>),
    /// `rc`: the number of occurrences of the position, including this one.
    RepetitionCount(NonZeroU32),
    /// `resign`: the side to move resigns.
    Resign,
    /// `sm`: the supplied move, which is played.
    SuppliedMove(Move),
    /// `tcgs`: the number of the game between two correspondents.
    GameSelector(NonZeroU32),
    /// `tcri`: the receiver of the record.
    Receiver(Correspondent),
    /// `tcsi`: the sender of the record.
    Sender(Correspondent),
    /// `v0` to `v9`: the name of a variation; without one, the names of this and all higher digits are cleared.
    VariationName(CommentIndex, Option<String>),
    /// Any other opcode, kept unchanged.
    Other {
        /// The opcode.
        opcode: String,
        /// The operands.
        operands: Vec<Operand>,
    },
}

/// A player of correspondence chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correspondent {
    /// The mail address.
    pub address: String,
    /// The player at that address.
    pub name: String,
}

impl Operation {
    /// The opcode. Each opcode occurs at most once in a record.
    pub fn opcode(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            Self::AnalysisDepth(_) => "acd",
            Self::AnalysisNodes(_) => "acn",
            Self::AnalysisSeconds(_) => "acs",
            Self::AvoidMoves(_) => "am",
            Self::BestMoves(_) => "bm",
            Self::Comment(level, _) => return Cow::Owned(format!("c{level}")),
            Self::Evaluation(_) => "ce",
            Self::DirectMate(_) => "dm",
            Self::DrawAccept => "draw_accept",
            Self::DrawClaim => "draw_claim",
            Self::DrawOffer => "draw_offer",
            Self::DrawReject => "draw_reject",
            Self::Eco(_) => "eco",
            Self::FullmoveNumber(_) => "fmvn",
            Self::HalfmoveClock(_) => "hmvc",
            Self::Id(_) => "id",
            Self::Nic(_) => "nic",
            Self::Noop(_) => "noop",
            Self::PredictedMove(_) => "pm",
            Self::PredictedVariation(_) => "pv",
            Self::RepetitionCount(_) => "rc",
            Self::Resign => "resign",
            Self::SuppliedMove(_) => "sm",
            Self::GameSelector(_) => "tcgs",
            Self::Receiver(_) => "tcri",
            Self::Sender(_) => "tcsi",
            Self::VariationName(level, _) => return Cow::Owned(format!("v{level}")),
            Self::Other { opcode, .. } => opcode,
        })
    }
}

/// The index of one of the ten comments `c0` to `c9` or variation names `v0` to `v9`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CommentIndex(u8);

impl CommentIndex {
    /// The primary index, 0.
    pub const PRIMARY: Self = Self(0);

    /// All ten indices, the primary one first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).map_while(Self::new)
    }

    /// The index with this digit; `None` above 9.
    pub const fn new(digit: u8) -> Option<Self> {
        if digit < 10 { Some(Self(digit)) } else { None }
    }

    /// The digit.
    pub const fn digit(self) -> u8 {
        self.0
    }
}

impl fmt::Display for CommentIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The evaluation of a position for the side to move, in the encoding of section 16.2.5.6.
///
/// | value | meaning |
/// |---|---|
/// | 32,001 to 32,766 | the side to move mates in 32,767 - value plies |
/// | -32,000 to 32,000 | centipawns |
/// | -32,766 to -32,001 | the side to move is mated in 32,767 + value plies |
/// | -32,767 | the position is illegal |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CentipawnEvaluation(i16);

/// The value of a mate in zero plies, which does not occur.
const MATE: i32 = 32_767;
/// The best evaluation that is not a mate.
const MAX_CENTIPAWNS: i32 = 32_000;

impl CentipawnEvaluation {
    /// The evaluation with this value; `None` outside of -32,767 to 32,766.
    pub fn new(value: i32) -> Option<Self> {
        i16::try_from(value).ok().filter(|_| (-MATE..MATE).contains(&value)).map(Self)
    }

    /// The side to move mates in this number of plies, or is mated if the number is negative. `None` for 0 and for
    /// mates in more than 766 plies.
    pub fn mate(plies: i32) -> Option<Self> {
        let value = match plies.signum() {
            1 => MATE.checked_sub(plies)?,
            -1 => (-MATE).checked_sub(plies)?,
            _ => return None,
        };
        Self::new(value).filter(|evaluation| evaluation.mate_plies() == Some(plies))
    }

    /// The value that encodes the evaluation.
    pub const fn value(self) -> i16 {
        self.0
    }

    /// The number of plies in which the side to move mates, or is mated if negative; `None` for
    /// ordinary evaluations and for an illegal position.
    pub fn mate_plies(self) -> Option<i32> {
        let value = i32::from(self.0);
        if value > MAX_CENTIPAWNS {
            Some(MATE - value)
        } else if value < -MAX_CENTIPAWNS && value != -MATE {
            Some(-MATE - value)
        } else {
            None
        }
    }
}

impl fmt::Display for CentipawnEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An operand of an unknown opcode or of `noop`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// Printing characters without white space.
    Word(String),
    /// A string, in quotes.
    Text(String),
}

impl Operand {
    /// The text without quotes.
    pub fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Text(text) => text,
        }
    }
}

impl fmt::Display for Operand {
    /// A word that would not be read back as a word is written as a string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) if is_word(text) => f.write_str(text),
            Self::Word(text) | Self::Text(text) => write_string(text, f),
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('"')
        && !text.chars().any(|letter| letter.is_whitespace() || letter.is_control() || letter == ';')
}

/// Writes a string as in section 7: in quotes, with a backslash before each quote and each backslash. Control
/// characters become spaces.
pub(super) fn write_string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            _ if letter.is_control() => f.write_char(' ')?,
            _ => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_coded_as_the_standard_has_them() {
        let cases = [
            ("mate on the move", 1, 32_766),
            ("mate in five", 9, 32_758),
            ("mated after the move", -2, -32_765),
            ("mated in five", -10, -32_757),
        ];
        for (name, plies, value) in cases {
            let evaluation = CentipawnEvaluation::mate(plies).expect(name);
            assert_eq!(evaluation.value(), value, "{name}");
            assert_eq!(evaluation.mate_plies(), Some(plies), "{name}");
        }
        for plies in [0, 767, -767, i32::MAX, i32::MIN] {
            assert_eq!(CentipawnEvaluation::mate(plies), None, "{plies}");
        }
        for value in [-32_767, -32_000, 0, 32_000] {
            assert_eq!(
                CentipawnEvaluation::new(value).and_then(CentipawnEvaluation::mate_plies),
                None,
                "{value}"
            );
        }
        for value in [-32_768, 32_767, 100_000] {
            assert_eq!(CentipawnEvaluation::new(value), None, "{value}");
        }
    }
}
