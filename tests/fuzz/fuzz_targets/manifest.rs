//! Manifests of collections with a correct checksum: a collection is opened and read, or refused.
#![no_main]

use hematite::database::Collection;
use libfuzzer_sys::fuzz_target;
use std::fs;

/// The versions that a manifest may have: each has fields that the ones before it refuse.
const VERSIONS: u8 = 3;

fuzz_target!(|bytes: &[u8]| {
    let Some((&version, json)) = bytes.split_first() else { return };
    let folder = std::env::temp_dir().join(format!("hematite-fuzz-{}.hdb", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut digest = crc64fast::Digest::new();
    digest.write(json);
    let version = version % VERSIONS + 1;
    let mut bytes = format!("hematite-collection {version} {:016x}\n", digest.sum64()).into_bytes();
    bytes.extend(json);
    fs::write(folder.join("manifest"), bytes).expect("a file can be written");
    if let Ok(collection) = Collection::open(&folder) {
        let _ = collection.check(&|_| ());
    }
});
