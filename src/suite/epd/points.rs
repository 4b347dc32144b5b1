//! Points for moves, as the Strategic Test Suite gives them.

use crate::chess::{Move, Position};
use crate::notation::{Epd, Level, parse_san};

/// What each of some moves is worth. The best move of the suite has 10 points, and others that
/// are nearly as good have fewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Points {
    /// At least one.
    moves: Vec<(Move, u32)>,
}

/// The most points a move may have; whatever has more is not a list of points.
const MAX_POINTS: u32 = 1000;

impl Points {
    /// The points of a record: `c0 "f5=10, Be5+=2"`, or `c7 "f5 Be5+"` (or `c9`, which has the
    /// moves of UCI) with `c8 "10 2"`. `None` if there are none.
    pub fn of(epd: &Epd) -> Option<Self> {
        let position = epd.position();
        let comment = |digit| epd.comment(Level::new(digit)?);
        let in_columns = |moves| {
            let (moves, points) = (comment(moves)?.split_whitespace(), comment(8)?.split_whitespace());
            (moves.clone().count() == points.clone().count()).then(|| moves.zip(points))
        };
        let in_pairs =
            || Self::read(position, comment(0)?.split(',').map(|pair| pair.trim().rsplit_once('=')));
        in_pairs()
            .or_else(|| Self::read(position, in_columns(9)?.map(Some)))
            .or_else(|| Self::read(position, in_columns(7)?.map(Some)))
    }

    /// Each of them must be a legal move with a number.
    fn read<'a>(
        position: &Position,
        pairs: impl Iterator<Item = Option<(&'a str, &'a str)>>,
    ) -> Option<Self> {
        let moves: Vec<(Move, u32)> = pairs
            .map(|pair| {
                let (text, points) = pair?;
                let mv = parse_san(text, position).ok()?.mv()?;
                let points = points.trim().parse().ok().filter(|&points| points <= MAX_POINTS)?;
                Some((mv, points))
            })
            .collect::<Option<_>>()?;
        (!moves.is_empty()).then_some(Self { moves })
    }

    /// What a move is worth. Of a move that is listed twice, the better entry counts.
    pub fn of_move(&self, mv: Move) -> u32 {
        self.moves.iter().filter(|(listed, _)| *listed == mv).map(|&(_, points)| points).max().unwrap_or(0)
    }

    /// What the best move is worth.
    pub fn max(&self) -> u32 {
        self.moves.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_epd;

    #[test]
    fn points_are_read_in_each_form() {
        let pairs = "c0 \"e4=10, e2e3=5, Kd2 = 2\";";
        let in_san = "c7 \"e4 e3 Kd2\"; c8 \"10 5 2\";";
        let columns = format!("{in_san} c9 \"e2e4 e2e3 e1d2\";");
        let cases = [
            ("pairs", pairs.to_owned(), Some([10, 5, 2, 0])),
            ("columns", columns.clone(), Some([10, 5, 2, 0])),
            ("only SAN in columns", in_san.to_owned(), Some([10, 5, 2, 0])),
            ("pairs that are wrong", format!("c0 \"e5=10\"; {columns}"), Some([10, 5, 2, 0])),
            ("listed twice", "c0 \"e4=3, e4=7\";".to_owned(), Some([7, 0, 0, 0])),
            ("a comment", "c0 \"J. Doe - N. N., 1924\";".to_owned(), None),
            ("uneven columns", "c7 \"e4 e3\"; c8 \"10\";".to_owned(), None),
            ("too many points", "c0 \"e4=1000000\";".to_owned(), None),
            ("an empty comment", "c0 \"\";".to_owned(), None),
            ("nothing", String::new(), None),
        ];
        for (name, operations, expected) in cases {
            let epd = parse_epd(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - {operations}"));
            let epd = epd.unwrap_or_else(|error| panic!("{name}: {error}"));
            let points = Points::of(&epd);
            let found = points.as_ref().map(|points| {
                ["e4", "e3", "Kd2", "Kf2"].map(|text| {
                    let turn = parse_san(text, epd.position()).expect("a legal move");
                    points.of_move(turn.mv().expect("a move"))
                })
            });
            assert_eq!(found, expected, "{name}");
            let max = expected.map(|points| points[0]);
            assert_eq!(points.map(|points| points.max()), max, "{name}");
        }
    }
}
