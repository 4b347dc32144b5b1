//! The architecture: each module uses only lower ones, and the binary is thin.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each top-level module of the library may use. Lower layers come first; modules of the same layer
/// never use each other.
const MAY_USE: &[(&str, &[&str])] = &[
    ("cpu", &[]),
    ("chess", &["cpu"]),
    ("rng", &[]),
    ("files", &[]),
    ("nnue", &["chess"]),
    ("notation", &["chess"]),
    ("zone", &["chess", "notation"]),
    ("tablebase", &["chess", "files"]),
    ("book", &["chess", "rng"]),
    ("search", &["chess", "nnue", "rng", "tablebase"]),
    ("uci", &["chess", "notation"]),
    ("render", &["chess", "notation"]),
    ("client", &["files", "uci"]),
    ("selfplay", BELOW_SELFPLAY),
    ("engine", BELOW_ENGINE),
    ("suite", BELOW_TOOLS),
    ("arena", BELOW_TOOLS),
    ("database", BELOW_TOOLS),
    ("analysis", BELOW_ANALYSIS),
    ("study", &["chess", "notation", "analysis"]),
    ("train", BELOW_TRAINING),
    ("tuner", BELOW_TRAINING),
    ("board", BELOW_BOARD),
    (
        "cli",
        &[
            "cpu",
            "chess",
            "rng",
            "files",
            "nnue",
            "notation",
            "tablebase",
            "book",
            "search",
            "uci",
            "render",
            "client",
            "engine",
            "suite",
            "arena",
            "database",
            "selfplay",
            "analysis",
            "study",
            "train",
            "tuner",
            "zone",
            "board",
        ],
    ),
];

/// The modules that the board in the browser may use.
const BELOW_BOARD: &[&str] = &[
    "chess",
    "rng",
    "files",
    "notation",
    "tablebase",
    "book",
    "search",
    "uci",
    "render",
    "client",
    "zone",
    "database",
    "analysis",
    "study",
    "arena",
];

/// The modules that self-play may use.
const BELOW_SELFPLAY: &[&str] = &["chess", "rng", "files", "nnue", "notation", "tablebase", "book", "search"];

/// The modules that the training of networks and the tuning of parameters may use.
const BELOW_TRAINING: &[&str] =
    &["chess", "rng", "files", "nnue", "notation", "tablebase", "book", "search", "selfplay"];

/// The modules that the engine may use: openings of `genfens` are those of self-play.
const BELOW_ENGINE: &[&str] = &[
    "chess",
    "rng",
    "files",
    "nnue",
    "notation",
    "tablebase",
    "book",
    "search",
    "uci",
    "client",
    "selfplay",
];

/// The modules that the tools besides the engine may use.
const BELOW_TOOLS: &[&str] =
    &["chess", "rng", "files", "nnue", "notation", "tablebase", "book", "search", "uci", "client", "zone"];

/// The modules that the analysis of games may use.
const BELOW_ANALYSIS: &[&str] = &[
    "chess",
    "rng",
    "files",
    "nnue",
    "notation",
    "tablebase",
    "book",
    "search",
    "uci",
    "client",
    "database",
    "selfplay",
    "render",
    "zone",
];

/// The maximum number of lines of the binary's own source: it only calls the library.
const MAX_MAIN_LINES: usize = 40;
/// The maximum number of lines of a file.
const MAX_LINES: usize = 700;
/// The maximum number of files of the engine, its matches and its training.
const MAX_FILES: usize = 311;
/// The modules besides the engine: games, documents and analysis, each with its own commands.
const WINGS: &[&str] = &[
    "analysis",
    "board",
    "database",
    "render",
    "study",
    "zone",
    "cli/analyse",
    "cli/backsolve",
    "cli/board",
    "cli/db",
    "cli/diagram",
    "cli/pgn",
    "cli/puzzles",
    "cli/report",
    "cli/study",
];

#[test]
fn every_arrow_points_down() {
    let source = source_folder();
    let mut problems = Vec::new();
    let mut files = 0;
    for path in rust_files(&source) {
        let relative = path.strip_prefix(&source).expect("it was found there");
        let modules = module_path(relative);
        if modules.is_empty() {
            continue; // the roots have tests of their own
        }
        files += 1;
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let found = violations(&modules, &text);
        problems.extend(found.into_iter().map(|problem| format!("{}: {problem}", relative.display())));
    }
    assert_eq!(problems, Vec::<String>::new());
    assert!(files > 20, "only {files} files were found");
}

#[test]
fn the_roots_only_name_the_modules() {
    for root in ["core.rs", "games.rs", "lib.rs"] {
        let text = fs::read_to_string(source_folder().join(root)).expect("the library has this root");
        let tokens: Vec<Token> = tokens(&text);
        let is_word = |token: &Token, expected: &str| matches!(token, Token::Word(word) if word == expected);
        let is_module = |token: &Token| matches!(token, Token::Word(name) if allowed(name).is_some());
        for item in tokens.split(|token| *token == Token::Other(';')) {
            // A module may depend on a feature.
            let item = match item {
                [Token::Other('#'), ..] => {
                    let end = item.iter().position(|token| *token == Token::Other(']'));
                    &item[end.map_or(0, |end| end + 1)..]
                }
                _ => item,
            };
            match item {
                [] => {}
                [public, module, name]
                    if is_word(public, "pub") && is_word(module, "mod") && is_module(name) => {}
                // The modules of the crates below are modules of this one.
                [public, passes_on, core, .., Token::Other('}')]
                    if is_word(public, "pub")
                        && is_word(passes_on, "use")
                        && (is_word(core, "hematite_core") || is_word(core, "hematite_games"))
                        && item[3..]
                            .iter()
                            .all(|token| is_module(token) || !matches!(token, Token::Word(_))) => {}
                other => panic!("{root}: expected `pub mod NAME;` of a module of the table, found {other:?}"),
            }
        }
    }
}

#[test]
fn the_binary_is_thin() {
    let text = fs::read_to_string(source_folder().join("main.rs")).expect("there is a binary");
    let lines = text.lines().count();
    assert!(lines <= MAX_MAIN_LINES, "main.rs has {lines} lines, expected at most {MAX_MAIN_LINES}");
    let tokens = tokens(&text);
    for (index, token) in tokens.iter().enumerate() {
        if *token == Token::Word("hematite".to_owned()) {
            let used = tokens.get(index + 2);
            assert_eq!(used, Some(&Token::Word("cli".to_owned())), "main.rs uses more than the command line");
        }
    }
}

#[test]
fn files_are_few_and_of_a_good_size() {
    let source = source_folder();
    let mut files = 0;
    for path in rust_files(&source) {
        let relative = path.strip_prefix(&source).expect("it was found there");
        let lines = fs::read_to_string(&path).expect("it can be read").lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines, expected at most {MAX_LINES}", relative.display());
        let module = relative.with_extension("");
        files += usize::from(!WINGS.iter().any(|wing| module.starts_with(wing)));
    }
    assert!(files <= MAX_FILES, "{files} files outside of {WINGS:?}, expected at most {MAX_FILES}");
}

#[test]
fn the_table_names_what_is_there() {
    for (module, _) in MAY_USE {
        assert!(source_folder().join(module).join("mod.rs").is_file(), "there is no module {module}");
    }
}

#[test]
fn the_table_has_no_cycle() {
    for (index, (module, uses)) in MAY_USE.iter().enumerate() {
        for used in *uses {
            assert!(MAY_USE[..index].iter().any(|(lower, _)| lower == used), "{module} uses {used}");
        }
    }
}

/// A test of this checker: mentions of a module are found in every syntactic form.
#[test]
fn the_checker_sees_every_way_of_naming_a_module() {
    let cases: &[(&str, &[&str], &str, &[&str])] = &[
        ("a lower layer", &["search", "node"], "use crate::chess::Move;", &[]),
        ("its own layer", &["search", "node"], "use crate::search::Score; use super::Score;", &[]),
        ("upward", &["chess"], "use crate::search::Score;", &["chess uses search"]),
        ("sideways", &["suite", "perft"], "use crate::engine::Session;", &["suite uses engine"]),
        ("sideways below", &["nnue"], "use crate::notation::Fen;", &["nnue uses notation"]),
        ("the module itself", &["notation"], "use crate::uci;", &["notation uses uci"]),
        (
            "a group",
            &["uci"],
            "use crate::{chess::{Move, Square}, search::{self, Score}, notation::*, cli};",
            &["uci uses search", "uci uses cli"],
        ),
        ("over several lines", &["chess"], "use crate::{\n    rng::Rng,\n};", &["chess uses rng"]),
        ("in a path", &["chess"], "fn f() { let x = crate::search::Score::DRAW; }", &["chess uses search"]),
        ("in a type", &["chess"], "struct S(Vec<crate::search::Score>);", &["chess uses search"]),
        ("in a macro", &["chess"], "macro_rules! m { () => { $crate::nnue::f() } }", &["chess uses nnue"]),
        ("with spaces", &["chess"], "use crate :: search :: Score;", &["chess uses search"]),
        ("published", &["chess"], "pub use crate::search::Score;", &["chess uses search"]),
        (
            "past the root by super",
            &["chess", "board"],
            "use super::super::search::X;",
            &["chess uses search"],
        ),
        ("super from the top", &["chess"], "use super::search::X;", &["chess uses search"]),
        ("super that stays inside", &["chess", "board"], "use super::search::X;", &[]),
        (
            "super from an inline module",
            &["chess"],
            "mod tests { use super::search::X; mod inner { use super::super::super::rng::X; } } use super::uci;",
            &["chess uses rng", "chess uses uci"],
        ),
        ("self and super", &["chess"], "use self::super::search::X;", &["chess uses search"]),
        ("a group after super", &["chess", "a"], "use super::super::{chess::B, uci};", &["chess uses uci"]),
        ("everything at once", &["chess"], "use crate::*;", &["chess uses all of the crate"]),
        ("the crate by another name", &["chess"], "use crate as c;", &["chess renames the crate"]),
        ("the crate as itself", &["chess"], "extern crate self as h;", &["chess renames the crate"]),
        ("an unknown module", &["chess"], "use crate::util::X;", &["chess uses util"]),
        ("a module that is not in the table", &["util"], "", &["util is not in the table"]),
        (
            "visibility",
            &["chess", "a"],
            "pub(crate) fn f() {} pub(super) fn g() {} pub(in crate::chess) fn h() {}",
            &[],
        ),
        (
            "comments and strings",
            &["chess"],
            "// use crate::search\n/* crate::cli /* crate::cli */ crate::cli */ /// [crate::uci]\n\
             const A: &str = \"crate::search \\\" crate::cli\"; const B: &str = r#\"crate::cli \" crate::uci\"#;\n\
             const C: char = '\"'; fn f<'a>(x: &'a str) {} const D: &[u8] = b\"crate::uci\"; const E: char = '\\'';",
            &[],
        ),
        ("code after odd literals", &["chess"], "const A: char = '\"'; use crate::uci;", &["chess uses uci"]),
    ];
    for (name, modules, text, expected) in cases {
        assert_eq!(violations(modules, text), *expected, "{name}");
    }
}

pub(crate) fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All Rust files in a folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    files_named(folder, &["rs"])
}

/// The files of a folder and its folders whose names end with one of these extensions.
pub(crate) fn files_named(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files.extend(files_named(&path, extensions));
        } else if path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)) {
            files.push(path);
        }
    }
    files
}

/// The modules on the path to a file: `chess/attacks/mod.rs` is `chess`, `attacks`. Empty for the roots of the crates
/// and of the binary, and for build scripts.
pub(crate) fn module_path(relative: &Path) -> Vec<&str> {
    let without_extension = relative.to_str().and_then(|path| path.strip_suffix(".rs")).expect("a Rust file");
    without_extension
        .split(['/', '\\'])
        .filter(|part| !matches!(*part, "mod" | "core" | "games" | "lib" | "main" | "build"))
        .collect()
}

/// The modules that a top-level module may use; `None` if the module is not allowed to exist.
fn allowed(module: &str) -> Option<&'static [&'static str]> {
    MAY_USE.iter().find(|(name, _)| *name == module).map(|(_, uses)| *uses)
}

/// All forbidden uses in a file of the module `modules`.
fn violations(modules: &[&str], text: &str) -> Vec<String> {
    let top = modules[0];
    let Some(allowed) = allowed(top) else { return vec![format!("{top} is not in the table")] };
    let references = References { tokens: tokens(text), found: Vec::new() }.find(modules.len());
    references
        .into_iter()
        .filter_map(|reference| match reference {
            Reference::Module(name) if name == top || allowed.contains(&name.as_str()) => None,
            Reference::Module(name) => Some(format!("{top} uses {name}")),
            Reference::Everything => Some(format!("{top} uses all of the crate")),
            Reference::Renamed => Some(format!("{top} renames the crate")),
        })
        .collect()
}

/// A mention of the crate's root.
enum Reference {
    /// A top-level module.
    Module(String),
    /// `crate::*`
    Everything,
    /// `crate as`, after which mentions would not be recognized.
    Renamed,
}

/// Finds the mentions of top-level modules in the tokens of a file.
struct References {
    tokens: Vec<Token>,
    found: Vec<Reference>,
}

impl References {
    /// Finds the mentions; `depth` is the number of modules between the root and the file.
    fn find(mut self, depth: usize) -> Vec<Reference> {
        // For each open brace: does it belong to an inline module?
        let mut braces = Vec::new();
        let mut index = 0;
        while let Some(token) = self.tokens.get(index) {
            index = match token {
                Token::Word(word) if ["crate", "super", "self"].contains(&word.as_str()) => {
                    let inline = braces.iter().filter(|is_module| **is_module).count();
                    self.path(index, depth + inline)
                }
                Token::Other(brace) => {
                    match brace {
                        '{' => braces.push(index >= 2 && self.is_word(index - 2, "mod")),
                        '}' => drop(braces.pop()),
                        _ => {}
                    }
                    index + 1
                }
                _ => index + 1,
            };
        }
        self.found
    }

    fn is_word(&self, index: usize, word: &str) -> bool {
        matches!(self.tokens.get(index), Some(Token::Word(found)) if found == word)
    }

    /// Follows a path that starts `level` modules below the root, and returns the index of its end.
    fn path(&mut self, mut index: usize, mut level: usize) -> usize {
        loop {
            match self.tokens.get(index) {
                Some(Token::Word(word)) => match word.as_str() {
                    "crate"
                        if self.is_word(index + 1, "as")
                            || (index > 0 && self.is_word(index - 1, "extern")) =>
                    {
                        self.found.push(Reference::Renamed);
                        return index + 2;
                    }
                    "crate" => level = 0,
                    "super" => level = level.saturating_sub(1),
                    "self" => {}
                    name => {
                        if level == 0 {
                            self.found.push(Reference::Module(name.to_owned()));
                        }
                        return index + 1;
                    }
                },
                Some(Token::Other('*')) => {
                    if level == 0 {
                        self.found.push(Reference::Everything);
                    }
                    return index + 1;
                }
                Some(Token::Other('{')) => return self.group(index + 1, level),
                _ => return index,
            }
            index += 1;
            if self.tokens.get(index) != Some(&Token::PathSeparator) {
                return index;
            }
            index += 1;
        }
    }

    /// Follows every path of a group up to the closing brace.
    fn group(&mut self, mut index: usize, level: usize) -> usize {
        let mut depth = 0;
        let mut starts = true;
        while let Some(token) = self.tokens.get(index) {
            match token {
                Token::Other('}') if depth == 0 => return index + 1,
                Token::Other('}') => depth -= 1,
                Token::Other(',') if depth == 0 => {
                    starts = true;
                    index += 1;
                    continue;
                }
                _ if starts => {
                    starts = false;
                    index = self.path(index, level);
                    continue;
                }
                Token::Other('{') => depth += 1,
                _ => {}
            }
            index += 1;
        }
        index
    }
}

/// The tokens that the checker distinguishes.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A name or a keyword.
    Word(String),
    /// `::`
    PathSeparator,
    /// Any other character of the code.
    Other(char),
}

/// The tokens of Rust code, without comments and literals.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skip_comment(rest).or_else(|| skip_literal(rest));
        if let Some(after) = skipped {
            rest = after;
        } else if is_word(first) {
            let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        } else if let Some(after) = rest.strip_prefix("::") {
            tokens.push(Token::PathSeparator);
            rest = after;
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Other(first));
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    tokens
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The text after the comment at the start of `text`; `None` without a comment.
fn skip_comment(text: &str) -> Option<&str> {
    if text.starts_with("//") {
        return Some(text.find('\n').map_or("", |end| &text[end..]));
    }
    let mut rest = text.strip_prefix("/*")?;
    let mut depth = 1;
    while depth > 0 {
        let (open, close) = (rest.find("/*"), rest.find("*/"));
        let Some(close) = close else { return Some("") };
        let opens = open.is_some_and(|open| open < close);
        depth = if opens { depth + 1 } else { depth - 1 };
        rest = &rest[if opens { open.unwrap_or(close) } else { close } + 2..];
    }
    Some(rest)
}

/// The text after the string or character literal at the start of `text`; `None` without a literal.
fn skip_literal(text: &str) -> Option<&str> {
    let unprefixed = text.strip_prefix(['b', 'c']).unwrap_or(text);
    if let Some(raw) = unprefixed.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", &raw[..hashes]);
        return Some(body.find(&close).map_or("", |end| &body[end + close.len()..]));
    }
    if let Some(body) = unprefixed.strip_prefix('"') {
        return Some(skip_to(body, '"'));
    }
    let body = unprefixed.strip_prefix('\'')?;
    let mut letters = body.chars();
    // A quote before a name that no quote follows is a lifetime.
    match (letters.next(), letters.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => Some(skip_to(body, '\'')),
        _ => None,
    }
}

/// The text after the next `quote` that is not escaped by a backslash.
fn skip_to(body: &str, quote: char) -> &str {
    let mut escaped = false;
    for (index, letter) in body.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return &body[index + letter.len_utf8()..],
            _ => {}
        }
    }
    ""
}
