//! Output files of commands, compressed according to the extension of their name.

use super::AtomicFile;
use super::open::is_packed;
use std::io::{self, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// An error that occurred while writing a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", path.display())]
pub struct WriteError {
    path: PathBuf,
    #[source]
    error: Error,
}

impl WriteError {
    /// Adds the name of the file to an error.
    pub fn name(path: &Path, error: Error) -> Error {
        Error::new(error.kind(), Self { path: path.to_owned(), error })
    }
}

/// A file that appears when it is complete, like [`AtomicFile`]. It is compressed if its name ends in `.zst`, `.gz`,
/// `.bz2` or `.xz`. Every error states its name.
pub struct OutputFile {
    path: PathBuf,
    encoder: Encoder,
}

enum Encoder {
    Plain(AtomicFile),
    Zstandard(zstd::Encoder<'static, AtomicFile>),
    Gzip(flate2::write::GzEncoder<AtomicFile>),
    Bzip2(bzip2::write::BzEncoder<AtomicFile>),
    Xz(liblzma::write::XzEncoder<AtomicFile>),
}

/// The compression of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compression {
    None,
    Zstandard,
    Gzip,
    Bzip2,
    Xz,
}

impl Compression {
    /// The default level of `xz`.
    const XZ_LEVEL: u32 = 6;

    /// The compression for the extension of a name.
    ///
    /// # Errors
    /// If the extension is that of a format that is not written.
    fn of(path: &Path) -> io::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        Ok(match extension.as_str() {
            "zst" | "zstd" => Self::Zstandard,
            "gz" | "gzip" => Self::Gzip,
            "bz2" | "bzip2" => Self::Bzip2,
            "xz" => Self::Xz,
            _ if is_packed(path) => {
                let problem = format!(
                    ".{extension} is not written, expected .zst, .gz, .bz2, .xz or another extension"
                );
                return Err(Error::new(ErrorKind::InvalidInput, problem));
            }
            _ => Self::None,
        })
    }
}

impl OutputFile {
    /// Starts to write a file, and creates its folder if necessary.
    ///
    /// # Errors
    /// If the file cannot be written, or the extension is that of a format that is not written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::start(path).map_err(|error| WriteError::name(path, error))
    }

    fn start(path: &Path) -> io::Result<Self> {
        let compression = Compression::of(path)?;
        let file = AtomicFile::create_packed(path)?;
        let encoder = match compression {
            Compression::None => Encoder::Plain(file),
            Compression::Zstandard => {
                Encoder::Zstandard(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
            Compression::Gzip => {
                Encoder::Gzip(flate2::write::GzEncoder::new(file, flate2::Compression::default()))
            }
            Compression::Bzip2 => {
                Encoder::Bzip2(bzip2::write::BzEncoder::new(file, bzip2::Compression::default()))
            }
            Compression::Xz => Encoder::Xz(liblzma::write::XzEncoder::new(file, Compression::XZ_LEVEL)),
        };
        Ok(Self { path: path.to_owned(), encoder })
    }

    /// Completes the file and renames it to its final name.
    ///
    /// # Errors
    /// If the last data cannot be written, or the file cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        let Self { path, encoder } = self;
        let file = match encoder {
            Encoder::Plain(file) => Ok(file),
            Encoder::Zstandard(encoder) => encoder.finish(),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Bzip2(encoder) => encoder.finish(),
            Encoder::Xz(encoder) => encoder.finish(),
        };
        file.and_then(AtomicFile::commit).map_err(|error| WriteError::name(&path, error))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.encoder {
            Encoder::Plain(file) => file,
            Encoder::Zstandard(encoder) => encoder,
            Encoder::Gzip(encoder) => encoder,
            Encoder::Bzip2(encoder) => encoder,
            Encoder::Xz(encoder) => encoder,
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes).map_err(|error| WriteError::name(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush().map_err(|error| WriteError::name(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Packed, refuse_packed_extension};
    use super::*;
    use std::fs;
    use std::io::Read;

    #[test]
    fn names_state_how_a_file_is_compressed() {
        let cases = [
            ("a.pgn", Ok(Compression::None)),
            ("a", Ok(Compression::None)),
            (".gz", Ok(Compression::None)),
            ("a.pgn.zst", Ok(Compression::Zstandard)),
            ("a.b/c.GZ", Ok(Compression::Gzip)),
            ("a.bz2", Ok(Compression::Bzip2)),
            ("a.xz", Ok(Compression::Xz)),
            ("a.pgn.zip", Err(())),
            ("a.7Z", Err(())),
        ];
        for (name, expected) in cases {
            assert_eq!(Compression::of(Path::new(name)).map_err(|_| ()), expected, "{name}");
            assert_eq!(
                refuse_packed_extension(Path::new(name)).is_ok(),
                expected == Ok(Compression::None),
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = std::env::temp_dir().join(format!("hematite-output-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let text = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(10_000);
        for name in ["a.pgn", "a.pgn.zst", "a.pgn.gz", "a.pgn.bz2", "a.pgn.xz"] {
            let path = folder.join("new").join(name);
            let mut file = OutputFile::create(&path).expect("its folder is made");
            file.write_all(text.as_bytes()).expect("it can be written");
            assert!(!path.exists(), "{name}");
            file.commit().expect("it can be completed");
            let stored = fs::metadata(&path).expect("it is there").len() as usize;
            assert_eq!(stored < text.len(), name != "a.pgn", "{name}: {stored} bytes");
            let mut found = String::new();
            let content = Packed::open(&path).and_then(Packed::text);
            content.and_then(|mut content| content.reader.read_to_string(&mut found)).expect(name);
            assert!(found == text, "{name}");
        }
        let names = fs::read_dir(folder.join("new")).expect("it is there").count();
        assert_eq!(names, 5, "nothing else is left");
        fs::remove_dir_all(&folder).expect("it is there");
    }
}
