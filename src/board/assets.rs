//! The files of the page, which are part of the program.

use super::failure::Failure;
use crate::render::PieceSet;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::GzEncoder;
use once_cell::sync::Lazy;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// The document.
const INDEX: &str = "index.html";
/// Files that are shorter are not worth packing.
const MIN_PACKED: usize = 512;
/// The variable that names a folder with the files of the page, for who works on it. Only in builds for development.
#[cfg(debug_assertions)]
const FOLDER_VARIABLE: &str = "HEMATITE_BOARD_PAGE";

/// A file, ready to be sent.
struct Asset {
    kind: &'static str,
    bytes: Cow<'static, [u8]>,
    packed: Option<Vec<u8>>,
    tag: String,
}

impl Asset {
    fn new(name: &str, bytes: Cow<'static, [u8]>) -> Self {
        /// Enough of a hash to tell two versions of a file from one another.
        const TAG_BYTES: usize = 12;
        let kind = match name.rsplit_once('.').map(|(_, suffix)| suffix) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("json" | "webmanifest") => "application/json",
            Some("png") => "image/png",
            _ => "application/octet-stream",
        };
        let digest = Sha256::digest(&bytes);
        let tag = format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(&digest[..TAG_BYTES]));
        let packed = (bytes.len() >= MIN_PACKED).then(|| pack(&bytes)).flatten();
        Self { kind, bytes, packed, tag }
    }
}

fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().filter(|packed| packed.len() < bytes.len())
}

/// A file that is packed when it is asked for first.
type LazyAsset = Lazy<Asset, Box<dyn Fn() -> Asset + Send + Sync>>;

/// The files that are part of the program.
static ASSETS: Lazy<HashMap<&str, LazyAsset>> = Lazy::new(|| {
    let page = PAGE_FILES.iter().copied();
    let pieces = PieceSet::ALL.map(|set| match set {
        PieceSet::Modern => ("modern.svg", set.drawings().as_bytes()),
        PieceSet::Sharp => ("sharp.svg", set.drawings().as_bytes()),
    });
    let prepare = |(name, bytes): (&'static str, &'static [u8])| {
        let make: Box<dyn Fn() -> Asset + Send + Sync> =
            Box::new(move || Asset::new(name, Cow::Borrowed(bytes)));
        (name, Lazy::new(make))
    };
    page.chain(pieces).map(prepare).collect()
});

/// Answers a request for a file of the page.
///
/// # Errors
/// [`Failure`] if there is no such file.
pub(super) fn file(name: &str, headers: &HeaderMap) -> Result<Response, Failure> {
    #[cfg(debug_assertions)]
    if let Some(bytes) = from_folder(name) {
        return Ok(answer(&Asset::new(name, Cow::Owned(bytes)), headers));
    }
    let asset = ASSETS.get(name).ok_or_else(|| Failure::not_found("there is no such file"))?;
    Ok(answer(asset, headers))
}

/// Answers a request for any address of the page.
///
/// # Errors
/// [`Failure`] if the program has been built without a page.
pub(super) fn index(headers: &HeaderMap) -> Result<Response, Failure> {
    file(INDEX, headers)
}

#[cfg(debug_assertions)]
fn from_folder(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os(FOLDER_VARIABLE)?;
    let is_plain = !name.starts_with('.') && !name.contains(['/', '\\']);
    if is_plain { std::fs::read(std::path::Path::new(&folder).join(name)).ok() } else { None }
}

fn answer(asset: &Asset, headers: &HeaderMap) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == asset.tag.as_bytes());
    let accepts_packed =
        headers.get(header::ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok()).is_some_and(
            |accepted| accepted.split(',').any(|kind| kind.trim().split(';').next() == Some("gzip")),
        );
    let packed = asset.packed.as_ref().filter(|_| accepts_packed);
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes = packed.map_or_else(|| asset.bytes.to_vec(), Clone::clone);
        Response::new(Body::from(bytes))
    };
    let all = response.headers_mut();
    all.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    // A newer program on the same port has newer files.
    all.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    all.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Ok(tag) = HeaderValue::from_str(&asset.tag) {
        all.insert(header::ETAG, tag);
    }
    if packed.is_some() && !known {
        all.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page with its pieces, before it is packed.
    #[test]
    fn the_page_is_small() {
        /// The most bytes.
        const MOST: usize = 250_000;
        let all: usize = ASSETS.values().map(|asset| asset.bytes.len()).sum();
        let packed = |asset: &LazyAsset| asset.packed.as_ref().map_or(asset.bytes.len(), Vec::len);
        let sent: usize = ASSETS.values().map(packed).sum();
        println!("{all} bytes, {sent} packed");
        assert!(all < MOST, "{all} bytes, expected fewer than {MOST}");
    }
}
