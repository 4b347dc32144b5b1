//! PGN: every public file is read, exported games are the same games, hostile input does no harm.

mod support;

use hematite::chess::{Move, Position};
use hematite::database::{Options, Source, read};
use hematite::notation::pgn::pgc::{PgcReader, write_pgc};
use hematite::notation::pgn::{
    Export, Game, GameBuilder, GameResult, Nag, PgnError, PgnProblem, Reader, games,
};
use hematite::notation::{CastlingStyle, Fen, UciMove};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Every file below the folder, in a fixed order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn games_of(path: &Path) -> Vec<(Game, Vec<PgnError>)> {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    games(file).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The only game of a text.
fn only_game(text: &[u8]) -> (Game, Vec<PgnError>) {
    let mut found: Vec<_> = games(text).collect::<Result<_, _>>().expect("memory can be read");
    assert_eq!(found.len(), 1, "{}", String::from_utf8_lossy(text));
    found.remove(0)
}

fn mainline(game: &Game) -> Vec<Option<Move>> {
    game.mainline().map(|node| game.mv(node)).collect()
}

#[test]
fn every_public_file_is_read_and_every_refusal_explained() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let (mut count, mut plies, mut broken) = (0, 0, 0);
    for path in files(&folder) {
        for (game, errors) in games_of(&path) {
            count += 1;
            plies += game.mainline().count();
            let is_broken = |error: &PgnError| matches!(error.problem, PgnProblem::Move(_));
            broken += usize::from(errors.iter().any(is_broken));
            if let Some(error) = errors.iter().find(|error| is_broken(error)) {
                println!("{}: {error}", path.display());
            }
            for error in errors {
                let text = error.to_string();
                assert!(text.starts_with("line ") && text.contains("column"), "{text}");
            }
        }
    }
    println!("{count} games, {plies} plies, {broken} with a move that cannot be played");
    assert!(count > 3600, "{count} games");
    assert!(plies > 270_000, "{plies} plies");
    // Mails and a license, a German game, long algebraic moves run together, and few others.
    assert!(broken <= 30, "{broken} games with moves that cannot be played");
}

#[test]
fn export_is_stable_and_reads_back_as_the_same_games() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    for path in files(&folder) {
        for (index, (game, _)) in games_of(&path).into_iter().enumerate() {
            let name = format!("{}, game {}", path.display(), index + 1);
            check_round_trip(&game, &name);
            for format in [Export::new().reduced(), Export::new().without_comments().without_nags()] {
                let text = format.game(&game);
                let (again, _) = only_game(text.as_bytes());
                assert_eq!(mainline(&again), mainline(&game), "{name}");
                assert_eq!(format.game(&again), text, "{name}");
            }
        }
    }
}

/// An exported game is the same game, and is exported in the same way.
fn check_round_trip(game: &Game, name: &str) {
    let text = Export::new().game(game);
    let (again, errors) = only_game(text.as_bytes());
    let is_start =
        |error: &PgnError| matches!(error.problem, PgnProblem::Position { .. } | PgnProblem::Variant(_));
    assert!(errors.iter().all(is_start), "{name}: {errors:?}\n{text}");
    assert_eq!(Export::new().game(&again), text, "{name}");
    assert!(game.has_same_content(&again), "{name}:\n{text}");
    for line in text.lines() {
        // A word that begins with a percent sign may not begin a line.
        let has_one_token = !line.contains(' ') || line.contains(" %") || line.starts_with(['[', ';', '%']);
        assert!(line.chars().count() < 80 || has_one_token, "{name}: {line}");
        assert_eq!(line.trim_matches(' '), line, "{name}");
    }
}

#[test]
fn pgc_holds_everything_but_letters_beyond_latin1() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    for path in files(&folder) {
        // The large files say nothing more, and are slow to be sorted into ordinals.
        if fs::metadata(&path).expect("a file").len() > 400_000 {
            continue;
        }
        let games: Vec<Game> = games_of(&path).into_iter().map(|(game, _)| game).collect();
        let mut data = Vec::new();
        let replaced: Vec<_> = games.iter().map(|game| write_pgc(game, &mut data)).collect();
        let mut reader = PgcReader::new(&data[..]);
        let mut builder = GameBuilder::new();
        for (game, replaced) in games.iter().zip(replaced) {
            let Ok(replaced) = replaced else { continue };
            assert!(reader.read_game(&mut builder).expect("our own PGC"), "{}", path.display());
            if replaced == 0 {
                let (expected, got) = (Export::new().game(game), Export::new().game(builder.game()));
                assert_eq!(got, expected, "{}", path.display());
            }
        }
        assert!(!reader.read_game(&mut builder).expect("the end"), "{}", path.display());
    }
}

#[test]
fn the_sample_of_the_standard_is_exported_as_the_standard_has_it() {
    // Section 2.3, with the lines broken as in its first printing.
    let sample = "\
[Event \"F/S Return Match\"]
[Site \"Belgrade, Serbia JUG\"]
[Date \"1992.11.04\"]
[Round \"29\"]
[White \"Fischer, Robert J.\"]
[Black \"Spassky, Boris V.\"]
[Result \"1/2-1/2\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3
O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15.
Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 21.
Nc4 Nxc4 22. Bxc4 Nb6 23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7
27. Qe3 Qg5 28. Qxg5 hxg5 29. b3 Ke6 30. a3 Kd6 31. axb4 cxb4 32. Ra5 Nd5 33.
f3 Bc8 34. Kf2 Bf5 35. Ra7 g6 36. Ra6+ Kc5 37. Ke1 Nf4 38. g3 Nxh3 39. Kd2 Kb5
40. Rd6 Kc5 41. Ra6 Nf2 42. g4 Bd3 43. Re6 1/2-1/2

";
    let (game, errors) = only_game(sample.replace('\n', " ").as_bytes());
    assert_eq!(errors, []);
    assert_eq!(Export::new().game(&game), sample);
    assert_eq!(Export::new().reduced().game(&game), sample);
    assert_eq!(game.tags.date(), Some((1992, 11, 4)));
}

#[test]
fn movetext_is_written_as_prescribed() {
    let cases = [
        ("plain", "1.e4 e5 2.Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("no numbers", "e4 e5 Nf3 1-0", "1. e4 e5 2. Nf3 1-0"),
        ("numbers without points", "1 e4 e5 2 Nf3 0-1", "1. e4 e5 2. Nf3 0-1"),
        ("numbers close to moves", "1.e4e5 *", "*"),
        ("suffixes become glyphs", "1. e4! e5?? 2. Nf3 !? *", "1. e4 $1 1... e5 $4 2. Nf3 $5 *"),
        ("a number behind a comment", "1. e4 {best by test} e5 *", "1. e4 {best by test} 1... e5 *"),
        ("a number behind a variation", "1. e4 (1. d4 d5) e5 *", "1. e4 (1. d4 d5) 1... e5 *"),
        ("a rest-of-line comment", "1. e4 ;best by test\n e5 *", "1. e4 {best by test} 1... e5 *"),
        ("white space", "1. e4 {  a\n\tb } *", "1. e4 {a b} *"),
        ("a brace in a rest-of-line comment", "1. e4 ;a } b\n*", "1. e4\n;a } b\n*"),
        ("nested", "1. e4 (1. d4 (1. c4 $5 {x}) 1... d5) *", "1. e4 (1. d4 d5) (1. c4 $5 {x}) *"),
        ("before the first move", "{a} 1. e4 ({b} 1. d4) {c} *", "{a} 1. e4 {c} ({b} 1. d4) *"),
        ("between variation and move", "1. e4 (1. d4) {c} e5 *", "1. e4 (1. d4) {c} 1... e5 *"),
        (
            "castling with zeros",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 *",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *",
        ),
        ("null moves", "1. e4 (1. -- e5) Z0 *", "1. e4 (1. -- e5) 1... -- *"),
        ("escape lines", "1. e4\n%private\n1... e5 *", "1. e4\n%private\n1... e5 *"),
        ("a glyph before the first move", "$7 1. e4 $1 *", "1. e4 $7 $1 *"),
        ("a glyph before the first move of a variation", "1. e4 ($5 1. c4 {x}) *", "1. e4 (1. c4 $5 {x}) *"),
        (
            "glyphs behind a variation",
            "1. e4 $1 (1. d4 $2) $3 ({y} $5 1. c4) *",
            "1. e4 $1 $3 (1. d4 $2) ({y} 1. c4 $5) *",
        ),
        ("a glyph without moves", "{x} $7 *", "$7 {x} *"),
        ("assessments in signs", "1. e4 += e5 +- *", "1. e4 $14 1... e5 $18 *"),
        ("a half", "1. e4 ½-½", "1. e4 1/2-1/2"),
        ("a result within a variation", "1. e4 (1. d4 1-0) 0-1", "1. e4 (1. d4) 0-1"),
        ("a comment behind the result", "1. e4 1-0 {resigns}", "1. e4 {resigns} 1-0"),
        ("comments below the result", "1. e4 1-0 {a}\r\n {b}\n;c\n; d", "1. e4 {a} {b} {c} {d} 1-0"),
    ];
    for (name, text, expected) in cases {
        let (game, _) = only_game(text.as_bytes());
        let mut movetext = String::new();
        Export::new().write_movetext(&game, &mut movetext);
        assert_eq!(movetext.trim_end(), expected, "{name}");
        check_round_trip(&game, name);
    }
}

#[test]
fn tags_are_written_in_order_and_escaped() {
    let text = r#"[Result "1-0"] [WhiteElo "2500"]
[ECO "C20"][Event "A \"B\" \\ C"]

[Odd-Name "x"] [White "Ko"rchnoi"] [ECO "C21"] 1. e4 1-0"#;
    let (game, errors) = only_game(text.as_bytes());
    assert_eq!(errors.len(), 1, "{errors:?}");
    let expected = r#"[Event "A \"B\" \\ C"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Ko\"rchnoi"]
[Black "?"]
[Result "1-0"]
[ECO "C20"]
[Odd_Name "x"]
[WhiteElo "2500"]

1. e4 1-0

"#;
    assert_eq!(Export::new().game(&game), expected);
}

#[test]
fn games_begin_where_they_should_and_set_up_positions_are_kept() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"]\n\n17... Kd7 18. e4 1/2-1/2";
    let (game, errors) = only_game(text.as_bytes());
    assert_eq!(errors, []);
    let exported = Export::new().reduced().game(&game);
    assert!(
        exported.contains(
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"]\n[SetUp \"1\"]\n\n17... Kd7 18. e4 1/2-1/2"
        ),
        "{exported}"
    );

    let chess960 = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/5K1R w H - 0 1\"]

1. O-O *";
    let (game, errors) = only_game(chess960.as_bytes());
    assert_eq!(errors, []);
    assert!(game.mv(game.last()).is_some_and(Move::is_castle));

    let (game, errors) = only_game(b"[Variant \"Atomic\"]\n\n1. e4 e5 *");
    assert!(game.is_empty());
    assert!(matches!(errors[..], [PgnError { problem: PgnProblem::Variant(_), .. }]), "{errors:?}");
}

#[test]
fn errors_tell_the_place_and_the_next_game_is_read() {
    let cases: [(&str, &str, usize, &[&str]); 17] = [
        ("an illegal move", "1. e4 e5\n2. Ke3 Nc6 1-0\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 2, column 4"]),
        ("in a variation", "1. e4 (1. Ke3 e5) e5 2. Nf3 *", 1, &["line 1, column 11"]),
        ("no result", "[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 5, column 1"]),
        ("no moves", "[Event \"a\"]\n[Site \"b\"]\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 4, column 1"]),
        (
            "an open comment",
            "1. e4 {oh\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 1, column 8", "line 3, column 1"],
        ),
        (
            "an open comment before the tags",
            "{oh\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 1, column 2", "line 3, column 1"],
        ),
        (
            "an open comment behind the tags",
            "[Event \"a\"]\n\n{oh 1. e4 *\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 3, column 2", "line 5, column 1"],
        ),
        (
            "an open comment, and no game that is known by its tag",
            "{oh\n\n[White \"a\"]\n\n1. e4 *",
            1,
            &["line 1, column 2", "line 5, column 8"],
        ),
        (
            "an open variation",
            "1. e4 (1. d4 *\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 3, column 1", "line 3, column 1"],
        ),
        ("a closed variation", "1. e4 ) e5 *", 1, &["line 1, column 7"]),
        ("a variation of nothing", "(1. e4) 1. d4 *", 1, &["line 1, column 1"]),
        ("an open value", "[Event \"a]\n[Site \"b\"]\n\n1. e4 *", 1, &["line 1, column 9"]),
        ("no tag", "[Event \"a\"]\n[Site]\n\n1. e4 *", 1, &["line 2, column 1"]),
        ("a stray sign", "1. e4 > e5 *", 1, &["line 1, column 7"]),
        ("a glyph too large", "1. e4 $256 e5 *", 1, &["line 1, column 7"]),
        ("behind the result", "1. e4 1-0 ff\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 1, column 11"]),
        ("CR alone", "[Event \"a\"]\r\r1. e4 é\r1... e5 *", 1, &["line 3, column 7"]),
    ];
    for (name, text, count, places) in cases {
        for newline in ["\n", "\r\n"] {
            let text = text.replace('\n', newline);
            let found: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
            assert_eq!(found.len(), count, "{name}: {found:?}");
            let errors: Vec<String> =
                found.iter().flat_map(|(_, errors)| errors).map(|error| error.place.to_string()).collect();
            assert_eq!(errors, places, "{name}: {found:?}");
            if count == 2 {
                assert_eq!(found[1].0.tags.get("Event"), Some("b"), "{name}");
                assert_eq!(found[1].0.len(), 1, "{name}");
            }
        }
    }
}

#[test]
fn text_too_long_before_the_moves_is_told_and_left_out() {
    let moves = "e4 e5 Nf3 Nc6 ".repeat(400_000);
    let (too_long, too_large) = ("goes on for more than 1048576 bytes", "the game is too large");
    let tag = "[Event \"a\"]\n\n";
    let cases: [(&str, String, &str); 7] = [
        ("a comment", format!("{tag}{{{moves}}} 1. d4 *"), too_long),
        ("a comment before the tags", format!("{{{moves}}}\n{tag}1. d4 *"), too_long),
        ("a line", format!("{tag};{moves}\n1. d4 *"), too_long),
        ("an escape", format!("{tag}%{moves}\n1. d4 *"), too_long),
        ("an escape before the tags", format!("%{moves}\n{tag}1. d4 *"), too_long),
        ("little more than is read", format!("{tag}{{{}}} 1. d4 *", &moves[..1_400_000]), too_long),
        ("several", format!("{tag}{} 1. d4 *", format!("{{{}}}", &moves[..600_000]).repeat(3)), too_large),
    ];
    for (name, text, expected) in cases {
        let (game, errors) = only_game(text.as_bytes());
        let is_told = matches!(&errors[..], [error] if error.to_string().contains(expected));
        assert!(is_told, "{name}: {errors:?}");
        assert_eq!((game.tags.get("Event"), game.len()), (Some("a"), 1), "{name}");
    }
}

#[test]
fn a_comment_without_a_game_is_told() {
    let text = "1. e4 *\n\n% private\n\n{one}\n; two\n";
    let found: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
    let [_, (game, errors)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(errors[..], [PgnError { problem: PgnProblem::MissingGame, .. }]), "{errors:?}");
    assert_eq!(game.comments(game.last()).collect::<Vec<_>>(), ["one", "two"]);
    // What is private is nobody's business.
    assert_eq!(only_game(b"1. e4 *\n\n% private\n").1, []);
}

#[test]
fn text_is_read_in_either_encoding() {
    let cases: [(&str, &[u8]); 3] = [
        ("UTF-8", "[White \"Gómez\"] 1. e4 {café} *".as_bytes()),
        ("with a byte order mark", "\u{feff}[White \"Gómez\"] 1. e4 {café} *".as_bytes()),
        ("Latin-1", b"[White \"G\xf3mez\"] 1. e4 {caf\xe9} *"),
    ];
    for (name, text) in cases {
        let (game, errors) = only_game(text);
        assert_eq!(errors, [], "{name}");
        assert_eq!(game.tags.get("White"), Some("Gómez"), "{name}");
        assert_eq!(game.comments(game.last()).collect::<Vec<_>>(), ["café"], "{name}");
    }
    // Each text speaks for itself, in whatever order they come.
    let latin1 = b"[White \"G\xf3mez\"] 1. e4 {caf\xe9} *\n\n";
    let utf8 = "[White \"Gómez\"] 1. e4 {café} *\n\n".as_bytes();
    for mixed in [[&latin1[..], utf8].concat(), [utf8, latin1].concat()] {
        let found: Vec<_> = games(&mixed[..]).collect::<Result<_, _>>().expect("memory can be read");
        for (game, _) in &found {
            assert_eq!(game.tags.get("White"), Some("Gómez"));
            assert_eq!(game.comments(game.last()).collect::<Vec<_>>(), ["café"]);
        }
    }
}

#[test]
fn annotations_are_kept_where_they_are() {
    let (game, errors) = only_game(
        b"{start} 1. e4! $10 {[%clk 0:05:00] good} {more} (1. d4 {other}) {then} 1... e5 {end} 1-0",
    );
    assert_eq!(errors, []);
    let first = game.mainline().next().expect("a move");
    let second = game.last();
    assert_eq!(game.comments_before(first).collect::<Vec<_>>(), ["start"]);
    assert_eq!(game.comments(first).collect::<Vec<_>>(), ["[%clk 0:05:00] good", "more"]);
    assert_eq!(game.nags(first).collect::<Vec<_>>(), [Nag::GOOD_MOVE, Nag(10)]);
    assert_eq!(game.comments_before(second).collect::<Vec<_>>(), ["then"]);
    assert_eq!(game.comments(second).collect::<Vec<_>>(), ["end"]);
    let variation = game.next_alternative(first).expect("a variation");
    assert_eq!(game.comments(variation).collect::<Vec<_>>(), ["other"]);
    assert_eq!(game.result, GameResult::WhiteWins);
}

/// A reader that gives few bytes at a time, so that every token is cut somewhere.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.len().min(self.1).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn it_does_not_matter_how_the_bytes_come() {
    let text = "[Event \"a \\\"b\\\" c\"]\r\n[White \"Gómez\"]\r\n\r\n%esc\r\n1. e4 {one\r\ntwo} (1. d4 $1 ; rest\r\n) e5 1-0\r\n\r\n[Event \"b\"]\r\n\r\n1. Kx *";
    let whole: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
    for count in 1..=7 {
        let pieces: Vec<_> =
            games(Trickle(text.as_bytes(), count)).collect::<Result<_, _>>().expect("memory can be read");
        assert_eq!(pieces, whole, "{count} bytes at a time");
    }
}

#[test]
fn a_comment_belongs_to_the_game_above_if_no_line_is_empty() {
    let text = "1. e4 *\n{of the first}\n\n{of the second} 1. d4 *\n{of the second too} c4 *\r\n \r\n{of the fourth}[Event \"\"] *";
    let found: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
    let movetexts: Vec<String> = found
        .iter()
        .map(|(game, errors)| {
            assert_eq!(errors[..], []);
            let mut movetext = String::new();
            Export::new().write_movetext(game, &mut movetext);
            movetext
        })
        .collect();
    let expected = [
        "1. e4 {of the first} *\n",
        "{of the second} 1. d4 {of the second too} *\n",
        "1. c4 *\n",
        "{of the fourth} *\n",
    ];
    assert_eq!(movetexts, expected);
}

/// What a collection reads as: every game and every error, in order.
fn read_all(sources: &[Source], threads: usize) -> Vec<String> {
    let mut found = Vec::new();
    let options = Options { threads, ..Options::default() };
    let end = read(
        sources,
        &options,
        |part, emit| {
            let mut builder = GameBuilder::new();
            while part.reader.read_game(&mut builder)? {
                emit(format!("{} {:?}", Export::new().game(builder.game()), builder.errors()))?;
            }
            Ok(())
        },
        |source, text| {
            found.push(format!("{}: {text}", source.name()));
            ControlFlow::<()>::Continue(())
        },
    );
    assert!(end.expect("the files can be read").is_continue());
    found
}

#[test]
fn threads_do_not_change_what_is_read() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let sources: Vec<Source> = files(&folder).into_iter().map(Source::File).collect();
    let one = read_all(&sources, 1);
    let three = read_all(&sources, 3);
    assert!(one == three, "results differ between one thread and three");
    let plain: Vec<String> = sources
        .iter()
        .flat_map(|source| {
            let Source::File(path) = source else { unreachable!("all are files") };
            games_of(path)
                .into_iter()
                .map(|(game, errors)| format!("{}: {} {errors:?}", source.name(), Export::new().game(&game)))
        })
        .collect();
    for (piece, plain) in one.iter().zip(&plain) {
        assert_eq!(piece, plain);
    }
    assert_eq!(one.len(), plain.len());
}

#[test]
fn large_files_are_read_as_small_ones() {
    let filler = "comment ".repeat(2000);
    // The only place for a cut is behind what looks like a result in a comment that is not closed.
    let games_of_all_kinds = format!(
        "[Event \"a\"]\n\n1. e4 {{{filler}}} 1-0\n{{below}}\n\n[Event \"b\"]\n\n1. d4 *\n; below\n\n\
         {{between}}\n\n[Event \"c\"]\n\n1. c4 *\n{{below}}\n\n{{open 1-0\n\n"
    );
    let text = games_of_all_kinds.repeat(4_000_000 / games_of_all_kinds.len());
    let path = std::env::temp_dir().join(format!("hematite-large-{}.pgn", std::process::id()));
    fs::write(&path, &text).expect("a file can be written");
    let source = Source::File(path.clone());
    let whole: Vec<String> = games(text.as_bytes())
        .map(|game| game.expect("memory can be read"))
        .map(|(game, errors)| format!("{}: {} {errors:?}", source.name(), Export::new().game(&game)))
        .collect();
    let pieces = read_all(std::slice::from_ref(&source), 2);
    fs::remove_file(&path).expect("it can be removed");
    assert!(pieces == whole, "{} games, not {}", pieces.len(), whole.len());
}

#[test]
fn python_chess_reads_the_same_games() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let is_there = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        return support::skip("no python3 with chess");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/referee.py");
    let paths: Vec<PathBuf> = files(&folder).into_iter().filter(|path| is_wanted(path)).collect();
    let output = Command::new("python3").arg(script).args(&paths).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("the referee writes UTF-8");
    let mut theirs: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        theirs.entry(fields[0]).or_default().push(fields);
    }
    let mut compared = 0;
    for path in &paths {
        let mut ours = games_of(path);
        let is_well_formed = ours.iter().all(|(_, errors)| errors.is_empty());
        ours.retain(|(game, _)| !game.is_empty());
        let name = path.display().to_string();
        let theirs = theirs.get(&*name).map_or(&[][..], |games| games);
        if ours.len() != theirs.len() {
            // The two divide in different ways what is not well formed.
            assert!(!is_well_formed, "{name}: {} games, not {}", ours.len(), theirs.len());
            continue;
        }
        for ((game, errors), fields) in ours.iter().zip(theirs) {
            if !errors.is_empty() {
                continue;
            }
            let uci = |mv: Option<Move>| match mv {
                Some(mv) => UciMove::new(mv, CastlingStyle::Chess960).to_string(),
                None => UciMove::Null.to_string(),
            };
            let moves: Vec<String> = mainline(game).into_iter().map(uci).collect();
            assert_eq!(fields[2], "0", "{name}, game {}: errors", fields[1]);
            assert_eq!(moves.join(" "), fields[3], "{name}, game {}", fields[1]);
            let last: Position = game.position(game.last());
            assert_eq!(
                comparable(&Fen::new(&last).to_string()),
                comparable(fields[4]),
                "{name}, game {}",
                fields[1]
            );
            compared += 1;
        }
    }
    println!("{compared} games compared");
    assert!(compared > 2500, "only {compared} games were compared");
}

/// python-chess is slow, and some files only repeat what others have.
fn is_wanted(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pgn")
}

/// The en passant square is left out: one of us names it only where a capture is legal.
fn comparable(fen: &str) -> String {
    fen.split(' ')
        .enumerate()
        .filter(|(index, _)| *index != 3)
        .map(|(_, field)| field)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Variables that make a test read hostile input in a process of its own.
const HOSTILE: &str = "HEMATITE_TEST_HOSTILE";

/// Bytes that are made while they are read, so that they take no memory.
struct Made<'a> {
    parts: [(&'a [u8], usize); 3],
    at: usize,
}

impl Read for Made<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for (part, times) in self.parts.iter_mut() {
            if *times > 0 {
                let count = (part.len() - self.at).min(buffer.len());
                buffer[..count].copy_from_slice(&part[self.at..self.at + count]);
                self.at += count;
                if self.at == part.len() {
                    self.at = 0;
                    *times -= 1;
                }
                return Ok(count);
            }
        }
        Ok(0)
    }
}

/// What a hostile file consists of: a beginning, a middle many times over, an end.
const HOSTILE_FILES: [(&str, [(&str, usize); 3]); 13] = [
    ("a tag of 10 MB", [("[Event \"", 1), ("x", 10_000_000), ("\"]\n\n1. e4 *", 1)]),
    ("a tag with 10 MB of quotes", [("[Event \"", 1), ("\"", 10_000_000), ("\"]\n\n1. e4 *", 1)]),
    ("a line of 100 MB", [("1. e4 {", 1), ("comment ", 12_500_000), ("} e5 *", 1)]),
    ("a comment of 100 MB before the tags", [("{", 1), ("comment ", 12_500_000), ("}[A \"\"] 1. e4 *", 1)]),
    ("100 MB of moves on one line", [("", 0), ("Nf3 Nf6 Ng1 Ng8 ", 6_250_000), ("*", 1)]),
    ("a million variations", [("1. e4 ", 1), ("(", 1_000_000), (" *", 1)]),
    ("a million variations with moves", [("1. e4 ", 1), ("(e4 ", 1_000_000), (" *", 1)]),
    ("a million closings", [("1. e4 ", 1), (")", 1_000_000), (" *", 1)]),
    ("a million tags", [("", 0), ("[A \"\"]", 1_000_000), (" 1. e4 *", 1)]),
    ("a million comments before a move", [("", 0), ("{comment} ", 1_000_000), (" 1. e4 *", 1)]),
    ("a symbol of 10 MB", [("1. ", 1), ("e4", 5_000_000), (" *", 1)]),
    ("a million results", [("1. e4 ", 1), ("* ", 1_000_000), ("*", 1)]),
    ("a line of 10 MB behind a semicolon", [("1. e4 ;", 1), ("x", 10_000_000), ("\n*", 1)]),
];

#[test]
fn hostile_files_take_little_memory_and_time() {
    const MAX_MIB: u64 = 100;
    if let Ok(index) = std::env::var(HOSTILE) {
        let index: usize = index.parse().expect("an index");
        let parts = HOSTILE_FILES[index].1.map(|(text, times)| (text.as_bytes(), times));
        for game in games(Made { parts, at: 0 }) {
            let (game, errors) = game.expect("it can be read");
            assert!(errors.len() <= 16, "{} errors", errors.len());
            drop(game);
        }
        let status = fs::read_to_string("/proc/self/status").expect("there is /proc");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        println!("peak {} MiB", kib / 1024);
        assert!(kib / 1024 < MAX_MIB, "{} MiB", kib / 1024);
        return;
    }
    if !Path::new("/proc/self/status").exists() {
        return support::skip("no /proc");
    }
    for (index, (name, _)) in HOSTILE_FILES.iter().enumerate() {
        let start = Instant::now();
        let output = Command::new(std::env::current_exe().expect("a test binary"))
            .args(["hostile_files_take_little_memory_and_time", "--exact", "--nocapture"])
            .env(HOSTILE, index.to_string())
            .output()
            .expect("the test binary runs");
        let time = start.elapsed();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {text}");
        let peak = text.lines().find(|line| line.contains("peak")).unwrap_or_default();
        println!("{name}: {:.1} s, {peak}", time.as_secs_f64());
        // Far above what it takes, far below what a quadratic time would be.
        assert!(time < Duration::from_secs(120), "{name}: {time:?}");
    }
}

/// A text to be spoiled: everything that PGN has.
const RICH: &str = "\u{feff}[Event \"a \\\"b\\\" c\"]\n[Site \"é\"]\r\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n%escape\n1. O-O {x [%clk 0:01:00]} (1. O-O-O $1 O-O; rest\n2. Rd7!? (2. Kb1)) 1... O-O-O 2. Rf7 += -- 1/2-1/2\n\n[Event \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 exd6e.p. *\n\n[Event \"c\"]\n1-0";

proptest! {
    #![proptest_config(ProptestConfig { cases: support::fuzz_cases(3000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spoiled_text_never_panics_and_what_is_read_round_trips(
        changes in prop::collection::vec((0..RICH.len(), prop_oneof![
            any::<u8>(),
            prop::sample::select(b"{}()[]\"\\;%$*!?\n\r .-=0\xef\xff".to_vec()),
        ], 0..3_u8), 1..12),
        step in 1..64_usize,
    ) {
        let mut text = RICH.as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.min(text.len().saturating_sub(1));
            match kind {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                _ => drop(text.remove(at)),
            }
        }
        let found: Vec<_> = games(&text[..]).collect::<Result<_, _>>().expect("memory can be read");
        let pieces: Vec<_> = games(Trickle(&text, step)).collect::<Result<_, _>>().expect("memory can be read");
        prop_assert_eq!(&pieces, &found);
        for (game, _) in &found {
            check_round_trip(game, &String::from_utf8_lossy(&text));
        }
        let mut syntax = Reader::new(&text[..]);
        let mut count = 0;
        while syntax.read_game(&mut ()).expect("memory can be read") {
            count += 1;
        }
        prop_assert!(count <= text.len());
    }

    #[test]
    fn any_bytes_are_read(text in prop::collection::vec(any::<u8>(), 0..400)) {
        for game in games(&text[..]) {
            let (game, _) = game.expect("memory can be read");
            check_round_trip(&game, &String::from_utf8_lossy(&text));
        }
        let mut builder = GameBuilder::new();
        let mut reader = PgcReader::new(&text[..]);
        while let Ok(true) = reader.read_game(&mut builder) {}
    }
}
