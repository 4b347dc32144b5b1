//! Network files: an accepted file is written again byte for byte.
#![no_main]

use hematite::nnue::{Network, file::NetworkFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = NetworkFile::read(data);
    if let Ok(network) = Network::read(data) {
        let mut written = Vec::new();
        network.write(&mut written).expect("memory takes all");
        assert!(data.starts_with(&written));
    }
});
