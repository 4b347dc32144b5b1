//! The progress of commands: bars on a terminal, lines elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// The interval between two lines of progress when there is no bar.
pub(super) const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// The bar with this template (<https://docs.rs/indicatif>). It is visible on a terminal only.
pub(super) fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    // The templates are constants and valid.
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar of this length with this template.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    styled(ProgressBar::new(length), template)
}

/// The estimated time for the rest of the work, at the rate so far; `None` before there is a rate.
pub(super) fn eta(done: u64, left: u64, elapsed: Duration) -> Option<Duration> {
    Duration::try_from_secs_f64(left as f64 / done as f64 * elapsed.as_secs_f64()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_the_rate_says() {
        let seconds = Duration::from_secs;
        assert_eq!(eta(2, 6, seconds(10)), Some(seconds(30)));
        assert_eq!(eta(2, 0, seconds(10)), Some(seconds(0)));
        assert_eq!(eta(0, 6, seconds(10)), None);
        assert_eq!(eta(0, 0, seconds(10)), None);
    }
}
