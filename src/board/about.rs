//! `/api/about`: the name, version and resources of this server.

use super::access::Peer;
use super::app::App;
use super::levels::{LEVELS, Level};
use crate::search::{MAX_ELO, MIN_ELO};
use axum::Json;
use axum::extract::{Extension, State};
use serde::Serialize;
use std::sync::Arc;

/// The name of the program.
const NAME: &str = "Hematite";

/// The JSON body of the answer.
#[derive(Serialize)]
pub(super) struct About {
    name: &'static str,
    version: &'static str,
    engine: String,
    /// The name of a second engine for analysis.
    second_engine: Option<String>,
    levels: &'static [Level],
    /// The range of Elo ratings to which the engine can be limited.
    elo: [u32; 2],
    /// The files of games. The collection with the games played here is only for this machine.
    files: Vec<FileName>,
    /// The names of the opening books.
    books: Vec<String>,
    /// Whether there are endgame tables.
    tables: bool,
    /// The addresses for links to this server from other machines.
    links: Vec<String>,
}

#[derive(Serialize)]
struct FileName {
    id: usize,
    name: String,
    /// Whether games can be saved to the file.
    can_save: bool,
    /// Whether the file is a collection, which keeps the order of its games.
    is_collection: bool,
}

/// Answers `GET /api/about`.
pub(super) async fn show(State(app): State<Arc<App>>, Extension(peer): Extension<Peer>) -> Json<About> {
    Json(About {
        name: NAME,
        version: env!("CARGO_PKG_VERSION"),
        engine: app.engines.name().to_owned(),
        second_engine: app.engines.second_name().map(str::to_owned),
        levels: &LEVELS,
        elo: [MIN_ELO, MAX_ELO],
        files: app
            .files
            .iter()
            .enumerate()
            .filter(|&(id, _)| peer.is_local || app.collection != Some(id))
            .map(|(id, file)| FileName {
                id,
                name: file.name.clone(),
                can_save: peer.is_local && file.can_save(),
                is_collection: file.is_collection(),
            })
            .collect(),
        books: app.engines.books().iter().map(|book| book.name.clone()).collect(),
        tables: app.engines.tables().is_some(),
        links: app.links.clone(),
    })
}
