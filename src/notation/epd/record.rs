//! Records: a position and facts about it, and the text of a record.

use super::operation::write_string;
use super::{CommentIndex, Correspondent, Operation};
use crate::chess::{Move, Position, Setup};
use crate::notation::{CastlingStyle, Fen, San, UciMove};
use std::fmt;
use std::num::NonZeroU16;

/// An EPD record: a position and its operations.
///
/// ```
/// use hematite_core::notation::{Epd, Operation, parse_epd};
/// let text = "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1 ; id WAC.003; bm e3g3";
/// let mut epd = parse_epd(text).unwrap();
/// assert_eq!(epd.id(), Some("WAC.003"));
/// let best = epd.best_moves()[0];
/// epd.set(Operation::PredictedMove(best));
/// assert_eq!(
///     epd.to_string(),
///     "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - \
///      bm Rg3; fmvn 1; hmvc 0; id \"WAC.003\"; pm Rg3;"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    position: Position,
    /// The operations in ASCII order of their opcodes, each of which occurs once.
    operations: Vec<Operation>,
}

impl Epd {
    /// A record of a position without operations, except the clocks if they differ from those of a new game.
    pub fn new(position: Position) -> Self {
        let mut epd = Self { position, operations: Vec::new() };
        if position.halfmove_clock() != 0 {
            epd.set(Operation::HalfmoveClock(position.halfmove_clock()));
        }
        if let Some(number) = NonZeroU16::new(position.fullmove_number()).filter(|number| number.get() != 1) {
            epd.set(Operation::FullmoveNumber(number));
        }
        epd
    }

    /// A record of a position with these operations, of which the last one of each opcode is used. Sorting them once is
    /// also fast for lines of thousands of operations.
    pub(super) fn with_operations(position: Position, mut operations: Vec<Operation>) -> Self {
        operations.reverse();
        operations.sort_by(|a, b| a.opcode().cmp(&b.opcode()));
        operations.dedup_by(|a, b| a.opcode() == b.opcode());
        let mut epd = Self { position, operations };
        for opcode in ["fmvn", "hmvc"] {
            if let Some(operation) = epd.operation(opcode).cloned() {
                epd.set(operation);
            }
        }
        epd
    }

    /// The position, with the clocks stated by the operations.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The operations in ASCII order of their opcodes.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.place(opcode).ok().map(|index| &self.operations[index])
    }

    /// Adds an operation, which replaces one with the same opcode.
    pub fn set(&mut self, operation: Operation) {
        match operation {
            Operation::HalfmoveClock(clock) => self.set_clocks(clock, self.position.fullmove_number()),
            Operation::FullmoveNumber(number) => {
                self.set_clocks(self.position.halfmove_clock(), number.get());
            }
            _ => {}
        }
        match self.place(&operation.opcode()) {
            Ok(index) => self.operations[index] = operation,
            Err(index) => self.operations.insert(index, operation),
        }
    }

    /// Removes the operation with this opcode.
    pub fn remove(&mut self, opcode: &str) -> Option<Operation> {
        match opcode {
            "hmvc" => self.set_clocks(0, self.position.fullmove_number()),
            "fmvn" => self.set_clocks(self.position.halfmove_clock(), 1),
            _ => {}
        }
        self.place(opcode).ok().map(|index| self.operations.remove(index))
    }

    /// The index of the operation with this opcode, or the index at which to insert it.
    fn place(&self, opcode: &str) -> Result<usize, usize> {
        self.operations.binary_search_by(|operation| operation.opcode().as_ref().cmp(opcode))
    }

    fn set_clocks(&mut self, halfmove_clock: u16, fullmove_number: u16) {
        let setup = Setup { halfmove_clock, fullmove_number, ..Setup::from(&self.position) };
        // A position is legal with any clocks except full-move number 0, which does not occur here.
        if let Ok(position) = Position::try_from(setup) {
            self.position = position;
        }
    }

    /// The name of the position (`id`).
    pub fn id(&self) -> Option<&str> {
        match self.operation("id") {
            Some(Operation::Id(id)) => Some(id),
            _ => None,
        }
    }

    /// The best moves (`bm`); empty if the record does not state any.
    pub fn best_moves(&self) -> &[Move] {
        match self.operation("bm") {
            Some(Operation::BestMoves(moves)) => moves,
            _ => &[],
        }
    }

    /// The moves to avoid (`am`); empty if the record does not state any.
    pub fn avoid_moves(&self) -> &[Move] {
        match self.operation("am") {
            Some(Operation::AvoidMoves(moves)) => moves,
            _ => &[],
        }
    }

    /// The predicted variation (`pv`); empty if the record does not state one.
    pub fn predicted_variation(&self) -> &[Move] {
        match self.operation("pv") {
            Some(Operation::PredictedVariation(moves)) => moves,
            _ => &[],
        }
    }

    /// The number of full moves in which the side to move mates (`dm`).
    pub fn direct_mate(&self) -> Option<u16> {
        match self.operation("dm") {
            Some(Operation::DirectMate(moves)) => Some(moves.get()),
            _ => None,
        }
    }

    /// The comment with this index (`c0` to `c9`).
    pub fn comment(&self, level: CommentIndex) -> Option<&str> {
        match self.operation(&format!("c{level}")) {
            Some(Operation::Comment(_, comment)) => comment.as_deref(),
            _ => None,
        }
    }
}

impl fmt::Display for Epd {
    /// The record on one line, as the standard prescribes.
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

/// Writes operands whose order does not matter in ASCII order (section 16.2.4.1).
fn write_in_order(mut texts: Vec<String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    texts.sort_unstable();
    texts.iter().try_for_each(|text| write!(f, " {text}"))
}

/// The move in SAN. An illegal move, which no reader accepts, is written in UCI notation.
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
