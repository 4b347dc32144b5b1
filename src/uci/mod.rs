//! The grammar of the Universal Chess Interface, April 2006
//! (<https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>), in both directions: what a GUI
//! says is a [`Command`], what an engine says is a [`Message`]. Both are read from text and
//! written as text, so that an engine can listen to a GUI and a match runner to an engine.
//!
//! Reading never fails as a whole: what cannot be understood becomes a [`Complaint`] beside
//! what can.

mod bench;
mod command;
mod complaint;
mod genfens;
mod go;
mod info;
mod message;
mod number;
mod option;
mod position;
mod shorthand;
mod suggestion;
mod tokens;

pub use bench::{BenchTokens, SpeedtestTokens};
pub use command::{Command, Parsed};
pub use complaint::Complaint;
pub use genfens::GenFensTokens;
pub use go::{GoTokens, LONGEST_TIME};
pub use info::{Info, InfoBound, InfoScore, InfoValue, WinDrawLoss};
pub use message::Message;
pub use option::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};
pub use position::{PositionBase, PositionTokens};
pub use shorthand::Shorthand;
pub use suggestion::nearest;
