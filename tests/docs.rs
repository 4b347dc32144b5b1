//! The documentation: links, file names and options exist, commands run, and sessions get the answers shown.
//!
//! Each line of an `sh` block is run, in the order of the document and in one folder for each document, with the files
//! that the documents name. A comment `exit code N` at the end of a line states an exit code other than 0. Long
//! commands are shortened by [`SHORTER`]; commands that cannot be run are listed in [`NOT_RUN`], each with a reason.

#[cfg(unix)]
mod fixtures;

use crate::support::binary::{BINARY, folder, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The documents, and whether their commands are run.
const PAGES: [(&str, bool); 19] = [
    ("README.md", true),
    ("ARCHITECTURE.md", true),
    ("CONTRIBUTING.md", true),
    ("CHANGELOG.md", false),
    ("docs/uci.md", true),
    ("docs/commands.md", true),
    ("docs/board.md", false),
    ("docs/api.md", false),
    ("docs/queries.md", true),
    ("docs/collections.md", true),
    ("docs/data-tools.md", true),
    ("docs/documents.md", true),
    ("docs/analysis.md", true),
    ("docs/puzzles.md", true),
    ("docs/study.md", true),
    ("docs/matches.md", true),
    ("docs/training.md", true),
    ("docs/benchmarks.md", true),
    ("docs/dependencies.md", true),
];

/// Lines that are not run, by the words they start with.
const NOT_RUN: [(&str, &str); 18] = [
    ("curl ", "the network may not be there"),
    ("make -C src pgo ", "two builds take minutes; a test of the Makefile has it look for its tools"),
    ("make -C src release ", "builds take minutes; a test of the Makefile runs it without a compiler"),
    ("cargo ", "builds and tests take minutes, and cargo may be at work already"),
    ("printf ", "a script of the shell; the tests of searches one after the other run such scripts"),
    ("RUSTFLAGS=", "a build takes minutes"),
    ("HEMATITE_BENCH_", "benches take minutes"),
    ("HEMATITE_DATA=../shared/data cargo fuzz ", "needs cargo-fuzz"),
    ("HEMATITE_DEAD=", "needs a set of positions from elsewhere, and takes minutes"),
    (".ci/run", "runs the tests, among them this one"),
    ("./hematite board ", "it serves until it is stopped; the tests of the board start it"),
    ("git ls-files ", "a copy of the sources may be without git"),
    ("hematite tune --params ", "needs a build with the feature `tune`, where it is run"),
    ("hematite bench --statistics ", "needs such a build, too"),
    ("python3 tests/python/lichess_analysis.py ", "needs games that lichess has analyzed, and takes minutes"),
    ("python3 tests/python/screenshots.py ", "takes pictures of the page for minutes"),
    ("parallel ", "another program; the tests of analysis run it where it is installed"),
    ("hematite tune --resume ", "needs the state of such a run"),
];

/// Blocks that are not run, by their language.
const OTHER_BLOCKS: [(&str, &str); 7] = [
    ("nginx", "the configuration of another program"),
    ("json", "a message, which the tests of the board send"),
    ("python", "a program of others, whose package has a test of its own"),
    ("sql", "a query of other programs, which have a test of their own"),
    ("yaml", "the configuration of another program"),
    ("toml", "a file, written for the commands of the page"),
    ("markdown", "a file, written for the commands of the page"),
];

/// Replacements that shorten a command to a second at most. They apply to words that start with the first part of an
/// entry, or that follow it if it ends in a space.
const SHORTER: [(&str, &str); 23] = [
    ("--games ", "16"),
    ("--time ", "1"),
    ("--rounds ", "1"),
    ("--soft-nodes ", "100"),
    ("--max-nodes ", "10000"),
    ("--nodes ", "1000"),
    ("--min-solved ", "1"),
    ("--min-games ", "2"),
    ("--epochs ", "1"),
    ("--iterations ", "1"),
    ("--pairs-per-iteration ", "1"),
    ("--clock ", "20k+1k"),
    ("--threads ", "2"),
    ("--hidden ", "16"),
    ("bench ", "4"),
    ("perft ", "4"),
    ("genfens ", "4"),
    ("tc=", "0.1+0.01"),
    ("nodes=", "50"),
    ("--hash ", "4"),
    ("depth ", "4"),
    ("--depth ", "4"),
    ("--divide ", "2"),
];

/// Options that are added to commands with this start if they are missing.
const ADDED: [(&str, &str); 6] = [
    ("hematite analyse games.pgn", "--nodes 1000"),
    ("hematite analyse --json", "--nodes 1000"),
    ("hematite analyse --query", "--nodes 1000"),
    ("hematite bench", "4"),
    ("hematite perft --suite epd/", "--max-nodes 10000"),
    ("hematite tune --params", "--iterations 1 --pairs-per-iteration 1"),
];

/// The text of a file of the project.
fn text(page: &str) -> String {
    let path = root().join(page);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A fenced block: its language, the number of its first line, and its lines.
struct Block {
    language: String,
    line: usize,
    lines: Vec<String>,
}

/// A document in parts.
#[derive(Default)]
struct Page {
    blocks: Vec<Block>,
    /// The text outside of blocks, with the number of each line.
    prose: Vec<(usize, String)>,
}

impl Page {
    fn read(name: &str) -> Self {
        let mut page = Self::default();
        let mut open: Option<Block> = None;
        for (index, line) in text(name).lines().enumerate() {
            let number = index + 1;
            match (line.strip_prefix("```"), open.take()) {
                (Some(language), None) => {
                    open = Some(Block { language: language.to_owned(), line: number + 1, lines: Vec::new() });
                }
                (Some(_), Some(block)) => page.blocks.push(block),
                (None, Some(mut block)) => {
                    block.lines.push(line.to_owned());
                    open = Some(block);
                }
                (None, None) => page.prose.push((number, line.to_owned())),
            }
        }
        assert!(open.is_none(), "{name}: a block is not closed");
        page
    }

    /// The code spans in the prose.
    fn spans(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose
            .iter()
            .flat_map(|(number, line)| line.split('`').skip(1).step_by(2).map(|span| (*number, span)))
    }
}

/// The anchors of a document, as GitHub makes them of its headings.
fn anchors(name: &str) -> BTreeSet<String> {
    let page = Page::read(name);
    let headings = page.prose.iter().filter(|(_, line)| line.starts_with('#'));
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    headings
        .map(|(_, line)| line.trim_start_matches('#').trim().to_lowercase())
        .map(|title| title.chars().filter(kept).collect::<String>().replace(' ', "-"))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut problems = Vec::new();
    for (name, _) in PAGES {
        let folder = Path::new(name).parent().expect("it is a file");
        for (number, line) in &Page::read(name).prose {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                if target.starts_with("https://") {
                    continue;
                }
                let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
                let path = if path.is_empty() { PathBuf::from(name) } else { folder.join(path) };
                let is_there = root().join(&path).exists()
                    && (anchor.is_empty() || anchors(&path.to_string_lossy()).contains(anchor));
                if !is_there {
                    problems.push(format!("{name}:{number}: {target}"));
                }
            }
        }
    }
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn every_page_is_tested() {
    let names = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
        let names = entries
            .map(|entry| entry.expect("it can be read").file_name().into_string().expect("it is UTF-8"));
        let pages = names.filter(|name| name.ends_with(".md"));
        pages.map(|name| Path::new(folder).join(name)).collect::<Vec<_>>()
    };
    let mut found = [names(""), names("docs")].concat();
    let mut listed: Vec<PathBuf> = PAGES.iter().map(|(name, _)| PathBuf::from(name)).collect();
    found.sort();
    listed.sort();
    assert_eq!(found, listed);
}

#[test]
fn each_dependency_has_its_reason() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("the manifest is TOML");
    let crates: BTreeSet<&str> = manifest["workspace"]["dependencies"]
        .as_table()
        .expect("a table")
        .keys()
        .map(String::as_str)
        .filter(|name| !name.starts_with("hematite"))
        .collect();
    let page = text("docs/dependencies.md");
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || ['-', '_'].contains(&letter);
    let words: BTreeSet<&str> = page.split(|letter: char| !is_word(letter)).collect();
    let missing: Vec<_> = crates.difference(&words).collect();
    assert!(missing.is_empty(), "without a reason: {missing:?}");
    // The first cells of the table, without its head.
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | ")).skip(2);
    let named = rows.flat_map(|(cell, _)| cell.split(", "));
    let unknown: Vec<&str> = named.filter(|name| !crates.contains(name)).collect();
    assert!(unknown.is_empty(), "not in Cargo.toml: {unknown:?}");
}

#[test]
fn files_and_types_that_are_named_exist() {
    const FOLDERS: [&str; 7] = ["src/", "docs/", "tests/", "epd/", "benches/", ".cargo/", ".ci/"];
    let sources = sources(&root().join("src"));
    let mut problems = Vec::new();
    for (name, _) in PAGES.into_iter().filter(|(name, _)| *name != "CHANGELOG.md") {
        for (number, span) in Page::read(name).spans() {
            let is_path = FOLDERS.iter().any(|folder| span.starts_with(folder)) && !span.contains(' ');
            let is_missing = is_path && !root().join(span).exists();
            // Types that the architecture names, such as `Score` or `Params`.
            let is_type = name == "ARCHITECTURE.md"
                && span.len() > 2
                && span.starts_with(|letter: char| letter.is_ascii_uppercase())
                && span.contains(|letter: char| letter.is_ascii_lowercase())
                && span.chars().all(char::is_alphanumeric)
                && !["Option", "Err"].contains(&span);
            let words =
                |text: &str| text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == span);
            if is_missing || is_type && !sources.iter().any(|source| words(source)) {
                problems.push(format!("{name}:{number}: {span}"));
            }
        }
    }
    assert_eq!(problems, Vec::<String>::new());
}

/// The texts of the source files in a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths
        .flat_map(|path| match path.extension().is_some_and(|extension| extension == "rs") {
            true => vec![fs::read_to_string(path).expect("sources can be read")],
            false if path.is_dir() => sources(&path),
            false => Vec::new(),
        })
        .collect()
}

/// The help of a command, and the names of its subcommands, each with its aliases.
fn help(command: &[String]) -> (String, Vec<Vec<String>>) {
    let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
    arguments.push("--help");
    let help = run(&arguments, b"");
    assert_eq!(help.code, Some(0), "{command:?} --help: {}", help.err);
    let list = help.out.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let list = list.split("\n\n").next().unwrap_or_default();
    let mut names: Vec<Vec<String>> = Vec::new();
    for line in list.lines() {
        let is_name = line.len() - line.trim_start().len() == 2;
        if let (true, Some(name)) = (is_name, line.split_whitespace().next()) {
            names.push(vec![name.to_owned()]);
        }
        let aliases = line.split_once("alias: ").and_then(|(_, rest)| rest.split(']').next());
        if let (Some(alias), Some(last)) = (aliases, names.last_mut()) {
            last.push(alias.to_owned());
        }
    }
    names.retain(|names| names[0] != "help");
    (help.out, names)
}

#[test]
fn every_command_is_described_and_every_option_exists() {
    /// Commands of the engine that may be arguments.
    const OF_THE_SESSION: [&str; 2] = ["compiler", "help"];
    // All help texts, and the commands with their subcommands.
    let mut helps = String::new();
    let mut commands = vec![vec![Vec::new()]];
    let mut waiting = vec![Vec::new()];
    while let Some(command) = waiting.pop() {
        let (text, names) = help(&command);
        helps.push_str(&text);
        for names in names {
            let with = |name: &String| command.iter().chain([name]).cloned().collect::<Vec<_>>();
            waiting.push(with(&names[0]));
            commands.push(names.iter().map(with).collect());
        }
    }
    let pages: Vec<(&str, Page)> = PAGES.map(|(name, _)| (name, Page::read(name))).into();
    let guide: String =
        pages.iter().filter(|(name, _)| name.starts_with("docs/")).map(|(name, _)| text(name)).collect();
    for names in &commands[1..] {
        let is_named = |name: &Vec<String>| guide.contains(&format!("hematite {}", name.join(" ")));
        assert!(names.iter().any(is_named), "no page shows `hematite {}`", names[0].join(" "));
    }

    let known: BTreeSet<String> = helps
        .split(|letter: char| !letter.is_alphanumeric() && letter != '-')
        .filter(|word| word.starts_with("--"))
        .map(str::to_owned)
        .collect();
    let is_command =
        |word: &str| commands.iter().flatten().any(|name| name.first().is_some_and(|first| first == word));
    let mut problems = Vec::new();
    // The command of these pages is one only with the feature.
    let has_board = cfg!(feature = "board");
    let is_built = |name: &str| has_board || !["docs/board.md", "docs/api.md"].contains(&name);
    let is_left_out = |word: &str| !has_board && word == "board";
    for (name, page) in pages.iter().filter(|(name, _)| *name != "CHANGELOG.md" && is_built(name)) {
        for (number, span) in page.spans() {
            let word = span.strip_prefix("hematite ").and_then(|rest| rest.split(' ').next());
            let word = word.filter(|word| word.chars().all(|letter| letter.is_ascii_lowercase()));
            if word.is_some_and(|word| {
                !is_command(word) && !is_left_out(word) && !OF_THE_SESSION.contains(&word)
            }) {
                problems.push(format!("{name}:{number}: `{span}` is not a command"));
            }
            let option = span.split([' ', '=']).next().unwrap_or_default();
            if option.starts_with("--") && !known.contains(option) {
                problems.push(format!("{name}:{number}: no command has the option {option}"));
            }
        }
    }
    assert_eq!(problems, Vec::<String>::new());
}

/// A line of an `sh` block, with its continuations.
struct Line {
    number: usize,
    command: String,
    code: i32,
}

fn shell_lines(block: &Block) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut is_continued = false;
    for (index, line) in block.lines.iter().enumerate() {
        let (line, comment) = line.split_once(" # ").unwrap_or((line, ""));
        let (line, continues) =
            line.trim().strip_suffix('\\').map_or((line.trim(), false), |line| (line.trim(), true));
        let code = comment.trim().strip_prefix("exit code ").map_or(0, |rest| {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let code = digits.parse().expect("a number follows `exit code`");
            // "exit code 1 if ..." describes the command, not this run.
            if rest[digits.len()..].starts_with(" if") { 0 } else { code }
        });
        match lines.last_mut() {
            Some(last) if is_continued => last.command = format!("{} {line}", last.command),
            _ if line.is_empty() => {}
            _ => lines.push(Line { number: block.line + index, command: line.to_owned(), code }),
        }
        is_continued = continues;
    }
    lines
}

/// The command with less work.
fn shortened(command: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in command.split(' ') {
        let bare = word.trim_start_matches(['"', '\'']);
        let previous = words.last().map(|last| format!("{} ", last.trim_start_matches(['"', '\''])));
        let is_number = bare.starts_with(|letter: char| letter.is_ascii_digit());
        let short = SHORTER.iter().find_map(|(long, short)| match long.strip_suffix('=') {
            Some(_) => word.strip_prefix(long).map(|_| format!("{long}{short}")),
            None => (is_number && previous.as_deref() == Some(long)).then(|| {
                let closing = word.find(['"', '\'']).map_or("", |at| &word[at..]);
                format!("{short}{closing}")
            }),
        });
        words.push(short.unwrap_or_else(|| word.to_owned()));
    }
    let is_there = |added: &str| words.iter().any(|word| added.split(' ').next() == Some(word));
    let added = ADDED.iter().filter(|(start, added)| command.starts_with(start) && !is_there(added));
    let added: Vec<String> = added.map(|(_, added)| (*added).to_owned()).collect();
    [words, added].concat().join(" ")
}

#[test]
fn commands_are_shortened() {
    let cases = [
        ("hematite bench", "hematite bench 4"),
        ("hematite bench 8 --threads 1", "hematite bench 4 --threads 2"),
        ("hematite \"position startpos\" \"go depth 15\"", "hematite \"position startpos\" \"go depth 4\""),
        ("hematite datagen --time 8h", "hematite datagen --time 1"),
        (
            "hematite match --each tc=8+0.08 option.Hash=16",
            "hematite match --each tc=0.1+0.01 option.Hash=16",
        ),
        (
            "hematite tune --params 'lmr_*' --iterations 5000 --nodes 20k",
            "hematite tune --params 'lmr_*' --iterations 1 --nodes 1000",
        ),
        (
            "hematite tune --params 'lmr_*' --out lmr.json",
            "hematite tune --params 'lmr_*' --out lmr.json --iterations 1 --pairs-per-iteration 1",
        ),
        ("hematite perft --threads 4 --hash 256 7", "hematite perft --threads 2 --hash 4 7"),
    ];
    for (long, short) in cases {
        assert_eq!(shortened(long), short);
    }
}

/// Runs the commands of a page, and returns their number.
#[cfg(unix)]
fn run_commands(name: &str) -> usize {
    use std::process::{Command, Stdio};
    let page = Page::read(name);
    let is_file = |block: &&Block| block.language == "toml";
    let toml = page.blocks.iter().find(is_file).map(|block| block.lines.join("\n"));
    let folder = folder(&format!("docs-{}", name.replace(['/', '.'], "-")));
    let mut count = 0;
    let mut problems = Vec::new();
    for block in &page.blocks {
        match block.language.as_str() {
            "sh" => {}
            "text" | "" => continue,
            other => {
                assert!(
                    OTHER_BLOCKS.iter().any(|(language, _)| *language == other),
                    "{name}:{}: {other}",
                    block.line
                );
                continue;
            }
        }
        for Line { number, command, code } in shell_lines(block) {
            let is_tune = cfg!(feature = "tune")
                && ["hematite tune", "hematite bench --statistics"]
                    .iter()
                    .any(|start| command.starts_with(start));
            if !is_tune && NOT_RUN.iter().any(|(start, _)| command.starts_with(start)) {
                continue;
            }
            assert!(
                command.starts_with("hematite"),
                "{name}:{number}: `{command}` is not in the list of lines that are not run"
            );
            if count == 0 {
                fixtures::fill(&folder, toml.as_deref());
                if let Some(script) = page.blocks.iter().find(|block| block.language == "markdown") {
                    fs::write(folder.join("article.md"), script.lines.join("\n"))
                        .expect("files can be written");
                }
            }
            count += 1;
            let path =
                format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
            let short = shortened(&command);
            let output = Command::new("sh")
                .args(["-c", &short])
                .current_dir(&folder)
                .env("PATH", path)
                .env("HOME", folder.join("home"))
                .env("XDG_CONFIG_HOME", folder.join("home/.config"))
                .stdin(Stdio::null())
                .output()
                .expect("there is a shell");
            if output.status.code() != Some(code) {
                let error = String::from_utf8_lossy(&output.stderr).into_owned();
                problems.push(format!(
                    "{name}:{number}: `{short}`: {:?}, expected {code}: {error}",
                    output.status.code()
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    count
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_readme_run() {
    assert!(run_commands("README.md") > 3);
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_commands_page_run() {
    assert!(run_commands("docs/commands.md") > 25);
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_training_page_run() {
    assert!(run_commands("docs/training.md") > 15);
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_matches_page_run() {
    assert!(run_commands("docs/matches.md") > 4);
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_other_pages_run() {
    const DONE: [&str; 4] = ["README.md", "docs/commands.md", "docs/training.md", "docs/matches.md"];
    let others = PAGES.into_iter().filter(|(name, is_run)| *is_run && !DONE.contains(name));
    assert!(others.map(|(name, _)| run_commands(name)).sum::<usize>() > 6);
}

/// A running engine for the sessions of a page.
mod session {
    use super::BINARY;
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    /// The time limit for a line.
    const PATIENCE: Duration = Duration::from_secs(60);

    pub(super) struct Engine {
        child: Child,
        input: ChildStdin,
        lines: Receiver<String>,
    }

    impl Engine {
        pub(super) fn start() -> Self {
            let mut command = Command::new(BINARY);
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary runs");
            let input = child.stdin.take().expect("it is a pipe");
            let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
            let (sender, lines) = channel();
            std::thread::spawn(move || {
                output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
            });
            Self { child, input, lines }
        }

        pub(super) fn send(&mut self, line: &str) {
            writeln!(self.input, "{line}").expect("the engine reads");
        }

        pub(super) fn line(&self) -> Option<String> {
            self.lines.recv_timeout(PATIENCE).ok()
        }
    }

    impl Drop for Engine {
        fn drop(&mut self) {
            let _ = writeln!(self.input, "quit");
            let _ = self.child.wait();
        }
    }

    /// Whether a line is as shown. `...` at the end of the shown line stands for any text. Of `info` lines and best
    /// moves only the keywords are compared, because moves and numbers change with the search.
    pub(super) fn is_as_shown(line: &str, shown: &str) -> bool {
        const WORDS: [&str; 14] = [
            "info", "depth", "seldepth", "multipv", "score", "cp", "mate", "nodes", "nps", "hashfull",
            "time", "pv", "bestmove", "string",
        ];
        if let Some(start) = shown.strip_suffix("...") {
            return line.starts_with(start);
        }
        let keywords = |line: &str| {
            line.split(' ').filter(|word| WORDS.contains(word)).map(str::to_owned).collect::<Vec<_>>()
        };
        let is_search = |line: &str| line.starts_with("info depth ") || line.starts_with("bestmove ");
        line == shown || is_search(line) && is_search(shown) && keywords(line) == keywords(shown)
    }
}

#[test]
fn sessions_get_the_answers_shown() {
    let mut count = 0;
    for (name, _) in PAGES {
        for block in Page::read(name).blocks.iter().filter(|block| block.language == "text") {
            if !block.lines[0].starts_with("> ") {
                continue;
            }
            count += 1;
            let mut engine = session::Engine::start();
            // Whether lines may come that are not shown.
            let mut is_gap = false;
            let mut lines = block.lines.iter().enumerate().peekable();
            while let Some((index, line)) = lines.next() {
                let place = format!("{name}:{}: {line}", block.line + index);
                let is_input_next = lines.peek().is_none_or(|(_, next)| next.starts_with("> "));
                if let Some(command) = line.strip_prefix("> ") {
                    engine.send(command);
                    // What is not shown at all may be anything.
                    is_gap |= is_input_next;
                } else if line == "..." {
                    is_gap = true;
                } else {
                    loop {
                        let found = engine.line().unwrap_or_else(|| panic!("{place}: no such answer"));
                        if session::is_as_shown(&found, line) {
                            break;
                        }
                        assert!(is_gap, "{place}: the answer is {found}");
                    }
                    is_gap = false;
                }
            }
        }
    }
    assert!(count > 2, "only {count} sessions were found");
}
