//! Text for LaTeX.

use super::super::lettering::is_turning;

/// The number of letters of a word after which a line may be broken.
const LONG_WORD: usize = 48;

/// Escapes text so that it contains no commands, on one line. Control characters become spaces, and direction controls
/// are removed. Letters of all languages are kept; [`Paper`](super::Paper) makes sure that they are printed.
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

/// Appends escaped text, with break points in long words if `is_broken`.
fn add_escaped(escaped: &mut String, text: &str, is_broken: bool) {
    // The number of letters since the last break point, and the previous letter.
    let (mut length, mut before) = (0, ' ');
    for letter in text.chars() {
        if is_turning(letter) {
            continue;
        }
        length += 1;
        if letter.is_whitespace() || letter.is_control() {
            // TeX treats several spaces as one.
            if before != ' ' {
                escaped.push(' ');
            }
            (length, before) = (0, ' ');
            continue;
        }
        if is_broken && length > LONG_WORD {
            // The line end terminates the command.
            escaped.push_str("\\allowbreak\n");
            length = 1;
        }
        // Two of these would form another sign.
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

/// The LaTeX for a character that is special in LaTeX, or that fonts lack and chess packages have.
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
        // After some commands, these characters would start an option.
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

/// A heading of a level from 1 on. The text is LaTeX.
pub fn heading(level: u8, text: &str) -> String {
    let command = match level {
        0 | 1 => "section",
        2 => "subsection",
        3 => "subsubsection",
        _ => "paragraph",
    };
    format!("\\{command}*{{{text}}}\n")
}

/// Lines shown verbatim in a monospaced font.
pub fn code(text: &str) -> String {
    let mut code = String::from("\\begin{flushleft}\\small\\ttfamily\n");
    for line in text.trim_end().lines() {
        let rest = line.trim_start_matches(' ');
        // Gives an empty line its height.
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
