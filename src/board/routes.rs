//! The routes: addresses and their handlers.

use super::access::{HostNames, check};
use super::app::App;
use super::failure::Failure;
use super::{
    about, analysis_socket, arbiter_socket, assets, boards, comparison, course, diagram, document,
    electronic_board, file_changes, file_routes, game_analysis, game_routes, game_socket, next_moves,
    notation, novelty, openings, positions, print, saving, study_socket, tables, tournament_routes,
};
use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;

/// The addresses of the page. All are answered with the same document, which reads the address itself.
const PAGES: [&str; 14] = [
    "/",
    "/game/{id}",
    "/analyse",
    "/analyse/{file}/{number}",
    "/compare",
    "/editor",
    "/explore",
    "/explore/{file}",
    "/study",
    "/openings",
    "/tournament",
    "/tournament/{id}",
    "/arbiter",
    "/help",
];

/// The description of the interface in the OpenAPI format (<https://spec.openapis.org/oas/v3.1.1.html>).
const INTERFACE: &str = include_str!("../../docs/openapi.json");

/// The router of all addresses.
pub(super) fn router(app: Arc<App>, hosts: HostNames) -> Router {
    let mut router = Router::new()
        .route("/api/about", get(about::show))
        .route("/api/notation", get(notation::show))
        .route("/api/openings", get(openings::list))
        .route("/api/openings/tree", post(next_moves::openings))
        .route("/api/book", post(next_moves::book))
        .route("/api/positions", post(positions::show))
        .route("/api/diagram", get(diagram::show))
        .route("/api/analysis/read", post(document::read))
        .route("/api/analysis/write", post(document::write))
        .route("/api/analysis/compare", post(comparison::show))
        .route("/api/analysis/tags", post(document::check_tags))
        .route("/api/analysis/course", post(course::show))
        .route("/api/analysis/engine", get(analysis_socket::open))
        .route("/api/analysis/game", get(game_analysis::open))
        .route("/api/games", get(game_routes::list).post(game_routes::create))
        .route("/api/boards", get(boards::show))
        .route("/api/games.pgn", get(game_routes::all_pgn))
        .route("/api/games/{id}", get(game_routes::show))
        .route("/api/games/{id}/acts", post(game_routes::act))
        .route("/api/games/{id}/rematch", post(game_routes::rematch))
        .route("/api/games/{id}/pgn", get(game_routes::pgn))
        .route("/api/games/{id}/epd", get(game_routes::record).post(game_routes::receive))
        .route("/api/games/{id}/pieces", post(electronic_board::report))
        .route("/api/games/{id}/journal", get(game_routes::journal))
        .route("/api/games/{id}/socket", get(game_socket::open))
        .route("/api/arbiter", get(arbiter_socket::open))
        .route("/api/tournaments", get(tournament_routes::list).post(tournament_routes::create))
        .route("/api/tournaments/{id}", get(tournament_routes::show))
        .route("/api/tournaments/{id}/acts", post(tournament_routes::act))
        .route("/api/tournaments/{id}/pgn", get(tournament_routes::pgn))
        .route("/api/tournaments/{id}/rounds/{number}/pgn", get(tournament_routes::round_pgn))
        .route("/api/tournaments/{id}/socket", get(tournament_routes::open_socket))
        .route("/api/files/{file}/games", get(file_routes::list).post(saving::add))
        .route("/api/files/{file}/games/{number}", get(file_routes::show).put(saving::replace))
        .route("/api/files/{file}/games/{number}/neighbors", get(file_routes::neighbors))
        .route("/api/files/{file}/games/{number}/hits", get(file_routes::hits))
        .route("/api/files/{file}/print", get(print::show))
        .route("/api/files/{file}/changes", post(file_changes::make))
        .route("/api/files/{file}/tree", post(file_routes::tree))
        .route("/api/files/{file}/notable", post(file_routes::notable))
        .route("/api/files/{file}/novelty", post(novelty::show))
        .route("/api/files/{file}/players", get(tables::players))
        .route("/api/files/{file}/openings", get(tables::opening_table))
        .route("/api/files/{file}/crosstable", get(tables::crosstable))
        .route("/api/files/{file}/names", get(tables::names))
        .route("/api/study", get(study_socket::open))
        .route("/api/openapi.json", get(interface))
        .route("/assets/{name}", get(asset))
        .route("/favicon.ico", get(icon));
    for page in PAGES {
        router = router.route(page, get(document));
    }
    router
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(middleware::from_fn_with_state(hosts, check))
        .with_state(app)
}

/// Answers a request for a page.
pub(super) async fn document(headers: HeaderMap) -> Result<Response, Failure> {
    assets::index(&headers)
}

async fn interface() -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], INTERFACE).into_response()
}

/// Answers `GET /assets/NAME`.
pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    assets::file(&name, &headers)
}

/// Answers `GET /favicon.ico`, which browsers request for documents that name no icon.
async fn icon(headers: HeaderMap) -> Result<Response, Failure> {
    assets::file("icon-192.png", &headers)
}

/// Answers a request for an unknown address; a browser that requests a page receives the document with status 404.
pub(super) async fn nothing(address: Uri, headers: HeaderMap) -> Response {
    let is_page = headers.get(header::ACCEPT).is_some_and(|kinds| {
        kinds.to_str().is_ok_and(|kinds| kinds.split(',').any(|kind| kind.trim() == "text/html"))
    });
    if is_page && !address.path().starts_with("/api") {
        // Without the `ETag` of the browser: the answer "not modified" would hide the status 404.
        let encoding =
            headers.get(header::ACCEPT_ENCODING).map(|value| (header::ACCEPT_ENCODING, value.clone()));
        if let Ok(mut page) = assets::index(&HeaderMap::from_iter(encoding)) {
            *page.status_mut() = StatusCode::NOT_FOUND;
            page.headers_mut().remove(header::ETAG);
            return page;
        }
    }
    Failure::not_found("there is nothing at this address").into_response()
}

/// Answers a request with a method that the address does not support.
pub(super) async fn other_method() -> Failure {
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this address has other methods")
}
