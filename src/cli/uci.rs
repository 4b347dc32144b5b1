//! The UCI engine, which starts where no command is given.

use super::{CliError, Verdict};

/// Runs the engine on standard input and output until it is told to quit.
///
/// # Errors
/// None yet but that there is no engine.
pub(super) fn run() -> Result<Verdict, CliError> {
    // The engine's session is to be called here.
    Err(CliError::Usage(
        "no command given, and the UCI engine is not built yet; try `hematite --help`".to_owned(),
    ))
}
