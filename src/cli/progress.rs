//! How commands show how far they have come.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often a line tells of the progress where there is no bar.
pub(super) const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// A bar that looks like this (<https://docs.rs/indicatif>). It shows itself on a terminal only.
pub(super) fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    // The templates are ours and valid.
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}
