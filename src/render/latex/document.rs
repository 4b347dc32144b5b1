//! Documents in Markdown as LaTeX.

use super::super::markdown::{Document, Part, Segment, is_safe, options, segments};
use super::text::{code, escape, heading};
use pulldown_cmark::{Alignment, Event, HeadingLevel, Parser, Tag, TagEnd};
use std::collections::HashMap;

/// The maximum nesting of lists and quotations, which is LaTeX's limit for each kind.
const MAX_DEPTH: usize = 4;

impl Document {
    /// The document as a part of a LaTeX document, with the parts, which are LaTeX, in place of the directives. HTML is
    /// shown as text, and the URLs of links follow them.
    pub fn to_latex(&self, parts: &[Part]) -> String {
        let marked = self.marked();
        let events: Vec<Event<'_>> = Parser::new_ext(&marked, options()).collect();
        let mut notes = HashMap::new();
        for (index, event) in events.iter().enumerate() {
            if let Event::Start(Tag::FootnoteDefinition(name)) = event {
                let end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::FootnoteDefinition));
                let length = events[index..].iter().position(end).unwrap_or(0);
                // Footnotes of footnotes are left out: one that refers to itself would never end.
                let mut writer = Writer::new(parts, HashMap::new());
                events[index + 1..index + length].iter().for_each(|event| writer.take(event));
                notes.insert(name.to_string(), writer.finish().trim().to_owned());
            }
        }
        let mut writer = Writer::new(parts, notes);
        let mut is_note = false;
        for event in &events {
            match event {
                Event::Start(Tag::FootnoteDefinition(_)) => is_note = true,
                Event::End(TagEnd::FootnoteDefinition) => is_note = false,
                _ if is_note => {}
                event => writer.take(event),
            }
        }
        writer.finish()
    }
}

/// LaTeX that is being written.
struct Writer<'a> {
    parts: &'a [Part],
    /// The texts of footnotes.
    notes: HashMap<String, String>,
    latex: String,
    /// The interrupted outer texts: a heading or a block of code collects its own.
    outer: Vec<String>,
    /// Blocks that wait for the end of a heading, a table or an emphasis.
    late: Vec<&'a str>,
    /// The number of open commands and cells, which cannot contain blocks.
    narrow: usize,
    /// For each open list and quotation, the name of its environment, or `None` if it has none.
    lists: Vec<Option<&'static str>>,
    /// The URLs of the open links.
    links: Vec<String>,
    is_code: bool,
    is_first_cell: bool,
}

impl<'a> Writer<'a> {
    fn new(parts: &'a [Part], notes: HashMap<String, String>) -> Self {
        Self {
            parts,
            notes,
            latex: String::new(),
            outer: Vec::new(),
            late: Vec::new(),
            narrow: 0,
            lists: Vec::new(),
            links: Vec::new(),
            is_code: false,
            is_first_cell: true,
        }
    }

    fn finish(mut self) -> String {
        self.add_late();
        self.latex
    }

    /// Adds the waiting blocks, unless a command or cell is open.
    fn add_late(&mut self) {
        if self.narrow == 0 {
            for block in std::mem::take(&mut self.late) {
                self.latex.push_str("\n\n");
                self.latex.push_str(block);
                self.latex.push_str("\n\n");
            }
        }
    }

    fn add_text(&mut self, text: &str) {
        for segment in segments(text) {
            match segment {
                Segment::Text(text) => {
                    if text.trim().is_empty() {
                        self.latex.push(' ');
                        continue;
                    }
                    // The spaces at the ends separate the text from adjacent parts.
                    let [before, after] =
                        [text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace)];
                    self.latex.push_str(if before { " " } else { "" });
                    self.latex.push_str(&escape(text));
                    self.latex.push_str(if after { " " } else { "" });
                }
                Segment::Part(index) => {
                    let Some((content, is_block)) = self.parts.get(index).map(Part::content) else {
                        continue;
                    };
                    if is_block {
                        self.late.push(content);
                        self.add_late();
                    } else {
                        self.latex.push_str(content);
                    }
                }
            }
        }
    }

    /// Starts a command.
    fn open(&mut self, command: &str) {
        self.latex.push_str(command);
        self.narrow += 1;
    }

    fn close(&mut self) {
        self.latex.push('}');
        self.narrow = self.narrow.saturating_sub(1);
    }

    /// Starts a list or a quotation.
    fn begin(&mut self, name: &'static str) {
        let open = self.lists.iter().flatten().count();
        let name = (open < MAX_DEPTH).then_some(name);
        if let Some(name) = name {
            self.latex.push_str(&format!("\\begin{{{name}}}\n"));
        }
        self.lists.push(name);
    }

    fn end(&mut self) {
        self.latex.truncate(self.latex.trim_end().len());
        self.latex.push('\n');
        if let Some(Some(name)) = self.lists.pop() {
            self.latex.push_str(&format!("\\end{{{name}}}\n"));
        }
        self.latex.push('\n');
    }

    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Text(text) if self.is_code => self.latex.push_str(text),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.add_text(text),
            Event::Code(text) => self.latex.push_str(&format!("\\texttt{{{}}}", escape(text))),
            Event::SoftBreak => self.latex.push('\n'),
            Event::HardBreak => self.latex.push_str(if self.narrow > 0 { " " } else { "\\newline\n" }),
            Event::Rule => self.latex.push_str("\\hrulefill\n\n"),
            Event::FootnoteReference(name) => {
                if let Some(note) = self.notes.get(&**name) {
                    self.latex.push_str(&format!("\\footnote{{{note}}}"));
                }
            }
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.stop(tag),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.outer.push(std::mem::take(&mut self.latex));
                self.narrow += 1;
            }
            Tag::CodeBlock(_) => {
                self.outer.push(std::mem::take(&mut self.latex));
                self.is_code = true;
            }
            Tag::BlockQuote(_) => self.begin("quote"),
            Tag::List(None) => self.begin("itemize"),
            Tag::List(Some(first)) => {
                const COUNTERS: [&str; MAX_DEPTH] = ["enumi", "enumii", "enumiii", "enumiv"];
                let level = self.lists.iter().filter(|list| **list == Some("enumerate")).count();
                self.begin("enumerate");
                if let (Some(Some(_)), Some(counter)) = (self.lists.last(), COUNTERS.get(level)) {
                    // Limited by the largest number of TeX.
                    let before = first.saturating_sub(1).min(i32::MAX as u64 / 2);
                    self.latex.push_str(&format!("\\setcounter{{{counter}}}{{{before}}}\n"));
                }
            }
            Tag::Item => {
                let is_list = matches!(self.lists.last(), Some(Some(_)));
                self.latex.push_str(if is_list { "\\item " } else { "-- " });
            }
            Tag::Emphasis => self.open("\\emph{"),
            Tag::Strong => self.open("\\textbf{"),
            Tag::Strikethrough => self.open("\\sout{"),
            Tag::Link { dest_url, .. } => self.links.push(dest_url.to_string()),
            Tag::Table(columns) => {
                let columns: String = columns
                    .iter()
                    .map(|alignment| match alignment {
                        Alignment::Right => 'r',
                        Alignment::Center => 'c',
                        Alignment::Left | Alignment::None => 'l',
                    })
                    .collect();
                self.latex.push_str(&format!("\\begin{{longtable}}{{{columns}}}\n"));
                self.narrow += 1;
            }
            Tag::TableHead | Tag::TableRow => self.is_first_cell = true,
            // The first cell of a row has no separator before it.
            Tag::TableCell if std::mem::replace(&mut self.is_first_cell, false) => {}
            Tag::TableCell => self.latex.push_str(" & "),
            _ => {}
        }
    }

    fn stop(&mut self, tag: &TagEnd) {
        match tag {
            TagEnd::Paragraph => self.latex.push_str("\n\n"),
            TagEnd::Heading(level) => {
                let text = std::mem::replace(&mut self.latex, self.outer.pop().unwrap_or_default());
                let level = match level {
                    HeadingLevel::H1 => 1,
                    HeadingLevel::H2 => 2,
                    HeadingLevel::H3 => 3,
                    _ => 4,
                };
                self.latex.push_str(&heading(level, text.trim()));
                self.latex.push('\n');
                self.narrow = self.narrow.saturating_sub(1);
                self.add_late();
            }
            TagEnd::CodeBlock => {
                let text = std::mem::replace(&mut self.latex, self.outer.pop().unwrap_or_default());
                self.latex.push_str(&code(&text));
                self.latex.push('\n');
                self.is_code = false;
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) => self.end(),
            TagEnd::Item => {
                self.latex.truncate(self.latex.trim_end().len());
                self.latex.push('\n');
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.close(),
            TagEnd::Link => {
                let address = self.links.pop().unwrap_or_default();
                // Links within the document are of no use on paper, so their targets are not printed.
                if is_safe(&address) && !address.starts_with('#') && !self.latex.ends_with(&escape(&address))
                {
                    self.latex.push_str(&format!(" (\\texttt{{{}}})", escape(&address)));
                }
            }
            TagEnd::Table => {
                self.latex.push_str("\\end{longtable}\n\n");
                self.narrow = self.narrow.saturating_sub(1);
                self.add_late();
            }
            TagEnd::TableHead => self.latex.push_str(" \\\\\\hline\\endhead\n"),
            TagEnd::TableRow => self.latex.push_str(" \\\\\n"),
            _ => {}
        }
        self.add_late();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latex(text: &str, part: Part) -> String {
        Document::new(text).unwrap_or_else(|error| panic!("{error:?}")).to_latex(&[part])
    }

    #[test]
    fn blocks_and_spans_have_commands() {
        let inline = || Part::inline("1.e4".to_owned());
        let block = || Part::block("BLOCK\n".to_owned());
        let cases = [
            ("# A *b* & `c_d`", inline(), "\\section*{A \\emph{b} \\& \\texttt{c\\_d}}\n\n"),
            ("So {{x}} **is** best.\nYes", inline(), "So 1.e4 \\textbf{is} best.\nYes\n\n"),
            ("So {{x}} is", block(), "So \n\nBLOCK\n\n\n is\n\n"),
            ("## A {{x}}", block(), "\\subsection*{A}\n\n\n\nBLOCK\n\n\n"),
            (
                "- a\n- *[b](https://c.d/%20)*\n",
                inline(),
                "\\begin{itemize}\n\\item a\n\\item \\emph{b (\\texttt{https://c.d/\\%20})}\n\\end{itemize}\n\n",
            ),
            (
                "3. a\n",
                inline(),
                "\\begin{enumerate}\n\\setcounter{enumi}{2}\n\\item a\n\\end{enumerate}\n\n",
            ),
            ("> a", inline(), "\\begin{quote}\na\n\\end{quote}\n\n"),
            (
                "| a | b |\n| --- | ---: |\n| c | {{x}} |\n",
                inline(),
                "\\begin{longtable}{lr}\na & b \\\\\\hline\\endhead\nc & 1.e4 \\\\\n\\end{longtable}\n\n",
            ),
            ("a[^1] ~~b~~\n\n[^1]: c {{x}}\n", inline(), "a\\footnote{c 1.e4} \\sout{b}\n\n"),
            ("<b>\\input{a}</b> [x](javascript:y)", inline(), "<b>\\textbackslash{}input\\{a\\}</b> x\n\n"),
            (
                "```\n{a}\n```\n",
                inline(),
                "\\begin{flushleft}\\small\\ttfamily\n\\mbox{}\\{a\\}\\\\\n\\end{flushleft}\n\n",
            ),
        ];
        for (text, part, expected) in cases {
            assert_eq!(latex(text, part), expected, "{text}");
        }
    }

    #[test]
    fn lists_are_no_deeper_than_latex_has_them() {
        let deep: String = (0..40).map(|level| format!("{}- a\n", "  ".repeat(level))).collect();
        let found = latex(&deep, Part::inline(String::new()));
        let count = |part: &str| found.matches(part).count();
        assert_eq!((count("\\begin{itemize}"), count("\\end{itemize}")), (MAX_DEPTH, MAX_DEPTH));
    }
}
