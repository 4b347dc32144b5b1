//! The selection of the parameters to tune.

use crate::search::{Parameter, Params};

/// The pattern for all parameters.
const ALL: &str = "all";
/// The prefix of a pattern that excludes parameters.
const BUT: char = '!';
/// Parameters that have an effect only in games with a clock.
const NEEDS_CLOCK: [&str; 2] = ["tm_*", "only_move_depth"];
/// Parameters that have an effect only in games in real time.
const NEEDS_REAL_TIME: [&str; 1] = ["check_interval"];

/// The reason why a selection is not valid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SelectionError {
    /// No parameter matches the pattern.
    #[error(
        "no search parameter is called {0}, expected names such as rfp_margin, patterns such as lmr_*, or all"
    )]
    Unknown(String),
    /// The matching parameters have an effect only with a clock, and there is none.
    #[error("{0} has no effect in games at fixed nodes, expected --clock or other parameters")]
    NeedsClock(String),
    /// The matching parameters have an effect only in real time, not if nodes are counted.
    #[error("{0} has no effect in games that count nodes, expected other parameters")]
    NeedsRealTime(String),
    /// No parameter is left.
    #[error("no parameters are left to be tuned")]
    Nothing,
}

/// The parameters that match any of the patterns, in the order of their declaration, except those that have no effect;
/// some have an effect only with a clock. A pattern is `all` or a name in which `*` stands for any characters and `?`
/// for a single one; the prefix `!` excludes the matching parameters.
///
/// # Errors
/// [`SelectionError`] if a pattern matches no parameter, or no parameter is left.
pub fn select<S: AsRef<str>>(
    patterns: &[S],
    has_clock: bool,
) -> Result<Vec<&'static Parameter>, SelectionError> {
    let patterns = || patterns.iter().map(AsRef::as_ref);
    for pattern in patterns() {
        let named = |parameter: &&Parameter| is_named(parameter, pattern.trim_start_matches(BUT));
        if !Params::DECLARED.iter().any(|parameter| named(&parameter)) {
            return Err(SelectionError::Unknown(pattern.to_owned()));
        }
        if pattern.starts_with(BUT) {
            continue;
        }
        let mut all_named = Params::DECLARED.iter().filter(named);
        if all_named.clone().all(needs_real_time) {
            return Err(SelectionError::NeedsRealTime(pattern.to_owned()));
        }
        if all_named.all(|parameter| !matters(parameter, has_clock)) {
            return Err(SelectionError::NeedsClock(pattern.to_owned()));
        }
    }
    let is_any_wanted = patterns().any(|pattern| !pattern.starts_with(BUT));
    let is_wanted = |parameter: &&Parameter| {
        let is_in = |pattern: &str| is_named(parameter, pattern);
        (!is_any_wanted || patterns().any(is_in))
            && !patterns().any(|pattern| pattern.strip_prefix(BUT).is_some_and(is_in))
            && matters(parameter, has_clock)
    };
    let selected: Vec<_> = Params::DECLARED.iter().filter(is_wanted).collect();
    if selected.is_empty() { Err(SelectionError::Nothing) } else { Ok(selected) }
}

/// Whether a parameter has an effect in games that count nodes, with or without a clock.
fn matters(parameter: &Parameter, has_clock: bool) -> bool {
    !needs_real_time(parameter)
        && (has_clock || !NEEDS_CLOCK.iter().any(|pattern| is_named(parameter, pattern)))
}

fn needs_real_time(parameter: &Parameter) -> bool {
    NEEDS_REAL_TIME.iter().any(|pattern| is_named(parameter, pattern))
}

fn is_named(parameter: &Parameter, pattern: &str) -> bool {
    pattern == ALL || matches(pattern.as_bytes(), parameter.name.as_bytes())
}

/// Whether an ASCII name matches a pattern.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skipped| matches(rest, &name[skipped..])),
        ([b'?', pattern @ ..], [_, name @ ..]) => matches(pattern, name),
        ([letter, pattern @ ..], [found, name @ ..]) => letter == found && matches(pattern, name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(patterns: &str) -> Result<Vec<&'static str>, String> {
        let patterns: Vec<_> = patterns.split(',').collect();
        let selected = select(&patterns, false).map_err(|error| error.to_string())?;
        Ok(selected.iter().map(|parameter| parameter.name).collect())
    }

    #[test]
    fn parameters_are_selected_by_patterns() {
        let cases: [(&str, &[&str]); 6] = [
            ("rfp_margin", &["rfp_margin"]),
            ("razor_*", &["razor_depth", "razor_base", "razor_slope"]),
            ("rfp_margin,rfp_depth", &["rfp_depth", "rfp_margin"]),
            ("razor_????", &["razor_base"]),
            (
                "*_prune_*,rfp_*,!*_depth",
                &["rfp_margin", "rfp_tt_pv", "rfp_hash_quiet", "history_prune_slope"],
            ),
            ("razor_*,razor_base,!*slope,razor_depth", &["razor_depth", "razor_base"]),
        ];
        for (patterns, expected) in cases {
            assert_eq!(names(patterns).as_deref(), Ok(expected), "{patterns}");
        }
        let all = names("all").expect("there are some");
        assert_eq!(names("*").as_ref(), Ok(&all));
        assert!(all.contains(&"lmr_base") && !all.iter().any(|name| name.starts_with("tm_")));
        assert_eq!(names("!lmr_*").map(|names| names.contains(&"lmr_base")), Ok(false));
    }

    #[test]
    fn with_a_clock_more_parameters_matter() {
        let select = |patterns: &[&str]| select(patterns, true).expect("there are some");
        let all: Vec<_> = select(&["all"]).iter().map(|parameter| parameter.name).collect();
        assert!(
            all.contains(&"tm_score_drop") && all.contains(&"only_move_depth") && all.contains(&"lmr_base")
        );
        assert!(!all.contains(&"check_interval"));
        assert!(select(&["tm_*"]).iter().all(|parameter| parameter.name.starts_with("tm_")));
    }

    #[test]
    fn patterns_that_name_nothing_are_refused() {
        let cases = [
            ("rfp_margins", "no search parameter is called rfp_margins"),
            ("rfp_margin,xyz*", "no search parameter is called xyz*"),
            ("", "no search parameter is called ,"),
            ("!xyz", "no search parameter is called !xyz"),
            ("tm_*", "tm_* has no effect in games at fixed nodes"),
            ("rfp_margin,tm_score_drop", "tm_score_drop has no effect"),
            ("check_interval", "check_interval has no effect in games that count nodes"),
            ("all,!all", "no parameters are left"),
        ];
        for (patterns, expected) in cases {
            let error = names(patterns).expect_err(patterns);
            assert!(error.starts_with(expected), "{patterns}: {error}");
        }
    }

    #[test]
    fn the_parameters_of_time_are_there() {
        for pattern in NEEDS_CLOCK.into_iter().chain(NEEDS_REAL_TIME) {
            assert!(Params::DECLARED.iter().any(|parameter| is_named(parameter, pattern)), "{pattern}");
        }
    }
}
