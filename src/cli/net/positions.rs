//! Positions on which networks are compared.

use crate::chess::Position;
use crate::cli::CliError;
use crate::database::Source;
use crate::notation::EpdReader;
use crate::rng::Rng;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The length of a random game, in plies, if it does not end before.
const LONGEST_GAME: usize = 200;

/// The positions of a file of FEN or EPD lines, perhaps compressed; `-` is standard input.
///
/// # Errors
/// [`CliError::Input`] if it cannot be read or a line has no legal position.
pub(super) fn from_file(path: &Path) -> Result<Vec<Position>, CliError> {
    let source = if path == Path::new("-") { Source::Stdin } else { Source::File(PathBuf::from(path)) };
    let error = |problem: String| CliError::Input { name: source.name(), problem };
    let reader = source.open(&Arc::default()).map_err(|problem| error(problem.to_string()))?;
    let records = EpdReader::new(BufReader::new(reader));
    let positions: Vec<Position> = records
        .map(|record| record.map(|line| *line.epd.position()).map_err(|problem| error(problem.to_string())))
        .collect::<Result<_, _>>()?;
    if positions.is_empty() {
        return Err(error("no positions, expected a FEN in each line".to_owned()));
    }
    Ok(positions)
}

/// This many positions of games of random moves from the initial position. The same seed gives
/// the same ones.
pub(super) fn random(count: usize, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    let mut position = Position::start();
    let mut plies = 0;
    std::iter::repeat_with(move || {
        let moves = position.legal_moves();
        match rng.choose(&moves) {
            Some(&mv) if plies < LONGEST_GAME => {
                position = position.after(mv).0;
                plies += 1;
            }
            _ => {
                position = Position::start();
                plies = 0;
            }
        }
        position
    })
    .take(count)
}
