//! Books with a position on each line.

use super::{BookError, Opening};
use crate::notation::position_from_fen;

/// How many fields of a FEN every line has.
const POSITION_FIELDS: usize = 4;

/// Reads a position from each line: a FEN with or without counters, or four fields of it with
/// EPD operations behind them, of which `hmvc` and `fmvn` are the counters.
pub(super) fn read(text: &str) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let position = position_from_fen(&fen(line))
            .map_err(|error| BookError::Line { line: index as u64 + 1, problem: error.to_string() })?;
        if position.legal_moves().is_empty() {
            let problem = "the game is over already, expected a position with legal moves".to_owned();
            return Err(BookError::Line { line: index as u64 + 1, problem });
        }
        openings.push(Opening::new(position));
    }
    Ok(openings)
}

/// The FEN that a line of EPD means.
fn fen(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let position = &fields[..fields.len().min(POSITION_FIELDS)];
    let rest = &fields[position.len()..];
    if position.len() < POSITION_FIELDS {
        return position.join(" "); // no FEN; reading it tells what is missing
    }
    let is_counter = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let counters: Vec<&str> = match rest {
        [clock, number, ..] if is_counter(clock) && is_counter(number) => vec![clock, number],
        _ => ["hmvc", "fmvn"]
            .iter()
            .zip(["0", "1"])
            .map(|(name, default)| {
                let value = rest.windows(2).find(|pair| pair[0] == *name).map(|pair| pair[1]);
                value.map(|value| value.trim_end_matches(';')).unwrap_or(default)
            })
            .collect(),
    };
    [position, &counters].concat().join(" ")
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
