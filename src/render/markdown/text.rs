//! Text for Markdown, as defined by CommonMark and GitHub.

use super::super::checksum::ChecksumComment;
use super::super::lettering::{escape_into, is_turning};
use std::fmt::Write;

/// The placeholder for the URL of a picture that is not written yet: a private-use character, which no text contains.
pub const PICTURE: char = '\u{f8e2}';

/// Escapes markup of Markdown and HTML in text, on one line and for any place in it. Control characters become spaces,
/// and direction controls are removed.
///
/// ```
/// use hematite_games::render::markdown::escape;
/// assert_eq!(escape("*1.* <b>{{x}}</b>"), r"\*1.\* &lt;b&gt;\{\{x\}\}&lt;/b&gt;");
/// assert_eq!(escape("1. e4"), r"1\. e4");
/// ```
pub fn escape(text: &str) -> String {
    // HTML is escaped first.
    let mut plain = String::with_capacity(text.len());
    escape_into(&mut plain, text.trim());
    let plain = plain.replace("&quot;", "\"").replace("&#39;", "'");
    let mut escaped = String::with_capacity(plain.len());
    // A number with a period or a parenthesis, or one of some signs, starts a block.
    let digits = plain.len() - plain.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    for (at, letter) in plain.char_indices() {
        let is_markup = match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '{' | '}' | '|' | '~' | '^' | '$' => true,
            '#' | '+' | '-' | '=' | ':' => at == 0,
            '.' | ')' => at == digits && digits > 0 && !plain[at + 1..].starts_with(|next: char| next != ' '),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(if letter == PICTURE { char::REPLACEMENT_CHARACTER } else { letter });
    }
    escaped
}

/// The URL of a file relative to the text, encoded for a link.
pub fn address(path: &[u8]) -> String {
    path.iter().fold(String::new(), |mut address, &byte| {
        if byte.is_ascii_alphanumeric() || b"-_./".contains(&byte) {
            address.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(address, "%{byte:02X}");
        }
        address
    })
}

/// Lines shown verbatim. Control characters become spaces.
pub fn code_block(language: &str, text: &str) -> String {
    const FENCE: usize = 3;
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(FENCE.max(longest + 1));
    let mut block = format!("{fence}{language}\n");
    for line in text.trim_end().lines() {
        // Code contains no other markup.
        let visible = line.chars().filter(|letter| !is_turning(*letter));
        block.extend(
            visible.map(|letter| if letter.is_control() || letter == PICTURE { ' ' } else { letter }),
        );
        block.push('\n');
    }
    block + &fence + "\n"
}

/// The content of a file: the text without blank lines at its ends, and with a last line that contains its checksum.
pub fn finish(text: &str) -> String {
    let mut file = text.trim_matches('\n').to_owned();
    file.push_str("\n\n");
    ChecksumComment::MARKDOWN.add(&mut file);
    file
}

#[cfg(test)]
mod tests {
    use super::super::super::is_unchanged_page;
    use super::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

    /// The text that a Markdown renderer shows for a paragraph.
    fn shown(markdown: &str) -> String {
        let mut text = String::new();
        // All extensions except smart punctuation, which changes quotation marks.
        for event in Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
                other => panic!("{markdown}: {other:?}"),
            }
        }
        text
    }

    #[test]
    fn no_text_is_markup() {
        let cases = [
            "1. e4",
            "12) a",
            "# a",
            "+ a",
            "- a",
            "=== a",
            "* a",
            "> a",
            "a_b_c",
            "`a`",
            "**a**",
            "[a](b)",
            "![a](b)",
            "<script>alert(1)</script>",
            "&lt;",
            "a | b",
            "~~a~~",
            "$a$",
            "\\a",
            "\\",
            "{{game 1}}",
            "[^1]",
            "a  ",
            "--",
            "1.",
            ":--",
            "[ ] a",
            "a\\*",
            "<!-- a -->",
            "http:a",
            "e4!",
            "\"a\" 'b'",
        ];
        for case in cases {
            assert_eq!(shown(&escape(case)), case.trim(), "{}", escape(case));
        }
        assert_eq!(escape("a\n\n# b\u{202e}c\0"), "a  # bc ");
        assert_eq!(escape("    a"), "a");
        assert_eq!(escape(&PICTURE.to_string()), "\u{fffd}");
        let mut page = String::new();
        html::push_html(
            &mut page,
            Parser::new_ext(&escape("<img src=x onerror=y> [a](javascript:b)"), Options::all()),
        );
        assert!(!page.contains("<img") && !page.contains("<a "), "{page}");
    }

    #[test]
    fn addresses_have_no_markup() {
        assert_eq!(address("a b/(é).svg".as_bytes()), "a%20b/%28%C3%A9%29.svg");
    }

    #[test]
    fn code_does_not_end_early() {
        assert_eq!(code_block("pgn", "{```}\n````\n\u{7}\u{202e}\n"), "`````pgn\n{```}\n````\n \n`````\n");
        assert_eq!(code_block("", ""), "```\n```\n");
    }

    #[test]
    fn a_file_ends_with_its_checksum() {
        let file = finish("\n# a\n\n\n");
        assert!(
            file.starts_with("# a\n\n<!-- hematite page ") && is_unchanged_page(file.as_bytes()),
            "{file}"
        );
    }
}
