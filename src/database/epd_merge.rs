//! Merging EPD records with equal positions to one record for each position.

use crate::chess::{Key, Move};
use crate::notation::{CommentIndex, Epd, Operation, San};
use std::collections::HashMap;
use std::fmt;

/// The number of levels of comments.
const LEVELS: usize = 10;

/// Merges records. The operations for a position are united as far as possible.
///
/// ```
/// use hematite_games::database::MergedRecords;
/// use hematite_games::notation::parse_epd;
/// let mut merged = MergedRecords::default();
/// for text in ["4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;", "4k3/8/8/8/8/8/4P3/4K3 w - - acd 9; bm Kd2; ce 120;"] {
///     merged.add(parse_epd(text).expect("a record"));
/// }
/// let records: Vec<String> = merged.records().map(|epd| epd.to_string()).collect();
/// assert_eq!(records, ["4k3/8/8/8/8/8/4P3/4K3 w - - acd 9; bm Kd2 e4; ce 120;"]);
/// ```
#[derive(Default, Debug)]
pub struct MergedRecords {
    /// The records, in the order in which their positions first occurred.
    records: Vec<Record>,
    by_key: HashMap<Key, usize>,
}

/// The record of a position.
#[derive(Debug)]
struct Record {
    epd: Epd,
    /// The comments by their levels, since programs give some levels a meaning, such as the points of moves.
    comments: [Option<String>; LEVELS],
}

/// A contradiction between two records of a position, or something that does not fit. The earlier value is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// An operation has different values.
    Differs {
        /// The opcode.
        opcode: String,
        /// The operation that is kept.
        kept: String,
        /// The operation that is dropped.
        found: String,
    },
    /// A move is both a best move and a move to avoid.
    Contradiction(String),
    /// There are more comments than levels.
    NoLevel(String),
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs { opcode, kept, found } => {
                write!(f, "{opcode}: found `{found}`, `{kept}` came first and stays")
            }
            Self::Contradiction(san) => {
                write!(f, "{san} is in bm of one record and in am of another; the first stays")
            }
            Self::NoLevel(comment) => {
                write!(f, "the comment `{comment}` is left out: c0 to c9 have {LEVELS} others")
            }
        }
    }
}

/// The rule by which the operations of an opcode are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// The moves of both records.
    Moves,
    /// The comments of both records, on different levels.
    Comments,
    /// The operation of the deeper analysis.
    Analysis,
    /// The operation if all records agree, since it describes the game and not the position.
    Game,
    /// The first operation, with a conflict if another one differs.
    First,
}

impl Rule {
    const fn of(operation: &Operation) -> Self {
        match operation {
            Operation::BestMoves(_) | Operation::AvoidMoves(_) => Self::Moves,
            Operation::Comment(..) => Self::Comments,
            Operation::AnalysisDepth(_)
            | Operation::AnalysisNodes(_)
            | Operation::AnalysisSeconds(_)
            | Operation::Evaluation(_)
            | Operation::PredictedMove(_)
            | Operation::PredictedVariation(_) => Self::Analysis,
            Operation::HalfmoveClock(_)
            | Operation::FullmoveNumber(_)
            | Operation::RepetitionCount(_)
            | Operation::SuppliedMove(_)
            | Operation::DrawAccept
            | Operation::DrawClaim
            | Operation::DrawOffer
            | Operation::DrawReject
            | Operation::Resign
            | Operation::GameSelector(_)
            | Operation::Receiver(_)
            | Operation::Sender(_)
            | Operation::Noop(_) => Self::Game,
            Operation::DirectMate(_)
            | Operation::Eco(_)
            | Operation::Id(_)
            | Operation::Nic(_)
            | Operation::VariationName(..)
            | Operation::Other { .. } => Self::First,
        }
    }
}

impl MergedRecords {
    /// Adds a record. Returns its conflicts with the previous records.
    pub fn add(&mut self, epd: Epd) -> Vec<Conflict> {
        let key = epd.position().key();
        match self.by_key.get(&key) {
            Some(&index) => self.records[index].unite(&epd),
            None => {
                self.by_key.insert(key, self.records.len());
                self.records.push(Record::new(epd));
                Vec::new()
            }
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records of all positions, in the order in which they first occurred.
    pub fn records(&self) -> impl Iterator<Item = Epd> {
        self.records.iter().map(|record| {
            let mut epd = record.epd.clone();
            for (level, text) in CommentIndex::all().zip(&record.comments) {
                if text.is_some() {
                    epd.set(Operation::Comment(level, text.clone()));
                }
            }
            epd
        })
    }
}

impl Record {
    fn new(mut epd: Epd) -> Self {
        let comments = comments_of(&epd);
        for level in CommentIndex::all() {
            epd.remove(&format!("c{level}"));
        }
        Self { epd, comments }
    }

    fn unite(&mut self, other: &Epd) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        self.unite_game(other);
        // A comment keeps its level, unless another one has it already.
        let mut moved = Vec::new();
        let is_new = |text: &String| !self.comments.iter().flatten().any(|own| own == text);
        let added = comments_of(other).map(|text| text.filter(is_new));
        for (own, added) in self.comments.iter_mut().zip(added) {
            match own {
                Some(_) => moved.extend(added),
                None => *own = added,
            }
        }
        for comment in moved {
            match self.comments.iter_mut().find(|own| own.is_none()) {
                Some(free) => *free = Some(comment),
                None => conflicts.push(Conflict::NoLevel(comment)),
            }
        }
        self.unite_moves(other, &mut conflicts);
        self.unite_analysis(other, &mut conflicts);
        for operation in other.operations().iter().filter(|operation| Rule::of(operation) == Rule::First) {
            match self.epd.operation(&operation.opcode()) {
                None => self.epd.set(operation.clone()),
                Some(kept) if kept == operation => {}
                Some(kept) => conflicts.push(differing(&self.epd, kept, operation)),
            }
        }
        conflicts
    }

    /// Keeps operations that describe the game as long as every record has the same.
    fn unite_game(&mut self, other: &Epd) {
        let is_of_game = |operation: &&Operation| Rule::of(operation) == Rule::Game;
        let all = self.epd.operations().iter().chain(other.operations()).filter(is_of_game);
        let mut opcodes: Vec<String> = all.map(|operation| operation.opcode().into_owned()).collect();
        opcodes.retain(|opcode| self.epd.operation(opcode) != other.operation(opcode));
        for opcode in opcodes {
            self.epd.remove(&opcode);
        }
    }

    /// Unites the moves of both records. A move that is best in one record and must be avoided in the other stays where
    /// it occurred first.
    fn unite_moves(&mut self, other: &Epd, conflicts: &mut Vec<Conflict>) {
        let mut unite = |own: &[Move], added: &[Move], opposed: &[Move], epd: &Epd| {
            let mut moves = own.to_vec();
            for &mv in added.iter().filter(|mv| !own.contains(mv)) {
                if opposed.contains(&mv) {
                    conflicts.push(Conflict::Contradiction(San::new(epd.position(), mv).text().to_string()));
                } else {
                    moves.push(mv);
                }
            }
            moves
        };
        let best = unite(self.epd.best_moves(), other.best_moves(), self.epd.avoid_moves(), &self.epd);
        let avoided = unite(self.epd.avoid_moves(), other.avoid_moves(), self.epd.best_moves(), &self.epd);
        if !best.is_empty() {
            self.epd.set(Operation::BestMoves(best));
        }
        if !avoided.is_empty() {
            self.epd.set(Operation::AvoidMoves(avoided));
        }
    }

    /// Keeps the deeper analysis as a whole; of two with the same depth the first, completed by the other.
    fn unite_analysis(&mut self, other: &Epd, conflicts: &mut Vec<Conflict>) {
        let is_analysis = |operation: &&Operation| Rule::of(operation) == Rule::Analysis;
        let found: Vec<Operation> = other.operations().iter().filter(is_analysis).cloned().collect();
        if found.is_empty() {
            return;
        }
        let (own_effort, effort) = (Effort::of(&self.epd), Effort::of(other));
        if effort > own_effort {
            let own = self.epd.operations().iter().filter(is_analysis);
            let mut own: Vec<String> = own.map(|operation| operation.opcode().into_owned()).collect();
            // A line without an evaluation is kept together with the evaluation of the other record.
            own.retain(|opcode| own_effort != Effort::default() || other.operation(opcode).is_some());
            for opcode in own {
                self.epd.remove(&opcode);
            }
        }
        let is_tie = effort == own_effort;
        let is_welcome = effort >= own_effort || effort == Effort::default();
        for operation in found {
            let opcode = operation.opcode().into_owned();
            match self.epd.operation(&opcode) {
                None if is_welcome => self.epd.set(operation),
                Some(kept) if is_tie && *kept != operation => {
                    conflicts.push(differing(&self.epd, kept, &operation));
                }
                _ => {}
            }
        }
    }
}

/// The effort of an analysis: analyses with an evaluation rank above others, then depth, nodes and seconds count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Effort {
    has_evaluation: bool,
    depth: u32,
    nodes: u64,
    seconds: u64,
}

impl Effort {
    fn of(epd: &Epd) -> Self {
        let depth = match epd.operation("acd") {
            Some(Operation::AnalysisDepth(depth)) => *depth,
            _ => 0,
        };
        let nodes = match epd.operation("acn") {
            Some(Operation::AnalysisNodes(nodes)) => *nodes,
            _ => 0,
        };
        let seconds = match epd.operation("acs") {
            Some(Operation::AnalysisSeconds(seconds)) => *seconds,
            _ => 0,
        };
        Self { has_evaluation: epd.operation("ce").is_some(), depth, nodes, seconds }
    }
}

/// The comments of a record.
fn comments_of(epd: &Epd) -> [Option<String>; LEVELS] {
    let mut comments = CommentIndex::all().map(|level| epd.comment(level).map(str::to_owned));
    std::array::from_fn(|_| comments.next().flatten())
}

/// The conflict of two operations with the same opcode.
fn differing(epd: &Epd, kept: &Operation, found: &Operation) -> Conflict {
    // The operands as written in a record.
    let text = |operation: &Operation| {
        let mut single = Epd::new(*epd.position());
        for opcode in ["hmvc", "fmvn"] {
            single.remove(opcode);
        }
        let position = single.to_string();
        single.set(operation.clone());
        let operands = single.to_string();
        operands[position.len()..].trim().trim_end_matches(';').to_owned()
    };
    Conflict::Differs { opcode: found.opcode().into_owned(), kept: text(kept), found: text(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_epd;

    const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    /// The operations of the merged record, and the conflicts.
    fn merge(operations: &[&str]) -> (String, Vec<String>) {
        let mut merged = MergedRecords::default();
        let mut conflicts = Vec::new();
        for text in operations {
            let epd = parse_epd(&format!("{POSITION} {text}")).expect(text);
            conflicts.extend(merged.add(epd).iter().map(ToString::to_string));
        }
        assert_eq!(merged.len(), 1);
        let record = merged.records().next().expect("a record").to_string();
        (record.trim_start_matches(POSITION).trim().to_owned(), conflicts)
    }

    #[test]
    fn what_is_said_is_united() {
        let cases: [(&str, &[&str], &str); 11] = [
            ("moves", &["bm e4;", "bm Kd2 e4;", "am e3;"], "am e3; bm Kd2 e4;"),
            ("comments", &["c0 \"a\"; c3 \"b\";", "c0 \"c\"; c1 \"a\";"], "c0 \"a\"; c1 \"c\"; c3 \"b\";"),
            (
                "comments keep their levels",
                &["c7 \"f5 Be5\"; c8 \"10 2\";", "c0 \"x\"; c8 \"10 2\"; c9 \"y\";"],
                "c0 \"x\"; c7 \"f5 Be5\"; c8 \"10 2\"; c9 \"y\";",
            ),
            ("a cleared comment", &["c0 \"a\";", "c0;"], "c0 \"a\";"),
            (
                "the deeper analysis",
                &["acd 9; ce 10; pv e4;", "acd 12; ce 20;", "acd 3; ce 5; pv e3;"],
                "acd 12; ce 20;",
            ),
            ("a line and an evaluation", &["pv e4;", "acd 2; ce 7;"], "acd 2; ce 7; pv e4;"),
            ("an evaluation and a line", &["acd 2; ce 7;", "pv e4;", "pv e3;"], "acd 2; ce 7; pv e4;"),
            ("an analysis that is completed", &["ce 7;", "ce 7; pv e4;"], "ce 7; pv e4;"),
            (
                "names",
                &["eco \"A00\";", "id \"x\";", "id \"x\"; v0 \"n\";"],
                "eco \"A00\"; id \"x\"; v0 \"n\";",
            ),
            ("a game", &["fmvn 3; hmvc 2; sm e4;", "fmvn 5; hmvc 2; sm e4;"], "hmvc 2; sm e4;"),
            ("a game that others do not state", &["sm e4;", "bm e4;", "sm e4;"], "bm e4;"),
        ];
        for (name, operations, expected) in cases {
            assert_eq!(merge(operations), (expected.to_owned(), Vec::new()), "{name}");
        }
    }

    #[test]
    fn conflicts_are_told_and_the_first_stays() {
        let (record, conflicts) = merge(&["id \"a\"; ce 10; bm e4;", "id \"b\"; ce 12; am e4;"]);
        assert_eq!(record, "bm e4; ce 10; id \"a\";");
        assert_eq!(
            conflicts,
            [
                "e4 is in bm of one record and in am of another; the first stays",
                "ce: found `ce 12`, `ce 10` came first and stays",
                "id: found `id \"b\"`, `id \"a\"` came first and stays",
            ]
        );
        let many: Vec<String> = (0..12).map(|number| format!("c0 \"{number}\";")).collect();
        let many: Vec<&str> = many.iter().map(|text| &**text).collect();
        let (record, conflicts) = merge(&many);
        assert!(record.ends_with("c9 \"9\";"), "{record}");
        assert_eq!(conflicts.len(), 2, "{conflicts:?}");
    }

    #[test]
    fn equal_positions_have_one_record_whatever_their_clocks() {
        let mut merged = MergedRecords::default();
        for text in
            ["4k3/8/8/8/4P3/8/8/4K3 b - e3", "4k3/8/8/8/4P3/8/8/4K3 b - - 3 9", "4k3/8/8/8/4P3/8/8/4K3 w - -"]
        {
            assert_eq!(merged.add(parse_epd(text).expect(text)), []);
        }
        let records: Vec<String> = merged.records().map(|epd| epd.to_string()).collect();
        assert_eq!(records, ["4k3/8/8/8/4P3/8/8/4K3 b - e3", "4k3/8/8/8/4P3/8/8/4K3 w - -"]);
    }
}
