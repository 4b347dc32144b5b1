//! Positions of EPD files with their evaluations: `acd`, `acn`, `ce`, `dm`, `pm` and `pv`.

use crate::analysis::backsolve::evaluation_of;
use crate::analysis::{Assessment, Effort, Inquiry, Question, Queue, QueueError};
use crate::cli::CliError;
use crate::cli::streams::{Input, InputStatus, STDIN};
use crate::notation::{CentipawnEvaluation, Epd, EpdError, EpdProblem, EpdReader, Operation};
use std::io::{self, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;

/// A record whose position is evaluated.
pub(super) struct RecordStudy {
    epd: Epd,
    is_asked: bool,
    assessment: Option<Assessment>,
}

impl RecordStudy {
    const fn new(epd: Epd) -> Self {
        Self { epd, is_asked: false, assessment: None }
    }

    /// The record with its evaluation. What it says about an older one is replaced.
    fn annotated(self) -> Epd {
        let Self { mut epd, assessment, .. } = self;
        let position = *epd.position();
        for opcode in ["acd", "acn", "acs", "ce", "dm", "pm", "pv"] {
            epd.remove(opcode);
        }
        let Some(assessment) = assessment else {
            // A position that is not searched is drawn by the rules, or it is mate.
            if !position.is_check() {
                epd.set(Operation::Evaluation(CentipawnEvaluation::new(0).expect("it is in the range")));
            }
            return epd;
        };
        let best = assessment.best();
        epd.set(Operation::AnalysisDepth(best.depth));
        epd.set(Operation::AnalysisNodes(assessment.nodes));
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
}

impl Inquiry for RecordStudy {
    fn questions(&mut self) -> Vec<Question> {
        let position = *self.epd.position();
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

/// Evaluates the positions of these files. Returns whether all lines could be read, and which files.
///
/// # Errors
/// [`QueueError`].
pub(super) fn evaluate(
    paths: &[PathBuf],
    queue: &mut Queue<'_, RecordStudy>,
    out: &mut dyn Write,
) -> Result<(bool, InputStatus), QueueError<CliError>> {
    let mut done = |study: RecordStudy, _: Effort| Ok(writeln!(out, "{}", study.annotated())?);
    let (mut is_clean, mut status) = (true, InputStatus::default());
    for path in paths {
        let file = Some(path.as_path()).filter(|path| path.as_os_str() != STDIN);
        let opened = status.take_file(file, Input::open(path)).map_err(QueueError::Caller)?;
        let Some(Input { name, reader }) = opened else { continue };
        // A warning that cannot be written changes nothing.
        let warn = |error: &EpdError, what: &str| {
            let _ = writeln!(io::stderr(), "warning: {name}: {error}{what}");
        };
        for line in EpdReader::new(reader) {
            match line {
                Ok(line) => {
                    for error in &line.problems {
                        let is_repaired = matches!(error.problem, EpdProblem::Repaired(_));
                        is_clean &= is_repaired;
                        warn(error, if is_repaired { "" } else { "; the operation is left out" });
                    }
                    queue.put(RecordStudy::new(line.epd), &mut done)?;
                }
                Err(error) if matches!(error.problem, EpdProblem::Io(_)) => {
                    let problem = error.problem.to_string();
                    status.fail_file(file, &CliError::Input { name: name.clone(), problem });
                }
                Err(error) => {
                    is_clean = false;
                    warn(&error, "; left out");
                }
            }
        }
    }
    queue.finish(&mut done)?;
    Ok((is_clean, status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Line;
    use crate::notation::pgn::EvaluationScore;
    use crate::notation::{parse_epd, parse_san};

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
            study.answer(0, Assessment { lines, settled: 1, nodes: 77 });
            assert!(study.questions().is_empty());
            let found = study.annotated().to_string();
            assert!(found.contains("acd 9; acn 77;") && found.ends_with(expected), "{found}");
        }
        let mut drawn = RecordStudy::new(parse_epd("6k1/8/8/8/8/8/8/6K1 w - -").expect("a record"));
        assert!(drawn.questions().is_empty());
        assert_eq!(drawn.annotated().to_string(), "6k1/8/8/8/8/8/8/6K1 w - - ce 0;");
    }
}
