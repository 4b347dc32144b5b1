//! The cases of a suite, read line by line: the grammar of a line, its content and its errors.

use crate::chess::Position;
use crate::files::read_line;
use crate::notation::{Excerpt, PositionError, RepairedPosition, repair_fen};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use thiserror::Error;

/// The maximum length of a line, in bytes: several times that of a FEN with a hundred counts. With a limit, a file
/// without line ends does not fill the memory.
const MAX_LINE: usize = 16 * 1024;

/// The cases of a suite, read on demand. A line that cannot be read is an error with its number, and reading continues
/// after it.
pub fn cases<R: BufRead>(reader: R) -> Cases<R> {
    Cases { reader, line: 0, name: None, block: Block::None, ready: VecDeque::new(), is_over: false }
}

/// The iterator that [`cases`] returns.
#[derive(Debug)]
pub struct Cases<R> {
    reader: R,
    /// The number of the latest line.
    line: usize,
    /// The name of the next position.
    name: Option<String>,
    block: Block,
    ready: VecDeque<Result<Case, SuiteError>>,
    is_over: bool,
}

/// The block whose counts are being read.
#[derive(Debug)]
enum Block {
    None,
    Open(Case),
    /// The position could not be read, so its counts cannot be used.
    Broken,
}

impl<R: BufRead> Iterator for Cases<R> {
    type Item = Result<Case, SuiteError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.is_over {
            self.line += 1;
            match self.read_line() {
                Ok(Some(text)) => self.take_line(&text),
                Ok(None) => {
                    self.is_over = true;
                    self.close_block();
                }
                Err(problem) => {
                    self.is_over = matches!(problem, SuiteProblem::Io(_));
                    self.refuse(problem);
                }
            }
        }
        self.ready.pop_front()
    }
}

impl<R: BufRead> Cases<R> {
    /// The next line; `None` after the last one.
    fn read_line(&mut self) -> Result<Option<String>, SuiteProblem> {
        let Some(line) = read_line(&mut self.reader, MAX_LINE).map_err(SuiteProblem::Io)? else {
            return Ok(None);
        };
        if line.is_cut {
            return Err(SuiteProblem::TooLong(MAX_LINE));
        }
        // Comments may have any encoding; a position that is not ASCII is rejected later.
        let text = String::from_utf8_lossy(&line.bytes);
        let text = if self.line == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        Ok(Some(text.to_owned()))
    }

    /// The case of the current line.
    fn case(&self, name: Option<String>, read: &RepairedPosition, counts: Vec<Count>) -> Case {
        Case { line: self.line, name, position: read.position, repairs: read.note(), counts }
    }

    fn take_line(&mut self, text: &str) {
        match Line::parse(text) {
            Ok(Line::Comment) => {}
            Ok(Line::Name(name)) => {
                self.close_block();
                self.name = Some(name);
            }
            Ok(Line::Position(read)) => {
                self.close_block();
                let name = self.name.take();
                self.block = Block::Open(self.case(name, &read, Vec::new()));
            }
            Ok(Line::Count(count)) => match &mut self.block {
                Block::Open(case) => case.counts.push(count),
                Block::Broken => {}
                Block::None => self.fail(SuiteProblem::NoPosition),
            },
            Ok(Line::Case(name, read, counts)) => {
                self.close_block();
                let name = name.or(self.name.take());
                self.finish(self.case(name, &read, counts));
            }
            Err(problem @ SuiteProblem::Count(_)) => self.fail(problem),
            Err(problem) => self.refuse(problem),
        }
    }

    /// Rejects a line that may have been a position, so that no count after it is taken for one of an earlier position.
    fn refuse(&mut self, problem: SuiteProblem) {
        self.close_block();
        self.name = None;
        self.block = Block::Broken;
        self.fail(problem);
    }

    fn close_block(&mut self) {
        if let Block::Open(case) = std::mem::replace(&mut self.block, Block::None) {
            self.finish(case);
        }
    }

    fn finish(&mut self, case: Case) {
        self.ready.push_back(if case.counts.is_empty() {
            Err(SuiteError { line: case.line, problem: SuiteProblem::NoCounts })
        } else {
            Ok(case)
        });
    }

    fn fail(&mut self, problem: SuiteProblem) {
        self.ready.push_back(Err(SuiteError { line: self.line, problem }));
    }
}

/// The maximum depth of a count, in plies. Beyond a dozen plies only locked positions have trees that can be counted;
/// the limit catches typing errors.
pub const MAX_DEPTH: u32 = 64;

/// The number of leaves of the tree of legal moves at a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The depth in plies, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// The number of leaves.
    pub nodes: u64,
}

/// A position with its known counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The number of the line with the position, counted from 1.
    pub line: usize,
    /// The name in the suite.
    pub name: Option<String>,
    /// The root of the trees.
    pub position: Position,
    /// The message about repairs of the FEN, if there are any.
    pub repairs: Option<String>,
    /// The known counts, in the order of the suite; at least one.
    pub counts: Vec<Count>,
}

/// The content of a line.
pub(super) enum Line {
    /// A blank line or a comment.
    Comment,
    /// `id NAME`: the name of the next position.
    Name(String),
    /// `epd FEN`: a position whose counts are on the lines that follow.
    Position(RepairedPosition),
    /// `perft DEPTH NODES`: a count of the position above.
    Count(Count),
    /// A position with its counts.
    Case(Option<String>, RepairedPosition, Vec<Count>),
}

impl Line {
    pub(super) fn parse(raw: &str) -> Result<Self, SuiteProblem> {
        // Some programs write NUL bytes at the ends of lines.
        let raw = raw.trim_end_matches(|end: char| end.is_whitespace() || end == '\0');
        let text = raw.trim_start();
        if text.is_empty() || text.starts_with('#') {
            return Ok(Self::Comment);
        }
        if let [name, fen, depth, nodes] = raw.split('\t').collect::<Vec<_>>()[..]
            && fen.contains('/')
        {
            let name = Some(name.trim()).filter(|name| !name.is_empty()).map(str::to_owned);
            let count = parse_count(&format!("{depth} {nodes}"))?;
            return Ok(Self::Case(name, repair_fen(fen)?, vec![count]));
        }
        match text.split_once(char::is_whitespace) {
            Some(("id", name)) => Ok(Self::Name(name.trim().to_owned())),
            Some(("epd", fen)) => Ok(Self::Position(repair_fen(fen)?)),
            Some(("perft", count)) => Ok(Self::Count(parse_count(count)?)),
            _ => parse_epd(text),
        }
    }
}

/// Reads a line such as `FEN ;D1 20 ;D2 400`; the operations may include `id "name"`.
fn parse_epd(text: &str) -> Result<Line, SuiteProblem> {
    let mut parts = text.split(';');
    let position = repair_fen(parts.next().unwrap_or_default())?;
    let mut name = None;
    let mut counts = Vec::new();
    for operation in parts.map(str::trim).filter(|operation| !operation.is_empty()) {
        if let Some(count) = operation.strip_prefix(['D', 'd']) {
            counts.push(parse_count(count).map_err(|_| SuiteProblem::Operation(Excerpt::new(operation)))?);
        } else if let Some(("id", text)) = operation.split_once(char::is_whitespace) {
            name = Some(text.trim().trim_matches('"').to_owned());
        } else {
            return Err(SuiteProblem::Operation(Excerpt::new(operation)));
        }
    }
    Ok(Line::Case(name, position, counts))
}

/// Reads a count such as `2 400`.
fn parse_count(text: &str) -> Result<Count, SuiteProblem> {
    let mut numbers = text.split_whitespace();
    let depth = numbers.next().and_then(|depth| depth.parse().ok()).filter(|depth| *depth <= MAX_DEPTH);
    let nodes = numbers.next().and_then(|nodes| nodes.parse().ok());
    match (depth, nodes, numbers.next()) {
        (Some(depth), Some(nodes), None) => Ok(Count { depth, nodes }),
        _ => Err(SuiteProblem::Count(Excerpt::new(text.trim()))),
    }
}

/// A line of a suite that cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct SuiteError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The problem.
    #[source]
    pub problem: SuiteProblem,
}

/// The problem of a line of a suite.
#[derive(Debug, Error)]
pub enum SuiteProblem {
    /// The rest of the file cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// The line is longer than this many bytes.
    #[error("longer than {0} bytes, expected one position")]
    TooLong(usize),
    /// The position is not a chess position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The text is not an operation of an EPD line.
    #[error("expected `;D<depth> <nodes>`, found {0}")]
    Operation(Excerpt),
    /// The text is not the depth and the number of a count.
    #[error("expected a depth 0 to {MAX_DEPTH} and a number of nodes, found {0}")]
    Count(Excerpt),
    /// The position has no counts.
    #[error("a position without counts, expected `;D<depth> <nodes>`")]
    NoCounts,
    /// There is no position before the count.
    #[error("a count without a position, expected `epd <FEN>` before it")]
    NoPosition,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Fen;
    use crate::suite::perft::MAX_DEPTH;

    /// Each case as `line name FEN: depth=nodes ...`, and each error as displayed.
    fn read(text: impl AsRef<[u8]>) -> Vec<String> {
        let show = |case: Case| {
            let counts: Vec<String> =
                case.counts.iter().map(|count| format!("{}={}", count.depth, count.nodes)).collect();
            let fen = Fen::new(&case.position).to_string();
            format!("{} {} {fen}: {}", case.line, case.name.unwrap_or_default(), counts.join(" "))
        };
        cases(text.as_ref()).map(|case| case.map_or_else(|error| error.to_string(), show)).collect()
    }

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

    #[test]
    fn reads_every_form() {
        let full = format!("{KINGS} 0 1");
        let cases = [
            ("nothing", String::new(), vec![]),
            ("comments", "# one\n\n  \t\n#two".to_owned(), vec![]),
            (
                "EPD lines",
                format!("{KINGS} ;D1 5 ;D2 25\n{KINGS} 0 1; D1 5; D2 25; \r\n{KINGS};d1\t5;;D3   170 ;"),
                vec![
                    format!("1  {full}: 1=5 2=25"),
                    format!("2  {full}: 1=5 2=25"),
                    format!("3  {full}: 1=5 3=170"),
                ],
            ),
            (
                "a FEN with tabs",
                format!("{}\t;D1 5", KINGS.replace(' ', "\t")),
                vec![format!("1  {full}: 1=5")],
            ),
            (
                "lines that end with NUL bytes",
                format!("{KINGS};D1 5 \0\0\n{KINGS};D1 5\0\r\n\0\n"),
                vec![format!("1  {full}: 1=5"), format!("2  {full}: 1=5")],
            ),
            (
                "an EPD line with a name",
                format!("{KINGS} ;id \"bare kings\";D1 5"),
                vec![format!("1 bare kings {full}: 1=5")],
            ),
            (
                "blocks",
                format!(
                    "# head\nid one\nepd {KINGS}\nperft 1 5\nperft 2 25\n\nid two 2\nepd  {KINGS} \nperft\t1 5"
                ),
                vec![format!("3 one {full}: 1=5 2=25"), format!("8 two 2 {full}: 1=5")],
            ),
            (
                "blocks without names",
                format!("epd {KINGS}\nperft 1 5\nepd {KINGS}\n# comment\nperft 0 1\n"),
                vec![format!("1  {full}: 1=5"), format!("3  {full}: 0=1")],
            ),
            (
                "columns",
                format!("#group\tfen\tdepth\tnodes\nG\t{KINGS} 0 1\t2\t25\n\t{KINGS}\t1\t5\n"),
                vec![format!("2 G {full}: 2=25"), format!("3  {full}: 1=5")],
            ),
            (
                "all in one, after a byte order mark",
                format!("\u{feff}id one\nepd {KINGS}\nperft 1 5\n{KINGS};D1 5\nG\t{KINGS}\t1\t5"),
                vec![format!("2 one {full}: 1=5"), format!("4  {full}: 1=5"), format!("5 G {full}: 1=5")],
            ),
        ];
        for (name, text, expected) in cases {
            assert_eq!(read(text), expected, "{name}");
        }
    }

    #[test]
    fn errors_name_the_line_and_reading_goes_on() {
        let whole = format!("{KINGS};D1 5");
        let after = |line: usize| format!("{line}  {KINGS} 0 1: 1=5");
        let too_deep = MAX_DEPTH + 1;
        let no_fen = "line 1: piece placement: 1 rank, expected 8 separated by `/`; side to move: missing, \
                      expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`";
        let cases = [
            (
                format!("{KINGS};D1 x\n{whole}"),
                vec!["line 1: expected `;D<depth> <nodes>`, found `D1 x`".to_owned(), after(2)],
            ),
            (format!("{KINGS};D1\n"), vec!["line 1: expected `;D<depth> <nodes>`, found `D1`".to_owned()]),
            (
                format!("{KINGS};D1 5 6\n"),
                vec!["line 1: expected `;D<depth> <nodes>`, found `D1 5 6`".to_owned()],
            ),
            (
                format!("{KINGS};bm e4\n"),
                vec!["line 1: expected `;D<depth> <nodes>`, found `bm e4`".to_owned()],
            ),
            (
                format!("{KINGS};D{too_deep} 1"),
                vec![format!("line 1: expected `;D<depth> <nodes>`, found `D{too_deep} 1`")],
            ),
            (
                format!("\n{KINGS}\n{whole}"),
                vec!["line 2: a position without counts, expected `;D<depth> <nodes>`".to_owned(), after(3)],
            ),
            (
                "8/8 w - -;D1 1".to_owned(),
                vec!["line 1: piece placement: 2 ranks, expected 8 separated by `/`".to_owned()],
            ),
            (format!("epd x\nperft 1 5\n{whole}"), vec![no_fen.to_owned(), after(3)]),
            (
                "perft 1 20".to_owned(),
                vec!["line 1: a count without a position, expected `epd <FEN>` before it".to_owned()],
            ),
            (
                format!("epd {KINGS}\nperft one 5\nperft 1 5"),
                vec![
                    "line 2: expected a depth 0 to 64 and a number of nodes, found `one 5`".to_owned(),
                    after(1),
                ],
            ),
            (
                format!("id x\nepd {KINGS}\nid y\n"),
                vec!["line 2: a position without counts, expected `;D<depth> <nodes>`".to_owned()],
            ),
            (
                format!("G\t{KINGS}\t1\t-5"),
                vec!["line 1: expected a depth 0 to 64 and a number of nodes, found `1 -5`".to_owned()],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(read(&text), expected, "{text}");
        }
    }

    #[test]
    fn hostile_bytes_are_errors() {
        assert_eq!(read(b"# caf\xe9\n".as_slice()), Vec::<String>::new());
        let endless = vec![b'8'; 10 * MAX_LINE];
        assert_eq!(read(&endless), ["line 1: longer than 16384 bytes, expected one position"]);
        let then = [&endless, "\n".as_bytes(), format!("{KINGS};D1 5").as_bytes()].concat();
        assert_eq!(read(&then), [read(&endless)[0].clone(), format!("2  {KINGS} 0 1: 1=5")]);
        assert_eq!(
            read(b"\0\xff;D1 1".as_slice()),
            [
                "line 1: piece placement: 1 rank, expected 8 separated by `/`; side to move: missing, expected \
              `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`"
            ]
        );
    }
}
