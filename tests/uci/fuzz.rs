//! Lines of commands, numbers and random text: no crash, no hang, one `bestmove` for each `go`.

use crate::support::fuzz_cases;
use crate::support::session::Session;
use proptest::collection::vec;
use proptest::prelude::*;

/// The words of the lines.
const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug",
    "on",
    "off",
    "register",
    "later",
    "stop",
    "ponderhit",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e5",
    "e1g1",
    "0000",
    "a7a8q",
    "z9z9",
    "go",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "setoption",
    "name",
    "value",
    "Clear",
    "MultiPV",
    "Move",
    "Overhead",
    "MoveOverhead",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_LimitStrength",
    "UCI_Elo",
    "Skill",
    "Level",
    "Contempt",
    "Minimal",
    "nodestime",
    "UCI_Opponent",
    "UCI_AnalyseMode",
    "UCI_ShowCurrLine",
    "UCI_ShowRefutations",
    "UCI_EngineAbout",
    "Ponder",
    "true",
    "false",
    "<empty>",
    "d",
    "eval",
    "moves",
    "flip",
    "compiler",
    "help",
    "e4",
    "Nf3",
    "O-O",
    "1.",
    "#",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 99 80",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "w",
    "KQkq",
    "-",
    "0",
    "1",
    "2",
    "-1",
    "50",
    "99999999999999999999",
    "joho",
    "\t",
    "\r",
    "\u{0}",
    "\u{feff}",
    "\u{e9}",
];

/// Words, sometimes with a changed letter, and sometimes with bytes that are not text.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        12 => prop::sample::select(WORDS).prop_map(|word| word.as_bytes().to_vec()),
        1 => (prop::sample::select(WORDS), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(word, place, byte)| {
            let mut bytes = word.as_bytes().to_vec();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            bytes
        }),
        1 => vec(any::<u8>(), 0..12),
    ];
    let words = vec(word, 0..10).prop_map(|words| words.join(&b' '));
    let command = prop::sample::select(
        &[
            "",
            "go ",
            "go infinite ",
            "go ponder ",
            "position startpos moves ",
            "position fen ",
            "setoption name ",
        ][..],
    );
    (command, words).prop_map(|(command, words)| [command.as_bytes(), &words].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: fuzz_cases(192), max_shrink_iters: 500, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_are_survived(lines in vec(line(), 0..24)) {
        // Line ends within a line make it several.
        let session = Session::of(&lines.join(&b'\n'));
        let Session { script, searches, text } = &session;
        prop_assert_eq!(session.best_moves(), *searches, "{}\n---\n{}", String::from_utf8_lossy(script), text);
        prop_assert!(text.is_empty() || text.ends_with('\n'));
    }
}
