//! Games and their positions as tables for other tools, in Parquet files.

use super::columnar::{Rows, Schema, TableWriter};
use super::query::is_unknown;
use super::tally::rating;
use crate::chess::{Color, Position, Role};
use crate::notation::eco::{is_chosen, opening};
use crate::notation::pgn::{Command, EvaluationScore, Game, NodeId, castling_style, commands};
use crate::notation::{Fen, UciMove};
use once_cell::sync::Lazy;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// The table with a row for each game.
static GAMES: Lazy<Schema> = Lazy::new(|| {
    Schema::new(
        "message games {
            required int64 game;
            required binary game_id (STRING);
            required binary source (STRING);
            optional binary event (STRING);
            optional binary site (STRING);
            optional binary date (STRING);
            optional int32 year;
            optional int32 month;
            optional int32 day;
            optional binary round (STRING);
            optional binary white (STRING);
            optional binary black (STRING);
            optional binary result (STRING);
            optional int32 white_elo;
            optional int32 black_elo;
            optional binary white_title (STRING);
            optional binary black_title (STRING);
            optional binary white_team (STRING);
            optional binary black_team (STRING);
            optional binary eco (STRING);
            optional binary opening (STRING);
            optional binary variation (STRING);
            optional binary event_date (STRING);
            optional binary utc_date (STRING);
            optional binary utc_time (STRING);
            optional binary time_control (STRING);
            optional binary termination (STRING);
            optional binary annotator (STRING);
            optional int32 ply_count;
            optional binary fen (STRING);
            required group moves (LIST) {
                repeated group list { required binary element (STRING); }
            }
            required group tags (MAP) {
                repeated group key_value {
                    required binary key (STRING);
                    required binary value (STRING);
                }
            }
        }",
    )
});

/// The table with a row for each position of the main line of each game.
static POSITIONS: Lazy<Schema> = Lazy::new(|| {
    Schema::new(
        "message positions {
            required int64 game;
            required binary game_id (STRING);
            optional int32 ply;
            required int64 key;
            optional binary move (STRING);
            optional double clock;
            optional int32 evaluation;
            optional int32 mate;
            optional binary material (STRING);
        }",
    )
});

/// The tags with columns of their own; all others are in the map.
const COLUMN_TAGS: [&str; 25] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "WhiteTeam",
    "BlackTeam",
    "ECO",
    "Opening",
    "Variation",
    "EventDate",
    "UTCDate",
    "UTCTime",
    "TimeControl",
    "Termination",
    "Annotator",
    "PlyCount",
    "FEN",
    "SetUp",
];

/// The maximum number of games in a file.
const FILE_GAMES: u64 = 1_000_000;
/// The number of rows of a group, which are held in memory: a few dozen megabytes.
const GROUP_GAMES: usize = 1 << 16;
const GROUP_POSITIONS: usize = 1 << 19;
/// The number of rows that are passed on at a time.
const BATCH_GAMES: usize = 1 << 10;
const BATCH_POSITIONS: usize = 1 << 14;

/// The rows of a batch of games.
pub struct GameRows {
    games: Rows,
    positions: Rows,
    // Buffers that are reused for each game:
    identity: String,
    moves: Vec<String>,
    material: Material,
}

impl Default for GameRows {
    fn default() -> Self {
        Self {
            games: Rows::new(&GAMES),
            positions: Rows::new(&POSITIONS),
            identity: String::new(),
            moves: Vec::new(),
            material: Material::default(),
        }
    }
}

impl GameRows {
    /// Adds a game from a file with this name. `has_moves` states whether its moves have been read, which the game
    /// itself does not show.
    pub fn add(&mut self, game: &Game, has_moves: bool, source: &str) {
        let castling = castling_style(game);
        self.moves.clear();
        let nodes = game.mainline().filter(|_| has_moves);
        self.moves.extend(nodes.map(|node| {
            let mv = game.mv(node).map_or(UciMove::Null, |mv| UciMove::new(mv, castling));
            mv.to_string()
        }));
        let id = self.id(game);
        let number = self.games.len() as i64;
        let mut named = None;
        if has_moves {
            let mut position = *game.start();
            named = opening(&position);
            let mut ply = 0;
            for (node, text) in game.mainline().zip(&self.moves) {
                let marks = Marks::of(game, node);
                let row = (number, &*id, ply);
                add_position(
                    &mut self.positions,
                    row,
                    &position,
                    self.material.of(&position),
                    Some((text, marks)),
                );
                position = match game.mv(node) {
                    Some(mv) => position.after(mv).0,
                    None => position.after_null(),
                };
                named = opening(&position).or(named);
                ply += 1;
            }
            let row = (number, &*id, ply);
            add_position(&mut self.positions, row, &position, self.material.of(&position), None);
        }
        let tag = |name: &str| game.tags.get(name).map(str::trim).filter(|value| !is_unknown(value));
        let rating_of = |name: &str| tag(name).and_then(rating).map(i32::from);
        let (year, month, day) = game.tags.date().unwrap_or_default().numbers();
        let within = |value: i32, most: i32| Some(value).filter(|value| (1..=most).contains(value));
        let code = named.map(|opening| opening.code().to_string());
        // If no tag states the opening, its name and variation are determined together by the moves.
        let is_stated = |_: &&str| !is_chosen() || named.is_none();
        let (name, variation) = match (tag("Opening").filter(is_stated), named) {
            (None, Some(named)) => (Some(named.family()), named.variation()),
            (name, _) => (name, tag("Variation")),
        };
        let fen = if !has_moves {
            tag("FEN").map(str::to_owned)
        } else {
            game.is_set_up().then(|| game.fen().to_string())
        };
        let others: Vec<(&str, &str)> =
            game.tags.iter().filter(|(name, _)| !COLUMN_TAGS.contains(name)).collect();
        let mut row = self.games.row();
        row.long(number).text(Some(&id)).text(Some(source)).text(tag("Event")).text(tag("Site"));
        row.text(tag("Date")).integer(within(year.into(), i32::from(u16::MAX)));
        row.integer(within(month.into(), MONTHS)).integer(within(day.into(), DAYS));
        row.text(tag("Round")).text(tag("White")).text(tag("Black")).text(Some(game.result.as_str()));
        row.integer(rating_of("WhiteElo")).integer(rating_of("BlackElo"));
        row.text(tag("WhiteTitle")).text(tag("BlackTitle")).text(tag("WhiteTeam")).text(tag("BlackTeam"));
        row.text(tag("ECO").filter(is_stated).or(code.as_deref())).text(name).text(variation);
        row.text(tag("EventDate")).text(tag("UTCDate")).text(tag("UTCTime"));
        row.text(tag("TimeControl")).text(tag("Termination")).text(tag("Annotator"));
        row.integer(has_moves.then(|| i32::try_from(self.moves.len()).unwrap_or(i32::MAX)));
        row.text(fen.as_deref()).list(self.moves.iter().map(|text| &**text));
        row.list(others.iter().map(|(name, _)| *name)).list(others.iter().map(|(_, value)| *value));
    }

    /// The identity of a game: the XXH3 hash of its tags in the order of their names, its initial position, its moves
    /// and its result, each on a line.
    fn id(&mut self, game: &Game) -> String {
        let mut tags: Vec<(&str, &str)> = game.tags.iter().collect();
        tags.sort_unstable();
        let text = &mut self.identity;
        text.clear();
        // Writing to a string cannot fail.
        for (name, value) in tags {
            let _ = writeln!(text, "{name}\t{value}");
        }
        let _ = writeln!(text, "\n{}\n{}", Fen::new(game.start()), self.moves.join(" "));
        if !game.unread().is_empty() {
            let _ = writeln!(text, "{}", game.unread());
        }
        let _ = writeln!(text, "{}", game.result.as_str());
        format!("{:032x}", xxh3_128(text.as_bytes()))
    }

    /// Whether the batch is full and must be passed on.
    pub const fn is_full(&self) -> bool {
        self.games.len() >= BATCH_GAMES || self.positions.len() >= BATCH_POSITIONS
    }
}

const MONTHS: i32 = 12;
const DAYS: i32 = 31;

/// Adds a position with the number and the identity of its game, the ply, and the move played in it.
fn add_position(
    rows: &mut Rows,
    (game, id, ply): (i64, &str, i32),
    position: &Position,
    material: &str,
    played: Option<(&String, Marks)>,
) {
    let (text, marks) = played.map_or((None, Marks::default()), |(text, marks)| (Some(&**text), marks));
    let mut row = rows.row();
    // The bits of the key as a signed number, since some tools do not support unsigned numbers.
    row.long(game).text(Some(id)).integer(Some(ply)).long(position.key().bits().cast_signed());
    row.text(text).real(marks.clock).integer(marks.evaluation).integer(marks.mate).text(Some(material));
}

/// The values of the commands in the comments on a move.
#[derive(Clone, Copy, Default)]
struct Marks {
    /// The clock, in seconds.
    clock: Option<f64>,
    /// The evaluation in centipawns, from White's point of view.
    evaluation: Option<i32>,
    /// The number of moves to mate, positive if White mates.
    mate: Option<i32>,
}

impl Marks {
    fn of(game: &Game, node: NodeId) -> Self {
        let mut marks = Self::default();
        for command in game.comments(node).flat_map(commands) {
            match command {
                Command::Clock(left) => marks.clock = marks.clock.or(Some(left.as_secs_f64())),
                Command::Evaluation(found) if marks.evaluation.or(marks.mate).is_none() => {
                    match found.score {
                        EvaluationScore::Centipawns(score) => marks.evaluation = Some(score),
                        EvaluationScore::Mate(moves) => marks.mate = Some(moves),
                    }
                }
                _ => {}
            }
        }
        marks
    }
}

/// The material of the last position: few moves change it.
#[derive(Default)]
struct Material {
    counts: [u32; Color::COUNT * Role::COUNT],
    text: String,
}

impl Material {
    /// The pieces of a position, White's first, each side's from the king to the pawns.
    fn of(&mut self, position: &Position) -> &str {
        let men = || {
            Color::ALL
                .into_iter()
                .flat_map(|color| Role::ALL.into_iter().rev().map(move |role| (color, role)))
        };
        let mut counts = [0; Color::COUNT * Role::COUNT];
        for (count, (color, role)) in counts.iter_mut().zip(men()) {
            *count = position.pieces(color, role).count();
        }
        if counts != self.counts {
            self.text.clear();
            for (count, (color, role)) in counts.iter().zip(men()) {
                if color == Color::Black && role == Role::King {
                    self.text.push('v');
                }
                let letter = role.letter().to_ascii_uppercase();
                self.text.extend(std::iter::repeat_n(letter, *count as usize));
            }
            self.counts = counts;
        }
        &self.text
    }
}

/// A folder with the tables `games` and `positions`.
pub struct ParquetTables {
    games: TableWriter,
    positions: TableWriter,
    /// The number of games added, and the number in the current file.
    count: u64,
    file_count: u64,
    file_games: u64,
}

impl ParquetTables {
    /// Starts to write to a folder, which must not contain such tables. The files get their final names in
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    /// If the folder contains such tables.
    pub fn create(folder: &Path) -> io::Result<Self> {
        Self::with_sizes(folder, FILE_GAMES, [GROUP_GAMES, GROUP_POSITIONS])
    }

    fn with_sizes(folder: &Path, file_games: u64, groups: [usize; 2]) -> io::Result<Self> {
        let table = |name: &str| {
            let path = folder.join(name);
            if path.exists() {
                let problem = format!("{} is there, expected a folder without it", path.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, problem));
            }
            Ok(path)
        };
        let (games, positions) = (table("games")?, table("positions")?);
        Ok(Self {
            games: TableWriter::new(games, GAMES.clone(), groups[0], None),
            positions: TableWriter::new(positions, POSITIONS.clone(), groups[1], Some("key")),
            count: 0,
            file_count: 0,
            file_games,
        })
    }

    /// Adds games.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, rows: GameRows) -> io::Result<()> {
        let GameRows { mut games, mut positions, .. } = rows;
        let count = games.len() as u64;
        if self.file_count + count > self.file_games && self.file_count > 0 {
            self.games.end_file()?;
            self.positions.end_file()?;
            self.file_count = 0;
        }
        // Games are numbered from 1.
        let before = self.count.cast_signed() + 1;
        games.renumber(before);
        positions.renumber(before);
        self.count += count;
        self.file_count += count;
        self.games.add(games)?;
        self.positions.add(positions)
    }

    /// Completes all files, and returns the number of games.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self) -> io::Result<u64> {
        self.games.end()?;
        self.positions.end()?;
        self.games.commit()?;
        self.positions.commit()?;
        Ok(self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::games;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use std::fs::{self, File};

    #[test]
    fn many_files_and_groups_have_all_rows_in_their_order() {
        let folder = std::env::temp_dir().join(format!("hematite-data-set-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let mut tables = ParquetTables::with_sizes(&folder, 10, [4, 30]).expect("nothing is there");
        let text: String = (0..25)
            .map(|number| format!("[Round \"{number}\"]\n\n{} *\n\n", "1. e4 e5 ".repeat(number % 2)))
            .collect();
        for game in games(text.as_bytes()) {
            let (game, _) = game.expect("memory can be read");
            let mut rows = GameRows::default();
            rows.add(&game, true, "a.pgn");
            tables.add(rows).expect("it can be written");
        }
        assert!(!folder.join("games/000000.parquet").exists(), "a name before all is complete");
        assert_eq!(tables.finish().expect("it can be written"), 25);
        let mut found = Vec::new();
        for file in 0..3 {
            let path = folder.join(format!("games/{file:06}.parquet"));
            let reader = SerializedFileReader::new(File::open(path).expect("a file")).expect("it is whole");
            assert_eq!(reader.metadata().num_row_groups(), if file < 2 { 3 } else { 2 });
            for row in reader.get_row_iter(None).expect("rows") {
                let row = row.expect("it can be read").to_string();
                found.push(row.split(", ").next().unwrap_or_default().to_owned());
            }
        }
        let expected: Vec<String> = (1..=25).map(|number| format!("{{game: {number}")).collect();
        assert_eq!(found, expected);
        let positions = File::open(folder.join("positions/000001.parquet")).expect("a file");
        let reader = SerializedFileReader::new(positions).expect("it is whole");
        assert_eq!(reader.metadata().file_metadata().num_rows(), 20);
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
