//! `/api/notation`: annotation glyphs (NAGs), and the letters of pieces in other languages.

use crate::chess::Role;
use crate::notation::PieceLetters;
use crate::notation::pgn::Nag;
use axum::Json;
use serde::Serialize;

/// The JSON body of the answer.
#[derive(Serialize)]
pub(super) struct Notation {
    nags: Vec<Glyph>,
    languages: Vec<Language>,
}

#[derive(Serialize)]
struct Glyph {
    nag: u8,
    sign: Option<&'static str>,
    meaning: String,
}

#[derive(Serialize)]
struct Language {
    name: &'static str,
    /// The letters of king, queen, rook, bishop and knight, in this order.
    letters: String,
}

/// Answers `GET /api/notation`.
pub(super) async fn show() -> Json<Notation> {
    let glyph = |nag: u8| {
        let meaning = Nag(nag).words()?.into_owned();
        Some(Glyph { nag, sign: Nag(nag).sign(), meaning })
    };
    let language = |letters: PieceLetters| {
        let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        Language { name: letters.name(), letters: roles.iter().map(|&role| letters.letter(role)).collect() }
    };
    Json(Notation {
        nags: (0..=u8::MAX).filter_map(glyph).collect(),
        languages: PieceLetters::LANGUAGES.map(language).into(),
    })
}
