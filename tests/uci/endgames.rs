//! Endgame tablebases: the options, and the reports of searches.

use crate::support::data_folder_of;
use crate::support::engine::Engine;

#[test]
fn tables_are_counted_and_used() {
    let Some(folder) = data_folder_of("syzygy") else { return };
    let mut engine = Engine::start();
    engine.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert_eq!(
        engine.until_ready(),
        ["info string 35 endgame tables of up to 4 men are used, 35 with distances"]
    );
    engine.send("position fen 8/6k1/4K3/6B1/8/8/5N2/8 w - - 0 1");
    engine.send("go nodes 2000");
    let lines = engine.until("bestmove ");
    let told = lines.iter().filter(|line| line.contains(" score ")).collect::<Vec<_>>();
    assert!(!told.is_empty() && told.iter().all(|line| line.contains(" tbhits 21 ")), "{told:?}");
    assert!(
        told.iter().all(|line| line.contains(" score cp 30999 ") || line.contains(" score mate ")),
        "{told:?}"
    );
    engine.send("setoption name SyzygyProbeLimit value 3");
    engine.send("go nodes 2000");
    let lines = engine.until("bestmove ");
    assert!(!lines.iter().any(|line| line.contains(" score cp 30999 ")), "{lines:?}");
    engine.send("setoption name SyzygyPath value <empty>");
    engine.send("go nodes 2000");
    let lines = engine.until("bestmove ");
    assert!(!lines.iter().any(|line| line.contains(" tbhits ")), "{lines:?}");
    engine.end().assert_well();
}

#[test]
fn what_is_missing_is_told() {
    let mut engine = Engine::start();
    engine.send("setoption name SyzygyPath value /no/such/folder");
    let lines = engine.until_ready();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("info string setoption: SyzygyPath: cannot read the folder `/no/such/folder`: "),
        "{lines:?}"
    );
    assert_eq!(lines[1], "info string no endgame tables are used");
    engine.ask("go depth 2", "bestmove ");
    engine.end().assert_well();
}
