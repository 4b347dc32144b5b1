//! Paths: conditions on consecutive positions with repetitions, like a regular expression on letters.
//!
//! A path is implemented as a Glushkov automaton (<https://en.wikipedia.org/wiki/Glushkov%27s_construction_algorithm>):
//! it has one state for each written step, which is active if that step holds at the current position.

/// The maximum number of steps, counted as often as they are repeated.
pub(super) const MAX_STEPS: usize = 128;
/// The maximum number of repetitions in the notation.
pub(super) const MAX_REPEATS: usize = MAX_STEPS;
/// The number of bits of a memory.
const BITS: usize = u32::BITS as usize;

/// The steps of a path as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Steps {
    /// A condition on a position, by its number.
    One(usize),
    /// Consecutive steps.
    All(Vec<Steps>),
    /// Alternatives.
    Any(Vec<Steps>),
    /// Repeated steps, with the minimum and the optional maximum number.
    Repeat(Box<Steps>, usize, Option<usize>),
}

/// The automaton of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Path {
    /// The states in which the path can start.
    first: u128,
    /// The states in which the path is complete.
    last: u128,
    /// For each state, the states that can follow it.
    follow: Vec<u128>,
    /// For each condition, the states that require it.
    states: Vec<u128>,
}

/// The reason why steps are not a valid path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoPath {
    TooLong,
    Empty,
}

/// A part of an automaton.
#[derive(Clone, Copy)]
struct Fragment {
    is_optional: bool,
    first: u128,
    last: u128,
}

impl Fragment {
    const EMPTY: Self = Self { is_optional: true, first: 0, last: 0 };
}

impl Path {
    /// The path of these steps, which use conditions with numbers below `things`.
    pub(super) fn new(steps: &Steps, things: usize) -> Result<Self, NoPath> {
        let mut path = Self { first: 0, last: 0, follow: Vec::new(), states: vec![0; things] };
        let whole = path.add(steps).ok_or(NoPath::TooLong)?;
        if whole.is_optional {
            return Err(NoPath::Empty);
        }
        Ok(Self { first: whole.first, last: whole.last, ..path })
    }

    fn add(&mut self, steps: &Steps) -> Option<Fragment> {
        match steps {
            Steps::One(thing) => {
                let state = self.follow.len();
                if state >= MAX_STEPS {
                    return None;
                }
                self.follow.push(0);
                self.states[*thing] |= 1 << state;
                Some(Fragment { is_optional: false, first: 1 << state, last: 1 << state })
            }
            Steps::All(parts) => parts.iter().try_fold(Fragment::EMPTY, |before, part| {
                let part = self.add(part)?;
                Some(self.join(before, part))
            }),
            Steps::Any(parts) => {
                let none = Fragment { is_optional: false, first: 0, last: 0 };
                parts.iter().try_fold(none, |all, part| {
                    let part = self.add(part)?;
                    Some(Fragment {
                        is_optional: all.is_optional || part.is_optional,
                        first: all.first | part.first,
                        last: all.last | part.last,
                    })
                })
            }
            Steps::Repeat(part, least, most) => {
                let mut all = Fragment::EMPTY;
                for _ in 0..*least {
                    let next = self.add(part)?;
                    all = self.join(all, next);
                }
                match most {
                    Some(most) => {
                        for _ in *least..*most {
                            let next = Fragment { is_optional: true, ..self.add(part)? };
                            all = self.join(all, next);
                        }
                    }
                    None => {
                        let next = Fragment { is_optional: true, ..self.add(part)? };
                        self.connect(next.last, next.first);
                        all = self.join(all, next);
                    }
                }
                Some(all)
            }
        }
    }

    fn connect(&mut self, from: u128, to: u128) {
        for (state, follow) in self.follow.iter_mut().enumerate() {
            if from >> state & 1 != 0 {
                *follow |= to;
            }
        }
    }

    fn join(&mut self, one: Fragment, two: Fragment) -> Fragment {
        self.connect(one.last, two.first);
        Fragment {
            is_optional: one.is_optional && two.is_optional,
            first: one.first | if one.is_optional { two.first } else { 0 },
            last: two.last | if two.is_optional { one.last } else { 0 },
        }
    }

    /// The number of memories of the path.
    pub(super) fn memories(&self) -> usize {
        self.follow.len().div_ceil(BITS)
    }

    /// Advances by one position. `holds` evaluates a condition by its number, and receives whether the answer matters.
    /// Returns whether the path is complete at this position.
    pub(super) fn advance(
        &self,
        memories: &mut [Option<u32>],
        at: usize,
        mut holds: impl FnMut(&mut [Option<u32>], usize, bool) -> bool,
    ) -> bool {
        let count = self.memories();
        let mut active = 0_u128;
        for (index, memory) in memories[at..at + count].iter().enumerate() {
            active |= u128::from(memory.unwrap_or(0)) << (index * BITS);
        }
        let mut possible = self.first;
        while active != 0 {
            possible |= self.follow[active.trailing_zeros() as usize];
            active &= active - 1;
        }
        let mut next = 0;
        for (thing, states) in self.states.iter().enumerate() {
            let wanted = states & possible;
            if holds(memories, thing, wanted != 0) {
                next |= wanted;
            }
        }
        for index in 0..count {
            memories[at + index] = Some((next >> (index * BITS)) as u32);
        }
        next & self.last != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offsets of a text after which a path of letters is complete.
    fn ends(steps: &Steps, text: &str) -> Vec<usize> {
        let path = Path::new(steps, 3).expect("a path");
        let mut memories = vec![None; path.memories()];
        let is_end = |letter: u8| {
            path.advance(&mut memories, 0, |_, thing, _| usize::from(letter.wrapping_sub(b'a')) == thing)
        };
        let ends: Vec<bool> = text.bytes().map(is_end).collect();
        (0..text.len()).filter(|&at| ends[at]).collect()
    }

    #[test]
    fn paths_are_regular_expressions() {
        let one = Steps::One;
        let repeat = |steps: Steps, least, most| Steps::Repeat(Box::new(steps), least, most);
        let all = |steps: &[Steps]| Steps::All(steps.to_vec());
        let cases = [
            (all(&[one(0), one(1)]), "abxab", vec![1, 4]),
            (all(&[one(0), repeat(one(1), 0, None), one(2)]), "acabbcbc", vec![1, 5]),
            (all(&[one(0), repeat(one(1), 1, None), one(2)]), "acabbcbc", vec![5]),
            (all(&[one(0), repeat(one(1), 2, Some(3))]), "abbbb", vec![2, 3]),
            (repeat(all(&[one(0), one(1)]), 2, None), "ababab", vec![3, 5]),
            (Steps::Any(vec![all(&[one(0), one(1)]), one(2)]), "abc", vec![1, 2]),
            (all(&[one(0), repeat(one(1), 0, Some(1)), one(2)]), "acxabc", vec![1, 5]),
            (all(&[repeat(one(0), 40, Some(60)), one(1)]), &("a".repeat(40) + "b"), vec![40]),
            (all(&[repeat(one(0), 40, Some(60)), one(1)]), &("a".repeat(39) + "b"), vec![]),
        ];
        for (steps, text, expected) in cases {
            assert_eq!(ends(&steps, text), expected, "{steps:?} {text}");
        }
    }

    #[test]
    fn what_is_too_long_or_empty_is_refused() {
        let many = Steps::Repeat(Box::new(Steps::One(0)), MAX_STEPS + 1, None);
        assert_eq!(Path::new(&many, 1), Err(NoPath::TooLong));
        let none = Steps::Repeat(Box::new(Steps::One(0)), 0, None);
        assert_eq!(Path::new(&none, 1), Err(NoPath::Empty));
    }
}
