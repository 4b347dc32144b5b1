//! Arbitrary lines on standard input: no panic, no hang, one `bestmove` for each `go`.
#![no_main]

#[path = "../../support/session.rs"]
mod session;

use libfuzzer_sys::fuzz_target;
use session::Session;

fuzz_target!(|data: &[u8]| {
    let session = Session::of(data);
    assert_eq!(session.best_moves(), session.searches, "{}", String::from_utf8_lossy(&session.script));
});
