//! The hematite binary: it makes sure that the CPU has the instructions that it is built with. The rest is in
//! the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    if instructions::are_missing() {
        return ExitCode::from(hematite::cli::EXIT_ERROR);
    }
    hematite::cli::main()
}

/// The instructions that the compiler may have used anywhere, this file included. So there is nothing here
/// that it could make anything of but comparisons and calls of the standard library, which is built for every
/// CPU: no list is made, no text is formatted, and no number is shifted.
#[cfg(target_arch = "x86_64")]
mod instructions {
    use std::arch::x86_64::__cpuid_count;
    use std::env;
    use std::ffi::OsStr;
    use std::io::{self, Write};

    /// Names an instruction set to be taken for missing, for tests.
    const VARIABLE: &str = "HEMATITE_WITHOUT";

    /// Where `cpuid` tells of an instruction set: a leaf, its part, and one of the registers.
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

    /// Rows of names of instruction sets, with the place and the bit of each.
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

    /// Whether an instruction set of the build is missing on this CPU. If so, an error names all of them.
    pub(super) fn are_missing() -> bool {
        report(None) || env::var_os(VARIABLE).is_some_and(|name| report(Some(&name)))
    }

    /// Names what is missing on this CPU, or would be without one more instruction set.
    #[inline(never)]
    fn report(without: Option<&OsStr>) -> bool {
        let mut are_missing = false;
        for set in INSTRUCTION_SETS {
            let is_hidden = without.is_some_and(|name| name == set.name);
            if set.is_required && (is_hidden || !is_supported(set)) {
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

    #[inline(always)]
    fn is_supported(set: &InstructionSet) -> bool {
        let leaf = |number, part| {
            // The first leaf of a range has the number of the last one.
            let is_there = __cpuid_count(number & 0x8000_0000, 0).eax >= number;
            is_there.then(|| __cpuid_count(number, part))
        };
        let word = match set.place {
            Place::Leaf1Ecx => leaf(1, 0).map(|leaf| leaf.ecx),
            Place::Leaf1Edx => leaf(1, 0).map(|leaf| leaf.edx),
            Place::Leaf7Ebx => leaf(7, 0).map(|leaf| leaf.ebx),
            Place::Leaf7Ecx => leaf(7, 0).map(|leaf| leaf.ecx),
            Place::Leaf7Part1Eax => leaf(7, 1).map(|leaf| leaf.eax),
            Place::ExtendedLeaf1Ecx => leaf(0x8000_0001, 0).map(|leaf| leaf.ecx),
        };
        word.is_some_and(|word| word & set.bit != 0)
    }
}
