//! Puzzles as text: read from rows of a table, EPD records and games, and written as these and as JSON.

use super::{Claim, Origin, Puzzle, Rating};
use crate::chess::{Color, Move};
use crate::files::csv_field;
use crate::notation::pgn::{Game, GameResult, NodeId, SEVEN_TAG_ROSTER};
use crate::notation::{
    CastlingStyle, Epd, Excerpt, Fen, Operand, Operation, PositionError, San, UciMove, UciMoveError,
    parse_san, parse_uci_move, repair_fen,
};
use serde_json::{Value, json};
use std::num::NonZeroU16;
use thiserror::Error;

/// The columns of lichess's puzzle file.
const CSV_HEADER: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

/// The tags that describe a problem.
const TAG_ID: &str = "PuzzleId";
const TAG_THEMES: &str = "PuzzleThemes";
const TAG_MATE: &str = "PuzzleMate";
const TAG_RATING: &str = "PuzzleRating";
const TAG_DEVIATION: &str = "PuzzleRatingDeviation";
const TAG_NODES: &str = "PuzzleNodes";
const TAG_SOURCE: &str = "PuzzleSource";
const TAG_URL: &str = "PuzzleUrl";
const TAG_OPENING: &str = "PuzzleOpening";
const TAG_LEAD_FEN: &str = "LeadFEN";
const TAG_LEAD_MOVE: &str = "LeadMove";

/// Hematite's own EPD opcodes start with a capital letter, as the standard requires (16.2.4.2).
const OPCODE_THEMES: &str = "Themes";
const OPCODE_RATING: &str = "Rating";
/// The opcode of the standard for the number of nodes of an analysis.
const OPCODE_NODES: &str = "acn";
/// Other solutions at later moves, as `2:h1h8`: the number of plies before the move, and the move.
const OPCODE_ALTERNATIVES: &str = "Alternatives";

/// The reason why a record is not a puzzle.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A column is missing.
    #[error("found no column {0}, expected it after PuzzleId or in the first line")]
    Column(&'static str),
    /// A position is invalid.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move is invalid.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move in the list of moves.
        number: usize,
        /// The problem.
        #[source]
        error: UciMoveError,
    },
    /// There are too few moves.
    #[error("found {0}, expected the opponent's move and one that solves the puzzle")]
    Moves(Excerpt),
}

/// The columns of a table, by which fields are found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns(Vec<String>);

impl Default for Columns {
    /// The columns of lichess's puzzle file.
    fn default() -> Self {
        Self(CSV_HEADER.split(',').map(str::to_owned).collect())
    }
}

impl Columns {
    /// The columns of a first line; `None` if it is not a header.
    pub fn of_header(line: &str) -> Option<Self> {
        let names = fields(line);
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        (has("FEN") && has("Moves")).then_some(Self(names))
    }

    /// The first line of a table with these columns.
    pub fn header(&self) -> String {
        joined(self.0.iter().map(String::as_str))
    }

    /// A row of a table with the columns `from` as a row with these columns, which finds its fields by the names.
    pub fn fit(&self, row: &str, from: &Self) -> String {
        let row = fields(row);
        let field = |name: &String| {
            let index = from.0.iter().position(|column| column == name)?;
            row.get(index).map(String::as_str)
        };
        joined(self.0.iter().map(|name| field(name).unwrap_or_default()))
    }

    /// The names of the columns `other` that are missing here.
    pub fn missing<'a>(&self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        other.0.iter().filter(|name| !self.0.contains(name)).map(String::as_str)
    }

    fn get<'a>(&self, row: &'a [String], name: &'static str) -> Option<&'a str> {
        let index = self.0.iter().position(|column| column == name)?;
        row.get(index).map(|field| field.trim()).filter(|field| !field.is_empty())
    }
}

/// A line of a table with these fields.
fn joined<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    fields.map(csv_field).collect::<Vec<_>>().join(",")
}

/// The fields of a line of a table (<https://www.rfc-editor.org/rfc/rfc4180>). Fields do not contain line ends.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.trim_end_matches(['\r', '\n']).chars().peekable();
    while let Some(letter) = letters.next() {
        let field = fields.last_mut().expect("there is a first field");
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' if is_quoted || field.is_empty() => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => field.push(letter),
        }
    }
    fields
}

/// The claim of a row of lichess's puzzle file: the first of its moves is the opponent's and leads to the puzzle.
///
/// # Errors
/// [`RecordError`] if a column is missing, or the position or a move is invalid.
pub fn claim_of_row(line: &str, columns: &Columns) -> Result<Claim, RecordError> {
    let row = fields(line);
    let get = |name| columns.get(&row, name);
    let before = repair_fen(get("FEN").ok_or(RecordError::Column("FEN"))?)?.position;
    let text = get("Moves").ok_or(RecordError::Column("Moves"))?;
    let mut moves = Vec::new();
    let mut position = before;
    for (index, word) in text.split_whitespace().enumerate() {
        let mv = parse_uci_move(word, &position)
            .map_err(|error| RecordError::Move { number: index + 1, error })?;
        position = position.after(mv).0;
        moves.push(mv);
    }
    let [lead, moves @ ..] = &*moves else { return Err(RecordError::Moves(Excerpt::new(text))) };
    if moves.is_empty() {
        return Err(RecordError::Moves(Excerpt::new(text)));
    }
    let number = |name| get(name).and_then(|text| text.parse().ok());
    let puzzle = Puzzle::new(before.after(*lead).0, moves.to_vec()).expect("the moves have been played");
    Ok(Claim::Line(Box::new(Puzzle {
        id: get("PuzzleId").unwrap_or_default().to_owned(),
        lead: Some((before, *lead)),
        themes: get("Themes").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        rating: number("Rating")
            .map(|elo| Rating { elo, deviation: number("RatingDeviation").unwrap_or_default() }),
        origin: Origin {
            url: get("GameUrl").map(str::to_owned),
            opening_tags: get("OpeningTags").map(str::to_owned),
            ..Origin::default()
        },
        ..puzzle
    })))
}

/// A row of lichess's puzzle file; `None` if the move before the puzzle is unknown, since a row starts with it.
pub fn to_csv(puzzle: &Puzzle) -> Option<String> {
    let (before, lead) = puzzle.lead?;
    let moves: Vec<String> = std::iter::once(lead).chain(puzzle.moves.iter().copied()).map(uci).collect();
    let rating = puzzle.rating.map(|rating| rating.elo.to_string()).unwrap_or_default();
    let deviation = puzzle.rating.map(|rating| rating.deviation.to_string()).unwrap_or_default();
    let text = |text: &Option<String>| csv_field(text.as_deref().unwrap_or_default());
    // The columns of plays have no data yet.
    Some(format!(
        "{},{},{},{rating},{deviation},0,0,{},{},{}",
        csv_field(&puzzle.id),
        Fen::new(&before),
        moves.join(" "),
        csv_field(&puzzle.themes.join(" ")),
        text(&puzzle.origin.url),
        text(&puzzle.origin.opening_tags),
    ))
}

fn uci(mv: Move) -> String {
    UciMove::new(mv, CastlingStyle::Standard).to_string()
}

/// The claim of a record: if it has the opcode of themes, its variation is the line of a puzzle; otherwise `bm` and
/// `dm` count. `None` if the record claims nothing.
pub fn claim_of_epd(epd: &Epd) -> Option<Claim> {
    if has_line(epd) {
        return Some(Claim::Line(Box::new(puzzle_of_epd(epd)?)));
    }
    let (best, mate) = (epd.best_moves().to_vec(), epd.direct_mate().map(usize::from));
    let position = Box::new(*epd.position());
    (!best.is_empty() || mate.is_some()).then_some(Claim::Moves { position, best, mate })
}

/// The first operand of one of Hematite's own operations.
fn own_operand<'a>(epd: &'a Epd, opcode: &str) -> Option<&'a str> {
    match epd.operation(opcode) {
        Some(Operation::Other { operands, .. }) => operands.first().map(Operand::text),
        _ => None,
    }
}

/// Whether the variation of a record is the line of a puzzle.
fn has_line(epd: &Epd) -> bool {
    own_operand(epd, OPCODE_THEMES).is_some() && !epd.predicted_variation().is_empty()
}

/// The puzzle of a record: its line is the variation if the record has the opcode of themes, and otherwise the first of
/// the best moves. The other best moves are alternatives. `None` if the record claims nothing.
pub fn puzzle_of_epd(epd: &Epd) -> Option<Puzzle> {
    let (best, mate) = (epd.best_moves(), epd.direct_mate().map(usize::from));
    let line = if has_line(epd) { epd.predicted_variation() } else { &best[..best.len().min(1)] };
    if line.is_empty() && mate.is_none() {
        return None;
    }
    let puzzle = Puzzle::new(*epd.position(), line.to_vec()).ok()?;
    let mut alternatives: Vec<(usize, Move)> =
        best.iter().filter(|&mv| line.first() != Some(mv)).map(|&mv| (0, mv)).collect();
    if has_line(epd) {
        alternatives.extend(later_alternatives(epd, line));
    }
    let is_mate_open = !has_line(epd) && !puzzle.end().is_checkmate();
    let themes = own_operand(epd, OPCODE_THEMES).unwrap_or_default();
    Some(Puzzle {
        id: epd.id().unwrap_or_default().to_owned(),
        alternatives,
        stated_mate: mate.filter(|_| is_mate_open),
        themes: themes.split_whitespace().map(str::to_owned).collect(),
        rating: own_operand(epd, OPCODE_RATING)
            .and_then(|elo| elo.parse().ok())
            .map(|elo| Rating { elo, deviation: 0 }),
        nodes: match epd.operation(OPCODE_NODES) {
            Some(Operation::AnalysisNodes(nodes)) => Some(*nodes),
            _ => None,
        },
        ..puzzle
    })
}

/// The other solutions that a record states for later moves of its line; what is none is left out.
fn later_alternatives(epd: &Epd, line: &[Move]) -> Vec<(usize, Move)> {
    let stated = own_operand(epd, OPCODE_ALTERNATIVES).unwrap_or_default();
    let alternative = |word: &str| {
        let (ply, mv) = word.split_once(':')?;
        let ply: usize = ply.parse().ok().filter(|&ply| ply > 0)?;
        let position = line.get(..ply)?.iter().fold(*epd.position(), |position, &mv| position.after(mv).0);
        Some((ply, parse_uci_move(mv, &position).ok()?))
    };
    stated.split_whitespace().filter_map(alternative).collect()
}

/// The puzzle as an EPD record.
pub fn to_epd(puzzle: &Puzzle) -> Epd {
    let mut epd = Epd::new(puzzle.start);
    let best: Vec<Move> = puzzle.moves.first().copied().into_iter().chain(puzzle.alternatives(0)).collect();
    if !best.is_empty() {
        epd.set(Operation::BestMoves(best));
    }
    // The first move of a mate of which only the length is stated is not its line.
    if let Some(&first) = puzzle.moves.first().filter(|_| puzzle.stated_mate.is_none()) {
        epd.set(Operation::PredictedVariation(puzzle.moves.clone()));
        epd.set(Operation::PredictedMove(first));
    }
    let mate = puzzle.mate_in().and_then(|moves| u16::try_from(moves).ok()).and_then(NonZeroU16::new);
    if let Some(mate) = mate {
        epd.set(Operation::DirectMate(mate));
    }
    if !puzzle.id.is_empty() {
        epd.set(Operation::Id(puzzle.id.clone()));
    }
    if let Some(nodes) = puzzle.nodes {
        epd.set(Operation::AnalysisNodes(nodes));
    }
    let later: Vec<String> = puzzle
        .alternatives
        .iter()
        .filter(|(ply, _)| *ply > 0)
        .map(|&(ply, mv)| format!("{ply}:{}", uci(mv)))
        .collect();
    if !later.is_empty() {
        let operands = vec![Operand::Text(later.join(" "))];
        epd.set(Operation::Other { opcode: OPCODE_ALTERNATIVES.to_owned(), operands });
    }
    if !puzzle.themes.is_empty() {
        let operands = vec![Operand::Text(puzzle.themes.join(" "))];
        epd.set(Operation::Other { opcode: OPCODE_THEMES.to_owned(), operands });
    }
    if let Some(rating) = puzzle.rating {
        let operands = vec![Operand::Word(rating.elo.to_string())];
        epd.set(Operation::Other { opcode: OPCODE_RATING.to_owned(), operands });
    }
    epd
}

/// The problem that a game represents; `None` if it starts from the initial position. The main line is the solution,
/// and variations on the solver's moves are alternative solutions.
pub fn problem_of_game(game: &Game) -> Option<Puzzle> {
    if !game.is_set_up() {
        return None;
    }
    let tag = |name: &str| game.tags.get(name).filter(|value| !value.is_empty());
    let (mut moves, mut alternatives) = (Vec::new(), Vec::new());
    for (ply, node) in game.mainline().enumerate() {
        let Some(mv) = game.mv(node) else { break };
        moves.push(mv);
        if ply.is_multiple_of(2) {
            let others =
                std::iter::successors(game.next_alternative(node), |&node| game.next_alternative(node));
            alternatives.extend(others.filter_map(|node| Some((ply, game.mv(node)?))));
        }
    }
    let lead = || {
        let before = repair_fen(tag(TAG_LEAD_FEN)?).ok()?.position;
        let mv = parse_san(tag(TAG_LEAD_MOVE)?, &before).ok()?.mv()?;
        (before.after(mv).0.key() == game.start().key()).then_some((before, mv))
    };
    let kept =
        |name: &str| !name.starts_with("Puzzle") && !name.starts_with("Lead") && !BY_GAME.contains(&name);
    let puzzle = Puzzle::new(*game.start(), moves).ok()?;
    let is_mate_open = puzzle.moves.len() <= 1 && !puzzle.end().is_checkmate();
    Some(Puzzle {
        id: tag(TAG_ID).unwrap_or_default().to_owned(),
        lead: lead(),
        alternatives,
        stated_mate: tag(TAG_MATE)
            .and_then(|moves| moves.parse::<NonZeroU16>().ok())
            .filter(|_| is_mate_open)
            .map(|moves| moves.get().into()),
        themes: tag(TAG_THEMES).unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        rating: tag(TAG_RATING).and_then(|elo| elo.parse().ok()).map(|elo| Rating {
            elo,
            deviation: tag(TAG_DEVIATION).and_then(|text| text.parse().ok()).unwrap_or_default(),
        }),
        nodes: tag(TAG_NODES).and_then(|nodes| nodes.parse().ok()),
        origin: Origin {
            tags: game
                .tags
                .iter()
                .filter(|(name, value)| kept(name) && !SEVEN_TAG_ROSTER.contains(&(*name, *value)))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            url: tag(TAG_URL).map(str::to_owned),
            opening_tags: tag(TAG_OPENING).map(str::to_owned),
            // The text of the source also contains the number of the game and the ply.
            file: tag(TAG_SOURCE).map(str::to_owned),
            ..Origin::default()
        },
        ..puzzle
    })
}

/// The tags that are written from the game itself.
const BY_GAME: [&str; 3] = ["SetUp", "FEN", "Result"];

/// The puzzle as a game from its position: the solution is the main line, and alternatives are variations.
pub fn to_game(puzzle: &Puzzle) -> Game {
    let mut game = Game::new(puzzle.start);
    for (name, value) in &puzzle.origin.tags {
        game.tags.set(name.clone(), value.clone());
    }
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            game.tags.set(name, value);
        }
    };
    set(TAG_ID, Some(puzzle.id.clone()));
    set(TAG_THEMES, Some(puzzle.themes.join(" ")));
    set(TAG_MATE, puzzle.stated_mate.map(|moves| moves.to_string()));
    set(TAG_RATING, puzzle.rating.map(|rating| rating.elo.to_string()));
    set(TAG_DEVIATION, puzzle.rating.map(|rating| rating.deviation.to_string()));
    set(TAG_NODES, puzzle.nodes.map(|nodes| nodes.to_string()));
    set(TAG_SOURCE, source(&puzzle.origin));
    set(TAG_URL, puzzle.origin.url.clone());
    set(TAG_OPENING, puzzle.origin.opening_tags.clone());
    set(TAG_LEAD_FEN, puzzle.lead.map(|(before, _)| Fen::new(&before).to_string()));
    set(TAG_LEAD_MOVE, puzzle.lead.map(|(before, mv)| San::new(&before, mv).to_string()));
    game.result = match puzzle.mate_in() {
        Some(_) => GameResult::win(puzzle.start.turn()),
        None => GameResult::Unknown,
    };
    let nodes = game.add_line(NodeId::ROOT, puzzle.moves.iter().copied()).unwrap_or_default();
    for &(ply, mv) in &puzzle.alternatives {
        let parent = ply.checked_sub(1).map_or(Some(NodeId::ROOT), |before| nodes.get(before).copied());
        if let Some(parent) = parent {
            // An illegal alternative is left out.
            let _ = game.add_line(parent, [mv]);
        }
    }
    game
}

/// The file, the number of the game, and the plies before the puzzle, such as `games.pgn#3, ply 24`.
fn source(origin: &Origin) -> Option<String> {
    let file = origin.file.as_ref()?;
    Some(match (origin.game, origin.ply) {
        (Some(game), Some(ply)) => format!("{file}#{game}, ply {ply}"),
        (Some(game), None) => format!("{file}#{game}"),
        _ => file.clone(),
    })
}

/// The puzzle as a JSON object.
pub fn json(puzzle: &Puzzle) -> Value {
    let mut position = puzzle.start;
    let mut san = Vec::new();
    for &mv in &puzzle.moves {
        san.push(San::new(&position, mv).to_string());
        position = position.after(mv).0;
    }
    let alternatives: Vec<Value> =
        puzzle.alternatives.iter().map(|&(ply, mv)| json!({ "ply": ply, "move": uci(mv) })).collect();
    let tags: serde_json::Map<String, Value> =
        puzzle.origin.tags.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    json!({
        "id": puzzle.id,
        "fen": Fen::new(&puzzle.start).to_string(),
        "solver": if puzzle.start.turn() == Color::White { "white" } else { "black" },
        "task": puzzle.task(),
        "mate": puzzle.mate_in(),
        "moves": puzzle.moves.iter().map(|&mv| uci(mv)).collect::<Vec<_>>(),
        "san": san,
        "alternatives": alternatives,
        "themes": puzzle.themes,
        "rating": puzzle.rating,
        "nodes": puzzle.nodes,
        "lead": puzzle.lead.map(|(before, mv)| json!({
            "fen": Fen::new(&before).to_string(),
            "move": uci(mv),
            "san": San::new(&before, mv).to_string(),
        })),
        "file": puzzle.origin.file,
        "game": puzzle.origin.game,
        "ply": puzzle.origin.ply,
        "url": puzzle.origin.url,
        "tags": tags,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_epd;
    use crate::notation::pgn::Export;

    /// An invented row in the columns of lichess's puzzle file.
    const ROW: &str = "abc,6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 3 30,h7h6 d1d8 g8h7 d8d7,1200,75,0,0,endgame short,https://example.org/x#60,";

    fn puzzle() -> Puzzle {
        match claim_of_row(ROW, &Columns::default()) {
            Ok(Claim::Line(puzzle)) => *puzzle,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rows_are_read_and_written_back() {
        let found = puzzle();
        assert_eq!(found.start.turn(), Color::White);
        assert_eq!(found.moves.len(), 3);
        assert_eq!(found.rating, Some(Rating { elo: 1200, deviation: 75 }));
        assert_eq!(to_csv(&found).as_deref(), Some(ROW));
        assert_eq!(to_csv(&Puzzle { lead: None, ..found }), None);
    }

    #[test]
    fn columns_have_names_or_an_order() {
        let columns = Columns::of_header("Moves,Themes,FEN").expect("it is a header");
        let row = "a2a3 h7h6,\"one, two\",4k3/7p/8/8/8/8/P7/4K3 w - - 0 1";
        let Ok(Claim::Line(found)) = claim_of_row(row, &columns) else { panic!("it is a row") };
        assert_eq!((found.moves.len(), found.themes), (1, vec!["one,".to_owned(), "two".to_owned()]));
        assert_eq!(Columns::of_header(ROW), None);
    }

    #[test]
    fn wrong_rows_are_refused() {
        let cases = [
            ("", "found no column FEN"),
            ("x,8/8/8/8/8/8/8/8 w - - 0 1,e2e4", "king"),
            ("x,4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "found no column Moves"),
            ("x,4k3/8/8/8/8/8/P7/4K3 w - - 0 1,a2a3", "expected the opponent's move"),
            ("x,4k3/8/8/8/8/8/P7/4K3 w - - 0 1,a2a3 e8e6", "move 2: "),
            ("x,4k3/8/8/8/8/8/P7/4K3 w - - 0 1,a2a9 e8e6", "move 1: "),
        ];
        for (row, expected) in cases {
            let error = claim_of_row(row, &Columns::default()).expect_err(row).to_string();
            assert!(error.contains(expected), "{row}: {error}");
        }
    }

    #[test]
    fn records_and_games_say_the_same() {
        let mut expected = puzzle();
        expected.alternatives = vec![(2, expected.start.after(expected.moves[0]).0.legal_moves()[0])];
        let second = expected.start.after(expected.moves[0]).0.after(expected.moves[1]).0;
        let other = second.legal_moves().into_iter().find(|&mv| mv != expected.moves[2]).expect("a move");
        expected.alternatives = vec![(2, other)];
        let text = Export::new().game(&to_game(&expected));
        let (game, errors) = Game::read(text.as_bytes()).expect("memory").expect("a game");
        assert!(errors.is_empty(), "{errors:?}\n{text}");
        let found = problem_of_game(&game).expect("a problem");
        assert_eq!(json(&found), json(&expected), "{text}");
        assert_eq!(found.lead, expected.lead);
        assert_eq!(to_csv(&found).as_deref(), Some(ROW));
        let text = to_epd(&expected).to_string();
        let Some(Claim::Line(found)) = claim_of_epd(&parse_epd(&text).expect("a record")) else {
            panic!("{text}")
        };
        assert_eq!(
            (found.start, &found.moves, &found.themes, &found.alternatives),
            (expected.start, &expected.moves, &expected.themes, &expected.alternatives)
        );
    }

    /// With themes, the best moves that do not start the variation are alternatives.
    #[test]
    fn other_best_moves_are_alternatives() {
        let text = "k7/8/2K5/8/8/8/8/7R w - - bm Kb6 Kc7; pv Kb6 Kb8 Rh8#; Themes \"mate\"; acn 5;";
        let Some(Claim::Line(found)) = claim_of_epd(&parse_epd(text).expect("a record")) else {
            panic!("{text}")
        };
        assert_eq!((found.moves.len(), found.alternatives.len(), found.nodes), (3, 1, Some(5)));
        assert_eq!(found.alternatives[0].0, 0);
        // Nonsense in our own operation is left out.
        for (stated, count) in [("2:h1h7", 2), ("2:h1h9 9:h1h7 x 0:h1h7 2", 1)] {
            let epd = parse_epd(&format!("{text} Alternatives \"{stated}\";")).expect("a record");
            assert_eq!(puzzle_of_epd(&epd).expect("a puzzle").alternatives.len(), count, "{stated}");
        }
    }

    /// A mate of which only the length is known has no line.
    #[test]
    fn lengths_of_mates_are_kept() {
        for (operations, moves, mate) in
            [("dm 2;", 0, Some(2)), ("bm Kb6 Kc7; dm 2;", 1, Some(2)), ("bm Kb6;", 1, None)]
        {
            let epd = parse_epd(&format!("k7/8/2K5/8/8/8/8/7R w - - {operations}")).expect("a record");
            let puzzle = puzzle_of_epd(&epd).expect("a puzzle");
            assert_eq!((puzzle.moves.len(), puzzle.mate_in()), (moves, mate), "{operations}");
            assert_eq!(to_epd(&puzzle).direct_mate().map(usize::from), mate, "{operations}");
            let found = problem_of_game(&to_game(&puzzle)).expect("a problem");
            assert_eq!((found.mate_in(), json(&found)), (mate, json(&puzzle)), "{operations}");
        }
    }

    #[test]
    fn records_claim_moves_and_mates() {
        let cases = [
            ("bm Kd2; id \"x\";", Some((1, None))),
            ("dm 3;", Some((0, Some(3)))),
            ("bm Kd2 Kf2; dm 3;", Some((2, Some(3)))),
            ("am Kd2;", None),
            ("pv Kd2;", None),
        ];
        for (operations, expected) in cases {
            let epd = parse_epd(&format!("4k3/8/8/8/8/8/8/4K2R w - - {operations}")).expect("a record");
            let found = claim_of_epd(&epd).map(|claim| match claim {
                Claim::Moves { best, mate, .. } => (best.len(), mate),
                Claim::Line(_) => panic!("{operations}"),
            });
            assert_eq!(found, expected, "{operations}");
        }
    }

    #[test]
    fn only_games_from_a_position_are_problems() {
        let (game, _) = Game::read("1. e4 e5 *".as_bytes()).expect("memory").expect("a game");
        assert!(problem_of_game(&game).is_none());
    }
}
