//! The games of a match, and the files and reports about them.

use crate::arena::runner::{Place, run};
use crate::support::data_folder_of;
use hematite::notation::pgn::{Game, GameResult, games};
use hematite::notation::{Fen, parse_epd, position_from_fen};

/// The games of a file, each of which must have no errors.
fn read(text: &str) -> Vec<Game> {
    let checked = |read: std::io::Result<(Game, Vec<_>)>| {
        let (game, errors) = read.expect("it can be read");
        assert!(errors.is_empty(), "{errors:?}\n{text}");
        game
    };
    games(text.as_bytes()).map(checked).collect()
}

#[test]
fn pairs_have_one_opening_and_both_colors() {
    let place = Place::new();
    let book = place.path("book.epd");
    let lines = [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ];
    std::fs::write(&book, lines.join("\n")).expect("the book is written");
    let words = format!(
        "--each nodes=1 --rounds 3 --repeat --concurrency 2 --maxmoves 10 --openings {book} order=random --seed 5 --pgn {} nodes seldepth nps pv timeleft --epd-out {}",
        place.path("games.pgn"),
        place.path("end.epd")
    );
    let played = place.play(&["name A", "name B seed 2"], &words);
    assert_eq!(played.code, Some(0), "{played:?}");
    for part in [
        "Results of A vs B (1 nodes, book.epd):",
        "\nElo: ",
        "\nLOS: ",
        "\nGames: 6, ",
        "\nPtnml(0-2): [",
        "Match finished",
    ] {
        assert!(played.out.contains(part), "{part}: {}", played.out);
    }
    let pgn = place.text("games.pgn");
    let games = read(&pgn);
    assert_eq!(games.len(), 6);
    let mut used = Vec::new();
    for pair in games.chunks(2) {
        let tag = |game: usize, name| pair[game].tags.get(name).expect(name).to_owned();
        assert_eq!((tag(0, "White"), tag(0, "Black")), (tag(1, "Black"), tag(1, "White")));
        assert_eq!(tag(0, "FEN"), tag(1, "FEN"));
        let rounds = [tag(0, "Round"), tag(1, "Round")];
        assert_eq!(
            rounds[0].split_once('.').map(|parts| parts.0),
            rounds[1].split_once('.').map(|parts| parts.0)
        );
        assert_eq!(tag(0, "PlyCount"), pair[0].mainline().count().to_string());
        assert_eq!(tag(0, "TimeControl"), "-");
        used.push(tag(0, "FEN"));
    }
    used.sort();
    let mut expected = lines.map(str::to_owned);
    expected.sort();
    assert_eq!(used, expected, "each opening once");
    let comments: Vec<_> = games[0].mainline().flat_map(|node| games[0].comments(node)).collect();
    assert!(comments[0].starts_with("0.00/1 0.0") || comments[0].starts_with("+0.00/1 0.0"), "{comments:?}");
    assert!(comments[0].contains(", n=20, sd=2, nps=1000, pv=\""), "{comments:?}");
    assert!(
        comments.last().is_some_and(|last| last.contains("Draw") || last.contains("mates")),
        "{comments:?}"
    );
    // The final positions are those of the games.
    for (line, game) in place.text("end.epd").lines().zip(&games) {
        let end = game.position(game.last());
        assert!(line.starts_with(&Fen::new(&end).without_counters().to_string()), "{line}");
        let epd = parse_epd(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!((epd.to_string().as_str(), epd.position()), (line, &end), "as the standard orders it");
    }
}

#[test]
fn openings_of_games_are_played_and_called_book() {
    let place = Place::new();
    let book = place.path("book.pgn");
    std::fs::write(&book, "[ECO \"C60\"]\n[Opening \"Ruy Lopez\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n")
        .expect("written");
    let words =
        format!("--each nodes=1 --maxmoves 3 --openings file={book} plies=5 --pgn {}", place.path("g.pgn"));
    let played = place.play(&["", ""], &words);
    assert_eq!(played.code, Some(0), "{played:?}");
    let text = place.text("g.pgn");
    assert!(
        text.contains("1. e4 {book} 1... e5 {book} 2. Nf3 {book} 2... Nc6 {book} 3. Bb5 {book}"),
        "{text}"
    );
    let games = read(&text);
    assert_eq!((games[0].tags.get("ECO"), games[0].tags.get("Opening")), (Some("C60"), Some("Ruy Lopez")));
    assert_eq!(games[0].mainline().count(), 5 + 6, "the maximum counts moves of engines");
}

#[test]
fn chess960_and_double_chess960() {
    for variant in ["fischerandom", "dfrc"] {
        let place = Place::new();
        let words = format!(
            "--each nodes=1 --rounds 4 --repeat --maxmoves 40 --variant {variant} --openings order=random --seed 3 --pgn {}",
            place.path("g.pgn")
        );
        let played = place.play(&["", "seed 5"], &words);
        assert_eq!(played.code, Some(0), "{variant}: {played:?}");
        let games = read(&place.text("g.pgn"));
        assert_eq!(games.len(), 8);
        for game in &games {
            assert_eq!(game.tags.get("Variant"), Some("Chess960"), "{variant}");
            let is_double = {
                let fen = Fen::new(game.start()).to_string();
                let ranks: Vec<_> = fen.split([' ', '/']).collect();
                ranks[0].to_uppercase() != ranks[7]
            };
            assert!(variant == "dfrc" || !is_double, "{variant}");
        }
    }
}

#[test]
fn adjudication_ends_games() {
    let cases = [
        (
            "draw",
            ["score 0", "score 5 seed 2"],
            "--draw movenumber=2 movecount=1 score=10",
            "draw adjudication",
        ),
        ("resign", ["score -900", "score 0 seed 2"], "--resign movecount=2 score=600", "win adjudication"),
        (
            "both",
            ["score -900", "score 900 seed 2"],
            "--resign movecount=2 score=600 twosided",
            "win adjudication",
        ),
        ("moves", ["score 900", "score 900 seed 2"], "--maxmoves 5", "maximum of moves"),
    ];
    for (name, manners, rule, expected) in cases {
        let place = Place::new();
        let played = place.play(&manners, &format!("--each nodes=1 --rounds 2 --repeat --json {rule}"));
        let object = played.json();
        // Random moves may mate before a rule takes hold.
        assert!(object["terminations"][expected].as_u64() >= Some(3), "{name}: {object}");
        if expected == "win adjudication" {
            assert_eq!(object["losses"], 4, "{name}: {object}");
        }
    }
}

#[test]
fn several_engines_have_a_crosstable() {
    let place = Place::new();
    let manners = ["name A", "name B seed 2", "name A seed 3"];
    let played = place.play(&manners, "--each nodes=1 --rounds 2 --repeat --maxmoves 5 --concurrency 2");
    assert_eq!(played.code, Some(0), "{played:?}");
    let table: Vec<_> = played.out.lines().filter(|line| line.contains("=4")).collect();
    assert!(table.len() >= 3, "{}", played.out);
    assert!(played.out.contains("A (2)"), "names are told apart: {}", played.out);
    let played =
        place.play(&manners, "--tournament gauntlet --each nodes=1 --rounds 3 --repeat --maxmoves 5 --json");
    assert_eq!(played.json()["played"], 12);
}

#[test]
fn a_test_ends_the_match_as_soon_as_it_is_decided() {
    let place = Place::new();
    let words = "--each nodes=1 --rounds 5000 --repeat --resign movecount=1 score=500 --sprt elo0=0 elo1=200 model=logistic --json";
    for (manners, accepted, code) in
        [(["score 0", "score -900"], "H1", 0), (["score -900", "score 0"], "H0", 1)]
    {
        let played = place.play(&manners, words);
        let object = played.json();
        assert_eq!(
            (object["sprt"]["accepted"].as_str(), played.code),
            (Some(accepted), Some(code)),
            "{object}"
        );
        assert!(object["played"].as_u64() < Some(200), "{object}");
    }
}

#[test]
fn pondering_engines_play_whole_games() {
    let place = Place::new();
    let words = format!(
        "--each tc=5+0.1 ponder --rounds 1 --repeat --maxmoves 8 --json --pgn {}",
        place.path("g.pgn")
    );
    let arguments = [
        ["match", "--engine", &format!("cmd={}", crate::arena::runner::BINARY), "name=H", "--engine"]
            .map(str::to_owned)
            .to_vec(),
        vec![format!("cmd={}", crate::arena::runner::mock()), format!("args={} delay 5", place.mark)],
        place.words(&words),
    ]
    .concat();
    let played = run(&arguments);
    assert_eq!(played.code, Some(0), "{played:?}");
    assert_eq!(played.json()["faults"], serde_json::json!([{}, {}]));
    assert_eq!(read(&place.text("g.pgn")).len(), 2);
    place.assert_no_process_left();
}

#[test]
fn games_of_the_engine_itself_have_no_faults() {
    let place = Place::new();
    let engine = format!("cmd={}", crate::arena::runner::BINARY);
    let words = format!(
        "--each tc=60+1 nodes=300 option.Hash=1 --rounds 1 --repeat --maxmoves 20 --json --pgn {}",
        place.path("g.pgn")
    );
    let arguments = [
        ["match", "--engine", &engine, "--engine", &engine].map(str::to_owned).to_vec(),
        place.words(&words),
    ]
    .concat();
    let played = run(&arguments);
    let object = played.json();
    assert_eq!(object["faults"], serde_json::json!([{}, {}]), "{object}");
    for game in read(&place.text("g.pgn")) {
        assert_ne!(game.result, GameResult::Unknown);
        assert_eq!(game.tags.get("TimeControl"), Some("60+1"));
        assert!(position_from_fen(&game.fen().to_string()).is_ok());
    }
}

#[test]
fn the_rules_go_before_the_adjudicator() {
    let place = Place::new();
    let book = place.path("book.epd");
    std::fs::write(&book, "4k3/8/8/8/8/8/8/R3K3 w - - 99 80\n").expect("the book is written");
    let words = format!(
        "--each nodes=1 --maxmoves 1 --resign movecount=1 score=400 --openings {book} --pgn {}",
        place.path("g.pgn")
    );
    let played = place.play(&["score -500", "score -500"], &words);
    assert_eq!(played.code, Some(0), "{played:?}");
    // Whatever White thinks, no pawn has moved for fifty moves.
    let games = read(&place.text("g.pgn"));
    assert_eq!((games.len(), games[0].result), (1, GameResult::Draw), "{played:?}");
    assert!(played.out.contains("Ended by: 50-move rule 1"), "{played:?}");
}

#[test]
fn results_of_many_are_told_to_programs() {
    let place = Place::new();
    let words = "--each nodes=1 --rounds 2 --repeat --maxmoves 5 --json";
    let object = place.play(&["name A", "name B seed 2", "name C seed 3"], words).json();
    assert_eq!((&object["played"], &object["total_games"]), (&12.into(), &12.into()), "{object}");
    assert!(object.get("elo").is_none(), "{object}");
    let standings = object["standings"].as_array().expect("a list");
    assert_eq!(standings.len(), 3, "{object}");
    for standing in standings {
        assert_eq!(standing["games"], 8, "{object}");
        let against = standing["against"].as_object().expect("an object");
        assert!(against.len() == 2 && against.values().all(|results| results["games"] == 4), "{object}");
    }
}

/// Text files that were edited by hand often lack the last line end.
#[test]
fn what_is_appended_begins_on_a_line_of_its_own() {
    let place = Place::new();
    let mine = "[Event \"mine\"]\n[Result \"1-0\"]\n\n1. e4 1-0";
    for end in ["", "\n", "\n\n", "\r\n"] {
        let write = |name: &str, text: String| std::fs::write(place.path(name), text).expect("it is written");
        write("g.pgn", format!("{mine}{end}"));
        write("end.epd", format!("4k3/8/8/8/8/8/4P3/4K3 w - -{end}"));
        write("log", format!("mine{end}"));
        let _ = std::fs::remove_file(place.path("g.pgn.state"));
        let words = format!(
            "--each nodes=1 --maxmoves 1 --pgn {} --epd-out {} --log {}",
            place.path("g.pgn"),
            place.path("end.epd"),
            place.path("log")
        );
        assert_eq!(place.play(&["", ""], &words).code, Some(0), "{end:?}");
        let text = place.text("g.pgn");
        let found = read(&text.replace('\r', ""));
        let events: Vec<_> = found.iter().map(|game| game.tags.get("Event")).collect();
        assert_eq!(events, [Some("mine"), Some("Hematite match")], "{end:?}: {text}");
        assert!(text.replace('\r', "").contains("1-0\n\n[Event \"Hematite"), "{end:?}: {text}");
        assert!(place.text("end.epd").lines().filter(|line| !line.is_empty()).count() == 2, "{end:?}");
        assert_eq!(place.text("log").lines().next(), Some("mine"), "{end:?}");
    }
}

#[test]
fn endgame_tables_end_games() {
    let place = Place::new();
    let Some(folder) = data_folder_of("syzygy") else { return };
    let folder = folder.display().to_string();
    // After any move White still wins, and two knights on corners do nothing.
    let (won, drawn) = ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "n3k3/8/8/8/8/8/8/4K2N w - - 0 1");
    let cases = [
        ("a win", won, "", Some(("White wins by adjudication: endgame tables", GameResult::WhiteWins))),
        ("a draw", drawn, "", Some(("Draw by adjudication: endgame tables", GameResult::Draw))),
        ("wins only", drawn, "--tbadjudicate WIN_LOSS", None),
        ("draws only", won, "--tbadjudicate DRAW", None),
        ("enough men", drawn, "--tbpieces 4", Some(("Draw by adjudication", GameResult::Draw))),
        ("too many men", drawn, "--tbpieces 3", None),
        // The next capture or pawn move comes too late for the fifty moves.
        (
            "the clock",
            "4k3/8/8/8/8/8/8/Q3K3 w - - 97 60",
            "",
            Some(("Draw by adjudication: endgame tables", GameResult::Draw)),
        ),
        (
            "no clock",
            "4k3/8/8/8/8/8/8/Q3K3 w - - 97 60",
            "-tbignore50",
            Some(("White wins by adjudication: endgame tables", GameResult::WhiteWins)),
        ),
    ];
    for (name, fen, words, expected) in cases {
        let _ = std::fs::remove_file(place.path("g.pgn"));
        let _ = std::fs::remove_file(place.path("g.pgn.state"));
        std::fs::write(place.path("book.epd"), fen).expect("the book is written");
        let words = format!(
            "--each nodes=1 --maxmoves 1 -tb {folder};{folder} {words} --openings {} --pgn {} --json",
            place.path("book.epd"),
            place.path("g.pgn")
        );
        let played = place.play(&["", ""], &words);
        assert_eq!((played.code, played.err.as_str()), (Some(0), ""), "{name}: {played:?}");
        let text = place.text("g.pgn");
        let game = &read(&text)[0];
        let by_tables = played.json()["terminations"]["tablebase adjudication"].as_u64();
        assert_eq!(by_tables, expected.map(|_| 1), "{name}: {played:?}");
        if let Some((told, result)) = expected {
            assert!(text.replace('\n', " ").contains(told), "{name}: {text}");
            assert_eq!((game.result, game.len()), (result, 1), "{name}: {text}");
            assert_eq!(game.tags.get("Termination"), Some("adjudication"), "{name}");
        }
    }
    // A move from a book leads to such a position, too.
    let _ = std::fs::remove_file(place.path("g.pgn"));
    let _ = std::fs::remove_file(place.path("g.pgn.state"));
    std::fs::write(place.path("book.epd"), won).expect("the book is written");
    let line = format!("[SetUp \"1\"]\n[FEN \"{won}\"]\n\n1. Qa7 1-0\n");
    std::fs::write(place.path("line.pgn"), line).expect("it is written");
    let (line, book) = (place.path("line.pgn"), place.path("book.bin"));
    let made = run(&["book", "make", &line, "--out", &book, "--min-games", "1", "--uniform"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let words = format!(
        "--each nodes=1 book={book} --maxmoves 1 -tb {folder} --openings {} --pgn {} --json",
        place.path("book.epd"),
        place.path("g.pgn")
    );
    let played = place.play(&["", ""], &words);
    let by_tables = played.json()["terminations"]["tablebase adjudication"].as_u64();
    assert_eq!((by_tables, read(&place.text("g.pgn"))[0].len()), (Some(1), 1), "{played:?}");
    let empty = place.path("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let played = place.play(&["", ""], &format!("--each nodes=1 --tb {empty}"));
    assert_eq!(played.code, Some(2), "{played:?}");
    assert!(played.err.contains(&format!("tb={empty}: no tables in `")), "{}", played.err);
}

#[test]
fn engines_play_their_first_moves_from_their_books() {
    let place = Place::new();
    std::fs::write(place.path("lines.pgn"), "1. a3 h6 2. h3 a6 1/2-1/2\n").expect("it is written");
    let book = place.path("book.bin");
    let made =
        run(&["book", "make", &place.path("lines.pgn"), "--out", &book, "--min-games", "1", "--uniform"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    for (depth, expected) in [("", 4), (" bookdepth=1", 2)] {
        let _ = std::fs::remove_file(place.path("g.pgn"));
        let _ = std::fs::remove_file(place.path("g.pgn.state"));
        let words = format!(
            "--each tc=60 ponder book={book}{depth} --rounds 1 --repeat --maxmoves 4 --pgn {}",
            place.path("g.pgn")
        );
        let played = place.play(&["name A", "name B seed 2"], &words);
        assert_eq!(played.code, Some(0), "{played:?}");
        let text = place.text("g.pgn");
        for game in read(&text) {
            let moves: Vec<String> = game
                .mainline()
                .take(4)
                .filter_map(|node| game.mv(node))
                .map(|mv| format!("{}{}", mv.from(), mv.to()))
                .collect();
            assert_eq!(moves[..expected], ["a2a3", "h7h6", "h2h3", "a7a6"][..expected], "{text}");
        }
        assert_eq!(text.matches("book").count(), 2 * expected, "{text}");
    }
    // Moves from a book count, and lead to adjudication.
    let _ = std::fs::remove_file(place.path("g.pgn"));
    let _ = std::fs::remove_file(place.path("g.pgn.state"));
    let words = format!("--each nodes=1 book={book} --maxmoves 1 --pgn {} --json", place.path("g.pgn"));
    let played = place.play(&["", ""], &words);
    assert_eq!(played.json()["terminations"]["maximum of moves"].as_u64(), Some(1), "{played:?}");
    assert_eq!(read(&place.text("g.pgn"))[0].len(), 2, "{played:?}");
    let played = place.play(&["", ""], &format!("--each nodes=1 book={}", place.path("lines.pgn")));
    assert_eq!(played.code, Some(2), "{played:?}");
    assert!(played.err.contains("lines.pgn: 26 bytes are not a Polyglot book"), "{}", played.err);
}

#[test]
fn the_standard_error_of_an_engine_is_kept() {
    let place = Place::new();
    std::fs::write(place.path("errors"), "old").expect("it is written");
    let errors = format!("stderr={}", place.path("errors"));
    let mut arguments = place.arguments(&["", "crash 2"], "");
    arguments.push(errors);
    arguments.extend("--each nodes=1 --rounds 2 --repeat --maxmoves 3".split(' ').map(str::to_owned));
    assert_eq!(run(&arguments).code, Some(0));
    place.assert_no_process_left();
    assert_eq!(place.text("errors"), "old\n".to_owned() + &"mock: cannot go on\n".repeat(4));
    let played = place.play(&["", ""], "--each nodes=1 stderr=/dev/null/errors");
    assert_eq!(played.code, Some(2), "{played:?}");
    assert!(played.err.contains("stderr=/dev/null/errors: Not a directory"), "{}", played.err);
}

#[test]
fn scores_are_told_from_either_point_of_view() {
    let place = Place::new();
    // White's first move and Black's; both engines state 30 centipawns.
    let cases = [
        ("", "", ["+0.30", "+0.30"]),
        ("whitepov", "", ["+0.30", "-0.30"]),
        ("", "whitepov", ["+0.30", "-0.30"]),
    ];
    for (each, pgn, scores) in cases {
        let _ = std::fs::remove_file(place.path("g.pgn"));
        let _ = std::fs::remove_file(place.path("g.pgn.state"));
        let words = format!("--each nodes=1 {each} --maxmoves 1 --pgn {} {pgn}", place.path("g.pgn"));
        assert_eq!(place.play(&["score 30", "score 30"], &words).code, Some(0));
        let text = place.text("g.pgn");
        let found: Vec<&str> =
            text.split(['{', ' ', '\n']).filter_map(|word| word.strip_suffix("/1")).collect();
        assert_eq!(found, scores, "{text}");
    }
    // Both see the same: White is lost.
    let words = "--each nodes=1 whitepov --resign movecount=1 score=500 twosided --json";
    let object = place.play(&["name A score -900", "name B score -900"], words).json();
    assert_eq!(
        (&object["losses"], &object["terminations"]["win adjudication"]),
        (&1.into(), &1.into()),
        "{object}"
    );
}

#[test]
fn minimal_games_have_no_comments() {
    let place = Place::new();
    let words = format!("--each nodes=1 --maxmoves 2 -pgnout {} min fi", place.path("g.pgn"));
    assert_eq!(place.play(&["", ""], &words).code, Some(0));
    let text = place.text("g.pgn");
    assert!(!text.contains('{') && !text.contains("GameDuration"), "{text}");
    assert_eq!((read(&text).len(), text.matches("\n[").count()), (1, 6), "{text}");
}

#[test]
fn an_encounter_has_as_many_games_and_openings_as_are_wanted() {
    let place = Place::new();
    let book = place.path("book.epd");
    let lines = ["e4", "d4", "c4", "f4"].map(|square| {
        let file = square.as_bytes()[0] - b'a';
        let row = |empty: u8| if empty == 0 { String::new() } else { empty.to_string() };
        format!(
            "rnbqkbnr/pppppppp/8/8/{}P{}/8/{}1{}/RNBQKBNR b KQkq -",
            row(file),
            row(7 - file),
            "P".repeat(usize::from(file)),
            "P".repeat(usize::from(7 - file))
        )
    });
    std::fs::write(&book, lines.join("\n")).expect("the book is written");
    // The openings of the games in order, and whether A has White.
    let cases = [
        ("-games 4", "0000", "1010"),
        ("-games 4 -repeat", "0011", "1010"),
        ("-games 4 -repeat 1", "0123", "1010"),
        ("-games 2 -repeat -rounds 2 -openings policy=encounter", "0011", "1010"),
        ("-games 4 -repeat 1 -openings policy=encounter", "0000", "1010"),
        ("-repeat 3 -rounds 2", "000111", "101010"),
        ("-repeat -noswap", "00", "11"),
        ("-repeat -reverse", "00", "01"),
    ];
    for (words, openings, colors) in cases {
        let _ = std::fs::remove_file(place.path("g.pgn"));
        let _ = std::fs::remove_file(place.path("g.pgn.state"));
        let all =
            format!("-each nodes=1 -maxmoves 1 -openings {book} -pgnout {} {words}", place.path("g.pgn"));
        let played = place.play(&["name A", "name B seed 2"], &all);
        assert_eq!(played.code, Some(0), "{words}: {played:?}");
        let text = place.text("g.pgn");
        let found = read(&text);
        let index = |game: &Game| {
            let fen = game.fen().to_string();
            lines.iter().position(|line| fen.starts_with(line)).expect("an opening of the book")
        };
        let used: String = found.iter().map(|game| index(game).to_string()).collect();
        let white: String =
            found.iter().map(|game| if game.tags.get("White") == Some("A") { '1' } else { '0' }).collect();
        assert_eq!((used.as_str(), white.as_str()), (openings, colors), "{words}: {text}");
    }
    let all = format!(
        "-each nodes=1 -maxmoves 1 -openings {book} policy=round -rounds 2 -repeat -epdout {}",
        place.path("e")
    );
    assert_eq!(place.play(&["", "", ""], &all).code, Some(0));
    assert_eq!(place.text("e").lines().count(), 12);
}

#[test]
fn there_is_a_pause_between_games() {
    let place = Place::new();
    let object = place.play(&["", ""], "--each nodes=1 --rounds 3 --maxmoves 1 --wait 200ms --json").json();
    assert!(object["seconds"].as_f64() >= Some(0.4), "{object}");
}

#[test]
fn tournaments_have_many_forms() {
    let place = Place::new();
    let (good, bad, worse) = ("name A score 0", "name B score -900", "name C score -900");
    let rest = "--each nodes=1 --rounds 1 --repeat --maxmoves 3 --resign movecount=1 score=500 --json";
    let object = place.play(&[good, bad, worse], &format!("--tournament pyramid {rest}")).json();
    assert_eq!((&object["played"], &object["standings"][0]["name"]), (&6.into(), &"A".into()), "{object}");
    let seeded = format!("--tournament gauntlet --seeds 2 {rest}");
    let object = place.play(&[good, bad, worse], &seeded).json();
    assert_eq!(object["played"], 4, "{object}");
    // B and C always tie, since White resigns at once: after ten more pairs the better seed goes on.
    let object = place.play(&[good, bad, worse], &format!("--tournament knockout {rest}")).json();
    assert_eq!((&object["winner"], &object["played"]), (&"A".into(), &24.into()), "{object}");
    assert_eq!(object["total_games"], 24, "{object}");
    let words = rest.replace(" --json", "");
    let played = place.play(&[bad, good], &format!("--tournament knockout {words}"));
    assert!(played.out.contains("\nWinner: A\nMatch finished\n"), "{}", played.out);
}
