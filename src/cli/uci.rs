//! `hematite` without a command: the UCI engine.

use super::{EXIT_ERROR, signals, terminal};
use crate::chess::Position;
use crate::engine::{self, Console, Environment};
use crate::notation::{Excerpt, parse_san};
use crate::uci::{Command, ParseWarning};
use anstream::{AutoStream, ColorChoice};
use std::ffi::OsString;
use std::io::{self, Cursor, IsTerminal, Write as _};
use std::process::ExitCode;

/// Commands of the engine whose first word is not a command of the program.
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

/// The commands of [`WORDS`] that include all arguments up to the next command.
const OPEN_ENDED: [&str; 4] = ["setoption", "go", "speedtest", "genfens"];

/// Arguments that ask for help.
const HELP: [&str; 2] = ["-h", "--help"];

/// The separator of commands in a script: each command ends before the next one starts.
const SEPARATOR: &str = "\nwait\n";

/// The width of a terminal whose width is not known, in characters.
const DEFAULT_WIDTH: usize = 100;

/// The arguments as commands of the engine; `None` unless the first argument has several words, or is a move or a
/// command of the engine only.
pub(super) fn script(arguments: impl Iterator<Item = OsString>) -> Option<Vec<String>> {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let first = arguments.first()?.as_str();
    let has_words = !first.starts_with('-') && first.contains(char::is_whitespace);
    let is_command = WORDS.contains(&first) || has_words || parse_san(first, &Position::start()).is_ok();
    let wants_help = arguments.iter().any(|argument| HELP.contains(&argument.as_str()));
    is_command.then(|| if wants_help { vec!["help".to_owned()] } else { commands(&arguments) })
}

/// Splits the arguments into commands. Each argument is a command, except words after an open-ended command. `stop` is
/// dropped, since each command ends before the next one starts.
fn commands(arguments: &[String]) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_open = false;
    for argument in arguments {
        match commands.last_mut() {
            Some(last) if is_open && !starts_command(argument) => {
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

/// Whether an argument starts a command, instead of continuing one.
fn starts_command(argument: &str) -> bool {
    let command = Command::parse(argument.as_bytes()).command;
    argument.contains(char::is_whitespace) || !matches!(command, None | Some(Command::Shorthand(_)))
}

/// Runs the engine on the commands of a script. If a command contains an unknown word, none is run: the message would
/// be overlooked in the output.
pub(super) fn run_script(script: &[String]) -> ExitCode {
    if let Some((command, problem)) = script.iter().find_map(|command| Some((command, problem(command)?))) {
        // A closed standard error does not matter.
        let _ = writeln!(io::stderr(), "error: {}: {problem}", Excerpt::new(command));
        return ExitCode::from(EXIT_ERROR);
    }
    let lines = script.join(SEPARATOR).into_bytes();
    engine::run(Cursor::new(lines), io::stdout(), Environment { is_script: true, ..environment() })
}

/// The message about the first unknown word of a command; `None` if all are known.
fn problem(command: &str) -> Option<String> {
    Command::parse(command.as_bytes()).warnings.iter().find_map(ParseWarning::refusal)
}

/// Runs the engine on standard input.
pub(super) fn run() -> ExitCode {
    engine::run(io::stdin(), io::stdout(), environment())
}

fn environment() -> Environment {
    let interruptions = signals::interrupts();
    Environment { interruptions, console: console(), is_script: false, is_output_closed }
}

/// Whether the reader of standard output has closed it.
#[cfg(unix)]
fn is_output_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let output = io::stdout();
    let mut polled = [PollFd::new(&output, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&at_once)).is_ok()
        && polled[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// On such a system, only a failed write reports this.
#[cfg(not(unix))]
fn is_output_closed() -> bool {
    false
}

/// The settings of the terminal; `None` if the output is not a terminal.
fn console() -> Option<Console> {
    let output = io::stdout();
    let has_colors = AutoStream::choice(&output) != ColorChoice::Never;
    output.is_terminal().then(|| Console {
        has_colors,
        width: terminal::size().map_or(DEFAULT_WIDTH, |(columns, _)| columns),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_commands_of_the_engine_or_of_the_program() {
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
            assert_eq!(found.map(|found| found.join(SEPARATOR)).as_deref(), expected, "{arguments:?}");
        }
    }
}
