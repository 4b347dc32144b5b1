//! The file with the user's defaults of the arguments, `board.toml`. Its keys are the names of the options, and
//! `files`.

use super::arguments::Arguments;
use crate::cli::streams::Input;
use crate::cli::{CliError, NAME};
use crate::files::AtomicFile;
use crate::notation::Excerpt;
use clap::{Args, FromArgMatches};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// The name of the file in the user's folder for configurations.
const FILE: &str = "board.toml";
/// The key of the arguments without an option.
const FILES: &str = "files";
/// The keys in the order of the arguments.
const KEYS: [&str; 16] = [
    FILES,
    "listen",
    "port",
    "host",
    "state",
    "progress",
    "collection",
    "syzygy",
    "book",
    "engine",
    "second-engine",
    "searches",
    "open",
    "max-connections",
    "max-requests",
    "openings",
];
/// The keys that can have several values.
const LISTS: [&str; 3] = [FILES, "host", "book"];

/// The path of the file; `None` on a system without a folder for the user's configurations.
pub(super) fn path() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", NAME).map(|folders| folders.config_dir().join(FILE))
}

/// The defaults in the file; `None` if it does not exist. Relative paths start at its folder.
///
/// # Errors
/// [`CliError::Input`] if the file cannot be read, or with the line of the first key or value that is not valid.
pub(super) fn read(path: &Path) -> Result<Option<Arguments>, CliError> {
    match fs::metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        _ => {} // other errors are reported when it is opened
    }
    let (name, text) = Input::open(path)?.read_text()?;
    let defaults = parse(&text).map_err(|problem| CliError::Input { name, problem })?;
    let folder = path.parent().unwrap_or(path);
    let (folders, in_folder) =
        (defaults.syzygy.clone(), defaults.with_paths(|path| Ok::<_, CliError>(folder.join(path)))?);
    let syzygy = folders.map(|folders| joined(&folders, |part| Some(folder.join(part)))).transpose()?;
    Ok(Some(Arguments { syzygy, ..in_folder }))
}

/// Writes the arguments as the file, in place of an earlier one; returns a sentence about it.
///
/// # Errors
/// [`CliError`] if there are no arguments, a path is not UTF-8, or the file cannot be written.
pub(super) fn write(path: &Path, arguments: &Arguments) -> Result<String, CliError> {
    let table = table(arguments)?;
    if table.is_empty() {
        let text = "--save-config: found no other argument, expected those to keep, such as --port 8090";
        return Err(CliError::usage(text));
    }
    let keys: Vec<&str> = table.keys().map(String::as_str).collect();
    let told = format!("{} has the defaults of: {}.", path.display(), keys.join(", "));
    let mut file = AtomicFile::create(path).map_err(|error| not_written(path, &error))?;
    let text = format!(
        "# The defaults of `{NAME} board`. Arguments of a command come before them; `{NAME} board --reset`\n\
         # removes this file.\n{table}"
    );
    let written = file.write_all(text.as_bytes()).and_then(|()| file.commit());
    written.map_err(|error| not_written(path, &error))?;
    Ok(told)
}

/// Removes the file; returns a sentence about it.
///
/// # Errors
/// [`CliError`] if it cannot be removed.
pub(super) fn remove(path: &Path) -> Result<String, CliError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(format!("{} is removed.", path.display())),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(format!("There is no {}, so nothing is removed.", path.display()))
        }
        Err(error) => Err(CliError::failed(format!("cannot remove {}: {error}", path.display()))),
    }
}

fn not_written(path: &Path, error: &std::io::Error) -> CliError {
    CliError::failed(format!("cannot write {}: {error}", path.display()))
}

/// The arguments in the text of a file.
fn parse(text: &str) -> Result<Arguments, String> {
    let at = |span: Range<usize>, problem: String| {
        let before = text.get(..span.start).unwrap_or(text);
        format!("line {}: {problem}", before.matches('\n').count() + 1)
    };
    let table = DeTable::parse(text)
        .map_err(|error| at(error.span().unwrap_or_default(), error.message().to_owned()))?
        .into_inner();
    let mut rows: Vec<_> = table.iter().collect();
    rows.sort_by_key(|(key, _)| key.span().start);
    let mut arguments = arguments_of(Vec::new())?;
    for (key, value) in rows {
        let read = words(key.get_ref(), value.get_ref()).and_then(arguments_of);
        let read = read.map_err(|problem| at(key.span(), problem))?;
        arguments = read.over(arguments);
    }
    Ok(arguments)
}

/// The arguments of a command with these words.
fn arguments_of(words: Vec<OsString>) -> Result<Arguments, String> {
    let command = Arguments::augment_args(clap::Command::new("board").no_binary_name(true));
    let matches =
        command.try_get_matches_from(words).and_then(|matches| Arguments::from_arg_matches(&matches));
    matches.map_err(|error| {
        let text = error.to_string();
        let message = text.split("\n\n").next().unwrap_or_default();
        message.strip_prefix("error: ").unwrap_or(message).to_owned()
    })
}

/// A key and its value as words of a command.
fn words(key: &str, value: &DeValue<'_>) -> Result<Vec<OsString>, String> {
    if !KEYS.contains(&key) {
        return Err(format!("found the key {}, expected one of {}", Excerpt::new(key), KEYS.join(", ")));
    }
    let word = |text: &str| match key {
        FILES => OsString::from(text),
        _ => OsString::from(format!("--{key}={text}")),
    };
    let single = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Ok(word(text)),
        DeValue::Integer(number) => Ok(word(number.as_str())),
        other => {
            Err(format!("{key}: found a value of type {}, expected a text or a number", other.type_str()))
        }
    };
    let mut words = match (key, value) {
        ("open", DeValue::Boolean(is_wanted)) => {
            return Ok(is_wanted.then(|| "--open".into()).into_iter().collect());
        }
        ("open", _) => return Err(format!("{key}: expected true or false")),
        (_, DeValue::Array(values)) if LISTS.contains(&key) => {
            values.iter().map(|value| single(value.get_ref())).collect::<Result<_, _>>()?
        }
        _ => vec![single(value)?],
    };
    if key == FILES {
        // Names of files may start with hyphens.
        words.insert(0, "--".into());
    }
    Ok(words)
}

/// The given arguments as keys and values, with absolute paths.
fn table(arguments: &Arguments) -> Result<Table, CliError> {
    let absolute = |path: &Path| {
        let whole = std::path::absolute(path).ok()?;
        whole.into_os_string().into_string().ok()
    };
    let text = |path: &Path| {
        absolute(path)
            .ok_or_else(|| CliError::usage(format!("--save-config: {} is no path in UTF-8", path.display())))
    };
    let mut table = Table::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            table.insert(key.to_owned(), value);
        }
    };
    let paths = |paths: &[PathBuf]| -> Result<Option<Value>, CliError> {
        let texts = paths.iter().map(|path| text(path).map(Value::from)).collect::<Result<Vec<_>, _>>()?;
        Ok((!texts.is_empty()).then(|| texts.into()))
    };
    let one = |path: &Option<PathBuf>| path.as_deref().map(text).transpose();
    let number = |number: usize| i64::try_from(number).ok().map(Value::from);
    set(FILES, paths(&arguments.files)?);
    set("listen", arguments.listen.map(|address| address.to_string().into()));
    set("port", arguments.port.map(|port| i64::from(port).into()));
    set("host", (!arguments.host.is_empty()).then(|| arguments.host.clone().into()));
    set("state", one(&arguments.state)?.map(Value::from));
    set("progress", one(&arguments.progress)?.map(Value::from));
    set("collection", one(&arguments.collection)?.map(Value::from));
    let syzygy = arguments.syzygy.as_deref();
    let syzygy = syzygy.map(|folders| joined(folders, |part| std::path::absolute(part).ok())).transpose()?;
    set("syzygy", syzygy.map(Value::from));
    set("book", paths(&arguments.book)?);
    set("engine", arguments.engine.clone().map(Value::from));
    set("second-engine", arguments.second_engine.clone().map(Value::from));
    set("searches", arguments.searches.and_then(number));
    set("open", arguments.open.then(|| true.into()));
    set("max-connections", arguments.max_connections.and_then(number));
    set("max-requests", arguments.max_requests.map(|number| i64::from(number).into()));
    set("openings", one(&arguments.openings.file)?.map(Value::from));
    Ok(table)
}

/// The folders of a list such as PATH, each changed by the function, as a list again.
fn joined(folders: &str, change: impl Fn(&Path) -> Option<PathBuf>) -> Result<String, CliError> {
    let parts: Option<Vec<PathBuf>> = env::split_paths(folders).map(|part| change(&part)).collect();
    let list = parts.and_then(|parts| env::join_paths(parts).ok()).and_then(|list| list.into_string().ok());
    list.ok_or_else(|| CliError::usage(format!("syzygy: {} is no list of folders", Excerpt::new(folders))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Limits;

    fn problem(text: &str) -> String {
        parse(text).map(|_| ()).expect_err(text)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let path = |name: &str| std::path::absolute(name).map(|path| path.display().to_string());
        let words = [
            "--port=8090",
            "--host=one",
            "--host=two",
            "--open",
            "--engine=stockfish -x",
            "--searches=3",
            "--max-requests=70",
            "--book=a.bin",
            "--book=b.bin",
            "--listen=0.0.0.0",
            "--",
            "-odd.pgn",
        ];
        let given = arguments_of(words.iter().map(OsString::from).collect()).expect("they are valid");
        let table = table(&given).expect("they are UTF-8");
        let read = parse(&table.to_string()).expect("it is valid");
        assert_eq!(super::table(&read).expect("they are UTF-8"), table);
        assert_eq!(read.files, [PathBuf::from(path("-odd.pgn").expect("it is absolute"))]);
        assert_eq!((read.port, read.host.len(), read.open, read.searches), (Some(8090), 2, true, Some(3)));
    }

    #[test]
    fn keys_are_options_of_the_command() {
        let command = Arguments::augment_args(clap::Command::new("board"));
        let options: Vec<_> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
        for key in KEYS {
            assert!(key == FILES || options.contains(&key), "{key} in {options:?}");
        }
        // Nothing that could be kept is missing.
        let others = ["max-unpacked", "save-config", "reset"];
        for option in options {
            assert!(KEYS.contains(&option) || others.contains(&option), "{option}");
        }
        let Limits { connections, requests } = Limits::default();
        let help = |name: &str| {
            let arguments = command.get_arguments();
            let found = arguments.into_iter().find(|argument| argument.get_long() == Some(name));
            found.and_then(clap::Arg::get_help).map(ToString::to_string).unwrap_or_default()
        };
        for (name, default) in [("max-connections", connections as u64), ("max-requests", requests.into())] {
            assert!(help(name).contains(&format!("[default: {default}]")), "{}", help(name));
        }
    }

    #[test]
    fn what_is_not_valid_is_told_with_its_line() {
        assert!(
            problem("port = 1\nprot = 2")
                .starts_with("line 2: found the key `prot`, expected one of files, ")
        );
        let cases = [
            ("\nport = 'x'", "line 2: invalid value 'x' for '--port <PORT>'"),
            ("port = 70000", "line 1: invalid value '70000' for '--port <PORT>'"),
            ("searches = 0", "line 1: invalid value '0' for '--searches <N>'"),
            ("# why\n\nopen = 1", "line 3: open: expected true or false"),
            ("port = [1]", "line 1: port: found a value of type array, expected a text or a number"),
            ("port = 1.5", "line 1: port: found a value of type float, expected a text or a number"),
            ("book = [true]", "line 1: book: found a value of type boolean, expected a text or a number"),
            ("port = 1\nport = 2", "line 2: "),
            ("port", "line 1: "),
        ];
        for (text, start) in cases {
            assert!(problem(text).starts_with(start), "{text:?}: {}", problem(text));
        }
    }
}
