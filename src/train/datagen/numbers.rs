//! Which games are still to be played.

use std::ops::Range;

/// Hands out the numbers of games that nobody has played yet, some at a time.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// What has been played, in order.
    played: Vec<Range<u64>>,
    next: u64,
    end: u64,
    /// Ranges end at multiples of this, so that they are the same whoever asks for them.
    chunk_games: u64,
}

impl Numbers {
    /// All numbers below `end` but those played.
    pub(super) fn new(mut played: Vec<Range<u64>>, end: u64, chunk_games: u64) -> Self {
        played.sort_by_key(|range| (range.start, range.end));
        Self { played, next: 0, end, chunk_games: chunk_games.max(1) }
    }

    /// The next numbers; `None` if there are none left.
    pub(super) fn claim(&mut self) -> Option<Range<u64>> {
        let mut following = self.end;
        for range in &self.played {
            if range.start <= self.next {
                self.next = self.next.max(range.end);
            } else {
                following = following.min(range.start);
                break;
            }
        }
        let start = self.next;
        let chunk_end = (start / self.chunk_games).saturating_add(1).saturating_mul(self.chunk_games);
        self.next = chunk_end.min(following).max(start);
        (start < self.next).then_some(start..self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges by their first number and the one after the last.
    fn ranges(bounds: &[(u64, u64)]) -> Vec<Range<u64>> {
        bounds.iter().map(|&(start, end)| start..end).collect()
    }

    #[test]
    fn every_number_comes_once() {
        struct Case<'a> {
            name: &'a str,
            played: &'a [(u64, u64)],
            end: u64,
            expected: &'a [(u64, u64)],
        }
        let cases = [
            Case { name: "all", played: &[], end: 250, expected: &[(0, 100), (100, 200), (200, 250)] },
            Case { name: "none", played: &[(0, 250)], end: 250, expected: &[] },
            Case { name: "more than is wanted", played: &[(0, 500)], end: 250, expected: &[] },
            Case {
                name: "parts of chunks",
                played: &[(100, 130), (0, 7)],
                end: 200,
                expected: &[(7, 100), (130, 200)],
            },
            Case {
                name: "holes",
                played: &[(0, 20), (40, 50), (20, 30), (60, 300)],
                end: 400,
                expected: &[(30, 40), (50, 60), (300, 400)],
            },
            Case {
                name: "ranges within ranges",
                played: &[(0, 90), (10, 20), (80, 110)],
                end: 210,
                expected: &[(110, 200), (200, 210)],
            },
        ];
        for Case { name, played, end, expected } in cases {
            let mut numbers = Numbers::new(ranges(played), end, 100);
            let found: Vec<_> = std::iter::from_fn(|| numbers.claim()).collect();
            assert_eq!(found, ranges(expected), "{name}");
        }
    }

    #[test]
    fn numbers_do_not_run_out_without_an_end() {
        let mut numbers = Numbers::new(ranges(&[(0, u64::MAX - 5)]), u64::MAX, 100);
        assert_eq!(numbers.claim(), Some(u64::MAX - 5..u64::MAX));
        assert_eq!(numbers.claim(), None);
    }
}
