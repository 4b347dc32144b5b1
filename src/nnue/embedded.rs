//! The network that is part of the program.

use super::Network;
use flate2::read::ZlibDecoder;
use once_cell::sync::Lazy;
use std::sync::Arc;

/// Its file, as `build.rs` packs it. `net/HISTORY.md` tells where the one that is shipped comes from; a build may name
/// another one.
const FILE: &[u8] = include_bytes!(env!("HEMATITE_NETWORK"));

/// The network that is part of the program.
///
/// # Panics
/// If it cannot be read, which a test excludes.
pub fn embedded() -> Arc<Network> {
    static NETWORK: Lazy<Arc<Network>> =
        Lazy::new(|| Arc::new(Network::read(ZlibDecoder::new(FILE)).expect("a test reads the network")));
    Arc::clone(&NETWORK)
}

#[cfg(test)]
mod tests {
    use super::super::WIDTH_STEP;
    use super::*;

    #[test]
    fn the_network_is_read() {
        assert_eq!(embedded().architecture().width() % WIDTH_STEP, 0);
    }
}
