//! What is played, and what is written about it.

use crate::arena::runner::{Place, run};
use hematite::notation::pgn::{Game, GameResult, games};
use hematite::notation::{Fen, parse_epd, position_from_fen};

/// The games of a file, each of them without errors.
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
        words.split(' ').map(str::to_owned).collect(),
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
        words.split(' ').map(str::to_owned).collect(),
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
