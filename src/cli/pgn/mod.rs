//! `hematite pgn`: tools for collections of games.

mod annotated;
mod archive;
mod check;
mod compared_games;
mod crosstable;
mod diff;
mod duplicates;
mod each_game;
mod eco_tree;
mod edit;
mod export;
mod fen;
mod find;
mod finder;
mod found_games;
mod inputs;
mod list;
mod listed_games;
mod maneuvers;
mod move_orders;
mod nags;
mod novelties;
mod one_game;
mod pgc;
mod player;
mod query;
mod query_filter;
mod retag;
mod show;
mod split;
mod stats;
pub(super) mod table;
mod table_markup;
mod tables;
mod tree;
mod tree_epd;
mod tree_games;
pub(super) mod tree_place;
mod tree_report;
mod walk;

pub(super) use crosstable::event_table;
pub(super) use duplicates::Arguments as DuplicatesArguments;
pub(super) use each_game::{GameCounter, read_found};
pub(super) use edit::{edit_text, read_one};
pub(super) use export::Arguments as ExportArguments;
pub(in crate::cli) use inputs::{InputEnd, Inputs, Sifted, Wanted, language, progress_bar};
pub(in crate::cli::pgn) use inputs::{sources, warn};
pub(super) use novelties::{earlier_games, first_moves};
pub(super) use one_game::{GameName, JsonHead, NamedOpening, error_message};
pub(super) use query::{QueryArg, read_query};
pub(super) use query_filter::{Counts, QueryFilter};
pub(super) use retag::{Arguments as RetagArguments, Changes as RetagChanges, Rules as RetagRules, is_made};
pub(super) use tables::{opening_table, player_table};

use super::{CliError, ExitStatus};
use crate::database::Source;
use crate::notation::pgn::{PgnError, Place};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::{self, Write};

/// Check, find, compare, normalize, count and convert games.
#[derive(clap::Subcommand, Debug)]
#[command(defer = true)]
pub(super) enum Command {
    Check(check::Arguments),
    Export(export::Arguments),
    Fen(fen::Arguments),
    Find(find::Arguments),
    Show(show::Arguments),
    Diff(diff::Arguments),
    Nags(nags::Arguments),
    Stats(stats::Arguments),
    Tree(tree::Arguments),
    Maneuvers(maneuvers::Arguments),
    Novelties(novelties::Arguments),
    Players(tables::Arguments),
    Player(player::Arguments),
    Crosstable(crosstable::Arguments),
    Openings(tables::OpeningArguments),
    Duplicates(duplicates::Arguments),
    Split(split::Arguments),
    Archive(archive::Arguments),
    Retag(retag::Arguments),
    #[command(subcommand, after_help = edit::EXAMPLES)]
    Edit(edit::Command),
    Pgc(pgc::WriteArguments),
    Unpgc(pgc::ReadArguments),
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            Self::Check(arguments) => arguments.run(out),
            Self::Export(arguments) => arguments.run(out),
            Self::Fen(arguments) => arguments.run(out),
            Self::Find(arguments) => arguments.run(out),
            Self::Show(arguments) => arguments.run(out),
            Self::Diff(arguments) => arguments.run(out),
            Self::Nags(arguments) => arguments.run(out),
            Self::Stats(arguments) => arguments.run(out),
            Self::Tree(arguments) => arguments.run(out),
            Self::Maneuvers(arguments) => arguments.run(out),
            Self::Novelties(arguments) => arguments.run(out),
            Self::Players(arguments) => arguments.run(out),
            Self::Player(arguments) => arguments.run(out),
            Self::Crosstable(arguments) => arguments.run(out),
            Self::Openings(arguments) => arguments.run(out),
            Self::Duplicates(arguments) => arguments.run(out),
            Self::Split(arguments) => arguments.run(out),
            Self::Archive(arguments) => arguments.run(out),
            Self::Retag(arguments) => arguments.run(out),
            Self::Edit(command) => command.run(out),
            Self::Pgc(arguments) => arguments.run(out),
            Self::Unpgc(arguments) => arguments.run(out),
        }
    }
}

/// The games that a command takes, and its findings.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(in crate::cli) struct Selection {
    #[command(flatten)]
    broken: BrokenGames,

    /// Count every finding, not only moves that are not read: for --broken and for the exit code.
    #[arg(long)]
    strict: bool,

    /// Print no findings on standard error. The exit code is the same.
    #[arg(long, short)]
    quiet: bool,
}

/// Whether games with moves that cannot be read are taken.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub(super) struct BrokenGames {
    /// Games with moves that cannot be read: keep them, drop them, or take only them [default: keep].
    #[arg(long, value_name = "WHAT", default_value = "keep", hide_default_value = true)]
    broken: Broken,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Broken {
    /// All games are taken, as far as they can be read.
    #[default]
    Keep,
    /// Only games that can be read to their end.
    Drop,
    /// Only games that cannot.
    Only,
}

impl BrokenGames {
    /// Whether a game is selected that is broken or not.
    pub(super) fn takes(self, is_broken: bool) -> bool {
        match self.broken {
            Broken::Keep => true,
            Broken::Drop => !is_broken,
            Broken::Only => is_broken,
        }
    }
}

impl Selection {
    /// Whether a game is selected that is broken or not.
    pub(super) fn takes(self, is_broken: bool) -> bool {
        self.broken.takes(is_broken)
    }

    /// Whether a game with this error is broken.
    pub(super) const fn breaks(self, error: &PgnError) -> bool {
        self.strict || error.problem.is_unread()
    }

    /// Whether all moves must be read because errors matter.
    fn is_thorough(self) -> bool {
        self.strict || self.broken.broken != Broken::Keep
    }

    /// Whether nothing is printed on standard error.
    pub(in crate::cli) const fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Selects all games, without messages.
    fn all() -> Self {
        Self { broken: BrokenGames::default(), strict: false, quiet: true }
    }

    /// The same selection without messages.
    pub(in crate::cli) fn silent(self) -> Self {
        Self { quiet: true, ..self }
    }

    /// Prints the findings of some games.
    pub(in crate::cli) fn print(self, findings: &[Finding], source: &Source, bar: &ProgressBar) {
        if !self.quiet {
            for finding in findings {
                finding.print(&source.name(), bar);
            }
        }
    }
}

/// The number of findings of a file that are passed on at a time.
pub(in crate::cli) const MAX_FINDINGS: usize = 1000;
/// The size of the text that a command passes on at a time, in bytes.
const TEXT_BYTES: usize = 1 << 16;

/// The capacity for the text after one of this length: a little more than as much, since growing takes time.
const fn room_after(length: usize) -> usize {
    /// The divisor for the additional room.
    const MORE: usize = 8;
    length + length / MORE
}

/// The findings of some games, one game after another.
#[derive(Default)]
pub(in crate::cli) struct Findings {
    pub found: Vec<Finding>,
    /// Whether any game is broken.
    pub has_broken: bool,
    /// The number of findings before the current game.
    before: usize,
    is_broken: bool,
}

impl Findings {
    pub(in crate::cli) fn begin_game(&mut self) {
        self.before = self.found.len();
        self.is_broken = false;
    }

    pub(in crate::cli) fn add(&mut self, error: &PgnError, selection: Selection) {
        self.is_broken |= selection.breaks(error);
        self.found.push(error.into());
    }

    /// Ends a game and returns whether it is selected. The findings of an intact game that is not selected are dropped.
    pub(in crate::cli) fn end_game(&mut self, selection: Selection) -> bool {
        let is_taken = selection.takes(self.is_broken);
        if !is_taken && !self.is_broken {
            self.found.truncate(self.before);
        }
        self.has_broken |= self.is_broken;
        is_taken
    }

    /// Ends a game that is ignored, and drops its findings.
    pub(in crate::cli) fn drop_game(&mut self) {
        self.found.truncate(self.before);
        self.is_broken = false;
    }

    /// Adds all errors of a game; returns whether the game is selected.
    pub(in crate::cli) fn add_game(&mut self, errors: &[PgnError], selection: Selection) -> bool {
        self.begin_game();
        for error in errors {
            self.add(error, selection);
        }
        self.end_game(selection)
    }
}

/// The exit status of a command that has read games.
pub(in crate::cli) const fn verdict(has_broken: bool) -> ExitStatus {
    if has_broken { ExitStatus::No } else { ExitStatus::Yes }
}

/// A message about a place in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(in crate::cli) struct Finding {
    pub line: u64,
    pub column: u64,
    pub offset: u64,
    pub message: String,
}

impl Finding {
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        let Place { offset, line, column } = place;
        Self { line, column, offset, message: message.into() }
    }

    /// Prints the finding on standard error. A failure to print is ignored: the games can still be written.
    pub(super) fn print(&self, file: &str, bar: &ProgressBar) {
        let _ = bar.suspend(|| writeln!(io::stderr(), "{}", self.show(file)));
    }

    /// The finding in the format of compilers, which editors understand.
    pub(super) fn show(&self, file: &str) -> String {
        format!("{file}:{}:{}: {}", self.line, self.column, self.message)
    }
}

impl From<&PgnError> for Finding {
    fn from(error: &PgnError) -> Self {
        Self::new(error.place, error.problem.to_string())
    }
}
