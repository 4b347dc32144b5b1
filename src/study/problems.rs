//! Problems: games from a set-up position, and EPD records with solutions.

use super::exercise::{Accepts, Exercise, Kind, Learner};
use crate::notation::Epd;
use crate::notation::pgn::{Game, GameFull, NodeId};

/// The problem that a game represents; `None` if it starts from the initial position or has no moves. The main line is
/// the solution, variations on the solver's moves are alternative solutions, and the defender's moves come from the
/// game.
pub fn problem_of_game(game: &Game, title: String) -> Option<Exercise> {
    let has_moves = game.next(NodeId::ROOT).is_some_and(|node| game.mv(node).is_some());
    (game.is_set_up() && has_moves).then(|| Exercise {
        kind: Kind::Problem,
        title,
        game: game.clone(),
        start: NodeId::ROOT,
        learner: Learner::Side(game.start().turn()),
        accepts: Accepts::Variations,
        instead_of: None,
        mate_in: None,
    })
}

/// The problem of an EPD record: its best moves (`bm`), or the first move of its predicted variation (`pv`). The
/// predicted variation also continues the solution that starts it. `None` if the record has neither.
///
/// # Errors
/// [`GameFull`] if the moves do not fit into a game.
pub fn problem_of_epd(epd: &Epd, title: String) -> Result<Option<Exercise>, GameFull> {
    let line = epd.predicted_variation();
    let mut best = epd.best_moves().to_vec();
    if best.is_empty() {
        best.extend(line.first());
    }
    if best.is_empty() {
        return Ok(None);
    }
    let mut game = Game::new(*epd.position());
    for mv in best {
        let mut node = game.add(NodeId::ROOT, Some(mv))?;
        if line.first() == Some(&mv) {
            for &next in &line[1..] {
                node = game.add(node, Some(next))?;
            }
        }
    }
    Ok(Some(Exercise {
        kind: Kind::Problem,
        title,
        learner: Learner::Side(epd.position().turn()),
        game,
        start: NodeId::ROOT,
        accepts: Accepts::Variations,
        instead_of: None,
        mate_in: epd.direct_mate(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_epd;

    #[test]
    fn records_with_solutions_are_problems() {
        let cases = [
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;", Some((1, 1))),
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8# Kf2;", Some((2, 1))),
            ("k7/8/2K5/8/8/8/8/7R w - - pv Kb6 Kb8 Rh8#;", Some((1, 2))),
            ("k7/8/2K5/8/8/8/8/7R w - - dm 2;", None),
        ];
        for (text, expected) in cases {
            let epd = parse_epd(text).expect(text);
            let problem = problem_of_epd(&epd, String::new()).expect("it is short");
            let found =
                problem.map(|problem| (problem.answers(NodeId::ROOT).count(), problem.moves_to_find()));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn games_from_another_position_are_problems() {
        let cases = [
            ("[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra8# *", true),
            ("[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n*", false),
            ("1. e4 *", false),
        ];
        for (text, expected) in cases {
            let (game, _) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
            assert_eq!(problem_of_game(&game, String::new()).is_some(), expected, "{text}");
        }
    }
}
