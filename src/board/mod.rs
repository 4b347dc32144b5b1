//! The board in the browser: a server on this machine, and the page that it serves.
//!
//! The server asks the zone and never knows a rule of chess. A game is a room ([`room`]), a task of its own; what
//! happens in it is written to disk ([`store`]) before anybody is told. Whoever has a token of a seat has the seat; a
//! link to a game is as hard to guess as a token. Searches, files and the database have threads of their own, so that
//! nobody waits for them who does not need them.

mod about;
mod access;
mod analysis_socket;
mod app;
mod arena;
mod assets;
mod boards;
mod body;
mod clock;
mod comparison;
mod conditions;
mod course;
mod diagram;
mod document;
mod engines;
mod failure;
mod file_changes;
mod file_details;
mod file_routes;
mod file_steps;
mod files;
mod game_analysis;
mod game_routes;
mod game_rows;
mod game_socket;
mod growing;
mod hosted;
mod known_names;
mod lessons;
mod levels;
mod limits;
mod live;
mod live_server;
mod lobby;
mod new_game;
mod notation;
mod novelty;
mod openings;
mod opponent;
mod pairing;
mod places;
mod positions;
mod record;
mod recording;
mod rematch;
mod room;
mod routes;
mod saved;
mod saving;
mod server;
mod sockets;
mod standings;
mod state;
mod state_file;
mod store;
mod stream;
mod study_socket;
mod tables;
mod terms;
mod token;
mod tournament;
mod tournament_arena;
mod tournament_parts;
mod tournament_routes;
mod tournament_state;
mod tournaments;
mod verdicts;
mod words;

pub use app::Settings;
pub use engines::EngineSettings;
pub use limits::Limits;
pub use live::LiveMatch;
pub use live_server::LiveServer;
pub use server::{Server, ServerError};
pub use state_file::StoreError;
