//! A thread that plays one encounter after another.

use super::TournamentError;
use crate::arena::config::MatchConfig;
use crate::arena::game::{Game, Interrupted, Record, Side};
use crate::arena::opening::Book;
use crate::arena::schedule::Encounter;
use crate::client::{EngineError, EngineSettings, Launcher, Log, Player};
use crossbeam_channel::{Receiver, Sender};
use std::sync::atomic::AtomicBool;

/// What workers tell.
pub(super) enum WorkerEvent {
    /// A game is over.
    Game { encounter: Encounter, game: usize, record: Box<Record> },
    /// An engine cannot be started any more.
    Failed(TournamentError),
}

/// What all workers share.
pub(super) struct Shared<'a> {
    pub config: &'a MatchConfig,
    pub book: &'a Book,
    /// The place in the book for each encounter.
    pub places: &'a [usize],
    pub names: &'a [String],
    pub launcher: &'a Launcher,
    pub log: &'a Log,
    pub is_interrupted: &'a AtomicBool,
}

/// A worker and the engines that it keeps running.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// At most the two of the latest encounter, each with its number.
    players: Vec<(usize, Player)>,
}

/// How often an engine is started before the match is given up.
const START_ATTEMPTS: usize = 3;

impl<'a> Worker<'a> {
    pub(super) const fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, players: Vec::new() }
    }

    /// Plays what comes until nothing more does, or the match is to end.
    pub(super) fn run(mut self, encounters: &Receiver<Encounter>, events: &Sender<WorkerEvent>) {
        for encounter in encounters {
            for game in 0..encounter.games {
                let event = match self.play(&encounter, game) {
                    Ok(Ok(record)) => WorkerEvent::Game { encounter, game, record: Box::new(record) },
                    Ok(Err(Interrupted)) => return,
                    Err(error) => {
                        let _ = events.send(WorkerEvent::Failed(error));
                        return;
                    }
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        }
        for (_, player) in self.players.drain(..) {
            player.quit();
        }
    }

    fn play(
        &mut self,
        encounter: &Encounter,
        game: usize,
    ) -> Result<Result<Record, Interrupted>, TournamentError> {
        let Shared { config, book, places, is_interrupted, .. } = *self.shared;
        let (white, black) = encounter.colors(game);
        for (index, player) in std::mem::take(&mut self.players) {
            if (index == white || index == black) && !config.engines[index].restarts() {
                self.players.push((index, player));
            } else {
                player.quit();
            }
        }
        let mut white_player = self.player(white)?;
        let mut black_player = self.player(black)?;
        let opening = book.opening(places.get(encounter.index).copied().unwrap_or(0));
        let rules = Game {
            opening,
            is_chess960: config.variant.is_chess960(),
            adjudication: config.adjudication(),
            is_interrupted,
        };
        let record = rules.play(self.side(white, &mut white_player), self.side(black, &mut black_player));
        // Whoever has not kept to the protocol begins anew; to drop a player is to kill it.
        let at_fault = match &record {
            Ok(record) if record.termination.is_fault() => record.termination.loser(),
            Ok(_) => None,
            Err(Interrupted) => return Ok(Err(Interrupted)),
        };
        for (color, index, player) in [(0, white, white_player), (1, black, black_player)] {
            if at_fault.is_none_or(|loser| loser as usize != color) {
                self.players.push((index, player));
            }
        }
        Ok(record)
    }

    fn side<'p>(&self, index: usize, player: &'p mut Player) -> Side<'p> {
        let entrant = &self.shared.config.engines[index];
        Side {
            player,
            limits: entrant.limits(),
            ponders: entrant.ponders(),
            patience: self.shared.config.timeouts.think,
        }
    }

    /// The running engine of this number, or a new one.
    fn player(&mut self, index: usize) -> Result<Player, TournamentError> {
        if let Some(at) = self.players.iter().position(|&(running, _)| running == index) {
            return Ok(self.players.swap_remove(at).1);
        }
        let Shared { config, names, launcher, log, .. } = *self.shared;
        let name = &names[index];
        let settings = EngineSettings { name: Some(name.clone()), ..config.settings(index) };
        let start = || Player::start(&settings, config.variant.is_chess960(), config.timeouts, launcher, log);
        let mut attempt = start();
        for _ in 1..START_ATTEMPTS {
            if attempt.as_ref().err().is_none_or(EngineError::is_of_configuration) {
                break;
            }
            attempt = start();
        }
        attempt.map_err(|error| TournamentError::Engine { name: name.clone(), error })
    }
}
