//! Tables of games and positions: `pgn export --parquet` and `db export --parquet`, read by other tools.

use super::tree::game;
use crate::support;
use crate::support::binary::{folder, run};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The rows of a table.
fn rows(folder: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    for path in super::files(folder) {
        let reader =
            SerializedFileReader::new(File::open(path).expect("it can be opened")).expect("it is whole");
        rows.extend(reader.get_row_iter(None).expect("it has rows").map(|row| row.expect("it can be read")));
    }
    rows
}

/// A cell as text; empty if it is null.
fn cell(row: &Row, name: &str) -> String {
    let found = row.get_column_iter().find(|(column, _)| *column == name);
    match found.unwrap_or_else(|| panic!("no column {name}")).1 {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    }
}

fn cells(rows: &[Row], name: &str) -> Vec<String> {
    rows.iter().map(|row| cell(row, name)).collect()
}

/// Writes the tables of these games, and returns the rows of both tables.
fn tables(name: &str, games: &str) -> (Vec<Row>, Vec<Row>) {
    let folder = folder(name).join("tables");
    let path = folder.to_str().expect("UTF-8");
    let done = run(&["pgn", "export", "--parquet", path, "-"], games.as_bytes());
    assert!(done.code.is_some_and(|code| code < 2), "{}", done.err);
    assert_eq!(done.out, "");
    (rows(&folder.join("games")), rows(&folder.join("positions")))
}

#[test]
fn games_and_positions_are_rows() {
    let clocks =
        "1. e4 { [%clk 0:05:00] [%eval 0.31] } e5 { [%clk 0:04:59.5] [%eval #-3] } 2. Nf3 (2. d4 exd4) Nc6";
    let text = [
        game(
            &[
                ("Site", "?"),
                ("Date", "1993.04.??"),
                ("White", "Légal, Kermur"),
                ("WhiteElo", "2400"),
                ("BlackElo", "?"),
                ("PlyCount", "99"),
                ("Board", "3"),
            ],
            clocks,
            "1/2-1/2",
        ),
        game(&[("SetUp", "1"), ("FEN", "8/8/8/8/1k6/8/1p4K1/8 b - - 0 50")], "50... b1=Q 51. Kf3", "*"),
        game(&[("ECO", "A00"), ("Opening", "Mine")], "", "1-0"),
        game(&[("Variant", "Atomic")], "1. Nf3 e5", "0-1"),
    ]
    .concat();
    let (games, positions) = tables("parquet-rows", &text);
    assert_eq!(cells(&games, "game"), ["1", "2", "3", "4"]);
    assert_eq!(cells(&games, "source"), ["standard input"; 4]);
    assert_eq!(cells(&games, "site"), [""; 4]);
    assert_eq!(cells(&games, "white"), ["Légal, Kermur", "", "", ""]);
    assert_eq!(cells(&games[..1], "date"), ["1993.04.??"]);
    let date = ["year", "month", "day"].map(|name| cell(&games[0], name));
    assert_eq!(date, ["1993", "4", ""]);
    assert_eq!(cells(&games, "result"), ["1/2-1/2", "*", "1-0", "0-1"]);
    assert_eq!([cell(&games[0], "white_elo"), cell(&games[0], "black_elo")], ["2400", ""]);
    assert_eq!(cells(&games, "ply_count"), ["4", "2", "0", ""]);
    assert_eq!(cells(&games, "eco"), ["C44", "", "A00", ""]);
    assert_eq!(cells(&games, "opening"), ["King's Knight Opening", "", "Mine", ""]);
    assert_eq!(cells(&games, "variation"), ["Normal Variation", "", "", ""]);
    assert_eq!(cells(&games, "fen"), ["", "8/8/8/8/1k6/8/1p4K1/8 b - - 0 50", "", ""]);
    assert_eq!(
        cells(&games, "moves")[..3],
        ["[\"e2e4\", \"e7e5\", \"g1f3\", \"b8c6\"]", "[\"b2b1q\", \"g2f3\"]", "[]"]
    );
    assert_eq!(cells(&games, "tags")[0], "{\"Board\" -> \"3\"}");
    assert_eq!(cells(&games, "tags")[3], "{\"Variant\" -> \"Atomic\"}");

    assert_eq!(cells(&positions, "game"), ["1", "1", "1", "1", "1", "2", "2", "2", "3"]);
    assert_eq!(cells(&positions, "ply"), ["0", "1", "2", "3", "4", "0", "1", "2", "0"]);
    assert_eq!(cells(&positions, "move"), ["e2e4", "e7e5", "g1f3", "b8c6", "", "b2b1q", "g2f3", "", ""]);
    assert_eq!(cells(&positions, "clock")[..3], ["300.0", "299.5", ""]);
    assert_eq!(cells(&positions, "evaluation")[..3], ["31", "", ""]);
    assert_eq!(cells(&positions, "mate")[..3], ["", "-3", ""]);
    let start = "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP";
    assert_eq!(
        cells(&positions, "material"),
        [start, start, start, start, start, "KvKP", "KvKQ", "KvKQ", start]
    );
    let key = |moves: &str| {
        let shown = run(&["position", "startpos", "--moves", moves, "--json"], b"").json();
        let key = u64::from_str_radix(shown["key"].as_str().expect("a key"), 16).expect("hexadecimal digits");
        key.cast_signed().to_string()
    };
    let keys = cells(&positions, "key");
    assert_eq!([&*keys[0], &*keys[4], &*keys[8]], [key(""), key("1. e4 e5 2. Nf3 Nc6"), key("")]);
    for (number, id) in (1..).zip(cells(&games, "game_id")) {
        let own = positions.iter().filter(|row| cell(row, "game") == number.to_string());
        assert!(own.map(|row| cell(row, "game_id")).all(|other| other == id), "game {number}");
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    }
}

#[test]
fn the_identity_is_that_of_the_content() {
    let white = [("White", "A")];
    let text = [
        game(&white, "1. e4 e5", "1-0"),
        game(&white, "1. e4 $1 {good} e5 (1... c5)", "1-0"),
        game(&white, "1. e4 c5", "1-0"),
        game(&white, "1. e4 e5", "0-1"),
        game(&[("White", "B")], "1. e4 e5", "1-0"),
        game(&[("White", "A"), ("Round", "1")], "1. e4 e5", "1-0"),
        game(&[("Round", "1"), ("White", "A")], "1. e4 e5", "1-0"),
    ]
    .concat();
    let ids = cells(&tables("parquet-identity", &text).0, "game_id");
    let first = |index: usize| ids.iter().position(|id| *id == ids[index]).expect("it is there");
    let groups: Vec<usize> = (0..ids.len()).map(first).collect();
    assert_eq!(groups, [0, 0, 2, 3, 4, 5, 5], "{ids:?}");
    // It is promised to stay.
    let text = "Event\tE\nResult\t1-0\nWhite\tA\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\ne2e4 e7e5\n1-0\n";
    assert_eq!(ids[0], format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes())));
}

#[test]
fn collections_and_threads_give_the_same_tables() {
    let folder = folder("parquet-same");
    let text = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (pgn, hdb) = (text("a.pgn"), text("a.hdb"));
    let one = game(&[("WhiteElo", "2000")], "1. e4 {[%clk 0:01:00]} e5 2. Nf3 Nc6 3. Bb5 a6", "1/2-1/2")
        + &game(&[("White", "Tal")], "1. d4 d5 2. Ke4", "1-0");
    fs::write(&pgn, one.repeat(9_000)).expect("a file can be written");
    let export = |command: &str, input: &str, threads: &str| {
        let tables = text("tables");
        let done = run(&[command, "export", "-q", "--parquet", &tables, "--threads", threads, input], b"");
        assert_eq!((done.code, &*done.err), (Some(1), ""), "an illegal move is a finding");
        let files = super::files(Path::new(&tables));
        let found: Vec<Vec<u8>> = files.iter().map(|path| fs::read(path).expect("a file")).collect();
        assert_eq!(found.len(), 2);
        let rows = rows(&Path::new(&tables).join("games"));
        fs::remove_dir_all(&tables).expect("it can be removed");
        (found, cells(&rows, "source"))
    };
    let (one, sources) = export("pgn", &pgn, "1");
    assert_eq!(sources, vec![pgn.clone(); 18_000]);
    assert!(export("pgn", &pgn, "3").0 == one, "threads matter");
    assert_eq!(run(&["db", "create", "-q", &hdb, &pgn], b"").code, Some(0));
    let (stored, sources) = export("db", &hdb, "1");
    assert_eq!(sources, vec![pgn; 18_000]);
    assert!(export("db", &hdb, "3").0 == stored, "threads matter");
}

#[test]
fn what_cannot_be_written_is_an_error_and_leaves_nothing() {
    let folder = folder("parquet-refused");
    let text = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let tables = text("tables");
    let games = game(&[], "1. e4", "*");
    let export = |arguments: &[&str]| {
        run(&[&["pgn", "export", "--parquet", &tables], arguments].concat(), games.as_bytes())
    };
    assert_eq!(export(&["no-such.pgn"]).code, Some(2));
    assert!(!folder.join("tables").exists());
    assert_eq!(export(&["-"]).code, Some(0));
    let twice = export(&["-"]);
    assert_eq!(twice.code, Some(2));
    assert!(twice.err.contains("tables/games is there, expected a folder without it"), "{}", twice.err);
    for option in ["--sort", "--eco", "--uci", "--reduced", "--strip=nags", "--output=a.pgn"] {
        assert_eq!(export(&[option, "-"]).code, Some(2), "{option}");
    }
    // No games make tables without rows.
    let none = text("none");
    assert_eq!(run(&["pgn", "export", "--parquet", &none, "-"], b"").code, Some(0));
    assert!(rows(&folder.join("none")).is_empty());
    assert_eq!(super::files(&folder.join("none")).len(), 2);
    fs::write(folder.join("file"), "").expect("a file can be written");
    let failed = run(&["pgn", "export", "--parquet", &text("file"), "-"], games.as_bytes());
    assert_eq!(failed.code, Some(2));
    assert!(failed.err.contains("cannot write") && failed.err.contains("000000.parquet"), "{}", failed.err);
    assert_eq!(failed.err.lines().count(), 1, "{}", failed.err);
}

/// Runs the commands for a tool in the documentation, if its package of this name is installed.
fn ask_tool(tool: &str, package: &str) {
    let Some(data) = support::data_folder_of("pgn") else { return };
    if !support::succeeds("python3", &["-c", &format!("import {package}")]) {
        return support::skip(&format!("no python3 with {package}"));
    }
    const WANTED: [&str; 3] = ["linares_2002.pgn", "twic-01-232games.pgn", "lichess-sample.pgn"];
    let is_wanted =
        |path: &PathBuf| path.file_name().is_some_and(|name| WANTED.iter().any(|wanted| name == *wanted));
    let found: Vec<PathBuf> = super::files(&data).into_iter().filter(is_wanted).collect();
    assert_eq!(found.len(), WANTED.len(), "{found:?}");
    support::check_page_by_script("data_tools.py", "docs/data-tools.md", tool, &found);
}

#[test]
fn duckdb_answers_the_questions_of_the_page_in_the_same_way() {
    ask_tool("duckdb", "duckdb");
}

#[test]
#[ignore = "Spark takes half a minute to start, and needs Java"]
fn spark_answers_the_questions_of_the_page_in_the_same_way() {
    ask_tool("spark", "pyspark");
}
