//! The tests of the built binary and of whole capabilities: one program, so that the library is linked once.

mod arena;
mod bench;
mod book;
mod circles;
mod cli;
mod compressed;
mod datagen;
mod db;
mod diagram;
mod docs;
mod eco;
mod epd;
mod epd_command;
mod fen;
mod game;
mod generation;
mod inputs;
#[cfg(unix)]
mod interruption;
mod layers;
mod legality;
mod mates;
mod nnue;
mod perft;
mod pgn;
mod pgn_cli;
mod position;
mod repetition;
mod san;
mod search;
mod support;
mod tablebase;
mod train;
mod train_data;
mod tune;
mod uci;
