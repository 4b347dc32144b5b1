//! Many chunks made into one.

use super::seen::Seen;
use super::{Chunk, ClosedChunk, CombineError, GameReader};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Bytes of notes that are kept in the note of a chunk made of others: a note has at most
/// 65,535.
const MAX_NOTES: usize = 60_000;

/// Writes the games of some chunks into a new one, in order.
///
/// # Errors
/// [`CombineError`]; then there is no new chunk.
pub fn merge(files: &[PathBuf], out: &Path) -> Result<ClosedChunk, CombineError> {
    if out.exists() {
        return Err(CombineError::Exists(out.to_owned()));
    }
    let note = note_of(files, "merged", Map::new())?;
    let failed = |error| CombineError::Output(out.to_owned(), error);
    let mut chunk = Chunk::create(out, &note).map_err(failed)?;
    let mut seen = Seen::default();
    for file in files {
        let input = |error| CombineError::Input(file.clone(), error);
        let mut reader = GameReader::open(file).map_err(input)?;
        for game in reader.by_ref() {
            chunk.append(&game.map_err(input)?).map_err(failed)?;
        }
        if let Some(other) = seen.add(file, reader.checksum()) {
            return Err(CombineError::Double(file.clone(), other));
        }
    }
    chunk.close().map_err(failed)
}

/// The note of a chunk made of others: how, and the notes of those, each once.
///
/// # Errors
/// [`CombineError::Input`] for a chunk whose beginning cannot be read.
pub(super) fn note_of(
    files: &[PathBuf],
    how: &str,
    mut more: Map<String, Value>,
) -> Result<String, CombineError> {
    let mut sources: Vec<Value> = Vec::new();
    let mut length = 0;
    for file in files {
        let reader = GameReader::open(file).map_err(|error| CombineError::Input(file.clone(), error))?;
        let mut source = serde_json::from_str(reader.note()).unwrap_or_else(|_| reader.note().into());
        if let Value::Object(source) = &mut source {
            // The number of the first game, which tells the chunks of a run apart.
            source.remove("first");
        }
        if !sources.contains(&source) && length + reader.note().len() <= MAX_NOTES {
            length += reader.note().len();
            sources.push(source);
        }
    }
    more.insert("how".to_owned(), how.into());
    more.insert("chunks".to_owned(), files.len().into());
    more.insert("sources".to_owned(), json!(sources));
    Ok(Value::Object(more).to_string())
}
