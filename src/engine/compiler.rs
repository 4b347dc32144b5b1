//! How the engine was built.

use std::fmt;

/// Shows compiler, target and what of the processor the build makes use of.
pub(super) struct Build;

/// What this build was compiled to use, of all that makes a difference.
const FEATURES: [(&str, bool); 9] = [
    ("sse4.1", cfg!(target_feature = "sse4.1")),
    ("popcnt", cfg!(target_feature = "popcnt")),
    ("avx2", cfg!(target_feature = "avx2")),
    ("bmi1", cfg!(target_feature = "bmi1")),
    ("bmi2", cfg!(target_feature = "bmi2")),
    ("avx512bw", cfg!(target_feature = "avx512bw")),
    ("avx512vnni", cfg!(target_feature = "avx512vnni")),
    ("neon", cfg!(target_feature = "neon")),
    ("dotprod", cfg!(target_feature = "dotprod")),
];

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", super::NAME)?;
        writeln!(f, "Compiled by : {}", env!("HEMATITE_RUSTC"))?;
        writeln!(f, "Target      : {}", env!("HEMATITE_TARGET"))?;
        let profile = if cfg!(debug_assertions) { "with" } else { "without" };
        writeln!(f, "Build       : {profile} debug assertions")?;
        f.write_str("Processor   :")?;
        FEATURES.iter().filter(|(_, is_used)| *is_used).try_for_each(|(name, _)| write!(f, " {name}"))?;
        let sliders = if cfg!(target_feature = "bmi2") { "PEXT" } else { "magic bitboards" };
        write!(f, "\nSliders     : {sliders}")
    }
}
