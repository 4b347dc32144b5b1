//! Chooses the lookup of slider attacks for the CPU that the program is built for, and embeds the network.

// The check of the running CPU is not for the build.
#[path = "cpu/mod.rs"]
#[allow(dead_code, unreachable_pub)]
mod cpu;

use cpu::Cpu;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Names another network to embed; `src/Makefile` sets it.
const NETWORK_VARIABLE: &str = "HEMATITE_EVALFILE";
/// Bytes with which all networks begin that this engine can play with: a name, the version, the kind, the architecture
/// and the scales (`src/nnue/file/mod.rs`). The number of neurons, which follows, may be another.
const BEGINNING: usize = 68;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=cpu/mod.rs");
    println!("cargo::rustc-check-cfg=cfg(fast_pext)");
    if let Some(cpu) = cpu_of_native_build() {
        println!("cargo::rustc-env=HEMATITE_BUILD_CPU={cpu}");
        if !cpu.has_slow_pext() {
            println!("cargo::rustc-cfg=fast_pext");
        }
    }

    println!("cargo::rerun-if-env-changed={NETWORK_VARIABLE}");
    let network = env::var_os(NETWORK_VARIABLE).map_or_else(shipped_network, PathBuf::from);
    // The compiler looks from another folder.
    let network = network.canonicalize().unwrap_or(network);
    println!("cargo::rerun-if-changed={}", network.display());
    let packed = env::var_os("OUT_DIR").map_or_else(PathBuf::new, PathBuf::from).join("network.zlib");
    match check_network(&network).and_then(|()| pack(&network, &packed).map_err(|error| error.to_string())) {
        Ok(()) => println!("cargo::rustc-env=HEMATITE_NETWORK={}", packed.display()),
        Err(problem) => println!("cargo::error={}: {problem}", network.display()),
    }
}

/// The CPU of this machine, if the program is compiled for just that.
fn cpu_of_native_build() -> Option<Cpu> {
    /// Between the flags of the compiler.
    const SEPARATOR: char = '\x1f';
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let mut levels =
        flags.split(SEPARATOR).filter_map(|flag| flag.rsplit_once("target-cpu=")).map(|(_, level)| level);
    let is_native = levels.next_back() == Some("native") && env::var_os("HOST") == env::var_os("TARGET");
    is_native.then(Cpu::current).flatten()
}

/// The network that is embedded where no other one is named.
fn shipped_network() -> PathBuf {
    let root = env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    root.join("nnue/net/hematite.nnue")
}

/// Refuses a file that is no network that can play: the program could not start with it. The shipped network can play:
/// a test reads it.
fn check_network(path: &Path) -> Result<(), String> {
    let [found, expected] = [path.to_owned(), shipped_network()].map(|path| beginning(&path));
    if found? == expected? {
        Ok(())
    } else {
        Err("expected a quantized network of the architecture of src/nnue/net/hematite.nnue".to_owned())
    }
}

/// Half of a network is air, and the program is to be small.
fn pack(network: &Path, packed: &Path) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(File::create(packed)?, Compression::best());
    io::copy(&mut &fs::read(network)?[..], &mut encoder)?;
    encoder.finish().map(drop)
}

fn beginning(path: &Path) -> Result<[u8; BEGINNING], String> {
    let mut bytes = [0; BEGINNING];
    let mut file = File::open(path).map_err(|error| error.to_string())?;
    file.read_exact(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
