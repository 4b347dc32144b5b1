//! The hematite binary.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    hematite::engine::run(io::stdin(), io::stdout())
}
