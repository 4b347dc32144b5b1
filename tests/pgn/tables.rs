//! `hematite pgn players`, `crosstable` and `openings`, run by the built binary, with python-chess as a referee.

use super::tree::{ask_referee, game, referee_files};
use crate::support;
use crate::support::binary::{Run, folder, run};
use std::fs;

/// The games of an event, each with its round, White, Black and the result.
fn event(name: &str, games: &[(&str, &str, &str, &str)]) -> String {
    let game = |(index, &(round, white, black, result)): (usize, &(&str, &str, &str, &str))| {
        let date = format!("2001.02.{:02}", index / 2 + 1);
        let tags = [("Event", name), ("Date", &*date), ("Round", round), ("White", white), ("Black", black)];
        game(&tags, "1. e4 c5", result).replace("[Event \"E\"]\n", "")
    };
    games.iter().enumerate().map(game).collect()
}

const ROUND_ROBIN: [(&str, &str, &str, &str); 3] = [
    ("1", "Alpha, Anna", "Beta, Ben", "1-0"),
    ("2", "beta,ben", "Gamma, Gil", "1/2-1/2"),
    ("3", "Gamma, Gil", "Alpha, A.", "0-1"),
];

const SWISS: [(&str, &str, &str, &str); 5] = [
    ("1", "Anna", "Ben", "1-0"),
    ("1", "Gil", "Dora", "1/2-1/2"),
    ("2", "Anna", "Gil", "1/2-1/2"),
    ("2", "Dora", "Ben", "0-1"),
    ("3", "Ben", "Gil", "*"),
];

const KNOCKOUT: [(&str, &str, &str, &str); 4] = [
    ("1.1", "Anna", "Ben", "0-1"),
    ("1.2", "Ben", "Anna", "1/2-1/2"),
    ("1.1", "Gil", "Dora", "0-1"),
    ("2.1", "Dora", "Ben", "0-1"),
];

fn pgn(command: &str, arguments: &[&str], games: &str) -> Run {
    run(&[&["pgn", command], arguments, &["-"]].concat(), games.as_bytes())
}

#[test]
fn a_player_has_a_report() {
    let tags = |white, black, date, elo| {
        [("White", white), ("Black", black), ("Date", date), ("WhiteElo", elo), ("BlackElo", "2500")]
    };
    let games = game(&tags("Tal, M", "Smyslov, V", "1959.05.01", "2600"), "1. e4 c5 2. Nf3", "1-0")
        + &game(&tags("Tal, Mihail", "Smyslov, Vasily", "1960.02.01", "2650"), "1. e4 c5 2. Nf3", "1/2-1/2")
        + &game(&tags("Tal, Mihail", "Keres, P", "1960.03.01", "2640"), "1. d4", "0-1")
        + &game(&[("White", "Keres, P"), ("Black", "Tal, Mihail"), ("WhiteElo", "2600")], "1. e4 e6", "0-1")
        + &game(&tags("Smyslov, V", "Keres, P", "1960.03.01", "2600"), "1. d4", "0-1");
    let report =
        |arguments: &[&str]| run(&[&["pgn", "player"], arguments, &["-"]].concat(), games.as_bytes());
    let json = report(&["tal", "--json"]).json();
    assert_eq!(
        (&json["name"], &json["games"], &json["points"]),
        (&"Tal, Mihail".into(), &4.into(), &2.5.into())
    );
    assert_eq!((&json["rating"], &json["highest_rating"]), (&2640.into(), &2650.into()));
    assert_eq!(json["names"].as_array().map(Vec::len), Some(2));
    let years: Vec<(Option<u64>, Option<u64>, Option<u64>)> = json["years"]
        .as_array()
        .expect("years")
        .iter()
        .map(|year| (year["year"].as_u64(), year["games"].as_u64(), year["highest_rating"].as_u64()))
        .collect();
    assert_eq!(
        years,
        [(None, Some(1), None), (Some(1959), Some(1), Some(2600)), (Some(1960), Some(2), Some(2650))]
    );
    let months: Vec<(&str, u64)> = json["ratings"]
        .as_array()
        .expect("ratings")
        .iter()
        .map(|month| (month["month"].as_str().expect("a month"), month["rating"].as_u64().expect("a rating")))
        .collect();
    assert_eq!(months, [("1959.05", 2600), ("1960.02", 2650), ("1960.03", 2640)]);
    let opening = |side: &str, index: usize| {
        let row = &json["openings"][side][index];
        (row["name"].as_str().unwrap_or_default().to_owned(), row["games"].as_u64(), row["score"].as_f64())
    };
    assert_eq!(opening("as_white", 0), ("Sicilian Defense".to_owned(), Some(2), Some(75.0)));
    assert_eq!(opening("as_black", 0), ("French Defense".to_owned(), Some(1), Some(100.0)));
    let opponents: Vec<(&str, u64, u64)> = json["opponents"]
        .as_array()
        .expect("opponents")
        .iter()
        .map(|row| {
            let number = |name: &str| row[name].as_u64().expect("a number");
            (row["name"].as_str().expect("a name"), number("won"), number("lost"))
        })
        .collect();
    assert_eq!(opponents, [("Keres, P", 1, 1), ("Smyslov, Vasily", 1, 0)]);
    let limited = report(&["tal", "--json", "--limit", "1"]).json();
    assert_eq!(limited["opponents"].as_array().map(Vec::len), Some(1));
    assert_eq!(limited["openings"]["as_white"].as_array().map(Vec::len), Some(1));
    let consulting = game(&[("White", "Tal, M"), ("Black", "Keres, P:Smyslov, V")], "1. e4", "1-0");
    let json = pgn("player", &["tal", "--json"], &consulting).json();
    let opponents = json["opponents"].as_array().expect("opponents").iter();
    let names: Vec<&str> = opponents.map(|row| row["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["Keres, P", "Smyslov, V"]);
    for name in ["", "?"] {
        let found = report(&[name]);
        let problem = format!("NAME: found `{name}`, expected a name with letters");
        assert!(found.code == Some(2) && found.err.contains(&problem), "{}", found.err);
    }
    let text = report(&["tal"]).out;
    for part in [
        "Tal, Mihail\n4 of 5 games\nHighest rating 2650, latest 2640\n",
        "Openings with Black",
        "Spellings: Tal, Mihail (3); Tal, M (1)",
        "Ratings\n2600 in 1959.05, 2640 in 1960.03, highest 2650 in 1960.02\n\n2700 │",
        "2600 └",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(report(&["--exact", "Tal, M", "--json"]).json()["games"], 1);
    assert_eq!(report(&["tal", "--query", "result:0-1", "--json"]).json()["games"], 2);
    let page = report(&["tal", "--html"]).out;
    for part in
        ["<h2>Opponents</h2>", "<figure class=\"curve ratings\">", "highest 2650 in 1960.02", "cx=90% cy=50%"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!report(&["keres", "--html"]).out.contains("<figure"));
    assert_eq!(report(&["euwe"]).code, Some(1));
    assert!(report(&["tal", "--query", "x:"]).err.contains("query: column "));
}

#[test]
fn players_have_games_points_and_performances() {
    let elos = [("White", "Tal, M"), ("Black", "Smyslov, V"), ("WhiteElo", "2600"), ("BlackElo", "2500")];
    let with = |white, black, date, result| {
        game(&[("White", white), ("Black", black), ("Date", date), ("WhiteElo", "2610")], "1. e4", result)
    };
    let games = game(&elos, "1. e4", "1-0")
        + &with("Tal, Mihail", "Smyslov, V", "1960.01.01", "1/2-1/2")
        + &with("Tal, Mihail", "Petrosian, T:Smyslov, V", "1959.01.01", "0-1")
        + &with("Smyslov, V", "?", "1970.??.??", "*");
    let json = pgn("players", &["--json"], &games).json();
    assert_eq!((&json["read"], &json["games"]), (&4.into(), &4.into()));
    let row = |name: &str| {
        let rows = json["players"].as_array().cloned().unwrap_or_default();
        rows.into_iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}: {json}"))
    };
    let tal = row("Tal, Mihail");
    assert_eq!(
        (tal["games"].as_u64(), tal["points"].as_f64(), tal["score"].as_f64()),
        (Some(3), Some(1.5), Some(50.0))
    );
    assert_eq!((&tal["as_white"]["games"], &tal["as_black"]["games"]), (&3.into(), &0.into()));
    // The rating of the latest game; only the first one has that of the opponent.
    assert_eq!((&tal["rating"], &tal["average_opponent"]), (&2610.into(), &2500.into()));
    assert_eq!((&tal["performance"], &tal["last_year"]), (&3300.into(), &1960.into()));
    assert_eq!(json["joined"], serde_json::json!([{"name": "Tal, Mihail", "spellings": ["Tal, M"]}]));
    let smyslov = row("Smyslov, V");
    assert_eq!(
        (&smyslov["games"], &smyslov["unfinished"], &smyslov["points"]),
        (&4.into(), &1.into(), &1.5.into())
    );
    assert_eq!(row("Petrosian, T")["points"], 1.0);
    let text = pgn("players", &[], &games).out;
    assert!(text.contains("Joined names (--exact joins none):\nTal, Mihail = Tal, M\n"), "{text}");
    assert!(text.contains("\nwithout a name: 1 side\n"), "{text}");
    let exact = pgn("players", &["--exact"], &games).out;
    assert!(exact.contains("4 of 4 games, 4 players\n") && !exact.contains("Joined"), "{exact}");
    let order = |arguments: &[&str]| -> Vec<String> {
        let json = pgn("players", &[arguments, &["--json"]].concat(), &games).json();
        let rows = json["players"].as_array().expect("players");
        rows.iter().map(|row| row["name"].as_str().expect("a name")[..3].to_owned()).collect()
    };
    assert_eq!(order(&[]), ["Smy", "Tal", "Pet"]);
    assert_eq!(order(&["--sort", "name"]), ["Pet", "Smy", "Tal"]);
    assert_eq!(order(&["--sort", "name", "--reverse"]), ["Tal", "Smy", "Pet"]);
    assert_eq!(order(&["--sort", "rating"]), ["Smy", "Tal", "Pet"]);
    assert_eq!(order(&["--sort", "percent", "--limit", "2"]), ["Pet", "Smy"]);
    assert_eq!(order(&["--min-games", "2"]), ["Smy", "Tal"]);
    assert_eq!(order(&["--query", "date:1959"]), ["Pet", "Smy", "Tal"]);
    assert_eq!(pgn("players", &["--query", "white:nobody"], &games).code, Some(1));
}

#[test]
fn two_players_against_each_other() {
    let games = event("A", &ROUND_ROBIN) + &event("B", &[("1", "Beta, Ben", "Alpha, Anna", "1-0")]);
    let found = pgn("players", &["--between", "alpha", "ben", "--json"], &games).json();
    assert_eq!(found["players"], serde_json::json!(["Alpha, Anna", "Beta, Ben"]));
    assert_eq!(["games", "won", "drawn", "lost"].map(|name| found[name].as_u64()), [2, 1, 0, 1].map(Some));
    assert_eq!((&found["as_white"]["won"], &found["as_black"]["lost"]), (&1.into(), &1.into()));
    assert_eq!(found["list"].as_array().map(Vec::len), Some(2));
    let found = pgn("players", &["--between", "alpha", "ben", "--query", "event:b"], &games);
    assert!(found.out.starts_with("Alpha, Anna – Beta, Ben\n1 of 4 games\n"), "{}", found.out);
    assert!(
        found.out.contains("2001.02.01  1      Beta, Ben  Alpha, Anna  1-0          B\n"),
        "{}",
        found.out
    );
    assert_eq!(pgn("players", &["--between", "alpha", "nobody"], &games).code, Some(1));
    assert_eq!(pgn("players", &["--between", "alpha"], &games).code, Some(2));
    let wrong = pgn("players", &["--between", "alpha", "ben", "--query", "date:x"], &games);
    assert!(wrong.err.contains("query: column 6: found `x`"), "{}", wrong.err);
}

#[test]
fn titles_are_shown_and_tables_are_csv() {
    let with = |white, title, date, result| {
        game(
            &[
                ("White", white),
                ("WhiteTitle", title),
                ("Black", "Other, \"O\""),
                ("Date", date),
                ("EventDate", "1955.01.01"),
            ],
            "1. e4",
            result,
        )
    };
    let games = with("Tal, Mihail", "IM", "1955.01.01", "1-0")
        + &with("Tal, Mihail", "GM", "1957.01.01", "0-1")
        + &with("Tal, Mihail", "-", "1958.01.01", "1/2-1/2");
    let text = pgn("players", &[], &games).out;
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[3][..4], ["#", "Name", "Title", "Games"], "{text}");
    assert!(text.contains("Tal, Mihail  GM "), "the latest one: {text}");
    assert_eq!(pgn("players", &["--json"], &games).json()["players"][1]["title"], "GM");
    let cross = pgn("crosstable", &["--style", "round-robin"], &games);
    assert!(cross.out.contains("Tal, Mihail  GM "), "{}", cross.out);
    assert_eq!(pgn("crosstable", &["--json"], &games).json()["events"][0]["players"][1]["title"], "GM");
    assert!(!pgn("players", &[], &with("A", "", "1", "1-0")).out.contains("Title"));
    let csv = pgn("players", &["--csv"], &games).out;
    assert_eq!(
        csv,
        "#,Name,Title,Games,Points,%,+,=,-,White,Black,Elo,Opp,Perf\n\
         1,\"Other, \"\"O\"\"\",,3,1.5,50.0,1,1,1,,50.0,,,\n\
         2,\"Tal, Mihail\",GM,3,1.5,50.0,1,1,1,50.0,,,,\n"
    );
    let openings = pgn("openings", &["--csv"], &games).out;
    assert!(
        openings.starts_with("ECO,Opening,Games,%,+,=,-,White,Elo,Last\nB00,King's Pawn Game,3,"),
        "{openings}"
    );
    assert_eq!(pgn("players", &["--csv", "--json"], &games).code, Some(2));
}

#[test]
fn a_grid_of_all_against_all() {
    let expected = "\
Cup
3 players, 3 games

#  Name         Elo  1  2  3  Points    SB  Perf
1  Alpha, Anna       ·  1  1     2.0  1.00
2  Beta, Ben         0  ·  ½     0.5  0.25
3  Gamma, Gil        0  ½  ·     0.5  0.25

Joined names (--exact joins none):
Alpha, Anna = Alpha, A.
Beta, Ben = beta,ben
";
    let found = pgn("crosstable", &[], &event("Cup", &ROUND_ROBIN));
    let text: Vec<&str> = found.out.lines().filter(|line| !line.is_empty()).collect();
    let wanted: Vec<&str> = expected.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(text, wanted, "{}", found.out);
    let by_name = pgn("crosstable", &["--sort", "name", "--style", "round-robin"], &event("Cup", &SWISS)).out;
    assert!(by_name.contains("1  Anna       ·  1     ½     1.5  1.50\n"), "{by_name}");
}

#[test]
fn rounds_with_opponents_colors_and_totals() {
    let games = event("Open", &SWISS);
    let found = pgn("crosstable", &[], &games).out;
    let expected = "\
Open
4 players, 5 games

#  Name  Elo  1    2    3    Points  Buchholz  Perf
1  Anna       3w1  2w½  -       1.5      2.00
2  Gil        4w½  1b½  3b*     1.0      3.00
3  Ben        1b0  4b1  2w*     1.0      3.00
4  Dora       2b½  3w0  -       0.5      2.00
";
    assert_eq!(found, expected);
    let mentor = pgn("crosstable", &["--style", "mentor"], &games).out;
    assert!(mentor.contains("1  Anna       03w1.0  02w1.5  -"), "{mentor}");
    assert!(mentor.contains("3  Ben        01b0.0  04b1.0  02w1.0"), "{mentor}");
    let without = games.replace("[Round \"1\"]", "[Round \"?\"]").replace("[Round \"2\"]", "[Round \"-\"]");
    let told = pgn("crosstable", &["--style", "swiss"], &without).out;
    assert!(told.contains("\n4 games without a round; --guess-rounds takes rounds from dates\n"), "{told}");
    assert_eq!(pgn("crosstable", &["--style", "swiss", "--guess-rounds"], &without).out, expected);
}

#[test]
fn matches_of_a_knockout() {
    let found = pgn("crosstable", &[], &event("Cup", &KNOCKOUT)).out;
    let expected = "\
Cup
4 players, 4 games

Round  Player            Player  Games
1      Ben     1.5  0.5  Anna    1 ½
       Dora    1.0  0.0  Gil     1
2      Ben     1.0  0.0  Dora    1

Winner: Ben
";
    assert_eq!(found, expected);
    let json = pgn("crosstable", &["--json"], &(event("Cup", &KNOCKOUT) + &event("Open", &SWISS))).json();
    let events: Vec<(&str, &str)> = json["events"]
        .as_array()
        .expect("events")
        .iter()
        .filter_map(|event| Some((event["event"].as_str()?, event["style"].as_str()?)))
        .collect();
    assert_eq!(events, [("Cup", "knockout"), ("Open", "swiss")]);
    assert_eq!(json["events"][1]["players"][0]["games"][0]["opponent"], 3);
    assert_eq!(json["events"][1]["players"][0]["games"][0]["color"], "White");
}

#[test]
fn a_loser_who_plays_on_is_no_winner_of_a_knockout() {
    let knockout =
        [("1", "Maurian", "Morphy", "1-0"), ("2", "Morphy", "Meek", "1-0"), ("3", "Morphy", "Ayers", "1-0")];
    let simultaneous = knockout.map(|(_, _, _, result)| ("?", "Morphy", "", result));
    let simultaneous: Vec<_> = simultaneous
        .iter()
        .zip(["Meek", "Ayers", "Maurian"])
        .map(|(game, other)| (game.0, game.1, other, game.3))
        .collect();
    for games in [&knockout[..], &simultaneous] {
        let json = pgn("crosstable", &["--json"], &event("Alabama", games)).json();
        assert_ne!(json["events"][0]["style"], "knockout", "{json}");
        let forced = pgn("crosstable", &["--style", "knockout"], &event("Alabama", games)).out;
        assert!(forced.contains("Morphy") && !forced.contains("Winner"), "{forced}");
    }
}

#[test]
fn editions_and_stages_of_an_event_have_their_own_tables() {
    let game_on = |date: &str, more: &[(&str, &str)], white: &str| {
        let tags = [("Date", date), ("Round", "1"), ("White", white), ("Black", "Other")];
        game(&[&tags[..], more].concat(), "1. e4", "1-0")
    };
    let titles = |games: &str| -> Vec<String> {
        let out = pgn("crosstable", &["--exact"], games).out;
        let lines: Vec<&str> = out.lines().collect();
        let is_count = |line: &str| line.ends_with(" game") || line.ends_with(" games");
        let pairs = lines.windows(2).filter(|pair| is_count(pair[1]));
        pairs.map(|pair| format!("{}: {}", pair[0], pair[1])).collect()
    };
    let in_linares = |date: &str, white: &str| game_on(date, &[("Site", "Linares ESP")], white);
    // A game without a day belongs to the edition of its year, one without a year to that of the game before it.
    let linares = in_linares("1999.02.21", "A")
        + &in_linares("1999.??.??", "B")
        + &in_linares("2000.02.28", "A")
        + &in_linares("????.??.??", "C")
        + &in_linares("1999.03.??", "D")
        + &in_linares("2000.05.20", "E")
        + &in_linares("2003.??.??", "F");
    assert_eq!(
        titles(&linares),
        ["E · 1999: 4 players, 3 games", "E · 2000: 4 players, 3 games", "E · 2003: 2 players, 1 game"]
    );
    // The date of the event decides if there is one.
    let dated = linares.replace("[Site", "[EventDate \"1999.02.21\"]\n[Site");
    assert_eq!(titles(&dated), ["E · 1999.02.21: 7 players, 7 games"]);
    // So do section and stage.
    let stages = game_on("1999.02.21", &[("Stage", "Final")], "A")
        + &game_on("1999.02.20", &[("Stage", "Semifinal")], "A")
        + &game_on("1999.02.20", &[("Section", "B")], "A");
    assert_eq!(titles(&stages).len(), 3, "{:?}", titles(&stages));
    assert!(titles(&stages)[0].starts_with("E · Final: "), "{:?}", titles(&stages));
    // Sites separate events, addresses on the Internet do not.
    let sites = ["Riga", "Minsk", "https://lichess.org/a", "https://lichess.org/b", "?"];
    let games: String = sites.map(|site| game_on("1999.02.21", &[("Site", site)], "A")).concat();
    assert_eq!(
        titles(&games),
        [
            "E · 1999: 2 players, 3 games",
            "E · Minsk · 1999: 2 players, 1 game",
            "E · Riga · 1999: 2 players, 1 game"
        ]
    );
    let json = pgn("crosstable", &["--json"], &linares).json();
    assert_eq!(json["events"][1]["distinctions"], serde_json::json!(["2000"]));
    // Games without an event are not those of an event.
    let none = linares.replace("[Event \"E\"]", "[Event \"?\"]");
    assert_eq!(titles(&none), ["Games without an event: 7 players, 7 games"]);
}

/// A query or a name in the place of a file is an error that names the option.
#[test]
fn queries_and_names_are_no_files() {
    let folder = folder("tables-no-files");
    let path = folder.join("games.pgn");
    fs::write(&path, event("Open", &SWISS)).expect("a file can be written");
    let path = path.to_str().expect("UTF-8");
    let commands: [&[&str]; 8] = [
        &["pgn", "tree"],
        &["pgn", "players"],
        &["pgn", "crosstable"],
        &["pgn", "openings"],
        &["pgn", "stats"],
        &["pgn", "export"],
        &["pgn", "duplicates"],
        &["pgn", "novelties"],
    ];
    for command in commands {
        let found = run(&[command, &["white:anna", path]].concat(), b"");
        assert_eq!((found.code, &*found.out), (Some(2), ""), "{command:?}: {}", found.err);
        assert!(found.err.contains("--query 'white:anna'"), "{command:?}: {}", found.err);
        let missing = run(&[command, &["missing.pgn", path]].concat(), b"");
        assert!(missing.code == Some(2) && !missing.err.contains("--query"), "{command:?}: {}", missing.err);
    }
    let names = run(&["pgn", "players", "anna", "ben", path], b"");
    assert_eq!((names.code, &*names.out), (Some(2), ""), "{}", names.err);
    assert!(names.err.contains("--between 'anna' 'ben'"), "{}", names.err);
    let name = run(&["pgn", "players", "anna", path], b"");
    assert!(name.code == Some(2) && name.err.contains("--query 'player:\"anna\"'"), "{}", name.err);
    let line = run(&["pgn", "tree", "--line", "1. e4", "--json", path], b"");
    assert_eq!(line.out, run(&["pgn", "tree", "--moves", "1. e4", "--json", path], b"").out);
    assert!(line.code == Some(0) && line.out.contains("c5"), "{}", line.err);
}

#[test]
fn openings_are_those_of_stats() {
    let Some(path) = support::data_path("pgn/mliebelt+pgn-parser/test/pgn/twic-01-232games.pgn") else {
        return;
    };
    let path = path.to_str().expect("UTF-8");
    let stats = run(&["pgn", "stats", "--json", "-q", path], b"").json();
    let found = run(&["pgn", "openings", "--by", "eco", "--json", "-q", path], b"").json();
    let counts = |key: &str, table: &serde_json::Value| -> Vec<(String, Option<u64>)> {
        let rows = table["openings"].as_array().cloned().unwrap_or_default();
        let mut counts: Vec<_> = rows
            .iter()
            .map(|row| (row[key].as_str().unwrap_or_default().to_owned(), row["games"].as_u64()))
            .collect();
        counts.sort();
        counts
    };
    let of_stats = |key: &str| -> Vec<(String, Option<u64>)> {
        stats[key]
            .as_object()
            .expect("counts")
            .iter()
            .map(|(name, count)| (name.clone(), count.as_u64()))
            .collect()
    };
    assert_eq!(counts("eco", &found), of_stats("eco"));
    let found = run(&["pgn", "openings", "--json", "-q", path], b"").json();
    let mut families = of_stats("openings");
    families.sort();
    assert_eq!(counts("name", &found), families);
    // The tree of names has the same families.
    let tree = run(&["pgn", "tree", "--names", "--depth", "1", "--json", "-q", path], b"").json();
    let names = serde_json::json!({ "openings": tree["names"] });
    assert_eq!(counts("name", &names), families);
}

#[test]
fn openings_have_results_and_orders() {
    let games =
        game(&[], "1. e4 c5", "1-0") + &game(&[], "1. e4 c5 2. Nf3", "0-1") + &game(&[], "1. d4 d5", "0-1");
    let out = pgn("openings", &["--by", "name"], &games).out;
    let expected = "\
Openings
3 of 3 games, 2 openings

ECO      Opening            Games     %  + = -                 White  Elo  Last
B20–B27  Sicilian Defense       2  66.7  ██████████░░░░░░░░░░   50.0
D00      Queen's Pawn Game      1  33.3  ░░░░░░░░░░░░░░░░░░░░    0.0
";
    assert_eq!(out, expected);
    let family = pgn("openings", &[], &games).out;
    assert_eq!(family, expected);
    let score = pgn("openings", &["--sort", "score", "--reverse", "--json"], &games).json();
    assert_eq!(score["openings"][0]["name"], "Queen's Pawn Game");
    assert_eq!(pgn("openings", &["--query", "plies>9"], &games).code, Some(1));
    let folder = folder("tables-html");
    let path = folder.join("openings.html");
    let made = pgn("openings", &["--html", "-o", path.to_str().expect("UTF-8")], &games);
    assert_eq!((made.code, made.out.as_str()), (Some(0), ""));
    let page = fs::read_to_string(path).expect("it is written");
    assert!(page.contains("<td>Sicilian Defense</td>") && page.ends_with("</html>\n"), "{page}");
}

#[test]
fn names_cannot_break_out_of_a_page() {
    let hostile = "<img src=x onerror=alert(1)>";
    let games = game(&[("White", hostile), ("Black", "B&\"C\u{1b}")], "1. e4", "1-0").replace("\"C", "\\\"C");
    for command in ["players", "crosstable"] {
        let page = pgn(command, &["--html"], &games).out;
        assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;") && !page.contains("<img"), "{page}");
        assert!(page.contains("B&amp;&quot;C") && !page.contains('\u{1b}'), "{page}");
        assert!(!pgn(command, &[], &games).out.contains('\u{1b}'));
    }
}

#[test]
fn python_chess_counts_the_same_tables() {
    let Some(paths) = referee_files() else { return };
    ask_referee("pgn_tables.py", &paths);
}

#[test]
fn collections_have_the_same_tables_and_trees() {
    let Some(paths) = referee_files() else { return };
    let folder = folder("tables-collection");
    let collection = folder.join("games.hdb");
    let collection = collection.to_str().expect("UTF-8");
    let texts: Vec<&str> = paths.iter().map(|path| path.to_str().expect("UTF-8")).collect();
    let made = run(&[&["db", "create", collection], &texts[..]].concat(), b"");
    assert_eq!(made.code, Some(0), "{}", made.err);
    let commands: [&[&str]; 16] = [
        &["tree"],
        &["tree", "--moves", "1. d4 Nf6 2. c4 e6", "--depth", "4"],
        &["tree", "--moves", "1. d4 Nf6 2. c4", "--exact", "--sort", "appearance"],
        &["tree", "--moves", "1. e4 e5", "--query", "result:1-0 move:O-O", "--json"],
        &["tree", "--fen", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"],
        &["tree", "--names", "--depth", "3"],
        &["tree", "--broken", "only"],
        &["maneuvers", "--moves", "1. e4 e5 2. Nf3 Nc6 3. Bb5"],
        &["maneuvers", "--moves", "1. e4 c5", "--routes"],
        &["players"],
        &["players", "--query", "reaches:\"1.e4 c5\""],
        &["players", "--between", "kasparov", "anand"],
        &["crosstable"],
        &["crosstable", "--style", "mentor", "--query", "event:supergm"],
        &["openings", "--by", "name"],
        &["openings", "--query", "sacrifice>=3"],
    ];
    for command in commands {
        let of = |sources: &[&str]| {
            let found = run(&[&["pgn"], command, &["-q"], sources].concat(), b"");
            (found.code, found.out)
        };
        assert_eq!(of(&[collection]), of(&texts), "{command:?}");
    }
    let groups = |sources: &[&str]| {
        let command = ["pgn", "duplicates", "--length-difference", "20", "--json", "-q"];
        let json = run(&[&command[..], sources].concat(), b"").json();
        let groups = json["groups"].as_array().cloned().unwrap_or_default();
        groups.iter().map(|group| group.as_array().map_or(0, Vec::len)).collect::<Vec<_>>()
    };
    assert_eq!(groups(&[collection]), groups(&texts));
    assert!(!groups(&texts).is_empty());
}

#[test]
fn joined_names_are_a_table_to_retag_by() {
    let folder = folder("tables-spellings");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let [games, names, clean] = ["games.pgn", "names.txt", "clean.pgn"].map(path);
    let players =
        [("Tal, M", "Botvinnik, Mikhail"), ("Tal, Mihail", "Mikhail Botvinnik"), ("A -> B", "A - B")];
    let text: String = players
        .iter()
        .map(|(white, black)| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n")
        })
        .collect();
    fs::write(&games, text).expect("a file can be written");
    let found = run(&["pgn", "players", "--spellings", &games, "-o", &names], b"");
    assert_eq!(found.code, Some(0), "{}", found.err);
    let table = fs::read_to_string(&names).expect("it is written");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines, ["Mikhail Botvinnik -> Botvinnik, Mikhail", "Tal, M -> Tal, Mihail"]);
    let done = run(&["pgn", "retag", "-q", "--names", &names, &games, "-o", &clean], b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let clean = fs::read_to_string(&clean).expect("it is written");
    assert_eq!(clean.matches("[White \"Tal, Mihail\"]").count(), 2, "{clean}");
    assert_eq!(clean.matches("[Black \"Botvinnik, Mikhail\"]").count(), 2, "{clean}");
    assert_eq!(run(&["pgn", "players", "--spellings", "-"], clean.as_bytes()).code, Some(1));
}
