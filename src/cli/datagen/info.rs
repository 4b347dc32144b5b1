//! `hematite datagen info`: the content of chunks.

use crate::cli::streams::InputStatus;
use crate::cli::values::JsonArg;
use crate::cli::{CliError, ExitStatus};
use crate::notation::percent;
use crate::search::Score;
use crate::train::data::{
    ChunkReader, DataError, Game, GameResult, Sample, Termination, Totals, chunk_files,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  hematite datagen info data/gen0
  hematite datagen info --json data/gen0 other.games

A position is quiet if its side to move is not in check, and the move that was chosen neither
captures nor promotes.";

/// Count what is in chunks: games, positions, results, lengths, scores.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Chunks, and folders of chunks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    json: JsonArg,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let mut status = InputStatus::default();
        let mut contents = Contents::default();
        for path in &self.files {
            match chunk_files(std::slice::from_ref(path)) {
                Err(error) => status.fail(&error.into()),
                Ok(files) => {
                    for file in files {
                        contents.chunks += usize::from(status.take(contents.read(&file))?.is_some());
                    }
                }
            }
        }
        let status = status.status()?;
        if self.json.is_given() {
            writeln!(out, "{}", serde_json::to_string(&contents)?)?;
        } else {
            write!(out, "{contents}")?;
        }
        Ok(status)
    }
}

/// Upper bounds of the classes of scores, in search units; mate scores are beyond all of them.
const SCORE_CLASSES: [i32; 8] = [10, 25, 50, 100, 200, 400, 800, 1600];
/// The width of the classes of game lengths, in plies.
const LENGTH_STEP: usize = 50;

/// The content of the chunks.
#[derive(Default, Serialize)]
struct Contents {
    chunks: usize,
    games: u64,
    positions: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    terminations: BTreeMap<&'static str, u64>,
    /// The number of games by their length: the key is the lower bound of the class, in plies.
    lengths: BTreeMap<usize, u64>,
    shortest: Option<usize>,
    longest: usize,
    checks: u64,
    quiet: u64,
    /// Positions by the absolute value of the score, in search units.
    scores: Vec<Class>,
    /// The number of positions with a mate score for either side.
    mates: u64,
    /// The sum of the plies before the start of the games.
    plies_before: u64,
}

/// Positions in a range of absolute scores.
#[derive(Clone, Default, Serialize)]
struct Class {
    /// The upper bound of the absolute score, in search units; `None` if there is none.
    up_to: Option<i32>,
    positions: u64,
    /// Half points of the side to move in positions with a score of at least zero. `ahead` is the number of these
    /// positions.
    half_points_ahead: u64,
    ahead: u64,
}

impl Contents {
    /// Adds the games of a chunk. Games before an error are included.
    fn read(&mut self, file: &Path) -> Result<(), CliError> {
        let wrong = |error: DataError| CliError::Input {
            name: file.display().to_string(),
            problem: error.to_string(),
        };
        for game in ChunkReader::open(file).map_err(wrong)? {
            self.add(&game.map_err(wrong)?);
        }
        Ok(())
    }

    fn add(&mut self, game: &Game) {
        let mut totals = Totals::default();
        totals.add(game);
        self.games += 1;
        self.positions += totals.positions;
        self.white_wins += totals.with_result(GameResult::WhiteWins);
        self.draws += totals.with_result(GameResult::Draw);
        self.black_wins += totals.with_result(GameResult::BlackWins);
        *self.terminations.entry(game.termination().name()).or_default() += 1;
        let plies = game.plies().len();
        *self.lengths.entry(plies / LENGTH_STEP * LENGTH_STEP).or_default() += 1;
        self.shortest = Some(self.shortest.map_or(plies, |shortest| shortest.min(plies)));
        self.longest = self.longest.max(plies);
        for (index, sample) in game.samples().enumerate() {
            if index == 0 {
                self.plies_before += u64::from(sample.ply);
            }
            self.add_sample(&sample);
        }
    }

    fn add_sample(&mut self, sample: &Sample) {
        let is_check = sample.position.is_check();
        self.checks += u64::from(is_check);
        self.quiet += u64::from(!is_check && !sample.position.is_noisy(sample.mv));
        if sample.score.is_mate() {
            self.mates += 1;
            return;
        }
        if self.scores.is_empty() {
            let bounds = SCORE_CLASSES.into_iter().map(Some).chain([None]);
            self.scores = bounds.map(|up_to| Class { up_to, ..Class::default() }).collect();
        }
        let distance = (sample.score - Score::DRAW).abs();
        let class = self.scores.iter_mut().find(|class| class.up_to.is_none_or(|bound| distance <= bound));
        let Some(class) = class else { return };
        class.positions += 1;
        if sample.score >= Score::DRAW {
            class.ahead += 1;
            class.half_points_ahead += u64::from(sample.result.half_points(sample.position.turn()));
        }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, positions, .. } = *self;
        let percent = |part, whole| percent(part, whole).unwrap_or_default();
        writeln!(f, "Chunks     {}", self.chunks)?;
        writeln!(f, "Games      {games}")?;
        writeln!(f, "Positions  {positions}")?;
        for (name, count) in
            [("White won", self.white_wins), ("Drawn", self.draws), ("Black won", self.black_wins)]
        {
            writeln!(f, "{name:<10} {count} ({:.1} %)", percent(count, games))?;
        }
        writeln!(f, "In check   {:.1} %", percent(self.checks, positions))?;
        writeln!(f, "Quiet      {:.1} %", percent(self.quiet, positions))?;
        writeln!(
            f,
            "Plies      {:.1} a game, {} to {}, after {:.1} before",
            positions as f64 / games.max(1) as f64,
            self.shortest.unwrap_or(0),
            self.longest,
            self.plies_before as f64 / games.max(1) as f64
        )?;
        writeln!(f, "Ended by")?;
        for (name, count) in
            Termination::ALL.iter().filter_map(|by| self.terminations.get_key_value(by.name()))
        {
            writeln!(f, "  {name:<22} {count:>10} ({:.1} %)", percent(*count, games))?;
        }
        writeln!(f, "Games by plies")?;
        for (from, count) in &self.lengths {
            writeln!(
                f,
                "  {from:>4} to {:<14} {count:>10} ({:.1} %)",
                from + LENGTH_STEP - 1,
                percent(*count, games)
            )?;
        }
        writeln!(f, "Positions by score, and what the side that was ahead got")?;
        let mut from = 0;
        for class in &self.scores {
            let range = match class.up_to {
                Some(up_to) => format!("{from} to {up_to}"),
                None => format!("{from} and more"),
            };
            from = class.up_to.map_or(from, |up_to| up_to + 1);
            writeln!(
                f,
                "  {range:<22} {:>10} ({:.1} %), {:.1} %",
                class.positions,
                percent(class.positions, positions),
                percent(class.half_points_ahead, 2 * class.ahead)
            )?;
        }
        writeln!(f, "  {:<22} {:>10} ({:.1} %)", "mate", self.mates, percent(self.mates, positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_counted_without_a_division_by_zero() {
        let text = Contents::default().to_string();
        assert!(text.contains("Games      0") && !text.contains("NaN"), "{text}");
    }
}
