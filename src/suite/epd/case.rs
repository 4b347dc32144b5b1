//! A position to solve: its goal, its points and its theme.

use crate::chess::{Move, Position};
use crate::notation::{
    CommentIndex, Epd, EpdError, EpdLine, EpdProblem, EpdReader, San, SanError, parse_san,
};
use crate::uci::InfoValue;
use std::fmt;
use std::io::BufRead;

/// The opcodes that state the goal.
const GOAL_OPCODES: [&str; 3] = ["bm", "am", "dm"];

/// A record of a suite.
#[derive(Debug)]
pub struct Case {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The line as it was read.
    pub text: String,
    /// The position and all operations.
    pub epd: Epd,
    /// The goal, or the reason why there is none.
    pub goal: Result<Goal, NoGoal>,
    /// The points of moves, if they are stated.
    pub points: Option<Points>,
    /// The problems of the line.
    pub problems: Vec<EpdError>,
}

impl Case {
    /// The name: the `id`, or the line.
    pub fn name(&self) -> String {
        self.epd.id().map_or_else(|| format!("line {}", self.line), str::to_owned)
    }
}

/// The reason why a record is not a position to solve.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoGoal {
    /// The record states no goal.
    #[error("no bm, am or dm")]
    NotStated,
    /// The goal is wrong for this reason.
    #[error("{0}")]
    Wrong(String),
}

/// A line of a suite without a position.
#[derive(Debug)]
pub struct Unread {
    /// The line as it was read; empty if it was not.
    pub text: String,
    /// The problem.
    pub error: EpdError,
}

/// Reads a suite, case by case; each error is a line without a position.
pub fn cases(suite: impl BufRead) -> impl Iterator<Item = Result<Case, Unread>> {
    let mut reader = EpdReader::new(suite);
    std::iter::from_fn(move || {
        let line = reader.next()?;
        let text = reader.text().to_owned();
        Some(match line {
            Ok(line) => Ok(Case::new(line, text)),
            Err(error) => Err(Unread { text, error }),
        })
    })
}

impl Case {
    fn new(line: EpdLine, text: String) -> Self {
        // A goal that is partly wrong would be a different goal.
        let wrong = line.problems.iter().chain(&line.remarks).find(|error| spoils_goal(&error.problem));
        let goal = match wrong {
            Some(error) => Err(NoGoal::Wrong(error.problem.to_string())),
            None => Goal::of(&line.epd).ok_or(NoGoal::NotStated),
        };
        let points = Points::of(&line.epd);
        Self { line: line.line, text, epd: line.epd, goal, points, problems: line.problems }
    }
}

fn spoils_goal(problem: &EpdProblem) -> bool {
    match problem {
        // These can be understood.
        EpdProblem::Move { error: SanError::NotCanonical { .. }, .. } | EpdProblem::Unquoted { .. } => false,
        EpdProblem::Repeated { opcode }
        | EpdProblem::UnclosedString { opcode, .. }
        | EpdProblem::Operands { opcode, .. }
        | EpdProblem::Move { opcode, .. } => GOAL_OPCODES.contains(&opcode.as_str()),
        EpdProblem::Contradiction { .. } => true,
        EpdProblem::Io(_)
        | EpdProblem::TooLong(_)
        | EpdProblem::Position(_)
        | EpdProblem::Repaired(_)
        | EpdProblem::Opcode(_) => false,
    }
}

/// The conditions of a right answer, all of which must be true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<u16>,
    text: String,
}

impl Goal {
    /// The goal stated by `bm`, `am` and `dm`; `None` if there is none.
    pub fn of(epd: &Epd) -> Option<Self> {
        let (best, avoid, mate) = (epd.best_moves(), epd.avoid_moves(), epd.direct_mate());
        if best.is_empty() && avoid.is_empty() && mate.is_none() {
            return None;
        }
        let mut parts = Vec::new();
        for (opcode, moves) in [("bm", best), ("am", avoid)] {
            if !moves.is_empty() {
                let names: Vec<String> =
                    moves.iter().map(|&mv| San::new(epd.position(), mv).to_string()).collect();
                parts.push(format!("{opcode} {}", names.join(" ")));
            }
        }
        parts.extend(mate.map(|moves| format!("dm {moves}")));
        Some(Self { best: best.to_vec(), avoid: avoid.to_vec(), mate, text: parts.join(", ") })
    }

    /// The mate to find, in moves.
    pub fn mate(&self) -> Option<u32> {
        self.mate.map(u32::from)
    }

    /// Whether this is a right move with a right score. A mate must be announced with the stated number of moves or
    /// fewer.
    pub fn is_met(&self, mv: Move, score: Option<InfoValue>) -> bool {
        let is_mate = |wanted: u16| matches!(score, Some(InfoValue::Mate(moves)) if moves > 0 && moves <= i32::from(wanted));
        (self.best.is_empty() || self.best.contains(&mv))
            && !self.avoid.contains(&mv)
            && self.mate.is_none_or(is_mate)
    }
}

impl fmt::Display for Goal {
    /// Displayed as `bm Qg6`, `am Ne5`, `dm 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The points of moves, as in the Strategic Test Suite. The best move has 10 points, and moves that are nearly as good
/// have fewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Points {
    /// The moves with their points; at least one.
    moves: Vec<(Move, u32)>,
}

/// The maximum points of a move; a list with more is not a list of points.
const MAX_POINTS: u32 = 1000;

impl Points {
    /// The points of a record: `c0 "f5=10, Be5+=2"`, or `c7 "f5 Be5+"` (or `c9`, with the moves in UCI notation)
    /// together with `c8 "10 2"`. `None` if there are none.
    pub fn of(epd: &Epd) -> Option<Self> {
        let position = epd.position();
        let comment = |digit| epd.comment(CommentIndex::new(digit)?);
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

    /// Reads pairs of a legal move and a number; `None` if any of them is something else.
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

    /// The points of a move. If a move is listed twice, the larger number is used.
    pub fn of_move(&self, mv: Move) -> u32 {
        self.moves.iter().filter(|(listed, _)| *listed == mv).map(|&(_, points)| points).max().unwrap_or(0)
    }

    /// The points of the best move.
    pub fn max(&self) -> u32 {
        self.moves.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }
}

/// The theme in the `id` of a position: the rest without its number.
///
/// | id | theme |
/// |---|---|
/// | `STS(v1.0) Undermine.001` | `STS(v1.0) Undermine` |
/// | `WAC.001`, `arasan2024.1`, `test 7` | `WAC`, `arasan2024`, `test` |
/// | `E_E_T 001 - B vs B` | `B vs B` |
/// | `PET001: Pawn endgame` | `Pawn endgame` |
///
/// `None` if there is no number, or nothing else.
pub fn theme(id: &str) -> Option<&str> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let numbered = |separator| {
        id.split_once(separator).and_then(|(number, theme)| number.ends_with(is_digit).then_some(theme))
    };
    let before = || {
        let rest = id.trim_end().trim_end_matches(is_digit);
        let has_number = rest.len() < id.trim_end().len();
        has_number.then(|| rest.trim_end_matches(|letter: char| " .,:_-#/".contains(letter)))
    };
    let theme = numbered(" - ").or_else(|| numbered(": ")).or_else(before)?;
    Some(theme.trim()).filter(|theme| !theme.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_epd;

    // Cases

    #[test]
    fn goals_are_whole_or_none() {
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let cases_of = |operations: &str| {
            let line = format!("{position} {operations}");
            let mut found: Vec<_> = cases(line.as_bytes()).collect();
            found.pop().expect("one line").expect("a position")
        };
        let cases = [
            ("right", "bm e4; id \"x\";", Some("bm e4"), 0, "x"),
            ("partly wrong", "bm e4 e5;", None, 1, "line 1"),
            ("one of two wrong", "bm e4; am e6;", None, 1, "line 1"),
            ("something else wrong", "bm e4; pv e5;", Some("bm e4"), 1, "line 1"),
            ("no SAN", "bm e2e4;", Some("bm e4"), 0, "line 1"),
            ("nothing to be found", "ce 12;", None, 0, "line 1"),
            ("no moves", "bm ;", None, 0, "line 1"),
            ("the best is to be avoided", "bm e4; am e4;", None, 0, "line 1"),
        ];
        for (name, operations, goal, problems, called) in cases {
            let case = cases_of(operations);
            let found = case.goal.as_ref().ok().map(ToString::to_string);
            assert_eq!((found.as_deref(), case.problems.len()), (goal, problems), "{name}");
            assert_eq!(case.name(), called, "{name}");
        }
    }

    // Goals

    #[test]
    fn all_that_is_stated_must_be_true() {
        const POSITION: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
        let mate = |moves| Some(InfoValue::Mate(moves));
        let cases = [
            ("the best move", "bm Ra8#;", "Ra8", None, true),
            ("another move", "bm Ra8#;", "Ra7", None, false),
            ("one of several", "bm Ra8# Kf2;", "Kf2", None, true),
            ("a move to be avoided", "am Kf2;", "Kf2", None, false),
            ("not a move to be avoided", "am Kf2;", "Kg2", None, true),
            ("best and avoided", "bm Ra7; am Ra8#;", "Ra7", None, true),
            ("a mate in time", "dm 2;", "Ra8", mate(1), true),
            ("a mate too late", "dm 2;", "Ra8", mate(3), false),
            ("being mated", "dm 2;", "Ra8", mate(-1), false),
            ("a mate without announcement", "dm 2;", "Ra8", Some(InfoValue::Centipawns(900)), false),
            ("a mate without score", "dm 2;", "Ra8", None, false),
            ("a mate by another move", "bm Ra8#; dm 2;", "Ra7", mate(2), false),
        ];
        for (name, operations, mv, score, expected) in cases {
            let epd = parse_epd(&format!("{POSITION} {operations}")).expect(name);
            let goal = Goal::of(&epd).expect(name);
            let mv = parse_san(mv, epd.position()).ok().and_then(|turn| turn.mv()).expect(name);
            assert_eq!(goal.is_met(mv, score), expected, "{name}");
        }
        let epd = parse_epd(&format!("{POSITION} id \"nothing\"; ce 20;")).expect("a record");
        assert_eq!(Goal::of(&epd), None);
        let epd = parse_epd(&format!("{POSITION} dm 1; bm Ra8 Kf2; am h3;"));
        assert!(epd.is_err(), "there is no pawn on the h-file");
        let epd = parse_epd(&format!("{POSITION} dm 1; bm Ra8; am Kf2;")).expect("a record");
        assert_eq!(Goal::of(&epd).map(|goal| goal.to_string()).as_deref(), Some("bm Ra8#, am Kf2, dm 1"));
    }

    // Points

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

    // Themes

    #[test]
    fn numbers_are_left_out() {
        let cases = [
            ("STS(v1.0) Undermine.001", Some("STS(v1.0) Undermine")),
            ("STS(v14.0) 7th Rank.100", Some("STS(v14.0) 7th Rank")),
            ("WAC.001", Some("WAC")),
            ("arasan2024.1", Some("arasan2024")),
            ("test 7", Some("test")),
            ("mates #12 ", Some("mates")),
            ("E_E_T 001 - B vs B", Some("B vs B")),
            ("PET001: Pawn endgame", Some("Pawn endgame")),
            ("Réti 1", Some("Réti")),
            ("LCTPOS01 (d6!)", None),
            ("a study", None),
            ("42", None),
            ("", None),
        ];
        for (id, expected) in cases {
            assert_eq!(theme(id), expected, "{id}");
        }
    }
}
