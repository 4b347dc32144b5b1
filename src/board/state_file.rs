//! The file of SQLite with the state, which is the server's alone, and stays where it is.
//!
//! Other programs can remove a file that is open, or put another one in its place; what is written then is lost when
//! the server ends. So it is looked at before every write.

use crate::files::TempPath;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The version of the tables.
const VERSION: i64 = 1;
/// What must not be taken for another program's file.
const APPLICATION: i64 = 0x4865_6d61;
/// How long to wait at the start for another program that has the file.
const OPEN_PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait for it later: whoever moves then waits for the answer.
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

/// The state cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite says why.
    #[error("{path}: {error}", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: rusqlite::Error,
    },
    /// Another server has it.
    #[error("{} is in use, most likely by another `hematite board`; expected another file by --state", .0.display())]
    InUse(PathBuf),
    /// The file is something else.
    #[error("{} is not a file of `hematite board`, or of a later version", .0.display())]
    Foreign(PathBuf),
    /// There is no thread for it.
    #[error("a thread cannot be started: {0}")]
    Thread(#[source] io::Error),
    /// It cannot be read or written.
    #[error("the game cannot be saved: {}", reason(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// The file has been removed, and it cannot be made again.
    #[error("the game cannot be saved: the file with the games has been removed ({0})")]
    Removed(#[source] io::Error),
    /// Another file is in its place.
    #[error("the game cannot be saved: another file has taken the place of that with the games")]
    Replaced,
    /// Text in it cannot be understood.
    #[error("the state is damaged: {0}")]
    Json(#[from] serde_json::Error),
    /// SQLite has undone the transaction.
    #[error("the game cannot be saved: something else could not be written")]
    Undone,
    /// Several requests shared a transaction that failed.
    #[error("{0}")]
    Shared(Arc<Self>),
    /// The server ends.
    #[error("the server ends")]
    Closed,
}

/// Why SQLite does not do something, for people.
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

/// The file. It is locked as long as it is open, so that no other program reads or writes it.
pub(super) struct StateFile {
    /// Where it is, without links.
    path: PathBuf,
    connection: Connection,
    /// What tells it and its log of changes from others in their places.
    files: [FileId; 2],
}

impl StateFile {
    /// Opens the file, which is made if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, is something else, or another server has it.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = connect(path)?;
        let path = fs::canonicalize(path).map_err(StoreError::Removed)?;
        let files = [file_id(&path), file_id(&log_of(&path))];
        let [state, log] = files.map(|id| id.map_err(StoreError::Removed));
        Ok(Self { path, connection, files: [state?, log?] })
    }

    /// Begins a transaction in the file at its place.
    ///
    /// # Errors
    /// [`StoreError`] if nothing can be written, or it would not be found again.
    pub(super) fn begin(&mut self) -> Result<Transaction<'_>, StoreError> {
        self.keep_place()?;
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }

    /// Makes the file again if it has been removed: everything in it can still be read.
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
                // The log is ended, which brings its changes into the file, and begun anew.
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
        remove(copy.path())?; // a killed server may have left one
        // SQLite takes text only; another path is that of no file.
        let text = copy.path().to_str().ok_or(StoreError::Removed(ErrorKind::InvalidFilename.into()))?;
        self.connection.execute("VACUUM INTO ?1", [text])?;
        File::options()
            .write(true)
            .open(copy.path())
            .and_then(|file| file.sync_all())
            .map_err(StoreError::Removed)?;
        // A log that stays behind would be taken for that of the copy.
        remove(&log_of(&self.path))?;
        // Fails if there is a file again.
        fs::hard_link(copy.path(), &self.path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => StoreError::Replaced,
            _ => StoreError::Removed(error),
        })?;
        *self = Self::open(&self.path)?;
        Ok(())
    }
}

/// Removes a file that need not be there.
fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(StoreError::Removed(error)),
        _ => Ok(()),
    }
}

/// The log of changes beside a file (<https://www.sqlite.org/wal.html>).
fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// What tells a file from all others: the number of its device, and its own.
#[cfg(unix)]
type FileId = (u64, u64);
/// Where an open file can be neither removed nor replaced, it is always the same one.
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

/// Writes whose file it is, behind other statements. A write takes the lock, which is kept from then on, and makes the
/// log.
fn write_mark(connection: &Connection, statements: &str) -> rusqlite::Result<()> {
    let mark = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
    connection.execute_batch(&format!("BEGIN IMMEDIATE; {statements} {mark} COMMIT;"))
}

/// Begins a log of changes. Everything is on the disk before anybody is told.
fn begin_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")
}
