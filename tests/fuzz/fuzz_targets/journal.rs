//! Journals of games in the zone: a text is refused, or its game is written and replayed unchanged.
#![no_main]

use hematite::chess::Position;
use hematite::notation::position_from_fen;
use hematite::zone::Journal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok((journal, _)) = Journal::read(text) else { return };
    let start = position_from_fen(&journal.start).unwrap_or_else(|_| Position::start());
    let Ok(game) = journal.replay(start) else { return };
    let written = Journal::of(&game, journal.start.clone()).write().expect("everything in it can be written");
    let (again, is_cut) = Journal::read(&written).expect("what is written can be read");
    assert!(!is_cut, "{written}");
    let again = again.replay(start).expect("what has happened can happen again");
    assert_eq!(again.position().key(), game.position().key(), "{written}");
    assert_eq!((again.ending(), again.plies().len()), (game.ending(), game.plies().len()), "{written}");
});
