//! Tells the program which compiler builds it, and for what.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().ok();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=HEMATITE_RUSTC={}", version.as_deref().unwrap_or("an unknown rustc"));
    println!("cargo::rustc-env=HEMATITE_TARGET={}", env::var("TARGET").as_deref().unwrap_or("unknown"));
}
