//! The files of the page, which are part of the program.

use super::failure::Failure;
use crate::render::png;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::bufread::{GzDecoder, GzEncoder};
use once_cell::sync::Lazy;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};

include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

const MARK: &str = include_str!("page/icon.svg");
/// The document.
const INDEX: &str = "index.html";
/// The service worker.
const WORKER: &str = "worker.js";
/// The environment variable with a folder that replaces the files of the page during development. Only in debug builds.
#[cfg(debug_assertions)]
const FOLDER_VARIABLE: &str = "HEMATITE_BOARD_PAGE";

/// A file in the form in which it is sent.
struct Asset {
    kind: &'static str,
    /// The file, compressed with gzip.
    packed: Cow<'static, [u8]>,
    tag: String,
    /// Whether it is the service worker.
    is_worker: bool,
}

impl Asset {
    fn new(name: &str, packed: Cow<'static, [u8]>) -> Self {
        /// The length of the hash in the `ETag`.
        const TAG_BYTES: usize = 12;
        let kind = match name.rsplit_once('.').map(|(_, suffix)| suffix) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("json") => "application/json",
            Some("webmanifest") => "application/manifest+json",
            Some("png") => "image/png",
            _ => "application/octet-stream",
        };
        let digest = Sha256::digest(&packed);
        let tag = format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(&digest[..TAG_BYTES]));
        Self { kind, packed, tag, is_worker: name == WORKER }
    }

    /// The uncompressed file, for clients without gzip.
    fn unpacked(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        GzDecoder::new(&*self.packed).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// A file that is prepared at the first request for it.
type LazyAsset = Lazy<Asset, Box<dyn Fn() -> Asset + Send + Sync>>;

/// The files by their names.
static ASSETS: Lazy<HashMap<&str, LazyAsset>> = Lazy::new(|| {
    let prepare = |&(name, packed): &(&'static str, &'static [u8])| {
        let make: Box<dyn Fn() -> Asset + Send + Sync> =
            Box::new(move || Asset::new(name, Cow::Borrowed(packed)));
        (name, Lazy::new(make))
    };
    let icons = ICONS.iter().map(|&(name, size_px, scale)| {
        let make: Box<dyn Fn() -> Asset + Send + Sync> =
            Box::new(move || Asset::new(name, Cow::Owned(icon(size_px, scale))));
        (name, Lazy::new(make))
    });
    PAGE_FILES.iter().map(prepare).chain(icons).collect()
});

/// The icons of the installed page: name, size in pixels, and the part of the size that the mark takes. Systems crop
/// the edges of the maskable icon.
const ICONS: [(&str, u32, f64); 3] =
    [("icon-192.png", 192, 1.0), ("icon-512.png", 512, 1.0), ("icon-maskable.png", 512, 0.7)];

/// The icon of the page as a PNG, compressed with gzip.
fn icon(size_px: u32, scale: f64) -> Vec<u8> {
    let ground = if scale < 1.0 { "<path fill='#faf8f4' d='M0 0H100V100H0Z'/>" } else { "" };
    let gap = 50.0 * (1.0 - scale);
    let mark = MARK.trim_start_matches(|letter| letter != '\n').trim().trim_end_matches("</svg>");
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{size_px}' height='{size_px}' viewBox='0 0 100 100'>{ground}\
         <g transform='translate({gap} {gap}) scale({scale})'>{mark}</g></svg>"
    );
    // Rendering cannot fail: the drawing is part of the program, and a test renders all sizes.
    let png = png(&svg).unwrap_or_default();
    let mut packed = Vec::new();
    let _ = GzEncoder::new(&png[..], Compression::fast()).read_to_end(&mut packed); // cannot fail in memory
    packed
}

/// Answers a request for a file of the page.
///
/// # Errors
/// [`Failure`] if there is no such file.
pub(super) fn file(name: &str, headers: &HeaderMap) -> Result<Response, Failure> {
    #[cfg(debug_assertions)]
    if let Some(packed) = from_folder(name) {
        return answer(&Asset::new(name, Cow::Owned(packed)), headers);
    }
    let asset = ASSETS.get(name).ok_or_else(|| Failure::not_found("there is no such file"))?;
    answer(asset, headers)
}

/// Answers a request for any address of the page.
///
/// # Errors
/// [`Failure`] if the program was built without a page.
pub(super) fn index(headers: &HeaderMap) -> Result<Response, Failure> {
    file(INDEX, headers)
}

#[cfg(debug_assertions)]
fn from_folder(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os(FOLDER_VARIABLE)?;
    let is_plain = !name.starts_with('.') && !name.contains(['/', '\\']);
    let file =
        is_plain.then(|| std::fs::File::open(std::path::Path::new(&folder).join(name)).ok()).flatten()?;
    let mut packed = Vec::new();
    let mut encoder = flate2::read::GzEncoder::new(file, flate2::Compression::fast());
    encoder.read_to_end(&mut packed).ok()?;
    Some(packed)
}

fn answer(asset: &Asset, headers: &HeaderMap) -> Result<Response, Failure> {
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == asset.tag.as_bytes());
    let accepts_packed =
        headers.get(header::ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok()).is_some_and(
            |accepted| accepted.split(',').any(|kind| kind.trim().split(';').next() == Some("gzip")),
        );
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else if accepts_packed {
        Response::new(Body::from(asset.packed.to_vec()))
    } else {
        let failure = |error: io::Error| {
            Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "not_unpacked", error.to_string())
        };
        Response::new(Body::from(asset.unpacked().map_err(failure)?))
    };
    let all = response.headers_mut();
    all.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    // A newer version of the program on the same port has newer files.
    all.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    all.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Ok(tag) = HeaderValue::from_str(&asset.tag) {
        all.insert(header::ETAG, tag);
    }
    if asset.is_worker {
        // The scope of the service worker is the whole page, not only `/assets`.
        all.insert("service-worker-allowed", HeaderValue::from_static("/"));
    }
    if accepts_packed && !known {
        all.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compressed size of the page with its pieces.
    #[test]
    fn the_page_is_small() {
        /// The maximum in bytes.
        const MOST: usize = 250_000;
        let sent: usize = ASSETS.values().map(|asset| asset.packed.len()).sum();
        println!("{sent} bytes");
        assert!(sent < MOST, "{sent} bytes, expected fewer than {MOST}");
    }

    #[test]
    fn icons_are_pictures_of_their_sizes() {
        for (name, size_px, _) in ICONS {
            let png = ASSETS[name].unpacked().expect("it can be unpacked");
            assert!(png.starts_with(b"\x89PNG"), "{name}");
            // The width and the height follow after 16 bytes of a PNG.
            let sides = [&png[16..20], &png[20..24]]
                .map(|side| u32::from_be_bytes(side.try_into().expect("4 bytes")));
            assert_eq!(sides, [size_px; 2], "{name}");
            let manifest = ASSETS["manifest.webmanifest"].unpacked().expect("it can be unpacked");
            assert!(String::from_utf8_lossy(&manifest).contains(name), "{name}");
        }
    }

    /// The served files are equal to the sources, byte by byte.
    #[test]
    fn files_are_served_as_they_are_written() {
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for (name, _) in PAGE_FILES {
            let written = std::fs::read(source.join("board/page").join(name))
                .or_else(|_| std::fs::read(source.join("render/pieces").join(name)))
                .expect("the file is there");
            assert_eq!(ASSETS[name].unpacked().expect("it can be unpacked"), written, "{name}");
        }
    }
}
