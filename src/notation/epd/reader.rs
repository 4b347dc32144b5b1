//! Reading a record or a whole file of records.

use super::read_operation::{
    FULLMOVE_NUMBERS, Failure, HALFMOVE_CLOCKS, RawOperation, next_operation, read_operation,
};
use super::scan::{Scanner, TokenKind};
use super::{Epd, EpdError, EpdProblem, Operation};
use crate::chess::{Move, Position, Problem};
use crate::notation::pgn::{BYTE_ORDER_MARK, Encoding};
use crate::notation::{Excerpt, FenError, FenField, PositionError, RepairedPosition, San, repair_fen};
use std::collections::HashSet;
use std::io::{self, BufRead};
use std::num::NonZeroU16;

/// The maximum length of a line, in bytes. The standard requires 1024, which some records exceed; with a limit, a file
/// without line ends does not fill the memory.
const MAX_LINE: usize = 64 * 1024;

/// An iterator over the lines of a file. A line without a position is an error, and reading continues after it; in a
/// line with wrong operations the others are read.
///
/// Skips blank lines and comments, which start with `#`. The text is UTF-8, with or without a byte
/// order mark, or Latin-1; lines end in LF, CRLF or CR.
///
/// ```
/// use hematite_core::notation::EpdReader;
/// let file = "# two positions\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n8/8 w - -\n";
/// let mut records = EpdReader::new(file.as_bytes());
/// assert!(records.next().unwrap().unwrap().problems.is_empty());
/// let error = records.next().unwrap().unwrap_err();
/// assert!(error.to_string().starts_with("line 3, column 1: piece placement: 2 ranks"));
/// assert!(records.next().is_none());
/// ```
#[derive(Debug)]
pub struct EpdReader<R> {
    reader: R,
    /// The number of the latest line.
    line: usize,
    /// The text of the latest record.
    text: String,
    /// Whether the last line ended in CR, so that an LF belongs to it.
    after_cr: bool,
    is_over: bool,
}

impl<R: BufRead> EpdReader<R> {
    /// The records of a file.
    pub const fn new(reader: R) -> Self {
        Self { reader, line: 0, text: String::new(), after_cr: false, is_over: false }
    }

    /// The text of the latest line with a record, also of one that cannot be understood; empty if it cannot be read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The next line without its line end; `None` after the last one.
    fn read_line(&mut self) -> Option<Result<Vec<u8>, EpdProblem>> {
        let mut line = Vec::new();
        let mut length = 0_usize;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(EpdProblem::Io(error)));
                }
            };
            if buffer.is_empty() {
                self.is_over = true;
                break if length == 0 { None } else { Some(()) };
            }
            let skipped = usize::from(self.after_cr && buffer[0] == b'\n');
            self.after_cr = false;
            let end = buffer[skipped..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &buffer[skipped..skipped + end.unwrap_or(buffer.len() - skipped)];
            if line.len() + part.len() <= MAX_LINE {
                line.extend_from_slice(part);
            }
            length = length.saturating_add(part.len());
            let used = skipped + part.len() + usize::from(end.is_some());
            self.after_cr = end.is_some_and(|end| buffer[skipped + end] == b'\r');
            self.reader.consume(used);
            if end.is_some() {
                break Some(());
            }
        }?;
        Some(if length > MAX_LINE { Err(EpdProblem::TooLong(MAX_LINE)) } else { Ok(line) })
    }
}

impl<R: BufRead> Iterator for EpdReader<R> {
    type Item = Result<EpdLine, EpdError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            self.line += 1;
            let line = match self.read_line()? {
                Ok(bytes) => bytes,
                Err(problem) => {
                    self.text.clear();
                    return Some(Err(EpdError { line: self.line, column: 1, problem }));
                }
            };
            let is_first = self.line == 1;
            let marked = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first);
            // Each line is decoded as UTF-8 if it is valid UTF-8, and as Latin-1 otherwise.
            let text = Encoding::Utf8.decode(marked.unwrap_or(&line));
            let first = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\0');
            if !first.is_empty() && !first.starts_with('#') {
                self.text.clear();
                self.text.push_str(&text);
                return Some(parse_epd_line(&self.text, self.line));
            }
        }
        None
    }
}

/// The fields of the position, in their order.
const FIELDS: [FenField; 4] =
    [FenField::PiecePlacement, FenField::SideToMove, FenField::CastlingRights, FenField::EnPassantSquare];

/// A line of a file, with everything that could be read.
#[derive(Debug)]
pub struct EpdLine {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The position, and the correct operations.
    pub epd: Epd,
    /// Repairs of the position, and the errors in other operations, in their order.
    pub problems: Vec<EpdError>,
    /// Deviations from the standard that could be read: strings without quotes, moves that are not SAN, operations
    /// without the moves that they require, moves that are both best moves and moves to avoid.
    pub remarks: Vec<EpdError>,
}

impl EpdLine {
    /// The record if it has no errors.
    ///
    /// # Errors
    /// The first [`EpdError`] if there is one.
    pub fn into_result(self) -> Result<Epd, EpdError> {
        let is_error = |error: &EpdError| !matches!(error.problem, EpdProblem::Repaired(_));
        match self.problems.into_iter().find(is_error) {
            None => Ok(self.epd),
            Some(error) => Err(error),
        }
    }
}

/// Reads a record, including one that deviates from the standard:
///
/// | read | for example |
/// |---|---|
/// | the counters of a FEN, as the operations `hmvc` and `fmvn` | `w KQkq - 0 1 bm e4;` |
/// | 0 as the number of the first move | `w KQkq - 0 0 bm e4;` |
/// | no `;` at the end, or too many of them | `w - - ; bm e4` |
/// | strings without quotes | `id BK.01;` |
/// | any [SAN](crate::notation::SanReader), move numbers, commas, separate check signs | `bm 1.Qd1 +, e2-e4;` |
/// | a mate instead of a move, as `dm` | `bm #4;` |
/// | NUL bytes at the end | |
/// | all that [`repair_fen`] repairs | `KQkq` without rooks |
///
/// # Errors
/// [`EpdError`] for the first error: an invalid position, an invalid or repeated opcode, operands that the opcode does
/// not take, an illegal move.
pub fn parse_epd(text: &str) -> Result<Epd, EpdError> {
    parse_epd_line(text, 1)?.into_result()
}

/// Reads a record and omits the operations that are wrong. `line` is the number of the line in its file, for the
/// errors.
///
/// # Errors
/// [`EpdError`] if the line does not start with a chess position.
pub fn parse_epd_line(text: &str, line: usize) -> Result<EpdLine, EpdError> {
    let fail = |column, problem| EpdError { line, column, problem };
    let mut scanner = Scanner::new(text);
    let (column, read) = read_position(text, &mut scanner);
    let read = read.map_err(|error| fail(column, EpdProblem::Position(error)))?;
    let position = read.position;
    let repairs = read.note().map(|note| fail(column, EpdProblem::Repaired(note)));
    let (mut operations, problems) = read_counters(&mut scanner);
    let problems = problems.into_iter().map(|(column, problem)| fail(column, problem));
    let mut problems: Vec<_> = repairs.into_iter().chain(problems).collect();
    let (mut seen, mut remarks) = (HashSet::new(), Vec::new());
    let mut avoid_column = 1;
    while let Some(raw) = next_operation(&mut scanner) {
        if raw.opcode().is_ok_and(|opcode| opcode == "am") {
            avoid_column = raw.column;
        }
        match read_new_operation(&raw, &mut seen, &position, &mut remarks) {
            Ok(read) => {
                for operation in read {
                    // `bm` may state a mate, too.
                    if contradicts_mate(&operation, &operations) {
                        problems.push(fail(raw.column, EpdProblem::Repeated { opcode: "dm".to_owned() }));
                    } else {
                        operations.push(operation);
                    }
                }
            }
            Err((column, problem)) => problems.push(fail(column, problem)),
        }
    }
    // The clocks may be stated twice, as counters and as operations; the operations take precedence.
    let epd = Epd::with_operations(position, operations);
    let is_avoided = |mv: &&Move| epd.avoid_moves().contains(mv);
    remarks.extend(epd.best_moves().iter().find(is_avoided).map(|&mv| {
        let san = San::new(epd.position(), mv).text();
        (avoid_column, EpdProblem::Contradiction { san })
    }));
    let remarks = remarks.into_iter().map(|(column, problem)| fail(column, problem)).collect();
    Ok(EpdLine { line, epd, problems, remarks })
}

/// Whether an operation states a mate, and an earlier one a mate in another number of moves.
fn contradicts_mate(operation: &Operation, earlier: &[Operation]) -> bool {
    let mate = |operation: &Operation| match operation {
        Operation::DirectMate(moves) => Some(*moves),
        _ => None,
    };
    mate(operation).is_some_and(|moves| earlier.iter().filter_map(mate).any(|other| other != moves))
}

fn read_new_operation(
    raw: &RawOperation,
    seen: &mut HashSet<String>,
    position: &Position,
    remarks: &mut Vec<Failure>,
) -> Result<Vec<Operation>, Failure> {
    let opcode = raw.opcode()?;
    if !seen.insert(opcode.to_owned()) {
        return Err((raw.column, EpdProblem::Repeated { opcode: opcode.to_owned() }));
    }
    read_operation(raw, position, remarks)
}

/// Reads the four fields of the position; the error has the column of the first wrong field.
fn read_position<'a>(
    line: &'a str,
    scanner: &mut Scanner<'a>,
) -> (usize, Result<RepairedPosition, PositionError>) {
    let mut fen = String::new();
    let mut columns = [1; FIELDS.len()];
    for (index, column) in columns.iter_mut().enumerate() {
        let Some(token) = scanner.word() else { break };
        let TokenKind::Word(mut word) = token.kind else { break };
        // Some files have no space between the missing en passant square and the halfmove clock.
        if FIELDS[index] == FenField::EnPassantSquare
            && let Some(clock) = word.strip_prefix('-')
            && is_number(clock)
        {
            scanner.put_back(line, clock.len());
            word = "-";
        }
        *column = token.column;
        fen.push_str(word);
        fen.push(' ');
    }
    let read = repair_fen(&fen);
    let column = match &read {
        Ok(RepairedPosition { repairs, .. }) => column_of(None, repairs, columns),
        Err(error) => column_of(error.errors.first(), &error.problems, columns),
    };
    (column, read)
}

/// The column of the field that the first reason of an error concerns.
fn column_of(error: Option<&FenError>, problems: &[Problem], columns: [usize; FIELDS.len()]) -> usize {
    let is_wrong = |field: &FenField| match error {
        Some(error) => error.field() == Some(*field),
        None => problems.first().map(Problem::field) == Some(field.to_string().as_str()),
    };
    FIELDS.iter().position(is_wrong).map_or(1, |index| columns[index])
}

/// Reads the halfmove clock and the full-move number of a FEN, if present.
fn read_counters(scanner: &mut Scanner<'_>) -> (Vec<Operation>, Vec<Failure>) {
    let (mut operations, mut problems) = (Vec::new(), Vec::new());
    let mut wrong = |column, opcode: &str, text, expected| {
        let (opcode, found) = (opcode.to_owned(), Excerpt::new(text));
        problems.push((column, EpdProblem::Operands { opcode, found, expected }));
    };
    let Some((column, clock)) = read_counter(scanner) else { return (operations, problems) };
    match clock.parse() {
        Ok(clock) => operations.push(Operation::HalfmoveClock(clock)),
        Err(_) => wrong(column, "hmvc", clock, HALFMOVE_CLOCKS),
    }
    if let Some((column, number)) = read_counter(scanner) {
        match number.parse() {
            Ok(number) => operations.extend(NonZeroU16::new(number).map(Operation::FullmoveNumber)),
            Err(_) => wrong(column, "fmvn", number, FULLMOVE_NUMBERS),
        }
    }
    (operations, problems)
}

/// A number and its column, if the next word is a number.
fn read_counter<'a>(scanner: &mut Scanner<'a>) -> Option<(usize, &'a str)> {
    let mut ahead = scanner.clone();
    let token = ahead.word()?;
    let TokenKind::Word(word) = token.kind else { return None };
    if !is_number(word) {
        return None;
    }
    *scanner = ahead;
    Some((token.column, word))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
