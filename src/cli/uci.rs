//! `hematite` without a command: the engine, which a GUI, a person or the arguments command.

use super::interruption;
use crate::engine::{self, Console, Surroundings};
use std::ffi::OsString;
use std::io::{self, Cursor, IsTerminal};
use std::process::ExitCode;

/// Commands of the engine that are one word and no command of the program.
const WORDS: [&str; 10] =
    ["uci", "isready", "go", "d", "fen", "eval", "moves", "flip", "compiler", "speedtest"];

/// Between two commands of the arguments: each is done before the next.
const SEPARATOR: &str = "\nwait\n";

/// Letters in a line of a terminal that does not tell.
const DEFAULT_WIDTH: usize = 100;

/// The arguments as lines for the engine, if they are commands of UCI: the first has several
/// words, or is one that only the engine knows.
pub(super) fn script(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let commands: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let first = commands.first()?;
    let is_command =
        WORDS.contains(&first.as_str()) || !first.starts_with('-') && first.contains(char::is_whitespace);
    is_command.then(|| commands.join(SEPARATOR))
}

/// Lets the engine do what a script says.
pub(super) fn obey(script: String) -> ExitCode {
    engine::run(Cursor::new(script.into_bytes()), io::stdout(), surroundings())
}

/// Lets the engine do what it hears on its standard input.
pub(super) fn converse() -> ExitCode {
    engine::run(io::stdin(), io::stdout(), surroundings())
}

fn surroundings() -> Surroundings {
    Surroundings { interruptions: interruption::announced(), console: console() }
}

/// The terminal, if the output is one.
fn console() -> Option<Console> {
    let output = io::stdout();
    // <https://no-color.org>
    let is_set = |name| std::env::var_os(name).is_some_and(|value: OsString| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    output
        .is_terminal()
        .then(|| Console { has_colors: !is_set("NO_COLOR") && !is_dumb, width: width(&output) })
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
        let cases: [(&[&str], Option<&str>); 9] = [
            (&[], None),
            (&["position", "startpos"], None),
            (&["bench"], None),
            (&["--version"], None),
            (&["-x y"], None),
            (&["position startpos", "go depth 3"], Some("position startpos\nwait\ngo depth 3")),
            (&["bench 5"], Some("bench 5")),
            (&["uci"], Some("uci")),
            (&["genfens 3 seed 1 book None", "quit"], Some("genfens 3 seed 1 book None\nwait\nquit")),
        ];
        for (arguments, expected) in cases {
            let found = script(arguments.iter().map(OsString::from));
            assert_eq!(found.as_deref(), expected, "{arguments:?}");
        }
    }
}
