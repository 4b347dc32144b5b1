//! A game as an animation: a GIF with a frame for each position.

mod encoder;
mod palette;
mod scene;

pub use encoder::{GIF_WIDTHS_PX, GifError, MAX_FRAMES};

use super::Course;
use super::diagram::{DiagramStyle, Mark, marks_of};
use super::game_section::{SEPARATOR, event_line, known};
use super::moves::{Moves, comments_on_start, unread_end};
use crate::chess::{Color, Position, Square};
use crate::notation::pgn::{Evaluation, Game, GameResult, NodeId};
use crate::notation::{MoveNumber, PieceLetters, San};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The space between the parts of a caption.
const PART_SPACE: &str = "   ";

/// A player in the strip above or below the board.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Player {
    /// The title and the name.
    pub name: String,
    /// The rating; empty if unknown.
    pub rating: String,
}

impl Player {
    /// A player of a game; `None` if the tags do not state a name.
    fn of(game: &Game, color: Color) -> Option<Self> {
        let (title, elo) = match color {
            Color::White => ("WhiteTitle", "WhiteElo"),
            Color::Black => ("BlackTitle", "BlackElo"),
        };
        let name = known(game, color.name())?;
        let name = [known(game, title), Some(name)].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Some(Self { name, rating: known(game, elo).unwrap_or_default().to_owned() })
    }
}

/// The content of a frame.
#[derive(Clone, PartialEq, Debug)]
pub struct Shot {
    /// The position.
    pub position: Position,
    /// The start and target squares of the last move.
    pub last_move: Option<(Square, Square)>,
    /// The marked squares and arrows.
    pub marks: Vec<Mark>,
    /// The clocks of White and Black, if known.
    pub clocks: [Option<Duration>; 2],
    /// The expected score of White, from 0 to 1.
    pub chances: Option<f64>,
    /// The caption: the move, its glyphs and the evaluation.
    pub caption: String,
    /// Whether the game is over, so that no clock runs.
    pub is_over: bool,
}

/// A game that can be written as a GIF.
///
/// ```
/// use hematite_games::notation::pgn::Game;
/// use hematite_games::render::{Animation, Course, DiagramStyle};
/// let (game, _) = Game::read("1. e4 e5 2. Nf3 *".as_bytes()).unwrap().unwrap();
/// let animation = Animation::new(&game, &Course::default(), 0..=3, DiagramStyle::default());
/// let gif = animation.to_gif(&|_| {}).unwrap();
/// assert!(gif.starts_with(b"GIF89a"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Animation {
    /// The style of the boards.
    pub style: DiagramStyle,
    /// The width in pixels.
    pub width_px: u32,
    /// White and Black; `None` for no strips, and no clocks in them.
    pub players: Option<[Player; 2]>,
    /// The contents of the frames.
    pub shots: Vec<Shot>,
    /// The duration of a frame.
    pub delay: Duration,
    /// The duration of the last frame.
    pub last_delay: Duration,
    /// The number of times the animation is played; `None` for an endless loop.
    pub loops: Option<u16>,
}

impl Animation {
    /// The default width, in pixels.
    pub const WIDTH_PX: u32 = 480;
    /// The default duration of a frame.
    pub const DELAY: Duration = Duration::from_millis(800);
    /// The default duration of the last frame.
    pub const LAST_DELAY: Duration = Duration::from_secs(4);

    /// The animation of the positions of the main line after the given numbers of plies, as far as the game has them.
    /// The evaluation of `course` is shown next to the board.
    pub fn new(game: &Game, course: &Course, plies: RangeInclusive<usize>, style: DiagramStyle) -> Self {
        let [white, black] = Color::ALL.map(|color| Player::of(game, color));
        // Without the names of players there are no strips above and below the board.
        let players = match (white, black) {
            (None, None) => None,
            (white, black) => {
                let name = |player: Option<Player>, color: Color| {
                    player.unwrap_or_else(|| Player { name: color.name().to_owned(), rating: String::new() })
                };
                Some([name(white, Color::White), name(black, Color::Black)])
            }
        };
        Self {
            style,
            width_px: Self::WIDTH_PX,
            players,
            shots: shots(game, course, plies),
            delay: Self::DELAY,
            last_delay: Self::LAST_DELAY,
            loops: None,
        }
    }
}

/// The frames of a game.
fn shots(game: &Game, course: &Course, plies: RangeInclusive<usize>) -> Vec<Shot> {
    let mut shots = Vec::new();
    let chances = |ply: usize| course.chances.get(ply).copied().flatten();
    let mut shot = Shot {
        position: *game.start(),
        last_move: None,
        marks: marks_of(comments_on_start(game)),
        clocks: [None; 2],
        chances: chances(0),
        caption: event_line(game).replace(SEPARATOR, ", "),
        is_over: false,
    };
    let count = game.mainline().count();
    for (ply, node) in std::iter::once(None).chain(game.mainline().map(Some)).enumerate() {
        if let Some(node) = node {
            shot.next(game, course, ply, node);
        }
        if ply == count && game.unread().is_empty() {
            let unread = unread_end(game);
            let has_result = game.result != GameResult::Unknown;
            shot.is_over = has_result && unread.is_empty();
            let result = if has_result { game.result.as_str() } else { "" };
            let caption = std::mem::take(&mut shot.caption);
            let parts = [&*caption, &*unread, result].into_iter().filter(|part| !part.is_empty());
            shot.caption = parts.collect::<Vec<_>>().join(PART_SPACE);
        }
        if plies.contains(&ply) {
            shots.push(shot.clone());
        }
        if ply >= *plies.end() {
            break;
        }
    }
    shots
}

impl Shot {
    /// Advances by a move, which is move number `ply` in plies.
    fn next(&mut self, game: &Game, course: &Course, ply: usize, node: NodeId) {
        let before = self.position;
        let mut text = format!("{} ", MoveNumber::of(&before));
        self.last_move = None;
        match game.mv(node) {
            Some(mv) => {
                let (san, after) = San::new(&before, mv).letters(PieceLetters::default()).played();
                text.push_str(san.as_ref());
                self.position = after;
                self.last_move = Some((mv.from(), mv.landing()));
            }
            None => {
                text.push_str("--");
                self.position = before.after_null();
            }
        }
        let judged = course.glyphs.get(ply - 1).copied().flatten();
        let own = game.nags(node).find(|nag| nag.is_of_move());
        text.extend(own.or(judged).map(Moves::sign));
        if let Some(score) = course.scores.get(ply - 1).copied().flatten() {
            let evaluation = Evaluation { score, depth: None }.to_string();
            let sign = if evaluation.starts_with(['-', '#']) { "" } else { "+" };
            text.push_str(&format!("{PART_SPACE}{sign}{evaluation}"));
        }
        self.caption = text;
        self.marks = marks_of(game.comments(node));
        let clock = course.clocks.get(ply).copied().flatten();
        let own = &mut self.clocks[before.turn() as usize];
        *own = clock.or(*own);
        self.chances = course.chances.get(ply).copied().flatten().or(self.chances);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Game {
        Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0
    }

    fn captions(text: &str, plies: RangeInclusive<usize>) -> Vec<String> {
        let game = game(text);
        let score = |node| game.evaluation(node).map(|stated| stated.score);
        let course = Course { scores: game.mainline().map(score).collect(), ..Course::default() };
        let animation = Animation::new(&game, &course, plies, DiagramStyle::default());
        animation.shots.into_iter().map(|shot| shot.caption).collect()
    }

    #[test]
    fn frames_tell_what_has_been_played() {
        let text = "[Event \"Opera\"]\n[Date \"1858.??.??\"]\n\n1. e4 {[%eval 0.3,20]} e5 $1 {[%eval #-3]} 2. -- Nf6 1/2-1/2";
        let all = ["Opera, 1858", "1. e4   +0.30", "1... e5!   #-3", "2. --", "2... Nf6   1/2-1/2"]
            .map(str::to_owned);
        assert_eq!(captions(text, 0..=usize::MAX), all);
        assert_eq!(captions(text, 2..=3), all[2..4]);
        assert_eq!(captions(text, RangeInclusive::new(4, 2)), [""; 0], "no frame");
        assert_eq!(captions("*", 0..=9), [""]);
    }

    #[test]
    fn moves_that_cannot_be_read_end_the_captions() {
        let text = "[Event \"Opera\"]\n\n1. e4 e5 2. Ke3 Nc6 {no}\n3. Bb5 1-0";
        assert_eq!(captions(text, 2..=9), ["1... e5   Ke3 Nc6 {no} 3. Bb5   1-0"]);
        let shots = Animation::new(&game(text), &Course::default(), 0..=9, DiagramStyle::default()).shots;
        assert!(shots.iter().all(|shot| !shot.is_over), "the game goes on");
        assert_eq!(captions("1. Ke3 *", 0..=9), ["Ke3"]);
    }

    #[test]
    fn clocks_and_chances_stay_until_there_are_others() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let course = Course {
            chances: vec![Some(0.5), Some(0.6), None, Some(0.2)],
            clocks: vec![None, seconds(60), seconds(50), None],
            ..Course::default()
        };
        let shots = Animation::new(&game("1. e4 e5 2. Nf3 *"), &course, 0..=9, DiagramStyle::default()).shots;
        let found: Vec<_> = shots.iter().map(|shot| (shot.chances, shot.clocks)).collect();
        let expected = [
            (Some(0.5), [None, None]),
            (Some(0.6), [seconds(60), None]),
            (Some(0.6), [seconds(60), seconds(50)]),
            (Some(0.2), [seconds(60), seconds(50)]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn players_have_titles_and_ratings() {
        let animation = |tags: &str| {
            Animation::new(&game(&format!("{tags}\n*")), &Course::default(), 0..=0, DiagramStyle::default())
        };
        let named = animation("[White \"Tal\"]\n[WhiteTitle \"GM\"]\n[WhiteElo \"2700\"]\n[Black \"?\"]\n");
        let player = |name: &str, rating: &str| Player { name: name.to_owned(), rating: rating.to_owned() };
        assert_eq!(named.players, Some([player("GM Tal", "2700"), player("Black", "")]));
        assert_eq!(animation("[White \"?\"]\n").players, None);
    }
}
