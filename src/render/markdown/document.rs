//! Documents in Markdown with directives in double braces, as HTML and as text.

use super::super::lettering::escape;
use super::text::PICTURE;
use pulldown_cmark::{Alignment, CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::ops::Range;

/// A document that has been read.
#[derive(Debug)]
pub struct Document {
    text: String,
    directives: Vec<Found>,
    heading: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    line: usize,
    /// The range in the text, including the braces.
    range: Range<usize>,
}

/// The replacement of a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    content: String,
    is_block: bool,
}

impl Part {
    /// A part that must not be within a paragraph.
    pub const fn block(content: String) -> Self {
        Self { content, is_block: true }
    }

    /// The content, and whether it must not be within a paragraph.
    pub(in crate::render) fn content(&self) -> (&str, bool) {
        (&self.content, self.is_block)
    }

    /// A part within a line.
    pub const fn inline(content: String) -> Self {
        Self { content, is_block: false }
    }
}

const OPEN: &str = "{{";
const CLOSE: &str = "}}";
/// The marks around the number of a directive: private-use characters, which are removed from the text.
const START: char = '\u{f8e0}';
const END: char = '\u{f8e1}';
/// Opening braces in the code of a heading, until its directives are removed.
const CODE_OPEN: &str = "{\u{f8e0}{";

impl Document {
    /// Reads a document and finds its directives, which may be anywhere except in code.
    ///
    /// # Errors
    /// The line and the problem: a directive that is not closed, or an image.
    pub fn new(text: &str) -> Result<Self, (usize, String)> {
        let text: String = text.replace("\r\n", "\n").replace([START, END, PICTURE], "\u{fffd}");
        let mut code: Vec<Range<usize>> = Vec::new();
        let mut heading: Option<String> = None;
        let mut is_heading = false;
        let mut is_code_block = false;
        for (event, range) in Parser::new_ext(&text, options()).into_offset_iter() {
            match event {
                Event::Start(Tag::Image { .. }) => {
                    let problem = "an image, which would be another file; expected text and directives such as {{diagram}}";
                    return Err((Lines::default().line_of(&text, range.start), problem.to_owned()));
                }
                Event::Start(Tag::CodeBlock(_)) => is_code_block = true,
                Event::End(TagEnd::CodeBlock) => is_code_block = false,
                Event::Code(text) => {
                    code.push(range);
                    if is_heading {
                        // Braces in code are no directive.
                        heading.get_or_insert_default().push_str(&text.replace(OPEN, CODE_OPEN));
                    }
                }
                Event::Text(_) if is_code_block => code.push(range),
                Event::Start(Tag::Heading { level, .. }) => {
                    is_heading = heading.is_none() && level == pulldown_cmark::HeadingLevel::H1;
                }
                Event::End(TagEnd::Heading(_)) => is_heading = false,
                Event::Text(text) if is_heading => heading.get_or_insert_default().push_str(&text),
                Event::SoftBreak | Event::HardBreak if is_heading => {
                    heading.get_or_insert_default().push(' ');
                }
                _ => {}
            }
        }
        // Footnotes may be reported out of order.
        code.sort_unstable_by_key(|range| range.start);
        let mut code = code.into_iter().peekable();
        let mut lines = Lines::default();
        let mut directives = Vec::new();
        let mut from = 0;
        while let Some(start) = text[from..].find(OPEN).map(|at| from + at) {
            from = start + OPEN.len();
            while code.next_if(|range| range.end <= start).is_some() {}
            if let Some(block) = code.peek().filter(|range| range.contains(&start)) {
                from = block.end.max(from);
                continue;
            }
            let line = lines.line_of(&text, start);
            // A directive must be on one line.
            let end = text[from..].find(CLOSE).filter(|&end| !text[from..from + end].contains('\n'));
            let Some(end) = end else {
                return Err((line, "a directive is not closed, expected }} on the same line".to_owned()));
            };
            let range = start..from + end + CLOSE.len();
            from = range.end;
            directives.push(Found { line, range });
        }
        Ok(Self { text, directives, heading: heading.map(without_directives) })
    }

    /// The directives with their lines, without the braces.
    pub fn directives(&self) -> impl Iterator<Item = (usize, &str)> {
        self.directives.iter().map(|found| {
            let Range { start, end } = found.range;
            (found.line, self.text[start + OPEN.len()..end - CLOSE.len()].trim())
        })
    }

    /// The text of the first heading of the first level, without directives; `None` if nothing else is in it.
    pub fn heading(&self) -> Option<&str> {
        self.heading.as_deref().filter(|heading| !heading.is_empty())
    }

    /// The text with a replacement for each directive.
    fn replaced(&self, mut replacement: impl FnMut(usize) -> String) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (index, found) in self.directives.iter().enumerate() {
            text.push_str(&self.text[copied..found.range.start]);
            text.push_str(&replacement(index));
            copied = found.range.end;
        }
        text.push_str(&self.text[copied..]);
        text
    }

    /// The text with a mark for each directive, for [`segments`].
    pub(in crate::render) fn marked(&self) -> String {
        self.replaced(|index| format!("{START}{index}{END}"))
    }

    /// The document as text, with the parts in place of the directives.
    pub fn to_text(&self, parts: &[Part]) -> String {
        self.replaced(|index| parts.get(index).map_or_else(String::new, |part| part.content.clone()))
    }

    /// The document as Markdown, with the parts, which are Markdown, in place of the directives. Blocks get lines of
    /// their own, within the same list or quotation as the directive.
    pub fn to_markdown(&self, parts: &[Part]) -> String {
        let mut written = String::with_capacity(self.text.len());
        for line in self.marked().split_inclusive('\n') {
            add_line(&mut written, line, parts);
        }
        written
    }

    /// The document as HTML, with the parts, which are HTML, in place of the directives. Other HTML is shown as text,
    /// and links are limited to web pages, mail addresses and places within the document.
    pub fn to_html(&self, parts: &[Part]) -> String {
        let text = self.marked();
        let events: Vec<Event<'_>> = Parser::new_ext(&text, options()).collect();
        let mut written: Vec<Event<'_>> = Vec::with_capacity(events.len());
        // The state of the table that is being written.
        let (mut alignments, mut column, mut cell) = (Vec::new(), 0, "td");
        let (mut is_paragraph, mut is_code) = (false, false);
        let mut at = 0;
        while at < events.len() {
            // A paragraph that consists only of moves looks like the moves of a game.
            if let [Event::Start(Tag::Paragraph), Event::Text(text), Event::End(TagEnd::Paragraph), ..] =
                &events[at..]
                && let Some(part) = sole_part(text, parts).filter(|part| !part.is_block)
            {
                let html = format!("<p class=\"moves line-of-moves\">{}</p>\n", part.content);
                written.push(Event::InlineHtml(html.into()));
                at += 3;
                continue;
            }
            match &events[at] {
                Event::Start(Tag::Paragraph) => {
                    is_paragraph = true;
                    written.push(Event::InlineHtml("<p>".into()));
                }
                Event::End(TagEnd::Paragraph) => {
                    is_paragraph = false;
                    written.push(Event::InlineHtml("</p>\n".into()));
                }
                // Raw HTML is shown as text.
                Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) if !is_code => {
                    add_text(text, parts, is_paragraph, &mut written);
                }
                Event::Start(Tag::CodeBlock(_)) => {
                    is_code = true;
                    written.push(Event::InlineHtml("<pre><code>".into()));
                }
                Event::End(TagEnd::CodeBlock) => {
                    is_code = false;
                    written.push(Event::InlineHtml("</code></pre>\n".into()));
                }
                Event::Text(text) => written.push(Event::InlineHtml(escape_text(text).into())),
                Event::Code(text) => {
                    written.push(Event::InlineHtml(format!("<code>{}</code>", escape_text(text)).into()));
                }
                // Tables use classes instead of styles, which the content security policy of the page forbids.
                Event::Start(Tag::Table(columns)) => {
                    alignments = columns.clone();
                    written.push(Event::InlineHtml("<div class=wide><table>".into()));
                }
                Event::End(TagEnd::Table) => written.push(Event::InlineHtml("</tbody></table></div>".into())),
                Event::Start(Tag::TableHead) => {
                    (cell, column) = ("th", 0);
                    written.push(Event::InlineHtml("<thead><tr>".into()));
                }
                Event::End(TagEnd::TableHead) => {
                    cell = "td";
                    written.push(Event::InlineHtml("</tr></thead><tbody>".into()));
                }
                Event::Start(Tag::TableRow) => {
                    column = 0;
                    written.push(Event::InlineHtml("<tr>".into()));
                }
                Event::End(TagEnd::TableRow) => written.push(Event::InlineHtml("</tr>".into())),
                Event::Start(Tag::TableCell) => {
                    let class = match alignments.get(column) {
                        Some(Alignment::Right) => " class=number",
                        Some(Alignment::Center) => " class=center",
                        _ => "",
                    };
                    column += 1;
                    written.push(Event::InlineHtml(format!("<{cell}{class}>").into()));
                }
                Event::End(TagEnd::TableCell) => written.push(Event::InlineHtml(format!("</{cell}>").into())),
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    let dest_url = if is_safe(dest_url) { dest_url.clone() } else { CowStr::Borrowed("#") };
                    let (title, id) = (title.clone(), id.clone());
                    written.push(Event::Start(Tag::Link { link_type: *link_type, dest_url, title, id }));
                }
                other => written.push(other.clone()),
            }
            at += 1;
        }
        let mut page = String::from("<div class=document>\n");
        html::push_html(&mut page, written.into_iter());
        page.push_str("</div>\n");
        // Removes empty paragraphs left around blocks.
        page.replace("<p></p>\n", "").replace("<p></p>", "")
    }
}

/// A heading without its directives, and with single spaces.
fn without_directives(heading: String) -> String {
    let mut text = String::with_capacity(heading.len());
    let mut rest = &*heading;
    while let Some((before, (_, behind))) =
        rest.split_once(OPEN).and_then(|(before, from)| Some((before, from.split_once(CLOSE)?)))
    {
        text.push_str(before);
        rest = behind;
    }
    text.push_str(rest);
    let words = text.replace(START, "");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Counts lines while a text is read.
#[derive(Default)]
struct Lines {
    /// The number of bytes read, and of line ends in them.
    at: usize,
    ends: usize,
}

impl Lines {
    /// The line of an offset, counted from 1. Offsets must be passed in ascending order.
    fn line_of(&mut self, text: &str, at: usize) -> usize {
        self.ends += text[self.at..at].matches('\n').count();
        self.at = at;
        self.ends + 1
    }
}

/// A segment of a text with marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::render) enum Segment<'a> {
    Text(&'a str),
    /// A directive, by its number.
    Part(usize),
}

/// The segments of a text with marks.
pub(in crate::render) fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    for (index, piece) in text.split(START).enumerate() {
        let (mark, text) =
            if index == 0 { ("", piece) } else { piece.split_once(END).unwrap_or(("", piece)) };
        segments.extend(mark.parse().ok().map(Segment::Part));
        segments.extend((!text.is_empty()).then_some(Segment::Text(text)));
    }
    segments
}

/// Adds a line of Markdown with its parts.
fn add_line(written: &mut String, line: &str, parts: &[Part]) {
    let part = |index: usize| parts.get(index).map_or(("", false), Part::content);
    let (lead, rest) = line.split_at(lead(line));
    let segments = segments(rest);
    let is_block = |piece: &Segment<'_>| matches!(piece, Segment::Part(index) if part(*index).1);
    // A row of a table has space for a picture, but not for its caption.
    let is_row = rest.starts_with('|');
    if is_row || !segments.iter().any(is_block) {
        written.push_str(lead);
        for piece in segments {
            match piece {
                Segment::Text(text) => written.push_str(text),
                Segment::Part(index) if part(index).0.starts_with("![") => {
                    written.push_str(part(index).0.lines().next().unwrap_or_default());
                }
                Segment::Part(index) => written.push_str(&part(index).0.trim().replace('\n', " ")),
            }
        }
        return;
    }
    let mut blocks = vec![String::new()];
    for piece in segments {
        match piece {
            Segment::Text(text) => blocks.last_mut().expect("there is one").push_str(text),
            Segment::Part(index) => match part(index) {
                (content, false) => blocks.last_mut().expect("there is one").push_str(content.trim()),
                (content, true) => blocks.extend([content.to_owned(), String::new()]),
            },
        }
    }
    let indent: String =
        lead.chars().map(|sign| if sign == '>' || sign.is_whitespace() { sign } else { ' ' }).collect();
    // Ends the previous paragraph, unless this is the first block of a list item.
    if !written.is_empty() && !written.ends_with("\n\n") && indent == lead {
        written.push_str(indent.trim_end());
        written.push('\n');
    }
    let mut start = lead;
    for block in blocks.iter().map(|block| block.trim()).filter(|block| !block.is_empty()) {
        for line in block.lines() {
            written.push_str(if line.is_empty() { start.trim_end() } else { start });
            written.push_str(line);
            written.push('\n');
            start = &indent;
        }
        written.push_str(indent.trim_end());
        written.push('\n');
    }
}

/// The length of the markers of quotations and list items at the start of a line.
fn lead(line: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &line[length..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '>']).len();
        let rest = &rest[blank..];
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let is_item = match digits {
            0 => rest.starts_with(['-', '+', '*']),
            _ => rest[digits..].starts_with(['.', ')']),
        };
        length += blank;
        if !is_item || !rest[digits + 1..].starts_with([' ', '\t']) {
            return length;
        }
        length += digits + 1;
    }
}

/// The extensions of CommonMark that are read.
pub(in crate::render) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES
}

/// Whether a link only opens a page, writes a mail, or leads to a place within the document.
pub(in crate::render) fn is_safe(address: &str) -> bool {
    let scheme = address.split(['/', '?', '#']).next().unwrap_or_default();
    match scheme.split_once(':') {
        Some((scheme, _)) => {
            ["https", "http", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
        None => !address.contains(char::is_control),
    }
}

/// Escapes text and keeps its line ends.
fn escape_text(text: &str) -> String {
    text.split('\n').map(escape).collect::<Vec<_>>().join("\n")
}

/// The part of a text that consists only of its directive.
fn sole_part<'a>(text: &str, parts: &'a [Part]) -> Option<&'a Part> {
    parts.get(text.trim().strip_prefix(START)?.strip_suffix(END)?.parse::<usize>().ok()?)
}

/// Adds text with its parts. A block ends the paragraph before it.
fn add_text(text: &str, parts: &[Part], is_paragraph: bool, written: &mut Vec<Event<'_>>) {
    let mut html = String::new();
    let mut rest = text;
    while let Some((before, (number, behind))) =
        rest.split_once(START).and_then(|(before, from)| Some((before, from.split_once(END)?)))
    {
        html.push_str(&escape_text(before));
        match number.parse::<usize>().ok().and_then(|index| parts.get(index)) {
            Some(Part { content, is_block: true }) if is_paragraph => {
                html.truncate(html.trim_end().len());
                html.push_str(&format!("</p>\n{content}<p>"));
                rest = behind.trim_start();
                continue;
            }
            Some(Part { content, is_block: true }) => html.push_str(content),
            Some(Part { content, .. }) => html.push_str(&format!("<span class=moves>{content}</span>")),
            None => {}
        }
        rest = behind;
    }
    html.push_str(&escape_text(rest));
    written.push(Event::InlineHtml(html.into()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::new(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    /// The HTML of a document with these parts.
    fn html(text: &str, parts: &[Part]) -> String {
        let html = document(text).to_html(parts);
        html.trim_start_matches("<div class=document>\n").trim_end_matches("</div>\n").to_owned()
    }

    #[test]
    fn directives_have_lines() {
        let document = document(
            "# A *b*, `c`\n\n{{ diagram 12w }} and {{x}}\n\n`{{code}}`\n\n```\n{{code}}\n```\n\n    {{code}}\n\n{{y}}",
        );
        let found: Vec<(usize, &str)> = document.directives().collect();
        assert_eq!(found, [(3, "diagram 12w"), (3, "x"), (13, "y")]);
        assert_eq!(document.heading(), Some("A b, c"));
        assert_eq!(self::document("A `b`\nc\n=====\n\n# d\n").heading(), Some("A b c"));
        for (text, expected) in [
            ("# The game {{moves 1-2w}} of *A*, `{{x}}`\n", Some("The game of A, {{x}}")),
            ("# {{game 1}}\n", None),
            ("# {{diagram 1w | *x*}} }}\n", Some("}}")),
        ] {
            assert_eq!(self::document(text).heading(), expected, "{text}");
        }
    }

    /// A scan of the text for each directive would take minutes.
    #[test]
    fn many_directives_take_no_longer_each() {
        const COUNT: usize = 50_000;
        for (unit, count) in [("{{x}} ", COUNT), ("{{x}} `{{c}}`\n\n", COUNT), ("`{{c}}` ", 0)] {
            let document = document(&unit.repeat(COUNT));
            assert_eq!(document.directives().count(), count, "{unit:?}");
            assert!(document.directives().all(|(_, text)| text == "x"), "{unit:?}");
        }
        let document = document(&"{{x}}\n".repeat(COUNT));
        assert!(document.directives().map(|(line, _)| line).eq(1..=COUNT));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let cases = [("a\n{{b\n}}", 2, "is not closed"), ("a\n\nb ![c](d.png)", 3, "an image")];
        for (text, line, problem) in cases {
            let error = Document::new(text).expect_err(text);
            assert!(error.0 == line && error.1.contains(problem), "{error:?}");
        }
    }

    #[test]
    fn parts_take_the_place_of_directives() {
        let block = || Part::block("<figure></figure>".to_owned());
        let inline = || Part::inline("<b>e4</b>".to_owned());
        let cases = [
            ("{{a}}", block(), "<figure></figure>"),
            ("{{a}}", inline(), "<p class=\"moves line-of-moves\"><b>e4</b></p>\n"),
            ("So\n{{a}} is", block(), "<p>So\n</p>\n<figure></figure><p>is</p>\n"),
            ("<i>{{a}}", inline(), "<p>&lt;i&gt;<span class=moves><b>e4</b></span></p>\n"),
            ("<div>{{a}}", block(), "&lt;div&gt;<figure></figure>"),
            (
                "So {{a}} is *best*.",
                inline(),
                "<p>So <span class=moves><b>e4</b></span> is <em>best</em>.</p>\n",
            ),
            ("- {{a}}", inline(), "<ul>\n<li><span class=moves><b>e4</b></span></li>\n</ul>\n"),
            ("`{{a}}`", inline(), "<p><code>{{a}}</code></p>\n"),
        ];
        for (text, part, expected) in cases {
            assert_eq!(html(text, &[part]), expected, "{text}");
        }
        let document = document("So {{a}}\nis `{{b}}` best.");
        assert_eq!(document.to_text(&[Part::inline("1. e4".to_owned())]), "So 1. e4\nis `{{b}}` best.");
    }

    #[test]
    fn markdown_keeps_its_blocks() {
        let block = || Part::block("![a](b)\n\n*c*\n".to_owned());
        let inline = || Part::inline("**1. e4**".to_owned());
        let cases = [
            ("# A\n\n{{x}}\n\nB\n", block(), "# A\n\n![a](b)\n\n*c*\n\n\nB\n"),
            ("So\n{{x}} is\nthat", block(), "So\n\n![a](b)\n\n*c*\n\nis\n\nthat"),
            ("So {{x}} is", inline(), "So **1. e4** is"),
            ("- a {{x}}\n- b", block(), "- a\n\n  ![a](b)\n\n  *c*\n\n- b"),
            ("> 12. {{x}}\n> d", block(), "> 12. ![a](b)\n>\n>     *c*\n>\n> d"),
            ("| a | {{x}} |\n", block(), "| a | ![a](b) |\n"),
            ("{{x}}\n\na", Part::block(String::new()), "\na"),
            ("*{{x}}*", inline(), "***1. e4***"),
        ];
        for (text, part, expected) in cases {
            assert_eq!(document(text).to_markdown(&[part]), expected, "{text}");
        }
    }

    #[test]
    fn tables_have_classes() {
        let found = html("| a | b |\n| --- | ---: |\n| c | {{d}} |\n", &[Part::inline("e4".to_owned())]);
        assert_eq!(
            found,
            "<div class=wide><table><thead><tr><th>a</th><th class=number>b</th></tr></thead><tbody><tr><td>c</td>\
             <td class=number><span class=moves>e4</span></td></tr></tbody></table></div>"
        );
    }

    #[test]
    fn html_and_scripts_are_text() {
        let cases = [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("a <img src=x onerror=y> b", "&lt;img src=x onerror=y&gt;"),
            ("[a](javascript:alert%281%29)", "<a href=\"#\">a</a>"),
            ("[a](JavaScript:x)", "<a href=\"#\">a</a>"),
            ("[a](data:text/html,x)", "<a href=\"#\">a</a>"),
            ("[a](https://example.org/?b=c:d)", "<a href=\"https://example.org/?b=c:d\">a</a>"),
            ("[a](#g3)", "<a href=\"#g3\">a</a>"),
            ("\u{202e}a\u{f8e0}0\u{f8e1}", "a\u{fffd}0\u{fffd}"),
            ("a &lt;b&gt;", "a &lt;b&gt;"),
        ];
        for (text, expected) in cases {
            let html = html(text, &[Part::block("PART".to_owned())]);
            assert!(html.contains(expected), "{text}: {html}");
            assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("PART"), "{html}");
        }
    }
}
