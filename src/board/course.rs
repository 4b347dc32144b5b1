//! The course of a game for the curve of its evaluations: its phases, its mistakes, and the moves at which it turned.

use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use crate::analysis::{Phases, START, evaluations_of, is_turning_point, judgements_of};
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
    judged: Vec<JudgedMove>,
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
struct JudgedMove {
    /// Counted from 1.
    ply: usize,
    /// Its sign, such as `$4`.
    nag: String,
    /// Whether it changes which side is better.
    turns: bool,
}

/// Answers `POST /api/analysis/course`.
///
/// # Errors
/// [`Failure`] if a move of the game cannot be played.
pub(super) async fn show(request: LongJsonBody<CourseRequest>) -> Result<Json<Course>, Failure> {
    request.process(|CourseRequest { game }| game.game().map(|game| Course::of(&game))).await.map(Json)
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
        let after = evaluations_of(game);
        let start = (!game.is_set_up()).then_some(START);
        let before = std::iter::once(start).chain(after.iter().copied());
        let judged = judgements_of(game).into_iter().zip(before.zip(after.iter().copied())).enumerate();
        let judged = judged.filter_map(|(index, (judgement, (before, after)))| {
            let judgement = judgement?;
            let scores = before.zip(after);
            let turns = scores.is_some_and(|(before, after)| is_turning_point(judgement, before, after));
            Some(JudgedMove { ply: index + 1, nag: format!("${}", judgement.nag().0), turns })
        });
        Self { phases: begun, judged: judged.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_and_judged_moves_are_told() {
        let text = "[SetUp \"1\"]\n[FEN \"r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R2Q1RK1 w - - 0 12\"]\n\n\
                    12. Qxd8 {[%eval 0.1]} Raxd8?? {[%eval 4.5]} 13. Rfd1?! {[%eval 4.5]} Rxd1+ {[%eval 4.5]} 14. Rxd1 *";
        let (game, _) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
        let begun = |name, ply| Begun { name, ply };
        assert_eq!(
            Course::of(&game),
            Course {
                phases: vec![begun("middlegame", 0), begun("endgame", 5)],
                judged: vec![
                    JudgedMove { ply: 2, nag: "$4".to_owned(), turns: true },
                    JudgedMove { ply: 3, nag: "$6".to_owned(), turns: false },
                ],
            }
        );
    }
}
