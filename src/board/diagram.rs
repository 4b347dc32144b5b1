//! `/api/diagram`: a position as an image.

use super::body::{Parameters, whole_number};
use super::failure::Failure;
use super::positions::Line;
use crate::chess::{Board, Square};
use crate::notation::parse_fen;
use crate::render::{Coordinates, Diagram, DiagramStyle, PieceSet, Theme, marks_of, png};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::ops::RangeInclusive;

/// The valid widths in pixels. Programs that need larger images request SVG and rasterize it.
const WIDTHS_PX: RangeInclusive<u32> = 64..=2048;
const DEFAULT_WIDTH_PX: u32 = 400;
/// The maximum length of a text parameter, in bytes.
const MAX_TEXT: usize = 4096;

/// The parameters of a diagram.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wanted {
    fen: String,
    format: Format,
    /// The width in pixels.
    #[serde(deserialize_with = "whole_number")]
    size: u32,
    /// The side at the bottom of the board.
    side: SideBelow,
    theme: String,
    pieces: String,
    coordinates: Place,
    /// Whether a circle marks the side to move.
    turn: bool,
    /// The two squares of the last move, such as `e2e4`.
    last: String,
    /// Arrows and highlighted squares in the format of PGN comments: `[%cal Ge2e4][%csl Rd5]`.
    shapes: String,
    caption: String,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            fen: String::new(),
            format: Format::Svg,
            size: DEFAULT_WIDTH_PX,
            side: SideBelow::White,
            theme: String::new(),
            pieces: String::new(),
            coordinates: Place::Outside,
            turn: false,
            last: String::new(),
            shapes: String::new(),
            caption: String::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Svg,
    Png,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideBelow {
    White,
    Black,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Place {
    Outside,
    Inside,
    None,
}

/// Answers `GET /api/diagram`.
///
/// # Errors
/// [`Failure`] if the position or a part of the style is invalid.
pub(super) async fn show(Parameters(wanted): Parameters<Wanted>) -> Result<Response, Failure> {
    let format = wanted.format;
    let drawn = tokio::task::spawn_blocking(move || wanted.draw()).await;
    let bytes = drawn.map_err(|_| Failure::busy("the server ends"))??;
    let mut response = Body::from(bytes).into_response();
    let kind = match format {
        Format::Svg => "image/svg+xml",
        Format::Png => "image/png",
    };
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    Ok(response)
}

impl Wanted {
    fn draw(&self) -> Result<Vec<u8>, Failure> {
        if !WIDTHS_PX.contains(&self.size) {
            let (least, most) = (WIDTHS_PX.start(), WIDTHS_PX.end());
            return Err(Failure::bad("bad_size", format!("expected a size from {least} to {most} pixels")));
        }
        if [&self.fen, &self.shapes, &self.caption].iter().any(|text| text.len() > MAX_TEXT) {
            return Err(Failure::bad("too_long", format!("expected texts of at most {MAX_TEXT} bytes")));
        }
        let mut diagram = Diagram::new(&self.board()?, self.style()?);
        diagram.marks = marks_of(std::iter::once(&*self.shapes));
        diagram.last_move = match &*self.last {
            "" => None,
            last => Some(squares(last).ok_or_else(|| {
                Failure::bad("bad_move", "expected two squares as the last move, such as e2e4")
            })?),
        };
        diagram.caption = (!self.caption.is_empty()).then(|| self.caption.clone());
        let svg = diagram.to_svg(self.size);
        match self.format {
            Format::Svg => Ok(svg.into_bytes()),
            Format::Png => png(&svg).map_err(|error| {
                Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "not_drawn", error.to_string())
            }),
        }
    }

    /// The pieces on the board. The position does not have to be legal.
    fn board(&self) -> Result<Board, Failure> {
        let fen = self.fen.trim();
        if let Ok(setup) = parse_fen(fen) {
            return Ok(setup.board());
        }
        let fen = (!fen.is_empty()).then(|| fen.to_owned());
        Ok(*Line { fen, moves: Vec::new() }.play()?.position)
    }

    fn style(&self) -> Result<DiagramStyle, Failure> {
        let theme = match &*self.theme {
            "" => Theme::default(),
            name => Theme::named(name).ok_or_else(|| {
                let names: Vec<&str> = Theme::names().collect();
                Failure::bad("bad_theme", format!("expected one of the themes {}", names.join(", ")))
            })?,
        };
        let pieces = piece_set(&self.pieces)?;
        let coordinates = match self.coordinates {
            Place::Outside => Coordinates::Outside,
            Place::Inside => Coordinates::Inside,
            Place::None => Coordinates::None,
        };
        Ok(DiagramStyle {
            theme,
            pieces,
            coordinates,
            is_flipped: self.side == SideBelow::Black,
            shows_turn: self.turn,
        })
    }
}

/// The drawings of the pieces with this name; the usual ones without a name.
///
/// # Errors
/// [`Failure`] if there are none with this name.
pub(super) fn piece_set(name: &str) -> Result<PieceSet, Failure> {
    if name.is_empty() {
        return Ok(PieceSet::default());
    }
    PieceSet::ALL.into_iter().find(|set| set.name() == name).ok_or_else(|| {
        let names = PieceSet::ALL.map(PieceSet::name);
        Failure::bad("bad_pieces", format!("expected one of the pieces {}", names.join(", ")))
    })
}

fn squares(text: &str) -> Option<(Square, Square)> {
    let (from, to) = text.split_at_checked(2)?;
    Some((from.parse().ok()?, to.parse().ok()?))
}
