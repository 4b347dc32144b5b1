//! Saving finished games to the collection of the command line, where queries find them immediately.
//!
//! The state records which games have been saved. A game that ended just before the server was stopped is saved at the
//! next start.

use super::app::App;
use super::failure::Failure;
use super::files::{GameFile, Unwanted};
use super::hosted::HostedGame;
use super::record;
use super::saving::append_to_collection;
use crate::notation::pgn::Export;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The pause before another attempt, for example while another program changes the collection.
const RETRY: Duration = Duration::from_secs(30);

/// A game that must be saved.
struct Finished {
    pgn: String,
    /// A query that finds the game in the collection, and few other games.
    query: String,
}

/// Saves finished games to the collection with this index, until the task is aborted.
pub(super) async fn keep(app: Arc<App>, number: usize) {
    let Some(file) = app.files.get(number).cloned() else { return };
    // In the first pass: a server that was killed may have saved games without recording it.
    let mut is_first = true;
    loop {
        let is_done = add_finished(&app, &file, is_first).await.is_ok();
        is_first &= !is_done;
        let ended = app.lobby.store().ended();
        if is_done {
            ended.await;
        } else {
            let _ = tokio::time::timeout(RETRY, ended).await; // either way, the loop tries again
        }
    }
}

async fn add_finished(app: &App, file: &Arc<GameFile>, looks_for_known: bool) -> Result<(), Failure> {
    let store = app.lobby.store();
    let not_read = |error: super::state_file::StoreError| Failure::not_saved(error.to_string());
    let ids = store.unrecorded().await.map_err(not_read)?;
    let mut finished = Vec::new();
    for id in &ids {
        let saved = store.load(id.clone()).await.map_err(not_read)?;
        // Damaged games are reported when they are requested.
        let Some(hosted) = saved.and_then(|saved| HostedGame::restore(&saved).ok()) else { continue };
        if !hosted.plies.is_empty() {
            finished
                .push(Finished { pgn: record::pgn(&hosted, &app.engines), query: record::query(&hosted) });
        }
    }
    if !finished.is_empty() {
        let turn = Arc::clone(&app.writer).lock_owned().await;
        let file = Arc::clone(file);
        let added = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            if looks_for_known {
                finished.retain(|game| !is_known(&file, game));
            }
            let pgn: String = finished.into_iter().map(|game| game.pgn).collect();
            if pgn.is_empty() { Ok(()) } else { append_to_collection(file.path(), pgn) }
        });
        let added = added.await.map_err(|_| Failure::busy("the server ends"))?;
        added.map_err(|error| Failure::not_saved(error.to_string()))?;
    }
    store.set_recorded(ids).await.map_err(not_read)
}

/// Whether the collection contains the game; false if it cannot be searched.
fn is_known(file: &GameFile, game: &Finished) -> bool {
    let unwanted = Unwanted::new(AtomicBool::new(false));
    let Ok(numbers) = file.numbers(&game.query, usize::MAX, &unwanted) else { return false };
    let is_same = |number: &u64| {
        file.game(*number, &unwanted).is_ok_and(|found| Export::new().game(&found) == game.pgn)
    };
    numbers.iter().any(is_same)
}
