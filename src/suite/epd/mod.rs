//! EPD suites: positions with moves to be found, to be avoided, or mates to be given.
//!
//! [`check`] tells what is wrong with a file. [`cases`] reads one, a [`Solver`] (our own search
//! or any UCI engine) thinks about its positions, [`run`] compares and a [`Summary`] counts.

mod annotate;
mod budget;
mod case;
mod check;
mod goal;
mod grid;
mod own_search;
mod points;
mod run;
mod solver;
mod summary;
mod tally;
mod theme;
mod tracker;
mod uci_engine;

pub use annotate::annotated;
pub use budget::Budget;
pub use case::{Case, cases};
pub use check::{CheckSummary, check};
pub use goal::Goal;
pub use grid::{TimeGrid, TimeStep};
pub use own_search::OwnSearch;
pub use points::Points;
pub use run::{Listener, Settings, Trial, run};
pub use solver::{Answer, Moment, Solver, SolverError, Thought};
pub use summary::Summary;
pub use tally::{Means, Tally};
pub use theme::theme;
pub use uci_engine::UciEngine;
