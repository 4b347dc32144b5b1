//! Folders and files that are missing or damaged.

use crate::support::{binary, fuzz_cases};
use crate::tablebase::sample::{folder, position, random};
use hematite::rng::Rng;
use hematite::tablebase::Tablebase;
use std::fs;
use std::path::{Path, PathBuf};

fn load(folders: &[&Path]) -> (Tablebase, Vec<String>) {
    let path = std::env::join_paths(folders).expect("the paths have no separators in them");
    let (tables, faults) = Tablebase::load(path.to_str().expect("the path is UTF-8"));
    (tables, faults.iter().map(ToString::to_string).collect())
}

/// A folder with copies of these tables.
fn copies(name: &str, files: &[&str]) -> Option<PathBuf> {
    let from = folder()?;
    let to = binary::folder(&format!("tables-{name}"));
    for file in files {
        // The originals may be write-protected, so their permissions are not copied.
        fs::write(to.join(file), fs::read(from.join(file)).expect(file)).expect(file);
    }
    Some(to)
}

const QUEEN: &str = "8/8/4k3/8/8/4K3/8/7Q w - - 0 1";
const ROOK: &str = "8/8/4k3/8/8/4K3/8/7R w - - 0 1";

#[test]
fn several_folders_are_one() {
    let (Some(one), Some(two)) =
        (copies("one", &["KQvK.rtbw", "KQvK.rtbz"]), copies("two", &["KRvK.rtbw", "KQvK.rtbw"]))
    else {
        return;
    };
    fs::write(two.join("README.txt"), "no table").expect("it can be written");
    fs::write(two.join("KXvK.rtbw"), "no table either").expect("it can be written");
    let (tables, faults) = load(&[&one, &two]);
    assert_eq!(faults, [""; 0]);
    assert_eq!((tables.count(), tables.dtz_count(), tables.max_pieces()), (2, 1, 3));
    assert!(tables.probe_wdl(&position(QUEEN)).is_some() && tables.probe_wdl(&position(ROOK)).is_some());
    assert!(tables.probe_dtz(&position(QUEEN)).is_some());
    assert!(tables.probe_dtz(&position(ROOK)).is_none(), "there is no table of distances");
    assert!(tables.damage().is_none(), "a table that is not there is not damaged");
}

#[test]
fn a_good_copy_in_a_later_folder_is_used() {
    let (Some(bad), Some(good)) =
        (copies("bad-copy", &["KQvK.rtbw", "KRvK.rtbw"]), copies("good-copy", &["KQvK.rtbw", "KRvK.rtbw"]))
    else {
        return;
    };
    let table = bad.join("KQvK.rtbw");
    let bytes = fs::read(&table).expect("it is there");
    fs::write(&table, &bytes[..bytes.len() / 2]).expect("it can be written");
    for (folders, faults_before) in [([&*bad, &good], 1), ([&*good, &bad], 0)] {
        let (tables, faults) = load(&folders);
        assert_eq!((tables.count(), faults.len()), (2, faults_before), "{faults:?}");
        assert!(faults.iter().all(|fault| fault.contains("KQvK.rtbw` is left out: ")), "{faults:?}");
        assert!(tables.probe_wdl(&position(QUEEN)).is_some() && tables.probe_wdl(&position(ROOK)).is_some());
        assert!(tables.damage().is_none());
    }
}

#[test]
fn what_cannot_be_used_is_told_and_the_rest_is_used() {
    let Some(good) = copies("good", &["KQvK.rtbw"]) else { return };
    let empty = binary::folder("tables-empty");
    let missing = empty.join("missing");
    let (tables, faults) = load(&[&missing, &empty, &good]);
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].starts_with("cannot read the folder ") && faults[0].contains("missing"), "{faults:?}");
    assert!(faults[1].starts_with("no tables in "), "{faults:?}");
    assert_eq!((tables.count(), tables.max_pieces()), (1, 3));

    let (tables, faults) = load(&[&good.join("KQvK.rtbw")]);
    assert_eq!((faults.len(), tables.count(), tables.max_pieces()), (1, 0, 0), "{faults:?}");
    assert_eq!(tables.probe_wdl(&position(QUEEN)), None);
}

#[test]
fn files_that_are_not_whole_are_refused() {
    let Some(folder) = copies("whole", &["KPvK.rtbw", "KPvK.rtbz", "KQvK.rtbw", "KRvK.rtbz"]) else { return };
    let bytes = |name: &str| fs::read(folder.join(name)).expect(name);
    let (wdl, dtz) = (bytes("KPvK.rtbw"), bytes("KPvK.rtbz"));
    let cut = |bytes: &[u8], length: usize| bytes[..length].to_vec();
    let changed = |bytes: &[u8], at: usize, to: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = to;
        bytes
    };
    let cases = [
        ("empty", "KPvK.rtbw", vec![], "it ends after 0 bytes, within its headers"),
        ("cut in its headers", "KPvK.rtbw", cut(&wdl, 16), "it ends after 16 bytes, within its headers"),
        ("cut by a byte", "KPvK.rtbw", cut(&wdl, wdl.len() - 1), "it has 7823 bytes, expected 7824"),
        ("cut by a block", "KPvK.rtbz", cut(&dtz, dtz.len() - 64), "it has 4112 bytes, expected 4176"),
        ("too long", "KPvK.rtbw", [&wdl[..], &[0; 64]].concat(), "it has 7888 bytes, expected 7824"),
        (
            "no table",
            "KPvK.rtbw",
            vec![b'x'; 4096],
            "it starts with [78, 78, 78, 78], expected [71, e8, 23, 5d]",
        ),
        (
            "the other kind",
            "KPvK.rtbw",
            dtz.clone(),
            "it starts with [d7, 66, 0c, a5], expected [71, e8, 23, 5d]",
        ),
        ("other pieces", "KRvK.rtbw", bytes("KQvK.rtbw"), "its pieces"),
        ("pawns where none are", "KQvK.rtbw", wdl.clone(), "its layout 0x33 is that of other pieces"),
        ("an odd layout", "KPvK.rtbw", changed(&wdl, 4, 0), "its layout 0x00 is that of other pieces"),
        ("an odd piece", "KPvK.rtbw", changed(&wdl, 6, 0x77), "its pieces"),
    ];
    for (name, file, content, expected) in cases {
        let folder = binary::folder("tables-damaged");
        fs::write(folder.join(file), content).expect(name);
        let (tables, faults) = load(&[&folder]);
        assert_eq!((faults.len(), tables.max_pieces()), (1, 0), "{name}: {faults:?}");
        assert!(faults[0].contains(&format!("{file}` is left out: {expected}")), "{name}: {faults:?}");
    }
}

#[test]
fn a_folder_with_the_name_of_a_table_is_none() {
    let folder = binary::folder("tables-folder");
    fs::create_dir(folder.join("KQvK.rtbw")).expect("a folder can be made");
    let (tables, faults) = load(&[&folder]);
    assert_eq!((faults.len(), tables.max_pieces()), (1, 0), "{faults:?}");
    assert!(faults[0].ends_with(": a folder, expected a regular file"), "{faults:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_with_the_name_of_a_table_is_not_opened() {
    let folder = binary::folder("tables-pipe");
    binary::make_pipe(&folder.join("KQvK.rtbw"));
    let (tables, faults) = load(&[&folder]);
    assert_eq!((faults.len(), tables.max_pieces()), (1, 0), "{faults:?}");
    assert!(faults[0].ends_with(": a named pipe, expected a regular file"), "{faults:?}");
}

/// Bytes are changed where the headers do not show it: a probe finds the error or gives an answer that may be wrong,
/// but never panics.
#[test]
fn damaged_files_never_panic() {
    const NAMES: [&str; 5] = ["KPvKP", "KQvKR", "KBNvK", "KRvKP", "KQvK"];
    let Some(from) = folder() else { return };
    let folder = binary::folder("tables-fuzz");
    let mut rng = Rng::new(3);
    let mut refused = 0;
    let mut unknown = 0;
    let mut damages = 0;
    for case in 0..fuzz_cases(200) {
        let name = NAMES[case as usize % NAMES.len()];
        for extension in ["rtbw", "rtbz"] {
            let file = format!("{name}.{extension}");
            let mut bytes = fs::read(from.join(&file)).expect("a table");
            // Headers decide most.
            let reach = if rng.below(3) == 0 { bytes.len() } else { bytes.len().min(600) };
            for _ in 0..=rng.below(4) {
                bytes[rng.below(reach as u64) as usize] = rng.next_u64() as u8;
            }
            fs::write(folder.join(&file), bytes).expect("it can be written");
        }
        let (tables, faults) = load(&[&folder]);
        refused += faults.len();
        for _ in 0..20 {
            let position = random(&mut rng, name);
            unknown += usize::from(tables.probe_wdl(&position).is_none());
            let _ = tables.probe_dtz(&position);
        }
        if let Some(damage) = tables.damage().map(ToString::to_string) {
            damages += 1;
            assert!(damage.starts_with("the ") && damage.contains(" is damaged"), "{damage}");
            assert!(!damage.contains('\n') && !damage.contains("backtrace"), "{damage}");
        }
        for extension in ["rtbw", "rtbz"] {
            fs::remove_file(folder.join(format!("{name}.{extension}"))).expect("it is there");
        }
    }
    assert!(
        refused > 0 && unknown > 0 && damages > 0,
        "{refused} files refused, {unknown} positions unknown, {damages} damages found late"
    );
}
