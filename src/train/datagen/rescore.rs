//! Rescoring: the games are unchanged, and their positions are searched again with more nodes; or positions near them
//! are searched, and become games of one move.
//!
//! A target from a deeper search is more valuable than one from another game at the old depth, and costs less: only the
//! positions that training uses are searched, and no openings.
//!
//! A search also evaluates positions after weak moves, which games hardly contain. For a network that has learned from
//! games alone, the mean square error is more than twice as large there (`net/HISTORY.md`).

use super::settings::PLAIN_SCORES;
use super::{DatagenError, Engine};
use crate::chess::{KeyHistory, Position};
use crate::nnue::Network;
use crate::rng::Rng;
use crate::search::{Job, Limits, SearchOptions, SearchResult, Searcher};
use crate::selfplay::{Inbox, Message, hash_for, pool, random_walk};
use crate::train::data::{
    Chunk, ChunkReader, EXTENSION, Game, GameResult, Ply, Termination, chunks_in, lock_folder,
};
use crate::train::trainer::{Counts, Curve, Selection};
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::BufReader;
use std::num::NonZeroU32;
use std::ops::{AddAssign, ControlFlow};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The rescoring of chunks into a folder.
pub struct Rescoring {
    /// The chunks.
    pub files: Vec<PathBuf>,
    /// The folder of the new chunks.
    pub out: PathBuf,
    /// The network for evaluations.
    pub network: Arc<Network>,
    /// The number of nodes of each search.
    pub nodes: u64,
    /// The positions to search; all others keep their scores.
    pub selection: Selection,
    /// The maximum number of random plies from these positions to those that are searched instead, each of which
    /// becomes a game of one move; `None` to search the positions of the games.
    pub random_plies: Option<NonZeroU32>,
    /// The number of games in a new chunk. An interrupted run loses the chunks in progress.
    pub chunk_games: u64,
    /// The number of threads; at least one.
    pub threads: usize,
}

/// The progress of a rescoring.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RescoreProgress {
    /// The number of games in complete chunks, of this or an earlier run.
    pub games: u64,
    /// The number of these games that an earlier run has rescored.
    pub kept_games: u64,
    /// The searches of this run.
    pub searches: Searches,
    /// Whether the run was interrupted before the last game.
    pub is_interrupted: bool,
}

/// Positions searched, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Searches {
    /// The number of positions searched.
    pub positions: u64,
    /// The number of positions of games whose new score is no mate, so that it can be compared with the former one.
    pub compared: u64,
    /// The sum of the magnitudes of the changes of their scores, in search units.
    pub change: u64,
}

impl Searches {
    /// The mean magnitude of the changes, in search units; `None` if nothing was compared.
    pub fn mean_change(&self) -> Option<f64> {
        (self.compared > 0).then(|| self.change as f64 / self.compared as f64)
    }
}

impl AddAssign for Searches {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.compared += other.compared;
        self.change += other.change;
    }
}

/// Consecutive games of a file, which become a chunk.
struct Block {
    source: Value,
    path: PathBuf,
    games: Vec<Game>,
}

/// A message of a thread: games of complete chunks, and positions searched.
enum Event {
    Searched(Searches),
    Chunk { games: u64 },
    Kept { games: u64 },
}

/// Reads the games of all files, block by block.
struct Blocks<'a> {
    plan: &'a Rescoring,
    files: slice::Iter<'a, PathBuf>,
    /// The current file, its reader, and the number of the next game.
    open: Option<(&'a Path, ChunkReader<BufReader<File>>, u64)>,
}

impl Blocks<'_> {
    /// The next block whose chunk does not exist yet; the games of existing chunks are reported. `None` after the last
    /// game.
    fn next(&mut self, events: &Sender<Event>) -> Result<Option<Block>, DatagenError> {
        loop {
            if self.open.is_none() {
                let Some(path) = self.files.next() else { return Ok(None) };
                let reader = ChunkReader::open(path).map_err(|error| content(path, &error))?;
                self.open = Some((path, reader, 0));
            }
            let Some((path, reader, first)) = &mut self.open else { continue };
            let mut games = Vec::new();
            for game in reader.by_ref().take(usize::try_from(self.plan.chunk_games).unwrap_or(usize::MAX)) {
                games.push(game.map_err(|error| content(path, &error))?);
            }
            if games.is_empty() {
                self.open = None;
                continue;
            }
            let last = *first + games.len() as u64 - 1;
            let target = self.plan.chunk_path(path, *first, last);
            let source = serde_json::from_str(reader.note()).unwrap_or_else(|_| reader.note().into());
            *first = last + 1;
            if target.exists() {
                let _ = events.send(Event::Kept { games: games.len() as u64 });
                continue;
            }
            return Ok(Some(Block { source, path: target, games }));
        }
    }
}

impl Rescoring {
    /// Rescores all games that are not in the folder yet, until the last one or until `on_progress`, which is called
    /// after every game and ten times per second, returns a break. The scores do not depend on the number of threads:
    /// the hash table is cleared before each game.
    ///
    /// # Errors
    /// [`DatagenError`]; all chunks that were completed remain.
    pub fn run(
        &self,
        on_progress: &mut dyn FnMut(&RescoreProgress) -> ControlFlow<()>,
    ) -> Result<RescoreProgress, DatagenError> {
        let failed = |error| DatagenError::File(self.out.clone(), error);
        fs::create_dir_all(&self.out).map_err(failed)?;
        let lock = lock_folder(&self.out).map_err(failed)?;
        let _lock = lock.ok_or_else(|| DatagenError::Locked(self.out.clone()))?;
        self.check_names()?;
        let method = self.method();
        self.check_folder(&method)?;
        let stop = AtomicBool::new(false);
        let blocks = Mutex::new(Blocks { plan: self, files: self.files.iter(), open: None });
        let (blocks, stop_flag, method) = (&blocks, &stop, &method);
        let worker = || move |events: &Sender<Event>| self.work(blocks, method, stop_flag, events);
        let workers = std::iter::repeat_with(worker).take(self.threads.max(1)).collect();
        pool("rescore", workers, &stop, |inbox| Ok(follow(&inbox, &stop, on_progress)))
    }

    /// Two files with the same name would result in chunks with the same names.
    fn check_names(&self) -> Result<(), DatagenError> {
        let mut names: Vec<_> = self.files.iter().map(|path| (path.file_name(), path)).collect();
        names.sort();
        match names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            None => Ok(()),
            Some(pair) => {
                let problem = format!("has the name of {}, expected different names", pair[0].1.display());
                Err(DatagenError::Content(pair[1].1.clone(), problem))
            }
        }
    }

    /// The description of the searches that determine the scores, for the notes of the new chunks.
    fn method(&self) -> Value {
        let &Selection { min_ply, max_score, .. } = &self.selection;
        let mut method = json!({
            "engine": Engine::this(self.network.clone()),
            "net": self.network.checksum().short(),
            "nodes": self.nodes,
            "plain_scores": PLAIN_SCORES,
            "min_ply": min_ply,
            "max_score": max_score,
            "chunk_games": self.chunk_games,
        });
        // Not there if there are none, as in the chunks of earlier versions.
        if let Some(plies) = self.random_plies {
            method["random_plies"] = plies.get().into();
        }
        method
    }

    /// Checks that existing chunks were made by the same method.
    fn check_folder(&self, method: &Value) -> Result<(), DatagenError> {
        let failed = |error| DatagenError::File(self.out.clone(), error);
        for path in chunks_in(&self.out).map_err(failed)? {
            let reader = ChunkReader::open(&path).map_err(|error| content(&path, &error))?;
            let note: Value = serde_json::from_str(reader.note()).unwrap_or_default();
            if note.get("rescored") != Some(method) {
                let found = note.get("rescored").map_or("not rescored".to_owned(), Value::to_string);
                let problem =
                    format!("rescored in another way ({found}), expected {method}, or another folder");
                return Err(DatagenError::Content(path, problem));
            }
        }
        Ok(())
    }

    /// The path of the chunk with these games of a file.
    fn chunk_path(&self, file: &Path, first: u64, last: u64) -> PathBuf {
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        self.out.join(format!("{stem}-rescored-{first:010}-{last:010}.{EXTENSION}"))
    }

    /// Rescores blocks until none is left.
    fn work(
        &self,
        blocks: &Mutex<Blocks<'_>>,
        method: &Value,
        stop: &AtomicBool,
        events: &Sender<Event>,
    ) -> Result<(), DatagenError> {
        let mut searcher = Searcher::new(1, hash_for(self.nodes))?;
        searcher.set_network(self.network.clone());
        searcher.set_options(SearchOptions { is_plain: PLAIN_SCORES, ..SearchOptions::default() });
        while !stop.load(Ordering::Relaxed) {
            let Some(Block { source, path, games }) = blocks.lock().next(events)? else { break };
            let note = json!({ "how": "rescored", "rescored": method, "source": source }).to_string();
            let failed = |error| DatagenError::File(path.clone(), error);
            let mut chunk = Chunk::create(&path, &note).map_err(failed)?;
            for game in &games {
                if stop.load(Ordering::Relaxed) {
                    return Ok(()); // no part of the chunk remains
                }
                for game in self.searched(game, &mut searcher, events) {
                    chunk.append(&game).map_err(failed)?;
                }
            }
            chunk.close().map_err(failed)?;
            let _ = events.send(Event::Chunk { games: games.len() as u64 });
        }
        Ok(())
    }

    /// The game with new scores, or the games from positions near its own.
    fn searched(&self, game: &Game, searcher: &mut Searcher, events: &Sender<Event>) -> Vec<Game> {
        searcher.clear();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let search = |position, key_history| {
            searcher.search_silently(Job { position, key_history, limits: limits.clone(), multi_pv: 1 })
        };
        let (games, searches) = match self.random_plies {
            None => {
                let (game, searches) = rescored(game, &self.selection, search);
                (vec![game], searches)
            }
            Some(plies) => {
                let games = nearby_games(game, &self.selection, plies, search);
                let searches = Searches { positions: games.len() as u64, ..Searches::default() };
                (games, searches)
            }
        };
        let _ = events.send(Event::Searched(searches));
        games
    }
}

/// The game with new scores.
fn rescored(
    game: &Game,
    selection: &Selection,
    mut search: impl FnMut(Position, KeyHistory) -> SearchResult,
) -> (Game, Searches) {
    let mut key_history = KeyHistory::new(game.start());
    let mut counts = Counts::default();
    let mut searches = Searches::default();
    let mut plies = game.plies().to_vec();
    for (index, (sample, ply)) in game.samples().zip(&mut plies).enumerate() {
        if index > 0 {
            key_history.push(&sample.position);
        }
        if !selection.takes(&sample, &mut counts) {
            continue;
        }
        let score = search(sample.position, key_history.clone()).score;
        searches.positions += 1;
        if !score.is_mate() {
            searches.compared += 1;
            searches.change += u64::from(score.units().abs_diff(ply.score.units()));
        }
        ply.score = score;
    }
    let game = Game::new(*game.start(), plies, game.result(), game.termination());
    (game.expect("the moves are those of a game"), searches)
}

/// A game of one move for each position of `game` that the selection takes: from the position after 1 to `random_plies`
/// random plies, unless it is in check or the game is over there.
///
/// Since such a game has no result, it is won by lot, with the probability that the score predicts. The moves depend
/// only on the positions.
fn nearby_games(
    game: &Game,
    selection: &Selection,
    random_plies: NonZeroU32,
    mut search: impl FnMut(Position, KeyHistory) -> SearchResult,
) -> Vec<Game> {
    let mut counts = Counts::default();
    let mut games = Vec::new();
    for sample in game.samples().filter(|sample| selection.takes(sample, &mut counts)) {
        let mut rng = Rng::new(sample.position.key().bits());
        let plies = 1 + rng.below(u64::from(random_plies.get()));
        let Some(start) = random_walk(sample.position, plies, &mut rng) else { continue };
        let key_history = KeyHistory::new(&start);
        if start.is_check() || start.outcome(&key_history).is_some() {
            continue;
        }
        let SearchResult { best_move, score, .. } = search(start, key_history);
        // There is a legal move, since the game would be over otherwise.
        let Some(mv) = best_move else { continue };
        let is_won = rng.fraction() < f64::from(Curve::default().points(score.units() as f32));
        let winner = if is_won { start.turn() } else { !start.turn() };
        let result = GameResult::win(winner);
        let nearby = Game::new(start, vec![Ply { mv, score }], result, Termination::WinAdjudicated);
        games.push(nearby.expect("the move of a search is legal"));
    }
    games
}

/// Adds up the events of the threads.
fn follow(
    inbox: &Inbox<Event>,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&RescoreProgress) -> ControlFlow<()>,
) -> RescoreProgress {
    let mut progress = RescoreProgress::default();
    while let Some(message) = inbox.next() {
        match message {
            Message::Sent(Event::Searched(searches)) => progress.searches += searches,
            Message::Sent(Event::Chunk { games }) => progress.games += games,
            Message::Sent(Event::Kept { games }) => {
                progress.games += games;
                progress.kept_games += games;
            }
            Message::Tick => {}
        }
        if on_progress(&progress).is_break() {
            progress.is_interrupted = true;
            stop.store(true, Ordering::Relaxed);
        }
    }
    progress
}

fn content(path: &Path, error: &dyn std::error::Error) -> DatagenError {
    DatagenError::Content(path.to_owned(), error.to_string())
}
