//! `position`: where to search.

use super::Complaint;
use super::tokens::Tokens;
use crate::notation::Excerpt;
use std::fmt;

/// The position that moves are played from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionBase {
    /// `startpos`: the initial position of standard chess.
    Start,
    /// `fen`: the text that follows, unread.
    Fen(String),
}

/// The tokens of a `position` command; what they mean is for those who know the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionTokens {
    /// The position that moves are played from.
    pub base: PositionBase,
    /// The moves, unread.
    pub moves: Vec<String>,
}

impl PositionTokens {
    /// `None` if neither a start position nor a FEN is stated.
    pub(super) fn read(tokens: &mut Tokens<'_>, complaints: &mut Vec<Complaint>) -> Option<Self> {
        let is_base = |word: &str| matches!(word, "startpos" | "fen");
        for found in tokens.take_until(|word| is_base(word) || word == "moves") {
            complaints.push(Complaint::UnknownToken { within: "position", found: Excerpt::new(found) });
        }
        let base = match tokens.next_unless(|word| !is_base(word)) {
            Some("startpos") => PositionBase::Start,
            Some(_) => PositionBase::Fen(tokens.text_until(|word| word == "moves")),
            None => {
                let expected = "`startpos` or `fen`";
                complaints.push(Complaint::MissingValue { token: "position", expected });
                return None;
            }
        };
        for found in tokens.take_until(|word| word == "moves") {
            complaints.push(Complaint::UnknownToken { within: "position", found: Excerpt::new(found) });
        }
        tokens.next();
        Some(Self { base, moves: tokens.map(str::to_owned).collect() })
    }
}

impl fmt::Display for PositionTokens {
    /// The command that reads back as these tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            PositionBase::Start => f.write_str("position startpos")?,
            PositionBase::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_and_moves_are_told_apart() {
        /// The base, the moves, and how many complaints there are.
        type Expected<'a> = (Option<PositionBase>, &'a [&'a str], usize);
        let start = Some(PositionBase::Start);
        let fen = |text: &str| Some(PositionBase::Fen(text.to_owned()));
        let cases: [(&str, &str, Expected<'_>); 9] = [
            ("start", "startpos", (start.clone(), &[], 0)),
            ("moves", "startpos  moves e2e4\te7e5", (start.clone(), &["e2e4", "e7e5"], 0)),
            ("no moves", "startpos moves", (start.clone(), &[], 0)),
            ("fen", "fen 8/8 w  - - 0 1 moves a1a2", (fen("8/8 w - - 0 1"), &["a1a2"], 0)),
            ("empty fen", "fen", (fen(""), &[], 0)),
            ("no base", "moves e2e4", (None, &[], 1)),
            ("nothing", "", (None, &[], 1)),
            ("skipped before", "joho startpos moves e2e4", (start.clone(), &["e2e4"], 1)),
            ("skipped between", "startpos a b moves e2e4", (start, &["e2e4"], 2)),
        ];
        for (name, line, (base, moves, complaints)) in cases {
            let mut found = Vec::new();
            let tokens = PositionTokens::read(&mut Tokens::new(line), &mut found);
            assert_eq!(tokens.as_ref().map(|tokens| &tokens.base), base.as_ref(), "{name}");
            assert_eq!(tokens.map(|tokens| tokens.moves).unwrap_or_default(), moves, "{name}");
            assert_eq!(found.len(), complaints, "{name}: {found:?}");
        }
    }
}
