//! Networks: their evaluations, incremental updates, and files.

mod accumulators;
mod command;
mod evaluation;
mod files;
mod search;
mod walks;
