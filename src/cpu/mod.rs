//! The CPU: its model, on which the choice of instructions depends, and the instructions that the build requires. The
//! build script also compiles this file, so a build for the local machine makes the same choice.

use std::fmt;

/// The maker and the family of an x86-64 CPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cpu {
    maker: String,
    family: u32,
}

/// The first AMD family that does not implement PEXT and PDEP in microcode: Zen 3.
const ZEN_3: u32 = 0x19;

impl Cpu {
    /// This machine's CPU; `None` on other architectures than x86-64.
    pub fn current() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::__cpuid;
            // Leaf 0 contains the maker, and leaf 1 family, model and stepping.
            let [leaf, version] = [0, 1].map(__cpuid);
            let bytes = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).concat();
            let maker = String::from_utf8_lossy(&bytes).trim_matches(['\0', ' ']).to_owned();
            Some(Self { maker, family: family(version.eax) })
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Whether PEXT and PDEP, if the CPU has them, take many times as long as a multiplication: on AMD before Zen 3,
    /// and on Hygon, whose CPUs are based on Zen 1 (<https://www.chessprogramming.org/BMI2>).
    pub fn has_slow_pext(&self) -> bool {
        match self.maker.as_str() {
            "AuthenticAMD" => self.family < ZEN_3,
            "HygonGenuine" => true,
            _ => false,
        }
    }
}

/// The family in the version of a CPU: the sum of two fields if the first one has its maximum value.
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

/// The instructions that the compiler may use anywhere, including in this file. Therefore this module has only code for
/// which the compiler needs no special instructions: comparisons, and calls of the standard library, which is built for
/// every CPU. It builds no lists, formats no text and shifts no numbers.
#[cfg(target_arch = "x86_64")]
pub mod instructions {
    use std::arch::x86_64::__cpuid_count;
    use std::env;
    use std::ffi::OsStr;
    use std::io::{self, Write};

    /// The environment variable with an instruction set to be treated as missing, for tests.
    const WITHOUT: &str = "HEMATITE_WITHOUT";
    /// The environment variable that disables the check if it is set: tools such as Valgrind hide instructions that
    /// they can run.
    const ANY_CPU: &str = "HEMATITE_ANY_CPU";

    /// A register in which `cpuid` reports instruction sets: a leaf, its subleaf and the register.
    #[derive(Clone, Copy)]
    enum Place {
        Leaf1Ecx,
        Leaf1Edx,
        Leaf7Ebx,
        Leaf7Ecx,
        Leaf7Part1Eax,
        ExtendedLeaf1Ecx,
    }

    struct InstructionSet {
        name: &'static str,
        is_required: bool,
        place: Place,
        bit: u32,
    }

    /// A table of instruction sets: the name, the place and the bit of each.
    macro_rules! instruction_sets {
        ($($name:literal $place:ident $bit:literal,)+) => {
            &[$(InstructionSet {
                name: $name,
                is_required: cfg!(target_feature = $name),
                place: Place::$place,
                bit: 1 << $bit,
            }),+]
        };
    }

    static INSTRUCTION_SETS: &[InstructionSet] = instruction_sets! {
        "sse2" Leaf1Edx 26,
        "sse3" Leaf1Ecx 0,
        "pclmulqdq" Leaf1Ecx 1,
        "ssse3" Leaf1Ecx 9,
        "fma" Leaf1Ecx 12,
        "cmpxchg16b" Leaf1Ecx 13,
        "sse4.1" Leaf1Ecx 19,
        "sse4.2" Leaf1Ecx 20,
        "movbe" Leaf1Ecx 22,
        "popcnt" Leaf1Ecx 23,
        "aes" Leaf1Ecx 25,
        "avx" Leaf1Ecx 28,
        "f16c" Leaf1Ecx 29,
        "rdrand" Leaf1Ecx 30,
        "lzcnt" ExtendedLeaf1Ecx 5,
        "sse4a" ExtendedLeaf1Ecx 6,
        "bmi1" Leaf7Ebx 3,
        "avx2" Leaf7Ebx 5,
        "bmi2" Leaf7Ebx 8,
        "avx512f" Leaf7Ebx 16,
        "avx512dq" Leaf7Ebx 17,
        "rdseed" Leaf7Ebx 18,
        "adx" Leaf7Ebx 19,
        "avx512ifma" Leaf7Ebx 21,
        "avx512cd" Leaf7Ebx 28,
        "sha" Leaf7Ebx 29,
        "avx512bw" Leaf7Ebx 30,
        "avx512vl" Leaf7Ebx 31,
        "avx512vbmi" Leaf7Ecx 1,
        "avx512vbmi2" Leaf7Ecx 6,
        "gfni" Leaf7Ecx 8,
        "vaes" Leaf7Ecx 9,
        "vpclmulqdq" Leaf7Ecx 10,
        "avx512vnni" Leaf7Ecx 11,
        "avx512bitalg" Leaf7Ecx 12,
        "avx512vpopcntdq" Leaf7Ecx 14,
        "avxvnni" Leaf7Part1Eax 4,
        "avx512bf16" Leaf7Part1Eax 5,
    };

    /// Whether an instruction set of the build is missing on this CPU. If so, prints an error that names all of them.
    pub fn are_missing() -> bool {
        if env::var_os(ANY_CPU).is_some() {
            return false;
        }
        report(None) || env::var_os(WITHOUT).is_some_and(|name| report(Some(&name)))
    }

    /// Prints the instruction sets that are missing on this CPU, or would be missing without one more, and returns
    /// whether there are any.
    #[inline(never)]
    fn report(without: Option<&OsStr>) -> bool {
        let mut are_missing = false;
        let registers = registers();
        for set in INSTRUCTION_SETS {
            let is_hidden = without.is_some_and(|name| name == set.name);
            let is_supported = registers[set.place as usize] & set.bit != 0;
            if set.is_required && (is_hidden || !is_supported) {
                say(if are_missing { ", " } else { "error: this CPU lacks instructions of this build: " });
                say(set.name);
                are_missing = true;
            }
        }
        if are_missing {
            say("; a portable build runs on it (see CONTRIBUTING.md)\n");
        }
        are_missing
    }

    #[inline(always)]
    fn say(text: &str) {
        // A failure to report cannot be reported.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// The number of registers in which instruction sets are reported.
    const PLACES: usize = Place::ExtendedLeaf1Ecx as usize + 1;

    /// The contents of the registers in the order of [`Place`], 0 for those that the CPU does not have. Each leaf is
    /// read once: in a virtual machine, `cpuid` takes microseconds.
    #[inline(always)]
    fn registers() -> [u32; PLACES] {
        /// The first leaf of the extended range.
        const EXTENDED: u32 = 0x8000_0000;
        // The first leaf of a range returns the number of the last one.
        let last = __cpuid_count(0, 0).eax;
        let last_extended = __cpuid_count(EXTENDED, 0).eax;
        let mut registers = [0; PLACES];
        if last >= 1 {
            let leaf = __cpuid_count(1, 0);
            registers[Place::Leaf1Ecx as usize] = leaf.ecx;
            registers[Place::Leaf1Edx as usize] = leaf.edx;
        }
        if last >= 7 {
            let leaf = __cpuid_count(7, 0);
            registers[Place::Leaf7Ebx as usize] = leaf.ebx;
            registers[Place::Leaf7Ecx as usize] = leaf.ecx;
            // The first part returns the number of the last one.
            if leaf.eax >= 1 {
                registers[Place::Leaf7Part1Eax as usize] = __cpuid_count(7, 1).eax;
            }
        }
        if last_extended > EXTENDED {
            registers[Place::ExtendedLeaf1Ecx as usize] = __cpuid_count(EXTENDED + 1, 0).ecx;
        }
        registers
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
