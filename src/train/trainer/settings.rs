//! The settings and the plan of a training run.

use super::optimizer::AdamW;
use super::{Curve, Ema, Loss, Schedule, Target, WdlWeight};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings, besides the examples, that determine the trained network.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The number of hidden neurons of one perspective.
    pub width: usize,
    /// The number of examples of a batch.
    pub batch: usize,
    /// The optimizer, which computes steps from gradients.
    pub optimizer: AdamW,
    /// The learning rate of each step.
    pub schedule: Schedule,
    /// The seed of the initial weights and of the order of the examples.
    pub seed: u64,
    /// The number of threads, which determines the order of additions.
    pub threads: usize,
    /// The average of the weights that becomes the network; `None` for the latest weights.
    #[serde(default)]
    pub ema: Option<Ema>,
    /// The loss of an output.
    #[serde(default)]
    pub loss: Loss,
    /// The weight of the result in the target, as in [`Plan::target`].
    #[serde(default)]
    pub wdl: WdlWeight,
}

/// The length of training.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// The number of passes over all examples.
    Epochs(u64),
    /// The number of batches.
    Steps(u64),
}

impl Length {
    /// The number of batches, at least one.
    pub fn steps(self, examples: usize, batch: usize) -> u64 {
        match self {
            Self::Epochs(epochs) => epochs.saturating_mul(examples as u64).div_ceil(batch.max(1) as u64),
            Self::Steps(steps) => steps,
        }
        .max(1)
    }
}

/// A file with games, or a folder of such files.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// The path.
    pub path: PathBuf,
    /// The factor of the loss of its positions, above zero.
    pub weight: f32,
}

impl From<PathBuf> for Source {
    /// A source with the usual weight, 1.
    fn from(path: PathBuf) -> Self {
        Self { path, weight: 1.0 }
    }
}

/// The selection of the positions that are used as examples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Selection {
    /// Positions before this ply are skipped, since they are the result of random moves.
    pub min_ply: u32,
    /// Positions whose score has a larger magnitude, in search units, are skipped, since they are decided.
    pub max_score: i16,
    /// Positions whose halfmove clock is higher are skipped, since the approaching 50-move draw has an effect on their
    /// scores and results, but not on the inputs of the network.
    #[serde(default)]
    pub max_clock: Option<u16>,
    /// Positions whose score differs from that of the next position of the game, for the same side, by more than this,
    /// in search units, are skipped, since the next search has refuted it.
    #[serde(default)]
    pub max_change: Option<u16>,
    /// The share of the games that is used for validation, 0 to 1.
    pub validation: f64,
    /// The maximum number of positions for training, without those for validation.
    pub max_positions: Option<u64>,
    /// The seed that determines the games for validation.
    pub seed: u64,
}

/// A complete training run, as configured by the user.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The files and folders with games.
    pub data: Vec<PathBuf>,
    /// The factor of the loss of the positions of each of them; 1 if it is missing.
    #[serde(default)]
    pub data_weights: Vec<f32>,
    /// The file of the quantized network.
    pub out: PathBuf,
    /// The file of the checkpoint.
    pub checkpoint: PathBuf,
    /// The initial network; `None` for random weights.
    #[serde(alias = "start")]
    pub init_net: Option<PathBuf>,
    /// The selection of positions.
    pub selection: Selection,
    /// The target of each position.
    pub target: Target,
    /// Whether the curves of the target and of the output are fitted to the games before the first step.
    #[serde(default)]
    pub fit_curve: bool,
    /// The length of training.
    pub length: Length,
    /// The number of steps between two reports; `None` for an epoch, but at most [`Plan::REPORT_STEPS`].
    pub report: Option<u64>,
    /// The number of steps until the maximum learning rate is reached; `None` for all steps divided by
    /// [`Plan::WARMUP_DIVISOR`].
    #[serde(alias = "warm_up")]
    pub warmup: Option<u64>,
    /// All other settings. The number of steps of the schedule is not set yet, and the weight of the result is that of
    /// the target.
    pub settings: Settings,
}

impl Plan {
    /// The maximum default number of steps between two reports.
    pub const REPORT_STEPS: u64 = 1000;
    /// The learning rate increases during this fraction of all steps by default.
    pub const WARMUP_DIVISOR: u64 = 50;

    /// The files and folders with their weights.
    pub fn sources(&self) -> Vec<Source> {
        let mut sources: Vec<Source> = self.data.iter().cloned().map(Source::from).collect();
        for (source, weight) in sources.iter_mut().zip(&self.data_weights) {
            source.weight = *weight;
        }
        sources
    }

    /// The settings for this many examples.
    pub fn settings(&self, examples: usize) -> Settings {
        let mut settings = self.settings;
        let steps = self.length.steps(examples, settings.batch);
        settings.wdl = self.target.wdl;
        settings.schedule.steps = steps;
        settings.schedule.warmup = self.warmup.unwrap_or(steps / Self::WARMUP_DIVISOR).min(steps);
        settings
    }

    /// Uses this curve for the scores of the games, and for the output of the network, which then has the same unit.
    pub fn set_curve(&mut self, curve: Curve) {
        self.target.curve = curve;
        self.settings.loss.output = curve;
    }

    /// The number of steps between two reports for this many examples, at least one.
    pub fn report_steps(&self, examples: usize) -> u64 {
        let epoch = Length::Epochs(1).steps(examples, self.settings.batch);
        self.report.unwrap_or(epoch.min(Self::REPORT_STEPS)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_batches() {
        let cases = [
            ("an epoch", Length::Epochs(1), 1000, 100, 10),
            ("a part of a batch more", Length::Epochs(1), 1001, 100, 11),
            ("several epochs", Length::Epochs(3), 50, 100, 2),
            ("steps", Length::Steps(7), 1000, 100, 7),
            ("at least one", Length::Epochs(0), 1000, 100, 1),
        ];
        for (name, length, examples, batch, steps) in cases {
            assert_eq!(length.steps(examples, batch), steps, "{name}");
        }
    }
}
