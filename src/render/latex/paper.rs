//! A complete LaTeX document.

use super::super::checksum::ChecksumComment;
use super::game::MAIN;
use super::text::escape;
use crate::chess::Role;
use crate::notation::PieceLetters;
use deunicode::deunicode_char;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The maximum number of moves and numbers in main lines that xskak follows, at some 30 moves per second. Beyond it,
/// moves are only printed.
const MAX_FOLLOWED: usize = 3000;
/// The default font size, in points.
const FONT_SIZE_PT: f64 = 10.0;
/// The line spacing, in font sizes.
const LEADING: f64 = 1.2;

/// A document with a title, which can contain sections of games.
#[derive(Clone, Default, Debug)]
pub struct Paper {
    /// The heading as plain text; may be empty.
    pub heading: String,
    /// The line below the heading as plain text; may be empty.
    pub subheading: String,
    /// The content, in LaTeX.
    pub body: String,
    /// The letters for pieces in moves.
    pub letters: PieceLetters,
    /// The font size, in points.
    pub font_size_pt: Option<f64>,
}

/// The text before the definitions of a document. XeTeX and LuaTeX need no encodings.
const START: &str = "\\documentclass[a4paper]{article}
\\usepackage{iftex}
\\ifPDFTeX
\\usepackage[utf8]{inputenc}
\\usepackage[T1]{fontenc}
\\usepackage{textcomp}
\\fi
\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}
\\usepackage[margin=25mm]{geometry}
\\usepackage{xcolor}
\\usepackage{longtable}
\\usepackage[normalem]{ulem}
\\usepackage{xskak}
\\xskakset{style=UF}
\\setchessboard{boardfontsize=18pt,labelfontsize=7pt,showmover=false}
\\setlength{\\parindent}{0pt}
\\setlength{\\parskip}{.5ex plus .3ex}
\\setlength{\\emergencystretch}{3em}
";

impl Paper {
    /// The LaTeX file. Equal documents give equal texts.
    pub fn to_latex(&self) -> String {
        let mut head = String::new();
        for (text, form) in [(&self.heading, "\\LARGE\\bfseries "), (&self.subheading, "")] {
            if !text.is_empty() {
                // Writing to a string cannot fail, here and below.
                let _ = write!(head, "{{{form}{}\\par}}\n\n", escape(text));
            }
        }
        let content = head + self.body.trim_matches('\n');
        let mut latex = String::with_capacity(content.len() + (4 << 10));
        latex.push_str(
            "% Typeset it with pdflatex, which needs xskak and chessboard (TeX Live: collection-games).\n",
        );
        latex.push_str(START);
        self.add_letters(&mut latex);
        if self.followed() > MAX_FOLLOWED {
            latex.push_str(
                "% For so many moves it takes too long to follow them on the board; without this line they are followed.\n\
                 \\renewcommand{\\mainline}[1][]{\\variation[#1]}\n",
            );
        }
        add_fallbacks(&mut latex, &content);
        latex.push_str("\\begin{document}\n");
        if let Some(size) = self.font_size_pt.filter(|size| *size != FONT_SIZE_PT) {
            let _ = writeln!(latex, "\\fontsize{{{size}}}{{{:.1}}}\\selectfont", size * LEADING);
        }
        latex.push_str(&content);
        latex.push_str("\n\\end{document}\n");
        let mut latex = short_lines(&latex);
        ChecksumComment::LATEX.add(&mut latex);
        latex
    }

    /// The number of words in main lines, which are moves and their numbers.
    fn followed(&self) -> usize {
        let lines = self.body.split(MAIN).skip(1).filter_map(|line| line.split_once('}'));
        lines.map(|(line, _)| line.split_whitespace().count()).sum()
    }

    /// Sets the letters for pieces. Figurines come from the chess fonts.
    fn add_letters(&self, latex: &mut String) {
        if self.letters == PieceLetters::FIGURINES {
            return;
        }
        latex.push_str("\\usetextfig\n\\settextfigchars");
        for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            let _ = write!(latex, "{{{}}}", self.letters.letter(role));
        }
        latex.push('\n');
    }
}

/// Defines non-ASCII letters by Latin ones, for pdfTeX if its fonts lack them.
fn add_fallbacks(latex: &mut String, content: &str) {
    let others: BTreeSet<char> = content.chars().filter(|letter| !letter.is_ascii()).collect();
    if others.is_empty() {
        return;
    }
    latex.push_str(
        "\\ifPDFTeX\n\
         \\newcommand{\\fallback}[3]{\\ifcsname u8:\\detokenize{#2}\\endcsname\\else\\DeclareUnicodeCharacter{#1}{#3}\\fi}\n",
    );
    for letter in others {
        let latin = escape(deunicode_char(letter).unwrap_or("?"));
        let _ = writeln!(latex, "\\fallback{{{:04X}}}{{{letter}}}{{{latin}}}", u32::from(letter));
    }
    latex.push_str("\\fi\n");
}

/// Breaks long lines at spaces, for editors and for TeX, which reads at most 200,000 bytes per line.
fn short_lines(latex: &str) -> String {
    const COLUMNS: usize = 100;
    let mut short = String::with_capacity(latex.len() + latex.len() / COLUMNS);
    for line in latex.lines() {
        let mut rest = line;
        // A comment ends at the end of its line.
        while rest.len() > COLUMNS && !line.starts_with('%') {
            let within = rest.char_indices().take_while(|(at, _)| *at <= COLUMNS);
            // A space after a backslash is a command.
            let space =
                |&(at, letter): &(usize, char)| letter == ' ' && at > 0 && !rest[..at].ends_with('\\');
            let Some((at, _)) = within.filter(space).last().or_else(|| rest.char_indices().find(space))
            else {
                break;
            };
            short.push_str(&rest[..at]);
            short.push('\n');
            rest = &rest[at + 1..];
        }
        short.push_str(rest);
        short.push('\n');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::super::super::is_unchanged_page;
    use super::*;

    #[test]
    fn a_document_is_complete() {
        let paper = Paper {
            heading: "50 % of Иван".to_owned(),
            body: "\\mainline[level=1]{1. e4}\n".to_owned(),
            letters: PieceLetters::GERMAN,
            font_size_pt: Some(12.0),
            ..Paper::default()
        };
        let latex = paper.to_latex();
        for part in [
            "{\\LARGE\\bfseries 50 \\% of Иван\\par}",
            "\\settextfigchars{K}{D}{T}{L}{S}{B}",
            "\\fallback{0418}{И}{I}\n\\fallback{0430}{а}{a}",
            "\\fontsize{12}{14.4}",
            "\\mainline[level=1]{1. e4}\n\\end{document}\n% hematite page ",
        ] {
            assert!(latex.contains(part), "{part}: {latex}");
        }
        assert!(is_unchanged_page(latex.as_bytes()) && !latex.contains("\\renewcommand{\\mainline}"));
        let body = "\\mainline[level=1]{1. e4 e5}\n".repeat(MAX_FOLLOWED / 3 + 1);
        let long = Paper { body, letters: PieceLetters::FIGURINES, ..Paper::default() };
        let latex = long.to_latex();
        assert!(latex.contains("\\renewcommand{\\mainline}") && !latex.contains("figchars"), "{latex}");
    }

    #[test]
    fn lines_are_short() {
        let words = "word ".repeat(100);
        let short = short_lines(&format!("{words}end\n% {words}\n{}\n", "x".repeat(300)));
        assert_eq!(short.lines().next().map(str::len), Some(99));
        assert_eq!(short.lines().map(|line| line.matches("word").count()).sum::<usize>(), 200);
        assert_eq!(short.lines().filter(|line| line.len() > 100).count(), 2);
        assert!(short_lines(&"a\\ b ".repeat(50)).lines().all(|line| !line.ends_with('\\')));
    }
}
