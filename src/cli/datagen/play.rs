//! Playing the games of a run.

use super::reporter::Reporter;
use crate::cli::values::{count, duration_in, integer_in, positive, thread_count};
use crate::cli::{CliError, ExitStatus, net};
use crate::cli::{signals, training_data};
use crate::notation::TimeUnit;
use crate::search::{MAX_HASH_MIB, MAX_THREADS, Score};
use crate::selfplay::LEAST_NODES;
use crate::train::datagen::{Ending, Engine, Folder, Openings, Origin, Run, Settings, Targets};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of playing.
#[derive(clap::Args, Debug)]
pub(super) struct Flags {
    /// The folder of the run: chunks of games and a manifest. If it holds games of the same
    /// run, the run is resumed.
    #[arg(short, long = "output", alias = "out", value_name = "DIR")]
    out: PathBuf,

    /// No iteration of a search starts after this many nodes, such as 5k.
    #[arg(long, value_name = "N", value_parser = count)]
    soft_nodes: u64,

    /// No search takes more nodes [default: twice the soft limit].
    #[arg(long, value_name = "N", value_parser = count)]
    hard_nodes: Option<u64>,

    /// Threads that play [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: Option<u16>,

    /// Play until there are this many games, such as 100k, including those of earlier runs.
    #[arg(long, value_name = "N", value_parser = positive)]
    games: Option<u64>,

    /// Play until there are this many positions, such as 10M, including those of earlier runs.
    #[arg(long, value_name = "N", value_parser = positive)]
    positions: Option<u64>,

    /// Play for this long: seconds, or 15m, 2h30m.
    #[arg(long, value_name = "TIME", value_parser = duration_in(TimeUnit::Seconds, Duration::ZERO..=Duration::MAX))]
    time: Option<Duration>,

    /// Determines the openings: another seed gives other games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    seed: u64,

    /// Share of the games that start with shuffled pieces, in percent: half of them Chess960,
    /// half double Chess960.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = integer_in::<u8>(0..=100))]
    frc: u8,

    /// The network to evaluate with; `hematite net material` makes an initial one without games
    /// [default: the embedded network].
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,

    /// Openings: lines of FEN or EPD, or games in PGN, optionally compressed.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Random plies before each game, in every second one, at random, one more [default: 8, with
    /// a book 2].
    #[arg(long, value_name = "N", value_parser = integer_in::<u32>(0..=100))]
    random_plies: Option<u32>,

    /// A game whose opening has a larger score for either side is not played, in search units: with
    /// 201 to 400, the side that is ahead gets three points of four.
    #[arg(long, value_name = "UNITS", default_value_t = Settings::OPENING_SCORE,
        value_parser = integer_in::<i32>(1..=Score::MAX_UNITS))]
    opening_score: i32,

    /// A game ends as won after six plies with scores of at least this for one side, in search
    /// units: above 800, the side that is ahead gets 99 points of 100.
    #[arg(long, value_name = "UNITS", default_value_t = Settings::WIN_SCORE,
        value_parser = integer_in::<i32>(1..=Score::MAX_UNITS))]
    win_score: i32,

    /// Hash table of each thread, cleared before each game [default: 1 for each 500 nodes, at most
    /// 16].
    #[arg(long, value_name = "MIB", value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: Option<u32>,

    /// Games in a chunk. A process that is killed loses no more than the chunks it was writing.
    #[arg(long, value_name = "N", default_value = "2048", value_parser = positive)]
    chunk_games: u64,

    /// At the end, write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The maximum number of nodes: such a search takes minutes, and cannot be interrupted.
const MOST_NODES: u64 = 1_000_000_000;

impl Flags {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let book = self.book.as_deref().map(read_book).transpose()?;
        let network = net::read_or_embedded(self.net.as_deref())?;
        let mut settings = self.settings(book.as_ref())?;
        settings.net = Some(network.checksum().short());
        let origin = Origin { engine: Engine::this(network.clone()), seed: self.seed, first: 0, settings };
        let mut folder = Folder::open(&self.out, &origin)?;
        let targets = Targets { games: self.games, positions: self.positions, time: self.time };
        let is_interrupted = signals::interrupted_flag()?;
        let mut reporter = Reporter::new(out, targets, self.json);
        reporter.start(&folder, &origin)?;
        let threads = thread_count(self.threads);
        let run = Run { origin, book, network, targets, threads, chunk_games: self.chunk_games };
        let (ending, progress) = run.play(&mut folder, &mut |event| {
            reporter.report(event);
            signals::flow(is_interrupted)
        })?;
        let reported = reporter.end(&folder, &progress, ending);
        let has_target = targets != Targets::default();
        if ending == Ending::Interrupted && has_target {
            return Err(CliError::Usage("interrupted; run the same command again to resume".to_owned()));
        }
        reported.map(|()| ExitStatus::Yes)
    }

    fn settings(&self, book: Option<&Openings>) -> Result<Settings, CliError> {
        let mut settings = Settings::new(self.soft_nodes);
        let nodes = LEAST_NODES..=MOST_NODES;
        for (flag, found) in [("soft", Some(self.soft_nodes)), ("hard", self.hard_nodes)] {
            if let Some(found) = found.filter(|found| !nodes.contains(found)) {
                let (least, most) = (nodes.start(), nodes.end());
                let problem = format!("--{flag}-nodes {found}: expected {least} to {most}");
                return Err(CliError::Usage(problem));
            }
        }
        if let Some(hard_nodes) = self.hard_nodes {
            if hard_nodes < self.soft_nodes {
                let problem =
                    format!("--hard-nodes {hard_nodes}: expected at least --soft-nodes {}", self.soft_nodes);
                return Err(CliError::Usage(problem));
            }
            settings.hard_nodes = hard_nodes;
        }
        settings.hash_mib = self.hash.map_or(settings.hash_mib, |mib| mib as usize);
        settings.frc_percent = self.frc;
        settings.opening_score = self.opening_score;
        settings.adjudication.win_score = self.win_score;
        if let Some(book) = book {
            settings.book = Some(book.id().clone());
            settings.random_plies = Settings::RANDOM_PLIES_AFTER_BOOK;
        }
        settings.random_plies = self.random_plies.unwrap_or(settings.random_plies);
        Ok(settings)
    }
}

/// Reads the openings of a file; their name is that of the file without its folder.
fn read_book(path: &Path) -> Result<Openings, CliError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    training_data::openings(path, Path::new(&name))
}
