//! A page as a single HTML file, which loads nothing and runs only its own script.

use super::DiagramStyle;
use super::checksum::ChecksumComment;
use super::inline::definitions;
use super::lettering::escape;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The style for light and dark screens of every size, and for paper.
const STYLE: &str = include_str!("page.css");
/// The script for interactive boards. It does not know the rules of chess: all positions are in the page.
const SCRIPT: &str = include_str!("page.js");

/// A page with sections of games, text and tables.
#[derive(Clone, Default, Debug)]
pub struct Page {
    /// The title of the window.
    pub title: String,
    /// The heading; may be empty.
    pub heading: String,
    /// The line below the heading; may be empty.
    pub subheading: String,
    /// The content, in HTML, which can contain [`GameSection`](super::GameSection)s.
    pub body: String,
    /// The style of the boards.
    pub style: DiagramStyle,
    /// The font size on paper, in points.
    pub font_size_pt: Option<f64>,
}

impl Page {
    fn stylesheet(&self) -> String {
        let mut style = STYLE.trim().to_owned();
        if let Some(size) = self.font_size_pt {
            let _ = write!(style, "\n@media print{{html{{font-size:{size}pt}}}}");
        }
        style
    }

    fn has_games(&self) -> bool {
        self.body.contains("<article class=game")
    }

    /// The content security policy of the page, which allows its own style and script only.
    pub fn policy(&self) -> String {
        let mut policy = format!("default-src 'none'; style-src '{}'", hash(&self.stylesheet()));
        if self.has_games() {
            let _ = write!(policy, "; script-src '{}'", hash(SCRIPT.trim()));
        }
        policy.push_str("; base-uri 'none'; form-action 'none'");
        policy
    }

    /// The HTML file. Equal pages give equal texts.
    pub fn to_html(&self) -> String {
        let style = self.stylesheet();
        let has_games = self.has_games();
        let script = SCRIPT.trim();
        let policy = self.policy();
        let mut html = String::with_capacity(self.body.len() + style.len() + script.len() + (16 << 10));
        let _ = write!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"generator\" content=\"Hematite {}\">\n<title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n",
            env!("CARGO_PKG_VERSION"),
            escape(&self.title)
        );
        if self.body.contains("class=board") {
            html.push_str(&definitions(self.style));
            html.push('\n');
        }
        if !self.heading.is_empty() || !self.subheading.is_empty() {
            html.push_str("<header class=top>");
            for (tag, text) in [("h1", &self.heading), ("p", &self.subheading)] {
                if !text.is_empty() {
                    let _ = write!(html, "<{tag}>{}</{tag}>", escape(text));
                }
            }
            html.push_str("</header>\n");
        }
        html.push_str("<main>\n");
        html.push_str(&self.body);
        html.push_str("</main>\n");
        if has_games {
            let _ = writeln!(html, "<script>{script}</script>");
        }
        html.push_str("</body>\n");
        ChecksumComment::HTML.add(&mut html);
        html
    }
}

/// The hash of an inline style or script in a content security policy
/// (<https://www.w3.org/TR/CSP3/#grammardef-hash-source>).
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_browsers() {
        // From the specification of Subresource Integrity.
        assert_eq!(hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }

    #[test]
    fn nothing_is_loaded() {
        let body = "<article class=game id=g1></article>".to_owned();
        let page = Page { title: "</title><script>".to_owned(), body, ..Page::default() }.to_html();
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
        assert_eq!(page.matches("<script").count(), 1);
        for outside in ["http://", "https://", "src=", "@import", "url(", " style=", "onclick="] {
            assert!(!page.contains(outside), "{outside}");
        }
        let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("there is one");
        let policy = policy.split('"').next().expect("it ends");
        for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
            let inline = page.split(&format!("<{tag}>")).nth(1).and_then(|rest| rest.split("</").next());
            let allowed = format!("{directive} '{}'", hash(inline.expect("there is one")));
            assert!(policy.contains(&allowed), "{policy}");
        }
        assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
        assert!(!Page::default().to_html().contains("<script"));
    }
}
