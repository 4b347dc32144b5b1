//! `hematite board` over real connections.

pub(crate) mod client;
mod engines;
mod faults;
mod games;
mod hostile;
mod library;
