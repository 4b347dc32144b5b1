//! Files of a known length, which can be read to their end.

use std::fs::{self, File, FileType};
use std::io::{self, Error, ErrorKind};
use std::path::Path;

/// Opens a regular file, or a link to one, to be read.
///
/// Where somebody waits for an answer, nothing else may be opened: a pipe keeps its reader waiting
/// until somebody writes, and a device may never end.
///
/// # Errors
/// If there is no such file, or it is something else, or it cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Is there a regular file, or a link to one? It is not opened.
///
/// # Errors
/// If there is nothing, or something else, or it cannot be looked at.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if found.is_file() {
        return Ok(());
    }
    let reason = format!("{}, expected a regular file", name(found.file_type()));
    Err(Error::new(ErrorKind::InvalidInput, reason))
}

/// What something is that is no regular file.
fn name(found: FileType) -> &'static str {
    if found.is_dir() { "a folder" } else { name_of_special(found) }
}

#[cfg(unix)]
fn name_of_special(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if found.is_fifo() {
        "a named pipe"
    } else if found.is_char_device() || found.is_block_device() {
        "a device"
    } else if found.is_socket() {
        "a socket"
    } else {
        "something else"
    }
}

#[cfg(not(unix))]
fn name_of_special(_: FileType) -> &'static str {
    "something else"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_opened_and_a_folder_is_not() {
        let folder = std::env::temp_dir().join(format!("hematite-regular-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join("file");
        fs::write(&file, "text").expect("it can be written");
        assert!(open_regular(&file).is_ok());
        let refusal = |path: &Path| open_regular(path).map(drop).map_err(|error| error.to_string());
        assert_eq!(refusal(&folder), Err("a folder, expected a regular file".to_owned()));
        let missing = open_regular(&folder.join("missing")).map_err(|error| error.kind());
        assert_eq!(missing.err(), Some(ErrorKind::NotFound));
        fs::remove_dir_all(&folder).expect("it is there");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_special_files_refused() {
        use std::os::unix::{fs::symlink, net::UnixListener};
        let folder = std::env::temp_dir().join(format!("hematite-special-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("file"), "text").expect("it can be written");
        let _listener = UnixListener::bind(folder.join("socket")).expect("a socket can be made");
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo");
        assert!(made.success());
        let cases = [
            ("file", None),
            ("/dev/zero", Some("a device")),
            ("pipe", Some("a named pipe")),
            ("socket", Some("a socket")),
            ("/", Some("a folder")),
        ];
        for (name, expected) in cases {
            let link = folder.join("link");
            symlink(folder.join(name), &link).expect("a link can be made");
            for path in [&folder.join(name), &link] {
                let found = open_regular(path).map(drop).map_err(|error| error.to_string());
                let expected =
                    expected.map_or(Ok(()), |name| Err(format!("{name}, expected a regular file")));
                assert_eq!(found, expected, "{}", path.display());
            }
            fs::remove_file(&link).expect("it is there");
        }
        fs::remove_dir_all(&folder).expect("it is there");
    }
}
