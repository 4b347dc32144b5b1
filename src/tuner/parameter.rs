//! Numbers that are being tuned.

use crate::search::{Parameter, Params};
use serde::{Deserialize, Serialize};

/// A number that is being tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuned {
    /// Its name.
    pub name: String,
    /// What it is when it is not tuned.
    pub default: i32,
    /// The lowest value that makes sense.
    pub low: i32,
    /// The highest value that makes sense.
    pub high: i32,
    /// How far it is moved to either side in the last iteration: `c_end`.
    pub step: i32,
    /// What it has been tuned to; between the integers that are played with.
    pub value: f64,
}

impl Tuned {
    /// A parameter as it was declared.
    pub fn new(parameter: &Parameter) -> Self {
        let Parameter { name, default, low, high, step } = *parameter;
        Self { name: name.to_owned(), default, low, high, step, value: default.into() }
    }

    /// How far it has come.
    pub fn change(&self) -> f64 {
        self.value - f64::from(self.default)
    }

    /// The nearest integer to what it has been tuned to.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32 // in range, which is one of such numbers
    }

    /// Moves it, as far as its range lets it.
    pub(super) fn shift(&mut self, by: f64) {
        self.value = (self.value + by).clamp(self.low.into(), self.high.into());
    }

    /// Why it cannot be tuned on, if it cannot.
    pub(super) fn problem(&self) -> Option<String> {
        let Self { name, value, .. } = self;
        let Some(declared) = Params::declared(name) else {
            return Some(format!("no search parameter is called {name}"));
        };
        if (Self { value: declared.default.into(), ..self.clone() }) != Self::new(declared) {
            return Some(format!("default, range or step of {name} are not those of this program"));
        }
        let is_in_range = (f64::from(self.low)..=f64::from(self.high)).contains(value);
        (!is_in_range).then(|| format!("{name} is {value}, expected {} to {}", self.low, self.high))
    }
}
