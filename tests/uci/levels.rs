//! Options that change the playing strength and the output of the engine.

use crate::support::engine::{Engine, infos, talk};
use hematite::uci::InfoValue;
use std::collections::BTreeSet;

/// Commands that end with a search of this position.
fn search(settings: &str, go: &str) -> Vec<String> {
    talk(format!("{settings}\nposition startpos moves e2e4 e7e5 g1f3\n{go}\n")).lines
}

#[test]
fn chances_are_told_if_wanted() {
    assert!(search("", "go depth 4").iter().all(|line| !line.contains(" wdl ")));
    let lines = search("setoption name UCI_ShowWDL value true", "go depth 4");
    for info in infos(&lines) {
        let chances = info.score.and_then(|score| score.wdl).expect("chances");
        assert_eq!(chances.win + chances.draw + chances.loss, 1000, "{info}");
    }
    let mated =
        "setoption name UCI_ShowWDL value true\nposition startpos moves f2f3 e7e5 g2g4 d8h4\ngo\nstop\n";
    assert_eq!(talk(mated).lines[0], "info depth 0 score mate 0 wdl 0 0 1000");
}

#[test]
fn minimal_tells_only_the_last_lines() {
    for (lines_wanted, expected) in [(1, 1), (3, 3)] {
        let settings =
            format!("setoption name Minimal value true\nsetoption name MultiPV value {lines_wanted}");
        let lines = search(&settings, "go depth 6");
        assert_eq!(lines.len(), expected + 1, "{lines:#?}");
        let found = infos(&lines);
        let best = &found.iter().find(|info| info.multi_pv == Some(1)).expect("the best").pv[0];
        assert!(lines[expected].starts_with(&format!("bestmove {best}")), "{lines:#?}");
    }
}

#[test]
fn refutations_are_told_if_wanted() {
    assert!(search("", "go depth 4").iter().all(|line| !line.contains(" refutation ")));
    let lines = search("setoption name UCI_ShowRefutations value true", "go depth 4");
    let refuted: BTreeSet<_> =
        infos(&lines).into_iter().filter_map(|info| info.refutation.first().cloned()).collect();
    assert!(refuted.len() > 20, "{lines:#?}");
    assert!(infos(&lines).iter().any(|info| info.refutation.len() == 2), "{lines:#?}");
}

#[test]
fn the_current_line_is_told_if_wanted() {
    let mut engine = Engine::told(&["setoption name UCI_ShowCurrLine value true", "go infinite"]);
    let mut lines = Vec::new();
    // It is told about once in a second.
    while !lines.iter().any(|line: &String| line.contains(" currline 1 ")) {
        lines.extend(engine.until("info "));
    }
    engine.ask("stop", "bestmove ");
}

#[test]
fn a_draw_is_worth_what_contempt_says() {
    let draw = "position fen 7k/8/6K1/8/8/8/8/8 w - - 0 1\ngo depth 3\n";
    let cases = [
        ("none", "", 0),
        ("some", "setoption name Contempt value 25\n", -25),
        ("the contrary", "setoption name Contempt value -25\n", 25),
        ("analysis", "setoption name Contempt value 25\nsetoption name UCI_AnalyseMode value true\n", 0),
    ];
    for (name, settings, expected) in cases {
        let lines = talk(format!("{settings}{draw}")).lines;
        let scores: BTreeSet<_> =
            infos(&lines).into_iter().filter_map(|info| info.score).map(|score| score.to_string()).collect();
        assert_eq!(scores, [format!("cp {expected}")].into(), "{name}: {lines:#?}");
    }
    // A mate is a mate.
    let mate =
        "setoption name Contempt value 100\nposition fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo depth 4\n";
    assert!(
        infos(&talk(mate).lines)
            .iter()
            .any(|info| { info.score.is_some_and(|score| score.value == InfoValue::Mate(1)) })
    );
}

#[test]
fn a_limited_strength_looks_at_few_nodes_and_shows_what_it_plays() {
    for settings in [
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800",
        "setoption name Skill Level value 0",
    ] {
        for go in ["go wtime 600000 btime 600000", "go movetime 600000"] {
            let lines = search(settings, go);
            let found = infos(&lines);
            let last = found.last().expect("a line");
            assert!(last.nodes.is_some_and(|nodes| nodes <= 2000), "{settings}, {go}: {lines:#?}");
            assert!(found.iter().all(|info| info.multi_pv == Some(1)), "{settings}, {go}: {lines:#?}");
            let answer = lines.last().expect("an answer");
            assert!(answer.starts_with(&format!("bestmove {}", last.pv[0])), "{settings}, {go}: {lines:#?}");
        }
    }
    // Who plays as well as they can is not limited by an Elo that is not to be kept to.
    let lines =
        search("setoption name UCI_Elo value 800\nsetoption name Skill Level value 20", "go nodes 5000");
    assert_eq!(infos(&lines).last().and_then(|info| info.nodes), Some(5000), "{lines:#?}");
}

/// In analysis a limited strength weakens only the best move, but does not shorten the search.
#[test]
fn a_limited_strength_does_not_limit_analysis() {
    const MORE: u64 = 30_000;
    let weak = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800";
    let analysis = "setoption name UCI_AnalyseMode value true";
    let several = "setoption name MultiPV value 3";
    let cases = [
        (weak, "", "go infinite"),
        (weak, "", "go"),
        (weak, several, "go infinite"),
        (weak, several, "go movetime 60000"),
        (weak, analysis, "go movetime 60000"),
        ("setoption name Skill Level value 0", analysis, "go wtime 600000 btime 600000"),
        (weak, "", "go nodes 100000"),
        (weak, "", "go depth 30"),
    ];
    for (weak, other, go) in cases {
        let mut engine = Engine::told(&[weak, other, "position startpos moves e2e4", go]);
        let mut nodes = 0;
        while nodes < MORE {
            let lines = engine.until("info depth ");
            nodes = infos(&lines).last().and_then(|info| info.nodes).unwrap_or(nodes);
        }
        engine.send("stop");
        engine.until("bestmove ");
    }
    // What chooses the move is not counted: all nodes asked for are reported.
    for elo in [800, 2400, 3000] {
        let lines = search(
            &format!("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}"),
            "go nodes 30000",
        );
        let reported = infos(&lines).last().and_then(|info| info.nodes);
        assert_eq!(reported, Some(30_000), "{elo}: {lines:#?}");
    }
    // It does weaken the best move: not all of these are the one that the search thinks best.
    let mut engine = Engine::told(&[weak]);
    let mut others = 0;
    for _ in 0..40 {
        engine.send("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        engine.send("go depth 5");
        let lines = engine.until("bestmove ");
        let best = infos(&lines).last().map(|info| info.pv[0].clone()).expect("a line");
        others +=
            usize::from(!lines.last().is_some_and(|line| line.starts_with(&format!("bestmove {best}"))));
    }
    assert!(others > 0);
}

/// Lines are in order and of one depth, however a search ends.
#[test]
fn several_lines_are_in_order_and_of_one_depth() {
    let weak = "setoption name UCI_LimitStrength value true";
    for (settings, nodes) in
        ["", weak].into_iter().flat_map(|settings| [300, 3000, 9000, 30000].map(|nodes| (settings, nodes)))
    {
        let lines =
            search(&format!("{settings}\nsetoption name MultiPV value 4"), &format!("go nodes {nodes}"));
        let found = infos(&lines);
        let mut number = 0;
        let mut before: Option<&hematite::uci::Info> = None;
        for info in &found {
            number = if info.multi_pv == Some(1) { 1 } else { number + 1 };
            assert_eq!(info.multi_pv, Some(number), "{lines:#?}");
            if let Some(before) = before.filter(|_| number > 1) {
                assert_eq!(before.depth, info.depth, "{lines:#?}");
                let points = |info: &hematite::uci::Info| match info.score.map(|score| score.value) {
                    Some(InfoValue::Centipawns(points)) => points,
                    other => panic!("{other:?}: {lines:#?}"),
                };
                assert!(points(before) >= points(info), "{lines:#?}");
            }
            before = Some(info);
        }
        assert_eq!(number, 4, "{lines:#?}");
        // The last lines state all nodes.
        assert!(found[found.len() - 4..].iter().all(|info| info.nodes == Some(nodes)), "{lines:#?}");
    }
}

#[test]
fn a_clock_that_counts_nodes_gives_the_same_game_on_every_machine() {
    let game = || {
        let mut engine = Engine::told(&["setoption name nodestime value 100"]);
        let mut moves = Vec::new();
        for _ in 0..6 {
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            // The clock that is shown does not matter after the first move.
            engine.send(&format!("go wtime {0} btime {0} winc 50 binc 50", 2000 - 100 * moves.len()));
            let lines = engine.until("bestmove ");
            let nodes = infos(&lines).last().and_then(|info| info.nodes);
            let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move").to_owned();
            moves.push(best);
            moves.push(format!("# {nodes:?}"));
            // The engine plays both sides, so that one clock runs for both.
            moves.retain(|mv| !mv.starts_with('#'));
        }
        engine.end().assert_well();
        moves
    };
    assert_eq!(game(), game());
}

#[test]
fn a_clock_that_counts_nodes_stands_still_while_the_opponent_thinks() {
    const RATE: u64 = 100;
    let mut engine = Engine::told(&[&format!("setoption name nodestime value {RATE}")]);
    // Each of them would add a minute, that is millions of nodes.
    for _ in 0..10 {
        engine.send("go ponder wtime 200 btime 200 winc 60000 binc 60000");
        engine.until("info depth ");
        engine.send("stop");
        engine.until("bestmove ");
    }
    engine.send("go wtime 200 btime 200");
    let lines = engine.until("bestmove ");
    let nodes = infos(&lines).last().and_then(|info| info.nodes).expect("a number");
    assert!(nodes <= 200 * RATE, "{nodes}: {lines:#?}");
    engine.end().assert_well();
}

#[test]
fn a_log_has_all_that_was_read_and_written() {
    let path = std::env::temp_dir().join(format!("hematite-uci-log-{}", std::process::id()));
    let name = path.to_str().expect("UTF-8");
    let _ = std::fs::remove_file(&path);
    let ended = talk(format!(
        "setoption name Debug Log File value {name}\nisready\ngo depth 2\nwait\n\
         setoption name Debug Log File value <empty>\nfen\n"
    ));
    let text = std::fs::read_to_string(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it is there");
    let told: Vec<_> = text.lines().filter_map(|line| line.split_once(' ')).map(|(_, told)| told).collect();
    for expected in ["> isready", "< readyok", "> go depth 2"] {
        assert!(told.contains(&expected), "{expected}: {text}");
    }
    let written = told.iter().filter(|line| line.starts_with("< ")).count();
    // All but the answer to `fen`, when the log was closed.
    assert_eq!(written, ended.lines.len() - 1, "{text}");

    let lines = talk("setoption name Debug Log File value /dev/null/at/all\nisready\n").lines;
    assert!(lines[0].contains("Debug Log File: cannot write `/dev/null/at/all`: "), "{lines:?}");
}

#[test]
fn what_only_tells_something_is_not_changed() {
    let lines = talk("setoption name UCI_EngineAbout value nobody\nisready\n").lines;
    assert_eq!(lines, ["info string setoption: UCI_EngineAbout cannot be changed", "readyok"]);
    let lines =
        talk("debug on\nsetoption name UCI_Opponent value GM 2800 human Gary Kasparow\nisready\n").lines;
    assert_eq!(lines, ["info string the opponent: `GM 2800 human Gary Kasparow`", "readyok"]);
}
