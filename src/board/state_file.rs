//! The SQLite file with the state. Only this server uses it, and it must stay at its path.
//!
//! Other programs can remove or replace an open file; everything written after that would be lost when the server ends.
//! The path is therefore checked before every write.

use crate::files::TempPath;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The version of the tables, stored as `user_version`.
const VERSION: i64 = 1;
/// The `application_id` that marks files of this program.
const APPLICATION: i64 = 0x4865_6d61;
/// The time limit at startup for another program to release the file.
const OPEN_PATIENCE: Duration = Duration::from_secs(5);
/// The same limit for writes while the server runs; it is shorter because a player waits for the answer.
const BUSY_PATIENCE: Duration = Duration::from_secs(2);

const TABLES: &str = "
    CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), ms INTEGER NOT NULL);
    INSERT INTO clock VALUES (1, 0);
    CREATE TABLE games (
        id TEXT PRIMARY KEY, created_ms INTEGER NOT NULL, created_unix_ms INTEGER NOT NULL, head TEXT NOT NULL,
        rematch TEXT, summary TEXT NOT NULL, is_over INTEGER NOT NULL
    );
    CREATE INDEX games_by_time ON games (created_unix_ms);
    CREATE TABLE keys (
        game TEXT NOT NULL REFERENCES games (id), fingerprint BLOB NOT NULL, role TEXT NOT NULL,
        PRIMARY KEY (game, fingerprint)
    ) WITHOUT ROWID;
    CREATE TABLE events (
        game TEXT NOT NULL REFERENCES games (id), number INTEGER NOT NULL, event TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
";

/// The reason why the state cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite cannot open the file.
    #[error("{path}: {error}", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: rusqlite::Error,
    },
    /// Another server uses the file.
    #[error("{} is in use, most likely by another `hematite board`; expected another file by --state", .0.display())]
    InUse(PathBuf),
    /// The file belongs to another program or to a later version.
    #[error("{} is not a file of `hematite board`, or of a later version", .0.display())]
    Foreign(PathBuf),
    /// The system refused to start a thread.
    #[error("a thread cannot be started: {0}")]
    Thread(#[source] io::Error),
    /// SQLite cannot read or write the file.
    #[error("the game cannot be saved: {}", reason(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// The file has been removed, and cannot be restored.
    #[error("the game cannot be saved: the file with the games has been removed ({0})")]
    Removed(#[source] io::Error),
    /// Another file is at its path.
    #[error("the game cannot be saved: another file has taken the place of that with the games")]
    Replaced,
    /// A text in the file is not the expected JSON.
    #[error("the state is damaged: {0}")]
    Json(#[from] serde_json::Error),
    /// SQLite has rolled back the transaction.
    #[error("the game cannot be saved: something else could not be written")]
    Undone,
    /// The transaction that this request shared with others has failed.
    #[error("{0}")]
    Shared(Arc<Self>),
    /// The server shuts down.
    #[error("the server ends")]
    Closed,
}

/// The reason of an SQLite error, for people.
fn reason(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program has locked the file with the games".to_owned()
        }
        Some(ErrorCode::ReadOnly) => "the file with the games must not be written to".to_owned(),
        _ => error.to_string(),
    }
}

/// The state file. It is locked while it is open, so that no other program reads or writes it.
pub(super) struct StateFile {
    /// The path, without symbolic links.
    path: PathBuf,
    connection: Connection,
    /// The identities of the file and of its log (WAL).
    files: [FileId; 2],
}

impl StateFile {
    /// Opens the file, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened, belongs to another program, or is in use by another server.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = connect(path)?;
        let path = fs::canonicalize(path).map_err(StoreError::Removed)?;
        let files = [file_id(&path), file_id(&log_of(&path))];
        let [state, log] = files.map(|id| id.map_err(StoreError::Removed));
        Ok(Self { path, connection, files: [state?, log?] })
    }

    /// Starts a transaction, after checking that the file is still at its path.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be written, or is not at its path.
    pub(super) fn begin(&mut self) -> Result<Transaction<'_>, StoreError> {
        self.keep_place()?;
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }

    /// Restores the file or its log if it has been removed; its content can still be read through the open connection.
    fn keep_place(&mut self) -> Result<(), StoreError> {
        let is_there = |path: &Path, id: FileId| match file_id(path) {
            Ok(found) => Ok(Some(found == id)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::Removed(error)),
        };
        let [state, log] = self.files;
        let log_path = log_of(&self.path);
        match (is_there(&self.path, state)?, is_there(&log_path, log)?) {
            (Some(true), Some(true)) => Ok(()),
            (Some(true), _) => {
                // Ending the log copies its changes to the file; then a new log is started.
                self.connection.pragma_update(None, "journal_mode", "DELETE")?;
                begin_log(&self.connection)?;
                write_mark(&self.connection, "")?;
                self.files[1] = file_id(&log_path).map_err(StoreError::Removed)?;
                Ok(())
            }
            (Some(false), _) => Err(StoreError::Replaced),
            (None, _) => self.restore(),
        }
    }

    fn restore(&mut self) -> Result<(), StoreError> {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(".tmp");
        let copy = TempPath::new(self.path.with_file_name(name));
        remove(copy.path())?; // left by a server that was killed
        // SQLite accepts only paths in UTF-8.
        let text = copy.path().to_str().ok_or(StoreError::Removed(ErrorKind::InvalidFilename.into()))?;
        self.connection.execute("VACUUM INTO ?1", [text])?;
        File::options()
            .write(true)
            .open(copy.path())
            .and_then(|file| file.sync_all())
            .map_err(StoreError::Removed)?;
        // SQLite would apply an old log to the copy.
        remove(&log_of(&self.path))?;
        // Fails if a file is at the path again.
        fs::hard_link(copy.path(), &self.path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => StoreError::Replaced,
            _ => StoreError::Removed(error),
        })?;
        *self = Self::open(&self.path)?;
        Ok(())
    }
}

/// Removes a file, if it exists.
fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(StoreError::Removed(error)),
        _ => Ok(()),
    }
}

/// The path of the write-ahead log of a file (<https://www.sqlite.org/wal.html>).
fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// The identity of a file: the numbers of its device and of its inode.
#[cfg(unix)]
type FileId = (u64, u64);
/// On other systems an open file can be neither removed nor replaced, so no identity is needed.
#[cfg(not(unix))]
type FileId = ();

#[cfg(unix)]
fn file_id(path: &Path) -> io::Result<FileId> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn file_id(path: &Path) -> io::Result<FileId> {
    fs::metadata(path).map(|_| ())
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let open_error = |error| StoreError::Open { path: path.to_owned(), error };
    let connection = Connection::open(path).map_err(open_error)?;
    connection.busy_timeout(OPEN_PATIENCE).map_err(open_error)?;
    set_up(&connection, path).map_err(|error| match error {
        StoreError::Sqlite(error) if is_locked(&error) => StoreError::InUse(path.to_owned()),
        StoreError::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            StoreError::Foreign(path.to_owned())
        }
        StoreError::Sqlite(error) => open_error(error),
        other => other,
    })?;
    connection.busy_timeout(BUSY_PATIENCE).map_err(open_error)?;
    Ok(connection)
}

fn is_locked(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn set_up(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let read = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_new = tables == 0;
    if !is_new && (read("application_id")? != APPLICATION || read("user_version")? != VERSION) {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    begin_log(connection)?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    let tables = if is_new { TABLES } else { "" };
    write_mark(connection, tables)?;
    Ok(())
}

/// Executes statements, then writes the application id and the version. The write takes the lock, which is kept until
/// the file is closed, and creates the log.
fn write_mark(connection: &Connection, statements: &str) -> rusqlite::Result<()> {
    let mark = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
    connection.execute_batch(&format!("BEGIN IMMEDIATE; {statements} {mark} COMMIT;"))
}

/// Turns the write-ahead log on, with a sync to disk at every commit.
fn begin_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")
}
