//! The mark of text in a game that could not be read.

/// The start of the mark.
pub const UNREAD: &str = "[%unread ";

/// A comment that keeps text which could not be read: `[%unread 3. Ke3 Nc6 ...]`.
///
/// Within it `\\` is a backslash, `\(` and `\)` are braces, `\<` and `\>` brackets, and `\n` is the end
/// of a line where it matters: at a comment behind `;`, or a line that starts with `%`. Other white
/// space is one space.
///
/// ```
/// use hematite::notation::pgn::unread_mark;
/// assert_eq!(unread_mark("3. Ke3 {?!}\n3... Nc6"), r"[%unread 3. Ke3 \(?!\) 3... Nc6]");
/// ```
pub fn unread_mark(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut mark = UNREAD.to_owned();
    let mut lines = text.trim().lines().peekable();
    while let Some(line) = lines.next() {
        for letter in line.trim_end().chars() {
            match letter {
                '\\' => mark.push_str(r"\\"),
                '{' => mark.push_str(r"\("),
                '}' => mark.push_str(r"\)"),
                '[' => mark.push_str(r"\<"),
                ']' => mark.push_str(r"\>"),
                _ => mark.push(letter),
            }
        }
        if let Some(next) = lines.peek() {
            let matters = line.contains(';') || line.starts_with('%') || next.starts_with('%');
            mark.push_str(if matters { r"\n " } else { " " });
        }
    }
    mark.push(']');
    mark
}
