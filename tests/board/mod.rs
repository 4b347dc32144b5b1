//! `hematite board` over real connections.

mod api;
mod arbiter;
mod articles;
mod books;
pub(crate) mod client;
#[cfg(target_os = "linux")]
mod config;
mod electronic;
mod engines;
mod faults;
mod file_changes;
mod games;
mod hostile;
mod lag;
mod library;
mod lists;
mod live;
mod load;
mod mutants;
mod next_moves;
mod print;
mod proxy;
mod study;
mod tournaments;
