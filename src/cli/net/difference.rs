//! How far two networks are from one another.

use crate::chess::Position;
use crate::nnue::{EVALUATION_SCALE, FloatNetwork, Network};

/// The differences of two evaluations over some positions, in centipawns.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Differences {
    count: usize,
    sum: f64,
    largest: Option<Difference>,
}

/// What two networks think of a position, in centipawns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub position: Position,
    pub float: f64,
    pub quantized: i32,
}

impl Difference {
    pub(super) fn of(float: &FloatNetwork, quantized: &Network, position: &Position) -> Self {
        Self {
            position: *position,
            float: f64::from(float.evaluate(position)) * f64::from(EVALUATION_SCALE),
            quantized: quantized.evaluate(position),
        }
    }

    /// How far apart they are.
    pub(super) fn size(&self) -> f64 {
        (self.float - f64::from(self.quantized)).abs()
    }
}

impl Differences {
    pub(super) fn add(&mut self, difference: Difference) {
        self.count += 1;
        self.sum += difference.size();
        if self.largest.is_none_or(|largest| largest.size() < difference.size()) {
            self.largest = Some(difference);
        }
    }

    /// How many positions there were.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The mean difference; 0 without positions.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The largest difference.
    pub(super) const fn largest(&self) -> Option<&Difference> {
        self.largest.as_ref()
    }
}
