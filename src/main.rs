//! The hematite binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    hematite::cli::main()
}
