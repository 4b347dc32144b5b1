//! Conversion between games and sequences of EPD records, one for each position (PGN standard, section 16.2.5).
//!
//! Comments (`c0` to `c9`) and names of variations (`v0` to `v9`) are registers: an operation clears the registers of
//! its level and all below, and then sets its own. Names stay set from one record to the next, and so do the codes
//! `eco` and `nic`, since they describe the game. Comments describe the position of their record, and each record
//! starts without any.

use crate::chess::{Color, KeyHistory, Move, Position};
use crate::notation::eco::opening;
use crate::notation::pgn::{EvaluationScore, Game, GameFull, NodeId};
use crate::notation::{CentipawnEvaluation, CommentIndex, Epd, Operation};
use std::array;
use std::num::NonZeroU32;

/// The number of levels of comments and of names.
const LEVELS: usize = 10;
/// The tags with the names of an opening, which are the names of the first levels.
const NAMES: [&str; 3] = ["Opening", "Variation", "SubVariation"];

type Registers = [Option<String>; LEVELS];

/// Sets a register, or clears it.
fn set_register(registers: &mut Registers, level: CommentIndex, text: Option<&String>) {
    let level = usize::from(level.digit());
    registers[level..].fill(None);
    registers[level] = text.cloned();
}

/// A game that is being assembled.
struct OpenGame {
    game: Game,
    latest: NodeId,
    position: Position,
    /// The move that the latest record states as played.
    supplied: Option<Move>,
    names: Registers,
    eco: Option<String>,
    nic: Option<String>,
}

impl OpenGame {
    fn new(position: Position) -> Self {
        Self {
            game: Game::new(position),
            latest: NodeId::ROOT,
            position,
            supplied: None,
            names: Registers::default(),
            eco: None,
            nic: None,
        }
    }

    /// The move that leads to a position; the inner value is `None` for the current position. `None` if no move leads
    /// there.
    fn step_to(&self, position: &Position) -> Option<Option<Move>> {
        if self.position.key() == position.key() {
            return Some(None);
        }
        let moves = self.position.legal_moves();
        let leads = |&&mv: &&Move| self.position.after(mv).0.key() == position.key();
        moves.iter().find(leads).copied().map(Some)
    }

    fn play(&mut self, mv: Move) -> Result<(), GameFull> {
        self.latest = self.game.add(self.latest, Some(mv))?;
        self.position = self.position.after(mv).0;
        Ok(())
    }

    /// Applies the operations of a record to the latest position, from left to right.
    fn take(&mut self, record: &Epd) -> Result<(), GameFull> {
        self.supplied = None;
        let mut comments = Registers::default();
        for operation in record.operations() {
            match operation {
                Operation::Comment(level, text) => set_register(&mut comments, *level, text.as_ref()),
                Operation::VariationName(level, text) => set_register(&mut self.names, *level, text.as_ref()),
                Operation::Eco(code) => self.eco.clone_from(code),
                Operation::Nic(code) => self.nic.clone_from(code),
                Operation::SuppliedMove(mv) => self.supplied = Some(*mv),
                Operation::Id(id) if self.game.tags.get("Event").is_none() => self.game.tags.set("Event", id),
                _ => {}
            }
        }
        comments.iter().flatten().try_for_each(|comment| self.game.add_comment(self.latest, comment))
    }

    fn finish(mut self) -> Result<Game, GameFull> {
        if let Some(mv) = self.supplied.filter(|&mv| self.position.is_legal(mv)) {
            self.play(mv)?;
        }
        let codes = [("ECO", &self.eco), ("NIC", &self.nic)];
        let names = NAMES.into_iter().zip(&self.names);
        for (tag, value) in codes.into_iter().chain(names) {
            if let Some(value) = value {
                self.game.tags.set(tag, value);
            }
        }
        Ok(self.game)
    }
}

/// Assembles games from records: a record belongs to the same game if a legal move leads to it from the previous
/// record.
#[derive(Default)]
pub struct RecordGames {
    open: Option<OpenGame>,
}

impl RecordGames {
    /// Adds the next record. Returns the previous game if the record starts another.
    ///
    /// # Errors
    /// [`GameFull`] if the game is too large.
    pub fn add(&mut self, record: &Epd) -> Result<Option<Game>, GameFull> {
        let position = *record.position();
        let step = self.open.as_ref().and_then(|open| open.step_to(&position));
        let (mut open, finished) = match (self.open.take(), step) {
            (Some(mut open), Some(step)) => {
                step.map_or(Ok(()), |mv| open.play(mv))?;
                (open, None)
            }
            (open, _) => (OpenGame::new(position), open.map(OpenGame::finish).transpose()?),
        };
        open.take(record)?;
        self.open = Some(open);
        Ok(finished)
    }

    /// Returns the last game.
    ///
    /// # Errors
    /// The same as for [`Self::add`].
    pub fn finish(self) -> Result<Option<Game>, GameFull> {
        self.open.map(OpenGame::finish).transpose()
    }
}

/// Converts a score from White's point of view to that of the side to move; `None` if it cannot be written.
fn evaluation(score: EvaluationScore, turn: Color) -> Option<CentipawnEvaluation> {
    let for_mover = |value: i32| if turn == Color::White { Some(value) } else { value.checked_neg() };
    match score {
        EvaluationScore::Centipawns(value) => {
            CentipawnEvaluation::new(for_mover(value)?).filter(|evaluation| evaluation.mate_plies().is_none())
        }
        EvaluationScore::Mate(moves) => {
            let moves = for_mover(moves)?;
            // If the side to move mates, it makes one move more than the other side; otherwise, both make the same
            // number.
            let plies = moves.checked_mul(2)?.checked_sub(i32::from(moves > 0))?;
            CentipawnEvaluation::mate(plies)
        }
    }
}

/// The predicted line of an analysis for the position of a node: a variation whose first move has an evaluation.
fn predicted_line(game: &Game, node: NodeId) -> Vec<Move> {
    let Some(first) = game.children(node).skip(1).find(|&child| game.evaluation(child).is_some()) else {
        return Vec::new();
    };
    let nodes = std::iter::successors(Some(first), |&node| game.next(node));
    nodes.map_while(|node| game.mv(node)).collect()
}

/// The records of the positions of a game, each independent of the others and without the names of the game's opening.
/// With `with_names`, a record has the names of the opening with its position.
pub fn position_records(game: &Game, with_names: bool) -> Vec<Epd> {
    let mut records = records_of(game);
    if let Some(first) = records.first_mut() {
        for opcode in ["eco", "nic", "v0", "v1", "v2"] {
            first.remove(opcode);
        }
    }
    if with_names {
        for record in &mut records {
            if let Some(named) = opening(record.position()) {
                record.set(Operation::Eco(Some(named.code().to_string())));
                let parts = [Some(named.family()), named.variation(), named.subvariation()];
                for (level, part) in CommentIndex::all().zip(parts.into_iter().flatten()) {
                    record.set(Operation::VariationName(level, Some(part.to_owned())));
                }
            }
        }
    }
    records
}

/// The records of all positions in the main line of a game, with comments, evaluations stated in them, and the line of
/// an analysis; the first record has the names of the opening.
pub fn records_of(game: &Game) -> Vec<Epd> {
    let tag = |name: &str| game.tags.get(name).filter(|value| !value.is_empty()).map(str::to_owned);
    let mut records: Vec<Epd> = Vec::new();
    let mut has_comments = false;
    let mut position = *game.start();
    let mut key_history = KeyHistory::new(&position);
    let levels: [Option<CommentIndex>; LEVELS] = array::from_fn(|level| CommentIndex::new(level as u8));
    for node in [NodeId::ROOT].into_iter().chain(game.mainline()) {
        if node != NodeId::ROOT {
            if let Some(mv) = game.mv(node) {
                position = position.after(mv).0;
                key_history.push(&position);
            } else {
                position = position.after_null();
                key_history.push_null(&position);
            }
        }
        let mut record = Epd::new(position);
        let visits = key_history.repetitions(&position) as u32 + 1;
        if let Some(count) = NonZeroU32::new(visits).filter(|_| visits > 1) {
            record.set(Operation::RepetitionCount(count));
        }
        if records.is_empty() {
            for (name, level) in NAMES.into_iter().zip(levels.iter().flatten()) {
                if let Some(name) = tag(name) {
                    record.set(Operation::VariationName(*level, Some(name)));
                }
            }
            if let Some(code) = tag("ECO") {
                record.set(Operation::Eco(Some(code)));
            }
            if let Some(code) = tag("NIC") {
                record.set(Operation::Nic(Some(code)));
            }
        }
        if let Some(stated) = game.evaluation(node)
            && let Some(value) = evaluation(stated.score, position.turn())
        {
            record.set(Operation::Evaluation(value));
            if let Some(depth) = stated.depth {
                record.set(Operation::AnalysisDepth(depth));
            }
        }
        let line = predicted_line(game, node);
        if !line.is_empty() {
            record.set(Operation::PredictedVariation(line));
        }
        // A comment before a move is about the position before it.
        let before_next = game.next(node).into_iter().flat_map(|next| game.comments_before(next));
        let comments: Vec<&str> = game.comments(node).chain(before_next).collect();
        let (single, rest) = comments.split_at(comments.len().min(LEVELS - 1));
        // Comments that exceed the number of levels are joined.
        let rest = (!rest.is_empty()).then(|| rest.join(" "));
        let texts = single.iter().map(|&text| text.to_owned()).chain(rest);
        for (text, level) in texts.zip(levels.iter().flatten()) {
            record.set(Operation::Comment(*level, Some(text)));
        }
        if let Some(first) = levels[0].filter(|_| comments.is_empty() && has_comments) {
            // Clears the comments of the previous position.
            record.set(Operation::Comment(first, None));
        }
        has_comments = !comments.is_empty();
        records.push(record);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_epd;
    use crate::notation::pgn::{Export, GameBuilder, Reader};

    fn games_of(records: &[&str]) -> Vec<String> {
        let mut games = RecordGames::default();
        let mut found = Vec::new();
        for record in records {
            let record = parse_epd(record).expect(record);
            found.extend(games.add(&record).expect("they are small"));
        }
        found.extend(games.finish().expect("they are small"));
        found.iter().map(|game| Export::new().game(game)).collect()
    }

    #[test]
    fn records_become_games_with_comments() {
        let records = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"first\"; c0 \"start\"; v0 \"King's Pawn\"; v1 \"a\";",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c1 \"two\"; c0 \"one\"; eco \"B00\";",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c0; v0 \"Open Game\"; eco \"C20\"; sm Nf3;",
            "4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 60; nic \"X\";",
            "4k3/8/8/8/4P3/8/8/4K3 b - -",
        ];
        let games = games_of(&records);
        assert_eq!(games.len(), 2, "{games:?}");
        let moves = |game: &str| game.rsplit("\n\n").nth(1).map(str::to_owned);
        assert_eq!(moves(&games[0]).as_deref(), Some("{start} 1. e4 {one} {two} 1... e5 2. Nf3 *"));
        for tag in ["[Event \"first\"]", "[ECO \"C20\"]", "[Opening \"Open Game\"]"] {
            assert!(games[0].contains(tag), "{}", games[0]);
        }
        assert!(!games[0].contains("[Variation"), "a name clears those below it: {}", games[0]);
        assert_eq!(moves(&games[1]).as_deref(), Some("60. e4 *"));
        assert!(games[1].contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 60\"]"));
    }

    #[test]
    fn evaluations_and_lines_of_an_analysis_are_operations() {
        let text = "1. e4 {[%eval 0.31,18]} 1... f6 {[%eval 1.20]} 2. d4 {[%eval 1.1]} (2. Nc3 {[%eval 0.9,12]} g5 3. d4) \
                    2... g5 {[%eval #1] lost} (2... e6 {better}) 3. Qh5# {[%eval #0]} *";
        let (game, errors) = Game::read(text.as_bytes()).expect("a text").expect("a game");
        assert!(errors.is_empty());
        let records = records_of(&game);
        let has = |index: usize, text: &str| records[index].to_string().contains(text);
        assert!(!has(0, "ce ") && !has(0, "pv "), "{}", records[0]);
        assert!(has(1, " acd 18; ") && has(1, " ce -31;"), "{}", records[1]);
        assert!(has(2, " ce 120;") && has(2, " pv Nc3 g5 d4;") && !has(2, "acd"), "{}", records[2]);
        // A variation without an evaluation is not an analysis.
        assert!(has(3, " ce -110;") && !has(3, "pv "), "{}", records[3]);
        assert!(has(4, " ce 32766;") && has(4, "lost"), "{}", records[4]);
        assert!(!has(5, "ce "), "{}", records[5]);
        let mate = |moves, turn| {
            evaluation(EvaluationScore::Mate(moves), turn).and_then(CentipawnEvaluation::mate_plies)
        };
        assert_eq!(mate(2, Color::White), Some(3));
        assert_eq!(mate(2, Color::Black), Some(-4));
        assert_eq!(mate(-1, Color::Black), Some(1));
        assert_eq!(mate(-3, Color::White), Some(-6));
        assert_eq!(mate(i32::MIN, Color::Black), None);
        assert_eq!(evaluation(EvaluationScore::Centipawns(40_000), Color::White), None);
    }

    #[test]
    fn games_become_records_and_games_again() {
        let text = "[Event \"?\"]\n[ECO \"A00\"]\n[Opening \"Name\"]\n\n{start} 1. Nf3 {a} {b \"quoted\"} 1... Nf6 2. Ng1 Ng8 *";
        let mut builder = GameBuilder::new();
        assert!(Reader::new(text.as_bytes()).read_game(&mut builder).expect("it is in memory"));
        let records: Vec<String> = records_of(builder.game()).iter().map(ToString::to_string).collect();
        assert_eq!(records.len(), 5);
        assert!(records[0].ends_with("c0 \"start\"; eco \"A00\"; v0 \"Name\";"), "{}", records[0]);
        assert!(records[2].contains(" c0; "), "{}", records[2]);
        assert!(records[4].contains("rc 2;"), "{}", records[4]);
        let lines: Vec<&str> = records.iter().map(|record| &**record).collect();
        let again = games_of(&lines);
        assert_eq!(again.len(), 1);
        assert!(again[0].contains("[Opening \"Name\"]"));
        let moves = again[0].rsplit("\n\n").nth(1).expect("moves").replace('\n', " ");
        let expected = Export::new().game(builder.game());
        assert_eq!(moves, expected.rsplit("\n\n").nth(1).expect("moves").replace('\n', " "));
    }
}
