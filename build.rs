//! Tells the program which compiler builds it, and for what, and makes the list of the files of the page.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The files of the page that `hematite board` serves.
const PAGE: &str = "src/board/page";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().ok();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=HEMATITE_RUSTC={}", version.as_deref().unwrap_or("an unknown rustc"));
    println!("cargo::rustc-env=HEMATITE_TARGET={}", env::var("TARGET").as_deref().unwrap_or("unknown"));
    if env::var_os("CARGO_FEATURE_BOARD").is_some() {
        list_page_files();
    }
}

/// Writes a constant with the name and the content of each file, in the order of the names.
fn list_page_files() {
    println!("cargo::rerun-if-changed={PAGE}");
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let entries = fs::read_dir(Path::new(&root).join(PAGE)).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    let folder = Path::new(&out).join("page");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let mut text = String::from("/// The files of the page.\nconst PAGE_FILES: &[(&str, &[u8])] = &[\n");
    for path in paths {
        let name = path.file_name().expect("it is a file").to_string_lossy();
        let content = fs::read_to_string(&path).expect("the files of the page are text");
        let slim = folder.join(&*name);
        fs::write(&slim, slimmed(&name, &content)).expect("the folder can be written");
        writeln!(text, "    ({name:?}, include_bytes!({:?})),", slim.display().to_string())
            .expect("a string takes everything");
    }
    text.push_str("];\n");
    fs::write(Path::new(&out).join("page_files.rs"), text).expect("the folder can be written");
}

/// A file without indentation, without lines of comments and without other spaces and ends of lines that only readers of
/// the source need. `HEMATITE_BOARD_PAGE` has a build for development serve the files as they are.
fn slimmed(name: &str, content: &str) -> String {
    let (is_script, is_style) = (name.ends_with(".js"), name.ends_with(".css"));
    if !is_script && !is_style {
        return content.to_owned();
    }
    let mut slim = String::with_capacity(content.len());
    for (index, line) in content.lines().enumerate() {
        // What stands between backquotes must stay as it is.
        assert!(
            !is_script || line.matches('`').count() % 2 == 0,
            "{name}:{}: expected a template on one line",
            index + 1
        );
        let line = line.trim();
        let is_comment =
            is_script && line.starts_with("//") || line.starts_with("/*") && line.ends_with("*/") && is_style;
        if is_comment || line.is_empty() {
            continue;
        }
        if is_script {
            add_script(line, &mut slim);
        } else {
            add_style(line, &mut slim);
        }
        let is_joined =
            slim.is_empty() || slim.ends_with(if is_style { CLOSED_STYLE } else { CLOSED_SCRIPT });
        if !is_joined {
            slim.push('\n');
        }
    }
    slim
}

/// The ends of lines behind which a new line means nothing.
const CLOSED_SCRIPT: &[char] = &[';', ',', '{', '(', '[', '\n'];
const CLOSED_STYLE: &[char] = &[';', ',', '{', '}', '\n'];

/// Adds a line of JavaScript. Spaces are left out that do not part two words or two signs; strings, templates and regular
/// expressions stay as they are.
fn add_script(line: &str, slim: &mut String) {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_$#".contains(letter);
    let start = slim.len();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let last = slim[start..].chars().next_back();
        let begins_value = last.is_none_or(|last| "(,=:[!&|?{};".contains(last)) || slim.ends_with("return");
        if rest.starts_with("//") {
            break;
        }
        let length = match letter {
            '"' | '\'' => quoted(rest, letter),
            '`' => template(rest),
            '/' if begins_value => pattern(rest),
            _ => letter.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        let next = after.chars().next();
        let parts = last.zip(next).is_some_and(|(last, next)| {
            next == ' ' || is_word(last) && is_word(next) || last == next && "+-".contains(last)
        });
        if letter != ' ' || parts {
            slim.push_str(part);
        }
        rest = after;
    }
}

/// The length of what ends with the first such letter that `is_end` accepts; behind a backslash any letter is passed over.
fn length_until(text: &str, mut is_end: impl FnMut(char) -> bool) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if is_end(letter) {
            return index + letter.len_utf8();
        }
    }
    text.len()
}

fn quoted(text: &str, quote: char) -> usize {
    length_until(text, |letter| letter == quote)
}

/// A regular expression, whose classes may have slashes.
fn pattern(text: &str) -> usize {
    let mut is_class = false;
    length_until(text, |letter| {
        is_class = letter == '[' || is_class && letter != ']';
        letter == '/' && !is_class
    })
}

/// A template, in whose expressions there may be others.
fn template(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut index, mut depth) = (1, 0);
    while let Some(&byte) = bytes.get(index) {
        match byte {
            b'\\' => index += 1,
            b'$' if bytes.get(index + 1) == Some(&b'{') => {
                depth += 1;
                index += 1;
            }
            b'}' if depth > 0 => depth -= 1,
            b'`' if depth == 0 => return index + 1,
            b'`' => index += template(&text[index..]) - 1,
            _ => {}
        }
        index += 1;
    }
    text.len()
}

/// Adds a line of CSS. Spaces around braces and semicolons and behind colons and commas are left out, but for strings.
fn add_style(line: &str, slim: &mut String) {
    let start = slim.len();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let length = if letter == '"' { quoted(rest, letter) } else { letter.len_utf8() };
        let (part, after) = rest.split_at(length);
        let last = slim[start..].chars().next_back();
        let next = after.chars().next();
        let is_idle = letter == ' '
            && (last.is_some_and(|last| "{};:,".contains(last))
                || next.is_some_and(|next| "{};".contains(next)));
        if letter == '}' && last == Some(';') {
            slim.pop();
        }
        if !is_idle {
            slim.push_str(part);
        }
        rest = after;
    }
}
