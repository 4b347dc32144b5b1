//! FEN: valid texts are read and written back, all others are refused with a reason.

use crate::support;
use hematite::chess::{Position, Role, Setup, Square, chess960_back_rank};
use hematite::notation::{Fen, FenField, FenWriter, parse_fen, position_from_fen};
use hematite::rng::Rng;
use proptest::prelude::*;
use std::collections::HashSet;

#[track_caller]
fn read(fen: &str) -> Position {
    position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A single writer handles the positions of many games, with promotions, castling and en passant.
#[test]
fn a_writer_follows_games() {
    let mut rng = Rng::new(11);
    let (mut writer, mut position) = (FenWriter::default(), Position::start());
    for _ in 0..5000 {
        let fen = Fen::new(&position);
        let text = writer.text(&fen);
        assert_eq!(text.as_str(), fen.to_string());
        assert_eq!(read(&text), position);
        let moves = position.legal_moves();
        position = match moves.len() as u64 {
            0 => Position::start(),
            count => position.after(moves[rng.below(count) as usize]).0,
        };
    }
}

/// All forms are read, and written in the standard form and in Shredder-FEN.
#[test]
fn reads_every_form_and_writes_both() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const START_SHREDDER: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let start = |fen: &str| (fen.to_owned(), START, START_SHREDDER);
    let same = |fen: &'static str| (fen.to_owned(), fen, fen);
    let cases = [
        ("six fields", start(START)),
        ("five fields", start(&format!("{board} w KQkq - 0"))),
        ("four fields", start(&format!("{board} w KQkq -"))),
        ("Shredder-FEN", start(START_SHREDDER)),
        ("both kinds of rights", start(&format!("{board} w KAhq - 0 1"))),
        ("rights in any order", start(&format!("{board} w qkQK - 0 1"))),
        (
            "tabs, line ends and other white space",
            start(&format!("\r\n\t{board}\t w  KQkq\u{a0}-\t0\u{b}1 \r\n")),
        ),
        ("zeros before a counter", start(&format!("{board} w KQkq - 000 0001"))),
        (
            "the inner rook by its file",
            (
                "rr2k2r/8/8/8/8/8/8/R3K1RR b Gkb - 0 1".to_owned(),
                "rr2k2r/8/8/8/8/8/8/R3K1RR b Gkb - 0 1",
                "rr2k2r/8/8/8/8/8/8/R3K1RR b Ghb - 0 1",
            ),
        ),
        (
            "the outermost rook, wherever it is",
            (
                "1r2k1r1/8/8/8/8/8/8/1RR1KR2 w KQkq - 0 1".to_owned(),
                "1r2k1r1/8/8/8/8/8/8/1RR1KR2 w KQkq - 0 1",
                "1r2k1r1/8/8/8/8/8/8/1RR1KR2 w FBgb - 0 1",
            ),
        ),
        (
            "a rook of the other side on the back rank",
            (
                "4k3/8/8/8/8/8/8/4KR1r w F - 3 9".to_owned(),
                "4k3/8/8/8/8/8/8/4KR1r w K - 3 9",
                "4k3/8/8/8/8/8/8/4KR1r w F - 3 9",
            ),
        ),
        ("en passant that captures", same("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7")),
        ("en passant that cannot capture", same("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 7")),
        ("a clock beyond the 50-move rule", same("4k3/8/8/8/8/8/4R3/4K3 b - - 173 260")),
        ("the largest counters", same("4k3/8/8/8/8/8/4R3/4K3 b - - 65535 65535")),
    ];
    for (name, (fen, standard, shredder)) in cases {
        let position = position_from_fen(&fen).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(Fen::new(&position).to_string(), standard, "{name}");
        assert_eq!(Fen::new(&position).shredder().to_string(), shredder, "{name}");
        assert_eq!(read(standard), position, "{name}");
        let short = Fen::new(&position).without_counters().to_string();
        assert_eq!(short, standard.rsplitn(3, ' ').last().unwrap_or_default(), "{name}");
    }
}

#[test]
fn text_errors_say_what_was_found_and_expected() {
    let cases = [
        ("", "piece placement: missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`"),
        (" \t\n", "piece placement: missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`"),
        (
            "8/8/8/8/8/8/8/8",
            "side to move: missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`",
        ),
        (
            "8/8/8/8/8/8/8/8 w",
            "castling rights: missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`",
        ),
        (
            "8/8/8/8/8/8/8/8 w -",
            "en passant square: missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`",
        ),
        ("8/8/8/8/8/8/8/8 w - - 0 1 x", "`x` after the full-move number, expected the end of the FEN"),
        ("8/8/8/8/8/8/8 w - -", "piece placement: 7 ranks, expected 8 separated by `/`"),
        ("8/8/8/8/8/8/8/8/8 w - -", "piece placement: 9 ranks, expected 8 separated by `/`"),
        ("startpos w - -", "piece placement: 1 rank, expected 8 separated by `/`"),
        ("8/8/ppppppp/8/8/8/8/8 w - -", "piece placement: rank 6 has 7 squares, expected 8"),
        ("8/8/8/8/8/8/p8/8 w - -", "piece placement: rank 2 has 9 squares, expected 8"),
        ("8/8/8/8/8/8//8 w - -", "piece placement: rank 2 has 0 squares, expected 8"),
        ("8/8/8/1/8/8/8/8 w - -", "piece placement: rank 5 has 1 square, expected 8"),
        (
            "8/44/8/8/8/8/8/8 w - -",
            "piece placement: two numbers in a row on rank 7, expected one number for all empty squares",
        ),
        (
            "8/8/8/8/8/8/8/4x3 w - -",
            "piece placement: `x` on rank 1, expected a piece letter of `PNBRQKpnbrqk` or a number 1 to 8",
        ),
        (
            "8/8/8/8/8/8/8/9 w - -",
            "piece placement: `9` on rank 1, expected a piece letter of `PNBRQKpnbrqk` or a number 1 to 8",
        ),
        (
            "8/8/8/8/8/8/8/♔7 w - -",
            "piece placement: `♔` on rank 1, expected a piece letter of `PNBRQKpnbrqk` or a number 1 to 8",
        ),
        ("8/8/8/8/8/8/8/8 W - -", "side to move: `W`, expected `w` or `b`"),
        (
            "8/8/8/8/8/8/8/8 w KQxq -",
            "castling rights: `x` in `KQxq`, expected `-` or letters of `KQkq`, `A` to `H` and `a` to `h`",
        ),
        (
            "8/8/8/8/8/8/8/8 w KQ- -",
            "castling rights: `-` in `KQ-`, expected `-` or letters of `KQkq`, `A` to `H` and `a` to `h`",
        ),
        ("8/8/8/8/8/8/8/8 w KQkqA -", "castling rights: `KQkqA`, expected at most 4 letters"),
        ("8/8/8/8/8/8/8/8 w - e", "en passant square: `e`, expected `-` or a square such as `e3`"),
        ("8/8/8/8/8/8/8/8 w - E3", "en passant square: `E3`, expected `-` or a square such as `e3`"),
        ("8/8/8/8/8/8/8/8 w - - -1", "half-move clock: `-1`, expected a number 0 to 65535"),
        ("8/8/8/8/8/8/8/8 w - - +1", "half-move clock: `+1`, expected a number 0 to 65535"),
        ("8/8/8/8/8/8/8/8 w - - 65536", "half-move clock: `65536`, expected a number 0 to 65535"),
        (
            "8/8/8/8/8/8/8/8 w - - 0 99999999999999999999",
            "full-move number: `99999999999999999999`, expected a number 0 to 65535",
        ),
        ("8/8/8/8/8/8/8/8 w - - 0 one", "full-move number: `one`, expected a number 0 to 65535"),
    ];
    for (fen, expected) in cases {
        let errors = parse_fen(fen).expect_err(fen);
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected], "{fen}");
        assert_eq!(position_from_fen(fen).map_err(|error| error.errors), Err(errors), "{fen}");
    }
    let errors = parse_fen("8/8 w - -").expect_err("two ranks");
    assert_eq!(errors[0].field(), Some(FenField::PiecePlacement));
}

/// Errors of the text are reported together with errors of the position as far as it is known; nothing that may be
/// right is reported.
#[test]
fn everything_wrong_is_told_and_nothing_that_may_be_right() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "two ranks and the side",
            "4k3/9/8/8/7/8/8/4K3 x - - 0 1",
            &["piece placement: `9` on rank 7", "piece placement: rank 4 has 7 squares", "side to move: `x`"],
        ),
        (
            "every field",
            "4k3/8 x KX e9 many -1 more",
            &[
                "piece placement: 2 ranks",
                "side to move: ",
                "castling rights: `X`",
                "en passant square: ",
                "half-move clock: ",
                "full-move number: ",
                "`more` after",
            ],
        ),
        (
            "several ranks, and a right stated twice",
            "4k3/9/8/8/3P4/8/8/4K4 z QQ e9 x 0",
            &[
                "piece placement: `9` on rank 7",
                "piece placement: rank 1 has 9 squares",
                "side to move: `z`",
                "en passant square: `e9`",
                "half-move clock: `x`",
                "full-move number: 0",
                "castling rights: `Q`, but another right",
            ],
        ),
        (
            "a rank, and a square that no pawn passes whatever stands there",
            "4k3/9/8/8/8/8/8/4K3 w KQkq e5 0 1",
            &["piece placement: `9` on rank 7", "en passant square: e5, expected a square on rank 6"],
        ),
        (
            "the side, with kings that are missing",
            "8/8/8/8/8/8/8/8 x - - 0 1",
            &["side to move: ", "piece placement: White has 0 kings", "piece placement: Black has 0 kings"],
        ),
        ("the side, with a check", "4k3/8/8/8/8/8/8/4RK2 x - - 0 1", &["side to move: `x`"]),
        ("the side, with a double step", "4k3/8/8/8/4P3/8/8/4K3 x - e3 0 1", &["side to move: `x`"]),
        ("a field that is missing", "4k3/8/8/8/8/8/8/4K3 w", &["castling rights: missing"]),
        ("a word", "nonsense", &["piece placement: 1 rank", "side to move: missing"]),
        ("nothing at all", "", &["piece placement: missing"]),
        (
            "what reads well",
            "4k3/8/8/8/8/8/8/4RK1P w K e4 0 0",
            &["piece placement: a pawn", "side to move: Black", "castling rights: `K`", "en passant", "full"],
        ),
    ];
    for (name, fen, expected) in cases {
        let error = position_from_fen(fen).expect_err(name);
        let found: Vec<String> = error.reasons().map(ToString::to_string).collect();
        assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
        for (found, expected) in found.iter().zip(*expected) {
            assert!(found.starts_with(expected), "{name}: {found}, expected {expected}");
        }
        assert_eq!(error.to_string(), found.join("; "), "{name}");
    }
}

/// One row for each problem that a setup can have, and rows that have several.
#[test]
fn problems_are_all_reported() {
    let cases = [
        ("8/8/8/8/8/8/8/4K3 w - -", vec!["piece placement: Black has 0 kings, expected 1"]),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", vec!["piece placement: White has 2 kings, expected 1"]),
        (
            "8/8/8/8/8/8/8/4K2R w KQkq e3 0 0",
            vec![
                "piece placement: Black has 0 kings, expected 1",
                "castling rights: `Q`, but White has no rook on rank 1 on the a-file side of the king",
                "castling rights: `k`, but Black's king is not on rank 8",
                "castling rights: `q`, but Black's king is not on rank 8",
                "en passant square: e3, expected a square on rank 6 (White to move) or 3 (Black to move)",
                "full-move number: 0, expected 1 or more",
            ],
        ),
        ("4k3/8/8/8/8/8/8/R2KK2R w KQ -", vec!["piece placement: White has 2 kings, expected 1"]),
        (
            "4k2P/8/8/8/8/8/8/4K3 w - -",
            vec!["piece placement: a pawn on h8, expected pawns on ranks 2 to 7 only"],
        ),
        (
            "4k3/8/8/8/8/8/8/p3K3 w - -",
            vec!["piece placement: a pawn on a1, expected pawns on ranks 2 to 7 only"],
        ),
        (
            "4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - -",
            vec!["piece placement: White has 17 pieces, expected at most 16"],
        ),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - -", vec!["piece placement: Black has 9 pawns, expected at most 8"]),
        (
            "4k3/4R3/8/8/8/8/8/4K3 w - -",
            vec![
                "side to move: Black is in check from e7, but it is White's move; expected the side in check to move",
            ],
        ),
        (
            "8/8/8/8/8/8/4k3/4K3 w - -",
            vec![
                "side to move: Black is in check from e1, but it is White's move; expected the side in check to move",
            ],
        ),
        ("4k3/8/3N1N2/8/4R3/8/8/4K3 b - -", vec!["side to move: 3 pieces give check, expected at most 2"]),
        ("4k3/8/8/8/8/8/4K3/7R w K -", vec!["castling rights: `K`, but White's king is not on rank 1"]),
        (
            "r3k3/8/8/8/8/8/8/4K3 w k -",
            vec!["castling rights: `k`, but Black has no rook on rank 8 on the h-file side of the king"],
        ),
        ("r3k3/8/8/8/8/8/8/4K3 w b -", vec!["castling rights: `b`, but Black has no rook on b8"]),
        (
            "4k3/8/8/8/8/8/8/4K1RR w GH -",
            vec!["castling rights: `H`, but another right on the same side of the king is stated already"],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e3",
            vec!["en passant square: e3, expected a square on rank 6 (White to move) or 3 (Black to move)"],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6",
            vec!["en passant square: e6, but no pawn that has just made a double step is on e5"],
        ),
        (
            "k7/8/4n3/4p3/8/8/8/4K3 w - e6",
            vec!["en passant square: e6, but e6, which the pawn has passed, is occupied"],
        ),
        (
            "k7/4n3/8/4p3/8/8/8/4K3 w - e6",
            vec!["en passant square: e6, but e7, which the pawn has passed, is occupied"],
        ),
        (
            "k7/8/8/4p3/8/5n2/8/4K3 w - e6",
            vec!["en passant square: e6, but the check given cannot come from that double step"],
        ),
        (
            "k7/8/8/4p3/8/8/3p4/4K3 w - e6",
            vec!["en passant square: e6, but the check given cannot come from that double step"],
        ),
        (
            "k7/8/8/4p3/8/8/8/r3K3 w - e6",
            vec!["en passant square: e6, but the check given cannot come from that double step"],
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", vec!["full-move number: 0, expected 1 or more"]),
        (
            "P3k3/4R3/8/8/8/8/8/4K3 w K e3 0 0",
            vec![
                "piece placement: a pawn on a8, expected pawns on ranks 2 to 7 only",
                "side to move: Black is in check from e7, but it is White's move; expected the side in check to move",
                "castling rights: `K`, but White has no rook on rank 1 on the h-file side of the king",
                "en passant square: e3, expected a square on rank 6 (White to move) or 3 (Black to move)",
                "full-move number: 0, expected 1 or more",
            ],
        ),
    ];
    for (fen, expected) in cases {
        let error = position_from_fen(fen).expect_err(fen);
        assert_eq!(error.to_string(), expected.join("; "), "{fen}");
        assert_eq!((error.errors.len(), error.problems.len()), (0, expected.len()), "{fen}");
    }
}

/// En passant after checks that a double step can have given or uncovered, and two that it cannot have caused but that
/// public perft suites contain: a check across the passed square, and one that the step blocks.
#[test]
fn en_passant_in_check() {
    let cases = [
        ("from the pawn", "8/8/8/4k3/3Pp3/8/8/4K3 b - d3 0 1", 1),
        ("uncovered on the diagonal", "8/8/8/k7/3Pp3/8/8/4B1K1 b - d3 0 1", 1),
        ("through the passed square", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", 1),
        ("blocked by the step", "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1", 0),
    ];
    for (name, fen, checkers) in cases {
        let position = read(fen);
        assert_eq!(position.checkers().count(), checkers, "{name}");
        assert_eq!(position.double_push_square(), Some(Square::D3), "{name}");
    }
}

#[test]
fn public_valid_positions_round_trip() {
    let Some(text) = support::data("fen/valid.sfens") else { return };
    let mut count = 0;
    for fen in text.lines() {
        let position = read(fen);
        assert_eq!(Fen::new(&position).shredder().to_string(), fen);
        assert_eq!(read(&Fen::new(&position).to_string()), position, "{fen}");
        count += 1;
    }
    assert_eq!(count, 10_000);
}

#[test]
fn public_invalid_positions_are_refused() {
    let Some(text) = support::data("fen/invalid.sfens") else { return };
    let accepted: Vec<&str> = text.lines().filter(|fen| position_from_fen(fen).is_ok()).collect();
    assert_eq!(accepted, Vec::<&str>::new());
    assert_eq!(text.lines().count(), 9_992);
}

#[test]
fn public_start_positions_are_ours() {
    let Some(text) = support::data("fen/chess960_start_positions.sfens") else { return };
    let theirs: HashSet<String> =
        text.lines().map(|fen| Fen::new(&read(fen)).shredder().to_string()).collect();
    assert_eq!(theirs, chess960_starts().collect::<HashSet<_>>());
    assert_eq!(theirs, text.lines().map(str::to_owned).collect::<HashSet<_>>());
}

#[test]
fn there_are_960_start_positions() {
    assert_eq!(chess960_starts().collect::<HashSet<_>>().len(), 960);
    assert_eq!(chess960_back_rank(960), None);
    assert_eq!(
        chess960_back_rank(518).map(|rank| rank.map(Role::letter)),
        Some(['r', 'n', 'b', 'q', 'k', 'b', 'n', 'r'])
    );
}

fn chess960_starts() -> impl Iterator<Item = String> {
    (0..960).map_while(chess960_back_rank).map(|rank| {
        let position = Position::try_from(Setup::chess960(rank)).expect("an initial position is legal");
        Fen::new(&position).shredder().to_string()
    })
}

#[test]
fn public_verdicts_agree() {
    /// A text that Hematite accepts contrary to the reference: five fields that end with a space.
    const READ_BY_US: &[&str] = &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 "];
    let Some(text) = support::data("fen/chessjs_validate_fen.tsv") else { return };
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (Some(verdict), Some(fen)) = (columns.next(), columns.next()) else { panic!("{line}") };
        let is_valid = verdict == "true" || READ_BY_US.contains(&fen);
        assert_eq!(position_from_fen(fen).is_ok(), is_valid, "{fen}");
        count += 1;
    }
    assert!(count > 100, "only {count} rows");
}

#[test]
fn public_fens_of_other_writers_round_trip() {
    let Some(text) = support::data("fen/scalachess_fen.jsonl") else { return };
    let mut count = 0;
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect(line);
        for fen in row["fens"].as_array().into_iter().flatten().filter_map(|fen| fen.as_str()) {
            let position = read(fen);
            assert_eq!(read(&Fen::new(&position).to_string()), position, "{fen}");
            count += 1;
        }
    }
    assert!(count >= 15, "only {count} positions");
}

/// Fields that are valid, nearly valid or invalid.
fn fields() -> impl Strategy<Value = Vec<String>> {
    let rank = "[pnbrqkPNBRQK1-8]{0,8}";
    let pieces = proptest::collection::vec(rank, 7..=9).prop_map(|ranks| ranks.join("/"));
    let board = prop_oneof![
        pieces,
        Just("r3k2r/8/8/3pP3/4Pp2/8/8/R3K2R".to_owned()),
        Just("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".to_owned())
    ];
    (board, "[wb-]", "[KQkqA-Ha-h-]{1,5}", "-|[a-h][0-9]|[a-z]{2}", "[0-9]{1,6}", "-?[0-9]{1,6}").prop_map(
        |(board, turn, castling, en_passant, clock, number)| {
            vec![board, turn, castling, en_passant, clock, number]
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = position_from_fen(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = position_from_fen(&String::from_utf8_lossy(&bytes));
    }

    /// Errors can be displayed, and accepted texts are written and read back unchanged, and have legal moves that can
    /// be played.
    #[test]
    fn what_looks_like_a_fen_round_trips_or_is_refused(fields in fields(), count in 0..7_usize) {
        let text = fields[..count.min(fields.len())].join(" ");
        match position_from_fen(&text) {
            Ok(position) => {
                prop_assert_eq!(position_from_fen(&Fen::new(&position).to_string()), Ok(position));
                prop_assert_eq!(position_from_fen(&Fen::new(&position).shredder().to_string()), Ok(position));
                for mv in position.legal_moves() {
                    prop_assert!(position.play(mv).is_ok());
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
