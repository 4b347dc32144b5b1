//! The order of the games that `hematite pgn find` finds, and the lists that it writes and reads.

use super::find::{GAMES, find};
use crate::support::binary::{folder, run};
use std::fs;

#[test]
fn the_order_and_the_number_of_games() {
    let order = |arguments: &[&str]| -> Vec<String> {
        let found = find(&[&[""], arguments, &["--json"]].concat());
        let game =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["game"].to_string();
        found.out.lines().map(game).collect()
    };
    let cases: [(&[&str], &[&str]); 9] = [
        (&["--sort", "white"], &["3", "1", "2"]),
        (&["--sort", "white", "--reverse"], &["2", "1", "3"]),
        (&["--sort", "plies"], &["3", "1", "2"]),
        (&["--sort", "elo"], &["1", "3", "2"]),
        (&["--sort", "eco"], &["3", "2", "1"]),
        (&["--skip", "1"], &["2", "3"]),
        (&["--skip", "1", "--limit", "1"], &["2"]),
        (&["--sort", "white", "--skip", "1", "--limit", "1"], &["1"]),
        (&["--limit", "2"], &["1", "2"]),
    ];
    for (arguments, expected) in cases {
        assert_eq!(order(arguments), expected, "{arguments:?}");
    }
    let tagged = |round: &str, site: &str, opening: &str, result: &str| {
        format!(
            "[Site \"{site}\"]\n[Round \"{round}\"]\n[White \"{round}\"]\n[Opening \"{opening}\"]\n\
             [Result \"{result}\"]\n\n1. e4 {result}\n\n"
        )
    };
    let games = [
        tagged("10", "riga", "Pirc", "1-0"),
        tagged("2.10", "Omsk", "Alekhine", "0-1"),
        tagged("2.9", "Riga", "benoni", "*"),
        tagged("?", "Zagreb", "French", "1/2-1/2"),
        tagged("-", "Amsterdam", "Reti", "0-1"),
        tagged("final", "?", "Caro", "1-0"),
    ]
    .concat();
    let cases: [(&[&str], [&str; 6]); 5] = [
        (&["round"], ["?", "-", "2.9", "2.10", "10", "final"]),
        (&["round", "--reverse"], ["final", "10", "2.10", "2.9", "-", "?"]),
        (&["site"], ["final", "-", "2.10", "10", "2.9", "?"]),
        (&["opening"], ["2.10", "2.9", "final", "?", "10", "-"]),
        (&["result"], ["2.9", "2.10", "-", "10", "final", "?"]),
    ];
    for (arguments, expected) in cases {
        let command = [&["pgn", "find", "", "-", "--json", "-q", "--sort"], arguments].concat();
        let found = run(&command, games.as_bytes()).out;
        let round = |line: &str| {
            let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
            json["tags"]["Round"].as_str().expect("a round").to_owned()
        };
        assert_eq!(found.lines().map(round).collect::<Vec<_>>(), expected, "{arguments:?}");
    }
    assert_eq!(find(&["", "--limit", "2"]).err, "2 of 2 games: +1 =1 -0 (75.0 %) for White\n");
}

#[test]
fn lists_are_csv() {
    let list = |arguments: &[&str]| find(&[arguments, &["--list", "--csv", "-q"]].concat()).out;
    let all = list(&["", "--sort", "date"]);
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(
        lines[0], "Game,White,WhiteElo,Black,BlackElo,Result,Date,ECO,Opening,Ply,Event,File",
        "{all}"
    );
    assert_eq!(lines.len(), 4, "{all}");
    assert!(lines[1].starts_with("1,\"Légal, Kermur\",,Saint Brie,,1-0,1851.??.??,C41,"), "{all}");
    assert!(
        lines[2].starts_with("2,\"Tal, Mihail\",2700,\"Botvinnik, Mikhail\",2690,1/2-1/2,1960.03.15,C18,"),
        "{all}"
    );
    assert!(lines[3].ends_with(",0-1,1961.05.??,,,,Ending,standard input"), "{all}");
    let chosen = list(&["promotion", "--columns", "black,site,ply,plies"]);
    assert_eq!(chosen, "Game,black,site,Ply,Plies,File\n3,\"Tal, Mihail\",?,1,4,standard input\n");
    assert_eq!(list(&["white:nobody"]), "");
    let alone = find(&["", "--csv"]);
    assert!(alone.code == Some(2) && alone.err.contains("--list"), "{}", alone.err);
}

/// With a temporary file for each game, games with equal keys remain in their order, and the messages are the same.
#[test]
fn any_memory_sorts_in_the_same_way() {
    let games: String = (0..200)
        .map(|number: usize| {
            let tags =
                format!("[White \"{}\"]\n[Round \"{number}\"]", ["Ab", "A", "É", "", "a\u{1}"][number % 5]);
            format!("{tags}\n\n1. e4 {}\n\n", ["1-0", "0-1", "1/2-1/2", "*"][number % 4])
        })
        .collect();
    for form in [&["--list"][..], &["--json"], &["--fen"], &["--reverse"], &["--skip", "9", "--limit", "150"]]
    {
        let sorted = |memory| {
            let arguments =
                ["pgn", "find", "white:a or white:none", "-", "--sort", "white", "--memory", memory];
            run(&[&arguments, form].concat(), games.as_bytes())
        };
        let (all, none) = (sorted("1G"), sorted("1"));
        assert_eq!((&none.out, &none.err), (&all.out, &all.err), "{form:?}");
        assert_eq!(all.code, Some(0), "{form:?}");
    }
    let rounds = |arguments: &[&str]| -> Vec<usize> {
        let found = run(&[&["pgn", "find", "", "-"], arguments].concat(), games.as_bytes()).out;
        let round = |line: &str| line.strip_prefix("[Round \"")?.strip_suffix("\"]")?.parse().ok();
        found.lines().filter_map(round).collect()
    };
    let by_hand = |keys: [usize; 5]| -> Vec<usize> {
        keys.iter().flat_map(|&key| (0..200).filter(move |number| number % 5 == key)).collect()
    };
    // A text before a longer one, and letters beyond ASCII last.
    assert_eq!(rounds(&["--sort", "white"]), by_hand([3, 1, 4, 0, 2]));
    assert_eq!(rounds(&["--sort", "white", "--reverse"]), by_hand([2, 0, 4, 1, 3]));
}

#[test]
fn the_columns_of_a_list_are_chosen() {
    let found = find(&["player:tal", "--list", "--columns", "round,white,WHITEELO,result,plies,site"]);
    let lines: Vec<Vec<&str>> = found.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let expected = [
        "Game round white Elo Result Plies site",
        "2 1.2 Tal, Mihail 2700 1/2 14 Moscow",
        "3 3 Botvinnik, Mikhail - 0-1 4 ?",
    ];
    assert_eq!(lines, expected.map(|line| line.split_whitespace().collect::<Vec<_>>()));
    for wrong in [&["--columns", "white"][..], &["--list", "--columns", "a b"], &["--list", "--columns", ""]]
    {
        assert_eq!(find(&[&["player:tal"], wrong].concat()).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_list_of_games_is_read_again() {
    let folder = folder("find-list");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let [one, two, list] = ["one.pgn", "two.pgn", "list.json"].map(path);
    fs::write(&one, GAMES).expect("a file can be written");
    fs::write(&two, GAMES).expect("a file can be written");
    let found = run(&["pgn", "find", "player:tal", "--json", &one, &two], b"");
    // One game fewer than were found.
    let kept: Vec<&str> = found.out.lines().take(3).collect();
    fs::write(&list, kept.join("\n")).expect("a file can be written");
    let count =
        |arguments: &[&str]| run(&[&["pgn", "find", "--from-list", &list], arguments].concat(), b"").out;
    assert_eq!(count(&["--count"]), format!("{one}: 2\n{two}: 1\n"));
    assert_eq!(count(&["--count", &two]), "1\n");
    assert_eq!(count(&["--count", &path("../find-list/two.pgn")]), "1\n");
    let query = path("draws.query");
    fs::write(&query, "result:draw").expect("a file can be written");
    assert_eq!(count(&["--count", "--query-file", &query]), format!("{one}: 1\n{two}: 1\n"));
    assert!(count(&[&two]).starts_with("[Event \"Match\"]"));
    // Of nothing that was found nothing is found.
    fs::write(&list, "").expect("a file can be written");
    let none = run(&["pgn", "find", "--from-list", &list, "-q"], b"");
    assert_eq!((none.code, &*none.out, &*none.err), (Some(1), "", ""));
    fs::write(&list, "{\"file\": 7}").expect("a file can be written");
    let wrong = run(&["pgn", "find", "--from-list", &list], b"");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("line 1: ") && wrong.err.contains("pgn find --json"), "{}", wrong.err);
}
