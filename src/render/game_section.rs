//! A game as a section of a page: header, board, curves, judgements and moves.

use super::curve::{Curve, clock_curve};
use super::diagram::{Diagram, DiagramStyle, marks_of};
use super::lettering::{escape, escape_into};
use super::moves::{Html, Moves, Reword, Written, caption_after, comments_on_start};
use crate::chess::{Board, Color, Move, Position};
use crate::notation::pgn::{EvaluationScore, Export, Game, GameResult, MoveStyle, Nag, NodeId};
use crate::notation::{Fen, MoveNumber, PieceLetters, SanMove};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::time::Duration;

/// The maximum number of judged moves of a game that have a diagram: those that lose the most.
const MAX_DIAGRAMS: usize = 2;

/// Data about the course of a game. Each list is empty, or has a value for the start and one after each ply of the main
/// line, unless stated otherwise.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Course {
    /// White's expected scores, from 0 to 1.
    pub chances: Vec<Option<f64>>,
    /// The evaluations after each move, from White's point of view, without the start.
    pub scores: Vec<Option<EvaluationScore>>,
    /// The evaluations after moves of variations.
    pub variation_scores: HashMap<NodeId, EvaluationScore>,
    /// The remaining time of the side that has moved.
    pub clocks: Vec<Option<Duration>>,
    /// The glyphs of judged moves, one entry per move.
    pub glyphs: Vec<Option<Nag>>,
    /// The plies at which the phases of the game start, with their names.
    pub phases: Vec<(usize, &'static str)>,
    /// The summaries of White and Black, if moves are judged.
    pub players: Option<[PlayerCourse; 2]>,
}

/// The summary of a player in a game.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlayerCourse {
    /// The accuracy in percent.
    pub accuracy: Option<f64>,
    /// The average loss in centipawns.
    pub average_loss_cp: Option<f64>,
    /// The numbers of inaccuracies, mistakes and blunders; `None` if the moves are not judged.
    pub judged: Option<[usize; 3]>,
}

impl PlayerCourse {
    /// The cells of a table: accuracy, loss, inaccuracies, mistakes and blunders.
    pub(super) fn cells(&self) -> [String; 5] {
        let number = |value: Option<f64>, digits: usize, unit: &str| match value {
            Some(value) => format!("{value:.digits$}{unit}"),
            None => "–".to_owned(),
        };
        let dashes = || [(); 3].map(|()| "–".to_owned());
        let [inaccuracies, mistakes, blunders] =
            self.judged.map_or_else(dashes, |judged| judged.map(|count| count.to_string()));
        let accuracy = number(self.accuracy, 1, "\u{a0}%");
        [accuracy, number(self.average_loss_cp, 0, ""), inaccuracies, mistakes, blunders]
    }
}

/// A game with everything for its section.
#[derive(Clone, Debug)]
pub struct GameSection<'a> {
    /// The game.
    pub game: &'a Game,
    /// The letters for pieces.
    pub letters: PieceLetters,
    /// The style of the boards.
    pub style: DiagramStyle,
    /// The code and the name of the opening; empty if unknown.
    pub opening: (String, String),
    /// Data about the course of the game.
    pub course: Course,
    /// Whether the section contains the PGN.
    pub has_pgn: bool,
    /// Rewrites comments.
    pub reword: Option<Reword>,
    /// The notation of moves. LaTeX has only SAN.
    pub moves: MoveStyle,
}

/// The value of a tag; `None` if it is missing or unknown.
pub(super) fn known<'a>(game: &'a Game, name: &str) -> Option<&'a str> {
    game.tags.get(name).map(str::trim).filter(|value| value.chars().any(char::is_alphanumeric))
}

/// The name of a player; the color if unknown.
pub(super) fn player(game: &Game, color: Color) -> &str {
    known(game, color.name()).unwrap_or_else(|| color.name())
}

/// The title and rating of a player, as far as known.
pub(super) fn player_facts(game: &Game, color: Color) -> String {
    let (title, elo) = match color {
        Color::White => ("WhiteTitle", "WhiteElo"),
        Color::Black => ("BlackTitle", "BlackElo"),
    };
    [title, elo].into_iter().filter_map(|name| known(game, name)).collect::<Vec<_>>().join(" ")
}

/// The printed form of a result.
pub const fn result_sign(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1–0",
        GameResult::BlackWins => "0–1",
        GameResult::Draw => "½–½",
        GameResult::Unknown => "*",
    }
}

/// The players as `White – Black`, for titles.
pub fn players_line(game: &Game) -> String {
    format!("{} – {}", player(game, Color::White), player(game, Color::Black))
}

/// The separator between the parts of [`event_line`].
pub(super) const SEPARATOR: &str = " · ";

/// The event, site, date and round of a game, as far as the tags state them.
pub fn event_line(game: &Game) -> String {
    let round = known(game, "Round").map(|round| format!("round {round}"));
    let date = known(game, "Date").map(|date| date.trim_end_matches(".??").to_owned());
    let parts = ["Event", "Site"].into_iter().filter_map(|name| known(game, name)).map(str::to_owned);
    parts.chain(date).chain(round).collect::<Vec<_>>().join(SEPARATOR)
}

/// The last move of the main line and the positions around it.
struct End {
    before: Position,
    mv: Option<Move>,
    after: Position,
    node: NodeId,
}

impl End {
    fn of(game: &Game) -> Self {
        let mut end = Self { before: *game.start(), mv: None, after: *game.start(), node: NodeId::ROOT };
        for node in game.mainline() {
            let before = end.after;
            let mv = game.mv(node);
            let after = mv.map_or_else(|| before.after_null(), |mv| before.after(mv).0);
            end = Self { before, mv, after, node };
        }
        end
    }
}

impl GameSection<'_> {
    /// The section in HTML, for a page that contains the drawings. Its name in the page is set by [`write_section`].
    pub fn to_html(&self) -> String {
        let game = self.game;
        let chosen = self.moves_with_diagram();
        let figure = |mv: &Written<'_>| Self::has_diagram(mv, &chosen).then(|| self.figure(mv));
        let evaluation = |mv: &Written<'_>| match mv.ply {
            Some(ply) => self.course.scores.get(ply).copied().flatten(),
            None => self.course.variation_scores.get(&mv.node).copied(),
        };
        let mut moves = Html::new(game, &figure, &evaluation);
        let glyphs = &self.course.glyphs;
        let reword = self.reword;
        Moves { glyphs, reword, style: self.moves, ..Moves::new(game, self.letters) }.write(&mut moves);
        moves.add_pending();
        let mut html = String::with_capacity(moves.html.len() + (8 << 10));
        let data = &moves.data;
        for (name, value) in [
            ("line", data.line.trim_end()),
            ("evals", data.evaluations.trim_end()),
            ("clocks", data.clocks.trim_end()),
            ("marks", &data.marks),
        ] {
            if !value.is_empty() {
                let _ = write!(html, " data-{name}=\"{value}\"");
            }
        }
        if game.is_set_up() {
            let start = game.start();
            let placement = Fen::new(start).to_string();
            let placement = placement.split(' ').next().unwrap_or_default();
            let plies =
                2 * (u32::from(start.fullmove_number()).max(1) - 1) + u32::from(start.turn() == Color::Black);
            let _ = write!(html, " data-start=\"{placement}\" data-ply={plies}");
        }
        if self.style.is_flipped {
            html.push_str(" data-flipped");
        }
        html.push('>');
        self.add_head(&mut html);
        html.push_str("<div class=stage>");
        self.add_board(&mut html);
        self.add_curves(&mut html);
        html.push_str("</div><div class=text>");
        self.add_players(&mut html);
        html.push_str("<div class=moves>");
        html.push_str(&moves.html);
        if !game.unread().is_empty() {
            html.push_str("<span class=c>");
            escape_into(&mut html, game.unread());
            html.push_str("</span>");
        }
        let _ = write!(html, " <strong>{}</strong>", result_sign(game.result));
        if game.is_set_up() && !game.is_empty() {
            // On paper, the final position follows the moves.
            self.final_diagram().add_figure(&mut html, "d", false);
        }
        html.push_str("</div>");
        if self.has_pgn {
            html.push_str("<details class=pgn><summary>PGN</summary><pre>");
            escape_lines(&mut html, &Export::new().game(game));
            html.push_str("</pre></details>");
        }
        html.push_str("</div></article>\n");
        html
    }

    /// The lines below the players: event and opening, as far as known.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let (code, name) = &self.opening;
        let opening = format!("{code} {name}").trim().to_owned();
        [event_line(self.game), opening].into_iter().filter(|line| !line.is_empty())
    }

    fn add_head(&self, html: &mut String) {
        let game = self.game;
        html.push_str("<header><h2>");
        for color in Color::ALL {
            if color == Color::Black {
                html.push_str(" – ");
            }
            html.push_str("<bdi>");
            escape_into(html, player(game, color));
            html.push_str("</bdi>");
            let facts = player_facts(game, color);
            if !facts.is_empty() {
                html.push_str(" <small>");
                escape_into(html, &facts);
                html.push_str("</small>");
            }
        }
        let _ = write!(html, " <span class=result>{}</span></h2>", result_sign(game.result));
        for line in self.lines() {
            html.push_str("<p>");
            escape_into(html, &line);
            html.push_str("</p>");
        }
        html.push_str("</header>");
    }

    /// Adds the position that the script of the page turns into an interactive board: the final one, but the initial
    /// one of a game from a set-up position, which may be a problem.
    fn add_board(&self, html: &mut String) {
        self.start_diagram().unwrap_or_else(|| self.final_diagram()).add_figure(html, "view", true);
    }

    /// The diagram of the initial position, if it is a set-up one.
    pub(super) fn start_diagram(&self) -> Option<Diagram> {
        let (game, start) = (self.game, self.game.start());
        if !game.is_set_up() {
            return None;
        }
        let mut diagram = self.diagram(start.board(), None);
        diagram.marks = marks_of(comments_on_start(game));
        diagram.caption = Some(format!("Initial position, {} to move", start.turn().name()));
        Some(diagram)
    }

    /// The diagram of the final position.
    pub(super) fn final_diagram(&self) -> Diagram {
        let End { before, mv, after, node } = End::of(self.game);
        let mut diagram = self.diagram(after.board(), mv);
        diagram.marks = marks_of(self.game.comments(node));
        diagram.caption = Some(match mv {
            Some(mv) => caption_after(&before, mv, self.letters),
            None if node == NodeId::ROOT => "Initial position".to_owned(),
            None => format!("Position after {} {}", MoveNumber::of(&before), SanMove::NULL),
        });
        diagram
    }

    fn diagram(&self, board: &Board, mv: Option<Move>) -> Diagram {
        let mut diagram = Diagram::new(board, self.style);
        diagram.last_move = mv.map(|mv| (mv.from(), mv.landing()));
        diagram
    }

    /// The diagram of a judged move.
    fn figure(&self, mv: &Written<'_>) -> String {
        let mut html = String::new();
        self.diagram_after(mv).add_figure(&mut html, "d", false);
        html
    }

    /// The diagram after a move.
    pub(super) fn diagram_after(&self, mv: &Written<'_>) -> Diagram {
        let mut diagram = self.diagram(mv.after.board(), mv.mv);
        diagram.marks = marks_of(self.game.comments(mv.node));
        let sign = mv.nags.iter().find(|nag| nag.is_of_move()).and_then(|nag| nag.sign());
        diagram.caption =
            mv.mv.map(|played| caption_after(mv.before, played, self.letters) + sign.unwrap_or_default());
        diagram
    }

    /// Whether a move of the main line has a diagram; `chosen` is the result of [`Self::moves_with_diagram`].
    pub(super) fn has_diagram(mv: &Written<'_>, chosen: &HashSet<usize>) -> bool {
        mv.ply.is_some_and(|ply| chosen.contains(&ply) || mv.nags.iter().any(|nag| nag.is_diagram()))
    }

    /// The plies of the mistakes and blunders that lose the most.
    pub(super) fn moves_with_diagram(&self) -> HashSet<usize> {
        let Course { chances, glyphs, .. } = &self.course;
        let loss = |ply: usize| Some((chances.get(ply)?.as_ref()? - chances.get(ply + 1)?.as_ref()?).abs());
        let is_grave = |glyph: &Option<Nag>| matches!(glyph, Some(Nag::MISTAKE | Nag::BLUNDER));
        let mut grave: Vec<(usize, f64)> = glyphs
            .iter()
            .enumerate()
            .filter(|(_, glyph)| is_grave(glyph))
            .filter_map(|(ply, _)| Some((ply, loss(ply)?)))
            .collect();
        grave.sort_by(|a, b| b.1.total_cmp(&a.1));
        grave.into_iter().take(MAX_DIAGRAMS).map(|(ply, _)| ply).collect()
    }

    fn add_curves(&self, html: &mut String) {
        let course = &self.course;
        if course.chances.iter().flatten().count() > 1 {
            let mut curve = Curve::new(course.chances.clone());
            curve.phases.clone_from(&course.phases);
            let glyphs = course.glyphs.iter().enumerate();
            curve.dots = glyphs.filter_map(|(index, glyph)| Some((index + 1, (*glyph)?))).collect();
            html.push_str(&curve.to_html());
        }
        if let Some(clocks) = clock_curve(&course.clocks, self.game.start().turn()) {
            html.push_str(&clocks);
        }
    }

    /// Adds a table of the players' summaries.
    fn add_players(&self, html: &mut String) {
        let Some(players) = &self.course.players else { return };
        html.push_str(
            "<table class=players><thead><tr><th scope=col>Player</th><th scope=col>Accuracy</th>\
             <th scope=col><abbr title=\"average loss in hundredths of a pawn\">Loss</abbr></th>\
             <th scope=col class=n6><abbr title=inaccuracies>?!</abbr></th>\
             <th scope=col class=n2><abbr title=mistakes>?</abbr></th>\
             <th scope=col class=n4><abbr title=blunders>??</abbr></th></tr></thead><tbody>",
        );
        for (color, course) in Color::ALL.into_iter().zip(players) {
            let class = if color == Color::White { "white" } else { "black" };
            let _ = write!(
                html,
                "<tr><th scope=row class={class}><bdi>{}</bdi></th>",
                escape(player(self.game, color))
            );
            for cell in course.cells() {
                let _ = write!(html, "<td>{cell}</td>");
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table>");
    }
}

/// Appends a section with this name, which is the target of links.
pub fn write_section(page: &mut String, name: &str, section: &str) {
    let _ = write!(page, "<article class=game id={name}{section}");
}

/// Escapes text and keeps its line ends.
fn escape_lines(html: &mut String, text: &str) {
    for line in text.trim_end().lines() {
        escape_into(html, line);
        html.push('\n');
    }
}
