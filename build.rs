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

/// Signs of JavaScript and of CSS beside which a space means nothing: those before it, and those behind it.
const LOOSE_IN_SCRIPTS: [&str; 2] = ["{}(),;:[]=?&|>", "{}(),;:[]=?&|"];
const LOOSE_IN_STYLES: [&str; 2] = ["{};:,", "{}"];

/// A file without indentation, without lines of comments and without most spaces, which only readers of the source need.
/// Lines keep their numbers.
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
        // A line with a template, or with what may be a regular expression or a comment, stays as it is.
        let is_plain = is_style || !line.contains(['`', '/']);
        match is_comment {
            true => {}
            false if is_plain => {
                push_dense(&mut slim, line, if is_style { LOOSE_IN_STYLES } else { LOOSE_IN_SCRIPTS });
            }
            false => slim.push_str(line),
        }
        slim.push('\n');
    }
    slim
}

/// Adds a line without the spaces beside these signs, except for those in strings.
fn push_dense(text: &mut String, line: &str, [before, behind]: [&str; 2]) {
    let (mut quote, mut is_escaped, mut last) = (None, false, None);
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if sign == '\\' => is_escaped = true,
            Some(mark) if sign == mark => quote = None,
            Some(_) => {}
            None if matches!(sign, '"' | '\'') => quote = Some(sign),
            None => {
                let is_loose = last.is_some_and(|last| before.contains(last))
                    || signs.peek().is_some_and(|&next| behind.contains(next));
                if sign == ' ' && is_loose {
                    continue;
                }
            }
        }
        text.push(sign);
        last = Some(sign);
    }
}
