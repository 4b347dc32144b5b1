//! Reading operations and their operands.

use super::scan::{Scanner, Token, TokenKind};
use super::{CentipawnEvaluation, CommentIndex, Correspondent, EpdProblem, Operand, Operation};
use crate::chess::{Move, Position};
use crate::notation::{Excerpt, San, SanError, SanMove, parse_san};
use std::num::NonZeroU16;
use std::str::FromStr;

/// The longest opcode, in characters.
const MAX_OPCODE: usize = 15;

/// The expected halfmove clock, for error messages.
pub(super) const HALFMOVE_CLOCKS: &str = "a number from 0 to 65535";
/// The expected full-move number, for error messages.
pub(super) const FULLMOVE_NUMBERS: &str = "a number from 1 to 65535";

/// A problem and its column.
pub(super) type Failure = (usize, EpdProblem);

/// An operation as written in the record.
#[derive(Debug)]
pub(super) struct RawOperation<'a> {
    /// The column of the opcode.
    pub column: usize,
    opcode: Token<'a>,
    /// The text between the opcode and the semicolon.
    text: &'a str,
    operands: Vec<Token<'a>>,
}

/// Takes the next operation with its semicolon; several semicolons count as one.
pub(super) fn next_operation<'a>(scanner: &mut Scanner<'a>) -> Option<RawOperation<'a>> {
    let opcode = scanner.find(|token| token.kind != TokenKind::Semicolon)?;
    let after_opcode = scanner.rest();
    let mut operands = Vec::new();
    let mut text = after_opcode;
    while let Some(token) = scanner.next() {
        if token.kind == TokenKind::Semicolon {
            text = &after_opcode[..after_opcode.len() - scanner.rest().len() - 1];
            break;
        }
        operands.push(token);
    }
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
    Some(RawOperation { column: opcode.column, opcode, text, operands })
}

impl RawOperation<'_> {
    /// The opcode, if it is valid.
    pub(super) fn opcode(&self) -> Result<&str, Failure> {
        let fail = |found: &str| Err((self.column, EpdProblem::Opcode(Excerpt::new(found))));
        match &self.opcode.kind {
            TokenKind::Word(word) if is_opcode(word) => Ok(word),
            TokenKind::Word(found) | TokenKind::Unclosed(found) => fail(found),
            TokenKind::Text(found) => fail(found),
            TokenKind::Semicolon => fail(";"),
        }
    }

    /// An error for unexpected operands.
    fn unexpected(&self, expected: &'static str) -> Failure {
        let column = self.operands.first().map_or(self.column, |token| token.column);
        let problem = EpdProblem::Operands {
            opcode: self.opcode().map(str::to_owned).unwrap_or_default(),
            found: Excerpt::new(self.text),
            expected,
        };
        (column, problem)
    }

    /// The columns and the texts of the operands, without quotes.
    pub(super) fn operands(&self) -> impl Iterator<Item = (usize, &str)> {
        self.operands.iter().map(|token| {
            let text = match &token.kind {
                TokenKind::Word(text) | TokenKind::Unclosed(text) => text,
                TokenKind::Text(text) => text.as_str(),
                TokenKind::Semicolon => ";",
            };
            (token.column, text)
        })
    }

    /// The operands unchanged, for opcodes that may have any.
    fn any(&self) -> Vec<Operand> {
        let operand = |token: &Token| match &token.kind {
            TokenKind::Text(text) => Operand::Text(text.clone()),
            TokenKind::Word(text) | TokenKind::Unclosed(text) => Operand::Word((*text).to_owned()),
            TokenKind::Semicolon => Operand::Word(";".to_owned()),
        };
        self.operands.iter().map(operand).collect()
    }

    /// A string, if there are operands. Some files have several words without quotes, and some have unescaped quotes
    /// within a string.
    fn text(&self, remarks: &mut Vec<Failure>) -> Option<String> {
        match &self.operands[..] {
            [] => None,
            [Token { kind: TokenKind::Text(text), .. }] => Some(text.clone()),
            _ => {
                let inner = self.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                if inner.is_none() && self.operands.len() > 1 {
                    let opcode = self.opcode().map(str::to_owned).unwrap_or_default();
                    let problem = EpdProblem::Unquoted { opcode, found: Excerpt::new(self.text) };
                    remarks.push((self.operands[0].column, problem));
                }
                Some(inner.unwrap_or(self.text).to_owned())
            }
        }
    }

    /// An integer. A plus sign is allowed.
    fn number<N: FromStr>(&self, expected: &'static str) -> Result<N, Failure> {
        let mut operands = self.operands();
        match (operands.next(), operands.next()) {
            (Some((_, text)), None) => text.parse().map_err(|_| self.unexpected(expected)),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn nothing(&self, operation: Operation) -> Result<Operation, Failure> {
        if self.operands.is_empty() { Ok(operation) } else { Err(self.unexpected("no operand")) }
    }

    fn correspondent(&self) -> Result<Correspondent, Failure> {
        let operands: Vec<&str> = self.operands().map(|(_, text)| text).collect();
        match operands[..] {
            [address, name] => Ok(Correspondent { address: address.to_owned(), name: name.to_owned() }),
            _ => Err(self.unexpected("an address and a name, both in quotes")),
        }
    }
}

/// Whether a word is a letter followed by up to fourteen letters, digits or underscores.
fn is_opcode(word: &str) -> bool {
    word.len() <= MAX_OPCODE
        && word.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The meaning of an operation, which is several operations only if a best move and a mate are stated together.
/// Deviations from the standard that can be understood are added to `remarks`.
pub(super) fn read_operation(
    raw: &RawOperation,
    position: &Position,
    remarks: &mut Vec<Failure>,
) -> Result<Vec<Operation>, Failure> {
    let opcode = raw.opcode()?;
    if let Some(Token { column, kind: TokenKind::Unclosed(found) }) = raw.operands.last() {
        let opcode = opcode.to_owned();
        return Err((*column, EpdProblem::UnclosedString { opcode, found: Excerpt::new(found) }));
    }
    let operation = match opcode {
        "bm" => return read_best_moves(raw, position, remarks),
        "acd" => Operation::AnalysisDepth(raw.number("a number of plies")?),
        "acn" => Operation::AnalysisNodes(raw.number("a number of nodes")?),
        "acs" => Operation::AnalysisSeconds(raw.number("a number of seconds")?),
        "am" => {
            let (moves, mate) = read_alternatives(raw, position, remarks)?;
            if mate.is_some() {
                return Err(raw.unexpected("moves"));
            }
            if moves.is_empty() {
                remarks.push(raw.unexpected("moves"));
            }
            Operation::AvoidMoves(moves)
        }
        "ce" => {
            let expected = "centipawns from -32767 to 32766";
            let evaluation = CentipawnEvaluation::new(raw.number(expected)?);
            Operation::Evaluation(evaluation.ok_or_else(|| raw.unexpected(expected))?)
        }
        "dm" => Operation::DirectMate(raw.number("a number of moves from 1")?),
        "draw_accept" => raw.nothing(Operation::DrawAccept)?,
        "draw_claim" => raw.nothing(Operation::DrawClaim)?,
        "draw_offer" => raw.nothing(Operation::DrawOffer)?,
        "draw_reject" => raw.nothing(Operation::DrawReject)?,
        "eco" => Operation::Eco(raw.text(remarks)),
        "fmvn" => Operation::FullmoveNumber(raw.number(FULLMOVE_NUMBERS)?),
        "hmvc" => Operation::HalfmoveClock(raw.number(HALFMOVE_CLOCKS)?),
        "id" => {
            let expected = "a name in quotes";
            let name = raw.text(remarks).ok_or_else(|| raw.unexpected(expected))?;
            if name.trim().is_empty() {
                remarks.push(raw.unexpected(expected));
            }
            Operation::Id(name)
        }
        "nic" => Operation::Nic(raw.text(remarks)),
        "noop" => Operation::Noop(raw.any()),
        "pm" => Operation::PredictedMove(read_one_move(raw, position, remarks)?),
        "pv" => Operation::PredictedVariation(read_variation(raw, position, remarks)?),
        "rc" => Operation::RepetitionCount(raw.number("a number from 1")?),
        "resign" => raw.nothing(Operation::Resign)?,
        "sm" => Operation::SuppliedMove(read_one_move(raw, position, remarks)?),
        "tcgs" => Operation::GameSelector(raw.number("a number from 1")?),
        "tcri" => Operation::Receiver(raw.correspondent()?),
        "tcsi" => Operation::Sender(raw.correspondent()?),
        _ => match level(opcode) {
            Some(('c', level)) => Operation::Comment(level, raw.text(remarks)),
            Some(('v', level)) => Operation::VariationName(level, raw.text(remarks)),
            _ => Operation::Other { opcode: opcode.to_owned(), operands: raw.any() },
        },
    };
    Ok(vec![operation])
}

/// Reads `bm`, where some files state a mate instead of a move or in addition to it.
fn read_best_moves(
    raw: &RawOperation,
    position: &Position,
    remarks: &mut Vec<Failure>,
) -> Result<Vec<Operation>, Failure> {
    let (moves, mate) = read_alternatives(raw, position, remarks)?;
    let mate = mate.map(Operation::DirectMate);
    if moves.is_empty() && mate.is_some() {
        return Ok(mate.into_iter().collect());
    }
    if moves.is_empty() {
        remarks.push(raw.unexpected("moves"));
    }
    Ok(std::iter::once(Operation::BestMoves(moves)).chain(mate).collect())
}

/// The letter and the digit of opcodes such as `c0` to `c9` and `v0` to `v9`.
fn level(opcode: &str) -> Option<(char, CommentIndex)> {
    let mut letters = opcode.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some(letter), Some(digit), None) => {
            let digit = u8::try_from(digit.to_digit(10)?).ok()?;
            Some((letter, CommentIndex::new(digit)?))
        }
        _ => None,
    }
}

/// One word of the operands.
enum Word<'a> {
    Move(&'a str),
    /// `#4`: mate in this number of moves.
    Mate(NonZeroU16),
    /// A move number, or a check sign or an annotation separated from its move.
    Sign,
}

impl<'a> Word<'a> {
    fn new(text: &'a str) -> Self {
        if let Some(Ok(moves)) = text.strip_prefix('#').map(str::parse) {
            return Self::Mate(moves);
        }
        if text.chars().all(|letter| matches!(letter, '+' | '#' | '!' | '?')) {
            return Self::Sign;
        }
        // `1.e4`, `1...e5`; castling with zeros has no dot.
        let after_digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let mv = if after_digits.starts_with('.') { after_digits.trim_start_matches('.') } else { text };
        if mv.is_empty() { Self::Sign } else { Self::Move(mv) }
    }
}

/// The words of the operands, each with its column.
fn words<'a>(raw: &'a RawOperation) -> impl Iterator<Item = (usize, Word<'a>)> {
    raw.operands().flat_map(|(column, text)| {
        let is_between = |letter: char| letter == ',' || letter.is_whitespace();
        text.split(is_between).filter(|word| !word.is_empty()).map(move |word| (column, Word::new(word)))
    })
}

/// Reads alternative moves of the position, and a mate that may be stated with them.
fn read_alternatives(
    raw: &RawOperation,
    position: &Position,
    remarks: &mut Vec<Failure>,
) -> Result<(Vec<Move>, Option<NonZeroU16>), Failure> {
    let mut moves = Vec::new();
    let mut mate = None;
    for (column, word) in words(raw) {
        match word {
            Word::Move(text) => moves.push(read_move(raw, column, text, position, remarks)?),
            Word::Mate(distance) => mate = Some(distance),
            Word::Sign => {}
        }
    }
    Ok((moves, mate))
}

/// Reads a sequence of moves.
fn read_variation(
    raw: &RawOperation,
    start: &Position,
    remarks: &mut Vec<Failure>,
) -> Result<Vec<Move>, Failure> {
    let mut position = *start;
    let mut moves = Vec::new();
    for (column, word) in words(raw) {
        if let Word::Move(text) = word {
            let mv = read_move(raw, column, text, &position, remarks)?;
            position = position.after(mv).0;
            moves.push(mv);
        }
    }
    if moves.is_empty() {
        remarks.push(raw.unexpected("moves"));
    }
    Ok(moves)
}

/// Reads exactly one move.
fn read_one_move(
    raw: &RawOperation,
    position: &Position,
    remarks: &mut Vec<Failure>,
) -> Result<Move, Failure> {
    match read_alternatives(raw, position, remarks)? {
        (moves, None) if moves.len() == 1 => Ok(moves[0]),
        _ => Err(raw.unexpected("one move")),
    }
}

fn read_move(
    raw: &RawOperation,
    column: usize,
    text: &str,
    position: &Position,
    remarks: &mut Vec<Failure>,
) -> Result<Move, Failure> {
    let fail = |error| Ok((column, EpdProblem::Move { opcode: raw.opcode()?.to_owned(), error }));
    let found = Excerpt::new(text);
    match parse_san(text, position) {
        Ok(SanMove::Move(mv)) => {
            let expected = San::new(position, mv).text();
            if !is_san(text, expected.as_str()) {
                remarks.push(fail(SanError::NotCanonical { found, expected })?);
            }
            Ok(mv)
        }
        Ok(SanMove::Null) => Err(fail(SanError::NotAMove(found))?),
        Err(error) => Err(fail(error)?),
    }
}

/// Whether the text of a move is SAN, except for signs that are wrong, missing or superfluous, and an origin that is
/// longer than necessary.
fn is_san(text: &str, canonical: &str) -> bool {
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let without_x = |text: &str| letters(text).replace('x', "");
    let (found, expected) = (without_x(text), without_x(canonical));
    if text.contains('-') != canonical.contains('-') {
        return false;
    }
    let is_piece = expected.starts_with(|letter: char| letter.is_ascii_uppercase());
    let (piece, target) = (expected.get(..1), expected.get(expected.len().saturating_sub(2)..));
    found == expected
        || is_piece
            && piece.is_some_and(|piece| found.starts_with(piece))
            && target.is_some_and(|target| found.ends_with(target))
}
