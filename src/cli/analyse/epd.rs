//! Evaluation of positions: those of EPD files, written as EPD records (`acd`, `acn`, `acs`, `ce`, `dm`, `pm`, `pv`) or
//! as JSON, and one position stated as an argument, written as text.

use super::output::JsonPosition;
use crate::analysis::backsolve::evaluation_of;
use crate::analysis::{Assessment, Effort, Inquiry, Question, Queue, QueueError, show_score};
use crate::chess::{KeyHistory, Position};
use crate::cli::CliError;
use crate::cli::pgn::tree_place::line_text;
use crate::cli::streams::{Input, InputStatus, STDIN, write_json};
use crate::database::find_sources;
use crate::notation::{
    CentipawnEvaluation, Epd, EpdError, EpdLine, EpdProblem, EpdReader, Fen, Operation, pluralize, repair_fen,
};
use crate::suite::epd::rounded_seconds;
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};

/// The argument for the initial position, as in UCI.
const START: &str = "startpos";
/// The operations with the results of an evaluation.
const WRITTEN: [&str; 7] = ["acd", "acn", "acs", "ce", "dm", "pm", "pv"];
/// The value of `ce` for an illegal position.
const ILLEGAL: i32 = -32_767;
/// The number of slashes between the ranks of a FEN.
const RANK_SEPARATORS: usize = 7;

/// The output format of an evaluated position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The position's EPD record with the results.
    Record,
    /// A JSON object on one line.
    Json,
    /// Text for people.
    Text,
}

/// The position that the arguments state, as a FEN in one argument or in several, or as `startpos`; `None` if they are
/// files.
///
/// # Errors
/// [`CliError::Input`] if the arguments look like a FEN that is not valid.
pub(super) fn position_of(arguments: &[PathBuf]) -> Result<Option<Position>, CliError> {
    let Some(words) = arguments.iter().map(|path| path.to_str()).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let text = words.join(" ");
    let placement = text.split_whitespace().next().unwrap_or_default();
    let is_placement = placement.matches('/').count() == RANK_SEPARATORS
        && placement.chars().all(|sign| "pnbrqkPNBRQK12345678/".contains(sign));
    if arguments.iter().any(|path| path.exists()) || !(is_placement || text == START) {
        return Ok(None);
    }
    if text == START {
        return Ok(Some(Position::start()));
    }
    let failed = |problem: String| CliError::Input { name: "FEN".to_owned(), problem };
    let repaired = repair_fen(&text).map_err(|error| failed(error.to_string()))?;
    if let Some(note) = repaired.note() {
        // A failure to write the warning does not matter.
        let _ = writeln!(io::stderr(), "warning: {note}");
    }
    Ok(Some(repaired.position))
}

/// A record whose position is not legal.
#[derive(Serialize)]
struct IllegalRecord {
    /// The record as written.
    record: String,
    /// The reason.
    error: String,
}

impl IllegalRecord {
    /// The number of fields of the position.
    const FIELDS: usize = 4;

    /// The record with the value for an illegal position, and with the reason as its first free comment.
    fn annotated(&self) -> String {
        let (mut fields, mut rest) = (Vec::new(), self.record.trim());
        for _ in 0..Self::FIELDS {
            let (field, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            fields.push(field);
            rest = behind.trim_start();
        }
        let mut is_quoted = false;
        let operations = rest.split(|letter| {
            is_quoted ^= letter == '"';
            letter == ';' && !is_quoted
        });
        let opcode = |operation: &str| operation.split_whitespace().next().unwrap_or_default().to_owned();
        let mut operations: Vec<String> = operations.map(|operation| operation.trim().to_owned()).collect();
        operations.retain(|operation| !operation.is_empty() && !WRITTEN.contains(&&*opcode(operation)));
        let is_free = |comment: &String| operations.iter().all(|operation| opcode(operation) != *comment);
        let comment = (0..=9).map(|level| format!("c{level}")).find(is_free);
        let reason = self.error.replace('"', "'");
        operations.extend(comment.map(|comment| format!("{comment} \"{reason}\"")));
        operations.push(format!("ce {ILLEGAL}"));
        // Counters of a FEN stay before the operations.
        operations.sort_by_key(|operation| {
            let opcode = opcode(operation);
            (!opcode.starts_with(|letter: char| letter.is_ascii_digit()), opcode)
        });
        format!("{} {};", fields.join(" "), operations.join("; "))
    }
}

/// An EPD record whose position is evaluated, if it is legal.
pub(super) struct RecordStudy {
    epd: Result<Epd, IllegalRecord>,
    is_asked: bool,
    assessment: Option<Assessment>,
}

impl RecordStudy {
    const fn new(epd: Epd) -> Self {
        Self { epd: Ok(epd), is_asked: false, assessment: None }
    }

    const fn illegal(record: IllegalRecord) -> Self {
        Self { epd: Err(record), is_asked: true, assessment: None }
    }

    /// The study of a line of the file with this name, if the line contains a position, and whether all of it can be
    /// read. Warns of what is repaired or left out.
    fn of_line(line: Result<EpdLine, EpdError>, text: &str, name: &str) -> (Option<Self>, bool) {
        // A failure to write the warning does not matter.
        let warn = |error: &EpdError, what: &str| {
            let _ = writeln!(io::stderr(), "warning: {name}: {error}{what}");
        };
        match line {
            Ok(line) => {
                let is_repaired = |error: &EpdError| matches!(error.problem, EpdProblem::Repaired(_));
                for error in &line.problems {
                    warn(error, if is_repaired(error) { "" } else { "; the operation is left out" });
                }
                (Some(Self::new(line.epd)), line.problems.iter().all(is_repaired))
            }
            Err(error) if matches!(error.problem, EpdProblem::Position(_)) && is_record(text) => {
                warn(&error, "; not evaluated");
                let error = error.problem.to_string();
                (Some(Self::illegal(IllegalRecord { record: text.trim().to_owned(), error })), false)
            }
            Err(error) => {
                warn(&error, "; left out");
                (None, false)
            }
        }
    }

    /// Writes the record with its evaluation.
    fn write(self, form: Form, out: &mut dyn Write) -> Result<(), CliError> {
        let Self { epd, assessment, .. } = self;
        match (epd, form) {
            (Ok(epd), Form::Record) => writeln!(out, "{}", annotated(epd, assessment))?,
            (Ok(epd), Form::Json) => {
                write_json(out, &JsonPosition::new(epd.position(), epd.id(), assessment.as_ref()))?;
            }
            (Ok(epd), Form::Text) => write_text(epd.position(), assessment.as_ref(), out)?,
            (Err(record), Form::Json) => write_json(out, &record)?,
            (Err(record), Form::Record | Form::Text) => writeln!(out, "{}", record.annotated())?,
        }
        Ok(())
    }
}

/// Writes a position and its best lines, with scores seen from White.
fn write_text(position: &Position, assessment: Option<&Assessment>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", Fen::new(position))?;
    let Some(assessment) = assessment else {
        let outcome = position.outcome(&KeyHistory::new(position));
        let outcome = outcome.map_or_else(|| "0.00".to_owned(), |outcome| outcome.to_string());
        return writeln!(out, "{outcome}");
    };
    for line in &assessment.lines {
        let moves = line_text(position, &line.moves);
        writeln!(out, "{:>7}  depth {:<3}  {moves}", show_score(line.score), line.depth)?;
    }
    writeln!(out, "{}", pluralize(assessment.nodes, "node"))
}

/// The record with the new evaluation in place of an older one.
fn annotated(mut epd: Epd, assessment: Option<Assessment>) -> Epd {
    let position = *epd.position();
    for opcode in WRITTEN {
        epd.remove(opcode);
    }
    let Some(assessment) = assessment else {
        // A position that is not searched is drawn by the rules, or the side to move is checkmated.
        if !position.is_check() {
            epd.set(Operation::Evaluation(CentipawnEvaluation::new(0).expect("it is in the range")));
        }
        return epd;
    };
    let best = assessment.best();
    epd.set(Operation::AnalysisDepth(best.depth));
    epd.set(Operation::AnalysisNodes(assessment.nodes));
    epd.set(Operation::AnalysisSeconds(rounded_seconds(assessment.time)));
    if let Some(evaluation) = evaluation_of(best.score, position.turn()) {
        epd.set(Operation::Evaluation(evaluation));
        let plies = evaluation.mate_plies().and_then(|plies| u16::try_from(plies).ok());
        if let Some(moves) = plies.and_then(|plies| NonZeroU16::new(plies.div_ceil(2))) {
            epd.set(Operation::DirectMate(moves));
        }
    }
    epd.set(Operation::PredictedMove(best.moves[0]));
    epd.set(Operation::PredictedVariation(best.moves.clone()));
    epd
}

impl Inquiry for RecordStudy {
    fn questions(&mut self) -> Vec<Question> {
        let Ok(epd) = &self.epd else { return Vec::new() };
        let position = *epd.position();
        let is_over = position.has_insufficient_material() || !position.has_legal_moves();
        if std::mem::replace(&mut self.is_asked, true) || is_over {
            return Vec::new();
        }
        vec![Question { position, without: None }]
    }

    fn answer(&mut self, _: usize, assessment: Assessment) {
        self.assessment = Some(assessment);
    }
}

/// Evaluates one position.
///
/// # Errors
/// [`QueueError`].
pub(super) fn evaluate_one(
    position: Position,
    form: Form,
    queue: &mut Queue<'_, RecordStudy>,
    out: &mut dyn Write,
) -> Result<(bool, InputStatus), QueueError<CliError>> {
    let mut done = |study: RecordStudy, _: Effort| study.write(form, out);
    queue.put(RecordStudy::new(Epd::new(position)), &mut done)?;
    queue.finish(&mut done)?;
    let mut status = InputStatus::default();
    status.take(Ok(())).map_err(QueueError::Caller)?;
    Ok((true, status))
}

/// Evaluates the positions of these files, and of all EPD files in folders. Returns whether all lines could be read,
/// and the status of the files.
///
/// # Errors
/// [`QueueError`].
pub(super) fn evaluate(
    paths: &[PathBuf],
    form: Form,
    queue: &mut Queue<'_, RecordStudy>,
    out: &mut dyn Write,
) -> Result<(bool, InputStatus), QueueError<CliError>> {
    let mut done = |study: RecordStudy, _: Effort| study.write(form, out);
    let (mut is_clean, mut status) = (true, InputStatus::default());
    for path in files_of(paths, &mut status) {
        let file = Some(&*path).filter(|path| path.as_os_str() != STDIN);
        let opened = status.take_file(file, Input::open(&path)).map_err(QueueError::Caller)?;
        let Some(Input { name, reader }) = opened else { continue };
        let mut records = EpdReader::new(reader);
        while let Some(line) = records.next() {
            if let Err(EpdError { problem: problem @ EpdProblem::Io(_), .. }) = &line {
                let problem = problem.to_string();
                status.fail_file(file, &CliError::Input { name: name.clone(), problem });
                continue;
            }
            let (study, is_intact) = RecordStudy::of_line(line, records.text(), &name);
            is_clean &= is_intact;
            if let Some(study) = study {
                queue.put(study, &mut done)?;
            }
        }
    }
    queue.finish(&mut done)?;
    Ok((is_clean, status))
}

/// Whether a line has the fields of a position, legal or not.
fn is_record(text: &str) -> bool {
    let mut fields = text.split_whitespace();
    fields.next().is_some_and(|placement| placement.matches('/').count() == RANK_SEPARATORS)
        && fields.count() + 1 >= IllegalRecord::FIELDS
}

/// The paths, each folder replaced by its EPD files.
fn files_of(paths: &[PathBuf], status: &mut InputStatus) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let sources = find_sources(std::slice::from_ref(path), "epd", &mut |path, error| {
            let name = path.display().to_string();
            status.fail_file(Some(path), &CliError::Input { name, problem: error.to_string() });
        });
        // A collection contains games, not EPD records.
        let is_file = |path: &&Path| !path.is_dir();
        files.extend(sources.iter().filter_map(|source| source.path()).filter(is_file).map(Path::to_owned));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Line;
    use crate::notation::pgn::EvaluationScore;
    use crate::notation::{parse_epd, parse_san};
    use std::time::Duration;

    #[test]
    fn scores_are_those_of_the_side_to_move() {
        let record = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; ce 5; acs 7; id \"x\";";
        let black = record.replace(" w ", " b ").replace("bm Ra8; ", "");
        let cases = [
            (record, "Ra8", EvaluationScore::Mate(1), "ce 32766; dm 1; id \"x\"; pm Ra8#; pv Ra8#;"),
            (record, "Ra7", EvaluationScore::Centipawns(-31), "ce -31; id \"x\"; pm Ra7; pv Ra7;"),
            (&*black, "h6", EvaluationScore::Centipawns(-31), "ce 31; id \"x\"; pm h6; pv h6;"),
            (&*black, "h5", EvaluationScore::Mate(2), "ce -32763; id \"x\"; pm h5; pv h5;"),
        ];
        for (text, san, score, expected) in cases {
            let mut study = RecordStudy::new(parse_epd(text).expect("a record"));
            let position = study.questions()[0].position;
            let mv = parse_san(san, &position).ok().and_then(|mv| mv.mv()).expect(san);
            let lines = vec![Line { score, depth: 9, moves: vec![mv] }];
            let time = Duration::from_millis(2600);
            study.answer(0, Assessment { lines, settled: 1, nodes: 77, time });
            assert!(study.questions().is_empty());
            let found = annotated(study.epd.ok().expect("it is legal"), study.assessment).to_string();
            assert!(found.contains("acd 9; acn 77; acs 3;") && found.ends_with(expected), "{found}");
        }
        let mut drawn = RecordStudy::new(parse_epd("6k1/8/8/8/8/8/8/6K1 w - -").expect("a record"));
        assert!(drawn.questions().is_empty());
        let drawn = annotated(drawn.epd.ok().expect("it is legal"), drawn.assessment);
        assert_eq!(drawn.to_string(), "6k1/8/8/8/8/8/8/6K1 w - - ce 0;");
    }

    #[test]
    fn illegal_positions_stay_with_the_reason() {
        let cases = [
            ("8/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/8 w - - c0 \"no 'king'\"; ce -32767;"),
            (
                "x w - - bm e4; c0 \"a;b\"; ce 7; id \"x\"",
                "x w - - bm e4; c0 \"a;b\"; c1 \"no 'king'\"; ce -32767; id \"x\";",
            ),
        ];
        for (record, expected) in cases {
            let record = IllegalRecord { record: record.to_owned(), error: "no \"king\"".to_owned() };
            assert_eq!(record.annotated(), expected);
        }
    }
}
