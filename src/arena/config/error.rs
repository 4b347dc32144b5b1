//! What is wrong with a plan.

use std::fmt;

/// A key or a value that does not belong where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError {
    /// The group of keys, such as `engine 2` or `openings`; none for a key that stands alone.
    pub(super) group: Option<String>,
    /// What is wrong, and what was expected.
    pub(super) problem: String,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(group) = &self.group {
            write!(f, "{group}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for PlanError {}
