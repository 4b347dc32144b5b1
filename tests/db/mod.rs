//! Collections give the same answers as the files that they were made from, whatever happens during their creation.

mod duplicates;
mod edit;
mod faults;

use crate::support;
use crate::support::binary::{Run, folder, run};
use hematite::chess::{Move, Position};
use hematite::notation::{Fen, San};
use hematite::rng::Rng;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Names of players, with the letters and punctuation that occur in real names.
const NAMES: [&str; 8] = [
    "Tal, Mihail",
    "Botvinnik, Mikhail",
    "Légal, Kermur",
    "\\\"Quoted\\\" Name",
    "Møller, J",
    "?",
    "Каспаров",
    "stockfish 17.1",
];
const EVENTS: [&str; 4] = ["Linares 1993", "Casual game", "?", "World Championship 23th"];

/// Writes one move of a random game, with any of the elements that may accompany it.
fn write_move(position: &Position, mv: Move, needs_number: bool, rng: &mut Rng, text: &mut String) {
    let san = San::new(position, mv).text();
    let number = position.fullmove_number();
    let sign = if position.turn() == hematite::chess::Color::White { "." } else { "..." };
    if needs_number || sign == "." {
        let _ = write!(text, "{number}{sign} ");
    }
    let _ = match rng.below(300) {
        // What only a reader with patience understands.
        0 => write!(text, "{} ", san.trim_end_matches(['+', '#'])),
        1 => write!(text, "{san}! "),
        2 => write!(text, "{san} $14 {{a  novelty\n of sorts}} "),
        3 => write!(text, "{san} {{[%clk 0:10:{:02}]}} ", rng.below(60)),
        4 => writeln!(text, "{san} ; to the end of the line"),
        5 => write!(text, "{san} \n% escaped\n"),
        _ => write!(text, "{san} "),
    };
}

/// Writes a random game, which may contain errors.
fn write_game(number: u64, rng: &mut Rng, text: &mut String) {
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    let result = results[rng.below(4) as usize];
    let name = |rng: &mut Rng| NAMES[rng.below(NAMES.len() as u64) as usize];
    let _ = writeln!(text, "[Event \"{}\"]", EVENTS[rng.below(4) as usize]);
    let _ = writeln!(text, "[Site \"https://example.org/{number}\"]");
    let (year, month) = (1990 + rng.below(20), 1 + rng.below(12));
    let _ = writeln!(text, "[Date \"{year}.{month:02}.??\"]\n[Round \"{}\"]", rng.below(9));
    let _ = writeln!(text, "[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]", name(rng), name(rng));
    if rng.below(3) > 0 {
        let _ = writeln!(text, "[WhiteElo \"{}\"]", 2000 + rng.below(800));
    }
    if rng.below(40) == 0 {
        let _ = writeln!(text, "[White \"another\"]");
    }
    if rng.below(4) == 0 {
        let _ = writeln!(text, "[ECO \"{}{:02}\"]", ["A", "B", "C"][rng.below(3) as usize], rng.below(100));
    }
    let mut position = Position::start();
    if rng.below(12) == 0 {
        let fen = "r3k2r/pppq1ppp/2n2n2/3pp3/1b1PP1b1/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 9";
        position = hematite::notation::position_from_fen(fen).expect("a position");
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{fen}\"]");
    }
    text.push('\n');
    let mut needs_number = true;
    for _ in 0..rng.below(90) {
        let moves = position.legal_moves();
        // The first few moves are often the same, so that positions come again.
        let choice = if rng.below(3) > 0 { moves.len().min(3) } else { moves.len() };
        if choice == 0 {
            break;
        }
        let mv = moves[rng.below(choice as u64) as usize];
        write_move(&position, mv, needs_number, rng, text);
        needs_number = false;
        if rng.below(60) == 0 {
            let other = moves[rng.below(moves.len() as u64) as usize];
            text.push('(');
            write_move(&position, other, true, rng, text);
            let after = position.after(other).0;
            if let Some(&reply) = after.legal_moves().first() {
                write_move(&after, reply, false, rng, text);
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push_str(") ");
            needs_number = true;
        }
        position = position.after(mv).0;
        if rng.below(30) == 0 {
            text.push('\n');
        }
    }
    match rng.below(60) {
        0 => text.push_str("Ke9 e4 {lost} "),
        1 => text.push_str("{not closed "),
        _ => {}
    }
    let ends = [result, result, result, result, result, "", "1-0 {behind}", "1-0\n{below}"];
    let _ = write!(text, "{}\n\n", ends[rng.below(ends.len() as u64) as usize]);
    if rng.below(30) == 0 {
        text.push_str("{between two games}\n\n");
    }
}

fn random_games(count: u64, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::new();
    (0..count).for_each(|number| write_game(number, &mut rng, &mut text));
    text
}

/// A folder with a file of games and the collection made from it.
struct Pair {
    folder: PathBuf,
    pgn: String,
    hdb: String,
}

impl Pair {
    fn new(name: &str, text: &str) -> Self {
        let folder = folder(&format!("db-{name}"));
        let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
        let pair = Self { pgn: path("games.pgn"), hdb: path("games.hdb"), folder: folder.clone() };
        fs::write(&pair.pgn, text).expect("a file can be written");
        pair.good(&["db", "create", &pair.hdb, &pair.pgn]);
        pair
    }

    /// Runs a command that must succeed.
    fn good(&self, arguments: &[&str]) -> Run {
        let run = run(arguments, b"");
        assert_eq!(run.code, Some(0), "{arguments:?}: {}{}", run.out, run.err);
        run
    }

    /// Runs a command on both, and compares the outputs except for the names of the inputs.
    fn compare(&self, command: &[&str]) -> Run {
        let of_text = run(&[command, &[&self.pgn]].concat(), b"");
        let mut stored = run(&[command, &[&self.hdb]].concat(), b"");
        stored.out = stored.out.replace("games.hdb", "games.pgn");
        stored.err = stored.err.replace("games.hdb", "games.pgn");
        assert_eq!(stored.code, of_text.code, "{command:?}: {}", stored.err);
        assert!(stored.out == of_text.out, "{command:?}:\n{}", first_difference(&of_text.out, &stored.out));
        assert!(stored.err == of_text.err, "{command:?}:\n{}", first_difference(&of_text.err, &stored.err));
        of_text
    }

    fn games(&self) -> u64 {
        self.good(&["db", "info", "--json", &self.hdb]).json()["games"].as_u64().expect("a number")
    }

    fn export(&self) -> String {
        run(&["db", "export", "-q", &self.hdb], b"").out
    }

    fn check(&self) {
        self.good(&["db", "check", &self.hdb]);
    }

    fn files(&self, extension: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.hdb).expect("a folder can be listed") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
        found.sort();
        found
    }
}

fn first_difference(expected: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    match lines.find(|(_, (expected, found))| expected != found) {
        Some((line, (expected, found))) => format!("line {}:\n- {expected}\n+ {found}", line + 1),
        None => format!("{} lines, expected {}", found.lines().count(), expected.lines().count()),
    }
}

/// A random query, which may contain positions of the games.
fn query(fens: &[&str], rng: &mut Rng) -> String {
    let fen = fens[rng.below(fens.len() as u64) as usize];
    let term = |rng: &mut Rng| match rng.below(59) {
        0 => "white:tal".to_owned(),
        52 => "source:games".to_owned(),
        53 => "-source~queries".to_owned(),
        54 => "black~~botvinik".to_owned(),
        55 => "(source:none or site~~exmaple)".to_owned(),
        56 => format!("similar:\"{fen} <={}\"", rng.below(9)),
        57 => format!("at(similar:\"{fen}\" turn:white) any-color"),
        58 => format!("similar:\"{fen} <=2\" mirror for {}", 1 + rng.below(3)),
        1 => format!("date>={}", 1990 + rng.below(20)),
        2 => "-player:botvinnik".to_owned(),
        3 => format!("whiteelo>{}", 2000 + rng.below(800)),
        4 => format!("fen:\"{fen}\""),
        5 => format!("plies<{}", rng.below(90)),
        6 => "comment:novelty".to_owned(),
        7 => "result:draw".to_owned(),
        8 => "eco:B".to_owned(),
        9 => "black=\"Møller, J\"".to_owned(),
        10 => "move:Nf3".to_owned(),
        11 => "castled:same".to_owned(),
        12 => "event:/^lin.*3$/".to_owned(),
        13 => "annotated".to_owned(),
        14 => format!("tag.Round={}", rng.below(9)),
        15 => "check then capture within 3".to_owned(),
        16 => format!("at(fen:\"{fen}\" turn:white)"),
        17 => format!("site:{}", rng.below(300)),
        18 => "material:\"Q=0 q=0\" any-color for 3".to_owned(),
        19 => "pattern:\"8/8/8/8/3P4/8/3N4/8\" shift".to_owned(),
        20 => "structure:\"8/pppppppp/8/8/8/2P5/PP1PPPPP/8\" any-color mirror".to_owned(),
        21 => format!("count(capture)>={}", rng.below(8)),
        22 => format!("count(check or last)<{}", 1 + rng.below(3)),
        23 => format!("men<{}", 20 + rng.below(12)),
        24 => format!("balance>={}", 1 + rng.below(6)),
        25 => "move:Nx then (check or capture) within 2".to_owned(),
        26 => "castled:white then not castled:black for 4".to_owned(),
        27 => "at(turn:black not check capture:P)".to_owned(),
        28 => "at(not (check or men<30 or mate))".to_owned(),
        29 => "at(last men<28)".to_owned(),
        30 => format!("move:{}.Nf3", 1 + rng.below(9)),
        31 => format!("move:{}...a6", 1 + rng.below(9)),
        32 => "count(not line:\"1.a3 *\")>=20".to_owned(),
        33 => "sacrifice then check".to_owned(),
        34 => "bishops:opposite or promotion or move:O-O-O".to_owned(),
        35 => format!("round>={}", rng.below(9)),
        36 => "passed:P or isolated:pd".to_owned(),
        37 => "backward doubled:black".to_owned(),
        38 => "at(open-file half-open:A)".to_owned(),
        39 => "pin:n for 2".to_owned(),
        40 => format!("count(attacks:N->q)>={}", 1 + rng.below(4)),
        41 => "at(hanging:Q not check) any-color".to_owned(),
        42 => "fork:N or skewer or battery:B->Q".to_owned(),
        43 => "double-check or discovered-check".to_owned(),
        44 => "outpost:N mirror".to_owned(),
        45 => "path(capture (not check){1,3} capture)".to_owned(),
        46 => "path(move:N any? (check or last))".to_owned(),
        47 => "route:\"Nb1-*...e5\" any-color".to_owned(),
        48 => "(move:e4 then xray:B->?->k) any-color".to_owned(),
        49 => "capture then check within 6 until castled:white".to_owned(),
        50 => "clk<600 or emt>3".to_owned(),
        _ => "in:variations move:a6".to_owned(),
    };
    let first = term(rng);
    match rng.below(4) {
        0 => first,
        1 => format!("{first} {}", term(rng)),
        2 => format!("{first} or {}", term(rng)),
        _ => format!("{first} -({})", term(rng)),
    }
}

/// The number of random queries.
const QUERIES: usize = 300;

#[test]
fn both_sources_answer_random_queries_alike() {
    let pair = Pair::new("queries", &random_games(260, 1));
    let listed = pair.compare(&["pgn", "fen", "--quiet"]).out;
    let fens: Vec<&str> = listed.lines().step_by(97).collect();
    let mut rng = Rng::new(2);
    let (mut found, mut with_games) = (0, 0);
    for number in 0..QUERIES {
        let query = query(&fens, &mut rng);
        let forms: &[&[&str]] = &[
            &[],
            &["--list"],
            &["--fen", "--all"],
            &["--json", "--all"],
            &["--count"],
            &["--files-with-matches"],
            &["--sort", "date", "--reverse"],
            &["--skip", "2", "--limit", "3"],
            &["--threads", "1", "--epd"],
            &["--broken", "only", "--strict"],
            &["--sort", "white", "--list"],
        ];
        let form = forms[number % forms.len()];
        let answer = pair.compare(&[&["pgn", "find", &query], form].concat());
        // Some terms cannot be used in each place: then both say so.
        if answer.code != Some(2) {
            found += 1;
            with_games += usize::from(answer.code == Some(0));
        }
    }
    println!("{found} queries with an answer, {with_games} of them with games");
    assert!(found >= 200 && with_games >= 80, "{found} queries, {with_games} with games");
}

/// Games are found by the file that they come from, and by the day on which they were added.
#[test]
fn games_know_their_sources() {
    let pair = Pair::new("sources", &random_games(30, 8));
    let other = pair.folder.join("linares 1993.pgn");
    let other = other.to_str().expect("UTF-8");
    fs::write(other, random_games(12, 9)).expect("a file can be written");
    pair.good(&["db", "add", &pair.hdb, other]);
    let count = |query: &str, files: &[&str]| {
        let run = run(&[&["pgn", "find", "--count", "-q", query], files].concat(), b"");
        assert!(run.code < Some(2), "{query}: {}", run.err);
        run.out.trim().to_owned()
    };
    let cases = [
        ("", "42"),
        ("source:linares", "12"),
        ("source:\"1993 linares\"", "12"),
        ("not source:linares", "30"),
        ("source:/games\\.pgn$/", "30"),
        ("source~~linarse", "12"),
        ("source:none", "0"),
        ("added:none", "0"),
        ("added>=2020", "42"),
        ("added<2020", "0"),
        ("added:2020.. source:linares", "12"),
    ];
    for (query, expected) in cases {
        assert_eq!(count(query, &[&pair.hdb]), expected, "{query}");
    }
    let day = pair.good(&["db", "info", "--json", &pair.hdb]).json()["sources"][0]["added"].clone();
    let day = day.as_str().and_then(|added| added.get(..10)).expect("a day");
    assert_eq!(count(&format!("added:{day}"), &[&pair.hdb]), "42");
    assert_eq!(count(&format!("source=\"{other}\""), &[&pair.hdb]), "12");
    // Files know their names, and no day.
    assert_eq!(count("source:linares", &[other]), "12");
    assert_eq!(count("source:linares -white:none", &[&pair.pgn]), "0");
    assert_eq!(count("added:none", &[other]), "12");
    assert_eq!(count("added>=2020", &[other]), "0");
    // Whatever reads a query knows of it, and what is edited keeps its source.
    let answers =
        |command: &[&str], file: &str| run(&[command, &["--query", "source:linares", file]].concat(), b"");
    for command in [&["pgn", "players"][..], &["pgn", "tree"], &["pgn", "export", "-q"], &["pgn", "openings"]]
    {
        // Only how many games were read differs.
        let stored = answers(command, &pair.hdb).out.replace(" of 42 games", " of 12 games");
        assert_eq!(stored, answers(command, other).out, "{command:?}");
    }
    let retag = ["db", "edit", "retag", &pair.hdb, "--fix", "none", "--set", "Annotator=me"];
    pair.good(&[&retag[..], &["--query", "source:linares"]].concat());
    assert_eq!(count("source:linares annotator=me", &[&pair.hdb]), "12");
    pair.good(&["db", "compact", &pair.hdb]);
    assert_eq!(count("source:linares annotator=me", &[&pair.hdb]), "12");
}

/// The source files of games are compared by their content, and their games are removed and restored.
#[test]
fn sources_are_compared_and_removed() {
    let pair = Pair::new("removed", &random_games(20, 11));
    let path = |name: &str| pair.folder.join(name).to_str().expect("UTF-8").to_owned();
    let (other, packed, older) = (path("other.pgn"), path("packed.pgn.zst"), path("older.hdb"));
    fs::write(&other, random_games(7, 12)).expect("a file can be written");
    fs::write(&packed, zstd::encode_all(random_games(5, 13).as_bytes(), 1).expect("memory")).expect("a file");
    pair.good(&["db", "create", &older, &other]);
    pair.good(&["db", "add", &pair.hdb, &other, &packed, &older]);
    let stream = run(&["db", "add", &pair.hdb, "-"], random_games(3, 14).as_bytes());
    assert_eq!(stream.code, Some(0), "{}", stream.err);
    let states = || {
        let run = run(&["db", "check", "--sources", "--json", &pair.hdb], b"");
        let json = run.json();
        let sources = json["sources"].as_array().expect("sources");
        let states = sources.iter().map(|source| source["state"].as_str().expect("a state").to_owned());
        (run.code, states.collect::<Vec<_>>())
    };
    assert_eq!(states(), (Some(0), ["same", "same", "same", "same", "unknown"].map(str::to_owned).to_vec()));
    // As many games and as many bytes, but another move.
    let text = fs::read_to_string(&other).expect("a text");
    fs::write(&other, text.replacen("1. ", "1 .", 1)).expect("a file can be written");
    fs::remove_file(&packed).expect("it can be removed");
    pair.good(&["db", "delete", &older, "--games", "1"]);
    assert_eq!(
        states(),
        (Some(1), ["same", "changed", "missing", "changed", "unknown"].map(str::to_owned).to_vec())
    );
    let shown = run(&["db", "check", "--sources", &pair.hdb], b"");
    assert!(
        shown.code == Some(1) && shown.out.lines().nth(1).is_some_and(|line| line.starts_with("changed "))
    );
    fs::write(&other, text).expect("a file can be written");
    assert_eq!(states().1[1], "same");

    let remove = |arguments: &[&str]| run(&[&["db", "remove", &pair.hdb], arguments].concat(), b"");
    assert_eq!(pair.games(), 42);
    assert!(remove(&["other.pgn", "--dry-run"]).out.contains("7 games of "));
    assert_eq!(remove(&["other.pgn", "--json"]).json()["deleted"], 7);
    assert_eq!(pair.games(), 35);
    let info = run(&["db", "info", &pair.hdb], b"").out;
    assert_eq!(info.matches("other.pgn (7 deleted)\n").count(), 1, "{info}");
    assert_eq!(states().1.len(), 4);
    assert_eq!(remove(&["other.pgn"]).code, Some(1));
    let none = run(&["pgn", "find", "source:other.pgn", "--count", &pair.hdb], b"");
    assert_eq!((none.code, none.out.trim()), (Some(1), "0"));
    pair.good(&["db", "undo", &pair.hdb]);
    assert_eq!(pair.games(), 42);
    assert!(remove(&["standard input"]).out.contains("3 games of standard input deleted"));
    pair.check();
    pair.good(&["db", "compact", &pair.hdb]);
    assert_eq!((pair.games(), states().1.len()), (39, 4));
    let wrong = remove(&["nothing.pgn"]);
    assert!(
        wrong.code == Some(2) && wrong.err.contains("found no source `nothing.pgn`, expected one of"),
        "{}",
        wrong.err
    );
    // A name that two folders have.
    let folder = pair.folder.join("more");
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("other.pgn"), random_games(2, 15)).expect("a file can be written");
    pair.good(&["db", "add", &pair.hdb, folder.to_str().expect("UTF-8")]);
    assert!(remove(&["other.pgn"]).err.contains("found several sources of the name"));
}

/// A collection keeps named queries, and its other data remain unchanged.
#[test]
fn queries_are_kept_by_their_names() {
    let pair = Pair::new("named", &random_games(40, 5));
    let queries = |arguments: &[&str]| run(&[&["db", "queries", &pair.hdb], arguments].concat(), b"");
    assert_eq!((queries(&[]).code, queries(&[]).out.as_str()), (Some(1), ""));
    assert_eq!(queries(&["--set", "tal", "white:tal or black:tal"]).code, Some(0));
    assert!(queries(&["--set", "drawn", "query:tal result:draw"]).out.contains("the query drawn is kept"));
    assert!(queries(&["--set", "tal", "player:tal"]).out.contains("is replaced"));
    assert_eq!(queries(&["--json"]).json()["drawn"], "query:tal result:draw");
    assert_eq!(queries(&[]).out, "drawn             query:tal result:draw\ntal               player:tal\n");
    let found = |query: &str, file: &str| run(&["pgn", "find", query, "-q", file], b"");
    assert_eq!(found("query:drawn", &pair.hdb).out, found("player:tal result:draw", &pair.pgn).out);
    assert_eq!(found("not query:tal", &pair.hdb).out, found("not player:tal", &pair.pgn).out);
    let table = |query: &str| run(&["pgn", "players", "--query", query, &pair.hdb], b"").out;
    assert_eq!(table("query:tal"), table("player:tal"));
    let refused = [
        (found("query:other", &pair.hdb), "the name of a query that a collection keeps: drawn, tal"),
        (found("query:tal", &pair.pgn), "there is none"),
        (queries(&["--set", "a b", "check"]), "--set: found `a b`, expected a name of letters"),
        (
            queries(&["--set", "wrong", "whte:tal"]),
            "--set wrong: column 1: found `whte:tal`, expected a term; is `white`",
        ),
        (queries(&["--set", "drawn", "query:tal query:other"]), "a query that a collection keeps"),
    ];
    for (run, expected) in refused {
        assert!(run.code == Some(2) && run.err.contains(expected), "{expected}: {}", run.err);
    }
    // None may name itself, be it through another.
    let circle = queries(&["--set", "tal", "query:drawn"]);
    assert!(circle.code == Some(2) && circle.err.contains("does not name itself"), "{}", circle.err);
    // Other changes keep them, and they are no change that is taken back.
    pair.good(&["db", "delete", &pair.hdb, "--games", "1"]);
    assert_eq!(queries(&["--delete", "tal"]).code, Some(0));
    assert_eq!(queries(&["--delete", "tal"]).code, Some(1));
    assert!(run(&["db", "undo", &pair.hdb], b"").out.contains("1 deleted game back"));
    assert_eq!(queries(&["--json"]).json()["drawn"], "query:tal result:draw");
    assert!(found("query:drawn", &pair.hdb).err.contains("a query that can be read"));
}

#[test]
fn every_command_reads_a_collection_as_a_file() {
    let pair = Pair::new("commands", &random_games(120, 3));
    let commands: &[&[&str]] = &[
        &["pgn", "check"],
        &["pgn", "check", "--json", "--broken", "only"],
        &["pgn", "check", "--no-tags"],
        &["pgn", "export"],
        &["pgn", "export", "--sort", "--eco", "--quiet"],
        &["pgn", "export", "--strict", "--broken", "drop", "--lan"],
        &["pgn", "stats"],
        &["pgn", "stats", "--json"],
        &["pgn", "fen", "--last"],
        &["pgn", "fen", "--ply", "7", "--epd"],
        &["pgn", "tree", "--depth", "2"],
        &["pgn", "tree", "--names", "--json"],
        &["pgn", "tree", "--query", "result:1-0", "--sort", "score"],
        &["pgn", "maneuvers", "--moves", "1. a3"],
        &["pgn", "players"],
        &["pgn", "players", "--between", "tal", "botvinnik"],
        &["pgn", "crosstable"],
        &["pgn", "openings", "--by", "name"],
        &["pgn", "duplicates"],
        &["pgn", "show", "--game", "3,10..20"],
        &["pgn", "show", "--json", "--query", "player:tal"],
        &["pgn", "player", "tal"],
        &["pgn", "retag", "-q", "--fix", "names"],
        &["db", "export"],
    ];
    for command in commands {
        pair.compare(command);
    }
    let files = ["text", "stored"].map(|name| pair.folder.join(name).to_str().expect("UTF-8").to_owned());
    for (source, file) in [&pair.pgn, &pair.hdb].into_iter().zip(&files) {
        run(&["pgn", "pgc", "-q", source, "-o", file], b"");
    }
    assert_eq!(fs::read(&files[0]).expect("a file"), fs::read(&files[1]).expect("a file"));
    // Those that write a folder.
    for command in [&["pgn", "split", "--games", "50"][..], &["pgn", "archive"]] {
        let folders = [&pair.pgn, &pair.hdb].map(|source| {
            let target = pair.folder.join("written");
            let run = run(&[command, &["--out-dir", target.to_str().expect("UTF-8"), source]].concat(), b"");
            assert!(run.code < Some(2), "{command:?}: {}", run.err);
            let files = texts(&target);
            fs::remove_dir_all(&target).expect("a folder can be removed");
            files
        });
        assert!(folders[0] == folders[1] && folders[0].len() > 1, "{command:?}: {:?}", folders[0].keys());
    }
    // A folder is all files and all collections in it, and a piece of a collection is none.
    let inside = pair.folder.to_str().expect("UTF-8");
    let all = run(&["pgn", "find", "", "--count", inside], b"").out;
    assert_eq!(all.lines().count(), 2, "{all}");
    let refused = run(&["pgn", "check", "--language", "German", &pair.hdb], b"");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--language"), "{}", refused.err);
}

/// The files in a folder and below it, by their paths.
fn texts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read(&path).expect("a file");
                let name = path.strip_prefix(folder).expect("it was found there").to_owned();
                found.insert(name, String::from_utf8_lossy(&text).into_owned());
            }
        }
    }
    found
}

/// All public files: irregularities in them are kept.
#[test]
fn public_files_come_back_as_they_are_exported() {
    let Some(data) = support::data_folder_of("pgn") else { return };
    let folder = folder("db-public");
    let hdb = folder.join("all.hdb");
    let (data, hdb) = (data.to_str().expect("UTF-8"), hdb.to_str().expect("UTF-8"));
    let made = run(&["db", "create", hdb, data], b"");
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert_eq!(run(&["db", "check", hdb], b"").code, Some(0));
    let exported = run(&["pgn", "export", data], b"");
    let stored = run(&["db", "export", hdb], b"");
    assert!(stored.out == exported.out, "{}", first_difference(&exported.out, &stored.out));
    // Findings have the names of different files and the same places.
    let places = |run: &Run| {
        let place = |line: &str| {
            line.split_once(".pgn:").or(line.split_once(".hdb:")).map(|(_, rest)| rest.to_owned())
        };
        run.err
            .lines()
            .map(|line| place(line).unwrap_or_else(|| line.to_owned()))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(places(&stored), places(&exported));
    let checked = [data, hdb].map(|source| run(&["pgn", "check", source], b"").out);
    let messages = |text: &str| {
        let line =
            |line: &str| line.split_once("pgn:").or(line.split_once("hdb:")).map(|(_, rest)| rest.to_owned());
        text.lines().filter_map(line).collect::<Vec<_>>().join("\n")
    };
    let (expected, found) = (messages(&checked[0]), messages(&checked[1]));
    assert!(expected.lines().count() > 100, "{expected}");
    assert!(found == expected, "{}", first_difference(&expected, &found));
}

#[test]
fn games_are_added_deleted_and_dropped() {
    let text = random_games(90, 4);
    let pair = Pair::new("changes", &text);
    let count = pair.games();
    let more = pair.folder.join("more.pgn");
    fs::write(&more, random_games(20, 5)).expect("a file can be written");
    let more = more.to_str().expect("UTF-8");
    pair.good(&["db", "add", &pair.hdb, more]);
    let all = run(&["pgn", "export", "-q", &pair.pgn, more], b"").out;
    assert!(pair.export() == all);

    // The same games by their numbers and by a query.
    let found = run(&["pgn", "find", "--list", "result:draw", &pair.hdb], b"").out;
    let numbers: Vec<&str> =
        found.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(numbers.len() > 5);
    let rest = run(&["pgn", "find", "-q", "not result:draw", &pair.hdb], b"").out;
    let by_query = pair.good(&["db", "delete", "--dry-run", &pair.hdb, "result:draw"]).out;
    assert!(by_query.contains(&format!("{} games", numbers.len())), "{by_query}");
    assert!(pair.export() == all, "nothing is deleted by a dry run");
    for arguments in [&["--games", &numbers.join(",")][..], &["result:draw"]] {
        pair.good(&[&["db", "delete", &pair.hdb], arguments].concat());
        assert!(pair.export() == rest, "{arguments:?}");
        pair.check();
        assert_eq!(run(&["db", "delete", &pair.hdb, "result:draw"], b"").code, Some(1));
        pair.good(&["db", "undo", &pair.hdb]);
        assert!(pair.export() == all, "{arguments:?}");
    }
    // Deletions add up, and the latest goes first.
    pair.good(&["db", "delete", &pair.hdb, "result:draw"]);
    pair.good(&["db", "delete", &pair.hdb, "--games", "1..3,2,7"]);
    let left = pair.export();
    assert_eq!(pair.games(), pair.export().matches("[Event ").count() as u64);
    assert_eq!(pair.games(), count + 20 - numbers.len() as u64 - 4);
    pair.good(&["db", "compact", &pair.hdb]);
    assert!(pair.export() == left);
    pair.check();
    assert_eq!(run(&["db", "undo", &pair.hdb], b"").code, Some(1));
    assert_eq!((pair.files("games").len(), pair.files("deleted").len()), (1, 0));
    let info = pair.good(&["db", "info", "--json", &pair.hdb]).json();
    let names: Vec<&str> = info["sources"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|source| source["name"].as_str())
        .collect();
    assert_eq!(names, [&pair.pgn, more]);
    // A collection of a collection is the same.
    let copy = pair.folder.join("copy.hdb");
    let copy = copy.to_str().expect("UTF-8");
    pair.good(&["db", "create", copy, &pair.hdb]);
    assert!(run(&["db", "export", "-q", copy], b"").out == left);
}

#[test]
fn changes_are_told_as_json() {
    let pair = Pair::new("json", &random_games(40, 8));
    let count = |query: &str| -> u64 {
        let found = run(&["pgn", "find", query, "--count", &pair.hdb], b"").out;
        found.trim().parse().expect("a number")
    };
    let draws = count("result:draw");
    let before = pair.games();
    let json = |command: &[&str]| pair.good(command).json();
    let added = json(&["db", "add", "--again", "--json", "--query", "result:draw", &pair.hdb, &pair.pgn]);
    assert_eq!((&added["games"], &added["sources"]), (&draws.into(), &1.into()), "{added}");
    assert_eq!((pair.games(), count("result:draw")), (before + draws, 2 * draws));
    let deleted = json(&["db", "delete", "--json", "--dry-run", &pair.hdb, "result:draw"]);
    assert_eq!(deleted, serde_json::json!({"deleted": 2 * draws, "dry_run": true}));
    let deleted = json(&["db", "delete", "--json", &pair.hdb, "result:draw"]);
    assert_eq!(deleted, serde_json::json!({"deleted": 2 * draws, "dry_run": false}));
    let undone = json(&["db", "undo", "--json", &pair.hdb]);
    assert_eq!((&undone["gone"], &undone["back"]), (&0.into(), &(2 * draws).into()), "{undone}");
    let undone = json(&["db", "undo", "--json", &pair.hdb]);
    assert_eq!((&undone["gone"], &undone["back"]), (&draws.into(), &0.into()), "{undone}");
    let nothing = run(&["db", "undo", "--json", &pair.hdb], b"");
    assert_eq!((nothing.code, &nothing.json()["time"]), (Some(1), &serde_json::Value::Null));
    pair.good(&["db", "delete", &pair.hdb, "result:draw"]);
    let compacted = json(&["db", "compact", "--json", &pair.hdb]);
    assert!(compacted["bytes_after"].as_u64() < compacted["bytes_before"].as_u64(), "{compacted}");
}

#[test]
fn positions_are_found_by_the_index() {
    let pair = Pair::new("index", &random_games(150, 15));
    let position = Position::start();
    let after = position.after(position.legal_moves()[0]).0;
    for fen in [Fen::new(&position).to_string(), Fen::new(&after).to_string()] {
        let answer = pair.compare(&["pgn", "find", "--list", &format!("fen:\"{fen}\"")]);
        assert_eq!(answer.code, Some(0), "{fen}");
    }
    let missing = "fen:\"8/8/8/8/8/2k5/8/K1r5 w - - 0 1\"";
    assert_eq!(pair.compare(&["pgn", "find", missing]).code, Some(1));
}
