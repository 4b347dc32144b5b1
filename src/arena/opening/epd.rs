//! Books with a position on each line.

use super::{BookError, Opening};
use crate::notation::parse_epd_line;

/// Reads a position from each line: a FEN, or EPD of which the operations `hmvc` and `fmvn` are
/// the counters. What is wrong with other operations does not matter here.
pub(super) fn read(text: &str) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let error = |problem: String| BookError::Line { line: number as u64, problem };
        let record = parse_epd_line(line, number).map_err(|found| error(found.problem.to_string()))?;
        let position = record.epd.position();
        if position.legal_moves().is_empty() {
            return Err(error("the game is over already, expected a position with legal moves".to_owned()));
        }
        openings.push(Opening::new(*position));
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Fen;

    #[test]
    fn lines_are_positions() {
        let cases = [
            ("a FEN", "4k3/8/8/8/8/8/P7/4K3 w - - 3 9", Ok("4k3/8/8/8/8/8/P7/4K3 w - - 3 9")),
            ("four fields", "4k3/8/8/8/8/8/P7/4K3 b - -", Ok("4k3/8/8/8/8/8/P7/4K3 b - - 0 1")),
            (
                "operations",
                "4k3/8/8/8/8/8/P7/4K3 w - - id \"x 1\"; c0 \"y\";",
                Ok("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"),
            ),
            (
                "counters as operations",
                "4k3/8/8/8/8/8/P7/4K3 w - - hmvc 7; fmvn 30;",
                Ok("4k3/8/8/8/8/8/P7/4K3 w - - 7 30"),
            ),
            ("no position", "4k3/8/8/8/8/8/P7/4K3 w", Err("line 2: castling rights: missing")),
            ("no chess", "8/8/8/8/8/8/P7/4K3 w - -", Err("line 2: piece placement: Black has 0 kings")),
            ("mate", "R3k3/R7/8/8/8/8/8/4K3 b - -", Err("line 2: the game is over already")),
        ];
        for (name, line, expected) in cases {
            let found = read(&format!("# a comment\n{line}\r\n\n"));
            match (found, expected) {
                (Ok(openings), Ok(fen)) => {
                    assert_eq!(openings.len(), 1, "{name}");
                    assert_eq!(Fen::new(openings[0].start()).to_string(), fen, "{name}");
                }
                (Err(error), Err(message)) => {
                    assert!(error.to_string().starts_with(message), "{name}: {error}")
                }
                (found, _) => panic!("{name}: {found:?}"),
            }
        }
    }
}
