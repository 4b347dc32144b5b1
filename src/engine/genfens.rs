//! Random openings for self-play.

use super::bench::epd_position;
use crate::chess::Position;
use crate::files::{Limited, Packed, PathExcerpt, open_regular, read_line};
use crate::notation::Fen;
use crate::rng::Rng;
use crate::search::{Limits, ResourceError, Score, Searcher, Signals};
use crate::selfplay::{is_level, random_walk};
use crate::uci::GenFensTokens;
use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;

/// The number of random moves from the initial position, in plies; half of the openings have one more, so that either
/// side is to move.
const PLIES_FROM_START: u64 = 8;
/// The number of random moves from a position of a book, in plies; half of the openings have one more.
const PLIES_FROM_BOOK: u64 = 4;
/// The maximum evaluation of an opening for either side, in centipawns.
const MAX_OPENING_CP: i32 = 250;
/// The number of nodes of the search that evaluates an opening.
const NODES: u64 = 1_000;
/// The number of consecutive rejected openings after which `genfens` gives up.
const MAX_FAILURES: u32 = 100_000;
/// The size of its hash table, in MiB.
const HASH_MIB: usize = 1;
/// The reason why openings are not generated.
#[derive(Debug, thiserror::Error)]
pub(super) enum GenFensError {
    /// The book cannot be read.
    #[error("cannot read the book {}: {error}", PathExcerpt::new(path))]
    Book {
        path: String,
        #[source]
        error: io::Error,
    },
    /// The book has no position.
    #[error("no position in the book {}, expected a FEN on each line", PathExcerpt::new(.0))]
    EmptyBook(String),
    /// All openings from the book end early or have too large an evaluation.
    #[error("the book leads to no level position")]
    NoLevelOpening,
    /// The machine lacks memory or threads.
    #[error("{0}")]
    Resource(#[source] ResourceError),
    /// The command was stopped.
    #[error("stopped")]
    Stopped,
}

/// Generates the openings, and passes each one to `print`. The same seed results in the same openings, as long as the
/// search does not change.
///
/// # Errors
/// [`GenFensError`]; some openings may have been printed before.
pub(super) fn generate(
    wanted: &GenFensTokens,
    signals: &Arc<Signals>,
    print: &mut dyn FnMut(&Fen<'_>),
) -> Result<(), GenFensError> {
    let book = match &wanted.book {
        Some(name) => read_book(name)?,
        None => vec![Position::start()],
    };
    let plies = if wanted.book.is_some() { PLIES_FROM_BOOK } else { PLIES_FROM_START };
    let mut searcher = Searcher::new(1, HASH_MIB).map_err(GenFensError::Resource)?;
    let mut rng = Rng::new(wanted.seed);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let max_score = Score::from_cp(MAX_OPENING_CP).units();
    let (mut made, mut failures) = (0, 0);
    while made < wanted.count {
        if signals.is_stopped() {
            return Err(GenFensError::Stopped);
        }
        let start = rng.choose(&book).copied().unwrap_or_default();
        let plies = plies + rng.below(2);
        // Makes each opening independent of those before it.
        searcher.clear();
        let end = random_walk(start, plies, &mut rng);
        match end.filter(|end| is_level(end, &mut searcher, limits.clone(), max_score)) {
            Some(end) => {
                print(&Fen::new(&end));
                (made, failures) = (made + 1, 0);
            }
            None if failures == MAX_FAILURES => return Err(GenFensError::NoLevelOpening),
            None => failures += 1,
        }
    }
    Ok(())
}

/// The positions of a book, which may be packed; lines without a position are ignored.
fn read_book(name: &str) -> Result<Vec<Position>, GenFensError> {
    let failed = |error| GenFensError::Book { path: name.to_owned(), error };
    let content = open_regular(Path::new(name)).and_then(Packed::from_file).and_then(Packed::text);
    let mut reader = BufReader::new(Limited::new(content.map_err(failed)?.reader, Limited::DEFAULT));
    let mut positions = Vec::new();
    while let Some(line) = read_line(&mut reader, MAX_LINE).map_err(failed)? {
        positions.extend(epd_position(String::from_utf8_lossy(&line.bytes).trim_end()));
    }
    if positions.is_empty() { Err(GenFensError::EmptyBook(name.to_owned())) } else { Ok(positions) }
}

/// The maximum number of bytes read of a line.
const MAX_LINE: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;
    use std::fs;

    fn openings(count: u32, seed: u64, book: Option<&str>) -> Result<Vec<String>, String> {
        let wanted = GenFensTokens { count, seed, book: book.map(str::to_owned) };
        let mut fens = Vec::new();
        generate(&wanted, &Arc::default(), &mut |fen| fens.push(fen.to_string()))
            .map_err(|error| error.to_string())?;
        Ok(fens)
    }

    #[test]
    fn seeds_give_openings_that_can_be_played() {
        let fens = openings(12, 5, None).expect("there are enough");
        assert_eq!(openings(12, 5, None), Ok(fens.clone()));
        assert_ne!(openings(12, 6, None), Ok(fens.clone()));
        assert_eq!(fens.len(), 12);
        for fen in &fens {
            let position = position_from_fen(fen).expect("legal");
            assert!(position.has_legal_moves(), "{fen}");
        }
        let to_move = |letter: &str| fens.iter().any(|fen| fen.split(' ').nth(1) == Some(letter));
        assert!(to_move("w") && to_move("b"), "{fens:#?}");
    }

    #[test]
    fn books_are_read_or_refused() {
        let path = std::env::temp_dir().join(format!("hematite-genfens-{}", std::process::id()));
        let name = path.to_str().expect("UTF-8");
        assert!(openings(1, 1, Some(name)).is_err_and(|error| error.starts_with("cannot read the book")));
        fs::write(&path, "# nothing\n").expect("it can be written");
        assert!(openings(1, 1, Some(name)).is_err_and(|error| error.starts_with("no position in the book")));
        fs::write(&path, "8/2k5/2p5/2P5/8/3K4/8/8 w - - hmvc 3; id \"a\";\n").expect("it can be written");
        let fens = openings(3, 1, Some(name)).expect("there are enough");
        assert!(fens.iter().all(|fen| fen.split(' ').next().is_some_and(|board| !board.contains('q'))));
        fs::remove_file(&path).expect("it is there");
    }
}
