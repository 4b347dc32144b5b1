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
    Chunk, ChunkReader, EXTENSION, Game, GameResult, Ply, Termination, chunks_in, closing_of, lock_folder,
    remove_unfinished,
};
use crate::train::trainer::{Counts, Curve, Selection};
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
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
    /// A number that no other block has.
    id: usize,
    source: SourceChunk,
    path: PathBuf,
    games: Vec<Game>,
    /// The number of games that a thread has taken.
    taken: usize,
    /// The games of the new chunk by the game that they are made of.
    rescored: BTreeMap<usize, Vec<Game>>,
}

/// A game to be rescored: the block that it belongs to, and its index there.
struct Task {
    block: usize,
    index: usize,
    game: Game,
}

/// The origin of the games of a new chunk.
#[derive(Clone, PartialEq, Debug)]
struct SourceChunk {
    /// The note of the chunk that they are from.
    note: Value,
    /// The checksum of that chunk, as sixteen hexadecimal digits.
    checksum: String,
}

impl SourceChunk {
    /// Reads the origin of the games of a chunk, and returns its reader.
    fn open(path: &Path) -> Result<(Self, ChunkReader<BufReader<File>>), DatagenError> {
        let reader = ChunkReader::open(path).map_err(|error| content(path, &error))?;
        let checksum = closing_of(path).map_err(|error| content(path, &error))?.checksum;
        let note = serde_json::from_str(reader.note()).unwrap_or_else(|_| reader.note().into());
        Ok((Self { note, checksum: format!("{checksum:016x}") }, reader))
    }

    /// The note of a new chunk.
    fn note(&self, method: &Value) -> String {
        json!({
            "how": "rescored",
            "rescored": method,
            "source": self.note,
            "source_checksum": self.checksum,
        })
        .to_string()
    }

    /// Whether a rescored chunk with this note was made of these games. The chunks of earlier versions do not state the
    /// checksum.
    fn is_stated(&self, note: &Value) -> bool {
        let checksum = note.get("source_checksum");
        note.get("source") == Some(&self.note)
            && checksum.is_none_or(|checksum| checksum.as_str() == Some(&self.checksum))
    }
}

/// A message of a thread: positions searched, and games of complete chunks.
enum Event {
    Searched(Searches),
    Chunk { games: u64 },
    Kept { games: u64 },
}

/// Reads the games of all files, block by block, and collects the rescored games. All threads take games of the same
/// block as long as it has some, so that they are all busy even if there is only one.
struct Blocks<'a> {
    plan: &'a Rescoring,
    files: slice::Iter<'a, PathBuf>,
    /// The current file, its origin, its reader, and the number of the next game.
    open: Option<(&'a Path, SourceChunk, ChunkReader<BufReader<File>>, u64)>,
    /// The blocks in progress.
    blocks: Vec<Block>,
    /// The number of blocks so far.
    count: usize,
}

impl<'a> Blocks<'a> {
    fn new(plan: &'a Rescoring) -> Self {
        Self { plan, files: plan.files.iter(), open: None, blocks: Vec::new(), count: 0 }
    }

    /// The next game to be rescored; `None` after the last one.
    fn take(&mut self, events: &Sender<Event>) -> Result<Option<Task>, DatagenError> {
        let has_games = |block: &Block| block.taken < block.games.len();
        if !self.blocks.last().is_some_and(has_games) {
            let Some(block) = self.next(events)? else { return Ok(None) };
            self.blocks.push(block);
        }
        let block = self.blocks.last_mut().expect("it was just added if there was none");
        let index = block.taken;
        block.taken += 1;
        Ok(Some(Task { block: block.id, index, game: block.games[index].clone() }))
    }

    /// Adds the games that were made of one. Returns the block if it is complete now.
    fn add(&mut self, task: &Task, games: Vec<Game>) -> Option<Block> {
        let place = self.blocks.iter().position(|block| block.id == task.block)?;
        let block = &mut self.blocks[place];
        block.rescored.insert(task.index, games);
        let is_complete = block.rescored.len() == block.games.len();
        is_complete.then(|| self.blocks.remove(place))
    }

    /// The next block whose chunk does not exist yet; the games of existing chunks are reported. `None` after the last
    /// game.
    fn next(&mut self, events: &Sender<Event>) -> Result<Option<Block>, DatagenError> {
        loop {
            if self.open.is_none() {
                let Some(path) = self.files.next() else { return Ok(None) };
                let (source, reader) = SourceChunk::open(path)?;
                self.open = Some((path, source, reader, 0));
            }
            let Some((path, source, reader, first)) = &mut self.open else { continue };
            let mut games = Vec::new();
            for game in reader.by_ref().take(usize::try_from(self.plan.chunk_games).unwrap_or(usize::MAX)) {
                games.push(game.map_err(|error| content(path, &error))?);
            }
            if games.is_empty() {
                self.open = None;
                continue;
            }
            let last = *first + games.len() as u64 - 1;
            let path = self.plan.chunk_path(path, *first, last);
            *first = last + 1;
            if path.exists() {
                let _ = events.send(Event::Kept { games: games.len() as u64 });
                continue;
            }
            self.count += 1;
            let (source, rescored) = (source.clone(), BTreeMap::new());
            return Ok(Some(Block { id: self.count, source, path, games, taken: 0, rescored }));
        }
    }
}

impl Rescoring {
    /// Rescores all games that are not in the folder yet, until the last one or until `on_progress`, which is called
    /// after every game and ten times per second, returns a break. The scores do not depend on the number of threads:
    /// the hash table is cleared before each game. Temporary files of a process that was killed are removed.
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
        self.check_stems()?;
        let method = self.method();
        self.check_folder(&method)?;
        remove_unfinished(&self.out, is_ours).map_err(failed)?;
        let stop = AtomicBool::new(false);
        let blocks = Mutex::new(Blocks::new(self));
        let (blocks, stop_flag, method) = (&blocks, &stop, &method);
        let worker = || move |events: &Sender<Event>| self.work(blocks, method, stop_flag, events);
        let workers = std::iter::repeat_with(worker).take(self.threads.max(1)).collect();
        pool("rescore", workers, &stop, |inbox| Ok(follow(&inbox, &stop, on_progress)))
    }

    /// Two files whose names differ at most in their extensions would result in chunks with the same names.
    fn check_stems(&self) -> Result<(), DatagenError> {
        let mut stems: Vec<_> = self.files.iter().map(|path| (path.file_stem(), path)).collect();
        stems.sort();
        match stems.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            None => Ok(()),
            Some(pair) => {
                let problem = format!(
                    "has the name of {}, expected names that differ before the extension",
                    pair[0].1.display()
                );
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

    /// Checks that existing chunks were made by the same method, and those with the name of a file of its games.
    fn check_folder(&self, method: &Value) -> Result<(), DatagenError> {
        let failed = |error| DatagenError::File(self.out.clone(), error);
        let mut sources: BTreeMap<String, SourceChunk> = BTreeMap::new();
        for path in chunks_in(&self.out).map_err(failed)? {
            let reader = ChunkReader::open(&path).map_err(|error| content(&path, &error))?;
            let note: Value = serde_json::from_str(reader.note()).unwrap_or_default();
            if note.get("rescored") != Some(method) {
                let found = note.get("rescored").map_or("not rescored".to_owned(), Value::to_string);
                let problem =
                    format!("rescored in another way ({found}), expected {method}, or another folder");
                return Err(DatagenError::Content(path, problem));
            }
            let name = stem(&path);
            let Some((stem_of_file, _)) = name.rsplit_once(MARK) else { continue };
            let Some(file) = self.files.iter().find(|file| stem(file) == stem_of_file) else { continue };
            let source = match sources.entry(stem_of_file.to_owned()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(SourceChunk::open(file)?.0),
            };
            if !source.is_stated(&note) {
                let problem = format!(
                    "holds other games of the same name, rescored; expected those of {}, or another folder",
                    file.display()
                );
                return Err(DatagenError::Content(path, problem));
            }
        }
        Ok(())
    }

    /// The path of the chunk with these games of a file.
    fn chunk_path(&self, file: &Path, first: u64, last: u64) -> PathBuf {
        self.out.join(format!("{}{MARK}{first:010}-{last:010}.{EXTENSION}", stem(file)))
    }

    /// Rescores games until none is left.
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
            let Some(task) = blocks.lock().take(events)? else { break };
            // If the run is stopped, no part of the chunk remains.
            let Some((games, searches)) = self.searched(&task.game, &mut searcher, stop) else { break };
            let _ = events.send(Event::Searched(searches));
            let complete = blocks.lock().add(&task, games);
            if let Some(Block { source, path, games, rescored, .. }) = complete {
                let failed = |error| DatagenError::File(path.clone(), error);
                let mut chunk = Chunk::create(&path, &source.note(method)).map_err(failed)?;
                for game in rescored.values().flatten() {
                    chunk.append(game).map_err(failed)?;
                }
                chunk.close().map_err(failed)?;
                let _ = events.send(Event::Chunk { games: games.len() as u64 });
            }
        }
        Ok(())
    }

    /// The game with new scores, or the games from positions near its own; `None` if `stop` is set before the last
    /// search.
    fn searched(
        &self,
        game: &Game,
        searcher: &mut Searcher,
        stop: &AtomicBool,
    ) -> Option<(Vec<Game>, Searches)> {
        searcher.clear();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let search = |position, key_history| {
            let job = Job { position, key_history, limits: limits.clone(), multi_pv: 1 };
            (!stop.load(Ordering::Relaxed)).then(|| searcher.search_silently(job))
        };
        match self.random_plies {
            None => {
                let (game, searches) = rescored(game, &self.selection, search)?;
                Some((vec![game], searches))
            }
            Some(plies) => {
                let games = nearby_games(game, &self.selection, plies, search)?;
                let searches = Searches { positions: games.len() as u64, ..Searches::default() };
                Some((games, searches))
            }
        }
    }
}

/// The part of the names of new chunks between the name of the file and the numbers of its games.
const MARK: &str = "-rescored-";

/// Whether this is the name of a new chunk.
fn is_ours(name: &str) -> bool {
    name.contains(MARK) && Path::new(name).extension().is_some_and(|found| found == EXTENSION)
}

/// The name of a file without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The game with new scores; `None` if a search gives none.
fn rescored(
    game: &Game,
    selection: &Selection,
    mut search: impl FnMut(Position, KeyHistory) -> Option<SearchResult>,
) -> Option<(Game, Searches)> {
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
        let score = search(sample.position, key_history.clone())?.score;
        searches.positions += 1;
        if !score.is_mate() {
            searches.compared += 1;
            searches.change += u64::from(score.units().abs_diff(ply.score.units()));
        }
        ply.score = score;
    }
    let game = Game::new(*game.start(), plies, game.result(), game.termination());
    Some((game.expect("the moves are those of a game"), searches))
}

/// A game of one move for each position of `game` that the selection takes: from the position after 1 to `random_plies`
/// random plies, unless it is in check or the game is over there.
///
/// Since such a game has no result, it is won by lot, with the probability that the score predicts. The moves depend
/// only on the positions. `None` if a search gives no result.
fn nearby_games(
    game: &Game,
    selection: &Selection,
    random_plies: NonZeroU32,
    mut search: impl FnMut(Position, KeyHistory) -> Option<SearchResult>,
) -> Option<Vec<Game>> {
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
        let SearchResult { best_move, score, .. } = search(start, key_history)?;
        // There is a legal move, since the game would be over otherwise.
        let Some(mv) = best_move else { continue };
        let is_won = rng.fraction() < f64::from(Curve::default().points(score.units() as f32));
        let winner = if is_won { start.turn() } else { !start.turn() };
        let result = GameResult::win(winner);
        let nearby = Game::new(start, vec![Ply { mv, score }], result, Termination::WinAdjudicated);
        games.push(nearby.expect("the move of a search is legal"));
    }
    Some(games)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;
    use crossbeam_channel::unbounded;

    /// The rescoring of these files into a folder.
    fn rescoring(files: Vec<PathBuf>, out: &Path) -> Rescoring {
        let selection = Selection {
            min_ply: 0,
            max_score: 3000,
            max_clock: None,
            max_change: None,
            validation: 0.0,
            max_positions: None,
            seed: 0,
        };
        Rescoring {
            files,
            out: out.to_owned(),
            network: embedded(),
            nodes: 100,
            selection,
            random_plies: None,
            chunk_games: 512,
            threads: 3,
        }
    }

    /// A game of two quiet moves.
    fn game() -> Game {
        let mut position = Position::start();
        let mut plies = Vec::new();
        for _ in 0..2 {
            let mv = *position.legal_moves().first().expect("there is a move");
            plies.push(Ply { mv, score: crate::search::Score::DRAW });
            position = position.after(mv).0;
        }
        Game::new(Position::start(), plies, GameResult::Draw, Termination::ALL[0]).expect("it is legal")
    }

    #[test]
    fn threads_rescore_games_of_one_block() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.games");
        let mut chunk = Chunk::create(&path, "{}").expect("a file");
        (0..3).for_each(|_| chunk.append(&game()).expect("it can be written"));
        chunk.close().expect("it can be closed");
        let plan = rescoring(vec![path], &folder.path().join("out"));
        let mut blocks = Blocks::new(&plan);
        let (events, _inbox) = unbounded();
        let take = |blocks: &mut Blocks<'_>| blocks.take(&events).expect("it can be read");
        // Three threads ask before any of them has searched.
        let tasks: Vec<Task> = (0..3).filter_map(|_| take(&mut blocks)).collect();
        assert_eq!(tasks.iter().map(|task| task.index).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(take(&mut blocks).is_none());
        assert!(blocks.add(&tasks[2], vec![game()]).is_none());
        assert!(blocks.add(&tasks[0], vec![]).is_none());
        let block = blocks.add(&tasks[1], vec![game(), game()]).expect("all games are rescored");
        assert_eq!(block.rescored.values().map(Vec::len).collect::<Vec<_>>(), [0, 2, 1]);
    }

    #[test]
    fn a_stopped_search_is_the_last() {
        let plan = rescoring(Vec::new(), Path::new("out"));
        let mut searcher = Searcher::new(1, 1).expect("there is memory");
        let (go_on, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        let positions = |found: Option<(Vec<Game>, Searches)>| found.map(|(_, searches)| searches.positions);
        assert_eq!(positions(plan.searched(&game(), &mut searcher, &go_on)), Some(2));
        assert_eq!(positions(plan.searched(&game(), &mut searcher, &stop)), None);
        // The run is stopped during the first search.
        let mut searches = 0;
        let search = |position, key_history| {
            searches += 1;
            let limits = Limits { nodes: Some(100), ..Limits::default() };
            let job = Job { position, key_history, limits, multi_pv: 1 };
            (searches == 1).then(|| searcher.search_silently(job))
        };
        assert!(rescored(&game(), &plan.selection, search).is_none());
        assert_eq!(searches, 2);
    }
}
