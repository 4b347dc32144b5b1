//! Segments of collections, whose list of parts has a correct checksum: they are read, or refused.
#![no_main]

use hematite::database::Collection;
use libfuzzer_sys::fuzz_target;
use std::fs;

fn checksum(bytes: &[u8]) -> u64 {
    let mut digest = crc64fast::Digest::new();
    digest.write(bytes);
    digest.sum64()
}

fuzz_target!(|data: (u8, Vec<u8>, Vec<u8>)| {
    let (games, parts, list) = data;
    let folder = std::env::temp_dir().join(format!("hematite-fuzz-{}.hdb", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let sum = checksum(&list);
    let mut segment = b"hematite-games 3\n".to_vec();
    segment.extend(&parts);
    segment.extend(&list);
    segment.extend(sum.to_le_bytes());
    segment.extend((list.len() as u64).to_le_bytes());
    fs::write(folder.join("000000.games"), &segment).expect("a file can be written");
    let entry =
        format!("{{\"number\":0,\"games\":{games},\"bytes\":{},\"checksum\":{sum}}}", segment.len());
    let origin = "{\"name\":\"a.pgn\",\"added\":\"2026-01-01\"}";
    let json = format!(
        "{{\"generation\":1,\"next\":1,\"origins\":[{origin}],\"segments\":[{entry}],\"marks\":[]}}"
    );
    let manifest = format!("hematite-collection 1 {:016x}\n{json}", checksum(json.as_bytes()));
    fs::write(folder.join("manifest"), manifest).expect("a file can be written");
    let open = || Collection::open(&folder).expect("the manifest is good");
    let _ = open().check(&|_| ());
    let _ = open().info();
});
