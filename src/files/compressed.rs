//! Compressed data. How they begin tells what they are, not what their file is called.

use std::io::{self, Cursor, Read};

/// What compressed data begin with.
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const GZIP: &[u8] = &[0x1f, 0x8b];
const BZIP2: &[u8] = b"BZh";
/// The length of the longest of these.
const LONGEST: u64 = 4;

/// What the names of compressed files end in, behind a point.
pub const EXTENSIONS: [&str; 4] = ["zst", "gz", "bz2", "bzip2"];

/// What is in these data: decompressed if they are Zstandard, gzip or bzip2, in one part or in
/// several, and as they are if not.
///
/// # Errors
/// If their beginning cannot be read.
pub fn decompressed(mut stored: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut beginning = Vec::new();
    stored.by_ref().take(LONGEST).read_to_end(&mut beginning)?;
    let is = |magic: &[u8]| beginning.starts_with(magic);
    let (is_zstandard, is_gzip, is_bzip2) = (is(ZSTANDARD), is(GZIP), is(BZIP2));
    let whole = Cursor::new(beginning).chain(stored);
    Ok(if is_zstandard {
        Box::new(zstd::stream::read::Decoder::new(whole)?)
    } else if is_gzip {
        Box::new(flate2::read::MultiGzDecoder::new(whole))
    } else if is_bzip2 {
        Box::new(bzip2::read::MultiBzDecoder::new(whole))
    } else {
        Box::new(whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_of(mut compressor: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        compressor.read_to_end(&mut bytes).expect("memory can be read");
        bytes
    }

    #[test]
    fn what_is_compressed_comes_out() {
        const TEXT: &[u8] = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
        let gzip = all_of(flate2::read::GzEncoder::new(TEXT, flate2::Compression::default()));
        let bzip2 = all_of(bzip2::read::BzEncoder::new(TEXT, bzip2::Compression::default()));
        let zstandard = zstd::encode_all(TEXT, 1).expect("memory can be compressed");
        let twice = [TEXT, TEXT].concat();
        let cases: [(&str, Vec<u8>, &[u8]); 9] = [
            ("nothing", Vec::new(), b""),
            ("short", b"BZ".to_vec(), b"BZ"),
            ("plain", TEXT.to_vec(), TEXT),
            ("gzip", gzip.clone(), TEXT),
            ("bzip2", bzip2.clone(), TEXT),
            ("Zstandard", zstandard.clone(), TEXT),
            ("gzip in two parts", [&gzip[..], &gzip].concat(), &twice),
            ("bzip2 in two parts", [&bzip2[..], &bzip2].concat(), &twice),
            ("Zstandard in two parts", [&zstandard[..], &zstandard].concat(), &twice),
        ];
        for (name, stored, expected) in cases {
            let mut found = Vec::new();
            let mut reader = decompressed(Cursor::new(stored)).expect("memory can be read");
            reader.read_to_end(&mut found).expect(name);
            assert_eq!(found, expected, "{name}");
        }
        for (name, stored) in [("gzip", gzip), ("bzip2", bzip2), ("Zstandard", zstandard)] {
            let torn = stored[..stored.len() - 5].to_vec();
            let mut found = Vec::new();
            let end = decompressed(Cursor::new(torn)).and_then(|mut reader| reader.read_to_end(&mut found));
            assert!(end.is_err(), "{name}: the end is missing");
        }
    }
}
