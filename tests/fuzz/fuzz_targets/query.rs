//! Queries: a text is refused, or evaluated on games.
#![no_main]

use hematite::database::{Places, Query};
use hematite::notation::pgn::{GameBuilder, Reader};
use libfuzzer_sys::fuzz_target;

const GAMES: &[u8] = b"[White \"Tal, Mihail\"]\n[Date \"1960.??.??\"]\n[WhiteElo \"2600\"]\n\n\
    1. e4 e5 2. Nf3 $1 {good} Nc6 3. Bc4 (3. Bb5 a6) Nf6 4. O-O Nxe4 5. Re1 d5 6. Bxd5 Qxd5 1-0\n\n\
    [FEN \"8/1P6/8/8/8/k7/8/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. b8=Q Ka4 2. Qb2 *\n";

fuzz_target!(|text: &str| {
    let Ok(query) = text.parse::<Query>() else { return };
    let mut reader = Reader::new(GAMES);
    let mut builder = GameBuilder::new();
    while reader.read_game(&mut builder).expect("memory can be read") {
        let (game, last) = (builder.game(), builder.last_position());
        let first = query.find(&game.tags, game, last, Places::First);
        let all = query.find(&game.tags, game, last, Places::All);
        assert_eq!(first.is_some(), all.is_some(), "{text}");
        assert_eq!(first.is_some(), query.is_true(game, last), "{text}");
        if let Some(by_header) = query.by_header(&game.tags) {
            assert_eq!(by_header, first.is_some(), "{text}");
        }
    }
});
