//! The Makefile, which OpenBench and others use.

use crate::support::binary::{Run, folder, has};
use crate::support::skip;
use std::process::Command;

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
