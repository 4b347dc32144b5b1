//! The options of `hematite diagram` for GIFs, and the animation of a game.

use super::values::NONE;
use crate::analysis::Examined;
use crate::chess::Color;
use crate::cli::position::Game as PlayedLine;
use crate::cli::progress::bar;
use crate::cli::values::{Ply, duration_in, integer_in, missing_place};
use crate::notation::TimeUnit;
use crate::notation::pgn::{Game, NodeId};
use crate::render::{Animation, DiagramStyle};
use std::cmp::Ordering;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The range of the time of a frame: programs show shorter frames for longer, and the GIF format has no longer times.
const DELAYS: RangeInclusive<Duration> = Duration::from_millis(20)..=Duration::from_secs(600);
/// The range of the number of repetitions of an animation.
const LOOPS: RangeInclusive<u16> = 1..=10_000;
/// The number of pixels from which an animation takes more than a second, and is drawn with a progress bar.
const LONG: u64 = 100_000_000;

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Options for a GIF")]
pub(super) struct AnimationArg {
    /// Start with the position after this many plies of the main line, or after a move, such as 12w [default: the
    /// start].
    #[arg(long, value_name = "PLY|MOVE")]
    from: Option<Ply>,

    /// End with the position after this many plies, or after a move [default: the end of the game].
    #[arg(long, value_name = "PLY|MOVE")]
    to: Option<Ply>,

    /// Show each position for this long, such as 0.5 or 500ms; a number alone counts seconds [default: 0.8].
    #[arg(long, value_name = "TIME", value_parser = duration_in(TimeUnit::Seconds, DELAYS))]
    delay: Option<Duration>,

    /// Show the last position for this long [default: 4].
    #[arg(long, value_name = "TIME", value_parser = duration_in(TimeUnit::Seconds, DELAYS))]
    last_delay: Option<Duration>,

    /// Play it so often [default: without end].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(LOOPS))]
    loops: Option<u16>,

    /// Leave out what the game has for it: players (with their clocks), clocks, evaluation; can be several.
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    hide: Vec<Part>,
}

/// The parts of the display next to the board.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Players,
    Clocks,
    Evaluation,
}

/// The appearance of an animation.
pub(super) struct GifOptions<'a> {
    pub style: DiagramStyle,
    pub width_px: u32,
    /// The text of each frame, instead of the moves.
    pub caption: Option<&'a str>,
    /// Whether the progress of a long animation is shown.
    pub has_bar: bool,
}

impl AnimationArg {
    /// The name of an option that is set; `None` if no option is. All of them apply to GIFs only.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--from", self.from.is_some()),
            ("--to", self.to.is_some()),
            ("--delay", self.delay.is_some()),
            ("--last-delay", self.last_delay.is_some()),
            ("--loops", self.loops.is_some()),
            ("--hide", !self.hide.is_empty()),
        ];
        given.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// Draws the GIF of a game; an error states why this is not possible.
    pub(super) fn gif(&self, game: &Game, options: &GifOptions<'_>) -> Result<Vec<u8>, String> {
        let first = self.from.map_or(Ok(0), |from| plies_to(game, from))?;
        let last = self.to.map_or(Ok(game.mainline().count()), |to| plies_to(game, to))?;
        if first > last {
            return Err(format!("--from comes after --to: ply {first} and ply {last}"));
        }
        let mut course = Examined::new(game).course;
        if self.hide.contains(&Part::Clocks) {
            course.clocks.clear();
        }
        if self.hide.contains(&Part::Evaluation) {
            course.chances.clear();
            course.scores.clear();
            course.glyphs.clear();
        }
        let mut animation = Animation::new(game, &course, first..=last, options.style);
        animation.width_px = options.width_px;
        animation.delay = self.delay.unwrap_or(animation.delay);
        animation.last_delay = self.last_delay.unwrap_or(animation.last_delay);
        animation.loops = self.loops;
        if self.hide.contains(&Part::Players) {
            animation.players = None;
        }
        if let Some(caption) = options.caption {
            let caption = if caption == NONE { "" } else { caption };
            animation.shots.iter_mut().for_each(|shot| shot.caption = caption.to_owned());
        }
        let frames = animation.shots.len() as u64;
        let pixels = frames * u64::from(options.width_px).pow(2);
        let bar = (options.has_bar && pixels > LONG).then(|| bar(frames, "{wide_bar} {pos}/{len} frames"));
        let gif = animation.to_gif(&|done| {
            if let Some(bar) = &bar {
                bar.set_position(done as u64);
            }
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        gif.map_err(|error| error.to_string())
    }
}

/// The number of plies of the main line up to a place; an error if the game ends earlier.
fn plies_to(game: &Game, place: Ply) -> Result<usize, String> {
    if place == Ply::Count(0) {
        return Ok(0);
    }
    let (mut number, mut turn) = (game.start().fullmove_number(), game.start().turn());
    let count = game.mainline().count();
    for plies in 1..=count {
        if place.place_of(plies, number, turn) == Ordering::Equal {
            return Ok(plies);
        }
        number = number.saturating_add(u16::from(turn == Color::Black));
        turn = !turn;
    }
    Err(missing_place(game, place, count))
}

/// The game of a FEN and moves; an error states the problem.
pub(super) fn game_of(fen: &str, moves: &str) -> Result<Game, String> {
    let line = PlayedLine::new(fen, moves).map_err(|problems| problems.join("; "))?;
    if let Some(note) = &line.repairs {
        // A closed standard error does not matter.
        let _ = writeln!(io::stderr(), "{note}");
    }
    let mut game = Game::new(line.start);
    let mut node = NodeId::ROOT;
    for mv in line.moves {
        node = game.add(node, Some(mv)).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_plies_of_the_main_line() {
        let game = game_of("4k3/8/8/8/8/8/8/4K3 b - - 0 12", "12... Kd7 13. Kd2 Kd6").expect("it is a line");
        let mv = |number, color| Ply::Move(number, color);
        let cases = [
            (Ply::Count(0), Ok(0)),
            (Ply::Count(3), Ok(3)),
            (Ply::Count(4), Err("there is no ply 4: the game ends after 3 plies")),
            (mv(12, Color::Black), Ok(1)),
            (mv(13, Color::White), Ok(2)),
            (mv(13, Color::Black), Ok(3)),
            (
                mv(12, Color::White),
                Err("there is no move 12 of White: the game starts with move 12 of Black"),
            ),
        ];
        for (place, expected) in cases {
            assert_eq!(plies_to(&game, place), expected.map_err(str::to_owned), "{place}");
        }
    }
}
