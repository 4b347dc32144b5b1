//! The formats of a report.

use crate::cli::CliError;
use crate::files::{PathExcerpt, without_packed_extension};
use crate::render::markdown::Diagrams;
use std::path::Path;

/// The format of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Html,
    Markdown,
    Latex,
    Text,
    Json,
    Pdf,
}

impl Format {
    /// The format for the extension of a file, when no option states one.
    fn of_name(path: &Path) -> Option<Self> {
        let extension = without_packed_extension(path).extension()?.to_str()?.to_ascii_lowercase();
        Some(match &*extension {
            "html" | "htm" => Self::Html,
            "md" | "markdown" => Self::Markdown,
            "tex" | "latex" => Self::Latex,
            "txt" => Self::Text,
            "json" => Self::Json,
            "pdf" => Self::Pdf,
            _ => return None,
        })
    }

    /// Whether the last line shows whether the file was changed by hand.
    pub(super) const fn is_sealed(self) -> bool {
        matches!(self, Self::Html | Self::Markdown | Self::Latex)
    }

    /// The extension of the files of a folder.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
            Self::Latex => "tex",
            Self::Text => "txt",
            Self::Json => "json",
            Self::Pdf => "pdf",
        }
    }
}

#[derive(clap::Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub(super) struct FormatArg {
    /// Write a page of HTML [the default, if the name of the file does not end in .md, .tex, .txt, .json or .pdf].
    #[arg(long)]
    html: bool,
    /// Write Markdown.
    #[arg(long)]
    markdown: bool,
    /// Write a document of LaTeX, for the packages xskak and chessboard.
    #[arg(long)]
    latex: bool,
    /// Write plain text.
    #[arg(long)]
    text: bool,
    /// Write a JSON object: the games, and the tables of all.
    #[arg(long)]
    json: bool,
    /// Write PDF; Chromium, which must be installed, prints the page.
    #[arg(long)]
    pdf: bool,
}

impl FormatArg {
    /// Refuses a file whose extension belongs to no format, if no format is stated.
    ///
    /// # Errors
    /// [`CliError::Usage`] for such a name.
    pub(super) fn check(self, file: Option<&Path>) -> Result<(), CliError> {
        let is_asked_for = self.html || self.markdown || self.latex || self.text || self.json || self.pdf;
        match file {
            Some(path)
                if !is_asked_for
                    && without_packed_extension(path).extension().is_some()
                    && Format::of_name(path).is_none() =>
            {
                Err(CliError::Usage(format!(
                    "{}: expected a name that ends in .html, .md, .tex, .txt, .json or .pdf, or an option such as --html",
                    PathExcerpt::new(path)
                )))
            }
            _ => Ok(()),
        }
    }

    /// The stated format, or that of the file, which [`FormatArg::check`] has accepted.
    pub(super) fn format(self, file: Option<&Path>) -> Format {
        match self {
            Self { html: true, .. } => Format::Html,
            Self { markdown: true, .. } => Format::Markdown,
            Self { latex: true, .. } => Format::Latex,
            Self { text: true, .. } => Format::Text,
            Self { json: true, .. } => Format::Json,
            Self { pdf: true, .. } => Format::Pdf,
            _ => file.and_then(Format::of_name).unwrap_or(Format::Html),
        }
    }
}

/// The form of diagrams in Markdown, as a value of an option.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DiagramsArg {
    /// Pictures in a folder beside the file.
    Svg,
    /// Boards of letters.
    Text,
    /// No diagrams.
    None,
}

impl From<DiagramsArg> for Diagrams {
    fn from(form: DiagramsArg) -> Self {
        match form {
            DiagramsArg::Svg => Self::Pictures,
            DiagramsArg::Text => Self::Text,
            DiagramsArg::None => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_formats() {
        let none =
            FormatArg { html: false, markdown: false, latex: false, text: false, json: false, pdf: false };
        let cases = [
            (None, Format::Html),
            (Some("a"), Format::Html),
            (Some("a.gz"), Format::Html),
            (Some("a.HTM"), Format::Html),
            (Some("a.md"), Format::Markdown),
            (Some("a.b.markdown.gz"), Format::Markdown),
            (Some("a.tex"), Format::Latex),
            (Some("a.txt"), Format::Text),
            (Some("a.json.zst"), Format::Json),
            (Some("a.pdf"), Format::Pdf),
        ];
        for (name, expected) in cases {
            assert_eq!(none.format(name.map(Path::new)), expected, "{name:?}");
            assert_eq!(FormatArg { latex: true, ..none }.format(name.map(Path::new)), Format::Latex);
            assert!(none.check(name.map(Path::new)).is_ok(), "{name:?}");
        }
        let foreign = Some(Path::new("a.pgn.gz"));
        assert!(none.check(foreign).is_err() && FormatArg { html: true, ..none }.check(foreign).is_ok());
    }
}
