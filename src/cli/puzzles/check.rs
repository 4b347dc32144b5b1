//! `hematite puzzles check`: verification of puzzles.

use super::work::{Effort, Format, JobProgress, Original, PuzzleWriter, in_order, input_error, read_games};
use crate::analysis::puzzles::{
    Checker, Claim, Columns, Proof, Puzzle, Rules, Verdict, claim_of_epd, claim_of_row, problem_of_game,
    puzzle_of_epd,
};
use crate::cli::progress::are_countable;
use crate::cli::streams::{IgnoreBrokenPipe, InputStatus, OutputArg, STDOUT, open};
use crate::cli::values::{JsonArg, chances_in, positive};
use crate::cli::{CliError, ExitStatus};
use crate::database::{Content, Source, find_sources};
use crate::files::read_line;
use crate::notation::pgn::Encoding;
use crate::notation::{EpdProblem, EpdReader, parse_epd, pluralize};
use serde::Serialize;
use serde_json::Map;
use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  hematite puzzles check puzzles.pgn
  hematite puzzles check lichess_db_puzzle.csv.zst --max 1000 --nodes 200k
  hematite puzzles check suite.epd --json
  hematite puzzles check puzzles.csv -o true.pgn

A puzzle is true if each move of the solver is the best and every other move is a blunder: it has --gap less winning
chances, on lichess's scale from -1 to 1. A line that ends in mate is true if each move mates in time and no other does
so, which is proved by trying everything; the last move may be any that mates. Of EPD, `bm` must be the best moves, and
`dm` the length of the shortest mate. Games without a FEN tag and records without `bm` and `dm` claim nothing.
The false ones are listed as FILE:LINE: what is wrong; exit code 1 if there is any, or one that the budget is too small
for.";

/// The default number of nodes of each search.
const NODES: u64 = 1_000_000;
/// The maximum length of a line of a table, in bytes.
const MAX_LINE: usize = 1 << 16;

/// Check puzzles: ours, lichess's puzzle file, EPD with bm or dm, PGN.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files, folders (all .pgn, .epd and .csv files and collections in and below them), `-` for standard input; .zst,
    /// .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Read this format [default: by the names of the files, or else by their content].
    #[arg(long, value_name = "FORMAT")]
    from: Option<FromFormat>,

    /// Write the puzzles that are true, in the format of this file's name, and unchanged if that is the format of the
    /// input; with `-` to standard output in PGN, and the others are listed on standard error. It must not be one of
    /// the inputs.
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    json: JsonArg,

    /// Nodes of each search, `k` and `M` are allowed. The mate solver may make eight moves for each of them.
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = positive)]
    nodes: u64,

    /// The least distance in winning chances from the solver's move to the next best.
    #[arg(long, value_name = "CHANCES", default_value = "0.3", value_parser = chances_in(0.0..=2.0))]
    gap: f64,

    /// Check only the first N puzzles of each file.
    #[arg(long, value_name = "N", value_parser = positive)]
    max: Option<u64>,

    #[command(flatten)]
    effort: Effort,
}

/// The format of an input.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum FromFormat {
    Pgn,
    Epd,
    Csv,
}

/// A verdict and its explanation.
pub(super) struct Judgement {
    pub is_true: bool,
    verdict: &'static str,
    proof: Option<&'static str>,
    /// The problem; empty if there is none.
    pub text: String,
}

impl Judgement {
    pub(super) fn of(verdict: &Verdict) -> Self {
        let of = |is_true, verdict, proof, text| Self { is_true, verdict, proof, text };
        match verdict {
            Verdict::True(proof) => {
                let proof = match proof {
                    Proof::Mate => "mate",
                    Proof::Tables => "tables",
                    Proof::Search => "search",
                };
                of(true, "true", Some(proof), String::new())
            }
            Verdict::False(flaw) => of(false, "false", None, flaw.to_string()),
            Verdict::Open(flaw) => of(false, "open", None, flaw.to_string()),
        }
    }

    /// The judgement of a record that cannot be read.
    fn unreadable(problem: String) -> Self {
        Self { is_true: false, verdict: "false", proof: None, text: problem }
    }
}

/// A record of a file of puzzles.
struct Record {
    file: Arc<str>,
    line: u64,
    id: String,
    /// The claim of the record; an error if it cannot be read.
    claim: Result<Claim, String>,
    original: Original,
}

impl Record {
    /// The puzzle, for the formats that are not that of the record; `None` if the record cannot be read.
    fn puzzle(&self) -> Option<Puzzle> {
        match (&self.claim, &self.original) {
            (Ok(Claim::Line(puzzle)), _) => Some((**puzzle).clone()),
            (Ok(Claim::Moves { .. }), Original::Record(text)) => puzzle_of_epd(&parse_epd(text).ok()?),
            _ => None,
        }
    }
}

/// A record that has been checked.
struct Checked {
    record: Record,
    judgement: Judgement,
}

/// A record in JSON.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    line: u64,
    id: &'a str,
    verdict: &'static str,
    proof: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    problem: &'a str,
}

#[derive(Default, Serialize)]
struct Counts {
    #[serde(rename = "checked")]
    puzzles: u64,
    r#true: u64,
    r#false: u64,
    open: u64,
    /// The number of records without a claim.
    left_out: u64,
    /// The number of correct puzzles that are not written, since a table needs the move before the puzzle.
    without_lead: u64,
}

impl Counts {
    fn add(&mut self, judgement: &Judgement) {
        self.puzzles += 1;
        match judgement.verdict {
            "true" => self.r#true += 1,
            "open" => self.open += 1,
            _ => self.r#false += 1,
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}: {} true", pluralize(self.puzzles, "puzzle"), self.r#true);
        for (count, what) in [(self.r#false, "false"), (self.open, "open"), (self.left_out, "left out")] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        if self.without_lead > 0 {
            let count = self.without_lead;
            text.push_str(&format!("; {count} not written without the move before, which a table needs"));
        }
        text
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let is_standard = self.output.as_deref().is_some_and(|path| path.as_os_str() == STDOUT);
        if is_standard && self.json.is_given() {
            let problem = "--json and `-o -` both write to standard output, expected one of them";
            return Err(CliError::usage(problem));
        }
        let mut status = InputStatus::default();
        let sources = self.sources(&mut status);
        self.check_output(&sources)?;
        let rules = Rules { gap: self.gap, ..Rules::default() };
        let mut counts = Counts::default();
        // Counting repeats the warnings about a source, which belong into a log only once.
        let count = || if io::stderr().is_terminal() { self.count(&sources) } else { None };
        let progress = JobProgress::new("puzzle", true, count);
        let (mut nowhere, mut errors) = (io::sink(), io::stderr());
        // At most one of the two is standard output.
        let (out, puzzles): (&mut dyn Write, &mut dyn Write) =
            if is_standard { (&mut errors, out) } else { (out, &mut nowhere) };
        let mut writer = match &self.output {
            Some(path) => {
                let format = Format::of(path).unwrap_or(Format::Pgn);
                Some(PuzzleWriter::new(open(path, puzzles)?, format)?)
            }
            None => None,
        };
        // The exit code also reports whether all puzzles are correct.
        let out = &mut IgnoreBrokenPipe::new(out);
        let check = |prover| {
            let mut checker = Checker::new(prover, rules);
            move |record: Record| {
                let judgement = match &record.claim {
                    Ok(claim) => Judgement::of(&checker.check(claim)),
                    Err(problem) => Judgement::unreadable(problem.clone()),
                };
                Checked { record, judgement }
            }
        };
        let workers: Vec<_> = self.effort.provers(self.nodes)?.into_iter().map(check).collect();
        if self.json.is_given() {
            write!(out, "{{\"puzzles\":[")?;
        }
        let (mut left_out, mut without_lead) = (0, 0);
        in_order(workers, &progress, |queue| {
            let mut take = |Checked { record, judgement }: Checked| {
                let is_first = counts.puzzles == 0;
                counts.add(&judgement);
                progress.bar.suspend(|| self.list(&record, &judgement, is_first, out))?;
                if let Some(writer) = writer.as_mut().filter(|_| judgement.is_true)
                    && !writer.write_original(&record.original)?
                    && let Some(puzzle) = record.puzzle()
                {
                    without_lead += u64::from(!writer.write(&puzzle)?);
                }
                Ok(())
            };
            for source in &sources {
                let mut read = 0;
                let result = self.read(source, &mut |record| {
                    let Some(record) = record else {
                        left_out += 1;
                        return Ok(ControlFlow::Continue(()));
                    };
                    read += 1;
                    queue.put(record, &mut take)?;
                    Ok(self.flow(read))
                });
                status.take_file(source.path(), result)?;
            }
            queue.finish(&mut take)
        })?;
        progress.bar.finish_and_clear();
        counts.left_out = left_out;
        counts.without_lead = without_lead;
        status.check_target(self.output.as_deref())?;
        if let Some(writer) = writer {
            writer.finish(Map::new())?;
        }
        if self.json.is_given() {
            let counts = serde_json::to_string(&counts)?;
            writeln!(out, "],{}", counts.trim_start_matches('{'))?;
        } else {
            writeln!(out, "{}", counts.text())?;
        }
        let answer = if counts.r#true == counts.puzzles { ExitStatus::Yes } else { ExitStatus::No };
        Ok(answer.max(status.status()?))
    }

    /// Writes a record: in JSON any, in text only one that is not correct.
    fn list(
        &self,
        record: &Record,
        judgement: &Judgement,
        is_first: bool,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let Record { file, line, id, .. } = record;
        let Judgement { is_true, verdict, proof, text } = judgement;
        if self.json.is_given() {
            write!(out, "{}", if is_first { "" } else { "," })?;
            let row = Row { file, line: *line, id, verdict, proof: *proof, problem: text };
            return Ok(serde_json::to_writer(out, &row)?);
        }
        if !is_true {
            let id = if id.is_empty() { String::new() } else { format!("{id}: ") };
            writeln!(out, "{file}:{line}: {id}{text}")?;
        }
        Ok(())
    }

    /// Whether to continue after this number of puzzles of a source.
    fn flow(&self, read: u64) -> ControlFlow<()> {
        match self.max {
            Some(max) if read >= max => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Refuses an output that would replace one of the sources: what is not true would be lost.
    fn check_output(&self, sources: &[Source]) -> Result<(), CliError> {
        let Some(path) = &self.output else { return Ok(()) };
        let target = OutputArg::of(path.clone());
        if sources.iter().filter_map(Source::path).any(|source| target.names(source)) {
            let problem = "it is one of the inputs, expected another file: what is not true would be lost";
            return Err(CliError::Usage(format!("{}: {problem}", path.display())));
        }
        Ok(())
    }

    /// The sources of all formats.
    fn sources(&self, status: &mut InputStatus) -> Vec<Source> {
        const EXTENSIONS: [&str; 3] = ["pgn", "epd", "csv"];
        let mut sources = Vec::new();
        for path in &self.files {
            // Single files, collections, and unreadable paths are the same for each extension.
            let (mut found, mut failed) = (HashSet::new(), HashSet::new());
            let mut missing = 0;
            for extension in EXTENSIONS {
                let new = find_sources(std::slice::from_ref(path), extension, &mut |place, error| {
                    if place == path && error.kind() == io::ErrorKind::NotFound {
                        missing += 1;
                    } else if failed.insert(place.to_owned()) {
                        let name = place.display().to_string();
                        let error = CliError::Input { name, problem: error.to_string() };
                        status.fail_file(Some(place), &error);
                    }
                });
                sources.extend(new.into_iter().filter(|source| found.insert(source.name())));
            }
            if missing == EXTENSIONS.len() {
                let problem = "no .pgn, .epd or .csv file in this folder or archive".to_owned();
                status.fail(&CliError::Input { name: path.display().to_string(), problem });
            }
        }
        sources
    }

    /// The number of records; `None` if a source can be read only once, or not at all.
    fn count(&self, sources: &[Source]) -> Option<u64> {
        if !are_countable(sources) {
            return None;
        }
        let mut count = 0;
        for source in sources {
            let mut read = 0;
            let result = self.read(source, &mut |record| {
                read += u64::from(record.is_some());
                Ok(self.flow(read))
            });
            result.ok()?;
            count += read;
        }
        Some(count)
    }

    /// Passes each record of a source to `take` until that returns a break; `None` for a record without a claim.
    fn read(&self, source: &Source, take: &mut Take<'_>) -> Result<(), CliError> {
        let file: Arc<str> = source.name().into();
        let named = match source {
            Source::Member(_, member) => Format::of(Path::new(&member.name)),
            _ => source.path().and_then(Format::of),
        };
        let stated = self.from.or_else(|| match named? {
            Format::Pgn => Some(FromFormat::Pgn),
            Format::Epd => Some(FromFormat::Epd),
            Format::Csv => Some(FromFormat::Csv),
            Format::Json => None,
        });
        if stated == Some(FromFormat::Pgn) || matches!(source, Source::Collection(_)) {
            return read_problems(source, &file, take);
        }
        let name = source.name();
        let warn = move |text: &str| {
            let _ = writeln!(io::stderr(), "warning: {name}: {text}");
        };
        let unpacked =
            source.open(Content::Text, &Arc::default(), warn).map_err(|error| input_error(source, &error))?;
        let mut reader = BufReader::new(unpacked.reader);
        let format = match stated {
            Some(format) => format,
            None => sniff(reader.fill_buf().map_err(|error| input_error(source, &error))?),
        };
        match format {
            FromFormat::Epd => read_records(source, &file, reader, take),
            FromFormat::Csv => read_rows(source, &file, reader, take),
            FromFormat::Pgn if *source == Source::Stdin => {
                let problem = "found PGN on standard input, expected --from pgn";
                Err(CliError::Input { name: source.name(), problem: problem.to_owned() })
            }
            FromFormat::Pgn => read_problems(source, &file, take),
        }
    }
}

/// The format of a file with this start.
fn sniff(start: &[u8]) -> FromFormat {
    let text = start.trim_ascii_start();
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let commas = line.iter().filter(|&&byte| byte == b',').count();
    match text.first() {
        Some(b'[' | b'%' | b'{') => FromFormat::Pgn,
        // The identifier, the position and the moves.
        _ if commas >= 2 => FromFormat::Csv,
        _ => FromFormat::Epd,
    }
}

/// Takes a record, and returns whether to continue.
type Take<'a> = dyn FnMut(Option<Record>) -> Result<ControlFlow<()>, CliError> + 'a;

fn read_problems(source: &Source, file: &Arc<str>, take: &mut Take<'_>) -> Result<(), CliError> {
    read_games(source, None, &mut |found| {
        let unread = found.errors.iter().find(|error| error.problem.is_unread());
        let problem = problem_of_game(&found.game);
        let is_problem = problem.is_some() || unread.is_some() && found.game.tags.get("FEN").is_some();
        let record = is_problem.then(|| {
            let id = found.game.tags.get("PuzzleId").unwrap_or_default().to_owned();
            let claim = match (unread, problem) {
                (None, Some(puzzle)) => Ok(Claim::Line(Box::new(puzzle))),
                (Some(error), _) => Err(error.problem.to_string()),
                (None, None) => Err("it is no problem".to_owned()),
            };
            let original = Original::Game(Box::new(found.game));
            Record { file: Arc::clone(file), line: found.place.line, id, claim, original }
        });
        take(record)
    })
}

fn read_records(
    source: &Source,
    file: &Arc<str>,
    reader: impl BufRead,
    take: &mut Take<'_>,
) -> Result<(), CliError> {
    let mut lines = EpdReader::new(reader);
    while let Some(line) = lines.next() {
        let original = Original::Record(lines.text().to_owned());
        let record = match line {
            Ok(line) => {
                let (number, id) = (line.line as u64, line.epd.id().unwrap_or_default().to_owned());
                let claim = match line.into_result() {
                    Ok(epd) => claim_of_epd(&epd).map(Ok),
                    Err(error) => Some(Err(error.problem.to_string())),
                };
                claim.map(|claim| Record { file: Arc::clone(file), line: number, id, claim, original })
            }
            Err(error) => match error.problem {
                EpdProblem::Io(error) => return Err(input_error(source, &error)),
                problem => Some(Record {
                    file: Arc::clone(file),
                    line: error.line as u64,
                    id: String::new(),
                    claim: Err(problem.to_string()),
                    original,
                }),
            },
        };
        if take(record)?.is_break() {
            break;
        }
    }
    Ok(())
}

fn read_rows(
    source: &Source,
    file: &Arc<str>,
    mut reader: impl BufRead,
    take: &mut Take<'_>,
) -> Result<(), CliError> {
    let mut columns = Arc::new(Columns::default());
    let mut number = 0;
    while let Some(line) = read_line(&mut reader, MAX_LINE).map_err(|error| input_error(source, &error))? {
        number += 1;
        let text = Encoding::Utf8.decode(&line.bytes);
        if number == 1
            && let Some(found) = Columns::of_header(&text)
        {
            columns = Arc::new(found);
            continue;
        }
        if text.trim().is_empty() {
            continue;
        }
        let claim = if line.is_cut {
            Err(format!("found a line of more than {MAX_LINE} bytes, expected a puzzle"))
        } else {
            claim_of_row(&text, &columns).map_err(|error| error.to_string())
        };
        let id = match &claim {
            Ok(Claim::Line(puzzle)) => puzzle.id.clone(),
            _ => String::new(),
        };
        let text = text.trim_end_matches('\r').to_owned();
        let original = Original::Row { columns: Arc::clone(&columns), text };
        if take(Some(Record { file: Arc::clone(file), line: number, id, claim, original }))?.is_break() {
            break;
        }
    }
    Ok(())
}
