//! The storage of games, events and tokens in an SQLite file.
//!
//! One thread executes all requests. Requests that wait at the same time share a transaction, and every answer is sent
//! after the sync to disk (<https://www.sqlite.org/pragma.html#pragma_synchronous>).

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

/// The maximum number of requests that share a transaction.
const MAX_SHARED: usize = 256;

/// The games that have been saved to the collection of the server. The table is created when it is first needed, since
/// state files of older versions do not have it.
const RECORDED: &str = "CREATE TABLE IF NOT EXISTS recorded (game TEXT PRIMARY KEY) WITHOUT ROWID";

/// The tournaments. The table is created when it is first needed.
const TOURNAMENTS: &str = "CREATE TABLE IF NOT EXISTS tournaments (
    id TEXT PRIMARY KEY, created_unix_ms INTEGER NOT NULL, is_over INTEGER NOT NULL, tournament TEXT NOT NULL
) WITHOUT ROWID";

/// A stored tournament.
#[derive(Debug)]
pub(super) struct TournamentRow {
    /// The identifier.
    pub(super) id: GameId,
    /// The time of its creation, in milliseconds since 1970.
    pub(super) created_unix_ms: u64,
    /// Whether the tournament is over.
    pub(super) is_over: bool,
    /// The whole tournament as JSON.
    pub(super) text: String,
}

/// Work within a transaction; it receives the error if there is no transaction. It returns whether it has succeeded
/// (otherwise it is rolled back), and a reply that is called after the commit or its failure.
type Work = Box<dyn FnOnce(Result<&Connection, StoreError>) -> (bool, Reply) + Send>;
type Reply = Box<dyn FnOnce(Option<Arc<StoreError>>) + Send>;

/// The store. Clones share the file.
#[derive(Clone)]
pub(super) struct Store {
    work: Sender<Work>,
    end: Sender<()>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
    /// Notified when a game has ended.
    ended: Arc<Notify>,
}

impl Store {
    /// Opens and locks the file, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened, belongs to another program, or is in use by another server.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = StateFile::open(path)?;
        let ((work, waiting), (end, ending)) = (unbounded(), unbounded());
        let serve = move || serve(file, &waiting, &ending);
        let spawned = thread::Builder::new().name("store".to_owned()).spawn(serve);
        let thread = Arc::new(Mutex::new(Some(spawned.map_err(StoreError::Thread)?)));
        Ok(Self { work, end, thread, ended: Arc::default() })
    }

    /// Executes work within a transaction, and returns after its commit.
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
                let _ = sender.send(result); // the requester may be gone
            });
            (is_good, reply)
        });
        self.work.send(work).map_err(|_| StoreError::Closed)?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }

    /// The time of the server's clock that was last written, in milliseconds.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read or written, or the server shuts down.
    pub(super) async fn clock_ms(&self) -> Result<u64, StoreError> {
        self.run(|connection| Ok(connection.query_row("SELECT ms FROM clock", [], |row| row.get(0))?)).await
    }

    /// Writes the time of the server's clock, in milliseconds. It never decreases.
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

    /// Writes new events of a game.
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

    /// Waits until a game has ended since the last call.
    pub(super) async fn ended(&self) {
        self.ended.notified().await;
    }

    /// The games that are over and have not been saved to the collection, oldest first.
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

    /// Marks games as saved to the collection.
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

    /// Reads a game; `None` if there is none with this identifier.
    ///
    /// # Errors
    /// As [`Store::clock_ms`].
    pub(super) async fn load(&self, id: GameId) -> Result<Option<SavedGame>, StoreError> {
        self.run(move |connection| load(connection, &id)).await
    }

    /// The identifiers of the games that are not over.
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

    /// Summaries of games, newest first.
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

    /// Writes a tournament together with its new games.
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

    /// Reads a tournament as JSON; `None` if there is none with this identifier.
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

    /// The identifiers and JSON of the `newest` tournaments, newest first; with `None`, all that are not over.
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

    /// Executes the waiting requests, then ends the thread. Later requests fail.
    pub(super) fn close(&self) {
        let work: Work = Box::new(|_| (true, Box::new(|_| ())));
        // The thread checks for the end after each transaction, so it needs one more request.
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && self.end.send(()).is_ok()
            && self.work.send(work).is_ok()
        {
            let _ = thread.join();
        }
    }
}

/// Executes requests, several in a transaction if they wait at the same time, until the store is closed.
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

/// Executes work in one transaction. If the transaction fails, all of it is rolled back, and the remaining work is not
/// started.
fn share(file: &mut StateFile, works: Vec<Work>, replies: &mut Vec<Reply>) -> Result<(), Arc<StoreError>> {
    let mut works = works.into_iter();
    let done = file.begin().and_then(|mut transaction| {
        // Work is taken from the queue only after its savepoint has been created, so that no work is lost if that
        // fails.
        while works.len() > 0 {
            let savepoint = transaction.savepoint()?;
            let Some(work) = works.next() else { break };
            let (is_good, reply) = work(Ok(&savepoint));
            replies.push(reply);
            if is_good {
                savepoint.commit()?;
            } else {
                drop(savepoint); // rolls back
                // Some errors roll back the whole transaction (<https://www.sqlite.org/lang_transaction.html>).
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
