//! The command line: arguments, commands and exit codes.
//!
//! Exit codes: 0 for success; 1 for a negative answer; 2 for an error of usage, input or output.

mod analyse;
mod arena;
mod backsolve;
mod bench;
#[cfg(feature = "board")]
mod board;
mod book;
mod datagen;
mod db;
mod diagram;
mod docs;
mod epd;
mod net;
mod outcome;
mod perft;
mod pgn;
mod position;
mod progress;
mod puzzles;
mod report;
mod signals;
mod streams;
mod study;
mod terminal;
mod train;
mod training_data;
mod tune;
mod uci;
mod values;

use crate::notation::eco;
use crate::search::STACK;
use crate::uci::nearest;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use outcome::{CliError, ExitStatus};
use std::any::TypeId;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use streams::{IgnoreBrokenPipe, Input};

const EXAMPLES: [&str; 4] = [
    "\
Examples:
  hematite                      start the UCI engine, as a GUI does
  hematite bench                a reproducible node count, and the speed
  hematite perft 6              count the leaves below the initial position
  hematite match --help         matches between engines
  hematite epd run --time 1000 wac.epd   solve a test suite
  hematite position startpos    a position, its moves and its errors
",
    "  \
  hematite pgn check games.pgn  check games for errors
  hematite analyse games.pgn -o annotated.pgn   annotate games: evaluations, mistakes, better lines
  hematite board --open         play and analyze on a page in the browser
  hematite db create games.hdb games.pgn   make a collection, to ask it in milliseconds
  hematite book make --help     make an opening book from games
  hematite diagram startpos -o start.svg   draw a position
  hematite report games.pgn -o games.html  games as a page with boards and tables
  hematite puzzles games.pgn -o puzzles.pgn   make puzzles of games, and check them
  hematite study games.pgn      guess moves, solve problems, train a repertoire
",
    "  \
  hematite datagen --help       generate self-play games for training
  hematite train --help         train a network on them
  hematite tune --help          tune search parameters
",
    "  \
  hematite help perft           the options of a command

UCI commands, each in quotes, are executed one after the other:
  hematite \"position startpos\" \"go depth 10\"",
];

/// The examples of commands that this program has.
fn examples() -> String {
    let [engine, workbench, training, rest] = EXAMPLES;
    let workbench = if cfg!(feature = "workbench") { workbench } else { "" };
    let training = if cfg!(feature = "training") { training } else { "" };
    [engine, workbench, training, rest].concat()
}

/// A UCI chess engine and a workbench for chess engines.
///
/// Without a command it speaks UCI on standard input and output.
#[derive(Parser, Debug)]
#[command(version, after_help = examples())]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
enum Command {
    #[cfg(feature = "workbench")]
    Analyse(Box<analyse::Arguments>),
    #[cfg(feature = "workbench")]
    Backsolve(backsolve::Arguments),
    Bench(bench::Arguments),
    #[cfg(feature = "board")]
    Board(board::Arguments),
    #[cfg(feature = "workbench")]
    #[command(subcommand, after_help = "Example:\n  hematite book make games.pgn --output book.bin")]
    Book(book::Command),
    #[cfg(feature = "training")]
    Datagen(datagen::Arguments),
    #[cfg(feature = "workbench")]
    #[command(subcommand, after_help = "Example:\n  hematite db create games.hdb games.pgn")]
    Db(db::Command),
    #[cfg(feature = "workbench")]
    Diagram(diagram::Arguments),
    Completions(docs::CompletionsArguments),
    #[command(after_help = "Example:\n  hematite epd run --time 1000 wac.epd")]
    Epd(epd::Arguments),
    Perft(perft::Arguments),
    // `match` is a keyword.
    #[command(name = "match")]
    Arena(arena::Arguments),
    #[cfg(feature = "training")]
    #[command(after_help = "Example:\n  hematite net info hematite.nnue")]
    Net(net::Arguments),
    Man(docs::ManArguments),
    #[command(hide = true)]
    Guard(signals::GuardArguments),
    #[cfg(feature = "workbench")]
    #[command(subcommand, after_help = "Example:\n  hematite pgn check games.pgn")]
    Pgn(pgn::Command),
    Position(position::Arguments),
    #[cfg(feature = "workbench")]
    Puzzles(puzzles::Arguments),
    #[cfg(feature = "workbench")]
    Report(report::Arguments),
    #[cfg(feature = "workbench")]
    Study(Box<study::Arguments>),
    #[cfg(feature = "training")]
    Train(train::Arguments),
    #[cfg(feature = "training")]
    Tune(tune::Arguments),
}

/// The name of the program.
const NAME: &str = "hematite";

/// The exit code of a command whose answer is negative.
const EXIT_NO: u8 = 1;
/// The exit code after an error of usage, input or output, the same as that of `clap`.
const EXIT_ERROR: u8 = 2;

/// Runs the command that the arguments of the process state, if the CPU has the instructions that the program is built
/// for.
pub fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    if crate::cpu::instructions::are_missing() {
        return ExitCode::from(EXIT_ERROR);
    }
    start()
}

/// Runs the command in a thread with enough stack for a search. The function is not inlined into its caller, which must
/// work on any CPU.
#[inline(never)]
fn start() -> ExitCode {
    match thread::Builder::new().name("command".to_owned()).stack_size(STACK).spawn(run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        // Even without memory for a thread, the version can be printed.
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    if let Some(script) = uci::script(env::args_os().skip(1)) {
        return uci::run_script(&script);
    }
    let (arguments, openings) = match parse(arena::with_two_dashes(env::args_os())) {
        Ok(arguments) => arguments,
        Err(message) => {
            // Help and version are also messages of clap. A reader that has gone has read enough of them.
            let printed = message.print().and_then(|()| io::stdout().flush());
            let is_printed =
                printed.map_or_else(|error| error.kind() == io::ErrorKind::BrokenPipe, |()| true);
            let is_done = is_printed && !message.use_stderr();
            return if is_done { ExitCode::SUCCESS } else { ExitCode::from(EXIT_ERROR) };
        }
    };
    let Some(command) = arguments.command else {
        return uci::run();
    };
    let mut out = io::stdout().lock();
    let named = openings.map_or(Ok(()), |list| name_openings_by(&list));
    let result = named.and_then(|()| command.run(&mut out)).and_then(|verdict| {
        // The exit code matters even if the output is closed.
        IgnoreBrokenPipe::new(&mut out).flush()?;
        Ok(verdict)
    });
    match result {
        Ok(ExitStatus::Yes) => ExitCode::SUCCESS,
        Ok(ExitStatus::No) => ExitCode::from(EXIT_NO),
        Ok(ExitStatus::Incomplete) => ExitCode::from(EXIT_ERROR),
        // The reader of the output has closed the pipe.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            error.print();
            ExitCode::from(EXIT_ERROR)
        }
    }
}

/// The parsed arguments of the process, and the list of openings that is stated among them.
///
/// Only the stated command is built at first, which takes a fraction of the time that all commands take. They are
/// built for messages, and where a value may start with a hyphen.
fn parse(arguments: Vec<OsString>) -> Result<(Arguments, Option<PathBuf>), clap::Error> {
    let matches = Arguments::command().try_get_matches_from(&arguments).or_else(|error| {
        if error.kind() == ErrorKind::DisplayVersion {
            return Err(error);
        }
        let mut command = with_negative_values(all_commands());
        match command.try_get_matches_from_mut(&arguments) {
            // Reflowing help texts takes longer than the rest of the start, so it is done only when help is printed.
            Err(error) if is_help(error.kind()) => {
                with_flowing_help(command).try_get_matches_from_mut(&arguments)
            }
            result => result.map_err(|error| with_near_suggestions(error, &mut command, &arguments)),
        }
    })?;
    let arguments =
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut all_commands()))?;
    Ok((arguments, opening_list(&matches).cloned()))
}

/// All commands with their arguments, which are otherwise built only for the stated command.
fn all_commands() -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    command
}

/// Whether an error of clap is a request for the help of a command.
fn is_help(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand)
}

/// The error without suggestions that differ too much from the word that was found. For a name of a subcommand of
/// another command, that command is suggested.
fn with_near_suggestions(
    mut error: clap::Error,
    command: &mut clap::Command,
    arguments: &[OsString],
) -> clap::Error {
    let string = |value: Option<&ContextValue>| match value {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    // The names are similar, or one is the start of the other.
    let is_near = |found: &str, name: &str| name.starts_with(found) || nearest(found, [name]).is_some();
    if let Some(found) = string(error.get(ContextKind::InvalidSubcommand)) {
        // `help` has all commands as subcommands.
        let below = command
            .get_subcommands()
            .filter(|other| other.get_name() != "help" && other.find_subcommand(&found).is_some());
        let mut names: Vec<String> = below.map(|other| format!("{} {found}", other.get_name())).collect();
        if let Some(ContextValue::Strings(similar)) = error.remove(ContextKind::SuggestedSubcommand)
            && names.is_empty()
        {
            names = similar.into_iter().filter(|name| is_near(&found, name)).collect();
        }
        if !names.is_empty() {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(names));
        } else if matches!(error.get(ContextKind::Suggested), Some(ContextValue::StyledStrs(tips)) if tips.is_empty())
        {
            // An empty list would be printed as an empty line.
            error.remove(ContextKind::Suggested);
        }
    }
    for (kind, suggested) in [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ] {
        let (found, name) = (string(error.get(kind)), string(error.get(suggested)));
        if let (Some(found), Some(name)) = (found, name)
            && !is_near(&found, &name)
        {
            error.remove(suggested);
            if kind == ContextKind::InvalidArg {
                // The usage in the error includes the removed suggestion.
                let usage = ContextValue::StyledStr(named(command, arguments).render_usage());
                error.insert(ContextKind::Usage, usage);
            }
        }
    }
    error
}

/// The command that the arguments after the name of the program state.
fn named<'a>(command: &'a mut clap::Command, arguments: &[OsString]) -> &'a mut clap::Command {
    let Some(name) = arguments.get(1).and_then(|name| name.to_str()) else { return command };
    if command.find_subcommand(name).is_none() {
        return command;
    }
    let below = command.find_subcommand_mut(name).expect("it was found");
    named(below, &arguments[1..])
}

/// The option for a list of openings of every command that uses names of openings: all commands with a query, which may
/// refer to openings, and some others.
#[derive(clap::Args, Clone, Debug)]
struct OpeningListArg {
    /// Name openings by this list instead: lines of code, name and moves with tabs between them. Its names come before
    /// those of tags.
    #[arg(id = OPENING_LIST, long = "openings", value_name = "FILE")]
    // The list is read by this id before the command runs.
    file: Option<PathBuf>,
}

/// The id of the option for a list of openings. Commands for books and matches have options for other openings.
const OPENING_LIST: &str = "opening_list";

/// The list of openings of the command, if one is stated.
fn opening_list(matches: &ArgMatches) -> Option<&PathBuf> {
    match matches.subcommand() {
        Some((_, below)) => opening_list(below),
        None => matches.try_get_one(OPENING_LIST).ok().flatten(),
    }
}

/// Replaces the built-in names of openings by a list of the user.
///
/// # Errors
/// [`CliError::Input`] if the list cannot be read, with the first invalid line.
fn name_openings_by(list: &Path) -> Result<(), CliError> {
    let (name, text) = Input::open(list)?.read_text()?;
    let mut openings = eco::OpeningList::default();
    let read = openings.add(&text).and_then(|()| eco::Openings::from_table(&openings.table()));
    let openings = read.map_err(|error| CliError::Input { name, problem: error.to_string() })?;
    // A process runs one command, which has at most one list.
    let _ = eco::choose(openings);
    Ok(())
}

/// Accepts negative numbers as option values, so that the value parser reports the valid range. Also accepts `-1e-9`,
/// which clap does not recognize as a number.
fn with_negative_values(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let is_fraction = argument.get_value_parser().type_id() == TypeId::of::<f64>();
            match argument.get_action().takes_values() {
                true if is_fraction => argument.allow_hyphen_values(true),
                true => argument.allow_negative_numbers(true),
                false => argument,
            }
        })
        .mut_subcommands(with_negative_values)
}

/// The command and its subcommands with help texts reflowed to the width of the terminal: in the source, their lines
/// are as long as those of the code.
fn with_flowing_help(command: clap::Command) -> clap::Command {
    let command = match command.get_after_help() {
        Some(help) => {
            let text = flowing(&help.to_string());
            command.after_help(text)
        }
        None => command,
    };
    command.mut_subcommands(with_flowing_help)
}

/// The text with each paragraph joined into one line. Indented lines, such as examples and tables, are kept; a line
/// that is indented further continues the previous one, unless that ends with the backslash of a shell.
fn flowing(text: &str) -> String {
    let mut flowing = String::with_capacity(text.len());
    // The indentation of the paragraph or the indented line that may continue; `None` if none is open.
    let mut open: Option<usize> = None;
    for (index, line) in text.split('\n').enumerate() {
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        let continues = |start: usize| if start == 0 { indent == 0 } else { indent > start };
        if !words.is_empty() && !flowing.ends_with('\\') && open.is_some_and(continues) {
            flowing.push(' ');
            flowing.push_str(words);
            continue;
        }
        if index > 0 {
            flowing.push('\n');
        }
        flowing.push_str(line);
        open = (!words.is_empty()).then_some(indent);
    }
    flowing
}

impl Command {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            #[cfg(feature = "workbench")]
            Self::Analyse(arguments) => arguments.run(out),
            #[cfg(feature = "workbench")]
            Self::Backsolve(arguments) => arguments.run(out),
            Self::Bench(arguments) => arguments.run(out),
            #[cfg(feature = "board")]
            Self::Board(arguments) => arguments.run(out),
            #[cfg(feature = "workbench")]
            Self::Book(command) => command.run(out),
            #[cfg(feature = "training")]
            Self::Datagen(arguments) => arguments.run(out),
            #[cfg(feature = "workbench")]
            Self::Db(command) => command.run(out),
            #[cfg(feature = "workbench")]
            Self::Diagram(arguments) => arguments.run(out),
            Self::Completions(arguments) => arguments.run(out),
            Self::Epd(arguments) => arguments.run(out),
            Self::Perft(arguments) => arguments.run(out),
            Self::Arena(arguments) => arguments.run(out),
            #[cfg(feature = "training")]
            Self::Net(arguments) => arguments.run(out),
            Self::Man(arguments) => arguments.run(out),
            Self::Guard(arguments) => arguments.run(),
            #[cfg(feature = "workbench")]
            Self::Pgn(command) => command.run(out),
            Self::Position(arguments) => arguments.run(out),
            #[cfg(feature = "workbench")]
            Self::Puzzles(arguments) => arguments.run(out),
            #[cfg(feature = "workbench")]
            Self::Report(arguments) => arguments.run(out),
            #[cfg(feature = "workbench")]
            Self::Study(arguments) => arguments.run(out),
            #[cfg(feature = "training")]
            Self::Train(arguments) => arguments.run(out),
            #[cfg(feature = "training")]
            Self::Tune(arguments) => arguments.run(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_leave_the_help_of_their_command() {
        // A deferred command takes the help of its arguments, also where its variant has another one.
        fn check(listed: &clap::Command, built: &clap::Command) {
            for listed in listed.get_subcommands() {
                let built = built.find_subcommand(listed.get_name()).expect("it is listed");
                let texts = |command: &clap::Command| {
                    [command.get_about(), command.get_after_help()].map(|text| text.map(ToString::to_string))
                };
                for (listed, built_text) in texts(listed).into_iter().zip(texts(built)) {
                    assert!(listed.is_none() || listed == built_text, "{}: {listed:?}", built.get_name());
                }
                assert!(built.get_about().is_some(), "{}", built.get_name());
                check(listed, built);
            }
        }
        check(&Arguments::command(), &all_commands());
    }

    #[test]
    fn arguments_are_consistent() {
        with_negative_values(all_commands()).debug_assert();
    }

    #[test]
    fn lines_of_a_paragraph_are_joined_and_others_stay() {
        let text =
            "Examples:\n  hematite a\n  hematite b\n\nIt does\nthis.\n\nAnd that:\n  x  1\n  y  2\nThe\nend.";
        let expected =
            "Examples:\n  hematite a\n  hematite b\n\nIt does this.\n\nAnd that:\n  x  1\n  y  2\nThe end.";
        assert_eq!(flowing(text), expected);
        assert_eq!(flowing(expected), expected);
        let indented = "Examples:\n  a \\\n      b\n\nRules:\n  x  one,\n     two\n       three\n  y  four";
        let expected = "Examples:\n  a \\\n      b\n\nRules:\n  x  one, two three\n  y  four";
        assert_eq!(flowing(indented), expected);
        assert_eq!(flowing(""), "");
    }

    #[test]
    fn commands_below_others_have_it_too() {
        let command = clap::Command::new("a").subcommand(clap::Command::new("b").after_help("one\ntwo"));
        let command = with_flowing_help(command);
        let below = command.find_subcommand("b").expect("it is there");
        assert_eq!(below.get_after_help().expect("it has one").to_string(), "one two");
    }
}
