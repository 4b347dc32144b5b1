//! The course of a game for the curve of its evaluations: its phases, and the moves at which it turned.

use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use crate::analysis::{Phases, judgements_of};
use crate::notation::pgn::Game;
use axum::Json;
use serde::{Deserialize, Serialize};

/// A game to be looked at.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CourseRequest {
    game: Document,
}

/// The answer, about the main line.
#[derive(PartialEq, Debug, Serialize)]
pub(super) struct Course {
    /// In their order, without those that the game does not have.
    phases: Vec<Begun>,
    turning_points: Vec<TurningPoint>,
}

/// A phase of the game.
#[derive(PartialEq, Debug, Serialize)]
struct Begun {
    name: &'static str,
    /// The plies that are played when it begins.
    ply: usize,
}

/// A move that was judged: an inaccuracy, a mistake or a blunder.
#[derive(PartialEq, Debug, Serialize)]
struct TurningPoint {
    /// Counted from 1.
    ply: usize,
    /// Its sign, such as `$4`.
    nag: String,
}

/// Answers `POST /api/analysis/course`.
///
/// # Errors
/// [`Failure`] if a move of the game cannot be played.
pub(super) async fn show(
    LongJsonBody(CourseRequest { game }): LongJsonBody<CourseRequest>,
) -> Result<Json<Course>, Failure> {
    let course = tokio::task::spawn_blocking(move || game.game().map(|game| Course::of(&game))).await;
    course.map_err(|_| Failure::busy("the server ends"))?.map(Json)
}

impl Course {
    fn of(game: &Game) -> Self {
        let mut position = *game.start();
        let mut phases = Phases::new(&position);
        let mut begun = vec![Begun { name: phases.now().name(), ply: 0 }];
        for (index, node) in game.mainline().enumerate() {
            let before = phases.now();
            position = game.mv(node).map_or_else(|| position.after_null(), |mv| position.after(mv).0);
            if phases.next(&position) != before {
                begun.push(Begun { name: phases.now().name(), ply: index + 1 });
            }
        }
        let judged = judgements_of(game).into_iter().enumerate();
        let turning_points = judged
            .filter_map(|(index, judgement)| {
                Some(TurningPoint { ply: index + 1, nag: format!("${}", judgement?.nag().0) })
            })
            .collect();
        Self { phases: begun, turning_points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_and_turning_points_are_told() {
        let text = "[SetUp \"1\"]\n[FEN \"r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R2Q1RK1 w - - 0 12\"]\n\n\
                    12. Qxd8 {[%eval 0.1]} Raxd8?? {[%eval 4.5]} 13. Rfd1 {[%eval 4.5]} Rxd1+ {[%eval 4.5]} 14. Rxd1 *";
        let (game, _) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
        let begun = |name, ply| Begun { name, ply };
        assert_eq!(
            Course::of(&game),
            Course {
                phases: vec![begun("middlegame", 0), begun("endgame", 4)],
                turning_points: vec![TurningPoint { ply: 2, nag: "$4".to_owned() }],
            }
        );
    }
}
