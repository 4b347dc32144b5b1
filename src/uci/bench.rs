//! `bench` and `speedtest`: how to measure the engine.

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
        let mut next = |token| next_number(token, tokens, complaints);
        Self { depth: next("bench depth"), threads: next("bench threads"), hash_mib: next("bench hash") }
    }
}

impl fmt::Display for BenchTokens {
    /// The command, as far as its values are stated without a gap.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, "bench", [self.depth, self.threads, self.hash_mib])
    }
}

/// The values of a `speedtest` command, each of which may be left out:
/// `speedtest [seconds] [threads] [hash]`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SpeedtestTokens {
    /// How long it is to take, at least 1.
    pub seconds: Option<u32>,
    /// Search threads, at least 1.
    pub threads: Option<u32>,
    /// Size of the hash table in MiB, at least 1.
    pub hash_mib: Option<u32>,
}

impl SpeedtestTokens {
    pub(super) fn read(tokens: &mut Tokens<'_>, complaints: &mut Vec<Complaint>) -> Self {
        let mut next = |token| next_number(token, tokens, complaints);
        Self {
            seconds: next("speedtest seconds"),
            threads: next("speedtest threads"),
            hash_mib: next("speedtest hash"),
        }
    }
}

impl fmt::Display for SpeedtestTokens {
    /// The command, as far as its values are stated without a gap.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, "speedtest", [self.seconds, self.threads, self.hash_mib])
    }
}

/// The next value, brought into its range; `None` if there is none or it is no number.
fn next_number(token: &'static str, tokens: &mut Tokens<'_>, complaints: &mut Vec<Complaint>) -> Option<u32> {
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
}

fn write(f: &mut fmt::Formatter<'_>, command: &str, values: [Option<u32>; 3]) -> fmt::Result {
    f.write_str(command)?;
    values.into_iter().map_while(|value| value).try_for_each(|value| write!(f, " {value}"))
}
