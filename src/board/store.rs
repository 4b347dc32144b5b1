//! What is kept on disk: games, their events and who has which seat, in a file of SQLite.
//!
//! A thread of its own writes. What waits at the same time shares a transaction; everything is on the disk before
//! anybody is told (<https://www.sqlite.org/pragma.html#pragma_synchronous>).

use super::saved::{Record, SavedGame, SavedKey, SavedRematch, Summary};
use super::state_file::{StateFile, StoreError};
use super::token::GameId;
use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tokio::sync::{Notify, oneshot};

/// The most requests that share a transaction.
const MAX_SHARED: usize = 256;

/// The games that are in the collection of the server. The table is made when it is needed first: older states have
/// none.
const RECORDED: &str = "CREATE TABLE IF NOT EXISTS recorded (game TEXT PRIMARY KEY) WITHOUT ROWID";

/// The tournaments. The table is made with the first of them.
const TOURNAMENTS: &str = "CREATE TABLE IF NOT EXISTS tournaments (
    id TEXT PRIMARY KEY, created_unix_ms INTEGER NOT NULL, is_over INTEGER NOT NULL, tournament TEXT NOT NULL
) WITHOUT ROWID";

/// A tournament, as it is kept.
#[derive(Debug)]
pub(super) struct TournamentRow {
    /// Its name.
    pub(super) id: GameId,
    /// When it was made, in milliseconds since 1970.
    pub(super) created_unix_ms: u64,
    /// Whether nothing happens in it any more.
    pub(super) is_over: bool,
    /// Everything, as JSON.
    pub(super) text: String,
}

/// Work within a transaction, or why there is none. What it returns is called when the transaction has been written or
/// has failed; `false` with it if the work itself has failed, and must be undone.
type Work = Box<dyn FnOnce(Result<&Connection, StoreError>) -> (bool, Reply) + Send>;
type Reply = Box<dyn FnOnce(Option<Arc<StoreError>>) + Send>;

/// The file with the state. Clones are the same file.
#[derive(Clone)]
pub(super) struct Store {
    work: Sender<Work>,
    end: Sender<()>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
    /// Told when a game has ended.
    ended: Arc<Notify>,
}

impl Store {
    /// Opens the file, which is made if there is none, and locks it.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, is something else, or another server has it.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = StateFile::open(path)?;
        let ((work, waiting), (end, ending)) = (unbounded(), unbounded());
        let serve = move || serve(file, &waiting, &ending);
        let spawned = thread::Builder::new().name("store".to_owned()).spawn(serve);
        let thread = Arc::new(Mutex::new(Some(spawned.map_err(StoreError::Thread)?)));
        Ok(Self { work, end, thread, ended: Arc::default() })
    }

    /// Does work within a transaction, and returns when it is on the disk.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let work: Work = Box::new(move |connection| {
            let result = connection.and_then(work);
            let is_good = result.is_ok();
            let reply: Reply = Box::new(move |failure| {
                let result = match failure {
                    Some(error) if is_good => Err(StoreError::Shared(error)),
                    _ => result,
                };
                let _ = sender.send(result); // whoever asked may have gone
            });
            (is_good, reply)
        });
        self.work.send(work).map_err(|_| StoreError::Closed)?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }

    /// The count of the server's clock as it was last written.
    ///
    /// # Errors
    /// [`StoreError`], as for every other request.
    pub(super) async fn clock_ms(&self) -> Result<u64, StoreError> {
        self.run(|connection| Ok(connection.query_row("SELECT ms FROM clock", [], |row| row.get(0))?)).await
    }

    /// Writes the count of the server's clock.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn write_clock(&self, ms: u64) -> Result<(), StoreError> {
        self.run(move |connection| set_clock(connection, ms)).await
    }

    /// Writes a new game.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn create(&self, game: SavedGame) -> Result<(), StoreError> {
        self.run(move |connection| insert_game(connection, &game)).await
    }

    /// Writes what has happened in a game.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn append(&self, id: GameId, record: Record) -> Result<(), StoreError> {
        let is_over = record.summary.is_over();
        self.run(move |connection| append(connection, &id, &record)).await?;
        if is_over {
            self.ended.notify_one();
        }
        Ok(())
    }

    /// Waits until a game has ended since the last time.
    pub(super) async fn ended(&self) {
        self.ended.notified().await;
    }

    /// The games that are over and have not been recorded, the oldest first.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn unrecorded(&self) -> Result<Vec<GameId>, StoreError> {
        self.run(|connection| {
            connection.execute_batch(RECORDED)?;
            let mut statement = connection.prepare(
                "SELECT id FROM games WHERE is_over = 1 AND id NOT IN (SELECT game FROM recorded)
                 ORDER BY created_unix_ms, id",
            )?;
            let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
            let ids: Vec<String> = ids.collect::<Result<_, _>>()?;
            Ok(ids.iter().filter_map(|id| GameId::read(id)).collect())
        })
        .await
    }

    /// Notes that games have been recorded.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn set_recorded(&self, ids: Vec<GameId>) -> Result<(), StoreError> {
        self.run(move |connection| {
            let mut statement = connection.prepare_cached("INSERT OR IGNORE INTO recorded VALUES (?1)")?;
            for id in &ids {
                statement.execute([id.as_str()])?;
            }
            Ok(())
        })
        .await
    }

    /// A game; `None` if there is none of this name.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn load(&self, id: GameId) -> Result<Option<SavedGame>, StoreError> {
        self.run(move |connection| load(connection, &id)).await
    }

    /// The names of the games that are not over.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn unfinished(&self) -> Result<Vec<GameId>, StoreError> {
        self.run(|connection| {
            let mut statement = connection.prepare("SELECT id FROM games WHERE is_over = 0")?;
            let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
            let ids: Vec<String> = ids.collect::<Result<_, _>>()?;
            Ok(ids.iter().filter_map(|id| GameId::read(id)).collect())
        })
        .await
    }

    /// The games in short, the newest first, as JSON.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn list(&self, skip: u32, limit: u32) -> Result<Vec<Summary>, StoreError> {
        self.run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, created_unix_ms, summary FROM games ORDER BY created_unix_ms DESC, id LIMIT ?1 OFFSET ?2",
            )?;
            let mut rows = statement.query(params![limit, skip])?;
            let mut list = Vec::new();
            while let Some(row) = rows.next()? {
                let text: String = row.get(2)?;
                list.push(Summary { id: row.get(0)?, created: row.get(1)?, ..serde_json::from_str(&text)? });
            }
            Ok(list)
        })
        .await
    }

    /// Writes a tournament together with its games that have just been made.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn write_tournament(
        &self,
        row: TournamentRow,
        games: Vec<SavedGame>,
    ) -> Result<(), StoreError> {
        self.run(move |connection| {
            connection.execute_batch(TOURNAMENTS)?;
            games.iter().try_for_each(|game| insert_game(connection, game))?;
            connection
                .prepare_cached("INSERT OR REPLACE INTO tournaments VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![row.id.as_str(), row.created_unix_ms, row.is_over, row.text])?;
            Ok(())
        })
        .await
    }

    /// A tournament, as JSON; `None` if there is none of this name.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn load_tournament(&self, id: GameId) -> Result<Option<String>, StoreError> {
        self.run(move |connection| {
            connection.execute_batch(TOURNAMENTS)?;
            let mut statement =
                connection.prepare_cached("SELECT tournament FROM tournaments WHERE id = ?1")?;
            Ok(statement.query_row([id.as_str()], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// The names of tournaments, the newest first, with JSON: so many of all, or all that are not over.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn tournaments(&self, newest: Option<u32>) -> Result<Vec<(GameId, String)>, StoreError> {
        self.run(move |connection| {
            connection.execute_batch(TOURNAMENTS)?;
            let mut statement = connection.prepare_cached(
                "SELECT id, tournament FROM tournaments WHERE ?1 OR is_over = 0 ORDER BY created_unix_ms DESC, id LIMIT ?2",
            )?;
            let limit = newest.map_or(-1, i64::from);
            let mut rows = statement.query(params![newest.is_some(), limit])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let id: String = row.get(0)?;
                let text: String = row.get(1)?;
                found.extend(GameId::read(&id).map(|id| (id, text)));
            }
            Ok(found)
        })
        .await
    }

    /// Writes what waits. Whatever comes later is refused.
    pub(super) fn close(&self) {
        let work: Work = Box::new(|_| (true, Box::new(|_| ())));
        // The thread ends when it sees that there is nobody to tell.
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && self.end.send(()).is_ok()
            && self.work.send(work).is_ok()
        {
            let _ = thread.join();
        }
    }
}

/// Does the work that comes, together what has come together, until it is told to end.
fn serve(mut file: StateFile, waiting: &Receiver<Work>, end: &Receiver<()>) {
    while let Ok(first) = waiting.recv() {
        let works: Vec<Work> =
            std::iter::once(first).chain(waiting.try_iter().take(MAX_SHARED - 1)).collect();
        let mut replies = Vec::with_capacity(works.len());
        let failure = share(&mut file, works, &mut replies).err();
        for reply in replies {
            reply(failure.clone());
        }
        if end.try_recv().is_ok() {
            break;
        }
    }
}

/// Does work in one transaction. Where that fails, all of it is undone, and the rest is not begun.
fn share(file: &mut StateFile, works: Vec<Work>, replies: &mut Vec<Reply>) -> Result<(), Arc<StoreError>> {
    let mut works = works.into_iter();
    let done = file.begin().and_then(|mut transaction| {
        // An item is taken from the queue only once there is a savepoint for it.
        while works.len() > 0 {
            let savepoint = transaction.savepoint()?;
            let Some(work) = works.next() else { break };
            let (is_good, reply) = work(Ok(&savepoint));
            replies.push(reply);
            if is_good {
                savepoint.commit()?;
            } else {
                drop(savepoint); // it is undone
                // Some failures undo everything (<https://www.sqlite.org/lang_transaction.html>).
                if transaction.is_autocommit() {
                    return Err(StoreError::Undone);
                }
            }
        }
        Ok(transaction.commit()?)
    });
    done.map_err(|error| {
        let error = Arc::new(error);
        replies.extend(works.map(|work| work(Err(StoreError::Shared(Arc::clone(&error)))).1));
        error
    })
}

fn set_clock(connection: &Connection, ms: u64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE clock SET ms = max(ms, ?1)")?.execute([ms])?;
    Ok(())
}

fn insert_game(connection: &Connection, game: &SavedGame) -> Result<(), StoreError> {
    let SavedGame { id, created_ms, created_unix_ms, head, keys, record, .. } = game;
    connection.prepare_cached("INSERT INTO games VALUES (?1, ?2, ?3, ?4, NULL, '', 0)")?.execute(params![
        id.as_str(),
        created_ms,
        created_unix_ms,
        serde_json::to_string(head)?
    ])?;
    insert_keys(connection, id, keys)?;
    append(connection, id, record)
}

fn insert_keys(connection: &Connection, id: &GameId, keys: &[SavedKey]) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO keys VALUES (?1, ?2, ?3)")?;
    for SavedKey { fingerprint, role } in keys {
        statement.execute(params![id.as_str(), fingerprint.0, serde_json::to_string(role)?])?;
    }
    Ok(())
}

fn append(connection: &Connection, id: &GameId, record: &Record) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3)")?;
    for (number, event) in (record.first..).zip(&record.events) {
        statement.execute(params![id.as_str(), number, serde_json::to_string(event)?])?;
    }
    insert_keys(connection, id, &record.keys)?;
    if let Some(rematch) = &record.rematch {
        let rematch = serde_json::to_string(rematch)?;
        connection
            .prepare_cached("UPDATE games SET rematch = ?2 WHERE id = ?1")?
            .execute(params![id.as_str(), rematch])?;
    }
    if let Some(game) = &record.next {
        insert_game(connection, game)?;
    }
    connection
        .prepare_cached("UPDATE games SET summary = ?2, is_over = ?3 WHERE id = ?1")?
        .execute(params![id.as_str(), serde_json::to_string(&record.summary)?, record.summary.is_over()])?;
    set_clock(connection, record.at_ms)
}

fn load(connection: &Connection, id: &GameId) -> Result<Option<SavedGame>, StoreError> {
    let row = connection
        .prepare_cached("SELECT created_ms, created_unix_ms, head, rematch FROM games WHERE id = ?1")?
        .query_row([id.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get::<_, Option<String>>(3)?))
        })
        .optional()?;
    let Some((created_ms, created_unix_ms, head, rematch)) = row else { return Ok(None) };
    let rematch: Option<SavedRematch> = rematch.map(|text| serde_json::from_str(&text)).transpose()?;
    let mut statement = connection.prepare_cached("SELECT fingerprint, role FROM keys WHERE game = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next()? {
        let role: String = row.get(1)?;
        let fingerprint = super::token::Fingerprint(row.get(0)?);
        keys.push(SavedKey { fingerprint, role: serde_json::from_str(&role)? });
    }
    let mut statement =
        connection.prepare_cached("SELECT event FROM events WHERE game = ?1 ORDER BY number")?;
    let mut rows = statement.query([id.as_str()])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(serde_json::from_str(&row.get::<_, String>(0)?)?);
    }
    let record = Record { events, ..Record::default() };
    let head = serde_json::from_str(&head)?;
    Ok(Some(SavedGame { id: id.clone(), created_ms, created_unix_ms, head, keys, rematch, record }))
}
