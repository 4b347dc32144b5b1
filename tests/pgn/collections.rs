//! Whole collections, read by several threads.

use super::{files, games_of};
use crate::support;
use hematite::database::{Options, Source, read};
use hematite::notation::pgn::{Export, GameBuilder, games};
use std::fs;
use std::ops::ControlFlow;

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
