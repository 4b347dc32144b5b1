//! Files that appear under their names only when they are complete.

use super::open::{make_folder_of, refuse_packed_extension};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of bytes written at a time.
const BUFFER: usize = 1 << 16;

/// A file that is written under a temporary name in the same folder until it is complete. An incomplete file is
/// removed, and an old file of that name remains unchanged.
///
/// Pipes and devices are written directly.
///
/// ```
/// use hematite_core::files::AtomicFile;
/// use std::io::Write;
/// # fn main() -> std::io::Result<()> {
/// let path = std::env::temp_dir().join(format!("hematite-{}.txt", std::process::id()));
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "all of it")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "all of it\n");
/// # std::fs::remove_file(&path)
/// # }
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    writer: BufWriter<File>,
    /// `None` for a pipe or a device.
    unfinished: Option<Unfinished>,
}

/// A file under its temporary name.
#[derive(Debug)]
struct Unfinished {
    temporary: TempPath,
    /// The final name.
    path: PathBuf,
}

impl AtomicFile {
    /// Starts to write a file, and creates its folder if necessary. Other threads and processes may write the same
    /// file: the one that is committed last remains.
    ///
    /// # Errors
    /// If the path is a folder, the folder of the file cannot be written to, or the name is that of a compressed file.
    pub fn create(path: &Path) -> io::Result<Self> {
        refuse_packed_extension(path)?;
        Self::create_packed(path)
    }

    /// Like [`AtomicFile::create`], but also accepts the name of a compressed file.
    pub(super) fn create_packed(path: &Path) -> io::Result<Self> {
        /// The number of names to try: a killed process with the same ID may have left some files.
        const ATTEMPTS: usize = 100;
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let create = |target: &Path| {
            for attempt in 1.. {
                let number = COUNT.fetch_add(1, Ordering::Relaxed);
                let temporary = temporary(target, &format!(".{}-{number}", process::id()))?;
                match TempPath::create(&temporary, |path| File::create_new(path)) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < ATTEMPTS => {}
                    created => return created,
                }
            }
            unreachable!("the last attempt returns")
        };
        Self::start(path, create)
    }

    /// Starts to write a file that is written by nothing else at the same time. The temporary file of a killed process
    /// is overwritten.
    ///
    /// # Errors
    /// The errors of [`AtomicFile::create`].
    pub fn create_alone(path: &Path) -> io::Result<Self> {
        refuse_packed_extension(path)?;
        Self::start(path, |target| {
            let temporary = temporary(target, "")?;
            TempPath::create(&temporary, |path| File::create(path))
        })
    }

    fn start(path: &Path, create: impl Fn(&Path) -> io::Result<(File, TempPath)>) -> io::Result<Self> {
        let old = fs::metadata(path).ok();
        let target = match &old {
            Some(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Some(old) if !old.is_file() => {
                let file = File::options().write(true).open(path)?;
                return Ok(Self { writer: BufWriter::with_capacity(BUFFER, file), unfinished: None });
            }
            // A symbolic link remains a link.
            Some(_) => fs::canonicalize(path)?,
            // Resolved now, since the current folder may change before the file is committed.
            None => env::current_dir().map_or_else(|_| path.to_owned(), |folder| folder.join(path)),
        };
        make_folder_of(&target)?;
        let (file, temporary) = create(&target)?;
        if let Some(old) = old {
            // The permissions remain, if possible; without them the file is still useful.
            let _ = fs::set_permissions(temporary.path(), old.permissions());
        }
        let unfinished = Some(Unfinished { temporary, path: target });
        Ok(Self { writer: BufWriter::with_capacity(BUFFER, file), unfinished })
    }

    /// Waits until all data are on the disk, so that they survive a crash of the machine.
    ///
    /// # Errors
    /// If the data cannot be written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.writer.get_ref().sync_all()
    }

    /// Renames the file to its final name, and replaces an existing file of that name.
    ///
    /// # Errors
    /// If the last data cannot be written, or the file cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        self.finish(None)
    }

    /// Renames the file to this name in the same folder, instead of the name with which it was created.
    ///
    /// # Errors
    /// The errors of [`AtomicFile::commit`].
    pub fn commit_as(self, path: &Path) -> io::Result<()> {
        self.finish(Some(path))
    }

    fn finish(mut self, other: Option<&Path>) -> io::Result<()> {
        self.writer.flush()?;
        if let Some(Unfinished { temporary, path }) = self.unfinished {
            fs::rename(temporary.path(), other.unwrap_or(&path))?;
            temporary.keep();
        }
        Ok(())
    }
}

/// The prefix and the suffix of a temporary name.
const TEMPORARY: (&str, &str) = (".", ".tmp");

/// The temporary name of a file.
fn temporary(path: &Path, mark: &str) -> io::Result<PathBuf> {
    let mut name = OsString::from(TEMPORARY.0);
    name.push(path.file_name().ok_or(ErrorKind::InvalidFilename)?);
    name.push(mark);
    name.push(TEMPORARY.1);
    Ok(path.with_file_name(name))
}

/// The final name of a temporary file, for example one that a killed process has left; `None` if the name is not that
/// of a temporary file.
pub fn final_name(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_prefix(TEMPORARY.0)?.strip_suffix(TEMPORARY.1)?;
    let is_mark = |mark: &str| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        mark.split_once('-').is_some_and(|(process, count)| is_number(process) && is_number(count))
    };
    match name.rsplit_once('.') {
        Some((name, mark)) if is_mark(mark) => Some(name),
        _ => Some(name),
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The paths of the temporary files of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes all temporary files of this process, which is about to end abruptly: a thread that creates or keeps a
/// temporary file after this call waits forever.
pub fn remove_temporary_files() {
    let unfinished = UNFINISHED.lock();
    for path in &*unfinished {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// A temporary file, which is removed on drop and when the process is interrupted, unless it is kept.
#[derive(Debug)]
pub struct TempPath {
    path: PathBuf,
    is_kept: bool,
}

impl TempPath {
    /// Creates a temporary file. [`remove_temporary_files`] runs before or after this, never between the creation of
    /// the file and its registration.
    ///
    /// # Errors
    /// The errors of `create`, which creates and opens the file.
    pub fn create<F>(path: &Path, create: impl FnOnce(&Path) -> io::Result<F>) -> io::Result<(F, Self)> {
        let mut unfinished = UNFINISHED.lock();
        let file = create(path)?;
        unfinished.insert(path.to_owned());
        Ok((file, Self { path: path.to_owned(), is_kept: false }))
    }

    /// Registers this file as temporary, whether it already exists or not.
    pub fn new(path: PathBuf) -> Self {
        UNFINISHED.lock().insert(path.clone());
        Self { path, is_kept: false }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the file.
    pub fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for TempPath {
    fn drop(&mut self) {
        if !self.is_kept {
            // An error cannot be reported here.
            let _ = fs::remove_file(&self.path);
        }
        UNFINISHED.lock().remove(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Atomic files

    /// An empty folder for a test.
    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("hematite-new-file-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("it can be listed");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_complete_or_not_there() {
        let folder = folder("complete");
        let path = folder.join("new");
        type Create = fn(&Path) -> io::Result<AtomicFile>;
        for create in [AtomicFile::create as Create, AtomicFile::create_alone as Create] {
            fs::write(&path, "old").expect("it can be written");
            let mut file = create(&path).expect("it can be created");
            write!(file, "new").and_then(|()| file.sync()).expect("it can be written");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("old"));
            drop(file);
            assert_eq!((fs::read_to_string(&path).ok().as_deref(), names(&folder).len()), (Some("old"), 1));
            let mut file = create(&path).expect("it can be created");
            write!(file, "new").expect("it can be written");
            file.commit().expect("it can be completed");
            assert_eq!((fs::read_to_string(&path).ok().as_deref(), names(&folder).len()), (Some("new"), 1));
        }
        let [mut first, mut second] = [1, 2].map(|_| AtomicFile::create(&path).expect("it can be created"));
        write!(first, "first").and_then(|()| write!(second, "second")).expect("it can be written");
        first.commit().and_then(|()| second.commit()).expect("both can be completed");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("second"));
        fs::write(folder.join(".new.tmp"), "left by a killed process").expect("it can be written");
        AtomicFile::create_alone(&path).and_then(AtomicFile::commit).expect("it is overwritten");
        assert_eq!((fs::read_to_string(&path).ok().as_deref(), names(&folder).len()), (Some(""), 1));
        assert!(AtomicFile::create(&folder).is_err(), "a folder is no file");
        let deep = AtomicFile::create(&folder.join("missing/new"));
        assert!(deep.and_then(AtomicFile::commit).is_ok() && folder.join("missing/new").is_file());
        for name in ["a.pgn.gz", "a.zip"] {
            assert!(AtomicFile::create(&folder.join(name)).is_err(), "it would not be compressed");
        }
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn final_names_of_temporary_files() {
        let cases = [
            (".out.games.123-4.tmp", Some("out.games")),
            (".out.games.tmp", Some("out.games")),
            (".out.games.12-.tmp", Some("out.games.12-")),
            ("out.games.123-4.tmp", None),
            (".out.games", None),
            ("..", None),
        ];
        for (name, expected) in cases {
            assert_eq!(final_name(&Path::new("folder").join(name)), expected, "{name}");
        }
        for mark in ["", ".5-6"] {
            let temporary = temporary(Path::new("folder/out.pgn"), mark).expect("a name");
            assert_eq!(final_name(&temporary), Some("out.pgn"), "{mark}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_rights_stay() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = folder("links");
        let (path, link) = (folder.join("file"), folder.join("link"));
        fs::write(&path, "old").expect("it can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("rights can be set");
        symlink("file", &link).expect("a link can be made");
        let mut file = AtomicFile::create(&link).expect("it can be created");
        write!(file, "new").expect("it can be written");
        file.commit().expect("it can be completed");
        assert!(fs::symlink_metadata(&link).is_ok_and(|link| link.is_symlink()));
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("new"));
        assert!(fs::metadata(&path).is_ok_and(|file| file.permissions().mode() & 0o777 == 0o640));
        let mut null = AtomicFile::create(Path::new("/dev/null")).expect("it can be opened");
        write!(null, "nothing").expect("it can be written");
        null.commit().expect("it can be completed");
        assert!(fs::metadata("/dev/null").is_ok_and(|null| null.file_type().is_char_device()));
        let _ = fs::remove_dir_all(&folder);
    }

    // Temporary files

    #[test]
    fn a_file_is_known_when_it_is_created() {
        let path = env::temp_dir().join(format!("hematite-known-{}", process::id()));
        let create = |path: &Path| {
            assert!(UNFINISHED.is_locked(), "an interruption has to wait");
            File::create_new(path)
        };
        let (_file, temporary) = TempPath::create(&path, create).expect("it can be created");
        assert!(UNFINISHED.lock().contains(&path));
        assert!(TempPath::create(&path, create).is_err(), "it exists");
        assert!(path.exists(), "an error removes nothing");
        drop(temporary);
        assert!(!path.exists() && !UNFINISHED.lock().contains(&path));
    }

    #[test]
    fn a_provisional_file_stays_only_if_it_is_kept() {
        let path = env::temp_dir().join(format!("hematite-provisional-{}", process::id()));
        for is_kept in [false, true] {
            fs::write(&path, "text").expect("it can be written");
            let provisional = TempPath::new(path.clone());
            assert_eq!(provisional.path(), path);
            if is_kept {
                provisional.keep();
            } else {
                drop(provisional);
            }
            assert_eq!(path.exists(), is_kept);
        }
        let _ = fs::remove_file(&path);
    }
}
