//! Conversion between games and sequences of EPD records, one for each position (PGN standard, section 16.2.5).
//!
//! Comments (`c0` to `c9`) and names of variations (`v0` to `v9`) are registers: an operation clears the registers of
//! its level and all below, and then sets its own. All are empty at the start of a game and stay set from one record to
//! the next, and so do the codes `eco` and `nic`. Their last values name the game. A comment belongs to the
//! position at whose record it is set, so those of earlier records are not told again.

use crate::chess::{Color, KeyHistory, Move, Position};
use crate::notation::eco::opening;
use crate::notation::pgn::{
    Command, Evaluation, EvaluationScore, Game, GameFull, NodeId, castling_style, commands,
};
use crate::notation::{CastlingStyle, CentipawnEvaluation, CommentIndex, Epd, Operation};
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
    /// The lines of an analysis, each with the position that it starts from and its evaluation.
    lines: Vec<(NodeId, Vec<Move>, Option<String>)>,
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
            lines: Vec::new(),
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
        comments.iter().flatten().try_for_each(|comment| self.game.add_comment(self.latest, comment))?;
        self.take_analysis(record)
    }

    /// Takes the evaluation of the latest position, unless a comment states one, and the line of the analysis.
    fn take_analysis(&mut self, record: &Epd) -> Result<(), GameFull> {
        let depth = match record.operation("acd") {
            Some(Operation::AnalysisDepth(depth)) => Some(*depth),
            _ => None,
        };
        let stated = match record.operation("ce") {
            Some(Operation::Evaluation(stated)) => score(*stated, self.position.turn()),
            _ => None,
        };
        let text = stated.map(|score| Command::Evaluation(Evaluation { score, depth }).to_string());
        if let (Some(text), None) = (&text, self.game.evaluation(self.latest)) {
            self.game.add_comment(self.latest, text)?;
        }
        if let Some(Operation::PredictedVariation(line)) = record.operation("pv") {
            self.lines.push((self.latest, line.clone(), text));
        }
        Ok(())
    }

    /// Adds the lines of the analysis as variations, where the game goes on with another move.
    fn add_lines(&mut self) -> Result<(), GameFull> {
        for (start, line, evaluation) in std::mem::take(&mut self.lines) {
            let played = self.game.next(start).and_then(|next| self.game.mv(next));
            if played.is_none() || line.first() == played.as_ref() {
                continue;
            }
            let mut latest = start;
            for (index, &mv) in line.iter().enumerate() {
                latest = self.game.add(latest, Some(mv))?;
                if let (0, Some(evaluation)) = (index, &evaluation) {
                    self.game.add_comment(latest, evaluation)?;
                }
            }
        }
        Ok(())
    }

    /// The name of a level as a tag; the last tag has the names of all further levels, too.
    fn name(&self, level: usize) -> Option<String> {
        let last = if level + 1 == NAMES.len() { LEVELS } else { level + 1 };
        let names: Vec<&str> = self.names[level..last].iter().flatten().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn finish(mut self) -> Result<Game, GameFull> {
        if let Some(mv) = self.supplied.filter(|&mv| self.position.is_legal(mv)) {
            self.play(mv)?;
        }
        self.add_lines()?;
        let codes = [("ECO", self.eco.take()), ("NIC", self.nic.take())];
        let names = NAMES.into_iter().enumerate().map(|(level, tag)| (tag, self.name(level)));
        let named: Vec<(&str, Option<String>)> = codes.into_iter().chain(names).collect();
        for (tag, value) in named {
            if let Some(value) = value {
                self.game.tags.set(tag, &value);
            }
        }
        if castling_style(&self.game) == CastlingStyle::Chess960 {
            self.game.tags.set("Variant", "Chess960");
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

/// The score from White's point of view that a record states for the side to move; `None` for an illegal position.
fn score(stated: CentipawnEvaluation, turn: Color) -> Option<EvaluationScore> {
    let for_white = |value: i32| if turn == Color::White { value } else { -value };
    match stated.mate_plies() {
        // The side that mates makes the last move.
        Some(plies) => Some(EvaluationScore::Mate(for_white((plies + i32::from(plies > 0)) / 2))),
        None => CentipawnEvaluation::new(-i32::from(stated.value()))
            .map(|_| EvaluationScore::Centipawns(for_white(stated.value().into()))),
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
        // A comment before a move is about the position before it.
        let before_next: Vec<&str> =
            game.next(node).map_or_else(Vec::new, |next| game.comments_before(next).collect());
        let stated =
            before_next.iter().flat_map(|comment| commands(comment)).find_map(|command| match command {
                Command::Evaluation(evaluation) => Some(evaluation),
                _ => None,
            });
        if let Some(stated) = game.evaluation(node).or(stated)
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
    fn games_of_chess960_name_their_rules() {
        let games = games_of(&["4k3/8/8/8/8/8/8/5KR1 w G - sm O-O;", "4k3/8/8/8/8/8/8/4K2R w K - sm O-O;"]);
        let has_variant: Vec<bool> =
            games.iter().map(|game| game.contains("[Variant \"Chess960\"]")).collect();
        assert_eq!(has_variant, [true, false], "{games:?}");
        assert!(games[0].contains("1. O-O"), "{}", games[0]);
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

    /// A register stays until it is cleared: a level clears those below it, and a game starts without any.
    #[test]
    fn registers_stay_until_they_are_cleared() {
        let (start, pushed) = (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
        );
        let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
        // The operations of three records, and the tags and moves of the game.
        let cases: &[([&str; 3], &[&str], &str)] = &[
            (
                ["eco \"B00\"; nic \"KP\"; v0 \"a\"; v1 \"b\";", "", ""],
                &["ECO B00", "NIC KP", "Opening a", "Variation b"],
                "1. e4 e5 *",
            ),
            (["eco \"B00\"; nic \"KP\"; v0 \"a\";", "eco; nic;", "v0;"], &[], "1. e4 e5 *"),
            (["v0 \"a\"; v1 \"b\"; v2 \"c\";", "v1 \"d\";", ""], &["Opening a", "Variation d"], "1. e4 e5 *"),
            (
                ["v0 \"a\"; v1 \"b\"; v2 \"c\"; v3 \"d\"; v9 \"e\";", "v4 \"f\";", ""],
                &["Opening a", "Variation b", "SubVariation c, d, f"],
                "1. e4 e5 *",
            ),
            (["v3 \"d\";", "v5 \"e\";", "v4;"], &["SubVariation d"], "1. e4 e5 *"),
            (["c0 \"one\"; c3 \"two\";", "", "c1 \"three\";"], &[], "{one} {two} 1. e4 e5 {three} *"),
            (
                ["c0 \"one\";", "c0; c1 \"two\"; c2; c3 \"three\";", "c0;"],
                &[],
                "{one} 1. e4 {two} {three} 1... e5 *",
            ),
        ];
        let tag_lines = |game: &str| -> Vec<String> {
            let line =
                |line: &str| Some(line.strip_prefix('[')?.strip_suffix("\"]")?.replacen(" \"", " ", 1));
            let named = ["ECO", "NIC", "Opening", "Variation", "SubVariation"];
            game.lines()
                .filter_map(line)
                .filter(|line| named.iter().any(|name| line.starts_with(&format!("{name} "))))
                .collect()
        };
        for (operations, tags, moves) in cases {
            let [a, b, c] = operations;
            // The second game has nothing of the first.
            let records = [
                format!("{start} {a}"),
                format!("{pushed} {b}"),
                format!("{open} {c}"),
                format!("{start} id \"next\";"),
                pushed.to_owned(),
            ];
            let records: Vec<&str> = records.iter().map(String::as_str).collect();
            let games = games_of(&records);
            assert_eq!(games.len(), 2, "{operations:?}");
            assert_eq!(games[0].trim_end().rsplit("\n\n").next(), Some(*moves), "{operations:?}");
            let mut found = tag_lines(&games[0]);
            found.sort();
            let mut expected: Vec<String> = tags.iter().map(|&tag| tag.to_owned()).collect();
            expected.sort();
            assert_eq!(found, expected, "{operations:?}");
            assert!(tag_lines(&games[1]).is_empty() && games[1].ends_with("\n\n1. e4 *\n\n"), "{}", games[1]);
        }
    }

    #[test]
    fn what_an_analysis_states_is_kept() {
        let records = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - acd 12; ce 31; pm d4; pv d4 d5;",
            "rnbqkbnr/pppppppp/8/8/5P2/8/PPPPP1PP/RNBQKBNR b KQkq - acd 12; ce 20; pv d5 Nf3;",
            "rnbqkbnr/ppp1pppp/8/3p4/5P2/8/PPPPP1PP/RNBQKBNR w KQkq - ce -32763;",
            "rnbqkbnr/ppp1pppp/8/3p4/5PP1/8/PPPPP2P/RNBQKBNR b KQkq - c0 \"[%eval 1.5] own\"; ce 32764; pv e5 f5;",
        ];
        let moves = |game: &str| game.trim_end().rsplit("\n\n").next().map(|moves| moves.replace('\n', " "));
        let games = games_of(&records);
        // A line that the game follows, and one behind which nothing was played, are left out.
        let expected = "{[%eval 0.31,12]} 1. f4 {[%eval -0.20,12]} (1. d4 {[%eval 0.31,12]} 1... d5) \
                        1... d5 {[%eval #-2]} 2. g4 {[%eval 1.5] own} *";
        assert_eq!(games.len(), 1);
        assert_eq!(moves(&games[0]).as_deref(), Some(expected));
        let (game, errors) = Game::read(games[0].as_bytes()).expect("a text").expect("a game");
        assert!(errors.is_empty());
        let again: Vec<String> = records_of(&game).iter().map(ToString::to_string).collect();
        assert!(
            again[0].contains("acd 12; ") && again[0].contains("ce 31;") && again[0].contains("pv d4 d5;"),
            "{}",
            again[0]
        );
        let again: Vec<&str> = again.iter().map(String::as_str).collect();
        assert_eq!(games_of(&again).first().and_then(|game| moves(game)).as_deref(), Some(expected));
        for turn in Color::ALL {
            for value in [-300, 0, 17, 32_000] {
                let stated = EvaluationScore::Centipawns(value);
                assert_eq!(evaluation(stated, turn).and_then(|stated| score(stated, turn)), Some(stated));
            }
            for moves in [-9, -2, -1, 1, 2, 9] {
                let stated = EvaluationScore::Mate(moves);
                assert_eq!(evaluation(stated, turn).and_then(|stated| score(stated, turn)), Some(stated));
            }
            assert_eq!(CentipawnEvaluation::new(-32_767).and_then(|illegal| score(illegal, turn)), None);
        }
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
