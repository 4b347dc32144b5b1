//! The grammar of the Universal Chess Interface, April 2006
//! (<https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>), in both directions: what a GUI
//! says is a [`Command`], what an engine says is a [`Message`]. Both are read from text and
//! written as text, so that an engine can listen to a GUI and a match runner to an engine.
//!
//! Reading never fails as a whole: what cannot be understood becomes a [`ParseWarning`] beside
//! what can.

mod command;
mod extensions;
mod go;
mod info;
mod message;
mod option;
mod position;
mod tokens;
mod warning;

pub use command::{Command, Parsed};
pub use extensions::{BenchTokens, GenFensTokens, SpeedtestTokens};
pub use go::{GoTokens, LONGEST_TIME};
pub use info::{Info, InfoBound, InfoScore, InfoValue, WinDrawLoss};
pub use message::Message;
pub use option::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};
pub use position::{PositionBase, PositionTokens, Shorthand, without_number};
pub use warning::{ParseWarning, nearest};
