//! The forms of nearly all tokens in movetext, which are read with less effort than the others.

use super::classes::{ends_plainly, is_symbol};
use super::reader::{Gap, LOOK_AHEAD, skip_newline};
use super::{Encoding, PgnProblem, RawText, Visitor};

/// The end of a sequence of usual tokens.
pub(super) enum End {
    /// The white space before the next token must be skipped.
    Gap,
    /// The next token, behind this gap and starting with this byte, may have another form.
    Token(Gap, u8),
    /// The visitor has a remark on the number of a move in a token of this length.
    Number(Box<PgnProblem>, usize),
    /// The visitor has rejected the next bytes, of this number, as a move.
    Move(Box<PgnProblem>, usize),
    /// The visitor has a problem with the next comment, whose text has this length.
    Comment(Box<PgnProblem>, usize),
}

/// Passes move numbers, moves and comments to a visitor, as long as each is a token of the most usual form, and so is
/// the white space after it. The text starts with a token, which has this gap before it. Returns the number of bytes up
/// to the end.
#[inline(always)]
pub(super) fn read_usual<V: Visitor>(rest: &[u8], mut gap: Gap, visitor: &mut V) -> (usize, End) {
    let mut at = 0;
    loop {
        let text = &rest[at..];
        let Some(window) = text.first_chunk::<LOOK_AHEAD>() else {
            return (at, text.first().map_or(End::Gap, |&byte| End::Token(gap, byte)));
        };
        let other = End::Token(gap, window[0]);
        at += match window[0] {
            b'A'..=b'Z' | b'a'..=b'z' => {
                let Some(length) = move_length(window) else { return (at, other) };
                if let Err(problem) = visitor.mv(&window[..length]) {
                    return (at, End::Move(problem, length));
                }
                length
            }
            b'1'..=b'9' => {
                let Some(digits) = digits_before_period(window) else { return (at, other) };
                // Before a move of Black there are three periods.
                let is_black = matches!(window[digits..], [b'.', b'.', b'.', ..]);
                let length = digits + if is_black { "...".len() } else { ".".len() };
                if let Err(remark) = visitor.number(&window[..digits]) {
                    return (at, End::Number(remark, length));
                }
                length
            }
            b'{' => {
                let text = &text[1..];
                let end = memchr::memchr3(b'}', b'\n', b'\r', text).filter(|&end| text[end] == b'}');
                let Some(length) = end else { return (at, other) };
                if let Err(problem) = visitor.comment(RawText::new(&text[..length], Encoding::Utf8)) {
                    return (at, End::Comment(problem, length));
                }
                length + "{}".len()
            }
            _ => return (at, other),
        };
        match usual_gap(&rest[at..]) {
            Some((length, next)) => (at, gap) = (at + length, next),
            None => return (at, End::Gap),
        }
    }
}

/// The length of the symbol that starts here, if it is short and ends like a move with nothing appended to it.
#[inline(always)]
fn move_length(window: &[u8; LOOK_AHEAD]) -> Option<usize> {
    /// Longer symbols are rare, and read one by one.
    const MAX: usize = 8;
    let length = window.iter().take(MAX).take_while(|&&byte| is_symbol(byte)).count();
    let (before, last) = (window[length.checked_sub(2)?], window[length - 1]);
    (length < MAX && ends_plainly(before, last) && window[length].is_ascii()).then_some(length)
}

/// The number of digits before a period, if there are at most three.
#[inline(always)]
fn digits_before_period(window: &[u8; LOOK_AHEAD]) -> Option<usize> {
    const MAX_DIGITS: usize = 3;
    let digits = window.iter().take(MAX_DIGITS).take_while(|byte| byte.is_ascii_digit()).count();
    (window[digits] == b'.').then_some(digits)
}

/// The length and the kind of the gap after a token: nothing or a space, then a line end or none. `None` if it is
/// longer, or near the end of the window.
#[inline(always)]
fn usual_gap(rest: &[u8]) -> Option<(usize, Gap)> {
    let is_token = |byte: u8| matches!(byte, b'!'..=b'~');
    /// A space, a carriage return and a line feed.
    const MAX: usize = 3;
    if rest.len() < LOOK_AHEAD + MAX {
        return None;
    }
    if is_token(rest[0]) {
        return Some((0, Gap::NONE));
    }
    let space = usize::from(rest[0] == b' ');
    if space == 1 && is_token(rest[1]) {
        return Some((1, Gap::NONE));
    }
    let line = skip_newline(rest, space);
    (line > space && is_token(rest[line])).then_some((line, Gap::LINE_END))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::{GameResult, Nag, PgnError, Reader, Skip};
    use proptest::prelude::*;

    /// Writes down what it receives. It rejects a move, and has remarks on a number and on a comment.
    #[derive(Default)]
    struct Calls(Vec<String>);

    impl Calls {
        fn add(&mut self, call: &str, text: &[u8]) {
            self.0.push(format!("{call} {}", text.escape_ascii()));
        }

        fn add_unless(&mut self, call: &str, text: &[u8], problems: &[&str]) -> Result<(), Box<PgnProblem>> {
            self.add(call, text);
            match problems.iter().position(|problem| problem.as_bytes() == text.trim_ascii()) {
                None => Ok(()),
                Some(0) => Err(Box::new(PgnProblem::TooLarge)),
                Some(_) => Err(Box::new(PgnProblem::MissingResult)),
            }
        }
    }

    impl Visitor for Calls {
        fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
            self.add_unless("move", text, &["Nc6", "Nf6"])
        }

        fn number(&mut self, digits: &[u8]) -> Result<(), Box<PgnProblem>> {
            self.add_unless("number", digits, &["13", "14"])
        }

        fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
            self.add_unless("comment", text.bytes(), &["bad", "odd"])
        }

        fn unread(&mut self, text: RawText<'_>) {
            self.add("unread", text.bytes());
        }

        fn nag(&mut self, nag: Nag) {
            self.add("nag", &[nag.0]);
        }

        fn escape(&mut self, text: RawText<'_>) {
            self.add("escape", text.bytes());
        }

        fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
            self.add("begin", b"");
            Ok(Skip::No)
        }

        fn end_variation(&mut self) {
            self.add("end", b"");
        }

        fn result(&mut self, result: GameResult) {
            self.add("result", result.as_str().as_bytes());
        }

        fn error(&mut self, error: PgnError) {
            self.0.push(format!("{error:?}"));
        }
    }

    fn calls(text: &[u8]) -> Vec<String> {
        let mut calls = Calls::default();
        let mut reader = Reader::new(text);
        while reader.read_game(&mut calls).expect("memory can be read") {}
        calls.0
    }

    proptest! {
        /// Near the end of a file all tokens are read one by one.
        #[test]
        fn usual_tokens_are_read_as_others(
            tokens in prop::collection::vec(
                prop_oneof![
                    6 => prop::sample::select(vec![
                        "e4", "Nf3", "exd5", "e8=Q+", "O-O", "O-O-O#", "Rab1xb8+", "--", "Nc6", "Nf6", "e4!", "Nf3+-", "N",
                        "e8(Q)", "e4\u{301}", "Qxf7mate", "e.p.",
                    ]),
                    4 => prop::sample::select(vec![
                        "1.", "2...", "13.", "14.", "123.", "1234.", "12", "0-0", "1..", "1....", "1-0", "0.", "07.",
                    ]),
                    3 => prop::sample::select(vec![
                        "{a}", "{ [%clk 0:00:01] }", "{}", "{bad}", "{odd}", "{a\nb}", "{\u{e9}}", "{open", "{a\r\n[Event \"x\"]",
                    ]),
                    2 => prop::sample::select(vec!["(", ")", "$1", "$", "*", ";c\n", "[", "[A \"b\"]", "\n%x\n", "}", "]"]),
                ],
                0..30,
            ),
            gaps in prop::collection::vec(
                prop::sample::select(vec!["", " ", "  ", "\n", " \n", "\r\n", " \r\n", "\r", "\n\n", "\t", "\u{a0}", "\n ", " \r"]),
                30,
            ),
        ) {
            let text: String = tokens.iter().zip(&gaps).flat_map(|(token, gap)| [*token, *gap]).collect();
            // Another game, so that the end of the file does not belong to this one.
            let text = format!("{text}\n\n[Event \"x\"]\n\n*\n");
            prop_assume!(text.len() < LOOK_AHEAD);
            let alone = calls(text.as_bytes());
            let more = "\n".repeat(2 * LOOK_AHEAD);
            prop_assert_eq!(calls(format!("{text}{more}").as_bytes()), alone, "{:?}", text);
        }
    }
}
