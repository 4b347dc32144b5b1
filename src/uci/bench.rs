//! `bench`: how to measure the engine.

use super::Complaint;
use super::number::saturating;
use super::tokens::Tokens;
use crate::notation::Excerpt;
use std::fmt;

/// The values of a `bench` command, each of which may be left out: `bench [depth] [threads] [hash]`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BenchTokens {
    /// Depth of each search, in plies, at least 1.
    pub depth: Option<u32>,
    /// Search threads, at least 1.
    pub threads: Option<u32>,
    /// Size of the hash table in MiB, at least 1.
    pub hash_mib: Option<u32>,
}

impl BenchTokens {
    pub(super) fn read(tokens: &mut Tokens<'_>, complaints: &mut Vec<Complaint>) -> Self {
        let mut next = |token| {
            let found = tokens.next()?;
            let Some(number) = saturating(found) else {
                complaints.push(Complaint::NotANumber { token, found: Excerpt::new(found) });
                return None;
            };
            let taken = u32::try_from(number.max(1)).unwrap_or(u32::MAX);
            if i64::from(taken) != number {
                let (found, taken) = (Excerpt::new(found), u64::from(taken));
                complaints.push(Complaint::OutOfRange { token, found, taken });
            }
            Some(taken)
        };
        Self { depth: next("bench depth"), threads: next("bench threads"), hash_mib: next("bench hash") }
    }
}

impl fmt::Display for BenchTokens {
    /// The command, as far as its values are stated without a gap.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bench")?;
        for value in [self.depth, self.threads, self.hash_mib].into_iter().map_while(|value| value) {
            write!(f, " {value}")?;
        }
        Ok(())
    }
}
