//! Tells the program which compiler builds it, and for what, and packs the files of the page.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().ok();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=HEMATITE_RUSTC={}", version.as_deref().unwrap_or("an unknown rustc"));
    println!("cargo::rustc-env=HEMATITE_TARGET={}", env::var("TARGET").as_deref().unwrap_or("unknown"));
    #[cfg(feature = "board")]
    page::pack();
}

/// The page of `hematite board`.
#[cfg(feature = "board")]
mod page {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::env;
    use std::fmt::Write as _;
    use std::fs::{self, File};
    use std::io;
    use std::path::Path;

    /// The folders with its files. The drawings of the pieces are those of diagrams.
    const FOLDERS: [&str; 2] = ["src/board/page", "src/render/pieces"];

    /// Packs each file as it is sent, and writes a constant with the names and the contents, in the order of the names.
    pub(super) fn pack() {
        let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
        let mut paths = Vec::new();
        for folder in FOLDERS {
            println!("cargo::rerun-if-changed={folder}");
            let entries = fs::read_dir(Path::new(&root).join(folder)).expect("the page has this folder");
            paths.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        paths.sort();
        let out = env::var_os("OUT_DIR").expect("cargo sets it");
        let folder = Path::new(&out).join("page");
        fs::create_dir_all(&folder).expect("the folder can be made");
        let mut text = String::from(
            "/// The files of the page, packed with gzip.\nconst PAGE_FILES: &[(&str, &[u8])] = &[\n",
        );
        for path in paths {
            let name = path.file_name().expect("it is a file").to_string_lossy();
            let packed = folder.join(format!("{name}.gz"));
            pack_file(&path, &packed).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            writeln!(text, "    ({name:?}, include_bytes!({:?})),", packed.display().to_string())
                .expect("a string takes everything");
        }
        text.push_str("];\n");
        fs::write(Path::new(&out).join("page_files.rs"), text).expect("the folder can be written");
    }

    fn pack_file(from: &Path, to: &Path) -> io::Result<()> {
        let mut encoder = GzEncoder::new(File::create(to)?, Compression::best());
        io::copy(&mut File::open(from)?, &mut encoder)?;
        encoder.finish()?.sync_all()
    }
}
