//! The last line of a document written by Hematite: a checksum of everything above it, by which manual changes are
//! detected.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The comment with the checksum in a kind of document: the text before the checksum, and the end of the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChecksumComment {
    start: &'static str,
    end: &'static str,
}

impl ChecksumComment {
    pub(super) const HTML: Self = Self { start: "<!-- hematite page ", end: " -->\n</html>\n" };
    pub(super) const MARKDOWN: Self = Self { start: "<!-- hematite page ", end: " -->\n" };
    pub(super) const LATEX: Self = Self { start: "% hematite page ", end: "\n" };

    /// Appends the checksum and the end of the document.
    pub(super) fn add(self, document: &mut String) {
        let checksum = checksum(&document);
        let _ = write!(document, "{}{checksum}{}", self.start, self.end);
    }

    fn is_unbroken(self, document: &[u8]) -> bool {
        let Some(text) = document.strip_suffix(self.end.as_bytes()) else { return false };
        let start = self.start.as_bytes();
        let Some(at) = text.windows(start.len()).rposition(|window| window == start) else { return false };
        checksum(&text[..at]).as_bytes() == &text[at + start.len()..]
    }
}

/// Whether a file is a page in HTML, Markdown or LaTeX that has not been changed since Hematite wrote it.
pub fn is_unchanged_page(text: &[u8]) -> bool {
    [ChecksumComment::HTML, ChecksumComment::MARKDOWN, ChecksumComment::LATEX]
        .into_iter()
        .any(|comment| comment.is_unbroken(text))
}

fn checksum(text: impl AsRef<[u8]>) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_by_hand_are_seen() {
        for comment in [ChecksumComment::HTML, ChecksumComment::MARKDOWN, ChecksumComment::LATEX] {
            let mut page = "A\nB\n".to_owned();
            comment.add(&mut page);
            assert!(is_unchanged_page(page.as_bytes()), "{page}");
            let cases = [
                page.replace('B', "C"),
                page.replace(comment.start, "-"),
                page.clone() + "\n",
                format!("{page}{}{}", comment.start, comment.end),
                comment.end.to_owned(),
            ];
            for changed in cases {
                assert!(!is_unchanged_page(changed.as_bytes()), "{changed}");
            }
        }
        assert!(!is_unchanged_page(b""));
    }
}
