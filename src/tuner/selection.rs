//! The selection of the parameters to tune.

use crate::search::{Parameter, Params};

/// All parameters, in place of a pattern.
const ALL: &str = "all";
/// Before a pattern: all but these.
const BUT: char = '!';
/// Parameters that only games with a clock depend on.
const NEEDS_CLOCK: [&str; 2] = ["tm_*", "only_move_depth"];
/// Parameters that only games in real time depend on.
const NEEDS_REAL_TIME: [&str; 1] = ["check_interval"];

/// A pattern that selects nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SelectionError {
    /// No parameter has such a name.
    #[error(
        "no search parameter is called {0}, expected names such as rfp_margin, patterns such as lmr_*, or all"
    )]
    Unknown(String),
    /// The parameters of such a name matter only to a clock, and there is none.
    #[error("{0} has no effect in games at fixed nodes, expected --clock or other parameters")]
    NeedsClock(String),
    /// The parameters of such a name matter only where time is not a number of nodes.
    #[error("{0} has no effect in games that count nodes, expected other parameters")]
    NeedsRealTime(String),
    /// Nothing is left.
    #[error("no parameters are left to be tuned")]
    Nothing,
}

/// The parameters that any of the patterns names, in the order in which they are declared, but for
/// those that would not matter; some do only if the games have a clock. A pattern is a name in which `*` stands
/// for any letters and `?` for one, or `all`; `!` before it leaves them out.
///
/// # Errors
/// [`SelectionError`] if a pattern names nothing, or nothing is left.
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

/// Whether games that count nodes depend on it, with a clock or without.
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

/// Whether a name, in ASCII, matches a pattern.
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
