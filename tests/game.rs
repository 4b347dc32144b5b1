//! Complete games of the built binary against itself over UCI, checked by the rules of chess.

use crate::support::engine::Engine;
use hematite::chess::{KeyHistory, Outcome, Position, Setup, chess960_back_rank};
use hematite::notation::{CastlingStyle, Fen, UciMove, parse_uci_move};

/// The number of plies after which a game is ended.
const LONGEST_GAME: usize = 400;
/// The limit of each search, so that the games are the same on every machine.
const LIMIT: &str = "nodes 1500";

/// Plays one process against another until the rules end the game.
fn play(start: Position, style: CastlingStyle) -> Option<Outcome> {
    let mut players = [(); 2].map(|()| Engine::start());
    for player in &mut players {
        player.ask("uci", "uciok");
        player.send(&format!("setoption name UCI_Chess960 value {}", style == CastlingStyle::Chess960));
        player.send("ucinewgame");
        player.ask("isready", "readyok");
    }
    let root = format!("position fen {} moves", Fen::new(&start));
    let mut history = String::new();
    let mut position = start;
    let mut line = KeyHistory::new(&position);
    for ply in 0..LONGEST_GAME {
        if let Some(outcome) = position.outcome(&line) {
            return Some(outcome);
        }
        let player = &mut players[ply % 2];
        player.send(&format!("{root}{history}"));
        let answer = player.ask(&format!("go {LIMIT}"), "bestmove ");
        let text = answer.split_whitespace().nth(1).expect("a move follows");
        let mv = parse_uci_move(text, &position).unwrap_or_else(|error| panic!("{answer}: {error}"));
        assert_eq!(UciMove::new(mv, style).to_string(), text, "written as it was agreed");
        position = position.play(mv).expect("a legal move");
        line.push(&position);
        history.push(' ');
        history.push_str(text);
    }
    None
}

#[test]
fn a_game_of_standard_chess_is_legal_to_its_end() {
    let outcome = play(Position::start(), CastlingStyle::Standard);
    println!("standard chess: {outcome:?}");
}

#[test]
fn a_game_of_double_chess960_is_legal_to_its_end() {
    let back_rank = |number| chess960_back_rank(number).expect("a number below 960");
    let setup = Setup::double_chess960(back_rank(37), back_rank(901));
    let start = Position::try_from(setup).expect("a legal position");
    println!("double Chess960: {:?}", play(start, CastlingStyle::Chess960));
}
