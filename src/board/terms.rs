//! The terms of queries that are proposed during input.

use crate::database::proposed_terms;

/// Words around terms, with descriptions.
const AROUND: [(&str, &str); 5] = [
    ("not", "without what follows"),
    ("or", "one or the other"),
    ("at(", "all at one position"),
    ("then", "after that"),
    ("within", "so many plies later"),
];

/// The starts of terms and the words around them, with descriptions; `docs/queries.md` lists all.
pub(super) fn proposals() -> impl Iterator<Item = (&'static str, &'static str)> {
    proposed_terms().chain(AROUND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Query;

    /// Complete terms are queries by themselves; the others are tested with a value appended.
    #[test]
    fn what_is_proposed_can_be_read() {
        for (term, _) in proposals() {
            let values = [
                "",
                "1",
                "1993",
                "e4",
                "white",
                "mate",
                "1-0",
                "blitz",
                "KRkr",
                "!!",
                "mate)",
                "Round=1",
                "\"8/8/8/8/8/8/8/8\"",
                "\"4k3/8/8/8/8/8/8/4K3 w - -\"",
            ];
            let before = match term {
                "or" | "then" => "mate ",
                "within" => "mate then check ",
                _ => "",
            };
            let readable = values.iter().any(|value| {
                let gap = if term.ends_with([':', '=', '<', '>', '.', '(']) { "" } else { " " };
                format!("{before}{term}{gap}{value}").parse::<Query>().is_ok()
            });
            assert!(readable || term == "in:variations", "{term}");
        }
    }
}
