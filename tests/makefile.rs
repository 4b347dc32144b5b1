//! The Makefile, which OpenBench and others use.

use crate::support::binary::{Run, folder, has};
use crate::support::skip;
use std::process::Command;
#[cfg(unix)]
use std::{fs, os::unix::fs::PermissionsExt};

#[test]
fn a_guided_build_names_the_program_that_it_misses() {
    if !has("make") {
        return skip("no make");
    }
    let folder = folder("makefile-pgo");
    // Nothing is built: what is missed is told before.
    let made = Command::new("make")
        .args(["-C", concat!(env!("CARGO_MANIFEST_DIR"), "/src"), "pgo", "CARGO=false"])
        .env("LLVM_PROFDATA", "no-such-profdata")
        .env("CARGO_TARGET_DIR", &folder)
        .output();
    let made = Run::from(made.expect("make runs"));
    assert_ne!(made.code, Some(0), "{made:?}");
    for part in ["found no-such-profdata (does not run)", "rustup component add llvm-tools", "LLVM_PROFDATA="]
    {
        assert!(made.err.contains(part), "expected `{part}`: {made:?}");
    }
}

/// A command in place of cargo that notes its flags and "builds" a file.
#[cfg(unix)]
const CARGO: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
        --target) host=$2; shift ;;
        --target-dir) work=$2; shift ;;
    esac
    shift
done
mkdir -p "$work/$host/release"
echo "built with $(printf '%s' "$CARGO_ENCODED_RUSTFLAGS" | tr '\037' ' ')" > "$work/$host/release/hematite"
"#;

#[cfg(unix)]
#[test]
fn a_release_is_also_built_without_the_program_that_guides_it() {
    if !has("make") {
        return skip("no make");
    }
    // Make splits what it reads at spaces.
    let folder = folder("makefile release");
    let (cargo, binary) = (folder.join("cargo"), folder.join("hematite"));
    fs::write(&cargo, CARGO).expect("a file");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("it can be made a program");
    let make = |target: &str, flags: Option<&str>| {
        let mut command = Command::new("make");
        command.args(["-C", concat!(env!("CARGO_MANIFEST_DIR"), "/src"), target]);
        command.arg(format!("CARGO={}", cargo.display())).arg(format!("EXE={}", binary.display()));
        command
            .env("LLVM_PROFDATA", "no-such-profdata")
            .env("CARGO_TARGET_DIR", &folder)
            .env_remove("RUSTFLAGS");
        command.envs(flags.map(|flags| ("RUSTFLAGS", flags)));
        Run::from(command.output().expect("make runs"))
    };
    let guided = make("pgo", None);
    assert!(guided.code != Some(0) && !binary.exists(), "{guided:?}");
    let portable = if cfg!(target_arch = "x86_64") { "x86-64-v2" } else { "generic" };
    for (flags, expected) in [(None, portable), (Some("-C target-cpu=znver4"), "znver4")] {
        let made = make("release", flags);
        assert_eq!(made.code, Some(0), "{made:?}");
        for part in ["found no-such-profdata", "building without profile-guided optimization"] {
            assert!(made.err.contains(part), "expected `{part}`: {made:?}");
        }
        assert!(made.out.contains("without profile-guided optimization"), "{made:?}");
        let built = fs::read_to_string(&binary).expect("it is built");
        assert_eq!(built.trim_end(), format!("built with -C target-cpu={expected}"));
    }
}
