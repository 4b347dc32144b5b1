//! Training a network on the positions of games.
//!
//! [`DataSet`] holds the [`Example`]s, [`Training`] learns from them batch by batch, [`run`]
//! does so until the end of a [`Plan`], with reports and checkpoints. The first layer is sparse: of
//! its inputs only those are touched for which there is a piece.

mod checkpoint;
mod comparison;
mod data_set;
mod example;
mod first_layer;
#[cfg(test)]
mod gradient_check;
mod head;
mod load;
mod loss;
mod optimizer;
mod order;
mod parameters;
mod run;
mod schedule;
mod settings;
mod target;
#[cfg(test)]
mod testing;
mod training;
mod vector;
mod worker;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use comparison::Comparison;
pub use data_set::{Counts, DataSet};
pub use example::Example;
pub use load::{LoadError, LoadProgress, load};
pub use loss::total_loss;
pub use optimizer::AdamW;
pub use run::{Ending, Listener, Report, Status, run};
pub use schedule::Schedule;
pub use settings::{Length, Plan, Selection, Settings};
pub use target::Target;
pub use training::{Training, TrainingError};
