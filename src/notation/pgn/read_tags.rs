//! Reading the tag section of a game.

use super::reader::{Early, FIRST_TAG, LOOK_AHEAD, MAX_TEXT_BYTES, Reader};
use super::symbols::{is_space, wide_space};
use super::{Encoding, GameResult, PgnProblem, RawText, Skip, Visitor};
use crate::notation::Excerpt;
use arrayvec::ArrayVec;
use std::io::{self, Read};

/// The maximum number of bytes kept of the name of the first tag. Known names are shorter.
const MAX_FIRST_NAME: usize = 32;

/// The end of a tag value.
enum Value {
    /// There is a quote at `end`; the pair ends at `close`.
    Closed { end: usize, close: usize, has_escape: bool, has_quote: bool },
    /// The line ends before the value is closed.
    Unclosed { line_end: usize },
    /// The value exceeds the limit.
    TooLong,
}

impl<R: Read> Reader<R> {
    /// Reads tag pairs, starting at the current `[`. Returns false if the game ends with them.
    pub(super) fn read_tags<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        let mut first_name: Option<ArrayVec<u8, MAX_FIRST_NAME>> = None;
        loop {
            match &first_name {
                None => first_name = Some(self.tag_name().iter().copied().take(MAX_FIRST_NAME).collect()),
                Some(first) if self.gap.has_empty_line() => {
                    // Some files have empty lines between tags, and some have games without moves.
                    if self.buffer.rest().starts_with(FIRST_TAG) || self.tag_name() == &**first {
                        return Ok(false);
                    }
                }
                Some(_) => {}
            }
            self.read_tag(visitor)?;
            match self.next_but_early(visitor)? {
                None => return Ok(false),
                Some(b'[') => {}
                Some(_) => return Ok(true),
            }
        }
    }

    /// Ends the tag section and passes the text before it to the visitor.
    pub(super) fn finish_tags<V: Visitor>(&mut self, visitor: &mut V) -> Skip {
        let skip = visitor.end_tags();
        self.pass_on_early(skip, visitor)
    }

    /// Passes comments and escape lines before the moves, or after the last game, to the visitor.
    pub(super) fn pass_on_early<V: Visitor>(&mut self, mut skip: Skip, visitor: &mut V) -> Skip {
        for early in std::mem::take(&mut self.early) {
            match early {
                Early::Escape(text) if skip == Skip::Yes => {
                    visitor.unread(RawText::from(&*format!("%{text}")));
                }
                Early::Comment(text) if skip == Skip::Yes => {
                    let text = if text.contains('}') { format!(";{text}") } else { format!("{{{text}}}") };
                    visitor.unread(RawText::from(&*text));
                }
                Early::Escape(text) => visitor.escape(RawText::from(&*text)),
                Early::Comment(text) => match visitor.comment(RawText::from(&*text)) {
                    Ok(()) => {}
                    Err(problem) if problem.is_remark() => self.problem(0, *problem, visitor),
                    Err(problem) => {
                        self.problem(0, *problem, visitor);
                        skip = Skip::Yes;
                    }
                },
            }
        }
        skip
    }

    /// Whether this `[` starts a tag pair.
    pub(super) fn is_tag(&self) -> bool {
        let rest = self.buffer.rest();
        let name = 1 + blanks(&rest[1..]);
        let end = name + name_length(&rest[name..]);
        end > name && rest.get(end + blanks(&rest[end..])) == Some(&b'"')
    }

    fn tag_name(&self) -> &[u8] {
        let rest = self.buffer.rest();
        let start = 1 + blanks(&rest[1..]);
        &rest[start..start + name_length(&rest[start..])]
    }

    fn read_tag<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<()> {
        self.buffer.ensure(LOOK_AHEAD)?;
        let rest = self.buffer.rest();
        let name = 1 + blanks(&rest[1..]);
        let name_end = name + name_length(&rest[name..]);
        let quote = name_end + blanks(&rest[name_end..]);
        if name_end == name || rest.get(quote) != Some(&b'"') {
            return self.read_odd_tag(visitor);
        }
        let start = quote + 1;
        let (end, close, has_escape) = match self.value_end(start)? {
            Value::Closed { end, close, has_escape, has_quote } => {
                if has_quote {
                    let found = self.shown_value(start, end);
                    self.problem(start, PgnProblem::UnescapedQuote(found), visitor);
                }
                (end, close, has_escape)
            }
            Value::Unclosed { line_end } => {
                let line = &self.buffer.rest()[start..line_end];
                let end = start + unclosed_length(line);
                let found = self.shown_value(start, end);
                self.problem(start, PgnProblem::UnclosedValue(found), visitor);
                (end, line_end, true)
            }
            Value::TooLong => {
                let found = self.shown_value(start, start + LOOK_AHEAD);
                self.problem(0, PgnProblem::TooLong { found, limit: MAX_TEXT_BYTES }, visitor);
                return self.skip_line();
            }
        };
        let encoding = Encoding::Utf8;
        let rest = self.buffer.rest();
        let name = without_wide_spaces(&rest[name..name_end]);
        let value = &rest[start..end];
        let value =
            if has_escape { RawText::with_escapes(value, encoding) } else { RawText::new(value, encoding) };
        if name == RESULT {
            let result = GameResult::from_tag(value.bytes());
            self.tag_result = self.tag_result.or(result);
        }
        if let Err(problem) = visitor.tag(name, value) {
            self.problem(0, *problem, visitor);
        }
        self.buffer.advance(close);
        Ok(())
    }

    /// Reads a line that starts with a bracket but is not `[Name "value"]`: a tag pair with other quotes, or else a
    /// comment.
    #[cold]
    fn read_odd_tag<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<()> {
        let (length, is_complete) = self.take_line()?;
        let found = self.excerpt(length);
        self.problem(0, PgnProblem::Tag(found), visitor);
        if !is_complete {
            return self.skip_line();
        }
        let line = Encoding::Utf8.decode(&self.buffer.rest()[..length]).into_owned();
        match other_quotes(&line) {
            Some((name, value)) => {
                if name.as_bytes() == RESULT {
                    let result = GameResult::from_tag(value.as_bytes());
                    self.tag_result = self.tag_result.or(result);
                }
                if let Err(problem) = visitor.tag(name.as_bytes(), RawText::from(value)) {
                    self.problem(0, *problem, visitor);
                }
            }
            None => self.keep_early(Early::Comment, length, visitor),
        }
        self.buffer.advance(length);
        Ok(())
    }

    #[inline(always)]
    fn value_end(&mut self, start: usize) -> io::Result<Value> {
        let rest = &self.buffer.rest()[start..];
        match memchr::memchr3(b'"', b'\\', b'\n', rest) {
            Some(length) if rest[length..].starts_with(b"\"]") => {
                let end = start + length;
                Ok(Value::Closed { end, close: end + 2, has_escape: false, has_quote: false })
            }
            _ => self.odd_value_end(start),
        }
    }

    /// The end of a value that does not end with `"]`.
    fn odd_value_end(&mut self, start: usize) -> io::Result<Value> {
        let mut at = start;
        // The bytes before this index contain no CR.
        let mut one_line = start;
        let (mut has_escape, mut has_quote) = (false, false);
        loop {
            let rest = self.buffer.rest();
            let is_exhausted = self.buffer.is_exhausted();
            while at < rest.len() {
                let next = memchr::memchr3(b'"', b'\\', b'\n', &rest[at..]).unwrap_or(rest.len() - at);
                at += next;
                match rest.get(at) {
                    None => break,
                    Some(b'"') => {
                        let next = at + 1 + blanks(&rest[at + 1..]);
                        match rest.get(next) {
                            Some(b']') => {
                                return Ok(Value::Closed { end: at, close: next + 1, has_escape, has_quote });
                            }
                            None if !is_exhausted && next - at < LOOK_AHEAD => break,
                            // If lines end only with CR, this quote may be on the next line.
                            _ => {
                                if let Some(line_end) = memchr::memchr(b'\r', &rest[one_line..at]) {
                                    return Ok(Value::Unclosed { line_end: one_line + line_end });
                                }
                                one_line = at;
                                has_quote = true;
                            }
                        }
                    }
                    Some(b'\\') => match rest.get(at + 1) {
                        Some(b'"' | b'\\') => {
                            has_escape = true;
                            at += 1;
                        }
                        None if !is_exhausted => break,
                        _ => {}
                    },
                    Some(_) => return Ok(Value::Unclosed { line_end: at }),
                }
                at += 1;
            }
            if at > MAX_TEXT_BYTES {
                return Ok(Value::TooLong);
            }
            if !self.buffer.extend()? && at >= self.buffer.rest().len() {
                return Ok(Value::Unclosed { line_end: self.buffer.rest().len() });
            }
        }
    }

    #[cold]
    fn shown_value(&self, start: usize, end: usize) -> Excerpt {
        let rest = self.buffer.rest();
        let shown = &rest[start.min(rest.len())..end.min(start + LOOK_AHEAD).min(rest.len())];
        Excerpt::new(&Encoding::Utf8.decode(shown))
    }

    /// Skips the rest of the line, regardless of its length.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let (length, is_complete) = self.take_line()?;
            self.buffer.advance(length);
            if is_complete {
                return Ok(());
            }
        }
    }
}

const RESULT: &[u8] = b"Result";

/// The length of an unclosed value in this line: up to its last quote, if only a bracket follows. A backslash before
/// that quote is literal, and does not escape it.
fn unclosed_length(line: &[u8]) -> usize {
    let line = line.trim_ascii_end();
    let value = line.strip_suffix(b"]").unwrap_or(line).trim_ascii_end();
    match value.strip_suffix(b"\"") {
        Some(value) => value.len(),
        // The bracket may be part of the value.
        None => line.len(),
    }
}

/// The name and the value of a tag pair with the typographic quotes of a word processor.
fn other_quotes(line: &str) -> Option<(&str, &str)> {
    const OPENING: [char; 9] = ['“', '”', '„', '«', '»', '‘', '’', '\'', '`'];
    const CLOSING: [char; 9] = ['“', '”', '"', '«', '»', '‘', '’', '\'', '`'];
    let pair = line.trim_matches(is_space).strip_prefix('[')?.strip_suffix(']')?.trim_matches(is_space);
    let (name, value) =
        pair.split_at(pair.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?);
    let value = value.trim_start_matches(is_space).strip_prefix(OPENING)?.strip_suffix(CLOSING)?;
    (!name.is_empty()).then_some((name, value))
}

/// The name of a tag without non-ASCII spaces around it.
#[inline]
fn without_wide_spaces(mut name: &[u8]) -> &[u8] {
    if let [first, .., last] = name
        && first.is_ascii()
        && last.is_ascii()
    {
        return name;
    }
    while let Some(length) = wide_space(name) {
        name = &name[length..];
    }
    match std::str::from_utf8(name) {
        Ok(text) => text.trim_end_matches(is_space).as_bytes(),
        Err(_) => name.strip_suffix(b"\xa0").unwrap_or(name),
    }
}

/// The number of bytes of white space at the start.
#[inline]
fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// The length of the name of a tag. Real files have names that are not in the standard.
#[inline]
fn name_length(bytes: &[u8]) -> usize {
    const IS_NAME: [bool; 256] = {
        let mut is_name = [false; 256];
        let mut byte = 0;
        while byte < is_name.len() {
            let letter = byte as u8;
            is_name[byte] = letter.is_ascii_alphanumeric()
                || matches!(letter, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/' | b'.' | b'\'' | b'&')
                || !letter.is_ascii();
            byte += 1;
        }
        is_name
    };
    bytes.iter().take_while(|&&byte| IS_NAME[usize::from(byte)]).count()
}
