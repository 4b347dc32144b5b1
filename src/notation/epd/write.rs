//! From a record to text.

use super::operand::write_string;
use super::{Correspondent, Epd, Operation};
use crate::chess::{Move, Position};
use crate::notation::{CastlingStyle, Fen, San, UciMove};
use std::fmt;

impl fmt::Display for Epd {
    /// One line, as the standard prescribes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Fen::new(self.position()).without_counters())?;
        for operation in self.operations() {
            write!(f, " {}", operation.opcode())?;
            write_operands(operation, self.position(), f)?;
            f.write_str(";")?;
        }
        Ok(())
    }
}

fn write_operands(operation: &Operation, position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match operation {
        Operation::AnalysisDepth(number) => write!(f, " {number}"),
        Operation::AnalysisNodes(number) | Operation::AnalysisSeconds(number) => write!(f, " {number}"),
        Operation::AvoidMoves(moves) | Operation::BestMoves(moves) => {
            let texts = moves.iter().map(|&mv| move_text(position, mv)).collect();
            write_in_order(texts, f)
        }
        Operation::Comment(_, text)
        | Operation::Eco(text)
        | Operation::Nic(text)
        | Operation::VariationName(_, text) => match text {
            Some(text) => write_text(text, f),
            None => Ok(()),
        },
        Operation::Evaluation(evaluation) => write!(f, " {evaluation}"),
        Operation::DirectMate(number) | Operation::FullmoveNumber(number) => write!(f, " {number}"),
        Operation::DrawAccept
        | Operation::DrawClaim
        | Operation::DrawOffer
        | Operation::DrawReject
        | Operation::Resign => Ok(()),
        Operation::HalfmoveClock(number) => write!(f, " {number}"),
        Operation::Id(id) => write_text(id, f),
        Operation::Noop(operands) => write_in_order(operands.iter().map(ToString::to_string).collect(), f),
        Operation::PredictedMove(mv) | Operation::SuppliedMove(mv) => {
            write!(f, " {}", move_text(position, *mv))
        }
        Operation::PredictedVariation(moves) => write_variation(position, moves, f),
        Operation::RepetitionCount(number) | Operation::GameSelector(number) => write!(f, " {number}"),
        Operation::Receiver(Correspondent { address, name })
        | Operation::Sender(Correspondent { address, name }) => {
            write_text(address, f)?;
            write_text(name, f)
        }
        Operation::Other { operands, .. } => operands.iter().try_for_each(|operand| write!(f, " {operand}")),
    }
}

fn write_text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(" ")?;
    write_string(text, f)
}

/// Operands whose order does not matter are in ASCII order (section 16.2.4.1).
fn write_in_order(mut texts: Vec<String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    texts.sort_unstable();
    texts.iter().try_for_each(|text| write!(f, " {text}"))
}

/// The move in SAN. One that is not legal, which no reader has let through, has none.
fn move_text(position: &Position, mv: Move) -> String {
    if position.is_legal(mv) {
        San::new(position, mv).to_string()
    } else {
        UciMove::new(mv, CastlingStyle::Standard).to_string()
    }
}

fn write_variation(start: &Position, moves: &[Move], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut position = *start;
    for &mv in moves {
        write!(f, " {}", move_text(&position, mv))?;
        position = position.play(mv).unwrap_or(position);
    }
    Ok(())
}
