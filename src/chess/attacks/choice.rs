//! The choice between the lookups of slider attacks: at run time for code that is compiled with each of them, and at
//! build time for all other code.

use super::sliders::Magic;
#[cfg(target_arch = "x86_64")]
use super::sliders::Pext;
use crate::cpu::Cpu;
use once_cell::sync::OnceCell;
use std::{env, fmt};

/// The lookup for code that is compiled only once. A branch at each lookup would cost as much as PEXT gains, so this is
/// PEXT only if the build is for a CPU that executes it fast.
#[cfg(all(fast_pext, target_feature = "bmi2"))]
pub(in crate::chess) const BUILT_IN: Pext = Pext::BUILT_IN;
#[cfg(not(all(fast_pext, target_feature = "bmi2")))]
pub(in crate::chess) const BUILT_IN: Magic = Magic;

/// The environment variable that sets the lookup at run time, for tests: `magic` or `pext`.
const VARIABLE: &str = "HEMATITE_SLIDERS";

/// A lookup for which this machine has the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SliderLookup {
    /// Magic bitboards: a multiplication.
    Magic(Magic),
    /// PEXT, an instruction of BMI2.
    #[cfg(target_arch = "x86_64")]
    Pext(Pext),
}

impl SliderLookup {
    /// The faster lookup on this machine.
    pub fn best() -> Self {
        Choice::at_run_time().lookup
    }

    /// All lookups that this machine can use.
    pub fn available() -> impl Iterator<Item = Self> {
        [
            Some(Self::Magic(Magic)),
            #[cfg(target_arch = "x86_64")]
            Pext::detect().map(Self::Pext),
        ]
        .into_iter()
        .flatten()
    }

    const fn is_pext(self) -> bool {
        !matches!(self, Self::Magic(_))
    }

    /// The name of the lookup in [`VARIABLE`].
    const fn word(self) -> &'static str {
        if self.is_pext() { "pext" } else { "magic" }
    }
}

impl fmt::Display for SliderLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_pext() { "PEXT" } else { "magic bitboards" })
    }
}

/// A lookup and the reason for it; displays both.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The chosen lookup.
    pub lookup: SliderLookup,
    reason: String,
}

impl Choice {
    /// The choice for this CPU, made once.
    pub fn at_run_time() -> &'static Self {
        static CHOICE: OnceCell<Choice> = OnceCell::new();
        CHOICE.get_or_init(|| {
            let wanted = env::var(VARIABLE).unwrap_or_default();
            Self::asked_for(&wanted).unwrap_or_else(|| Self::of(Cpu::current()))
        })
    }

    fn asked_for(word: &str) -> Option<Self> {
        let lookup = SliderLookup::available().find(|lookup| lookup.word() == word)?;
        Some(Self { lookup, reason: format!("{VARIABLE} asks for it") })
    }

    fn of(cpu: Option<Cpu>) -> Self {
        let pext = SliderLookup::available().find(|lookup| lookup.is_pext());
        let magic = SliderLookup::Magic(Magic);
        match (pext, cpu) {
            (Some(_), Some(cpu)) if cpu.has_slow_pext() => {
                Self { lookup: magic, reason: format!("PEXT is slow on {cpu}") }
            }
            (Some(lookup), Some(cpu)) => Self { lookup, reason: format!("{cpu} is fast at it") },
            _ => Self { lookup: magic, reason: "this CPU has no PEXT".to_owned() },
        }
    }

    /// The choice that was made when the program was built.
    pub fn of_the_build() -> Self {
        let reason = match option_env!("HEMATITE_BUILD_CPU") {
            Some(cpu) if cfg!(fast_pext) => format!("built for {cpu}, which is fast at it"),
            Some(cpu) => format!("built for {cpu}, where PEXT is slow or missing"),
            None => "built for several CPUs".to_owned(),
        };
        Self { lookup: BUILT_IN.into(), reason }
    }
}

impl From<Magic> for SliderLookup {
    fn from(magic: Magic) -> Self {
        Self::Magic(magic)
    }
}

#[cfg(target_arch = "x86_64")]
impl From<Pext> for SliderLookup {
    fn from(pext: Pext) -> Self {
        Self::Pext(pext)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.lookup, self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lookup_is_chosen_by_name() {
        for lookup in SliderLookup::available() {
            let choice = Choice::asked_for(lookup.word()).expect("it is available");
            assert_eq!(choice.lookup, lookup);
        }
        for word in ["", "PEXT", "best"] {
            assert!(Choice::asked_for(word).is_none(), "{word}");
        }
    }
}
