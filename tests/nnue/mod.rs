//! Networks: what they compute, how they are kept up to date, and their files.

mod accumulators;
mod command;
mod evaluation;
mod files;
mod search;
mod walks;
