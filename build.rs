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
    let mut text = String::from("/// The files of the page.\nconst PAGE_FILES: &[(&str, &[u8])] = &[\n");
    for path in paths {
        let name = path.file_name().expect("it is a file").to_string_lossy();
        writeln!(text, "    ({name:?}, include_bytes!({:?})),", path.display().to_string())
            .expect("a string takes everything");
    }
    text.push_str("];\n");
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("page_files.rs"), text).expect("the folder can be written");
}
