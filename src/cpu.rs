//! The CPU, as far as the choice of instructions depends on its model. The build script compiles this file
//! too: a build for the machine that it runs on chooses by the same rule.

use std::fmt;

/// The maker and the family of an x86-64 CPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cpu {
    maker: String,
    family: u32,
}

/// The first family of AMD whose PEXT and PDEP are no microcode: Zen 3.
const ZEN_3: u32 = 0x19;

impl Cpu {
    /// This machine's CPU; `None` if it is no x86-64.
    pub(crate) fn current() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::__cpuid;
            // Leaf 0 has the maker, leaf 1 family, model and stepping.
            let [leaf, version] = [0, 1].map(__cpuid);
            let bytes = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).concat();
            let maker = String::from_utf8_lossy(&bytes).trim_matches(['\0', ' ']).to_owned();
            Some(Self { maker, family: family(version.eax) })
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Whether PEXT and PDEP, if the CPU has them, take many times as long as a multiplication: on AMD before
    /// Zen 3, and on Hygon, which makes Zen 1 (<https://www.chessprogramming.org/BMI2>).
    pub(crate) fn has_slow_pext(&self) -> bool {
        match self.maker.as_str() {
            "AuthenticAMD" => self.family < ZEN_3,
            "HygonGenuine" => true,
            _ => false,
        }
    }
}

/// The family that the version of a CPU states: the sum of two fields if the first is full.
#[cfg(target_arch = "x86_64")]
const fn family(version: u32) -> u32 {
    const FULL: u32 = 0xf;
    let (base, extended) = (version >> 8 & FULL, version >> 20 & 0xff);
    if base == FULL { base + extended } else { base }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} family {}", self.maker, self.family)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pext_is_microcode_before_zen_3() {
        let cases = [
            ("AuthenticAMD", 0x15, true), // Excavator
            ("AuthenticAMD", 0x17, true), // Zen 1 and 2
            ("HygonGenuine", 0x18, true),
            ("AuthenticAMD", 0x19, false), // Zen 3 and 4
            ("AuthenticAMD", 0x1a, false), // Zen 5
            ("GenuineIntel", 6, false),
        ];
        for (maker, family, expected) in cases {
            let cpu = Cpu { maker: maker.to_owned(), family };
            assert_eq!(cpu.has_slow_pext(), expected, "{cpu}");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn families_are_sums_of_fields() {
        let cases = [(0x0083_0f10, 0x17), (0x00a0_0f11, 0x19), (0x00b4_0f40, 0x1a), (0x000c_06f2, 6)];
        for (version, expected) in cases {
            assert_eq!(family(version), expected, "{version:x}");
        }
    }
}
