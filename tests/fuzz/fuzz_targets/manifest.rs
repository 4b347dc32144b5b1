//! Manifests of collections with a correct checksum: a collection is opened and read, or refused.
#![no_main]

use hematite::database::Collection;
use libfuzzer_sys::fuzz_target;
use std::fs;

fuzz_target!(|json: &[u8]| {
    let folder = std::env::temp_dir().join(format!("hematite-fuzz-{}.hdb", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut digest = crc64fast::Digest::new();
    digest.write(json);
    let mut bytes = format!("hematite-collection 1 {:016x}\n", digest.sum64()).into_bytes();
    bytes.extend(json);
    fs::write(folder.join("manifest"), bytes).expect("a file can be written");
    if let Ok(collection) = Collection::open(&folder) {
        let _ = collection.check(&|_| ());
    }
});
