//! FEN and EPD: an accepted text is written so that it is read again, and its position has moves that can be played.
#![no_main]

use hematite::notation::{Fen, parse_epd, parse_fen, position_from_fen};
use libfuzzer_sys::fuzz_target;

/// The number of moves that are played from each position.
const MOVES: usize = 8;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let _ = parse_fen(&text);
    let _ = parse_epd(&text);
    if let Ok(position) = position_from_fen(&text) {
        let fen = Fen::new(&position).to_string();
        let again = position_from_fen(&fen).expect("what is written can be read");
        assert_eq!(again.key(), position.key(), "{fen}");
        for mv in position.legal_moves().into_iter().take(MOVES) {
            let after = position.after(mv).0;
            assert_eq!(after.key(), after.key_from_scratch(), "{fen} {mv:?}");
        }
    }
});
