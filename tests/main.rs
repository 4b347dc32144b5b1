//! The tests of the built binary and of whole features, in one program so that the library is linked only once.

mod analyse;
mod analyse_referees;
mod animation;
mod arena;
mod backsolve;
mod bench;
#[cfg(all(feature = "board", unix))]
mod board;
#[cfg(feature = "board")]
mod board_page;
mod book;
mod circles;
mod cli;
mod compressed;
mod datagen;
mod db;
mod dead;
mod diagram;
mod docs;
mod eco;
mod epd;
mod epd_command;
mod epd_engines;
mod fen;
mod game;
mod generation;
mod inputs;
#[cfg(unix)]
mod interruption;
mod latex;
mod layers;
mod legality;
#[cfg(unix)]
mod makefile;
mod markdown;
mod mates;
mod nnue;
mod perft;
mod pgn;
mod pgn_cli;
mod position;
mod prose;
mod puzzles;
mod repetition;
mod report;
mod san;
mod search;
mod study;
mod support;
mod tablebase;
mod train;
mod train_data;
mod tune;
mod uci;
mod zone;
