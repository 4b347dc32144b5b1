//! `hematite` without a command: the engine, which a GUI, a person or the arguments command.

use super::interruption;
use crate::chess::Position;
use crate::engine::{self, Console, Environment};
use crate::notation::parse_san;
use crate::uci::Command;
use anstream::{AutoStream, ColorChoice};
use std::ffi::OsString;
use std::io::{self, Cursor, IsTerminal};
use std::process::ExitCode;

/// Commands of the engine that begin with a word which is no command of the program.
const WORDS: [&str; 16] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "go",
    "stop",
    "quit",
    "wait",
    "d",
    "fen",
    "eval",
    "moves",
    "flip",
    "compiler",
    "speedtest",
    "genfens",
];

/// Those among them that go on with the arguments after them, as far as these begin no command.
const OPEN_ENDED: [&str; 4] = ["setoption", "go", "speedtest", "genfens"];

/// Who says so of a command wants to know what there is.
const HELP: [&str; 2] = ["-h", "--help"];

/// Between two commands of the arguments: each is done before the next.
const SEPARATOR: &str = "\nwait\n";

/// Letters in a line of a terminal that does not tell.
const DEFAULT_WIDTH: usize = 100;

/// The arguments as lines for the engine, if they are commands of UCI: the first has several
/// words, or is one that only the engine knows, or a move.
pub(super) fn script(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let first = arguments.first()?.as_str();
    let has_words = !first.starts_with('-') && first.contains(char::is_whitespace);
    let is_command = WORDS.contains(&first) || has_words || parse_san(first, &Position::start()).is_ok();
    let wants_help = arguments.iter().any(|argument| HELP.contains(&argument.as_str()));
    is_command.then(|| if wants_help { "help".to_owned() } else { commands(&arguments).join(SEPARATOR) })
}

/// Each argument is a command, but for words that belong to an open-ended one before them, and for `stop`: what
/// is done before the next command need not be stopped, and what has no end the next command ends.
fn commands(arguments: &[String]) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_open = false;
    for argument in arguments {
        match commands.last_mut() {
            Some(last) if is_open && !begins_command(argument) => {
                last.push(' ');
                last.push_str(argument);
            }
            _ => {
                is_open = OPEN_ENDED.contains(&argument.as_str());
                commands.push(argument.clone());
            }
        }
    }
    commands.retain(|command| Command::parse(command.as_bytes()).command != Some(Command::Stop));
    commands
}

/// Is it more than a word of another command?
fn begins_command(argument: &str) -> bool {
    let command = Command::parse(argument.as_bytes()).command;
    argument.contains(char::is_whitespace) || !matches!(command, None | Some(Command::Shorthand(_)))
}

/// Lets the engine do what a script says.
pub(super) fn obey(script: String) -> ExitCode {
    engine::run(Cursor::new(script.into_bytes()), io::stdout(), environment())
}

/// Lets the engine do what it hears on its standard input.
pub(super) fn converse() -> ExitCode {
    engine::run(io::stdin(), io::stdout(), environment())
}

fn environment() -> Environment {
    Environment { interruptions: interruption::announced(), console: console(), is_output_closed }
}

/// Does nobody read the standard output any more?
#[cfg(unix)]
fn is_output_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let output = io::stdout();
    let mut polled = [PollFd::new(&output, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&at_once)).is_ok()
        && polled[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Only writing finds out.
#[cfg(not(unix))]
fn is_output_closed() -> bool {
    false
}

/// The terminal, if the output is one.
fn console() -> Option<Console> {
    let output = io::stdout();
    let has_colors = AutoStream::choice(&output) != ColorChoice::Never;
    output.is_terminal().then(|| Console { has_colors, width: width(&output) })
}

#[cfg(unix)]
fn width(output: &io::Stdout) -> usize {
    let size = rustix::termios::tcgetwinsize(output).ok();
    size.map(|size| usize::from(size.ws_col)).filter(|&width| width > 0).unwrap_or(DEFAULT_WIDTH)
}

#[cfg(not(unix))]
fn width(_output: &io::Stdout) -> usize {
    DEFAULT_WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_the_engine_are_told_from_those_of_the_program() {
        let cases: [(&[&str], Option<&str>); 17] = [
            (&[], None),
            (&["position", "startpos"], None),
            (&["bench"], None),
            (&["--version"], None),
            (&["-x y"], None),
            (&["position startpos", "go depth 3"], Some("position startpos\nwait\ngo depth 3")),
            (&["bench 5"], Some("bench 5")),
            (&["uci"], Some("uci")),
            (&["speedtest", "1", "2"], Some("speedtest 1 2")),
            (&["go", "depth", "3", "d"], Some("go depth 3\nwait\nd")),
            (
                &["genfens", "2", "seed", "7", "book", "None", "quit"],
                Some("genfens 2 seed 7 book None\nwait\nquit"),
            ),
            (&["go depth 3", "stop", "d"], Some("go depth 3\nwait\nd")),
            (&["go", "depth", "3", "stop"], Some("go depth 3")),
            (&["Nf3", "d"], Some("Nf3\nwait\nd")),
            (&["Nf5"], None),
            (&["genfens", "--help"], Some("help")),
            (&["genfens 3 seed 1 book None", "quit"], Some("genfens 3 seed 1 book None\nwait\nquit")),
        ];
        for (arguments, expected) in cases {
            let found = script(arguments.iter().map(OsString::from));
            assert_eq!(found.as_deref(), expected, "{arguments:?}");
        }
    }
}
