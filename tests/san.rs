//! SAN: all legal moves are written and read back, the notations of real files are read, and texts that do not state
//! exactly one legal move are refused with the reason.

use crate::support;
use hematite::chess::{Position, Setup, chess960_back_rank};
use hematite::notation::{
    Fen, PieceLetters, San, SanError, SanMove, SanReader, SanText, UciMove, parse_san, parse_uci_move,
    position_from_fen,
};
use hematite::rng::Rng;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[track_caller]
fn position(fen: &str) -> Position {
    position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The move that a text states, in canonical SAN, or the text of the error.
fn canonical(text: &str, position: &Position) -> Result<String, String> {
    match parse_san(text, position) {
        Ok(SanMove::Move(mv)) => Ok(San::new(position, mv).to_string()),
        Ok(SanMove::Null) => Ok(SanMove::NULL.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn reads_what_real_files_hold() {
    let start = Position::start();
    let kiwipete = position(KIWIPETE);
    let knights = position("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1");
    let promoting = position("3r3k/2P5/8/8/8/8/8/K7 w - - 0 1");
    let en_passant = position("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1");
    let pawn_and_bishop = position("4k3/8/8/3p4/1P6/8/8/K4B2 w - - 0 1");
    let two_ways = position("4k3/8/8/2p5/1P6/4B3/8/K7 w - - 0 1");
    let rooks = position("7k/8/8/8/8/R7/8/R3K3 w - - 0 1");
    let cases: [(&str, &str, &Position, &str); 71] = [
        ("a push", "e4", &start, "e4"),
        ("a piece", "Nf3", &start, "Nf3"),
        ("white space", " Nf3\t", &start, "Nf3"),
        ("a capture", "Bxa6", &kiwipete, "Bxa6"),
        ("no x", "Ba6", &kiwipete, "Bxa6"),
        ("a superfluous x", "Nxf3", &start, "Nf3"),
        ("a capture as :", "B:a6", &kiwipete, "Bxa6"),
        ("a capture as : at the end", "Ba6:", &kiwipete, "Bxa6"),
        ("a capture as ×", "B×a6", &kiwipete, "Bxa6"),
        ("a capture as X", "BXa6", &kiwipete, "Bxa6"),
        ("a pawn's capture", "dxe6", &kiwipete, "dxe6"),
        ("a pawn's capture without x", "de6", &kiwipete, "dxe6"),
        ("a pawn's capture without file", "xe6", &kiwipete, "dxe6"),
        ("a pawn's capture by its target", "e6", &kiwipete, "dxe6"),
        ("a push before a capture", "d6", &kiwipete, "d6"),
        ("a pawn's file", "de4", &two_ways_for_a_pawn(), "dxe4"),
        ("a superfluous file", "ee4", &start, "e4"),
        ("a superfluous +", "e4+", &start, "e4"),
        ("a superfluous #", "Nf3#", &start, "Nf3"),
        ("a superfluous ++", "Nf3++", &start, "Nf3"),
        ("a + after a space", "Nf3 +", &start, "Nf3"),
        ("a superfluous =", "Nf3=", &start, "Nf3"),
        ("a missing +", "cxd8=R", &promoting, "cxd8=R+"),
        ("a knight's file", "Nge2", &knights, "Ne2"),
        ("a knight's rank", "N1e2", &knights, "Ne2"),
        ("a knight's square", "Ng1e2", &knights, "Ne2"),
        ("a pinned rival", "Ne2", &knights, "Ne2"),
        ("both pawns and bishops", "bc5", &two_ways, "bxc5"),
        ("a bishop in lower case", "bd3", &pawn_and_bishop, "Bd3"),
        ("a pawn in lower case", "b5", &pawn_and_bishop, "b5"),
        ("a knight in lower case", "nf3", &start, "Nf3"),
        ("a capture in lower case", "bxa6", &kiwipete, "Bxa6"),
        ("a file in upper case", "NF3", &start, "Nf3"),
        ("a pawn in upper case", "E4", &start, "e4"),
        ("a rook's rank", "R1a2", &rooks, "R1a2"),
        ("no =", "c8Q", &promoting, "c8=Q"),
        ("a promotion in lower case", "c8=q", &promoting, "c8=Q"),
        ("neither = nor upper case", "c8n", &promoting, "c8=N"),
        ("brackets", "c8(Q)", &promoting, "c8=Q"),
        ("= and brackets", "c8=(Q)", &promoting, "c8=Q"),
        ("a slash", "c8/R", &promoting, "c8=R"),
        ("a capture that promotes", "cxd8=Q", &promoting, "cxd8=Q+"),
        ("a capture that promotes, untidy", "cd8B+", &promoting, "cxd8=B"),
        ("castling", "O-O", &kiwipete, "O-O"),
        ("castling on the queen's side", "O-O-O", &kiwipete, "O-O-O"),
        ("castling with zeros", "0-0", &kiwipete, "O-O"),
        ("castling with zeros on the queen's side", "0-0-0+", &kiwipete, "O-O-O"),
        ("castling in lower case", "o-o-o", &kiwipete, "O-O-O"),
        ("castling without hyphens", "OO", &kiwipete, "O-O"),
        ("castling with dashes", "O–O–O", &kiwipete, "O-O-O"),
        ("castling as the king's move", "Ke1-g1", &kiwipete, "O-O"),
        ("castling as UCI has it", "e1c1", &kiwipete, "O-O-O"),
        ("king takes rook", "e1h1", &kiwipete, "O-O"),
        ("the pawn's letter", "Pe4", &start, "e4"),
        ("the pawn's letter and origin", "Pe2-e4", &start, "e4"),
        ("the pawn's letter and a capture", "Pdxe6", &kiwipete, "dxe6"),
        ("en passant", "exd6", &en_passant, "exd6"),
        ("en passant with its sign", "exd6e.p.", &en_passant, "exd6"),
        ("en passant with its sign apart", "exd6 ep", &en_passant, "exd6"),
        ("en passant as UCI has it", "e5d6", &en_passant, "exd6"),
        ("long algebraic", "e2-e4", &start, "e4"),
        ("long algebraic, a piece", "Ng1-f3", &start, "Nf3"),
        ("long algebraic, a capture", "Be2xa6", &kiwipete, "Bxa6"),
        ("long algebraic, a promotion", "c7-c8=Q+", &promoting, "c8=Q"),
        ("UCI", "g1f3", &start, "Nf3"),
        ("a UCI promotion", "c7d8q", &promoting, "cxd8=Q+"),
        ("annotations", "Nf3!?", &start, "Nf3"),
        ("annotations and signs", "c8=Q+!!", &promoting, "c8=Q"),
        ("figurines", "♘f3", &start, "Nf3"),
        ("black figurines", "♞f3", &start, "Nf3"),
        ("a figurine's promotion", "c8=♕", &promoting, "c8=Q"),
    ];
    for (name, text, position, expected) in cases {
        assert_eq!(canonical(text, position).as_deref(), Ok(expected), "{name}");
    }
    for text in ["--", "Z0", "0000", "--?!"] {
        assert_eq!(parse_san(text, &start), Ok(SanMove::Null), "{text}");
    }
}

/// A position in which two pawns can capture on e4, one of them illegally.
fn two_ways_for_a_pawn() -> Position {
    position("4k3/8/8/8/4p3/3P1P2/8/4K3 w - - 0 1")
}

#[test]
fn errors_tell_what_was_found_and_why_it_is_refused() {
    let start = Position::start();
    let kiwipete = position(KIWIPETE);
    let knights = position("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1");
    let promoting = position("3r3k/2P5/8/8/8/8/8/K7 w - - 0 1");
    let check = position("4k3/8/8/8/7b/8/R2P4/4K2R w K - 0 1");
    let shielded = position("4k3/8/8/8/8/8/8/rRK5 w B - 0 1");
    let through_check = position("2r1kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let cases = [
        ("nothing", "", &start, "`` is not a move, expected SAN such as Nf3, exd5 or O-O"),
        ("a result", "1-0", &start, "`1-0` is not a move, expected SAN such as Nf3, exd5 or O-O"),
        ("a word", "hello", &start, "`hello` is not a move, expected SAN such as Nf3, exd5 or O-O"),
        ("no such square", "Nf9", &start, "`Nf9` is not a move, expected SAN such as Nf3, exd5 or O-O"),
        (
            "no such promotion",
            "c8=K",
            &promoting,
            "`c8=K` is not a move, expected SAN such as Nf3, exd5 or O-O",
        ),
        (
            "ambiguous rooks",
            "Rd1",
            &position("6k1/8/8/8/8/8/1K6/R6R w - - 0 1"),
            "`Rd1` is ambiguous, expected Rad1 or Rhd1",
        ),
        ("ambiguous pawns", "xe4", &two_ways_for_a_pawn(), "`xe4` is ambiguous, expected dxe4 or fxe4"),
        (
            "ambiguous queens",
            "Qd4",
            &position("5k2/Q7/8/8/8/8/3Q4/Q6K w - - 0 1"),
            "`Qd4` is ambiguous, expected Q1d4 or Q7d4 or Qdd4",
        ),
        ("no such piece", "Nf3", &promoting, "`Nf3` is not legal: White has no knight"),
        ("no such piece on a file", "Nef3", &start, "`Nef3` is not legal: White has no knight on the e-file"),
        ("no such piece on a rank", "N5f3", &start, "`N5f3` is not legal: White has no knight on rank 5"),
        ("no such piece on a square", "Ne5f3", &start, "`Ne5f3` is not legal: White has no knight on e5"),
        ("nothing on the origin", "e5e6", &start, "`e5e6` is not legal: White has no piece on e5"),
        ("an enemy on the origin", "e7e5", &start, "`e7e5` is not legal: the pawn on e7 is not White's"),
        ("its own piece", "Ne2", &start, "`Ne2` is not legal: the own pawn is on e2"),
        (
            "the piece does not go there",
            "Ng1g3",
            &start,
            "`Ng1g3` is not legal: the knight on g1 does not go to g3",
        ),
        ("none goes there", "Ne4", &start, "`Ne4` is not legal: no knight goes to e4"),
        ("a push too far", "e5", &start, "`e5` is not legal: no pawn goes to e5"),
        ("a blocked rook", "Ra3", &start, "`Ra3` is not legal: the rook on a1 is blocked on a2"),
        ("a blocked bishop", "Ba6", &start, "`Ba6` is not legal: the bishop on f1 is blocked on e2"),
        (
            "a blocked pawn",
            "e5",
            &position("4k3/8/8/4n3/4P3/8/8/4K3 w - - 0 1"),
            "`e5` is not legal: the pawn on e4 is blocked on e5",
        ),
        (
            "a blocked double step",
            "e4",
            &position("4k3/8/8/8/8/4n3/4P3/7K w - - 0 1"),
            "`e4` is not legal: the pawn on e2 is blocked on e3",
        ),
        ("nothing to capture", "exd3", &start, "`exd3` is not legal: there is nothing to capture on d3"),
        ("a pinned piece", "Nce2", &knights, "`Nce2` is not legal: the knight on c3 is pinned by b4"),
        (
            "a pinned piece that could capture",
            "Nd5",
            &knights,
            "`Nd5` is not legal: the knight on c3 is pinned by b4",
        ),
        ("a check that stays", "Ra7", &check, "`Ra7` is not legal: the king stays in check from h4"),
        (
            "the king goes into check",
            "Kf2",
            &check,
            "`Kf2` is not legal: the king on f2 would be in check from h4",
        ),
        (
            "the king stays in line",
            "Kf1",
            &position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1"),
            "`Kf1` is not legal: the king on f1 would be in check from a1",
        ),
        (
            "en passant uncovers the king",
            "bxa6",
            &position("7k/8/8/Kpp4r/8/8/8/8 w - - 0 1"),
            "`bxa6` is not legal: White has no pawn on the b-file",
        ),
        (
            "a promotion to nothing",
            "c8",
            &promoting,
            "`c8` is not legal: the promotion on c8 is missing, expected c8=Q or another piece",
        ),
        (
            "a promotion too early",
            "e4=Q",
            &start,
            "`e4=Q` is not legal: only a pawn on the last rank becomes another piece",
        ),
        (
            "a promotion of a knight",
            "Nf3=Q",
            &start,
            "`Nf3=Q` is not legal: only a pawn on the last rank becomes another piece",
        ),
        ("castling while blocked", "O-O", &start, "`O-O` is not legal: f1 is in the way"),
        (
            "castling without a right",
            "O-O-O",
            &check,
            "`O-O-O` is not legal: White has no right to castle on the queen's side",
        ),
        ("castling in check", "0-0", &check, "`0-0` is not legal: the king is in check from h4"),
        ("castling through check", "O-O", &through_check, "`O-O` is not legal: f8 attacks f1"),
        (
            "castling with a rook that shields the king on its target",
            "O-O-O",
            &shielded,
            "`O-O-O` is not legal: a1 attacks c1",
        ),
        ("castling into check", "O-O-O", &through_check, "`O-O-O` is not legal: c8 attacks c1"),
        ("a null move in check", "--", &check, "`--` is not legal: the king is in check from h4"),
        (
            "a long text",
            &"Nf3".repeat(20),
            &kiwipete,
            "`Nf3Nf3Nf3Nf3Nf3Nf3Nf3Nf3Nf3Nf3Nf3Nf3Nf3N...` is not a move, expected SAN such as Nf3, exd5 or O-O",
        ),
    ];
    for (name, text, position, expected) in cases {
        assert_eq!(canonical(text, position), Err(expected.to_owned()), "{name}");
    }
}

#[test]
fn an_en_passant_capture_that_uncovers_the_king_is_explained() {
    let position = position("7k/8/8/KPp4r/8/8/8/8 w - c6 0 1");
    let error = canonical("bxc6", &position);
    assert_eq!(error, Err("`bxc6` is not legal: the king on a5 would be in check from h5".to_owned()));
}

#[test]
fn canonical_san_alone_is_read_if_asked_for() {
    let reader = SanReader::default().canonical();
    let promoting = position("3r3k/2P5/8/8/8/8/8/K7 w - - 0 1");
    for text in ["c8=Q", "cxd8=R+", "c8=N", "Kb1"] {
        assert!(reader.read(text.as_bytes(), &promoting).is_ok(), "{text}");
    }
    for (text, expected) in [
        ("cxd8=Q", "`cxd8=Q`, expected cxd8=Q+"),
        ("c8=N+", "`c8=N+`, expected c8=N"),
        ("cd8=R+", "`cd8=R+`, expected cxd8=R+"),
        ("Kab1", "`Kab1`, expected Kb1"),
        ("a1b1", "`a1b1`, expected Kb1"),
        ("Kb1!", "`Kb1!`, expected Kb1"),
        ("--", "`--` is not a move, expected SAN such as Nf3, exd5 or O-O"),
    ] {
        let error = reader.read(text.as_bytes(), &promoting).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn letters_of_other_languages_are_read_and_written() {
    let start = Position::start();
    let knight = parse_san("Nf3", &start).expect("a legal move");
    for (language, text) in [("German", "Sf3"), ("french", "Cf3"), ("Dutch", "Pf3"), ("Hungarian", "Hf3")] {
        let letters = PieceLetters::of_language(language).expect(language);
        let reader = SanReader::default().letters(letters);
        assert_eq!(reader.read(text.as_bytes(), &start), Ok(knight), "{language}");
        assert_eq!(reader.read(text.to_lowercase().as_bytes(), &start), Ok(knight), "{language}");
        assert_eq!(reader.canonical().read(text.as_bytes(), &start), Ok(knight), "{language}");
        assert!(reader.read(b"Nf3", &start).is_err(), "{language}");
        let mv = knight.mv().expect("no null move");
        assert_eq!(San::new(&start, mv).letters(letters).to_string(), text, "{language}");
    }
    let promoting = position("3r3k/2P5/8/8/8/8/8/K7 w - - 0 1");
    let queen = SanReader::default().letters(PieceLetters::GERMAN).read("c8D".as_bytes(), &promoting);
    assert_eq!(queen, parse_san("c8=Q", &promoting));
}

/// Checks that every legal move, written in each form, is read as itself, and that canonical texts are distinct.
fn check_round_trip(position: &Position) -> usize {
    let moves = position.legal_moves();
    let mut texts: BTreeSet<SanText> = BTreeSet::new();
    for &mv in &moves {
        let san = San::new(position, mv);
        let text = san.text();
        let expected = Ok(SanMove::Move(mv));
        let show = || format!("{text} in {}", Fen::new(position).shredder());
        assert_eq!(parse_san(&text, position), expected, "{}", show());
        assert_eq!(SanReader::default().canonical().read(text.as_bytes(), position), expected, "{}", show());
        assert_eq!(parse_san(&format!("{text}!"), position), expected, "{}", show());
        for other in
            [san.long(), san.letters(PieceLetters::FIGURINES), san.long().letters(PieceLetters::FIGURINES)]
        {
            assert_eq!(parse_san(&other.text(), position), expected, "{other}: {}", show());
        }
        let german = san.letters(PieceLetters::GERMAN).text();
        let reader = SanReader::default().letters(PieceLetters::GERMAN);
        assert_eq!(reader.read(german.as_bytes(), position), expected, "{german}: {}", show());
        assert!(texts.insert(text), "{} is written twice", show());
    }
    moves.len()
}

#[test]
fn a_hundred_thousand_random_moves_round_trip() {
    /// The maximum length of a game in plies, enough for endings with many queens.
    const MAX_PLIES: usize = 300;
    let mut rng = Rng::new(3);
    let (mut standard, mut chess960) = (0, 0);
    while standard + chess960 < 400_000 {
        let is_standard = standard <= chess960;
        let mut position = Position::start();
        if !is_standard {
            let mut back_rank = || {
                let number = u16::try_from(rng.below(960)).expect("a small number");
                chess960_back_rank(number).expect("there are 960 of them")
            };
            let setup = Setup::double_chess960(back_rank(), back_rank());
            position = Position::try_from(setup).expect("a legal start");
        }
        for _ in 0..MAX_PLIES {
            *(if is_standard { &mut standard } else { &mut chess960 }) += check_round_trip(&position);
            let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
            position = position.after(mv).0;
        }
    }
    assert!(standard > 100_000 && chess960 > 100_000);
}

/// Positions with many equal pieces, in which every kind of disambiguation is needed.
#[test]
fn crowds_of_like_pieces_are_told_apart() {
    let cases = [
        ("eight queens", "8/1Q1Q4/8/Q3Q3/7k/Q3Q3/1Q1Q4/K7 w - - 0 1"),
        ("ten knights", "8/8/1N1N4/N3N3/8/N3N3/1N1N3k/K5NN w - - 0 1"),
        ("pinned rooks", "4r3/8/8/8/r2RK1Rr/8/4R3/k3r3 w - - 0 1"),
    ];
    for (name, fen) in cases {
        assert!(check_round_trip(&position(fen)) > 0, "{name}");
    }
}

/// The FEN with an en passant square only where a capture is legal, as in rampart.
fn fen_with_legal_en_passant(position: &Position) -> String {
    let setup = Setup { en_passant: position.en_passant(), ..Setup::from(position) };
    Fen::new(&Position::try_from(setup).expect("a legal position")).to_string()
}

/// The only test case of rampart with an en passant square where no capture is possible, contrary to the rule that all
/// others follow.
const INCONSISTENT: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";

#[test]
fn rampart_lists_every_move_and_where_it_leads() {
    let mut inconsistent = 0;
    for name in
        ["castling", "checkmates", "famous", "pawns", "promotions", "stalemates", "standard", "taxing"]
    {
        let Some(text) = support::data(&format!("san/rampart/{name}.json")) else { return };
        let file: Value = serde_json::from_str(&text).expect(name);
        for case in file["testCases"].as_array().expect("a list of cases") {
            let fen = case["start"]["fen"].as_str().expect("a FEN");
            let position = position(fen);
            let mut expected: BTreeSet<(String, String)> = BTreeSet::new();
            for entry in case["expected"].as_array().expect("a list of moves") {
                let (san, after) =
                    (entry["move"].as_str().expect("SAN"), entry["fen"].as_str().expect("a FEN"));
                let tidy = fen_with_legal_en_passant(&self::position(after));
                if tidy != after {
                    assert_eq!(fen, INCONSISTENT, "{san}: {after}");
                    inconsistent += 1;
                }
                assert_eq!(canonical(san, &position).as_deref(), Ok(san), "{fen}");
                expected.insert((san.to_owned(), tidy));
            }
            let written: BTreeSet<(String, String)> = position
                .legal_moves()
                .into_iter()
                .map(|mv| {
                    let after = fen_with_legal_en_passant(&position.after(mv).0);
                    (San::new(&position, mv).to_string(), after)
                })
                .collect();
            assert_eq!(written, expected, "{fen}");
        }
    }
    assert_eq!(inconsistent, 4, "double steps in {INCONSISTENT}");
}

#[test]
fn triples_of_san_long_and_uci_are_one_move() {
    let Some(text) = support::data("san/valid_notation_tests.json") else { return };
    let cases: Value = serde_json::from_str(&text).expect("JSON");
    let cases = cases.as_array().expect("a list of cases");
    assert!(cases.len() > 20);
    for case in cases {
        let field = |name: &str| case[name].as_str().unwrap_or_else(|| panic!("{name} in {case}"));
        let (before, after) = (position(field("pos1")), position(field("pos2")));
        let san = field("algText");
        let mv = parse_uci_move(field("uciText"), &before).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(UciMove::new(mv, Default::default()).to_string(), field("uciText"));
        assert_eq!(parse_san(san, &before), Ok(SanMove::Move(mv)), "{case}");
        assert_eq!(parse_san(field("longAlgText"), &before), Ok(SanMove::Move(mv)), "{case}");
        let plain = san.trim_end_matches(['!', '?']);
        // The file forgets the check that this capture gives.
        let plain = if plain == "Qxd1" { "Qxd1+" } else { plain };
        assert_eq!(San::new(&before, mv).to_string(), plain, "{case}");
        let long = San::new(&before, mv).long().to_string();
        let expected_long = if mv.is_castle() {
            long
        } else {
            // The file writes no hyphen, and a check only in some places.
            long.replace('-', "").trim_end_matches(['+', '#']).to_owned()
        };
        assert_eq!(
            field("longAlgText").trim_end_matches(['+', '#']),
            expected_long.trim_end_matches(['+', '#']),
            "{case}"
        );
        assert_eq!(before.after(mv).0.key(), after.key(), "{case}");
    }
}

/// Texts that resemble moves, so that more of them reach the later stages of the parser.
fn likely_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-hA-HPNBRQKOo0x:=+#!?()/.1-9 -]{0,12}",
        "[NBRQKnbrqkP]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[QRBNqrbn])?[+#!?]{0,3}"
    ]
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..40), seed in any::<u64>()) {
        let position = random_position(seed);
        for letters in [PieceLetters::ENGLISH, PieceLetters::GERMAN] {
            let reader = SanReader::default().letters(letters);
            let _ = reader.read(&bytes, &position).map_err(|error| error.to_string());
            let _ = reader.canonical().read(&bytes, &position);
        }
    }

    #[test]
    fn what_is_read_is_legal(text in likely_text(), seed in any::<u64>()) {
        let position = random_position(seed);
        match parse_san(&text, &position) {
            Ok(SanMove::Move(mv)) => prop_assert!(position.is_legal(mv)),
            Ok(SanMove::Null) => prop_assert!(!position.is_check()),
            Err(SanError::Ambiguous { moves, .. }) => prop_assert!(moves.len() > 1),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

/// A position after some random moves from the start.
fn random_position(seed: u64) -> Position {
    let mut rng = Rng::new(seed);
    let mut position = Position::start();
    for _ in 0..seed % 80 {
        let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
        position = position.after(mv).0;
    }
    position
}
