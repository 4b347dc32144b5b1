//! A thread that plays.

use super::folder::chunk_path;
use super::numbers::Numbers;
use super::{Book, DatagenError, Entry, Origin, Played, Player};
use crate::nnue::Network;
use crate::train::data::Chunk;
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a thread has to tell.
pub(super) enum News {
    /// A game is over.
    Game(Box<Played>),
    /// A chunk is closed.
    Chunk(Box<Entry>),
}

/// What the threads of a run share.
pub(super) struct Shared {
    /// Whose games they are; `first` is of no meaning here.
    pub origin: Origin,
    pub book: Option<Arc<Book>>,
    pub network: Arc<Network>,
    pub folder: PathBuf,
    pub numbers: Mutex<Numbers>,
    /// All threads are to end.
    pub stop: AtomicBool,
}

impl Shared {
    /// Plays until there is nothing left to play.
    pub(super) fn work(&self, news: &Sender<News>) -> Result<(), DatagenError> {
        let result = self.play(news);
        if result.is_err() {
            // The others are to close their chunks.
            self.stop.store(true, Ordering::Relaxed);
        }
        result
    }

    fn play(&self, news: &Sender<News>) -> Result<(), DatagenError> {
        let settings = Arc::new(self.origin.settings.clone());
        let mut player = Player::new(settings, self.book.clone(), self.network.clone(), self.origin.seed)?;
        while !self.stop.load(Ordering::Relaxed) {
            let Some(mut numbers) = self.numbers.lock().claim() else { break };
            let origin = Origin { first: numbers.start, ..self.origin.clone() };
            let note = serde_json::to_string(&origin).expect("an origin is plain data");
            let path = chunk_path(&self.folder, self.origin.seed, &numbers);
            let failed = |error| DatagenError::File(path.clone(), error);
            let mut chunk = Chunk::create(&path, &note).map_err(failed)?;
            for number in numbers.clone() {
                match player.play(number, &self.stop)? {
                    Some(played) => {
                        chunk.append(&played.game).map_err(failed)?;
                        // Nobody listening is no reason to stop.
                        let _ = news.send(News::Game(Box::new(played)));
                    }
                    None => {
                        numbers.end = number;
                        break;
                    }
                }
            }
            if numbers.is_empty() {
                break; // nothing remains of the chunk
            }
            let path = chunk_path(&self.folder, self.origin.seed, &numbers);
            let closed = chunk.close_as(&path).map_err(failed)?;
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let _ = news.send(News::Chunk(Box::new(Entry::new(file, &closed, origin))));
        }
        Ok(())
    }
}
