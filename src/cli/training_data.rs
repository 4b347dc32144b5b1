//! The input of training and tuning: positions of games with targets, and openings of games.

use super::CliError;
use super::progress::bar;
use super::values::{above_zero, fraction, integer_in, non_negative, one_or_more, positive};
use crate::arena::opening::OpeningSuite;
use crate::nnue::EVAL_SCALE;
use crate::selfplay::Openings;
use crate::train::data::chunk_files;
use crate::train::trainer::{
    Curve, DataSet, LoadError, Loss, Outcomes, Selection, Source, Target, WdlWeight, load,
};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::atomic::AtomicBool;

/// The group of the options of [`TrainingDataArgs`].
pub(super) const GROUP: &str = "examples";

/// The options for the selection of positions, and for the target of each.
#[derive(clap::Args, Debug)]
#[group(id = GROUP, multiple = true)]
pub(super) struct TrainingDataArgs {
    /// Weight of the game's result; the rest of 1 is the weight of the score. From one weight to another over the run:
    /// 0.2..0.5.
    #[arg(long, value_name = "PART", default_value = DEFAULT_WDL, value_parser = wdl)]
    wdl: WdlWeight,

    /// Lambda of TD(lambda): weight of the later scores of the game beside the position's own score.
    #[arg(long, alias = "foresight", value_name = "PART", default_value_t = DEFAULT_TD_LAMBDA, value_parser = fraction)]
    td_lambda: f64,

    /// Score of the games that wins half of them and loses hardly any, in search units, if draws are taken into
    /// account: a score s brings (1 + f(s) - f(-s)) / 2 points with f(s) = 1 / (1 + exp((OFFSET - s) / SCALE)).
    #[arg(long, value_name = "UNITS", default_value_t = 0.0, value_parser = non_negative)]
    eval_offset: f64,

    /// Score of the games that brings 73 % of the points, in search units, beyond the offset.
    #[arg(long, alias = "scale", value_name = "UNITS", default_value_t = f64::from(EVAL_SCALE), value_parser = above_zero)]
    eval_scale: f64,

    /// The same offset for the output of the network; with the offset and the scale of the games the output keeps the
    /// unit of their scores.
    #[arg(long, value_name = "UNITS", default_value_t = 0.0, value_parser = non_negative)]
    output_offset: f64,

    /// The same scale for the output of the network.
    #[arg(long, value_name = "UNITS", default_value_t = f64::from(EVAL_SCALE), value_parser = above_zero)]
    output_scale: f64,

    /// Exponent of the loss, the size of the error of the expected points to this power: 2 for squares; 2.5 weighs
    /// large errors more.
    #[arg(long, value_name = "POWER", default_value_t = f64::from(Loss::SQUARE), value_parser = one_or_more)]
    loss_exponent: f64,

    /// Leave out positions before this many half-moves.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MIN_PLY, value_parser = integer_in::<u32>(0..))]
    min_ply: u32,

    /// Leave out positions with a score beyond this, in search units.
    #[arg(long, value_name = "UNITS", default_value_t = DEFAULT_MAX_SCORE, value_parser = integer_in::<i16>(0..))]
    max_score: i16,

    /// Leave out positions whose 50-move clock is beyond this, in half-moves.
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(0..))]
    max_clock: Option<u16>,

    /// Leave out positions whose score differs from that of the next position, for the same side, by more than this, in
    /// search units.
    #[arg(long, value_name = "UNITS", value_parser = integer_in::<u16>(0..))]
    max_change: Option<u16>,

    /// Take the first N positions only, such as 10M.
    #[arg(long, value_name = "N", value_parser = positive)]
    max_positions: Option<u64>,
}

/// The default weight of the result: a score is a better estimate than the result of one fast game.
const DEFAULT_WDL: &str = "0.3";
/// The default is no such decay: it was not shown to gain anything (`src/nnue/net/HISTORY.md`).
const DEFAULT_TD_LAMBDA: f64 = 0.0;
/// Games start with eight or nine random plies, and need some more to reach quiet positions.
pub(super) const DEFAULT_MIN_PLY: u32 = 16;
/// Beyond this score, in search units, games are always won.
pub(super) const DEFAULT_MAX_SCORE: i16 = 3000;

/// Parses the weight of the result: one share, or those of the first and of the last step.
fn wdl(text: &str) -> Result<WdlWeight, String> {
    let share = |text| fraction(text).map(|share| share as f32);
    match text.split_once("..") {
        None => share(text).map(WdlWeight::Constant),
        Some((start, end)) => Ok(WdlWeight::Linear { start: share(start)?, end: share(end)? }),
    }
}

impl TrainingDataArgs {
    /// The selection of positions, with a share of the games kept for validation that depends on the seed.
    pub(super) fn selection(&self, validation: f64, seed: u64) -> Selection {
        let &Self { min_ply, max_score, max_clock, max_change, max_positions, .. } = self;
        Selection { min_ply, max_score, max_clock, max_change, validation, max_positions, seed }
    }

    /// The loss of an output against the target.
    pub(super) fn loss(&self) -> Loss {
        let output = Curve { offset: self.output_offset as f32, scale: self.output_scale as f32 };
        Loss { exponent: self.loss_exponent as f32, output }
    }

    /// The target of each position from scores and results, in the last step of a run.
    pub(super) fn final_target(&self) -> Target {
        Target { wdl: WdlWeight::Constant(self.wdl.end()), ..self.target() }
    }

    /// The target of each position from scores and results.
    pub(super) fn target(&self) -> Target {
        let curve = Curve { offset: self.eval_offset as f32, scale: self.eval_scale as f32 };
        Target { wdl: self.wdl, curve, td_lambda: self.td_lambda as f32 }
    }
}

/// Reads games, and shows the progress on a terminal.
///
/// # Errors
/// [`CliError::Input`] for the first unusable file, [`CliError::Interrupted`] if `stop` was set.
pub(super) fn read(
    sources: &[Source],
    selection: &Selection,
    target: &Target,
    threads: usize,
    stop: &AtomicBool,
) -> Result<DataSet, CliError> {
    let mut files = Vec::new();
    for &Source { ref path, weight } in sources {
        files.extend(chunks(slice::from_ref(path))?.into_iter().map(|path| Source { path, weight }));
    }
    let bar = bar(files.len() as u64, "{wide_bar} {pos}/{len} files, {msg}");
    let data = load(&files, selection, target, threads, stop, |progress| {
        bar.set_position(progress.files as u64);
        bar.set_message(format!("{} positions", progress.training));
    });
    bar.finish_and_clear();
    data.map_err(load_error)
}

/// Reads the results of games by the scores of their positions.
///
/// # Errors
/// As [`read`].
pub(super) fn read_outcomes(
    data: &[PathBuf],
    selection: &Selection,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Outcomes, CliError> {
    Outcomes::read(&chunks(data)?, selection, threads, stop).map_err(load_error)
}

/// The chunks that paths name.
fn chunks(data: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    chunk_files(data).map_err(|error| CliError::Usage(error.to_string()))
}

fn load_error(error: LoadError) -> CliError {
    match error {
        LoadError::File(path, error) => {
            CliError::Input { name: path.display().to_string(), problem: error.to_string() }
        }
        LoadError::Double(..) => CliError::Usage(error.to_string()),
        LoadError::Interrupted => CliError::Interrupted(error.to_string()),
    }
}

/// Reads the openings of a file, at least one; they get this name.
///
/// # Errors
/// [`CliError::Input`] if the file cannot be read or has no openings.
pub(super) fn openings(path: &Path, name: &Path) -> Result<Openings, CliError> {
    let wrong = |problem: String| CliError::Input { name: path.display().to_string(), problem };
    let book = OpeningSuite::read(path, None, None).map_err(|error| wrong(error.to_string()))?;
    for warning in book.warnings() {
        let _ = writeln!(io::stderr(), "warning: {warning}"); // a closed standard error does not matter
    }
    let positions = (0..book.len()).map(|index| book.opening(index).end()).collect();
    Openings::new(name, positions).ok_or_else(|| wrong("no openings".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_may_change() {
        let cases = [
            ("0.3", Some(WdlWeight::Constant(0.3))),
            ("30%", Some(WdlWeight::Constant(0.3))),
            ("0.2..0.5", Some(WdlWeight::Linear { start: 0.2, end: 0.5 })),
            ("100%..0", Some(WdlWeight::Linear { start: 1.0, end: 0.0 })),
            ("0.2..", None),
            ("..0.5", None),
            ("0.2..1.5", None),
            ("0.2..0.3..0.4", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(wdl(text).ok(), expected, "{text}");
        }
    }
}
