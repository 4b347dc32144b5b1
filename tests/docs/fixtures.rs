//! Files with the names that the documentation uses.

use super::{BINARY, Path, folder, fs, root, run};
use once_cell::sync::Lazy;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// Four games with a common start, so that a book contains moves for them, with the seven tags.
const OPENINGS: [&str; 4] = [
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5 7. Nb3 Be7 8. O-O O-O 9. Be3 Be6",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6 7. f4 Be7 8. Qf3 Qc7 9. O-O-O Nbd7",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6 6. Be3 Bg7 7. f3 O-O 8. Qd2 Nc6 9. Bc4 Bd7",
    "1. e4 c5 2. Nf3 Nc6 3. d4 cxd4 4. Nxd4 g6 5. c4 Bg7 6. Be3 Nf6 7. Nc3 O-O 8. Be2 d6 9. O-O Bd7",
];
/// Positions with a mate in one.
const POSITIONS: [&str; 3] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq -",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -",
    "7k/6pp/8/8/8/8/1Q6/K7 w - -",
];
/// The mating moves of [`POSITIONS`].
const MATES: [&str; 3] = ["Qxf7", "Ra8", "Qb8"];
/// A game with a mate in one.
const BLUNDERS: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qf3 Nd4 4. Qxf7# 1-0\n\n";
/// An opening with scores at its ends, and the scores of two other positions.
const REPERTOIRE: &str = "1. e4 e5 {[%eval 0.30]} (1... c5 {[%eval 0.20]}) *\n";
/// The opera game.
const MORPHY: &str = "[Event \"Paris\"]\n[Date \"1858.??.??\"]\n[White \"Morphy, Paul\"]\n\
    [Black \"Duke Karl / Count Isouard\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5\n\
    11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";
const PROBLEMS: &str = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n";
/// A game with a mistake and an annotated improvement.
const ANNOTATED: &str =
    "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qf3 Nd4 $4 (3... Nf6) 4. Qxf7# 1-0\n";
const LEAVES: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - ce -25;\n";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const DEVELOPED: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

fn games() -> String {
    let game = |(index, moves): (usize, &&str)| {
        format!(
            "[Event \"Games\"]\n[Site \"?\"]\n[Date \"2026.01.0{}\"]\n[Round \"{}\"]\n[White \"A\"]\n[Black \"B\"]\n\
             [Result \"1-0\"]\n\n{moves} 1-0\n\n",
            index + 1,
            index + 1,
        )
    };
    let lines = OPENINGS.iter().enumerate().map(game).collect::<String>();
    // Lines of at most 80 characters, as the standard demands.
    lines.replace(" 6. ", "\n6. ")
}

fn zipped(name: &str, text: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("memory can be written");
    archive.write_all(text.as_bytes()).expect("memory can be written");
    archive.finish().expect("memory can be written").into_inner()
}

/// Fills a folder; the binary is placed in `bin`, under its own name and under that of another engine.
pub(super) fn fill(folder: &Path, toml: Option<&str>) {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("files can be written");
    for name in [
        "bin",
        "archive",
        "data",
        "epd",
        "home/.local/share/man/man1",
        "home/.local/share/bash-completion/completions",
    ] {
        fs::create_dir_all(folder.join(name)).expect("folders can be made");
    }
    for name in ["bin/hematite", "bin/stockfish", "new", "old", "engine"] {
        symlink(BINARY, folder.join(name)).expect("links can be made");
    }
    for name in ["perft.epd", "perft-960.epd"] {
        fs::copy(root().join("epd").join(name), folder.join("epd").join(name)).expect("files can be copied");
    }
    let games = games();
    write("games.pgn", games.as_bytes());
    write("8moves_v3.pgn", games.as_bytes());
    write("archive/old.pgn", games.as_bytes());
    write("games.pgn.zst", &zstd::encode_all(games.as_bytes(), 1).expect("memory can be compressed"));
    write("Morphy.zip", &zipped("Morphy.pgn", MORPHY));
    write("8moves_v3.pgn.zip", &zipped("8moves_v3.pgn", &games));
    write("UHO_4060_v2.epd.zip", &zipped("UHO_4060_v2.epd", &format!("{START}\n{DEVELOPED}\n")));
    write("blunders.pgn", BLUNDERS.as_bytes());
    write("repertoire.pgn", REPERTOIRE.as_bytes());
    write("leaves.epd", LEAVES.as_bytes());
    write("problems.pgn", PROBLEMS.as_bytes());
    write("annotated.pgn", ANNOTATED.as_bytes());
    write(
        "openings.tsv",
        b"B20\tSicilian Defense\t1. e4 c5\nB27\tSicilian Defense: Knight\t1. e4 c5 2. Nf3\n",
    );
    write("castled.query", b"# Both sides on the same wing\ncastled:same\n");
    let records = |dm: &str| {
        let record = |(position, best): (&&str, &str)| format!("{position} bm {best}; {dm}id \"{best}\";\n");
        POSITIONS.iter().zip(MATES).map(record).collect::<String>()
    };
    for name in ["suite.epd", "sts.epd", "wacnew.epd"] {
        write(name, records("").as_bytes());
    }
    for name in ["mates.epd", "mate_test_suite.epd", "epd/mates.epd", "epd/tactical.epd"] {
        write(name, records("dm 1; ").as_bytes());
    }
    write("counts.epd", format!("{START} ;D1 20 ;D2 400\n").as_bytes());
    if let Some(toml) = toml {
        write("match.toml", toml.as_bytes());
    }
    copy_folder(made(), folder);
    for name in ["net.nnue", "old.nnue", "new.nnue", "gen0.nnue"] {
        fs::copy(folder.join("trained.nnue"), folder.join(name)).expect("files can be copied");
    }
}

/// A folder with quickly generated games and a network, made once for all documents.
fn made() -> &'static Path {
    static MADE: Lazy<PathBuf> = Lazy::new(|| {
        let folder = folder("docs-made");
        let at = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let make = |arguments: &[&str]| {
            let made = run(arguments, b"");
            assert_eq!(made.code, Some(0), "{arguments:?}: {}", made.err);
        };
        make(&["datagen", "--out", &at("games"), "--soft-nodes", "100", "--games", "16"]);
        make(&["datagen", "--out", &at("more"), "--soft-nodes", "100", "--games", "4", "--seed", "8"]);
        make(&["datagen", "merge", "--out", &at("more.games"), &at("more")]);
        let train = ["train", "--hidden", "16", "--steps", "2", "--batch", "64", "--data"];
        make(&[&train[..], &[&at("games"), "--out", &at("trained.nnue")]].concat());
        folder
    });
    &MADE
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            fs::create_dir_all(&target).expect("folders can be made");
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("files can be copied");
        }
    }
}
