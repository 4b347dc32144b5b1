//! PGN and PGC: the readable part of a broken game is written and read again.
#![no_main]

use hematite::notation::pgn::pgc::PgcReader;
use hematite::notation::pgn::{Export, GameBuilder, games};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for game in games(data) {
        let (game, _) = game.expect("memory can be read");
        let text = Export::new().game(&game);
        let (again, _) =
            games(text.as_bytes()).next().expect("a game was written").expect("memory can be read");
        assert!(game.has_same_content(&again), "{text}");
    }
    let mut reader = PgcReader::new(data);
    let mut builder = GameBuilder::new();
    while reader.read_game(&mut builder).unwrap_or(false) {}
});
