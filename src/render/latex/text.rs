//! Text for LaTeX.

use super::super::lettering::is_turning;

/// The letters of a word behind which a line may be broken.
const LONG_WORD: usize = 48;

/// Text without what would be a command, on one line. Control characters are spaces, and those that turn around what
/// follows are left out. Letters of all languages remain; [`Paper`](super::Paper) sees that they are printed.
///
/// ```
/// use hematite_games::render::latex::escape;
/// assert_eq!(escape(r"50% \input{x} ♘f3"), r"50\% \textbackslash{}input\{x\} \symknight{}f3");
/// ```
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    add_escaped(&mut escaped, text.trim(), true);
    escaped
}

/// Appends escaped text, with places where a long word may be broken if `is_broken`.
fn add_escaped(escaped: &mut String, text: &str, is_broken: bool) {
    // The letters since the last place where a line can be broken, and the letter before.
    let (mut length, mut before) = (0, ' ');
    for letter in text.chars() {
        if is_turning(letter) {
            continue;
        }
        length += 1;
        if letter.is_whitespace() || letter.is_control() {
            // Several spaces would be one anyway.
            if before != ' ' {
                escaped.push(' ');
            }
            (length, before) = (0, ' ');
            continue;
        }
        if is_broken && length > LONG_WORD {
            // The line end belongs to the command.
            escaped.push_str("\\allowbreak\n");
            length = 1;
        }
        // Two of these would be another sign.
        if letter == before && matches!(letter, '-' | '<' | '>' | ',' | '\'') {
            escaped.push_str("{}");
        }
        match command(letter) {
            Some(command) => escaped.push_str(command),
            None => escaped.push(letter),
        }
        before = letter;
    }
    escaped.truncate(escaped.trim_end_matches(' ').len());
}

/// What LaTeX has for a letter that means something to it, or that fonts lack and packages of chess have.
const fn command(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\\' => "\\textbackslash{}",
        '{' => "\\{",
        '}' => "\\}",
        '$' => "\\$",
        '&' => "\\&",
        '#' => "\\#",
        '%' => "\\%",
        '_' => "\\_",
        '~' => "\\textasciitilde{}",
        '^' => "\\textasciicircum{}",
        '`' => "\\textasciigrave{}",
        '"' => "\\textquotedbl{}",
        // Behind some commands they would begin an option.
        '[' => "{[}",
        ']' => "{]}",
        '*' => "{*}",
        '♔' | '♚' => "\\symking{}",
        '♕' | '♛' => "\\symqueen{}",
        '♖' | '♜' => "\\symrook{}",
        '♗' | '♝' => "\\symbishop{}",
        '♘' | '♞' => "\\symknight{}",
        '♙' | '♟' => "\\sympawn{}",
        '±' => "\\wupperhand{}",
        '∓' => "\\bupperhand{}",
        '⩲' => "\\wbetter{}",
        '⩱' => "\\bbetter{}",
        '∞' => "\\unclear{}",
        '□' => "\\onlymove{}",
        '⊙' => "\\zugzwang{}",
        '○' => "\\moreroom{}",
        '↻' => "\\devadvantage{}",
        '↑' => "\\withinit{}",
        '→' => "\\withattack{}",
        '⇆' => "\\counterplay{}",
        '⊕' => "\\timelimit{}",
        '∆' => "\\withidea{}",
        '⌓' => "\\betteris{}",
        '∇' => "$\\nabla$",
        '−' => "$-$",
        '·' => "\\textperiodcentered{}",
        '½' => "\\textonehalf{}",
        '–' => "--",
        '—' => "---",
        '…' => "\\ldots{}",
        '\u{a0}' => "~",
        _ => return None,
    })
}

/// A heading of a level from 1 on, of text that is LaTeX.
pub fn heading(level: u8, text: &str) -> String {
    let command = match level {
        0 | 1 => "section",
        2 => "subsection",
        3 => "subsubsection",
        _ => "paragraph",
    };
    format!("\\{command}*{{{text}}}\n")
}

/// Lines that are shown as they are, in letters of equal width.
pub fn code(text: &str) -> String {
    let mut code = String::from("\\begin{flushleft}\\small\\ttfamily\n");
    for line in text.trim_end().lines() {
        let rest = line.trim_start_matches(' ');
        // An empty line has a height, too.
        code.push_str("\\mbox{}");
        code.push_str(&"~".repeat(line.len() - rest.len()));
        add_escaped(&mut code, rest, true);
        code.push_str("\\\\\n");
    }
    code.push_str("\\end{flushleft}\n");
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_command() {
        let cases = [
            (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
            (r"\write18{rm}", r"\textbackslash{}write18\{rm\}"),
            ("a_b^c~d $x$ #1 & 5 %", r"a\_b\textasciicircum{}c\textasciitilde{}d \$x\$ \#1 \& 5 \%"),
            ("^^5cinput", r"\textasciicircum{}\textasciicircum{}5cinput"),
            (
                "a -- b --- `` '' << >> ,,",
                "a -{}- b -{}-{}- \\textasciigrave{}\\textasciigrave{} '{}' <{}< >{}> ,{},",
            ),
            ("\u{202e}evil\u{2069} a\n\n\nb\0c\t", "evil a b c"),
            ("Éric Żółć Иван", "Éric Żółć Иван"),
            ("±⩲♞", r"\wupperhand{}\wbetter{}\symknight{}"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected, "{text}");
        }
    }

    #[test]
    fn long_words_can_be_broken() {
        let text = escape(&"x".repeat(1 << 20));
        assert!(text.lines().all(|line| line.len() <= LONG_WORD + "\\allowbreak".len()));
        assert_eq!(text.matches('x').count(), 1 << 20);
    }

    #[test]
    fn lines_of_code_remain() {
        assert_eq!(
            code("a\n\n  {b}\n"),
            "\\begin{flushleft}\\small\\ttfamily\n\\mbox{}a\\\\\n\\mbox{}\\\\\n\\mbox{}~~\\{b\\}\\\\\n\\end{flushleft}\n"
        );
    }
}
