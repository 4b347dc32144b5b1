//! Commands beyond the protocol: `bench`, `speedtest` and `genfens`.

use super::ParseWarning;
use super::tokens::{Tokens, saturating};
use crate::notation::Excerpt;
use std::fmt;

/// The values of a `bench` command, all of them optional: `bench [depth] [threads] [hash]`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BenchTokens {
    /// The depth of each search, in plies, at least 1.
    pub depth: Option<u32>,
    /// The number of search threads, at least 1.
    pub threads: Option<u32>,
    /// The size of the hash table in MiB, at least 1.
    pub hash_mib: Option<u32>,
}

/// The number of words by which the two orders of values are distinguished: at most this many in the order of this
/// engine, more in that of Stockfish.
const OUR_BENCH_WORDS: usize = 3;
/// Words of Stockfish's `bench` after the numbers that have no effect here: the built-in positions, the kind of limit,
/// and the kinds of evaluation.
const BENCH_WORDS: [&str; 5] = ["default", "depth", "mixed", "classical", "NNUE"];

impl BenchTokens {
    /// Reads `[depth] [threads] [hash]`, or the longer form of Stockfish,
    /// `[hash] [threads] [depth] [positions] [limit] [evaluation]`.
    pub(super) fn read(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Self {
        if (*tokens).count() > OUR_BENCH_WORDS {
            return Self::read_stockfish(tokens, warnings);
        }
        let mut next = |token| next_number(token, tokens, warnings);
        Self { depth: next("bench depth"), threads: next("bench threads"), hash_mib: next("bench hash") }
    }

    fn read_stockfish(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Self {
        let mut next = |token| next_number(token, tokens, warnings);
        let (hash_mib, threads, depth) = (next("bench hash"), next("bench threads"), next("bench depth"));
        let others: Vec<_> = tokens.filter(|word| !BENCH_WORDS.contains(word)).collect();
        // The number is not a depth if it limits something else.
        let depth = depth.filter(|_| others.is_empty());
        warnings.extend(
            others
                .into_iter()
                .map(|word| ParseWarning::UnknownToken { within: "bench", found: Excerpt::new(word) }),
        );
        Self { depth, threads, hash_mib }
    }
}

impl fmt::Display for BenchTokens {
    /// The command with its values up to the first one that is not set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, "bench", [self.depth, self.threads, self.hash_mib])
    }
}

/// The values of a `speedtest` command, all of them optional: `speedtest [seconds] [threads] [hash]`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SpeedtestTokens {
    /// The duration in seconds, at least 1.
    pub seconds: Option<u32>,
    /// The number of search threads, at least 1.
    pub threads: Option<u32>,
    /// The size of the hash table in MiB, at least 1.
    pub hash_mib: Option<u32>,
}

impl SpeedtestTokens {
    pub(super) fn read(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Self {
        let mut next = |token| next_number(token, tokens, warnings);
        Self {
            seconds: next("speedtest seconds"),
            threads: next("speedtest threads"),
            hash_mib: next("speedtest hash"),
        }
    }
}

impl fmt::Display for SpeedtestTokens {
    /// The command with its values up to the first one that is not set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, "speedtest", [self.seconds, self.threads, self.hash_mib])
    }
}

/// The next value, clamped to its range; `None` if it is missing or not a number.
fn next_number(
    token: &'static str,
    tokens: &mut Tokens<'_>,
    warnings: &mut Vec<ParseWarning>,
) -> Option<u32> {
    let found = tokens.next()?;
    let Some(number) = saturating(found) else {
        warnings.push(ParseWarning::NotANumber { token, found: Excerpt::new(found) });
        return None;
    };
    let taken = u32::try_from(number.max(1)).unwrap_or(u32::MAX);
    if i64::from(taken) != number {
        let (found, taken) = (Excerpt::new(found), u64::from(taken));
        warnings.push(ParseWarning::OutOfRange { token, found, taken });
    }
    Some(taken)
}

fn write(f: &mut fmt::Formatter<'_>, command: &str, values: [Option<u32>; 3]) -> fmt::Result {
    f.write_str(command)?;
    values.into_iter().map_while(|value| value).try_for_each(|value| write!(f, " {value}"))
}

/// The values of a `genfens` command: `genfens N seed S book <None|FILE> [...]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFensTokens {
    /// The number of positions.
    pub count: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The name of a file with start positions; `None` for the initial position.
    pub book: Option<String>,
}

/// The word for no book, in any case.
const NO_BOOK: &str = "none";

impl GenFensTokens {
    /// Reads the values; `None` if the number of positions is missing.
    pub(super) fn read(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Self> {
        let Some(found) = tokens.next() else {
            warnings.push(ParseWarning::MissingValue { token: "genfens", expected: "a number of positions" });
            return None;
        };
        let Some(count) = saturating(found).and_then(|count| u32::try_from(count).ok()) else {
            warnings.push(ParseWarning::NotANumber { token: "genfens", found: Excerpt::new(found) });
            return None;
        };
        let mut wanted = Self { count, seed: 0, book: None };
        // Other words are arguments for other engines.
        while let Some(word) = tokens.next() {
            match (word, tokens.peek()) {
                ("seed", Some(found)) => match found.parse() {
                    Ok(seed) => wanted.seed = seed,
                    Err(_) => {
                        warnings.push(ParseWarning::NotANumber { token: "seed", found: Excerpt::new(found) })
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
    /// The command that parses as these tokens.
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
            let mut warnings = Vec::new();
            assert_eq!(GenFensTokens::read(&mut Tokens::new(line), &mut warnings), expected, "{name}");
            assert_eq!(warnings.len(), count, "{name}: {warnings:?}");
        }
    }
}
