//! Files of many games, read by several threads.

use super::{files, games_of};
use crate::support;
use crate::support::binary::{folder, run};
use hematite::database::{Options, Source, read};
use hematite::notation::pgn::{Export, GameBuilder, games};
use std::fs;
use std::ops::ControlFlow;

/// The games and errors of some sources, in order.
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
            found.push(format!("{}: {}", source.name(), text.expect("the files can be read")));
            ControlFlow::<()>::Continue(())
        },
    );
    assert!(end.is_continue());
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

/// A query may start with a hyphen, in every command that takes one.
#[test]
fn queries_may_begin_with_a_hyphen() {
    let game = |white: &str, black: &str, result: &str, moves: &str| {
        format!(
            "[Event \"E\"]\n[Site \"?\"]\n[Date \"2000.01.01\"]\n[Round \"?\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let games = game("A", "B", "1-0", "1. e4 {[%eval 0.3]} e5 2. Nf3") + &game("C", "D", "0-1", "1. d4 d5");
    let folder = folder("hyphens");
    let file = folder.join("games.pgn");
    fs::write(&file, games).expect("a file");
    let in_folder = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (file, collection, other) = (in_folder("games.pgn"), in_folder("games.hdb"), in_folder("other.hdb"));
    assert_eq!(run(&["db", "create", &collection, &file], b"").code, Some(0));
    let (parts, archive, packed) = (in_folder("parts"), in_folder("archive"), in_folder("games.pgc"));
    const QUERY: &str = "-white:a";
    let commands: [&[&str]; 25] = [
        &["pgn", "check", "--query", QUERY, &file],
        &["pgn", "export", "--query", QUERY, &file],
        &["pgn", "fen", "--query", QUERY, &file],
        &["pgn", "find", QUERY, &file],
        &["pgn", "find", QUERY, "--count", &file],
        &["pgn", "find", "-q", "--list", QUERY, &file],
        &["pgn", "show", "--query", QUERY, &file],
        &["pgn", "stats", "--query", QUERY, &file],
        &["pgn", "tree", "--query", QUERY, &file],
        &["pgn", "maneuvers", "--query", QUERY, &file],
        &["pgn", "players", "--query", QUERY, &file],
        &["pgn", "player", "c", "--query", QUERY, &file],
        &["pgn", "crosstable", "--query", QUERY, &file],
        &["pgn", "openings", "--query", QUERY, &file],
        &["pgn", "split", "--games", "1", "--query", QUERY, &file, "-o", &parts],
        &["pgn", "archive", "--query", QUERY, &file, "-o", &archive],
        &["pgn", "retag", "--set", "Round=1", "--query", QUERY, &file],
        &["pgn", "pgc", "--query", QUERY, &file, "-o", &packed],
        &["db", "create", &other, "--query", QUERY, &file],
        &["db", "queries", &collection, "--set", "mine", QUERY],
        &["db", "edit", "retag", &collection, "--set", "Round=1", "--query", QUERY],
        &["db", "export", &collection, "--query", QUERY],
        &["db", "delete", &collection, QUERY],
        &["report", "--query", QUERY, &file],
        &["analyse", "--nodes", "1", "--query", QUERY, &file],
    ];
    for arguments in commands {
        let done = run(arguments, b"");
        assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.err);
        // All games are written, of which some are changed.
        let writes_all = arguments.contains(&"retag");
        assert!(writes_all || !done.out.contains("\"A\""), "{arguments:?}: {}", done.out);
    }
    assert_eq!(run(&["pgn", "find", "", "--count", &other], b"").out, "1\n");
    let (left, named) = (
        run(&["pgn", "find", "", "--count", &collection], b""),
        run(&["pgn", "find", "-query:mine", "--count", &collection], b""),
    );
    assert_eq!((&*left.out, &*named.out), ("1\n", "1\n"));
    // Nothing is new where there is no earlier game.
    let none = run(&["pgn", "novelties", "--query", QUERY, &file], b"");
    assert!(none.code == Some(1) && none.out.contains("0 of 1 game"), "{none:?}");
    // Others ask the same option; what they do takes longer.
    for arguments in [&["puzzles"][..], &["study"]] {
        let refused = run(&[arguments, &["--query", "-date:x", &file]].concat(), b"");
        assert!(
            refused.code == Some(2) && refused.err.contains("query: column 7"),
            "{arguments:?}: {}",
            refused.err
        );
    }
    // An option that there is not is no query.
    let wrong = run(&["pgn", "find", "--cuont", "white:a", &file], b"");
    assert!(wrong.code == Some(2) && wrong.err.contains("`--cuont`, which is no option"), "{}", wrong.err);
}
