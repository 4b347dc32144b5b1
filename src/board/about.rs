//! `/api/about`: what this server is, and what it has.

use super::app::App;
use super::levels::{LEVELS, Level};
use crate::search::{MAX_ELO, MIN_ELO};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;

/// The name of the program.
const NAME: &str = "Hematite";

/// The answer.
#[derive(Serialize)]
pub(super) struct About {
    name: &'static str,
    version: &'static str,
    engine: String,
    /// The name of another engine, which analyzes beside it.
    second_engine: Option<String>,
    levels: &'static [Level],
    /// The Elo that the engine can be limited to.
    elo: [u32; 2],
    files: Vec<FileName>,
    /// Whether there are endgame tables.
    tables: bool,
    /// Addresses by which others reach this server.
    links: Vec<String>,
}

#[derive(Serialize)]
struct FileName {
    id: usize,
    name: String,
    /// Whether games can be saved into it.
    can_save: bool,
    /// Whether it is a collection, which keeps the order of its games.
    is_collection: bool,
}

/// Answers `GET /api/about`.
pub(super) async fn show(State(app): State<Arc<App>>) -> Json<About> {
    Json(About {
        name: NAME,
        version: env!("CARGO_PKG_VERSION"),
        engine: app.lobby.engine_name().to_owned(),
        second_engine: app.engines.second_name().map(str::to_owned),
        levels: &LEVELS,
        elo: [MIN_ELO, MAX_ELO],
        files: app
            .files
            .iter()
            .enumerate()
            .map(|(id, file)| FileName {
                id,
                name: file.name.clone(),
                can_save: app.is_local && file.can_save(),
                is_collection: file.is_collection(),
            })
            .collect(),
        tables: app.engines.tables().is_some(),
        links: app.links.clone(),
    })
}
