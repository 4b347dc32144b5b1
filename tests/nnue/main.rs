//! Networks: what they compute, how they are kept up to date, and their files.

mod accumulators;
mod command;
mod evaluation;
mod files;
#[path = "../support/network.rs"]
mod network;
mod search;
#[path = "../support/mod.rs"]
mod support;
mod walks;
