//! A network of integers, as it plays.

use super::quantization::{BoundsError, Integers, check_bounds};
use super::{Architecture, Parameters};

/// A network of integers whose sums cannot overflow.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    integers: Integers,
}

impl Network {
    /// # Errors
    /// [`BoundsError`] if some sum could overflow.
    pub fn new(parameters: &Parameters<i16, i8, i32>) -> Result<Self, BoundsError> {
        check_bounds(parameters)?;
        Ok(Self { integers: parameters.clone() })
    }

    /// How it is built.
    pub const fn architecture(&self) -> Architecture {
        self.integers.architecture()
    }

    /// Its numbers.
    pub fn parameters(&self) -> Parameters<i16, i8, i32> {
        self.integers.clone()
    }
}
