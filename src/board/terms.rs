//! The terms of queries that are proposed during input.

use crate::database::{proposed_terms, proposed_values};

/// Words around terms, with descriptions.
const AROUND: [(&str, &str); 5] = [
    ("not", "without what follows"),
    ("or", "one or the other"),
    ("at(", "all at one position"),
    ("then", "after that"),
    ("within", "so many plies later"),
];

/// The starts of terms and the words around them, with descriptions; `docs/queries.md` lists all.
fn proposals() -> impl Iterator<Item = (&'static str, &'static str)> {
    proposed_terms().chain(AROUND)
}

/// Continuations of a text in lower case, with descriptions: starts of terms, or after the name of a term its values.
pub(super) fn continuations(typed: &str) -> Vec<(String, &'static str)> {
    let starts = proposals().map(|(start, text)| (start.to_owned(), text));
    let name = typed.split([':', '=']).next().filter(|name| name.len() < typed.len());
    let values = name.into_iter().flat_map(|name| {
        let with_operator = &typed[..=name.len()];
        proposed_values(name).iter().map(move |(value, text)| (format!("{with_operator}{value}"), *text))
    });
    let mut found: Vec<(String, &'static str)> = Vec::new();
    for (whole, text) in starts.chain(values) {
        if whole.starts_with(typed) && found.iter().all(|(other, _)| *other != whole) {
            found.push((whole, text));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Query;

    #[test]
    fn a_text_is_continued_by_terms_and_by_values() {
        let continued = |typed| {
            let found = continuations(typed);
            found.into_iter().map(|(whole, _)| whole).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(continued("win"), "winner:");
        assert_eq!(
            continued("end:"),
            "end: end:mate end:stalemate end:material end:repetition end:fifty-moves end:open"
        );
        assert_eq!(continued("end=m"), "end=mate end=material");
        assert_eq!(continued("in:v"), "in:variations");
        assert_eq!(continued("player:x"), "");
        assert_eq!(continued("é:"), "");
    }

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
