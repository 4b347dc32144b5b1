//! Books of games.

use super::{BookError, Opening};
use crate::chess::{Move, Outcome};
use crate::notation::pgn::{Game, PgnProblem, Place, games};

/// Reads the openings of games: their first moves, at most `plies`. Variations are left out.
pub(super) fn read(text: &[u8], plies: usize) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    for read in games(text) {
        let (game, errors) = read.map_err(BookError::Read)?;
        let number = openings.len() + 1;
        // A remark at the end of a book is no opening, and does no harm.
        if errors.iter().any(|error| matches!(error.problem, PgnProblem::MissingGame)) {
            continue;
        }
        if let Some(error) = errors.first() {
            let Place { line, .. } = error.place;
            let problem = format!("game {number}: {}", error.problem);
            return Err(BookError::Line { line, problem });
        }
        openings.push(opening(&game, plies).map_err(|problem| BookError::Game { number, problem })?);
    }
    Ok(openings)
}

/// Cuts the opening out of a game, before a move after which there would be nothing to play.
fn opening(game: &Game, plies: usize) -> Result<Opening, String> {
    let mut position = *game.start();
    let mut moves: Vec<Move> = Vec::new();
    for node in game.mainline().take(plies) {
        let mv = game.mv(node).ok_or("a side passes, expected a move")?;
        position = position.play(mv).map_err(|error| error.to_string())?;
        if position.legal_moves().is_empty() {
            let is_mate = position.is_check();
            let end =
                if is_mate { Outcome::Checkmate { winner: !position.turn() } } else { Outcome::Stalemate };
            return Err(format!("the opening ends the game ({end}), expected it to go on; plies=N cuts it"));
        }
        moves.push(mv);
    }
    Ok(Opening::with_moves(*game.start(), moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_cut_to_openings() {
        let text = "[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n\n1. e4 e5 2. Qh5 Nc6 *\n\n[Event \"?\"]\n\n1. d4 {x} (1. c4) d5 *\n";
        let openings = read(text.as_bytes(), 3).expect("two games");
        let told: Vec<_> = openings.iter().map(|opening| opening.moves().len()).collect();
        assert_eq!(told, [3, 2]);
        let remark = read(b"1. d4 d5 *\n\n{the end}\n", 9).expect("a game");
        assert_eq!(remark.len(), 1);
        let error = read(b"1. e4 e5 2. Ke3 *", 9).expect_err("an illegal move");
        assert!(error.to_string().starts_with("line 1: game 1: "), "{error}");
        let error = read(b"1. f3 e5 2. g4 Qh4# 0-1", 9).expect_err("a mate");
        assert!(error.to_string().starts_with("game 1: the opening ends the game"), "{error}");
        assert!(error.to_string().contains("Black mates"), "{error}");
        assert!(read(b"1. f3 e5 2. g4 Qh4# 0-1", 3).is_ok());
    }
}
