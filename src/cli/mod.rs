//! The command line: arguments become options, options one call, and the call an exit code.
//!
//! Exit codes: 0 done; 1 the answer is no; 2 usage, input or output.

mod arena;
mod bench;
mod book;
mod completions;
mod counted;
mod datagen;
mod epd;
mod error;
mod helpers;
mod input;
mod interruption;
mod man;
mod net;
mod openings;
mod output;
mod perft;
mod pgn;
mod position;
mod progress;
mod quantity;
mod train;
mod training_data;
mod tune;
mod uci;

use crate::search::STACK;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use error::CliError;
use output::Heedless;
use std::any::TypeId;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

const EXAMPLES: &str = "\
Examples:
  hematite                      start the UCI engine, as a chess GUI does
  hematite bench                a reproducible node count, and the speed
  hematite perft 6              count the leaves below the initial position
  hematite match --help         engine against engine
  hematite pgn check games.pgn  find what is wrong with games
  hematite book make --help     opening books from games
  hematite epd run --time 1000 wac.epd   solve a test suite
  hematite position startpos    a position, its moves and what is wrong with it
  hematite datagen --help       games for the training of a network
  hematite train --help         training of a network on them
  hematite tune --help          better numbers for the search
  hematite help perft           all about a command

Commands of UCI, each in quotes, are obeyed one after the other:
  hematite \"position startpos\" \"go depth 10\"";

/// A UCI chess engine and a workbench for chess engines.
///
/// Without a command it speaks UCI on standard input and output.
#[derive(Parser, Debug)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Bench(bench::Arguments),
    #[command(subcommand, after_help = "Example:\n  hematite book make games.pgn --out book.bin")]
    Book(book::Command),
    Datagen(datagen::Arguments),
    Completions(completions::Arguments),
    #[command(after_help = "Example:\n  hematite epd run --time 1000 wac.epd")]
    Epd(epd::Arguments),
    Perft(perft::Arguments),
    // `match` is a word of the language.
    #[command(name = "match")]
    Arena(arena::Arguments),
    #[command(after_help = "Example:\n  hematite net info hematite.nnue")]
    Net(net::Arguments),
    Man(man::Arguments),
    #[command(hide = true)]
    Guard(helpers::GuardArguments),
    #[command(subcommand, after_help = "Example:\n  hematite pgn check games.pgn")]
    Pgn(pgn::Command),
    Position(position::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
}

/// How a command has ended that could do its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// It is done, and the answer, if there was a question, is yes.
    Yes,
    /// It is done, and the answer is no: a check failed.
    No,
}

/// What the program is called.
const NAME: &str = "hematite";

/// Exit code of a command whose answer is no.
const EXIT_NO: u8 = 1;
/// Exit code after an error of usage, input or output, as `clap` has it.
const EXIT_ERROR: u8 = 2;

/// Runs the command that the arguments of the process name, in a thread that has the stack for a
/// search.
pub fn main() -> ExitCode {
    match thread::Builder::new().name("command".to_owned()).stack_size(STACK).spawn(run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        // A machine without room for a thread may still tell its version.
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    if let Some(script) = uci::script(env::args_os().skip(1)) {
        return uci::obey(script);
    }
    let arguments = match parse(arena::with_two_dashes(env::args_os())) {
        Ok(arguments) => arguments,
        Err(message) => {
            // Help and version are messages too. Nobody is left to hear that they cannot be shown.
            let _ = message.print();
            return if message.use_stderr() { ExitCode::from(EXIT_ERROR) } else { ExitCode::SUCCESS };
        }
    };
    let Some(command) = arguments.command else {
        return uci::converse();
    };
    let mut out = io::stdout().lock();
    let result = command.run(&mut out).and_then(|verdict| {
        // There is an answer already, whoever reads the end of the text.
        Heedless::new(&mut out).flush()?;
        Ok(verdict)
    });
    match result {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(EXIT_NO),
        // Whoever reads has read enough.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(EXIT_ERROR)
        }
    }
}

/// What the arguments of the process ask for.
fn parse(arguments: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let mut command = with_negative_values(Arguments::command());
    let matches = command.try_get_matches_from_mut(arguments)?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Takes `-1` for a value wherever a value is expected, so that who refuses it says what would do; also `-1e-9`, which
/// is no number to clap, where a fraction is expected.
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

impl Command {
    fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        match self {
            Self::Bench(arguments) => arguments.run(out),
            Self::Book(command) => command.run(out),
            Self::Datagen(arguments) => arguments.run(out),
            Self::Completions(arguments) => arguments.run(out),
            Self::Epd(arguments) => arguments.run(out),
            Self::Perft(arguments) => arguments.run(out),
            Self::Arena(arguments) => arguments.run(out),
            Self::Net(arguments) => arguments.run(out),
            Self::Man(arguments) => arguments.run(out),
            Self::Guard(arguments) => arguments.run(),
            Self::Pgn(command) => command.run(out),
            Self::Position(arguments) => arguments.run(out),
            Self::Train(arguments) => arguments.run(out),
            Self::Tune(arguments) => arguments.run(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        with_negative_values(Arguments::command()).debug_assert();
    }
}
