//! The evaluation of the opcode `ce`.

use std::fmt;

/// The evaluation of a position for the side to move, as section 16.2.5.6 codes it.
///
/// | value | meaning |
/// |---|---|
/// | 32,001 to 32,766 | the side to move mates in 32,767 - value plies |
/// | -32,000 to 32,000 | centipawns |
/// | -32,766 to -32,001 | the side to move is mated in 32,767 + value plies |
/// | -32,767 | the position is illegal |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CentipawnEvaluation(i16);

/// What a mate in no plies would have.
const MATE: i32 = 32_767;
/// The best evaluation that is no mate.
const MAX_CENTIPAWNS: i32 = 32_000;

impl CentipawnEvaluation {
    /// The evaluation that is coded by this value; `None` outside of -32,767 to 32,766.
    pub fn new(value: i32) -> Option<Self> {
        i16::try_from(value).ok().filter(|_| (-MATE..MATE).contains(&value)).map(Self)
    }

    /// The side to move mates in so many plies, or is mated if the number is negative. `None`
    /// for 0 and for mates farther away than 766 plies.
    pub fn mate(plies: i32) -> Option<Self> {
        let value = match plies.signum() {
            1 => MATE.checked_sub(plies)?,
            -1 => (-MATE).checked_sub(plies)?,
            _ => return None,
        };
        Self::new(value).filter(|evaluation| evaluation.mate_plies() == Some(plies))
    }

    /// The value that codes it.
    pub const fn value(self) -> i16 {
        self.0
    }

    /// In how many plies the side to move mates, or is mated if negative; `None` for ordinary
    /// evaluations and for an illegal position.
    pub fn mate_plies(self) -> Option<i32> {
        let value = i32::from(self.0);
        if value > MAX_CENTIPAWNS {
            Some(MATE - value)
        } else if value < -MAX_CENTIPAWNS && value != -MATE {
            Some(-MATE - value)
        } else {
            None
        }
    }
}

impl fmt::Display for CentipawnEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_coded_as_the_standard_has_them() {
        let cases = [
            ("mate on the move", 1, 32_766),
            ("mate in five", 9, 32_758),
            ("mated after the move", -2, -32_765),
            ("mated in five", -10, -32_757),
        ];
        for (name, plies, value) in cases {
            let evaluation = CentipawnEvaluation::mate(plies).expect(name);
            assert_eq!(evaluation.value(), value, "{name}");
            assert_eq!(evaluation.mate_plies(), Some(plies), "{name}");
        }
        for plies in [0, 767, -767, i32::MAX, i32::MIN] {
            assert_eq!(CentipawnEvaluation::mate(plies), None, "{plies}");
        }
        for value in [-32_767, -32_000, 0, 32_000] {
            assert_eq!(
                CentipawnEvaluation::new(value).and_then(CentipawnEvaluation::mate_plies),
                None,
                "{value}"
            );
        }
        for value in [-32_768, 32_767, 100_000] {
            assert_eq!(CentipawnEvaluation::new(value), None, "{value}");
        }
    }
}
