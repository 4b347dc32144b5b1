//! Where games come from.

use super::{Settings, signature};
use crate::nnue::Network;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Who has played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Engine {
    /// Name and version.
    pub name: String,
    /// The commit that it was built from, if that was stated when it was built, in the
    /// environment variable `HEMATITE_COMMIT`.
    pub commit: Option<String>,
    /// Nodes of some fixed searches, which another search or network would hardly take.
    pub signature: u64,
}

impl Engine {
    /// This program with this network.
    pub fn this(network: Arc<Network>) -> Self {
        Self {
            name: concat!("Hematite ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("HEMATITE_COMMIT").map(str::to_owned),
            signature: signature::of_search(network),
        }
    }
}

/// Where the games of a chunk come from; its note.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// Who has played them.
    pub engine: Engine,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the first game; the others follow it.
    pub first: u64,
    /// How they were played.
    pub settings: Settings,
}

impl Origin {
    /// What makes games of this origin and of another games of two runs: none if seed and
    /// settings are the same.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let run = |origin: &Self| serde_json::json!({ "seed": origin.seed, "settings": origin.settings });
        let mut found = Vec::new();
        compare("", &run(self), &run(other), &mut found);
        found
    }
}

/// Adds what differs, in words.
fn compare(name: &str, this: &Value, other: &Value, found: &mut Vec<String>) {
    match (this, other) {
        (Value::Object(this), Value::Object(other)) => {
            for (key, value) in this {
                compare(key, value, other.get(key).unwrap_or(&Value::Null), found);
            }
        }
        _ if this == other => {}
        _ => found.push(format!("{name} is {this} there, {other} here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;

    #[test]
    fn differences_are_named() {
        let origin =
            Origin { engine: Engine::this(embedded()), seed: 1, first: 0, settings: Settings::new(100) };
        let later = Origin { first: 500, ..origin.clone() };
        assert_eq!(origin.differences(&later), Vec::<String>::new(), "another part of the run");
        let mut other = Origin { seed: 2, ..origin.clone() };
        other.settings.adjudication.win_plies = 9;
        assert_eq!(origin.differences(&other), ["seed is 1 there, 2 here", "win_plies is 6 there, 9 here"]);
    }

    #[test]
    fn it_reads_what_it_writes() {
        let origin = Origin {
            engine: Engine::this(embedded()),
            seed: u64::MAX,
            first: 3,
            settings: Settings::new(5000),
        };
        let text = serde_json::to_string(&origin).expect("it is plain data");
        assert_eq!(serde_json::from_str::<Origin>(&text).expect("its own text"), origin);
    }
}
