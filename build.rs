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

/// A file without indentation and without lines of comments, which only readers of the source need. Lines keep their
/// numbers.
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
        if !is_comment {
            slim.push_str(line);
        }
        slim.push('\n');
    }
    slim
}
