//! The grammar of the Universal Chess Interface, April 2006 (<https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>),
//! in both directions: a GUI sends a [`Command`], an engine a [`Message`]. Both are parsed from text and written as
//! text, for the engine and for the match runner.
//!
//! Parsing never fails as a whole: an invalid word results in a [`ParseWarning`], and the other words are used.

mod command;
mod extensions;
mod go;
mod info;
mod option;
mod position;
mod tokens;

pub use command::{Command, Parsed};
pub use extensions::{BenchTokens, GenFensTokens, SpeedtestTokens};
pub use go::{GoTokens, LONGEST_TIME};
pub use info::{Info, InfoBound, InfoScore, InfoValue, WinDrawLoss};
pub use option::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};
pub use position::{PositionTokens, Shorthand, StartPosition, castling_style, legal_line, needs_chess960};
pub use tokens::{ParseWarning, nearest};

use std::fmt;
use tokens::Tokens;

/// A line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `id name`: the name of the engine.
    Name(String),
    /// `id author`: the authors of the engine.
    Author(String),
    /// `option`: an option that can be set.
    Option(OptionDeclaration),
    /// `uciok`: the end of the name and the options.
    UciOk,
    /// `readyok`: all commands before `isready` have been executed.
    ReadyOk,
    /// `info`: the progress of the search.
    Info(Box<Info>),
    /// `bestmove`: the end of a search.
    BestMove {
        /// The best move; `None` for `(none)`, if there is no legal move.
        best: Option<String>,
        /// The reply to ponder on.
        ponder: Option<String>,
    },
    /// `copyprotection`: `checking`, `ok` or `error`.
    CopyProtection(String),
    /// `registration`: `checking`, `ok` or `error`.
    Registration(String),
}

/// The word for a missing move.
const NO_MOVE: &str = "(none)";

impl Message {
    /// Reads a line, with or without its line end; `None` if it is not a message of the protocol. Words before the
    /// first word of a message are skipped.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let mut tokens = Tokens::new(&text);
        let text_of = |tokens: Tokens<'_>| tokens.rest().to_owned();
        while let Some(word) = tokens.next() {
            return Some(match word {
                "id" => match tokens.next()? {
                    "name" => Self::Name(text_of(tokens)),
                    "author" => Self::Author(text_of(tokens)),
                    _ => return None,
                },
                "option" => Self::Option(OptionDeclaration::parse(tokens.rest())?),
                "uciok" => Self::UciOk,
                "readyok" => Self::ReadyOk,
                "info" => Self::Info(Box::new(Info::parse(tokens.rest()))),
                "bestmove" => Self::BestMove {
                    best: tokens.next().filter(|&word| !is_no_move(word)).map(str::to_owned),
                    ponder: tokens
                        .next()
                        .filter(|&word| word == "ponder")
                        .and_then(|_| tokens.next())
                        .filter(|&word| !is_no_move(word))
                        .map(str::to_owned),
                },
                "copyprotection" => Self::CopyProtection(text_of(tokens)),
                "registration" => Self::Registration(text_of(tokens)),
                _ => continue,
            });
        }
        None
    }
}

fn is_no_move(word: &str) -> bool {
    matches!(word, NO_MOVE | "0000" | "NULL")
}

impl fmt::Display for Message {
    /// The line that parses as this message, without its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or(NO_MOVE))?;
                ponder.as_ref().map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Self::CopyProtection(state) => write!(f, "copyprotection {state}"),
            Self::Registration(state) => write!(f, "registration {state}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_text_parses_back() {
        for line in [
            "id name Shredder X.Y",
            "id author Stefan MK",
            "option name Clear Hash type button",
            "uciok",
            "readyok",
            "info depth 1 pv e2e4",
            "bestmove g1f3",
            "bestmove g1f3 ponder d8f6",
            "bestmove (none)",
            "copyprotection checking",
            "registration ok",
        ] {
            let message = Message::parse(line.as_bytes()).map(|message| message.to_string());
            assert_eq!(message.as_deref(), Some(line));
        }
    }

    #[test]
    fn foreign_lines_are_read_as_far_as_they_go() {
        let none = || Some(Message::BestMove { best: None, ponder: None });
        let cases: [(&str, &[u8], Option<Message>); 6] = [
            ("empty", b"", None),
            ("banner", b"Stockfish 15.1 by the Stockfish developers", None),
            ("skipped words", b"joho readyok\r\n", Some(Message::ReadyOk)),
            ("null move", b"bestmove 0000", none()),
            ("no move at all", b"bestmove", none()),
            ("not UTF-8", b"\xff\xff", None),
        ];
        for (name, line, expected) in cases {
            assert_eq!(Message::parse(line), expected, "{name}");
        }
    }
}
