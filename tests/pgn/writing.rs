//! Exported games conform to the standard, and are read again as the same games.

use super::{check_round_trip, files, games_of, mainline, only_game};
use crate::support;
use crate::support::binary::{folder, run};
use hematite::notation::pgn::pgc::{PgcReader, write_pgc};
use hematite::notation::pgn::{Date, Export, Game, GameBuilder, MoveStyle};
use std::fs;

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
    assert_eq!(game.tags.date(), Some(Date::from_numbers(1992, 11, 4)));
}

#[test]
fn movetext_is_written_as_prescribed() {
    let cases = [
        ("plain", "1.e4 e5 2.Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("no numbers", "e4 e5 Nf3 1-0", "1. e4 e5 2. Nf3 1-0"),
        ("numbers without points", "1 e4 e5 2 Nf3 0-1", "1. e4 e5 2. Nf3 0-1"),
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
        (
            "castling with zeros without hyphens",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 00 00 5. d3 *",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. d3 *",
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
        ("numbers close to moves", "1.e4e5 *", "{[%unread e4e5]} *"),
        (
            "an illegal move",
            "1. e4 e5 2. Ke3 {?!} Nc6\n3. d4 ;x\nd5 1-0",
            r"1. e4 e5 {[%unread Ke3 \(?!\) Nc6 3. d4 ;x\n d5]} 1-0",
        ),
        (
            "an illegal move in a variation",
            "1. e4 (1. d4 d4 2. x [%y]) e5 *",
            r"1. e4 (1. d4 {[%unread d4 2. x \<%y\>]}) 1... e5 *",
        ),
        ("a variation of nothing else", "1. e4 (1. Ke3 e5) e5 *", "1. e4 {[%unread (Ke3 e5)]} 1... e5 *"),
        ("a variation of nothing", "(1. e4) 1. d4 *", "{[%unread (1. e4)]} 1. d4 *"),
        (
            "a no-break space",
            "1. e4\u{a0}e5 2.\u{a0}Nf3\u{200b}Nc6\u{2060} 3. Bb5 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
        ),
        (
            "assessments in signs beyond ASCII",
            "1. e4± e5 ∓ 2. Nf3 □ Nc6∞ 3. Bb5 +− a6 =/∞ 4. Ba4⁉ N Nf6‼ 5. d3 → *",
            "1. e4 $16 1... e5 $17 2. Nf3 $7 2... Nc6 $13 3. Bb5 $18 3... a6 $44 4. Ba4 $5\n$146 4... Nf6 $3 5. d3 $40 *",
        ),
        (
            "assessments glued to moves",
            "1. e4= e5+- 2. Nf3=/+ Nc6-+ *",
            "1. e4 $10 1... e5 $18 2. Nf3 $15 2... Nc6 $19 *",
        ),
        (
            "words",
            "1. e4 novelty e5 2. Nf3 TN Nc6 dbl ch 3. Bb5 “good” a6 … *",
            "1. e4 e5 2. Nf3 $146 2... Nc6 3. Bb5 a6 *",
        ),
        ("signs glued to moves", "1. e4 ★e5 2. >Nf3 \"Nc6\" *", "1. e4 e5 2. Nf3 Nc6 *"),
        (
            "dashes",
            "1. e2–e4 e7—e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O *",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *",
        ),
        ("points instead of numbers", "1…e4 2.… e5 *", "1. e4 e5 *"),
        ("a result with spaces", "1. e4 1 - 0", "1. e4 1-0"),
        ("a result with a dash", "1. e4 0–1", "1. e4 0-1"),
        ("a result with commas", "1. e4 0,5-0,5", "1. e4 1/2-1/2"),
        ("a result with points", "1. e4 0.5 – 0.5", "1. e4 1/2-1/2"),
        ("half a result", "1. e4 1/2", "1. e4 1/2-1/2"),
        ("a forfeit", "1. e4 +:-", "1. e4 1-0"),
        ("the tag knows more", "[Result \"1-0\"] 1. e4 *", "1. e4 1-0"),
        ("a tag in another spelling", "[Result \"½–½\"] 1. e4 *", "1. e4 1/2-1/2"),
        ("a remark behind the last game", "1. e4 *\n\n{the end}", "1. e4 {the end} *"),
        (
            "another variant",
            "[Variant \"Crazyhouse\"]\n{a} 1. e4 d5 2. exd5 (2. x ;y\n) N@f3  3. Q@h5 {b} 1-0 {c}",
            "{a}\n1. e4 d5 2. exd5 (2. x ;y\n) N@f3  3. Q@h5 {b}\n{c} 1-0",
        ),
        ("the moves of chess", "[Variant \"King of the Hill\"] 1. e4 e5 2. Ke2 1-0", "1. e4 e5 2. Ke2 1-0"),
        (
            "no check counts",
            "[Variant \"Three-check\"][FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3+3 0 1\"] 1. e4 1-0",
            "1. e4 1-0",
        ),
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
fn what_is_not_read_is_told_once_and_does_not_nest() {
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Ke3 {[%clk 0:01:00] \\} Nc6 1-0\n";
    let (game, errors) = only_game(text.as_bytes());
    assert!(matches!(&errors[..], [error] if error.problem.is_unread()), "{errors:?}");
    let once = Export::new().game(&game);
    let (again, errors) = only_game(once.as_bytes());
    assert_eq!(errors, []);
    assert_eq!(Export::new().game(&again), once);
    // It is not a comment that one may do without.
    assert!(Export::new().reduced().game(&game).contains("{[%unread Ke3 "), "{once}");
    // After many words that are no moves, the move that ends the game is still told.
    let (_, errors) = only_game(format!("{} 1. e4 e5 2. Ke3 *", "x ".repeat(50)).as_bytes());
    assert!(errors.len() <= 16 && errors.last().is_some_and(|error| error.problem.is_unread()), "{errors:?}");
}

#[test]
fn games_of_a_query_are_written_in_the_letters_that_are_wanted() {
    let games = "[Event \"Kraków\"]\n[White \"Żółć\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {é} 1-0\n\n\
                 [Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n";
    let export = |arguments: &[&str]| run(&[&["pgn", "export", "-"], arguments].concat(), games.as_bytes());
    let all = export(&[]).out;
    let white = export(&["--query", "result:1-0"]).out;
    assert!(all.starts_with(&white) && white.len() < all.len() && !white.is_empty());
    for flags in [&[][..], &["--sort"], &["--eco"]] {
        let ascii = export(&[&["--ascii", "--query", "result:1-0"], flags].concat()).out;
        assert!(ascii.is_ascii() && ascii.contains("[Event \"Krak?w\"]"), "{flags:?}: {ascii}");
        assert!(ascii.contains("[White \"????\"]") && ascii.contains("{?}"), "{flags:?}: {ascii}");
    }
    let folder = support::binary::folder("export-names");
    for (name, has_warning) in
        [("a.pgn", false), ("a.PGN.zst", false), ("a.txt", true), ("a", true), ("a.epd.gz", true)]
    {
        let path = folder.join(name);
        let done = export(&["-o", path.to_str().expect("UTF-8")]);
        assert_eq!(done.code, Some(0), "{name}: {}", done.err);
        assert_eq!(done.err.contains("ends in .pgn"), has_warning, "{name}: {}", done.err);
    }
    let wrong = export(&["--query", "result:3-0"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(2), ""));
    assert_eq!(export(&["--ascii", "--fan"]).code, Some(2));
}

#[test]
fn castling_in_chess960_is_written_as_king_takes_rook() {
    let uci = Export::new().with_style(MoveStyle::Uci);
    let cases = [
        ("[Variant \"Chess960\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *", "e1h1 *"),
        ("[FEN \"4k3/8/8/8/8/8/8/4KR2 w F - 0 1\"]\n\n1. O-O *", "1. e1f1 *"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *", "e1g1 *"),
    ];
    for (text, expected) in cases {
        let (game, _) = only_game(text.as_bytes());
        let written = uci.game(&game);
        assert!(written.trim_end().ends_with(expected), "{written}");
        assert_eq!(mainline(&only_game(written.as_bytes()).0), mainline(&game), "{written}");
    }
}

#[test]
fn tags_are_read_with_odd_spaces_and_quotes_and_never_lost() {
    let text = "[Event\u{a0}\"a\"]\n[White “Carlsen”]\n[Black: nobody]\n[Result \"White won\"]\n\n1. e4 *";
    let (game, errors) = only_game(text.as_bytes());
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert_eq!((game.tags.get("Event"), game.tags.get("White")), (Some("a"), Some("Carlsen")));
    let written = Export::new().game(&game);
    assert!(written.contains("{[Black: nobody]} 1. e4 *"), "{written}");
    assert!(written.contains("[Result \"*\"]\n[Result_2 \"White won\"]\n"), "{written}");
    check_round_trip(&game, text);
}

#[test]
fn tags_are_written_in_order_and_escaped() {
    let text = r#"[Result "1-0"] [WhiteElo "2500"]
[ECO "C20"][Event "A \"B\" \\ C"]

[Odd-Name "x"] [White "Ko"rchnoi"] [ECO "C21"] [ECO "C20"] [Odd_Name "y"] 1. e4 1-0"#;
    let (game, errors) = only_game(text.as_bytes());
    assert_eq!(errors.len(), 3, "{errors:?}");
    let expected = r#"[Event "A \"B\" \\ C"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Ko\"rchnoi"]
[Black "?"]
[Result "1-0"]
[ECO "C20"]
[ECO_2 "C21"]
[Odd_Name "y"]
[Odd_Name_2 "x"]
[WhiteElo "2500"]

1. e4 1-0

"#;
    assert_eq!(Export::new().game(&game), expected);
}

/// Files of games have the extension of the standard, compressed or not; other extensions cause a warning.
#[test]
fn a_name_without_the_extension_of_its_kind_is_warned_of() {
    let folder = folder("writing-extensions");
    let write = |command: &[&str], name: &str| {
        let path = folder.join(name);
        let run =
            run(&[command, &["-", "-q", "-o", path.to_str().expect("UTF-8")]].concat(), b"1. e4 e5 *\n");
        assert_eq!(run.code, Some(0), "{run:?}");
        run.err.matches("expected a name that ends in .").count()
    };
    for (command, extension) in
        [(&["pgn", "export"][..], "pgn"), (&["pgn", "fen"], "fen"), (&["pgn", "pgc"], "pgc")]
    {
        for (name, warnings) in
            [("games.txt", 1), (&*format!("games.{extension}"), 0), (&format!("games.{extension}.gz"), 0)]
        {
            assert_eq!(write(command, name), warnings, "{command:?} {name}");
        }
    }
}
