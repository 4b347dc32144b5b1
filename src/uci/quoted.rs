//! Foreign text in a message of ours.

use std::fmt;

/// Text as it was found, between backticks, made fit for one line of output: control
/// characters are replaced, and of a long text only the beginning is shown.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

/// How much of a text is shown, in characters: longer than any sensible token.
const LONGEST: usize = 80;

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        let mut letters = self.0.chars();
        for letter in letters.by_ref().take(LONGEST) {
            write!(f, "{}", if letter.is_control() { ' ' } else { letter })?;
        }
        f.write_str(if letters.next().is_some() { "...`" } else { "`" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_one_short_line() {
        assert_eq!(Quoted("e2e5").to_string(), "`e2e5`");
        assert_eq!(Quoted("a\r\n\x1b[2Jb").to_string(), "`a   [2Jb`");
        assert_eq!(Quoted(&"é".repeat(1_000)).to_string(), format!("`{}...`", "é".repeat(LONGEST)));
    }
}
