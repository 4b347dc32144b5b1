//! The pictures of a Markdown text, which are files in a folder next to it.

use crate::cli::CliError;
use crate::cli::streams::new_file;
use crate::files::without_packed_extension;
use crate::render::markdown::{PICTURE, Written, address};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the folder, or the suffix of the name.
const FOLDER: &str = "diagrams";
/// The width of a picture, in pixels.
const WIDTH_PX: u32 = 360;
/// The number of digits in the name of a picture.
const DIGITS: usize = 6;

/// A folder of pictures, numbered from 1.
pub(super) struct Pictures {
    folder: PathBuf,
    /// The path of the folder in links.
    address: String,
    count: usize,
}

impl Pictures {
    /// A folder next to a file, with a name made from that of the file.
    pub(super) fn beside(file: &Path) -> Self {
        let name = without_packed_extension(file);
        let mut name = name.file_stem().map_or_else(OsString::new, OsString::from);
        name.push("-");
        name.push(FOLDER);
        Self::new(file.with_file_name(&name), &name)
    }

    /// A folder inside the folder of several texts.
    pub(super) fn within(folder: &Path) -> Self {
        Self::new(folder.join(FOLDER), &FOLDER.into())
    }

    fn new(folder: PathBuf, name: &OsString) -> Self {
        Self { folder, address: address(name.as_encoded_bytes()), count: 0 }
    }

    /// Draws the pictures, and inserts their paths into the text.
    pub(super) fn place(&mut self, written: Written) -> Result<String, CliError> {
        let mut text = String::with_capacity(written.text.len());
        let mut rest = &*written.text;
        for mut picture in written.pictures {
            let Some((before, after)) = rest.split_once(PICTURE) else { break };
            self.count += 1;
            let name = format!("{:0DIGITS$}.svg", self.count);
            // The caption is a line of the text instead.
            picture.caption = None;
            let mut file = new_file(&self.folder.join(&name))?;
            file.write_all(picture.to_svg(WIDTH_PX).as_bytes())?;
            file.commit()?;
            text.push_str(&format!("{before}{}/{name}", self.address));
            rest = after;
        }
        text.push_str(rest);
        Ok(text)
    }
}
