//! `genfens`: openings for games of the engine against itself, as OpenBench asks for them
//! (<https://github.com/AndyGrant/OpenBench/wiki>).

use super::Complaint;
use super::number::saturating;
use super::tokens::Tokens;
use crate::notation::Excerpt;
use std::fmt;

/// The values of a `genfens` command: `genfens N seed S book <None|FILE> [...]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFensTokens {
    /// How many positions are wanted.
    pub count: u32,
    /// What the random numbers start from.
    pub seed: u64,
    /// A file of positions to start from; `None` for the initial position.
    pub book: Option<String>,
}

/// How it is written that there is no book, in any case.
const NO_BOOK: &str = "none";

impl GenFensTokens {
    /// `None` if it is not said how many are wanted.
    pub(super) fn read(tokens: &mut Tokens<'_>, complaints: &mut Vec<Complaint>) -> Option<Self> {
        let Some(found) = tokens.next() else {
            complaints.push(Complaint::MissingValue { token: "genfens", expected: "a number of positions" });
            return None;
        };
        let Some(count) = saturating(found).and_then(|count| u32::try_from(count).ok()) else {
            complaints.push(Complaint::NotANumber { token: "genfens", found: Excerpt::new(found) });
            return None;
        };
        let mut wanted = Self { count, seed: 0, book: None };
        // Whatever else follows is meant for the engines of those who ask for it.
        while let Some(word) = tokens.next() {
            match (word, tokens.peek()) {
                ("seed", Some(found)) => match found.parse() {
                    Ok(seed) => wanted.seed = seed,
                    Err(_) => {
                        complaints.push(Complaint::NotANumber { token: "seed", found: Excerpt::new(found) })
                    }
                },
                ("book", Some(found)) => {
                    wanted.book = Some(found.to_owned()).filter(|name| !name.eq_ignore_ascii_case(NO_BOOK));
                }
                _ => continue,
            }
            tokens.next();
        }
        Some(wanted)
    }
}

impl fmt::Display for GenFensTokens {
    /// The command that reads back as these tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let book = self.book.as_deref().unwrap_or("None");
        write!(f, "genfens {} seed {} book {book}", self.count, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_as_open_bench_writes_them() {
        let wanted = |count, seed, book: Option<&str>| {
            Some(GenFensTokens { count, seed, book: book.map(str::to_owned) })
        };
        let cases = [
            ("usual", "100 seed 42 book None", wanted(100, 42, None), 0),
            (
                "a book",
                "7 seed 18446744073709551615 book Books/a.epd",
                wanted(7, u64::MAX, Some("Books/a.epd")),
                0,
            ),
            ("more", "7 seed 1 book none dfrc extra", wanted(7, 1, None), 0),
            ("only a count", "7", wanted(7, 0, None), 0),
            ("nothing", "", None, 1),
            ("no number", "many", None, 1),
            ("below zero", "-1", None, 1),
            ("no seed", "1 seed x", wanted(1, 0, None), 1),
            ("an end in between", "1 seed", wanted(1, 0, None), 0),
        ];
        for (name, line, expected, count) in cases {
            let mut complaints = Vec::new();
            assert_eq!(GenFensTokens::read(&mut Tokens::new(line), &mut complaints), expected, "{name}");
            assert_eq!(complaints.len(), count, "{name}: {complaints:?}");
        }
    }
}
