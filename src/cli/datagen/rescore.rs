//! `hematite datagen rescore`: new scores for existing games.

use super::counted_chunks;
use crate::cli::progress::bar;
use crate::cli::training_data::{DEFAULT_MAX_SCORE, DEFAULT_MIN_PLY};
use crate::cli::values::{JsonAtEndArg, count, integer_in, positive, thread_count};
use crate::cli::{CliError, ExitStatus, net, signals};
use crate::notation::pluralize;
use crate::search::MAX_THREADS;
use crate::selfplay::LEAST_NODES;
use crate::train::datagen::{RescoreProgress, Rescoring};
use crate::train::trainer::Selection;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite datagen rescore --nodes 800 --output data/gen0-800 data/gen0
  hematite datagen rescore --nodes 5k --net new.nnue --output data/deep old.games
  hematite datagen rescore --nodes 800 --random-plies 2 --output data/near data/gen0

Positions that training leaves out (in check, with a capture or promotion as the move, early or decided)
keep their scores; moves and results stay. With --random-plies each of the other positions yields a position that
such games hardly contain, but a search does, and all of them are searched once. Ctrl-C stops cleanly; run the same
command again to resume.";

/// After so many random half-moves few games still go on.
const MAX_RANDOM_PLIES: u32 = 100;

/// Search the positions of games again with more nodes, and write the games with the new scores.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Chunks, and folders of chunks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The folder for the new chunks. If it holds chunks of the same kind, the run is resumed.
    #[arg(short, long = "output", alias = "out", value_name = "DIR")]
    out: PathBuf,

    /// Nodes of each search.
    #[arg(long, value_name = "N", value_parser = count)]
    nodes: u64,

    /// The network to evaluate with [default: the embedded network].
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,

    /// Search positions after 1 to N random half-moves instead, and write each as a game of one
    /// move, won by lot with the probability that its score predicts.
    #[arg(long, value_name = "N", value_parser = integer_in::<u32>(1..=MAX_RANDOM_PLIES))]
    random_plies: Option<u32>,

    /// Keep the scores of positions before this many half-moves.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MIN_PLY, value_parser = integer_in::<u32>(0..))]
    min_ply: u32,

    /// Keep scores beyond this, in search units.
    #[arg(long, value_name = "UNITS", default_value_t = DEFAULT_MAX_SCORE, value_parser = integer_in::<i16>(0..))]
    max_score: i16,

    /// Threads that search [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: Option<u16>,

    /// Games in a new chunk. A run that is stopped loses the chunks it was making.
    #[arg(long, value_name = "N", default_value = "512", value_parser = positive)]
    chunk_games: u64,

    #[command(flatten)]
    json: JsonAtEndArg,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.nodes < LEAST_NODES {
            let problem = format!("--nodes {}: expected at least {LEAST_NODES}", self.nodes);
            return Err(CliError::Usage(problem));
        }
        let (files, games) = counted_chunks(&self.files)?;
        let (min_ply, max_score) = (self.min_ply, self.max_score);
        let selection = Selection {
            min_ply,
            max_score,
            max_clock: None,
            max_change: None,
            validation: 0.0,
            max_positions: None,
            seed: 0,
        };
        let is_interrupted = signals::interrupted_flag()?;
        let rescoring = Rescoring {
            files,
            out: self.out.clone(),
            network: net::read_or_embedded(self.net.as_deref())?,
            nodes: self.nodes,
            selection,
            random_plies: self.random_plies.and_then(NonZeroU32::new),
            chunk_games: self.chunk_games,
            threads: thread_count(self.threads),
        };
        let bar = bar(games, "{wide_bar} {pos}/{len} games, {msg} (still {eta})");
        let progress = rescoring.run(&mut |progress| {
            bar.set_position(progress.games);
            bar.set_message(pluralize(progress.searches.positions, "position"));
            signals::flow(is_interrupted)
        });
        bar.finish_and_clear();
        let progress = progress?;
        self.write(out, &progress)?;
        if progress.is_interrupted {
            return Err(CliError::interrupted("interrupted; run the same command again to resume"));
        }
        Ok(ExitStatus::Yes)
    }

    fn write(&self, out: &mut dyn Write, progress: &RescoreProgress) -> Result<(), CliError> {
        let &RescoreProgress { games, kept_games, searches, .. } = progress;
        let mean_change = searches.mean_change();
        if self.json.is_given() {
            let object = serde_json::json!({
                "games": games,
                "kept_games": kept_games,
                "positions": searches.positions,
                "mean_change": mean_change,
            });
            writeln!(out, "{object}")?;
        } else {
            let place = if self.random_plies.is_some() { " near theirs" } else { "" };
            let change = mean_change.map_or(String::new(), |change| {
                format!(", scores other than mates changed by {change:.1} units on average")
            });
            writeln!(
                out,
                "{}: {}, {} of them from before; {}{place} searched{change}",
                self.out.display(),
                pluralize(games, "game"),
                kept_games,
                pluralize(searches.positions, "position"),
            )?;
        }
        Ok(())
    }
}
