//! Matches of the built binary between mock engines, with and without faults.

mod books;
mod checks;
mod configuration;
mod faults;
mod games;
#[cfg(unix)]
mod orphans;
mod resume;
pub(crate) mod runner;
mod statistics;
