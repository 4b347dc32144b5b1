//! The positions of games that networks learn from or are judged by, and what should be said about them.

use super::CliError;
use super::progress::styled;
use super::quantity::{above_zero, part, positive, whole};
use crate::nnue::EVALUATION_SCALE;
use crate::train::data::chunk_files;
use crate::train::trainer::{DataSet, LoadError, Selection, Target, load};
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What the options of [`ExampleArguments`] are called together.
pub(super) const GROUP: &str = "examples";

/// Which positions are taken, and what a network should say about them.
#[derive(clap::Args, Debug)]
#[group(id = GROUP, multiple = true)]
pub(super) struct ExampleArguments {
    /// Weight of the game's result beside the score.
    #[arg(long, value_name = "PART", default_value_t = DEFAULT_WDL, value_parser = part)]
    wdl: f64,

    /// Weight of what the scores after it say about a position, beside its own.
    #[arg(long, value_name = "PART", default_value_t = DEFAULT_FORESIGHT, value_parser = part)]
    foresight: f64,

    /// Score of the games that brings 73 % of the points, in units of the search that played them.
    #[arg(long, value_name = "CP", default_value_t = f64::from(EVALUATION_SCALE), value_parser = above_zero)]
    scale: f64,

    /// Leave out positions before this many half-moves.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MIN_PLY, value_parser = whole::<u32>(0..))]
    min_ply: u32,

    /// Leave out positions with a score beyond this.
    #[arg(long, value_name = "CP", default_value_t = DEFAULT_MAX_SCORE, value_parser = whole::<i16>(0..))]
    max_score: i16,

    /// Take the first N positions only.
    #[arg(long, value_name = "N", value_parser = positive)]
    max_positions: Option<u64>,
}

/// The score says more about a position than how one fast game ended.
const DEFAULT_WDL: f64 = 0.3;
/// None: it was not shown to bring anything (`src/nnue/net/HISTORY.md`).
const DEFAULT_FORESIGHT: f64 = 0.0;
/// Games begin with eight or nine random half-moves, after which it takes some more to calm down.
const DEFAULT_MIN_PLY: u32 = 16;
/// Beyond it every game is won.
const DEFAULT_MAX_SCORE: i16 = 3000;

impl ExampleArguments {
    /// Which positions, with a share of the games kept back, which the seed chooses.
    pub(super) fn selection(&self, validation: f64, seed: u64) -> Selection {
        let &Self { min_ply, max_score, max_positions, .. } = self;
        Selection { min_ply, max_score, validation, max_positions, seed }
    }

    /// What should be said about them.
    pub(super) fn target(&self) -> Target {
        Target { wdl: self.wdl as f32, scale: self.scale as f32, foresight: self.foresight as f32 }
    }
}

/// Reads games, and shows the progress on a terminal.
///
/// # Errors
/// [`CliError::Input`] for the first file that is not as it should be, [`CliError::Usage`] if `stop` was set.
pub(super) fn read(
    data: &[PathBuf],
    selection: &Selection,
    target: &Target,
    threads: usize,
    stop: &AtomicBool,
) -> Result<DataSet, CliError> {
    let files = chunk_files(data).map_err(|error| CliError::Usage(error.to_string()))?;
    let bar = styled(ProgressBar::new(files.len() as u64), "{wide_bar} {pos}/{len} files, {msg}");
    let data = load(&files, selection, target, threads, stop, |progress| {
        bar.set_position(progress.files as u64);
        bar.set_message(format!("{} positions", progress.training));
    });
    bar.finish_and_clear();
    data.map_err(|error| match error {
        LoadError::File(path, error) => {
            CliError::Input { name: path.display().to_string(), problem: error.to_string() }
        }
        LoadError::Double(..) | LoadError::Interrupted => CliError::Usage(error.to_string()),
    })
}
