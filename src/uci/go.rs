//! `go`: the limits of a search.

use super::ParseWarning;
use super::tokens::{Tokens, saturating};
use crate::notation::Excerpt;
use std::fmt;
use std::time::Duration;

/// The tokens of a `go` command; tokens that are not stated are `None`, `false` or empty.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoTokens {
    /// `searchmoves`: the only moves to search.
    pub search_moves: Vec<String>,
    /// `ponder`: search on the opponent's time.
    pub ponder: bool,
    /// `wtime`: the time on White's clock, at least zero.
    pub white_time: Option<Duration>,
    /// `btime`: the time on Black's clock, at least zero.
    pub black_time: Option<Duration>,
    /// `winc`: White's increment per move.
    pub white_increment: Option<Duration>,
    /// `binc`: Black's increment per move.
    pub black_increment: Option<Duration>,
    /// `movestogo`: moves until more time is added, at least 1.
    pub moves_to_go: Option<u32>,
    /// `depth`, in plies, at least 1.
    pub depth: Option<u32>,
    /// `nodes`, at least 1.
    pub nodes: Option<u64>,
    /// `mate`, in full moves, at least 1.
    pub mate: Option<u32>,
    /// `movetime`: the time for this move.
    pub move_time: Option<Duration>,
    /// `infinite`: search until `stop`.
    pub infinite: bool,
    /// `perft`: count leaves to this depth, in plies, instead of searching.
    pub perft: Option<u32>,
    /// Whether a limit could not be read.
    pub has_unreadable_limit: bool,
}

/// The maximum time, a year: longer times are shortened, so that sums of times do not overflow.
pub const LONGEST_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The maximum depth of a perft, in plies: no machine finishes it, and the recursion does not overflow the stack.
const DEEPEST_PERFT: u32 = 64;

const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl GoTokens {
    /// Whether any time or increment of a clock is stated.
    pub const fn has_clock(&self) -> bool {
        self.white_time.is_some()
            || self.black_time.is_some()
            || self.white_increment.is_some()
            || self.black_increment.is_some()
            || self.moves_to_go.is_some()
    }

    /// Whether the search ends without `stop`.
    pub const fn is_limited(&self) -> bool {
        !self.infinite
            && (self.has_clock()
                || self.depth.is_some()
                || self.nodes.is_some()
                || self.mate.is_some()
                || self.move_time.is_some()
                || self.has_unreadable_limit)
    }

    pub(super) fn read(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Self {
        let mut go = Self::default();
        while let Some(word) = tokens.next() {
            let mut values = Values { tokens, warnings, has_failed: false };
            match word {
                "searchmoves" => {
                    let moves = values.tokens.take_until(is_keyword);
                    go.search_moves.extend(moves.into_iter().map(str::to_owned));
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.white_time = values.time("wtime").or(go.white_time),
                "btime" => go.black_time = values.time("btime").or(go.black_time),
                "winc" => go.white_increment = values.time("winc").or(go.white_increment),
                "binc" => go.black_increment = values.time("binc").or(go.black_increment),
                "movetime" => go.move_time = values.time("movetime").or(go.move_time),
                "movestogo" => go.moves_to_go = values.moves_to_go().or(go.moves_to_go),
                "depth" => go.depth = values.at_least_one("depth").or(go.depth),
                "nodes" => go.nodes = values.number("nodes", 1, i64::MAX as u64).or(go.nodes),
                "mate" => go.mate = values.at_least_one("mate").or(go.mate),
                "perft" => {
                    let depth = values.number("perft", 0, u64::from(DEEPEST_PERFT));
                    go.perft = depth.and_then(|depth| u32::try_from(depth).ok()).or(go.perft);
                }
                _ => {
                    let found = Excerpt::new(word);
                    values.warnings.push(ParseWarning::UnknownToken { within: "go", found });
                }
            }
            go.has_unreadable_limit |= values.has_failed;
        }
        go
    }
}

/// Reads the values of tokens and collects warnings about them.
struct Values<'a, 'b> {
    tokens: &'a mut Tokens<'b>,
    warnings: &'a mut Vec<ParseWarning>,
    has_failed: bool,
}

impl Values<'_, '_> {
    /// The number after `token`, clamped to its range.
    fn number(&mut self, token: &'static str, min: u64, max: u64) -> Option<u64> {
        let Some(found) = self.tokens.next_unless(is_keyword) else {
            self.warnings.push(ParseWarning::MissingValue { token, expected: "a number" });
            self.has_failed = true;
            return None;
        };
        let Some(number) = saturating(found) else {
            self.warnings.push(ParseWarning::NotANumber { token, found: Excerpt::new(found) });
            self.has_failed = true;
            return None;
        };
        let taken = u64::try_from(number).unwrap_or(0).clamp(min, max);
        if i64::try_from(taken) != Ok(number) {
            self.warnings.push(ParseWarning::OutOfRange { token, found: Excerpt::new(found), taken });
        }
        Some(taken)
    }

    fn time(&mut self, token: &'static str) -> Option<Duration> {
        self.number(token, 0, LONGEST_TIME.as_millis() as u64).map(Duration::from_millis)
    }

    fn at_least_one(&mut self, token: &'static str) -> Option<u32> {
        self.number(token, 1, u64::from(u32::MAX)).and_then(|number| u32::try_from(number).ok())
    }

    /// Reads `movestogo`. Many GUIs send zero if no more time will be added.
    fn moves_to_go(&mut self) -> Option<u32> {
        let number = self.number("movestogo", 0, u64::from(u32::MAX))?;
        u32::try_from(number).ok().filter(|&number| number > 0)
    }
}

impl fmt::Display for GoTokens {
    /// The command that parses as these tokens. `searchmoves` comes last, for engines that read all words after it as
    /// moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let times = [
            ("wtime", self.white_time),
            ("btime", self.black_time),
            ("winc", self.white_increment),
            ("binc", self.black_increment),
            ("movetime", self.move_time),
        ];
        for (token, time) in times {
            if let Some(time) = time {
                write!(f, " {token} {}", time.as_millis())?;
            }
        }
        let numbers = [
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
            ("perft", self.perft.map(u64::from)),
        ];
        for (token, number) in numbers {
            if let Some(number) = number {
                write!(f, " {token} {number}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (GoTokens, Vec<String>) {
        let mut warnings = Vec::new();
        let go = GoTokens::read(&mut Tokens::new(line), &mut warnings);
        (go, warnings.iter().map(ToString::to_string).collect())
    }

    fn ms(milliseconds: u64) -> Option<Duration> {
        Some(Duration::from_millis(milliseconds))
    }

    #[test]
    fn tokens_come_in_any_order_and_are_complained_of() {
        let none = GoTokens::default;
        let cases: Vec<(&str, &str, GoTokens, &[&str])> = vec![
            ("nothing", "", none(), &[]),
            (
                "a clock",
                "winc 20 movestogo 30 btime 2000 binc 10 wtime 1000",
                GoTokens {
                    white_time: ms(1000),
                    black_time: ms(2000),
                    white_increment: ms(20),
                    black_increment: ms(10),
                    moves_to_go: Some(30),
                    ..none()
                },
                &[],
            ),
            (
                "searchmoves in the middle",
                "depth 5 searchmoves e2e4 d2d4 nodes 100 ponder",
                GoTokens {
                    search_moves: vec!["e2e4".into(), "d2d4".into()],
                    depth: Some(5),
                    nodes: Some(100),
                    ponder: true,
                    ..none()
                },
                &[],
            ),
            (
                "a negative clock",
                "wtime -35 btime 0",
                GoTokens { white_time: ms(0), black_time: ms(0), ..none() },
                &["wtime: `-35` is out of range, 0 is used"],
            ),
            (
                "a clock beyond all numbers",
                "wtime 99999999999999999999999999",
                GoTokens { white_time: Some(LONGEST_TIME), ..none() },
                &["wtime: `99999999999999999999999999` is out of range, 31536000000 is used"],
            ),
            (
                "zero depth and nodes",
                "depth 0 nodes -1 mate 0",
                GoTokens { depth: Some(1), nodes: Some(1), mate: Some(1), ..none() },
                &[
                    "depth: `0` is out of range, 1 is used",
                    "nodes: `-1` is out of range, 1 is used",
                    "mate: `0` is out of range, 1 is used",
                ],
            ),
            ("no moves to go", "movestogo 0", none(), &[]),
            (
                "not a number",
                "depth five movetime 10",
                GoTokens { move_time: ms(10), has_unreadable_limit: true, ..none() },
                &["depth: `five` is not a whole number, ignored"],
            ),
            (
                "no value",
                "depth infinite nodes",
                GoTokens { infinite: true, has_unreadable_limit: true, ..none() },
                &["depth: nothing follows, expected a number", "nodes: nothing follows, expected a number"],
            ),
            (
                "unknown tokens",
                "joho infinite \u{fffd}",
                GoTokens { infinite: true, ..none() },
                &["go: unknown token `joho`, skipped", "go: unknown token `\u{fffd}`, skipped"],
            ),
            (
                "the last one counts, if it can be read",
                "depth 3 depth 4 depth x",
                GoTokens { depth: Some(4), has_unreadable_limit: true, ..none() },
                &["depth: `x` is not a whole number, ignored"],
            ),
            (
                "perft",
                "perft 99",
                GoTokens { perft: Some(64), ..none() },
                &["perft: `99` is out of range, 64 is used"],
            ),
        ];
        for (name, line, expected, warnings) in cases {
            assert_eq!(read(line), (expected, warnings.iter().map(ToString::to_string).collect()), "{name}");
        }
    }

    #[test]
    fn written_text_parses_back() {
        for line in [
            "go",
            "go ponder wtime 1 btime 2 winc 3 binc 4 movetime 5 movestogo 6 depth 7 nodes 8 mate 9 perft 10 infinite searchmoves a1a2 b7b8q",
            "go nodes 123456789012345",
        ] {
            let go = read(line.strip_prefix("go").expect("each starts with go")).0;
            assert_eq!(go.to_string(), line);
        }
    }
}
