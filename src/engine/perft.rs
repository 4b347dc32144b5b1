//! Perft that can be stopped.

use super::writer::Writer;
use crate::chess::{Position, perft};
use crate::notation::{CastlingStyle, UciMove};
use crate::search::Signals;

/// Whether to go on is asked only above trees of this depth, in plies: some milliseconds' work.
const UNINTERRUPTED_DEPTH: u32 = 4;

/// Writes the number of leaves below each legal move, and of all of them.
pub(super) fn divide(
    position: &Position,
    depth: u32,
    style: CastlingStyle,
    writer: &Writer,
    signals: &Signals,
) {
    let mut total = 0;
    if let Some(below) = depth.checked_sub(1) {
        for mv in position.legal_moves() {
            if writer.is_closed() {
                return;
            }
            let Some(nodes) = count(&position.after(mv).0, below, signals) else {
                writer.note("perft: stopped");
                return;
            };
            writer.say(format_args!("{}: {nodes}", UciMove::new(mv, style)));
            total += nodes;
        }
    } else {
        total = 1;
    }
    writer.say(format_args!("\nNodes searched: {total}"));
}

/// The number of leaves; `None` if told to stop before they were counted.
fn count(position: &Position, depth: u32, signals: &Signals) -> Option<u64> {
    if signals.is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        return Some(perft::perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| count(&position.after(mv).0, depth - 1, signals)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_the_plain_one_does() {
        let start = Position::start();
        for depth in 0..=5 {
            assert_eq!(count(&start, depth, &Signals::default()), Some(perft::perft(&start, depth)));
        }
        let stopped = Signals::default();
        stopped.stop();
        assert_eq!(count(&start, 30, &stopped), None);
    }
}
