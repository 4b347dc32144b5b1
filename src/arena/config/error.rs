//! Errors of a configuration, in terms of its keys.

use crate::notation::Excerpt;
use crate::uci::nearest;
use thiserror::Error;

/// A key or a value that does not belong where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

impl ConfigError {
    /// The error of a group, such as `engine 2`.
    pub(super) fn in_group(group: &str, problem: impl std::fmt::Display) -> Self {
        Self(format!("{group}: {problem}"))
    }

    /// The error of a table that is the value of the key `group`.
    pub(super) fn of_table(group: Option<&str>, error: &toml::de::Error) -> Self {
        // The keys are known only from the text.
        let text = error.to_string();
        let path = text.strip_prefix(error.message()).and_then(|rest| rest.trim().strip_prefix("in `"));
        let mut keys: Vec<&str> = group.into_iter().collect();
        keys.extend(
            path.and_then(|path| path.strip_suffix('`')).into_iter().flat_map(|path| path.split('.')),
        );
        let problem = problem(error.message(), &mut keys);
        match keys[..] {
            [] => Self(problem),
            _ => Self::in_group(&keys.join("."), problem),
        }
    }
}

/// The problem in our words. The last key is taken off where the problem names it.
fn problem(message: &str, keys: &mut Vec<&str>) -> String {
    let quoted = |text| str::split(text, '`').skip(1).step_by(2).collect::<Vec<_>>();
    if let Some(found) = message.strip_prefix("unknown field `") {
        let (found, known) = found.split_once("`, ").unwrap_or((found, ""));
        return unknown_key(found, &quoted(known));
    }
    if message.starts_with("missing field") {
        let key = quoted(message).concat();
        return format!("no {key}, expected {key}=VALUE");
    }
    if message.starts_with([':', '=', ' ']) {
        return format!("{}{message}", keys.pop().unwrap_or_default());
    }
    if let Some(found) = message.strip_prefix("unknown variant `") {
        let (found, known) = found.split_once("`, ").unwrap_or((found, ""));
        let known = quoted(known);
        let expected = match &known[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            all => all.concat(),
        };
        let key = keys.pop().unwrap_or_default();
        return format!("{key}={}, expected {expected}", Excerpt::new(found));
    }
    if message.starts_with("invalid type") && message.contains("expected struct") {
        return format!("`{}` is a single value, expected keys and values", keys.pop().unwrap_or_default());
    }
    if message.starts_with("invalid type") {
        return format!("`{}` is not text", keys.pop().unwrap_or_default());
    }
    message.to_owned()
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    // Only `option` has names behind a dot.
    let stem = key.split('.').next().unwrap_or(key);
    let hint = match nearest(stem, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}{}`?", &key[stem.len()..]),
        None => format!("expected one of {}", known.join(", ")),
    };
    format!("unknown key {}, {hint}", Excerpt::new(key))
}
