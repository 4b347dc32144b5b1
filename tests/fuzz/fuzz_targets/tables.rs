//! Files of endgame tablebases: valid ones with some changed bytes, and random ones.
#![no_main]

use hematite::{notation::position_from_fen, tablebase::Tablebase};
use libfuzzer_sys::fuzz_target;
use once_cell::sync::OnceCell;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// Tables, and a position for each.
const TABLES: [(&str, &str); 5] = [
    ("KPvK.rtbw", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"),
    ("KPvK.rtbz", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"),
    ("KQvK.rtbw", "8/8/4k3/8/8/4K3/8/7Q w - - 0 1"),
    ("KQvKR.rtbw", "8/8/4k3/7r/8/4K3/8/7Q w - - 0 1"),
    ("KBNvK.rtbz", "8/8/4k3/8/8/4K3/8/6BN w - - 0 1"),
];
/// A flag in the first byte: the file consists of the following bytes, instead of being a valid one with changes.
const RUBBISH: u8 = 1 << 7;

/// The folder that is searched for tables.
fn folder() -> &'static Path {
    static FOLDER: OnceCell<PathBuf> = OnceCell::new();
    FOLDER.get_or_init(|| {
        let folder = env::temp_dir().join(format!("hematite-fuzz-{}", process::id()));
        fs::create_dir_all(&folder).expect("there is room for a folder");
        folder
    })
}

/// The file with changes, each stated by two bytes for the offset and one for the value.
fn changed(name: &str, changes: &[u8]) -> Vec<u8> {
    let data = env::var("HEMATITE_DATA").expect("HEMATITE_DATA names the folder of the test data");
    let mut file = fs::read(Path::new(&data).join("syzygy").join(name)).expect("the table is there");
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % file.len();
        file[place] = change[2];
    }
    file
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let (name, fen) = TABLES[usize::from(first & !RUBBISH) % TABLES.len()];
    let content = if first & RUBBISH == 0 { changed(name, rest) } else { rest.to_vec() };
    let file = folder().join(name);
    fs::write(&file, content).expect("there is room for a table");
    let (tables, _) = Tablebase::load(folder().to_str().expect("the folder has a plain name"));
    let position = position_from_fen(fen).expect("it is legal");
    let _ = (tables.probe_wdl(&position), tables.probe_dtz(&position));
    for mv in position.legal_moves() {
        let after = position.after(mv).0;
        let _ = (tables.probe_wdl(&after), tables.probe_dtz(&after));
    }
    drop(tables);
    fs::remove_file(&file).expect("it was written");
});
