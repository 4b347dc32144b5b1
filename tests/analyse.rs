//! `hematite analyse`: games, positions and EPD files, run by the built binary.

mod repeated;
mod shards;

use crate::support;
use crate::support::binary::{BINARY, Run, folder, run};
use hematite::analysis::{Judgement, without_own};
use hematite::notation::pgn::{Command as PgnCommand, Game, Nag, commands, games};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Three short games: with mistakes, with annotations of another program, and from a set-up position.
pub(crate) const GAMES: &str = r#"[Event "Paris"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy"]
[Black "Duke Karl"]
[Result "1-0"]
[Annotator "Smith"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 $2 {a bad move} (3... exd4 4. Nxd4 {is normal}) 4. dxe5 Bxf3 5. Qxf3 dxe5
6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6
15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[Event "Short"]
[White "Player} {One]"]
[Black "B"]
[Result "0-1"]

{At the start } 1. f3 {[%clk 0:10:00]} e5 {[%clk 0:09:00]} 2. g4 {[%clk 0:00:10]} Qh4# 0-1

[Event "Endgame"]
[White "C"]
[Black "D"]
[Result "*"]
[SetUp "1"]
[FEN "8/8/8/8/8/2k5/1q6/K7 w - - 0 60"]

*

[Event "Ending"]
[White "C"]
[Black "D"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 60"]

60. e4 Kd7 61. Kd2 Kd6 62. Kd3 Ke5 63. Ke3 Ke6 1/2-1/2
"#;

/// Options for few nodes, so that tests take little time.
const FEW: [&str; 4] = ["--nodes", "400", "--hash", "1"];

pub(crate) fn analyse(arguments: &[&str], input: &str) -> Run {
    let few =
        if arguments.contains(&"--nodes") || arguments.contains(&"--use-evals") { &[][..] } else { &FEW };
    let arguments: Vec<&str> = ["analyse"].iter().chain(few).chain(arguments).copied().collect();
    let run = run(&arguments, input.as_bytes());
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

pub(crate) fn read(text: &str) -> Vec<Game> {
    let read = |game: std::io::Result<_>| {
        let (game, errors): (Game, Vec<_>) = game.expect("text can be read");
        assert_eq!(errors, [], "{text}");
        game
    };
    games(text.as_bytes()).map(read).collect()
}

/// The numbers of positions that were searched and of those that were known, as printed on standard error.
fn effort(run: &Run) -> (u64, u64) {
    let number_before = |words: &str| {
        let before = run.err.split(words).next().unwrap_or_default();
        before.split_whitespace().last().and_then(|number| number.parse().ok())
    };
    let searched = number_before(" positions searched").or_else(|| number_before(" position searched"));
    (searched.unwrap_or_else(|| panic!("{run:?}")), number_before(" known").expect("it is stated"))
}

#[test]
fn games_are_annotated_and_nothing_is_lost() {
    let out = analyse(&["-"], GAMES).out;
    let (before, after) = (read(GAMES), read(&out));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        let moves = |game: &Game| game.mainline().map(|node| game.mv(node)).collect::<Vec<_>>();
        assert_eq!(moves(before), moves(after));
        for node in after.mainline() {
            let evaluations = after.comments(node).flat_map(commands);
            let count = evaluations.filter(|command| matches!(command, PgnCommand::Evaluation(_))).count();
            let is_mate = after.position(node).legal_moves().is_empty();
            assert_eq!(count, usize::from(!is_mate), "{out}");
        }
        let own = if before.is_empty() { None } else { Some(true) };
        assert_eq!(after.tags.get("Analysis").map(|value| value.starts_with("Hematite ")), own);
    }
    let opera = &after[0];
    assert!(opera.tags.get("Annotator").is_some_and(|value| value.starts_with("Smith:Hematite ")), "{out}");
    assert!(opera.tags.get("WhiteAccuracy").and_then(|value| value.parse::<f64>().ok()).is_some(), "{out}");
    assert!(opera.tags.get("BlackACPL").and_then(|value| value.parse::<u32>().ok()).is_some(), "{out}");
    assert!(opera.tags.get("Opening").is_some_and(|value| value.starts_with("Philidor")), "{out}");
    for kept in ["{a bad move}", "(3... exd4 4. Nxd4 {is normal})", "$2", "{At the start}", "[%clk 0:09:00]"]
    {
        let words: Vec<&str> = out.split_whitespace().collect();
        assert!(words.join(" ").contains(kept), "{kept}: {out}");
    }
    let short = &after[1];
    let g4 = short.mainline().nth(2).expect("four moves");
    assert!(short.nags(g4).any(|nag| nag == Judgement::Blunder.nag()), "{out}");
    assert!(short.nags(g4).any(|nag| nag == Nag(138)), "severe time pressure: {out}");
    assert!(short.comments(g4).any(|text| text.contains("Blunder: allows mate in 1 by 2... Qh4#")), "{out}");
    assert_eq!(short.next_alternative(g4).and_then(|node| short.nags(node).next()), None);
    assert_eq!(short.children(short.parent(g4).expect("a move before")).count(), 2, "a better line: {out}");
}

/// The number of a game is that in the collection, whatever a query excludes; its moves have no language.
#[test]
fn games_of_a_collection_are_studied() {
    let folder = folder("analyse-collection");
    let path = |name: &str| folder.join(name).to_str().expect("a plain name").to_owned();
    fs::write(path("games.pgn"), GAMES).expect("it can be written");
    let stored = run(&["db", "create", &path("games.hdb"), &path("games.pgn")], b"");
    assert_eq!(stored.code, Some(0), "{stored:?}");
    for name in ["games.pgn", "games.hdb"] {
        for (query, number) in
            [("event:short", 2), ("event:ending", 4), ("fen:\"8/8/8/8/8/2k5/1q6/K7 w - -\"", 3)]
        {
            let found = analyse(&["--json", "--query", query, &path(name)], "").out;
            let game: Value = serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}: {found}"));
            assert_eq!(game["game"].as_u64(), Some(number), "{name} {query}");
        }
    }
    // A file that is given twice is two sources.
    let twice = analyse(&["--use-evals", "--json", &path("games.pgn"), &path("games.pgn")], "").out;
    let number = |line: &str| serde_json::from_str::<Value>(line).expect(line)["game"].as_u64();
    assert_eq!(twice.lines().filter_map(number).collect::<Vec<_>>(), [1, 2, 3, 4, 1, 2, 3, 4]);
    let refused = run(&["analyse", "--language", "German", &path("games.hdb")], b"");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--language is for PGN files"), "{}", refused.err);
}

#[test]
fn the_output_depends_on_nothing_but_the_games_and_the_budget() {
    let one = analyse(&["--threads", "1", "-"], GAMES);
    let four = analyse(&["--threads", "4", "-"], GAMES);
    assert_eq!(one.out, four.out);
    let folder = folder("analyse-cache");
    let cache = folder.join("evaluations");
    let cache = cache.to_str().expect("a plain name");
    let first = analyse(&["--cache", cache, "-"], GAMES);
    let second = analyse(&["--cache", cache, "-"], GAMES);
    assert_eq!([&first.out, &second.out], [&one.out; 2]);
    let (searched, known) = effort(&first);
    assert_eq!(effort(&second), (0, searched + known));
    // Another budget is another evaluation.
    let other = analyse(&["--cache", cache, "--nodes", "401", "--hash", "1", "-"], GAMES);
    assert!(effort(&other).0 > 0, "{other:?}");
}

#[test]
fn json_has_what_programs_need() {
    let run = analyse(&["--json", "-"], GAMES);
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    assert_eq!(lines.len(), 4);
    let opera = &lines[0];
    assert_eq!((opera["game"].as_u64(), opera["plies"].as_u64()), (Some(1), Some(33)));
    let moves = opera["moves"].as_array().expect("moves");
    assert_eq!((moves[0]["move"].as_str(), moves[0]["uci"].as_str()), (Some("e4"), Some("e2e4")));
    assert!(moves[0]["score"]["cp"].is_i64() && moves[0]["depth"].is_u64(), "{}", moves[0]);
    assert!(moves[0]["best"][0]["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{}", moves[0]);
    assert!(moves[30]["score"]["mate"].as_i64().is_some_and(|moves| moves > 0), "{}", moves[30]);
    assert!(moves[32]["score"].is_null(), "a mate on the board: {}", moves[32]);
    assert!(
        opera["white"]["accuracy"].as_f64().is_some_and(|accuracy| (1.0..100.0).contains(&accuracy)),
        "{}",
        opera["white"]
    );
    assert_eq!(lines[1]["moves"][2]["judgement"].as_str(), Some("blunder"));
    assert_eq!(lines[1]["outcome"].as_str(), Some("Black mates"));
    assert_eq!(lines[2]["moves"].as_array().map(Vec::len), Some(0));
    assert_eq!(lines[3]["phases"][0]["phase"].as_str(), Some("endgame"));
}

#[test]
fn games_and_moves_are_chosen() {
    let found = analyse(&["--query", "white:morphy", "--from-move", "10", "--side", "black", "-"], GAMES);
    let games = read(&found.out);
    assert_eq!(games.len(), 1);
    let game = &games[0];
    for (ply, node) in game.mainline().enumerate() {
        let has_evaluation = game.comments(node).flat_map(commands).next().is_some();
        assert_eq!(has_evaluation, (18..32).contains(&ply), "{ply}: {}", found.out);
        let glyphs = game.nags(node).filter(|nag| Judgement::from_nag(*nag).is_some()).count();
        // The glyph of someone else stays.
        assert!(glyphs == 0 || ply == 5 || ply % 2 == 1 && ply >= 18, "{ply}: {}", found.out);
    }
    assert!(analyse(&["--from-move", "500", "-"], GAMES).out.contains("17. Rd8# 1-0"));
}

/// No judgement is stated for a side that was not judged, and a report states what the analysis has written.
#[test]
fn only_what_was_judged_is_stated() {
    let one = analyse(&["--query", "white:morphy", "--side", "black", "-"], GAMES);
    let game = &read(&one.out)[0];
    let text = one.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("{Summary: Black ") && !text.contains("White 1") && !text.contains("; White"),
        "{text}"
    );
    assert!(game.tags.get("WhiteAccuracy").is_none() && game.tags.get("BlackAccuracy").is_some(), "{text}");
    let report = run(&["report", "-", "--json"], one.out.as_bytes()).json();
    let players = &report["index"][0]["players"];
    assert!(players[0]["accuracy"].is_null() && players[0]["blunders"].is_null(), "{players}");
    assert!(players[1]["accuracy"].is_f64() && players[1]["blunders"].is_u64(), "{players}");
    let json = analyse(&["--query", "white:morphy", "--side", "black", "--json", "-"], GAMES).json();
    assert!(json.get("white").is_none() && json["black"]["accuracy"].is_f64(), "{json}");
    assert!(json["moves"][0].get("accuracy").is_none() && json["moves"][1]["loss_cp"].is_u64(), "{json}");
}

#[test]
fn a_report_repeats_what_the_analysis_has_found() {
    // Evaluations of someone else that would make each move a blunder.
    let (mut moves, mut foreign) = (0, String::new());
    for word in GAMES.split("\n\n").nth(1).expect("the moves").split_whitespace() {
        foreign += word;
        if word.starts_with(|letter: char| letter.is_ascii_alphabetic()) && word.len() > 1 && moves < 4 {
            foreign += if moves % 2 == 0 { " {[%eval -9]}" } else { " {[%eval 9]}" };
            moves += 1;
        }
        foreign.push(' ');
    }
    let mixed = format!("[White \"Morphy\"]\n[Black \"Duke\"]\n[Result \"1-0\"]\n\n{foreign}\n\n");
    for games in [GAMES.to_owned(), mixed] {
        let analyzed = analyse(&["-"], &games).out;
        let json = analyse(&["--json", "-"], &games).out;
        let report = run(&["report", "-", "--json"], analyzed.as_bytes()).json();
        let mut compared = 0;
        for (index, line) in json.lines().enumerate() {
            let found: Value = serde_json::from_str(line).expect("a JSON object");
            let reported = &report["index"][index];
            if found["moves"].as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            for (color, player) in ["white", "black"].iter().zip(0..) {
                for name in ["inaccuracies", "mistakes", "blunders"] {
                    assert_eq!(
                        reported["players"][player][name], found[color][name],
                        "{color} {name}: {reported}"
                    );
                }
                let [one, other] = [&reported["players"][player]["accuracy"], &found[color]["accuracy"]]
                    .map(|accuracy| accuracy.as_f64().expect("a number"));
                assert!((one - other).abs() <= 0.051, "{color}: {one} and {other}");
                compared += 1;
            }
        }
        assert!(compared >= 2, "{report}");
    }
}

/// A time for each position limits the search.
#[test]
fn a_time_limits_each_position() {
    let run = analyse(&["--time", "20ms", "--nodes", "100M", "--query", "event:short", "-"], GAMES);
    assert!(run.out.contains("100000000 nodes, 20 ms\"]"), "{}", run.out);
    assert!(run.out.replace('\n', " ").contains("Blunder: allows mate in 1 by 2... Qh4#"), "{run:?}");
}

/// A position instead of files is evaluated and printed.
#[test]
fn a_position_can_be_an_argument() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let text = analyse(&[mate, "--multipv", "2", "--depth", "6"], "").out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), (mate, 4), "{text}");
    assert!(lines[1].starts_with("     #1  depth ") && lines[1].ends_with("  1. Ra8#"), "{text}");
    let words: Vec<&str> = mate.split(' ').collect();
    let json = analyse(&[&words[..], &["--json"]].concat(), "").json();
    assert_eq!(
        (&json["fen"], &json["score"]["mate"], &json["lines"][0]["uci"][0]),
        (&mate.into(), &1.into(), &"a1a8".into())
    );
    let record = analyse(&[mate, "--epd"], "").out;
    assert!(record.contains(" ce 32766; dm 1;") && record.contains(" acs 0;"), "{record}");
    assert!(analyse(&["startpos"], "").out.contains("  1. "), "it has a best move");
    let over = analyse(&["7k/5KQ1/8/8/8/8/8/8", "b", "-", "-"], "").out;
    assert!(over.ends_with("\nWhite mates\n"), "{over}");
    for (wrong, problem) in [
        (&["startpos", "--side", "white"][..], "with --side, which is for games only"),
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], "FEN: "),
        (&["no-such-file.pgn"], "no-such-file.pgn"),
    ] {
        let refused = run(&[&["analyse"], wrong].concat(), b"");
        assert!(refused.code == Some(2) && refused.err.contains(problem), "{wrong:?}: {refused:?}");
    }
}

#[test]
fn another_engine_evaluates() {
    let engine = format!("'{BINARY}'");
    let run = analyse(
        &["--engine", &engine, "--option", "Hash=2", "--threads", "2", "--query", "event:short", "-"],
        GAMES,
    );
    assert!(run.out.replace('\n', " ").contains("Blunder: allows mate in 1 by 2... Qh4#"), "{run:?}");
    assert!(run.out.contains(" with Hematite "), "the engine is named: {}", run.out);
    for (arguments, problem) in [
        (&["--engine", "no-such-engine"][..], "no such program"),
        (&["--engine", &engine, "--option", "Hush=1"][..], "did you mean Hash?"),
        (&["--syzygy", "no-such-folder"][..], "no endgame tables"),
    ] {
        let failed = support::binary::run(&[&["analyse"], arguments, &["-"]].concat(), GAMES.as_bytes());
        assert_eq!(failed.code, Some(2), "{failed:?}");
        assert!(failed.err.contains(problem), "{failed:?}");
    }
}

/// Names of hostile games end no comment and start no command.
#[test]
fn earlier_games_are_named() {
    let folder = folder("analyse-reference");
    let path = folder.join("reference.pgn");
    let earlier = "[White \"Evil} [%eval 9.9] {x\"]\n[Black \"B\"]\n[Date \"1850.01.01\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 exd4 *\n\n";
    fs::write(&path, earlier).expect("it can be written");
    let games = folder.join("games.pgn");
    fs::write(&games, GAMES).expect("it can be written");
    let [path, games] = [&path, &games].map(|path| path.to_str().expect("a plain name"));
    let run = analyse(&[games, "--reference", path], "");
    let text = run.out.replace('\n', " ");
    assert!(
        text.contains("Novelty: 1 earlier game came to the position before, the last Evil) (%eval 9.9) (x - B, 1850.01.01."),
        "{text}"
    );
    assert_eq!(read(&run.out).len(), 4);
    let twice = analyse(&["-"], &run.out);
    assert_eq!(twice.out, run.out);
}

#[test]
fn records_are_evaluated() {
    let records = "6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"mate\";\nnonsense\n4k3/8/8/8/8/8/8/4K3 b - - ce 7;\n";
    let run = run(&["analyse", "--epd", "--depth", "4", "--hash", "1", "-"], records.as_bytes());
    assert_eq!(run.code, Some(1), "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains("ce 32766; dm 1; id \"mate\"; pm Ra8#; pv Ra8#;"), "{run:?}");
    assert_eq!(lines[1..], ["4k3/8/8/8/8/8/8/4K3 b - - ce 0;"]);
    assert!(run.err.contains("line 2"), "{run:?}");
    // A position that is not legal stays, with the reason.
    let illegal = "4k3/8/8/8/8/8/8/8 w - - id \"no king\"; ce 5;\n";
    let run =
        support::binary::run(&["analyse", "--epd", "--depth", "2", "--hash", "1", "-"], illegal.as_bytes());
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.out.starts_with("4k3/8/8/8/8/8/8/8 w - - c0 \"") && run.err.contains("not evaluated"),
        "{run:?}"
    );
    assert!(run.out.ends_with("\"; ce -32767; id \"no king\";\n"), "{run:?}");
    // As objects, and of a folder all files.
    let folder = folder("analyse-records");
    for name in ["a.epd", "b.epd", "c.txt"] {
        fs::write(folder.join(name), records.replace("nonsense\n", "")).expect("it can be written");
    }
    let path = folder.to_str().expect("UTF-8");
    let json =
        support::binary::run(&["analyse", "--epd", "--json", "--depth", "4", "--hash", "1", path], b"");
    assert_eq!(json.code, Some(0), "{json:?}");
    let objects: Vec<Value> =
        json.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 4, "{}", json.out);
    assert_eq!((&objects[0]["id"], &objects[0]["score"]["mate"]), (&"mate".into(), &1.into()));
    assert!(objects[3].get("score").is_none() && objects[3]["outcome"].is_string(), "{}", objects[3]);
    // An operation that cannot be read is not lost in silence.
    let record = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra9; id \"x\";\n";
    let run =
        support::binary::run(&["analyse", "--epd", "--depth", "2", "--hash", "1", "-"], record.as_bytes());
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("line 1, column ") && run.err.contains("the operation is left out"), "{run:?}");
    assert!(run.out.contains("id \"x\";") && !run.out.contains("bm"), "{run:?}");
}

/// Each part that is written about a move: only moves, better lines up to where they are clear with the glyph of the
/// position at the end, the opening, and turning points.
#[test]
fn words_and_glyphs_are_where_they_belong() {
    const MISTAKES: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
        [FEN \"2q5/5ppp/3k4/1P6/8/8/5PPP/R5K1 b - - 0 1\"]\n\n1... Kc5 2. Rc1+ Kxb5 3. Rxc8 *\n\n\
        [FEN \"6k1/5ppp/8/8/8/8/5PPP/3rR1K1 w - - 0 1\"]\n\n1. Rxd1 h6 2. Rd8+ Kh7 *\n";
    let found = analyse(&["--nodes", "5000", "--hash", "1", "--multipv", "2", "-"], MISTAKES);
    let written = read(&found.out);
    let [opening, skewer, check] = &written[..] else { panic!("{}", found.out) };
    let text = found.out.replace('\n', " ");
    for part in [
        "Opening: C23 Bishop's Opening, the last move of the book.",
        "Turning points: 3... Nf6.",
        "Turning points: 1... Kc5.",
    ] {
        assert!(text.contains(part), "{part}: {}", found.out);
    }
    let glyphs = |game: &Game| -> Vec<Vec<u8>> {
        game.mainline().map(|node| game.nags(node).map(|nag| nag.0).collect()).collect()
    };
    let none = Vec::new;
    let opening = glyphs(opening);
    // The early queen may be called an inaccuracy or not.
    assert_eq!(opening[..4], [none(), none(), none(), none()], "{}", found.out);
    assert_eq!(opening[5..], [vec![4], vec![8]], "the mate is the only good move: {}", found.out);
    // The skewer, and the capture after it; the last check has one answer.
    assert_eq!(glyphs(skewer), [vec![4], vec![8], none(), vec![8]], "{}", found.out);
    assert_eq!(glyphs(check).last(), Some(&vec![7]), "{}", found.out);
    assert_eq!(text.matches("Only move: it meets the threat 2... ").count(), 1, "{}", found.out);
    // A better line ends with a glyph of the position, after its last capture, check or promotion and the answer.
    let lines: Vec<&str> = text.split(" (").skip(1).filter(|line| line.contains("[%eval ")).collect();
    assert!(lines.len() >= 2, "{}", found.out);
    for line in lines {
        let line = line.split(')').next().unwrap_or_default();
        let words: Vec<&str> = line.split(' ').filter(|word| !word.ends_with('.')).collect();
        let [.., before, last, glyph] = words[..] else { panic!("{line}") };
        assert!(["$10", "$14", "$15", "$16", "$17", "$18", "$19"].contains(&glyph), "{line}");
        let is_loud = |mv: &str| mv.contains(['x', '+', '#', '=']);
        assert!(words.len() < 8 || is_loud(before) || is_loud(last), "{line}");
    }
}

/// The only good move has the glyph `$1` if the search finds it late, and `$8` if it finds it at once and has compared it
/// with a second line.
#[test]
fn only_moves_that_are_hard_to_find_have_their_own_glyph() {
    const HARD: [(&str, &str); 3] = [
        ("r1bq2kr/p1pp1ppp/1pn1p3/4P3/2Pb2Q1/BR6/P4PPP/3K1BNR w - - 0 1", "1. Qxg7+"),
        ("1k1r4/pp1r1pp1/4n1p1/2R5/2Pp1qP1/3P2QP/P4PB1/1R4K1 w - - 0 1", "1. Bxb7"),
        ("2r1kb1r/pp3ppp/2n1b3/1q1N2B1/1P2Q3/8/P4PPP/3RK1NR w Kk - 0 1", "1. Nc7+"),
    ];
    const EASY: [(&str, &str); 2] = [
        ("2q5/5ppp/8/1Pk5/8/8/5PPP/R5K1 w - - 0 1", "1. Rc1+"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "1. Qxf7#"),
    ];
    let glyphs = |lines: &str, (fen, mv): (&str, &str)| -> (Vec<Nag>, String) {
        let game = format!("[FEN \"{fen}\"]\n\n{mv} 1-0\n");
        let out = analyse(&["--nodes", "20000", "--hash", "1", "--multipv", lines, "-"], &game).out;
        let [written] = &read(&out)[..] else { panic!("{out}") };
        let node = written.mainline().next().expect("a move");
        (written.nags(node).collect(), out.replace('\n', " "))
    };
    for case in HARD {
        for lines in ["1", "2"] {
            let (nags, out) = glyphs(lines, case);
            assert_eq!(nags, [Nag::GOOD_MOVE], "{out}");
            assert!(out.contains("Only move, hard to find: it meets the threat "), "{out}");
        }
    }
    for case in EASY {
        let (nags, out) = glyphs("2", case);
        assert_eq!(nags, [Nag(8)], "{out}");
        assert!(out.contains("Only move") && !out.contains("hard to find"), "{out}");
        let (nags, out) = glyphs("1", case);
        assert_eq!(nags, [], "nothing is compared with a move that is found at once: {out}");
    }
}

/// The verdict of the tables is stated in words, and the better move is theirs.
#[test]
fn tables_judge_endings() {
    let Some(tables) = support::data_folder_of("syzygy") else { return };
    let game = "[FEN \"8/8/6k1/8/2P5/6K1/8/8 w - - 0 1\"]\n\n1. Kh3 Kh5 2. Kg2 Kg4 1/2-1/2\n";
    let found = analyse(&["--syzygy", tables.to_str().expect("UTF-8"), "-"], game);
    let text = found.out.replace('\n', " ");
    for part in [
        "1... Kh5 $4 {[%eval 200.00,",
        "Blunder: turns a drawn ending into a lost one, as the tables have it (0.00 to a win for White by the tables).",
        "2. Kg2 $4 {[%eval 0.00,",
        "Blunder: turns a won ending into a drawn one, as the tables have it (a win for White by the tables to 0.00). Better is \
         2. c5.",
    ] {
        assert!(text.contains(part), "{part}: {}", found.out);
    }
    assert!(!text.contains("Ending:"), "the game starts with it: {}", found.out);
    let entered =
        "[FEN \"8/8/8/6k1/2P3P1/6K1/3p4/8 w - - 0 1\"]\n\n1. c5 d1=Q 2. c6 Qd6+ 3. Kg2 Qxc6+ 4. Kg3 *\n";
    let found = analyse(&["--nodes", "2000", "--syzygy", tables.to_str().expect("UTF-8"), "-"], entered);
    let text = found.out.replace('\n', " ");
    assert_eq!(text.matches("Ending: ").count(), 1, "{}", found.out);
    let after = text.split("Qxc6+").nth(1).and_then(|rest| rest.split('}').next()).unwrap_or_default();
    assert!(after.ends_with("Ending: won for Black, as the tables have it."), "{}", found.out);
}

/// A position that occurs for the third time is named, and nothing else about it remains after a removal.
#[test]
fn repetitions_are_named() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *\n";
    let found = analyse(&["--use-evals", "-"], moves);
    let text = found.out.replace('\n', " ");
    assert!(
        text.contains("4. Ng1 Ng8 {Repetition: the position occurs for the third time.} 5. e4"),
        "{}",
        found.out
    );
    assert_eq!(text.matches("Repetition").count(), 1, "{}", found.out);
    let again = analyse(&["--use-evals", "--replace-own", "-"], &found.out);
    assert_eq!(again.out, found.out);
}

/// If no fact explains what is wrong with a move, the reply is named and its line is written.
#[test]
fn replies_refute_moves() {
    let game = "1. d4 f6 2. a3 *\n";
    let run = |arguments: &[&str]| analyse(&[arguments, &["--nodes", "20k", "-"]].concat(), game).out;
    let text = run(&[]).replace('\n', " ");
    // The reply is not the move that was played.
    let reply = text.split(" after 2. ").nth(1).and_then(|rest| rest.split('.').next()).expect("a reply");
    assert!(text.contains(&format!("(2. {reply} {{[%eval ")) && reply != "a3", "{text}");
    for plies in ["1", "2"] {
        let short = run(&["--variation-plies", plies]);
        for line in read(&short) {
            let most: usize = plies.parse().expect("a number");
            for node in line.mainline() {
                let others = line.children(line.parent(node).expect("it has a parent")).skip(1);
                for mut other in others {
                    let mut count = 1;
                    while let Some(next) = line.next(other) {
                        (other, count) = (next, count + 1);
                    }
                    assert!(count <= most, "{short}");
                }
            }
        }
    }
}
