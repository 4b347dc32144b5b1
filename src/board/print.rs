//! `/api/files/F/print`: selected games of a file as one document to print.

use super::access::Peer;
use super::app::App;
use super::body::Parameters;
use super::diagram::piece_set;
use super::failure::Failure;
use super::file_routes::with_file;
use super::game_routes::text;
use super::game_rows::opening_told;
use crate::analysis::{Examined, is_annotated, shown_comment};
use crate::files::without_packed_extension;
use crate::notation::pgn::{Export, Game, GameResult, MoveStyle};
use crate::notation::{Excerpt, PieceLetters, pluralize};
use crate::render::{
    DiagramStyle, GameSection, IndexRow, Page, Reword, event_line, games_index, players_line, write_section,
};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::collections::{BTreeSet, HashSet};
use std::path::Path as FilePath;
use std::sync::Arc;

/// The maximum number of games of a document.
const MAX_GAMES: usize = 500;
/// The number of games that cost as much as one request.
const GAMES_PER_COST: usize = 8;
/// The name of figurines among the letters of pieces.
const FIGURINES: &str = "figurines";
/// Keeps other sites from framing the document, which only a header can do.
const NO_FRAMES: &str = "; frame-ancestors 'none'";

/// The parameters of a document.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wanted {
    /// The numbers of the games, separated by commas, in the order of the document.
    games: String,
    form: Form,
    /// The language of the letters of pieces, or `figurines`.
    letters: String,
    /// The drawings of the pieces.
    pieces: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    /// A page with boards.
    #[default]
    Page,
    /// The text of the games.
    Pgn,
}

/// Answers `GET /api/files/F/print`.
///
/// # Errors
/// [`Failure`] if a parameter is invalid, there is no such game, or the file cannot be read.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    Parameters(wanted): Parameters<Wanted>,
) -> Result<Response, Failure> {
    let numbers = wanted.numbers()?;
    let letters = wanted.letters()?;
    let style = DiagramStyle { pieces: piece_set(&wanted.pieces)?, ..DiagramStyle::default() };
    let cost = u32::try_from(numbers.len() / GAMES_PER_COST).unwrap_or(u32::MAX);
    if !peer.connection.charge(cost) {
        return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "too many requests"));
    }
    let document = with_file(&app, &peer, file, move |file, unwanted| {
        let mut found = file.games(&numbers.iter().copied().collect::<BTreeSet<u64>>(), unwanted)?;
        let mut games = Vec::with_capacity(numbers.len());
        for number in numbers {
            games.push(found.remove(&number).ok_or(super::files::FileError::NoGame(number))?);
        }
        Ok(match wanted.form {
            Form::Page => page(&games, &file.name, letters, style).into_response(),
            Form::Pgn => text("text/plain; charset=utf-8", pgn(&games)),
        })
    });
    document.await
}

impl Wanted {
    /// The numbers of the games, each once.
    fn numbers(&self) -> Result<Vec<u64>, Failure> {
        let mut numbers = Vec::new();
        let mut known = HashSet::new();
        for text in self.games.split(',') {
            let number = text.trim().parse().map_err(|_| {
                let found = Excerpt::new(text);
                Failure::bad(
                    "bad_games",
                    format!("games: found {found}, expected numbers of games with commas between them"),
                )
            })?;
            if known.insert(number) {
                numbers.push(number);
            }
        }
        if numbers.len() > MAX_GAMES {
            let text = format!("games: found {}, expected at most {MAX_GAMES}", numbers.len());
            return Err(Failure::bad("too_many_games", text));
        }
        Ok(numbers)
    }

    fn letters(&self) -> Result<PieceLetters, Failure> {
        match &*self.letters {
            "" => Ok(PieceLetters::default()),
            FIGURINES => Ok(PieceLetters::FIGURINES),
            name => PieceLetters::of_language(name).ok_or_else(|| {
                let names: Vec<_> = PieceLetters::LANGUAGES.iter().map(PieceLetters::name).collect();
                Failure::bad("bad_letters", format!("expected {FIGURINES} or one of {}", names.join(", ")))
            }),
        }
    }
}

/// A page and its policy.
struct Document(Page);

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        let Self(page) = self;
        let policy = HeaderValue::from_str(&(page.policy() + NO_FRAMES));
        let mut response = text("text/html; charset=utf-8", page.to_html());
        // A policy consists of ASCII characters.
        if let Ok(policy) = policy {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        response
    }
}

/// The games as a page: of several games with an index.
fn page(games: &[Game], file: &str, letters: PieceLetters, style: DiagramStyle) -> Document {
    let mut body = String::new();
    let openings: Vec<(String, String)> = games.iter().map(opening_told).collect();
    if let [_, _, ..] = games {
        body.push_str("<section id=games>\n");
        body.push_str(&index(games, &openings));
        body.push_str("</section>\n");
    }
    for (index, (game, opening)) in games.iter().zip(openings).enumerate() {
        write_section(&mut body, &format!("g{}", index + 1), &section(game, opening, letters, style));
    }
    let (title, heading, subheading) = match games {
        [game] => {
            let title = [players_line(game), event_line(game)].into_iter().filter(|line| !line.is_empty());
            (title.collect::<Vec<_>>().join(", "), String::new(), String::new())
        }
        _ => {
            let heading = heading(games, file);
            (heading.clone(), heading, count_line(games))
        }
    };
    Document(Page { title, heading, subheading, body, style, font_size_pt: None })
}

fn section(game: &Game, opening: (String, String), letters: PieceLetters, style: DiagramStyle) -> String {
    let course = Examined::new(game).course;
    let reword: Reword = match course.players {
        Some(_) => |text, letters| shown_comment(text, letters, true),
        None => |text, letters| shown_comment(text, letters, false),
    };
    let reword = Some(reword).filter(|_| is_annotated(&game.tags));
    GameSection { game, letters, style, opening, course, has_pgn: false, reword, moves: MoveStyle::San }
        .to_html()
}

fn index(games: &[Game], openings: &[(String, String)]) -> String {
    let tag = |game: &'_ Game, name: &str| game.tags.get(name).unwrap_or_default().trim().to_owned();
    let texts: Vec<[String; 5]> = games
        .iter()
        .zip(openings)
        .map(|(game, (code, name))| {
            let opening = format!("{code} {name}").trim().to_owned();
            [tag(game, "White"), tag(game, "Black"), tag(game, "Date"), opening, tag(game, "Event")]
        })
        .collect();
    let rows: Vec<IndexRow<'_>> = games
        .iter()
        .zip(&texts)
        .map(|(game, [white, black, date, opening, event])| IndexRow {
            white,
            black,
            result: game.result,
            moves: game.mainline().count().div_ceil(2),
            date,
            opening,
            event,
        })
        .collect();
    games_index(&rows, |index| Some(format!("#g{}", index + 1)))
}

/// The heading of several games: their common event, or the name of the file without its extensions.
fn heading(games: &[Game], file: &str) -> String {
    let event = |game: &Game| game.tags.get("Event").unwrap_or_default().trim().to_owned();
    let first = games.first().map(event).unwrap_or_default();
    if first.chars().any(char::is_alphanumeric) && games.iter().all(|game| event(game) == first) {
        return first;
    }
    let stem = without_packed_extension(FilePath::new(file)).file_stem();
    stem.map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The number of games and their results.
fn count_line(games: &[Game]) -> String {
    let count = |result| games.iter().filter(|game| game.result == result).count();
    let [white, draws, black] = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins].map(count);
    format!(
        "{}: {white} won by White, {draws} drawn, {black} won by Black",
        pluralize(games.len() as u64, "game")
    )
}

/// The text of the games.
fn pgn(games: &[Game]) -> String {
    let export = Export::new();
    games.iter().map(|game| export.game(game)).collect()
}
