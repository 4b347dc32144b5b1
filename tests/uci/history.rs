//! The game before the search: repetitions, and the count of moves without progress.

use crate::support::engine::{Engine, infos};
use hematite::uci::{InfoScore, InfoValue};

/// White is a queen up, and could repeat the position.
const WINNING: &str = "6k1/5ppp/8/8/8/8/Q4PPP/6K1 w - - 0 40";

/// The score of the only searched move.
fn score_of(engine: &mut Engine, position: &str, mv: &str, depth: u32) -> Option<InfoScore> {
    engine.send("ucinewgame");
    engine.send(position);
    engine.send(&format!("go depth {depth} searchmoves {mv}"));
    let lines = engine.until("bestmove ");
    infos(&lines).into_iter().rev().find_map(|info| info.score)
}

#[test]
fn a_game_may_be_drawn_by_what_came_before() {
    let shuffle = "a2a3 g8h8 a3a2 h8g8";
    let cases = [
        ("no history", format!("position fen {WINNING}"), "a2a3", false),
        ("once before", format!("position fen {WINNING} moves {shuffle}"), "a2a3", false),
        ("twice before", format!("position fen {WINNING} moves {shuffle} {shuffle}"), "a2a3", true),
        ("another move", format!("position fen {WINNING} moves {shuffle} {shuffle}"), "a2d5", false),
        (
            "after a capture nothing returns",
            "position fen 6k1/p4ppp/8/8/8/8/Q4PPP/6K1 w - - 0 40 moves a2a3 g8h8 a3a2 h8g8 a2a7".to_owned(),
            "g8h8",
            false,
        ),
        ("the hundredth", "position fen 6k1/5ppp/8/8/8/8/Q4PPP/6K1 w - - 99 90".to_owned(), "a2a3", true),
        (
            "the hundredth by moves",
            "position fen 6k1/5ppp/8/8/8/8/Q4PPP/6K1 w - - 97 90 moves a2b2 g8h8".to_owned(),
            "b2b3",
            true,
        ),
        (
            "a pawn move starts again",
            "position fen 6k1/5ppp/8/8/8/8/Q4PPP/6K1 w - - 99 90".to_owned(),
            "h2h3",
            false,
        ),
        (
            "mate comes before the draw",
            "position fen 6k1/5ppp/8/8/8/8/Q4PPP/6K1 w - - 99 90".to_owned(),
            "a2a8",
            false,
        ),
        (
            "a claim long due",
            "position fen 6k1/5ppp/8/8/8/8/Q4PPP/6K1 w - - 140 120".to_owned(),
            "a2a3",
            true,
        ),
    ];
    let mut engine = Engine::start();
    for (name, position, mv, is_draw) in cases {
        let score = score_of(&mut engine, &position, mv, 2).expect("a score");
        assert_eq!(score.value == InfoValue::Centipawns(0), is_draw, "{name}: {score}");
    }
}
