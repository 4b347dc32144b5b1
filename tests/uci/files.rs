//! Files in options that are not regular files.

use crate::support::binary::make_pipe;
use crate::support::engine::Engine;
use crate::support::place::Place;

#[test]
fn what_may_keep_its_reader_waiting_is_refused() {
    // `genfens` takes names without blanks.
    let place = Place::new();
    let pipe = place.path("KQvK.rtbw");
    make_pipe(pipe.as_ref());
    let mut engine = Engine::start();
    for (file, kind) in [(pipe.as_str(), "a named pipe"), ("/dev/zero", "a device")] {
        for command in [
            "setoption name EvalFile value",
            "setoption name BookFile value",
            "setoption name Debug Log File value",
            "genfens 1 seed 1 book",
        ] {
            let answer = engine.ask(&format!("{command} {file}"), "info string ");
            assert!(answer.contains(&format!("{kind}, expected a regular file")), "{command}: {answer}");
        }
    }
    let tables = format!("setoption name SyzygyPath value {}", place.folder().display());
    let answer = engine.ask(&tables, "info string ");
    assert!(answer.contains("a named pipe, expected a regular file"), "{answer}");
    assert_eq!(engine.until_ready(), ["info string no endgame tables are used"]);
    engine.end().assert_well();
}
