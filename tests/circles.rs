//! No two files of the library use each other, so that each can be read before those that use it.

use crate::layers::{Token, module_path, rust_files, source_folder, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::slice;

/// The name and the text of a file.
type File<'a> = (&'a str, &'a str);

/// The names of the modules on the path from the root to a module or an item.
type Names = Vec<String>;

#[test]
fn no_two_files_use_each_other() {
    let source = source_folder();
    let mut files = Vec::new();
    for path in rust_files(&source) {
        let relative = path.strip_prefix(&source).expect("it was found there").to_str().expect("UTF-8");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if !matches!(relative, "build.rs" | "core.rs" | "main.rs") {
            files.push((relative.replace('\\', "/"), text));
        }
    }
    let (_, root) = files.iter_mut().find(|(name, _)| name == "lib.rs").expect("the library has a root");
    root.push_str(&fs::read_to_string(source.join("core.rs")).expect("the core has a root"));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let circles = circles(&files);
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
    assert!(files.len() > 20, "only {} files were found", files.len());
}

#[test]
fn circles_are_found() {
    let root = ("lib.rs", "pub mod a; pub mod b; pub mod m;");
    let parent = ("m/mod.rs", "mod x; mod y; pub use x::X; pub(crate) use y::{Y, Z as W}; pub struct M;");
    let cases: &[(&str, &[File], &[&str])] = &[
        ("nothing", &[root], &[]),
        ("one way", &[root, ("a.rs", "use crate::b::B;"), ("b.rs", "pub struct B;")], &[]),
        (
            "both ways",
            &[root, ("a.rs", "use crate::b::B;"), ("b.rs", "use super::a::{self, A};")],
            &["a.rs uses B of b.rs, which uses A of a.rs"],
        ),
        (
            "in paths and through a module's name",
            &[root, ("a.rs", "fn f() { crate::b::g() }"), ("b.rs", "use crate::a; fn g() { a::f() }")],
            &["a.rs uses g of b.rs, which uses f of a.rs"],
        ),
        ("a module's name alone", &[root, ("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a;")], &[]),
        (
            "only in tests, comments and strings",
            &[
                root,
                ("a.rs", "use crate::b::B;"),
                (
                    "b.rs",
                    "// crate::a::A\nconst S: &str = \"crate::a::A\"; #[cfg(test)] mod tests { use crate::a::A; }",
                ),
            ],
            &[],
        ),
        (
            "siblings through what their parent publishes",
            &[root, parent, ("m/x.rs", "use super::W;"), ("m/y.rs", "use crate::m::X;")],
            &["m/x.rs uses Z of m/y.rs, which uses X of m/x.rs"],
        ),
        ("a child of a parent that only publishes", &[root, parent, ("m/x.rs", "use super::M;")], &[]),
        (
            "a child and its parent",
            &[root, ("m/mod.rs", "mod x; use x::X; pub struct M;"), ("m/x.rs", "use super::M;")],
            &["m/mod.rs uses X of m/x.rs, which uses M of m/mod.rs"],
        ),
        (
            "a parent that uses what it publishes",
            &[root, ("m/mod.rs", "mod x; pub use x::X; pub struct M(X);"), ("m/x.rs", "use super::M;")],
            &["m/mod.rs uses X of m/x.rs, which uses M of m/mod.rs"],
        ),
        (
            "a parent that only calls its child",
            &[root, ("m/mod.rs", "mod x; fn f() { x::g() }"), ("m/x.rs", "fn g() { super::f() }")],
            &[],
        ),
        (
            "everything of a module",
            &[
                root,
                ("a.rs", "use crate::b::*; struct A(B);"),
                ("b.rs", "use crate::a::A; pub struct B; pub struct C;"),
            ],
            &["a.rs uses B of b.rs, which uses A of a.rs"],
        ),
        (
            "an inline module",
            &[root, ("a.rs", "mod inner { use super::super::b::B; }"), ("b.rs", "use crate::a::A;")],
            &["a.rs uses B of b.rs, which uses A of a.rs"],
        ),
        ("the file itself", &[root, ("a.rs", "use self::inner::X; mod inner { use super::A; }")], &[]),
        (
            "other crates",
            &[root, ("a.rs", "use b::B; fn f() { std::mem::take() }"), ("b.rs", "use crate::a::A;")],
            &[],
        ),
    ];
    for (name, files, expected) in cases {
        assert_eq!(circles(files), *expected, "{name}");
    }
}

/// A line for each pair of files that use each other.
fn circles(files: &[File]) -> Vec<String> {
    let mut library = Library::default();
    for (file, _) in files {
        library.files.insert(owned(&module_path(Path::new(file))), (*file).to_owned());
    }
    for (file, text) in files {
        let module = owned(&module_path(Path::new(file)));
        library.read(&tokens(text), &module, &module);
    }
    let uses = library.uses();
    let mut circles = Vec::new();
    for ((from, to), item) in &uses {
        if from < to
            && let Some(other) = uses.get(&(*to, *from))
        {
            circles.push(format!("{from} uses {item} of {to}, which uses {other} of {from}"));
        }
    }
    circles
}

fn owned(names: &[&str]) -> Names {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The files of a library, and the names that they mention.
#[derive(Default)]
struct Library {
    /// The file of each module that has its own file.
    files: BTreeMap<Names, String>,
    /// The names that `use` imports in each module, including inline modules.
    imports: BTreeMap<Names, BTreeMap<String, Names>>,
    /// The items that a module defines.
    items: BTreeMap<Names, BTreeSet<String>>,
    /// The paths that the files of these modules mention.
    mentions: BTreeSet<(Names, Names)>,
    /// The modules that a file imports completely, and all words of the file.
    globs: Vec<(Names, Names, BTreeSet<String>)>,
}

impl Library {
    /// Reads the code of a module `at` in the file of the module `file`, without its tests.
    fn read(&mut self, tokens: &[Token], file: &Names, at: &Names) {
        let mut published = Vec::new();
        let mut words = BTreeMap::<&str, usize>::new();
        let mut index = 0;
        while index < tokens.len() {
            let Token::Word(word) = &tokens[index] else {
                index += 1;
                continue;
            };
            let word = word.as_str();
            *words.entry(word).or_default() += 1;
            let next = tokens.get(index + 1);
            match (word, next) {
                ("use", Some(_)) => {
                    let end = index
                        + tokens[index..]
                            .iter()
                            .position(|token| is(token, ';'))
                            .unwrap_or(tokens.len() - index);
                    // `pub use` and `pub(crate) use`
                    let is_public =
                        index > 0 && (is_word(&tokens[index - 1], "pub") || is(&tokens[index - 1], ')'));
                    for (path, name) in use_tree(&tokens[index + 1..end]) {
                        let Some(path) = self.absolute(&path, at, false) else { continue };
                        if name == "*" {
                            self.globs.push((file.clone(), path, BTreeSet::new()));
                            continue;
                        }
                        if is_public {
                            published.push((path.clone(), name.clone()));
                        } else {
                            self.mentions.insert((file.clone(), path.clone()));
                        }
                        self.imports.entry(at.clone()).or_default().insert(name, path);
                    }
                    index = end;
                }
                ("mod", Some(Token::Word(name)))
                    if tokens.get(index + 2).is_some_and(|token| is(token, '{')) =>
                {
                    let end = closing(tokens, index + 2);
                    if !is_test(&tokens[..index]) {
                        let inner = [&at[..], slice::from_ref(name)].concat();
                        self.read(&tokens[index + 3..end], file, &inner);
                    }
                    index = end;
                }
                (
                    "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static",
                    Some(Token::Word(name)),
                ) => {
                    self.items.entry(at.clone()).or_default().insert(name.clone());
                    index += 1;
                }
                (_, Some(Token::PathSeparator)) => {
                    let (path, end) = path(tokens, index);
                    let child = [&at[..], &path[..1]].concat();
                    // A parent may call its children by their names, as one that chooses between commands does.
                    let is_call = self.files.contains_key(&child);
                    if let Some(path) = self.absolute(&path, at, true).filter(|_| !is_call) {
                        self.mentions.insert((file.clone(), path));
                    }
                    index = end;
                }
                _ => index += 1,
            }
        }
        let is_used = |name: &String| words.contains_key(name.as_str());
        for (path, _) in published.into_iter().filter(|(_, name)| is_used(name)) {
            self.mentions.insert((file.clone(), path));
        }
        for (from, _, seen) in &mut self.globs {
            if from == file {
                seen.extend(words.keys().map(|word| (*word).to_owned()));
            }
        }
    }

    /// The path from the root; `None` for an item of another crate.
    fn absolute(&self, path: &[String], at: &Names, with_imports: bool) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let mut start = match first.as_str() {
            "crate" => Names::new(),
            "self" => at.clone(),
            "super" => at[..at.len().saturating_sub(1)].to_vec(),
            name => {
                let child = [&at[..], &[name.to_owned()]].concat();
                let import = self.imports.get(at).and_then(|imports| imports.get(name));
                match import.filter(|_| with_imports) {
                    Some(import) => import.clone(),
                    None if self.files.contains_key(&child) => child,
                    None => return None,
                }
            }
        };
        for name in rest {
            match name.as_str() {
                "super" => drop(start.pop()),
                "self" => {}
                _ => start.push(name.clone()),
            }
        }
        Some(start)
    }

    /// The file that defines the item of a path, and the item's name; `None` if the path leads to a module itself.
    fn definition(&self, path: &[String], steps: usize) -> Option<(&str, String)> {
        let modules = (0..=path.len()).rev().find(|&count| self.files.contains_key(&path[..count]))?;
        let (module, item) = path.split_at(modules);
        let (name, rest) = item.split_first()?;
        match self.imports.get(module).and_then(|imports| imports.get(name)) {
            Some(import) if steps > 0 => self.definition(&[&import[..], rest].concat(), steps - 1),
            _ => Some((&self.files[module], name.clone())),
        }
    }

    /// For each pair of files, an item of the second that the first one uses.
    fn uses(&self) -> BTreeMap<(&str, &str), String> {
        const LONGEST_CHAIN: usize = 8;
        let mut mentions = self.mentions.clone();
        for (file, module, words) in &self.globs {
            let items = self.items.get(module).into_iter().flatten();
            let imports = self.imports.get(module).into_iter().flat_map(BTreeMap::keys);
            for name in items.chain(imports).filter(|name| words.contains(*name)) {
                mentions.insert((file.clone(), [&module[..], slice::from_ref(name)].concat()));
            }
        }
        let mut uses = BTreeMap::new();
        for (from, path) in &mentions {
            let from = self.files[from].as_str();
            if let Some((to, name)) = self.definition(path, LONGEST_CHAIN)
                && to != from
            {
                uses.entry((from, to)).or_insert(name);
            }
        }
        uses
    }
}

/// The paths of a `use`, and the names that they are imported as.
fn use_tree(tokens: &[Token]) -> Vec<(Names, String)> {
    let (mut prefix, end) = path(tokens, 0);
    match tokens.get(end) {
        Some(Token::Other('{')) => {
            let mut found = Vec::new();
            let mut start = end + 1;
            let close = closing(tokens, end);
            while start < close {
                let mut depth = 0;
                let length = tokens[start..close].iter().position(|token| {
                    depth += i32::from(is(token, '{')) - i32::from(is(token, '}'));
                    depth == 0 && is(token, ',')
                });
                let stop = length.map_or(close, |length| start + length);
                for (path, name) in use_tree(&tokens[start..stop]) {
                    let path = [&prefix[..], &path[..]].concat();
                    let name = if name == "self" { prefix.last().cloned().unwrap_or_default() } else { name };
                    found.push((path, name));
                }
                start = stop + 1;
            }
            found
        }
        Some(Token::Other('*')) => vec![(prefix, "*".to_owned())],
        Some(Token::Word(_)) => {
            // `a as b`, which `path` has not taken for a part of it
            let alias = tokens.get(end + 1);
            let name = if let Some(Token::Word(alias)) = alias { alias.clone() } else { String::new() };
            vec![(prefix, name)]
        }
        _ => match prefix.pop() {
            Some(last) => vec![([&prefix[..], slice::from_ref(&last)].concat(), last)],
            None => Vec::new(),
        },
    }
}

/// The words of the path that starts at this index, and the index of its end.
fn path(tokens: &[Token], mut index: usize) -> (Names, usize) {
    let mut words = Names::new();
    while let Some(Token::Word(word)) = tokens.get(index) {
        words.push(word.clone());
        index += 1;
        if tokens.get(index) != Some(&Token::PathSeparator) {
            break;
        }
        index += 1;
    }
    (words, index)
}

/// The index of the brace that closes the one at this index.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    let close = tokens[open..].iter().position(|token| {
        depth += i32::from(is(token, '{')) - i32::from(is(token, '}'));
        depth == 0
    });
    close.map_or(tokens.len(), |close| open + close)
}

/// Whether the tokens before `mod` end with `#[cfg(test)]`.
fn is_test(before: &[Token]) -> bool {
    let expected = ["#", "[", "cfg", "(", "test", ")", "]"];
    let text = |token: &Token| match token {
        Token::Word(word) => word.clone(),
        Token::Other(letter) => letter.to_string(),
        Token::PathSeparator => "::".to_owned(),
    };
    before.len() >= expected.len() && before[before.len() - expected.len()..].iter().map(text).eq(expected)
}

fn is(token: &Token, letter: char) -> bool {
    *token == Token::Other(letter)
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(found) if found == word)
}
