//! `hematite pgn diff`: two games side by side.

use super::Inputs;
use super::one_game::{GameName, error_message};
use super::show::move_words;
use super::table::{Kind, Table, TextStyle, column, texts};
use crate::chess::Color;
use crate::cli::streams::{IgnoreBrokenPipe, OutputArg, write_json};
use crate::cli::values::JsonArg;
use crate::cli::{CliError, ExitStatus};
use crate::database::{GameDifferences, TagDifference};
use crate::notation::pgn::Game;
use crate::notation::pluralize;
use serde::Serialize;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  hematite pgn diff a.pgn b.pgn
  hematite pgn diff games.pgn#3 games.pgn#7
  hematite pgn diff games.pgn#4
  hematite pgn diff --json archive.hdb#120 games.pgn

FILE#N is the game of a file with this number, as `hematite pgn find --list` counts; without #N it is the first. One
game is compared with the one before it in the same file. A sign * marks what differs. Exit code 0 if the games are
equal, 1 if they differ, 2 if one cannot be read.";

/// Compare two games: tags, moves, comments and variations.
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    mut_arg("files", |arg| arg.value_name("GAME").num_args(1..=2).help("A game, such as games.pgn#3"))
)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    json: JsonArg,

    #[command(flatten)]
    target: OutputArg,
}

#[derive(Serialize)]
struct DiffReport {
    equal: bool,
    games: [String; 2],
    plies: [usize; 2],
    results: [&'static str; 2],
    /// The tags that differ.
    tags: Vec<JsonTag>,
    other_start: bool,
    first_move: Option<FirstMove>,
    comments: Vec<usize>,
    glyphs: Vec<usize>,
    variations: Vec<usize>,
    other_text: bool,
}

#[derive(Serialize)]
struct JsonTag {
    name: String,
    values: [Option<String>; 2],
}

#[derive(Serialize)]
struct FirstMove {
    /// The number of plies before the move.
    ply: usize,
    moves: [Option<String>; 2],
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether the games are equal.
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut names: Vec<GameName> = self.inputs.files.iter().cloned().map(GameName::new).collect();
        if let [only] = &names[..] {
            let number = only.number.checked_sub(1).filter(|&number| number > 0).ok_or_else(|| {
                CliError::Usage(format!("{}: there is no game before it, expected two games", only.show()))
            })?;
            names.insert(0, GameName { number, ..only.clone() });
        }
        if names.iter().all(|name| name.file.as_os_str() == "-") {
            let problem = "standard input cannot be read twice, expected another file";
            return Err(CliError::usage(problem));
        }
        let read = |name: &GameName| {
            let read = name.read(self.inputs.letters())?;
            for error in &read.errors {
                // A failure to write is ignored: the games can still be compared.
                let _ = writeln!(io::stderr(), "{}", error_message(&read.source, error));
            }
            Ok::<Game, CliError>(read.game)
        };
        let [one, other] = [read(&names[0])?, read(&names[1])?];
        let found = GameDifferences::new(&one, &other);
        let status = if found.is_empty() { ExitStatus::Yes } else { ExitStatus::No };
        let titles = [names[0].title(), names[1].title()];
        let names = [names[0].show(), names[1].show()];
        let mut output = self.target.open(out)?;
        let (own, theirs) = (move_words(&one, None, None), move_words(&other, None, None));
        if self.json.is_given() {
            // The last word is the result.
            let word = |words: &[String], ply| words[..words.len() - 1].get(ply).cloned();
            let first = |ply| FirstMove { ply, moves: [word(&own, ply), word(&theirs, ply)] };
            let report = DiffReport {
                equal: found.is_empty(),
                games: names,
                plies: [own.len() - 1, theirs.len() - 1],
                results: [one.result.as_str(), other.result.as_str()],
                first_move: found.first_move.map(first),
                other_start: found.has_other_start,
                tags: found
                    .tags
                    .into_iter()
                    .map(|TagDifference { name, values }| JsonTag { name, values })
                    .collect(),
                comments: found.comments,
                glyphs: found.glyphs,
                variations: found.variations,
                other_text: found.has_other_text,
            };
            write_json(&mut output, &report)?;
        } else {
            let tables =
                [tag_table(&titles, &one, &other, &found), move_table(&titles, &own, &theirs, &one, &found)];
            let text = texts(&tables, TextStyle::of_output(self.target.is_standard()));
            output.write_all(text.as_bytes())?;
        }
        output.finish()?;
        Ok(status)
    }
}

/// The mark of a difference.
const fn mark(differs: bool) -> &'static str {
    if differs { "*" } else { "" }
}

/// The table of the tags of both games, under a line that lists the kinds of differences.
fn tag_table(names: &[String; 2], one: &Game, other: &Game, found: &GameDifferences) -> Table {
    let mut table = Table { title: "Tags".to_owned(), facts: vec![summary(found)], ..Table::default() };
    table.columns = vec![column("", Kind::Left), column("Tag", Kind::Left)];
    table.columns.extend(names.iter().map(|name| column(name, Kind::Cut)));
    let missing = other.tags.iter().filter(|(name, _)| one.tags.get(name).is_none());
    for (name, _) in one.tags.iter().chain(missing) {
        let value = |game: &Game| game.tags.get(name).unwrap_or_default().to_owned().into();
        let differs = found.tags.iter().any(|tag| tag.name == name);
        table.push(vec![mark(differs).into(), name.into(), value(one), value(other)]);
    }
    table
}

/// The table of the moves of both games; each row has a move of White and one of Black.
fn move_table(
    names: &[String; 2],
    own: &[String],
    theirs: &[String],
    game: &Game,
    found: &GameDifferences,
) -> Table {
    let mut table = Table { title: "Moves".to_owned(), ..Table::default() };
    table.columns = vec![column("", Kind::Left)];
    table.columns.extend(names.iter().map(|name| column(name, Kind::Left)));
    table.columns.push(column("", Kind::Left));
    // If Black moves first, the first row has one move.
    let is_black = game.start().turn() == Color::Black;
    let row = |words: &[String], index: usize| {
        let end = |index: usize| (2 * index).saturating_sub(usize::from(is_black)).min(words.len());
        words[end(index)..end(index + 1)].join(" ")
    };
    let longest = own.len().max(theirs.len()) + usize::from(is_black);
    for index in 0..longest.div_ceil(2) {
        let first = (2 * index).saturating_sub(usize::from(is_black));
        let is_noted = |plies: &[usize]| plies.iter().any(|&ply| ply > first && ply <= first + 2);
        let mut notes = Vec::new();
        for (plies, name) in
            [(&found.comments, "comments"), (&found.glyphs, "glyphs"), (&found.variations, "variations")]
        {
            if is_noted(plies) || index == 0 && plies.contains(&0) {
                notes.push(name);
            }
        }
        let (one, other) = (row(own, index), row(theirs, index));
        let differs = one != other || !notes.is_empty();
        table.push(vec![mark(differs).into(), one.into(), other.into(), notes.join(", ").into()]);
    }
    table
}

/// A summary of all differences on one line.
fn summary(found: &GameDifferences) -> String {
    if found.is_empty() {
        return "The games are equal.".to_owned();
    }
    let mut parts = Vec::new();
    if !found.tags.is_empty() {
        let names: Vec<&str> = found.tags.iter().map(|tag| &*tag.name).collect();
        parts.push(format!("tags ({})", names.join(", ")));
    }
    for (differs, what) in [
        (found.has_other_start, "initial positions"),
        (found.has_other_text, "moves that are not read"),
        (found.has_other_result, "results"),
    ] {
        if differs {
            parts.push(what.to_owned());
        }
    }
    if let Some(plies) = found.first_move {
        parts.push(format!("moves (after ply {plies})"));
    }
    for (plies, what) in
        [(&found.comments, "comments"), (&found.glyphs, "glyphs"), (&found.variations, "variations")]
    {
        if !plies.is_empty() {
            parts.push(format!("{what} (at {})", pluralize(plies.len() as u64, "move")));
        }
    }
    format!("The games differ: {}.", parts.join("; "))
}
