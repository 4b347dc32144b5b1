//! `hematite datagen check`: verification of chunks and manifests.

use crate::cli::streams::InputStatus;
use crate::cli::values::JsonArg;
use crate::cli::{CliError, ExitStatus};
use crate::notation::pluralize;
use crate::train::data::{ChunkReader, ClosedChunk, FileError, Totals, chunk_files, chunks_in};
use crate::train::datagen::{Entry, MANIFEST, read_manifest};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Example:
  hematite datagen check data/gen0

Every move must be legal, every checksum right, and a folder must hold what its manifest says,
no game twice. No two of all chunks may be the same. Exit code 1 if there is a problem.";

/// Check chunks: moves, counts, checksums and the manifest.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Chunks, and folders of chunks with their manifest.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    json: JsonArg,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let mut findings = Findings::default();
        let mut status = InputStatus::default();
        for path in &self.files {
            let found = if path.is_dir() {
                findings.check_folder(path)
            } else {
                chunk_files(std::slice::from_ref(path)).map_err(CliError::from).map(|files| {
                    for file in files {
                        let _ = findings.check_file(&file); // the findings have its problem
                    }
                })
            };
            status.take(found)?;
        }
        let status = status.status()?;
        let Findings { chunks, totals, problems, .. } = findings;
        if self.json.is_given() {
            let object = serde_json::json!({
                "chunks": chunks,
                "games": totals.games,
                "positions": totals.positions,
                "problems": problems,
            });
            writeln!(out, "{object}")?;
        } else {
            for problem in &problems {
                writeln!(out, "{problem}")?;
            }
            writeln!(
                out,
                "{}, {}, {}: {}",
                pluralize(chunks as u64, "chunk"),
                pluralize(totals.games, "game"),
                pluralize(totals.positions, "position"),
                pluralize(problems.len() as u64, "problem")
            )?;
        }
        Ok(if problems.is_empty() { status } else { status.max(ExitStatus::No) })
    }
}

/// The problems that were found.
#[derive(Default)]
struct Findings {
    chunks: usize,
    totals: Totals,
    problems: Vec<String>,
    /// The chunks so far by their checksums.
    seen: BTreeMap<u64, PathBuf>,
}

impl Findings {
    fn check_file(&mut self, path: &Path) -> Option<ClosedChunk> {
        self.chunks += 1;
        match ChunkReader::open(path).and_then(ChunkReader::verify) {
            Ok((totals, checksum)) => {
                self.totals += totals;
                if let Some(other) = self.seen.insert(checksum, path.to_owned()) {
                    let problem = format!("the same games as {}", other.display());
                    self.problems.push(format!("{}: {problem}", path.display()));
                }
                Some(ClosedChunk { totals, checksum })
            }
            Err(error) => {
                self.problems.push(format!("{}: {error}", path.display()));
                None
            }
        }
    }

    fn check_folder(&mut self, folder: &Path) -> Result<(), CliError> {
        let files = chunks_in(folder).map_err(|error| CliError::Input {
            name: folder.display().to_string(),
            problem: error.to_string(),
        })?;
        let manifest = match read_manifest(folder) {
            Ok(manifest) => manifest,
            Err(error) => {
                self.problems.push(error.to_string());
                None
            }
        };
        if files.is_empty() && manifest.is_none() {
            self.problems.push(FileError::Empty(folder.to_owned()).to_string());
        }
        let mut entries: BTreeMap<&str, &Entry> =
            manifest.iter().flatten().map(|entry| (entry.file.as_str(), entry)).collect();
        for file in &files {
            let closed = self.check_file(file);
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match (entries.remove(name.as_str()), closed) {
                (Some(entry), Some(closed)) if Entry::new(name, &closed, entry.origin.clone()) != *entry => {
                    self.problems.push(format!("{}: not as the manifest says", file.display()));
                }
                (None, _) if manifest.is_some() => {
                    self.problems.push(format!("{}: not in the manifest", file.display()));
                }
                _ => {}
            }
        }
        for name in entries.keys() {
            self.problems.push(format!("{}: in the manifest, but not there", folder.join(name).display()));
        }
        self.check_numbers(folder, manifest.unwrap_or_default());
        Ok(())
    }

    /// Checks that no game occurs twice.
    fn check_numbers(&mut self, folder: &Path, mut entries: Vec<Entry>) {
        entries.sort_by_key(|entry| (entry.origin.first, entry.games));
        // The entry of each run with the highest game number so far.
        let mut furthest: Vec<&Entry> = Vec::new();
        for entry in &entries {
            let is_same_run = |other: &&mut &Entry| other.origin.differences(&entry.origin).is_empty();
            let Some(before) = furthest.iter_mut().find(is_same_run) else {
                furthest.push(entry);
                continue;
            };
            if entry.origin.first < before.numbers().end {
                self.problems.push(format!(
                    "{}: {} and {} share games",
                    folder.join(MANIFEST).display(),
                    before.file,
                    entry.file
                ));
            }
            if entry.numbers().end > before.numbers().end {
                *before = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;
    use crate::train::datagen::{Engine, Origin, Settings};

    #[test]
    fn games_that_are_there_twice_are_found_between_those_of_other_runs() {
        let entry = |seed, first, games| {
            let settings = Settings::new(100);
            let origin = Origin { engine: Engine::this(embedded()), seed, first, settings };
            let closed = ClosedChunk { totals: Totals { games, ..Totals::default() }, checksum: 0 };
            Entry::new(format!("{seed}-{first}"), &closed, origin)
        };
        let problems = |entries: Vec<Entry>| {
            let mut findings = Findings::default();
            findings.check_numbers(Path::new("folder"), entries);
            findings.problems.len()
        };
        assert_eq!(problems(vec![entry(1, 0, 100), entry(2, 10, 5), entry(1, 20, 10)]), 1);
        assert_eq!(problems(vec![entry(1, 0, 100), entry(1, 10, 5), entry(1, 50, 10)]), 2);
        assert_eq!(problems(vec![entry(1, 0, 100), entry(1, 100, 5), entry(2, 50, 10)]), 0);
    }
}
