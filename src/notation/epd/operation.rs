//! What an EPD record says about its position.

use super::{CentipawnEvaluation, Level, Operand};
use crate::chess::Move;
use std::borrow::Cow;
use std::num::{NonZeroU16, NonZeroU32};

/// One fact about a position, or one request: a variant for each opcode.
///
/// Moves are legal in the position of their record, each one of a variation in the position
/// that those before it lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `acd`: the depth of an analysis in plies. Not in the standard of 1994, but in general use.
    AnalysisDepth(u32),
    /// `acn`: how many nodes an analysis has examined.
    AnalysisNodes(u64),
    /// `acs`: how many seconds an analysis has taken.
    AnalysisSeconds(u64),
    /// `am`: moves to be avoided.
    AvoidMoves(Vec<Move>),
    /// `bm`: the best moves.
    BestMoves(Vec<Move>),
    /// `c0` to `c9`: a comment; none clears the comments of this level and all below.
    Comment(Level, Option<String>),
    /// `ce`: an evaluation for the side to move.
    Evaluation(CentipawnEvaluation),
    /// `dm`: the side to move mates in so many full moves.
    DirectMate(NonZeroU16),
    /// `draw_accept`: the side to move accepts the draw that it was offered.
    DrawAccept,
    /// `draw_claim`: the side to move claims a draw.
    DrawClaim,
    /// `draw_offer`: the side to move offers a draw.
    DrawOffer,
    /// `draw_reject`: the side to move rejects the draw that it was offered.
    DrawReject,
    /// `eco`: a code of the Encyclopedia of Chess Openings; none clears it.
    Eco(Option<String>),
    /// `fmvn`: the number of the full move to be played.
    FullmoveNumber(NonZeroU16),
    /// `hmvc`: half-moves since the last capture or pawn move.
    HalfmoveClock(u16),
    /// `id`: what the position is called.
    Id(String),
    /// `nic`: a code of New In Chess; none clears it.
    Nic(Option<String>),
    /// `noop`: nothing; its operands are for those who test programs.
    Noop(Vec<Operand>),
    /// `pm`: the move that is thought to be played.
    PredictedMove(Move),
    /// `pv`: the moves that are thought to be played, one after the other.
    PredictedVariation(Vec<Move>),
    /// `rc`: how often the position has occurred, this time included.
    RepetitionCount(NonZeroU32),
    /// `resign`: the side to move resigns.
    Resign,
    /// `sm`: the move that is played.
    SuppliedMove(Move),
    /// `tcgs`: which of the games between two correspondents.
    GameSelector(NonZeroU32),
    /// `tcri`: who receives the record.
    Receiver(Correspondent),
    /// `tcsi`: who sends the record.
    Sender(Correspondent),
    /// `v0` to `v9`: the name of a variation; none clears the names of this level and all below.
    VariationName(Level, Option<String>),
    /// Any other opcode, kept as it is.
    Other {
        /// The opcode.
        opcode: String,
        /// Its operands.
        operands: Vec<Operand>,
    },
}

/// Somebody who plays by mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correspondent {
    /// The mail address.
    pub address: String,
    /// The player at that address.
    pub name: String,
}

impl Operation {
    /// The opcode. No record has two operations with the same one.
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
