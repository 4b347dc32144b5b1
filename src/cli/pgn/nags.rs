//! `hematite pgn nags`: the meanings of numeric annotation glyphs.

use crate::cli::streams::write_json;
use crate::cli::{CliError, ExitStatus};
use crate::notation::pgn::Nag;
use serde::Serialize;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite pgn nags
  hematite pgn nags '$6' 22
  hematite pgn nags advantage
  hematite pgn nags --json

Numeric annotation glyphs stand behind moves, as in `8. Nc3 $6`. Their meanings are those of section 10 of the PGN
standard; 140 and more are what programs have added. Exit code 1 if no glyph is found.";

/// List the numeric annotation glyphs, with their signs and what they mean.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Only the glyphs with these numbers, signs or words [default: all].
    #[arg(value_name = "NUMBER|SIGN|WORDS")]
    wanted: Vec<String>,

    /// Write a JSON object on a line for each glyph.
    #[arg(long)]
    json: bool,
}

/// A row of the list of glyphs.
#[derive(Serialize)]
struct Row {
    nag: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<&'static str>,
    meaning: String,
}

impl Row {
    fn is(&self, wanted: &str) -> bool {
        match wanted.trim_start_matches('$').parse::<u8>() {
            Ok(number) => number == self.nag,
            Err(_) => {
                self.sign == Some(wanted) || self.meaning.to_lowercase().contains(&wanted.to_lowercase())
            }
        }
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let rows = (0..=u8::MAX).filter_map(|nag| {
            let meaning = Nag(nag).words()?.into_owned();
            Some(Row { nag, sign: Nag(nag).sign(), meaning })
        });
        let is_wanted = |row: &Row| self.wanted.is_empty() || self.wanted.iter().any(|wanted| row.is(wanted));
        let rows: Vec<Row> = rows.filter(is_wanted).collect();
        for row in &rows {
            if self.json {
                write_json(out, row)?;
            } else {
                writeln!(out, "${:<4} {:<4} {}", row.nag, row.sign.unwrap_or_default(), row.meaning)?;
            }
        }
        Ok(if rows.is_empty() { ExitStatus::No } else { ExitStatus::Yes })
    }
}
