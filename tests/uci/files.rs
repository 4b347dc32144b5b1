//! Files in options that are not regular files.

use crate::support::binary::{folder, make_pipe};
use crate::support::engine::Engine;

#[test]
fn what_may_keep_its_reader_waiting_is_refused() {
    let folder = folder("uci-special-files");
    let pipe = folder.join("KQvK.rtbw");
    make_pipe(&pipe);
    let pipe = pipe.to_str().expect("UTF-8");
    let mut engine = Engine::start();
    for (file, kind) in [(pipe, "a named pipe"), ("/dev/zero", "a device")] {
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
    let tables = format!("setoption name SyzygyPath value {}", folder.display());
    let answer = engine.ask(&tables, "info string ");
    assert!(answer.contains("a named pipe, expected a regular file"), "{answer}");
    assert_eq!(engine.until_ready(), ["info string no endgame tables are used"]);
    engine.end().assert_well();
}
