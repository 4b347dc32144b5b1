//! EPD: every record of the public suites is read, errors are named, and written records are read back unchanged.

use crate::support;
use hematite::chess::Position;
use hematite::notation::{
    CentipawnEvaluation, CommentIndex, Correspondent, Epd, EpdLine, EpdReader, Operand, Operation, parse_epd,
    parse_epd_line, parse_san, position_from_fen,
};
use proptest::prelude::*;
use std::fs::File;
use std::io::BufReader;
use std::num::NonZeroU16;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

#[track_caller]
fn read(text: &str) -> Epd {
    parse_epd(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Every opcode, in the order and form that the standard prescribes.
const EVERY_OPCODE: &str = r#"Private 1.5 "two words"; acd 12; acn 4000000000000; acs 30; am a3 h4; bm Nf3 e4; c0 "a \"quoted\" word; a back\\slash"; c9; ce -35; dm 3; draw_accept; draw_claim; draw_offer; draw_reject; eco "B01"; fmvn 7; hmvc 3; id "WAC.001"; nic; noop 1 x; pm e4; pv e4 e5 Nf3 Nc6; rc 2; resign; sm Nc3; tcgs 1; tcri "a@b.c" "Hematite"; tcsi "d@e.f" "Mr Black"; unheard_of_code x; v0 "Ruy Lopez"; v1;"#;

#[test]
fn every_opcode_is_typed_and_written_in_order() {
    let text = format!("{START} {EVERY_OPCODE}");
    let epd = read(&text);
    assert_eq!(epd.to_string(), text);
    let start = Position::start();
    let mv = |san: &str| parse_san(san, &start).expect(san).mv().expect("no null move");
    let level = |digit| CommentIndex::new(digit).expect("a digit");
    let number = |number| NonZeroU16::new(number).expect("not zero");
    let text = |text: &str| Some(text.to_owned());
    let expected = [
        Operation::Other {
            opcode: "Private".to_owned(),
            operands: vec![Operand::Word("1.5".to_owned()), Operand::Text("two words".to_owned())],
        },
        Operation::AnalysisDepth(12),
        Operation::AnalysisNodes(4_000_000_000_000),
        Operation::AnalysisSeconds(30),
        Operation::AvoidMoves(vec![mv("a3"), mv("h4")]),
        Operation::BestMoves(vec![mv("Nf3"), mv("e4")]),
        Operation::Comment(level(0), text("a \"quoted\" word; a back\\slash")),
        Operation::Comment(level(9), None),
        Operation::Evaluation(CentipawnEvaluation::new(-35).expect("in range")),
        Operation::DirectMate(number(3)),
        Operation::DrawAccept,
        Operation::DrawClaim,
        Operation::DrawOffer,
        Operation::DrawReject,
        Operation::Eco(text("B01")),
        Operation::FullmoveNumber(number(7)),
        Operation::HalfmoveClock(3),
        Operation::Id("WAC.001".to_owned()),
        Operation::Nic(None),
        Operation::Noop(vec![Operand::Word("1".to_owned()), Operand::Word("x".to_owned())]),
        Operation::PredictedMove(mv("e4")),
    ];
    assert_eq!(epd.operations()[..expected.len()], expected);
    assert_eq!(epd.predicted_variation().len(), 4);
    assert_eq!(
        epd.operation("tcsi"),
        Some(&Operation::Sender(Correspondent { address: "d@e.f".to_owned(), name: "Mr Black".to_owned() }))
    );
    assert_eq!(epd.position().halfmove_clock(), 3);
    assert_eq!(epd.position().fullmove_number(), 7);
}

/// Untidy records are read, and written in the standard form.
#[test]
fn reads_untidy_records_and_writes_tidy_ones() {
    let cases = [
        ("nothing but a position", "", ""),
        ("a counter", "5", "hmvc 5;"),
        ("two counters", "3 12", "fmvn 12; hmvc 3;"),
        ("counters with operations", "0 1 bm e4;", "bm e4; fmvn 1; hmvc 0;"),
        ("counters against operations", "0 1 hmvc 5; fmvn 9", "fmvn 9; hmvc 5;"),
        ("counters of which one cannot be", "4 0 bm e4", "bm e4; hmvc 4;"),
        ("a semicolon before the first opcode", "; bm e4; id X;", "bm e4; id \"X\";"),
        ("a semicolon after the counters", "1 6; bm e4", "bm e4; fmvn 6; hmvc 1;"),
        ("no semicolon at the end", "bm e4", "bm e4;"),
        ("too many semicolons", ";; bm e4 ;; id \"X\" ;;", "bm e4; id \"X\";"),
        ("NUL bytes and line ends", "bm e4; id BK.01\0\0\r\n", "bm e4; id \"BK.01\";"),
        ("tabs and many spaces", "\t bm   e4  ;\tid\t\"X\";", "bm e4; id \"X\";"),
        ("opcodes out of order", "id \"X\"; bm e4; acd 9;", "acd 9; bm e4; id \"X\";"),
        ("moves out of order", "bm e4 d4 Nf3;", "bm Nf3 d4 e4;"),
        ("moves as UCI has them", "bm e2e4 g1f3;", "bm Nf3 e4;"),
        ("long moves", "bm Ng1-f3;", "bm Nf3;"),
        ("commas", "bm e4,d4 , Nf3;", "bm Nf3 d4 e4;"),
        ("checks and annotations apart", "bm Nf3 + e4 !?;", "bm Nf3 e4;"),
        ("move numbers", "pv 1. e4 e5 2.Nf3 2... Nc6;", "pv e4 e5 Nf3 Nc6;"),
        ("moves in quotes", "bm \"e4 d4\";", "bm d4 e4;"),
        ("no moves at all", "bm; am; pv;", "am; bm; pv;"),
        ("a mate for a best move", "bm #4;", "dm 4;"),
        ("a mate beside a best move", "bm e4 #4;", "bm e4; dm 4;"),
        ("a mate stated twice", "bm e4 #4; dm 4;", "bm e4; dm 4;"),
        ("a string without quotes", "id Position 1; c0 x  y;", "c0 \"x  y\"; id \"Position 1\";"),
        ("quotes within quotes", "c0 \"a \"b\" c\";", "c0 \"a \\\"b\\\" c\";"),
        ("a semicolon in quotes", "c0 \"a; b\"; id \"X\";", "c0 \"a; b\"; id \"X\";"),
        ("backslashes without meaning", "c0 \"a\\b\";", "c0 \"a\\\\b\";"),
        ("a tab in quotes", "c0 \"a\tb\";", "c0 \"a b\";"),
        ("plus signs", "ce +12; acn +3;", "acn 3; ce 12;"),
        ("perft counts", ";D1 20 ;D2 400", "D1 20; D2 400;"),
        ("letters beyond ASCII", "c0 \"Santamaría\";", "c0 \"Santamaría\";"),
    ];
    for (name, untidy, tidy) in cases {
        let epd = parse_epd(&format!("{START} {untidy}")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = epd.to_string();
        assert_eq!(written, format!("{START} {tidy}").trim_end(), "{name}");
        assert_eq!(read(&written).to_string(), written, "{name}");
    }
    let glued = "r4rk1/8/8/8/8/8/8/R4RK1 w - -1 12 ; bm Ra2";
    assert_eq!(read(glued).to_string(), "r4rk1/8/8/8/8/8/8/R4RK1 w - - bm Ra2; fmvn 12; hmvc 1;");
    let semicolon = "r4rk1/8/8/8/8/8/8/R4RK1 w - -; bm Ra2";
    assert_eq!(read(semicolon).to_string(), "r4rk1/8/8/8/8/8/8/R4RK1 w - - bm Ra2;");
}

#[test]
fn errors_name_line_column_and_operation() {
    let cases = [
        (
            "a clock that is too high",
            "4k3/8/8/8/8/8/8/4K3 w - - 70000 3 bm Ke2;",
            "line 7, column 27: hmvc: found `70000`, expected a number from 0 to 65535",
        ),
        (
            "a move number that is too high",
            "4k3/8/8/8/8/8/8/4K3 w - - 3 70000 bm Ke2;",
            "line 7, column 29: fmvn: found `70000`, expected a number from 1 to 65535",
        ),
        (
            "nothing",
            "",
            "line 7, column 1: piece placement: missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`",
        ),
        (
            "a bad field",
            "4k3/8/8/8/8/8/8/4K3 x - - bm Ke2;",
            "line 7, column 21: side to move: `x`, expected `w` or `b`",
        ),
        (
            "a bad position",
            "4k3/8/8/8/8/8/8/8 w - - bm Ke2;",
            "line 7, column 1: piece placement: White has 0 kings, expected 1",
        ),
        (
            "a bad opcode",
            &format!("{START} 1a e4;"),
            "line 7, column 54: `1a` is not an opcode, expected a letter and up to 14 letters, digits or underscores",
        ),
        (
            "a long opcode",
            &format!("{START} a234567890123456 e4;"),
            "line 7, column 54: `a234567890123456` is not an opcode, expected a letter and up to 14 letters, digits or underscores",
        ),
        (
            "a bad move",
            &format!("{START} id \"X\"; bm e4 Nf9;"),
            "line 7, column 68: bm: `Nf9` is not a move, expected SAN such as Nf3, exd5 or O-O",
        ),
        (
            "an illegal move",
            &format!("{START} am Ke2;"),
            "line 7, column 57: am: `Ke2` is not legal: the own pawn is on e2",
        ),
        (
            "an illegal move of a variation",
            &format!("{START} pv e4 e5 Nf6;"),
            "line 7, column 63: pv: `Nf6` is not legal: no knight goes to f6",
        ),
        (
            "a null move",
            &format!("{START} pm --;"),
            "line 7, column 57: pm: `--` is not a move, expected SAN such as Nf3, exd5 or O-O",
        ),
        (
            "two moves for one",
            &format!("{START} sm e4 d4;"),
            "line 7, column 57: sm: found `e4 d4`, expected one move",
        ),
        ("no move for one", &format!("{START} pm;"), "line 7, column 54: pm: found ``, expected one move"),
        (
            "not a number",
            &format!("{START} acn many;"),
            "line 7, column 58: acn: found `many`, expected a number of nodes",
        ),
        (
            "a negative number",
            &format!("{START} acd -3;"),
            "line 7, column 58: acd: found `-3`, expected a number of plies",
        ),
        (
            "two numbers",
            &format!("{START} hmvc 1 2;"),
            "line 7, column 59: hmvc: found `1 2`, expected a number from 0 to 65535",
        ),
        (
            "zero for a positive number",
            &format!("{START} dm 0;"),
            "line 7, column 57: dm: found `0`, expected a number of moves from 1",
        ),
        (
            "an evaluation out of range",
            &format!("{START} ce 32767;"),
            "line 7, column 57: ce: found `32767`, expected centipawns from -32767 to 32766",
        ),
        (
            "an operand too many",
            &format!("{START} resign now;"),
            "line 7, column 61: resign: found `now`, expected no operand",
        ),
        ("no name", &format!("{START} id;"), "line 7, column 54: id: found ``, expected a name in quotes"),
        (
            "an open string",
            &format!("{START} c0 \"open; bm e4;"),
            "line 7, column 57: c0: `\"open; bm e4;` does not end, expected a closing quote",
        ),
        (
            "an opcode twice",
            &format!("{START} bm e4; bm d4;"),
            "line 7, column 61: bm: found twice, expected once",
        ),
        (
            "two mates",
            &format!("{START} bm e4 #3; dm 4;"),
            "line 7, column 64: dm: found twice, expected once",
        ),
        (
            "one correspondent",
            &format!("{START} tcri \"a@b.c\";"),
            "line 7, column 59: tcri: found `\"a@b.c\"`, expected an address and a name, both in quotes",
        ),
    ];
    for (name, text, expected) in cases {
        let error = parse_epd_line(text, 7).and_then(EpdLine::into_result).expect_err(name);
        assert_eq!(error.to_string(), expected, "{name}");
    }
}

#[test]
fn a_bad_operation_leaves_the_others() {
    let text = format!("{START} bm e5 d4; id \"X\"; acd deep; pv e4 e5;");
    let record = parse_epd_line(&text, 1).expect("a good position");
    assert_eq!(record.epd.to_string(), format!("{START} id \"X\"; pv e4 e5;"));
    let problems: Vec<String> = record.problems.iter().map(ToString::to_string).collect();
    let expected = [
        "line 1, column 57: bm: `e5` is not legal: no pawn goes to e5",
        "line 1, column 76: acd: found `deep`, expected a number of plies",
    ];
    assert_eq!(problems, expected);
}

#[test]
fn a_record_is_made_and_changed() {
    let position = position_from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 3 17").expect("a legal position");
    let mut epd = Epd::new(position);
    assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 17; hmvc 3;");
    epd.set(Operation::Id("a\nb".to_owned()));
    epd.set(Operation::HalfmoveClock(5));
    epd.set(Operation::Evaluation(CentipawnEvaluation::mate(9).expect("a mate")));
    epd.set(Operation::Other { opcode: "x".to_owned(), operands: vec![Operand::Word("a;b".to_owned())] });
    assert_eq!(epd.position().halfmove_clock(), 5);
    assert!(epd.remove("fmvn").is_some());
    assert!(epd.remove("fmvn").is_none());
    assert_eq!(epd.position().fullmove_number(), 1);
    assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - ce 32758; hmvc 5; id \"a b\"; x \"a;b\";");
}

/// The records of a file as they are written, and the errors as they are shown.
fn read_file(bytes: &[u8]) -> Vec<String> {
    // A small buffer, so that lines and line ends are cut in two.
    EpdReader::new(BufReader::with_capacity(3, bytes))
        .map(|record| match record {
            Ok(record) => {
                let problems: String =
                    record.problems.iter().map(|problem| format!(" ! {problem}")).collect();
                format!("{}: {}{problems}", record.line, record.epd)
            }
            Err(error) => error.to_string(),
        })
        .collect()
}

#[test]
fn files_are_read_whatever_their_line_ends_and_letters() {
    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";
    let expected = [format!("2: {KINGS} id \"é\";"), format!("4: {KINGS} id \"b\";")];
    let text = format!("# é\n{KINGS} id \"é\";\n \t\0\n{KINGS} id \"b\"");
    let latin1: Vec<u8> = text.chars().map(|letter| u8::try_from(letter).expect("in Latin-1")).collect();
    let cases = [
        ("LF", text.clone().into_bytes()),
        ("LF at the end", format!("{text}\n").into_bytes()),
        ("CRLF", text.replace('\n', "\r\n").into_bytes()),
        ("CR", text.replace('\n', "\r").into_bytes()),
        ("NUL bytes before line ends", text.replace('\n', "\0\n").into_bytes()),
        ("a byte order mark", format!("\u{feff}{text}").into_bytes()),
        ("a byte order mark before Latin-1", [b"\xef\xbb\xbf", &latin1[..]].concat()),
        ("Latin-1", latin1),
    ];
    for (name, bytes) in cases {
        assert_eq!(read_file(&bytes), expected, "{name}");
    }
    assert_eq!(read_file(b""), [""; 0]);
    assert_eq!(read_file(b"\n\r\n\n#"), [""; 0]);
}

#[test]
fn a_line_of_many_operations_is_read() {
    let operations: String = (0..10_000).rev().map(|index| format!(" X{index:04};")).collect();
    let epd = read(&format!("{START}{operations}"));
    assert_eq!(epd.operations().len(), 10_000);
    assert!(epd.to_string().starts_with(&format!("{START} X0000; X0001; ")));
}

#[test]
fn a_bad_line_does_not_end_the_file() {
    let long = format!("4k3/8/8/8/8/8/8/4K3 w - - c0 \"{}\";", "x".repeat(70_000));
    let text = format!("nonsense\n{long}\n4k3/8/8/8/8/8/8/4K3 w - - bm Ke9; id \"X\";\n");
    let expected = [
        "line 1, column 1: piece placement: 1 rank, expected 8 separated by `/`; side to move: missing, \
         expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`",
        "line 2, column 1: longer than 65536 bytes, expected one record",
        "3: 4k3/8/8/8/8/8/8/4K3 w - - id \"X\"; ! line 3, column 30: bm: `Ke9` is not a move, \
         expected SAN such as Nf3, exd5 or O-O",
    ];
    let read = read_file(text.as_bytes());
    assert_eq!(read, expected);
}

/// The public suites with their numbers of records.
const SUITES: [(&str, usize); 18] = [
    ("epd/arasan2024.epd", 200),
    ("epd/bratko-kopec.epd", 24),
    ("epd/bt2630.epd", 30),
    ("epd/ecmgcp.epd", 183),
    ("epd/eet.epd", 100),
    ("epd/hardtestpos-clean.epd", 389),
    ("epd/iq4.epd", 183),
    ("epd/kaufman.epd", 25),
    ("epd/lapuce2.epd", 35),
    ("epd/lct2.epd", 35),
    ("epd/nolot.epd", 11),
    ("epd/pet.epd", 48),
    ("epd/prof.epd", 8),
    ("epd/silent-but-deadly.epd", 134),
    ("epd/sts.epd", 1500),
    ("epd/wacnew.epd", 300),
    ("mates/mate_test_suite.epd", 20),
    ("mates/nullMoveZugZwangTest.epd", 5),
];

/// All errors in the public suites: two knights can capture on e5, and a bishop move is misspelled.
const WRONG: [&str; 2] = [
    "epd/kaufman.epd: line 3, column 79: am: `Ne5` is ambiguous, expected Ncxe5 or Ngxe5",
    "epd/kaufman.epd: line 6, column 71: bm: `Bcx3` is not a move, expected SAN such as Nf3, exd5 or O-O",
];

#[test]
fn the_public_suites_are_read_and_written() {
    let mut wrong = Vec::new();
    for (name, expected) in SUITES {
        let Some(path) = support::data_path(name) else { return };
        let file = File::open(&path).expect(name);
        let mut count = 0;
        for record in EpdReader::new(BufReader::new(file)) {
            let record = record.unwrap_or_else(|error| panic!("{name}: {error}"));
            count += 1;
            wrong.extend(record.problems.iter().map(|problem| format!("{name}: {problem}")));
            let tasks =
                ["bm", "am", "dm"].into_iter().filter(|opcode| record.epd.operation(opcode).is_some());
            assert!(tasks.count() > 0 || !record.problems.is_empty(), "{name}: line {}", record.line);
            let written = record.epd.to_string();
            let again = read(&written);
            assert_eq!(again.to_string(), written, "{name}");
            assert_eq!(again.position(), record.epd.position(), "{name}: {written}");
            assert_eq!(again.operations().len(), record.epd.operations().len(), "{name}: {written}");
            assert_eq!(again, read(&again.to_string()), "{name}");
        }
        assert_eq!(count, expected, "{name}");
    }
    assert_eq!(wrong, WRONG);
}

/// Texts that resemble records, so that more of them reach the later stages of the parser.
fn likely_text() -> impl Strategy<Value = String> {
    let operation = prop_oneof![
        "[a-z0-9_]{1,4}( [a-zA-Z0-9+#\"\\\\,.;-]{0,6}){0,3};?",
        "(bm|am|pv|pm|sm)( ?[a-h1-8NBRQKx+#.,=-]{1,5}){0,4};?",
        "(c0|id|v1|eco|tcri) \"[a-z\"\\\\; ]{0,8}\";?",
    ];
    prop::collection::vec(operation, 0..5).prop_map(|operations| format!("{START} {}", operations.join(" ")))
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for record in EpdReader::new(&bytes[..]) {
            let _ = record.map(|record| record.epd.to_string()).map_err(|error| error.to_string());
        }
    }

    #[test]
    fn what_is_read_is_written_and_read_again(text in likely_text()) {
        let record = parse_epd_line(&text, 1).expect("a good position");
        for problem in &record.problems {
            prop_assert!(problem.column <= text.chars().count(), "{problem}");
        }
        let written = record.epd.to_string();
        let again = parse_epd(&written).unwrap_or_else(|error| panic!("{text}: {written}: {error}"));
        prop_assert_eq!(again.to_string(), written);
    }
}
