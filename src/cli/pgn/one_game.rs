//! A single game: its name on the command line, its text in a file, its opening, and its head in JSON.

use super::{Finding, Inputs};
use crate::cli::{CliError, ExitStatus};
use crate::database::{Options, Source, is_known_name};
use crate::notation::PieceLetters;
use crate::notation::eco::{Opening, is_chosen, opening_of};
use crate::notation::pgn::{Game, PgnError, Tags};
use crate::notation::pluralize;
use serde::{Serialize, Serializer};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A game of a file: `games.pgn#3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::cli) struct GameName {
    /// A file, a folder, a collection or standard input.
    pub file: PathBuf,
    /// The number of the game, counted from 1.
    pub number: u64,
}

/// A game that has been read.
pub(in crate::cli) struct NamedGame {
    /// The source of the game.
    pub source: Source,
    pub game: Game,
    /// The errors in the game.
    pub errors: Vec<PgnError>,
}

impl GameName {
    /// Parses a name such as `games.pgn#3`; `None` for a name without a number, and for the name of an existing file.
    pub(in crate::cli) fn numbered(text: &str) -> Option<Self> {
        let (file, number) = text.rsplit_once('#')?;
        let number = number.parse().ok().filter(|&number| number > 0)?;
        (!PathBuf::from(text).exists()).then(|| Self { file: file.into(), number })
    }

    /// Parses a name such as `games.pgn#3`; without a number it refers to the first game.
    pub(super) fn new(text: PathBuf) -> Self {
        text.to_str().and_then(Self::numbered).unwrap_or(Self { file: text, number: 1 })
    }

    /// The name with the number.
    pub(super) fn show(&self) -> String {
        format!("{}#{}", self.file.display(), self.number)
    }

    /// The name at the head of a column, without the folders.
    pub(super) fn title(&self) -> String {
        let file = self.file.file_name().unwrap_or(self.file.as_os_str());
        format!("{}#{}", file.display(), self.number)
    }

    /// Reads the game, with the piece letters of this language. Earlier games are skipped.
    ///
    /// # Errors
    /// [`CliError`] if there is no such game, or the file cannot be read.
    pub(in crate::cli) fn read(&self, language: PieceLetters) -> Result<NamedGame, CliError> {
        let inputs = Inputs { language, ..Inputs::of(vec![self.file.clone()], Some(1)) };
        let games = AtomicU64::new(0);
        let mut found = None;
        let end = inputs.read_with(
            Options::default(),
            true,
            |part, emit| {
                let mut builder = inputs.builder();
                // The source is read by one thread.
                let before = self.number - 1 - games.load(Ordering::Relaxed);
                let passed = part.reader.pass(before)?;
                games.fetch_add(passed, Ordering::Relaxed);
                if passed < before {
                    return Ok(());
                }
                if part.reader.read_game(&mut builder)? {
                    games.fetch_add(1, Ordering::Relaxed);
                    emit(builder.take())?;
                }
                Ok(())
            },
            &mut |source, _, (game, errors): (Game, Vec<PgnError>)| {
                found = Some(NamedGame { source: source.clone(), game, errors });
                Ok(ControlFlow::Break(()))
            },
        )?;
        // After damage, games have other numbers.
        if end.status()? != ExitStatus::Yes {
            return Err(CliError::Inputs);
        }
        if let Some(found) = found {
            return Ok(found);
        }
        let has = pluralize(games.into_inner(), "game");
        Err(CliError::Input {
            name: self.file.display().to_string(),
            problem: format!("it has {has}, expected a game {}", self.number),
        })
    }
}

/// The message about an error in a game, with its place.
pub(in crate::cli) fn error_message(source: &Source, error: &PgnError) -> String {
    Finding::from(error).show(&source.name())
}

/// The opening of a game, from its tags or else from its moves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::cli) struct NamedOpening {
    /// The ECO code; empty if there is none.
    pub code: String,
    /// The name; empty if there is none.
    pub name: String,
    /// Whether the name comes from the moves.
    is_by_moves: bool,
}

impl NamedOpening {
    pub(in crate::cli) fn of(game: &Game) -> Self {
        Self::by_tags_or(game, || opening_of(game))
    }

    /// The opening of a game as [`Self::of`] determines it, with `opening` to find the opening of the moves.
    pub(in crate::cli) fn by_tags_or(
        game: &Game,
        opening: impl FnOnce() -> Option<&'static Opening>,
    ) -> Self {
        let tag = |name: &str| game.tags.get(name).filter(|value| is_known_name(value)).map(str::to_owned);
        let by_tag = tag("Opening").map(|name| {
            let parts: Vec<String> = ["Variation", "SubVariation"].into_iter().filter_map(tag).collect();
            if parts.is_empty() { name } else { format!("{name}: {}", parts.join(", ")) }
        });
        let code = tag("ECO");
        let is_stated = code.is_some() && by_tag.is_some();
        let by_moves = if is_stated && !is_chosen() { None } else { opening() };
        // A name from the user's list of openings takes precedence over tags.
        let (code, by_tag) = if is_chosen() && by_moves.is_some() { (None, None) } else { (code, by_tag) };
        let is_by_moves = by_tag.is_none();
        Self {
            code: code.or_else(|| by_moves.map(|opening| opening.code().to_string())).unwrap_or_default(),
            name: by_tag.or_else(|| by_moves.map(|opening| opening.name().to_owned())).unwrap_or_default(),
            is_by_moves,
        }
    }

    /// The origin of the name: `tags` or `moves`; `None` without a name.
    fn origin(&self) -> Option<&'static str> {
        (!self.name.is_empty()).then_some(if self.is_by_moves { "moves" } else { "tags" })
    }

    /// The name, with a mark before it if it comes from the moves.
    pub(super) fn marked(&self) -> String {
        let mark = if self.is_by_moves && !self.name.is_empty() { "~" } else { "" };
        format!("{mark}{}", self.name)
    }
}

/// The members of a game in JSON that all commands share.
#[derive(Clone, Serialize)]
pub(in crate::cli) struct JsonHead {
    pub file: String,
    /// The number of the game in its file, counted from 1.
    pub game: u64,
    #[serde(serialize_with = "as_object")]
    tags: Tags,
    result: &'static str,
    plies: usize,
    eco: String,
    opening: String,
    /// The origin of the opening's name: `tags` or `moves`; `None` without a name.
    opening_from: Option<&'static str>,
}

impl JsonHead {
    /// The head of a game. The caller sets the file and the number, which are known when games are written in order.
    pub(in crate::cli) fn new(game: &Game) -> Self {
        let opening = NamedOpening::of(game);
        Self {
            file: String::new(),
            game: 0,
            tags: game.tags.clone(),
            result: game.result.as_str(),
            plies: game.mainline().count(),
            opening_from: opening.origin(),
            opening: opening.name,
            eco: opening.code,
        }
    }
}

fn as_object<S: Serializer>(tags: &Tags, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tags.iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_games_have_numbers() {
        let name = |file: &str, number| GameName { file: PathBuf::from(file), number };
        let cases = [
            ("no-file.pgn", name("no-file.pgn", 1)),
            ("no-file.pgn#12", name("no-file.pgn", 12)),
            ("no-file.pgn#0", name("no-file.pgn#0", 1)),
            ("no#file#2", name("no#file", 2)),
            ("no#file", name("no#file", 1)),
            ("-#2", name("-", 2)),
        ];
        for (text, expected) in cases {
            assert_eq!(GameName::new(PathBuf::from(text)), expected, "{text}");
        }
    }
}
