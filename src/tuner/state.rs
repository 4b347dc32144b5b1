//! The state of a run, and its file.

use super::{Effect, Iteration, Screening, Settings, Tally, Tuned, TunerError};
use crate::files::{AtomicFile, Limited, open_regular};
use crate::search::Parameter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// The maximum number of points of the history, so that long runs have small files.
const MAX_POINTS: u64 = 1000;

/// The state of a run, which is sufficient to resume it with the same result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The program that started the run.
    pub engine: String,
    /// The settings of the run.
    pub settings: Settings,
    /// The number of iterations that have been played.
    pub iteration: u64,
    /// The results of all games of the first player, whose parameters differ from iteration to iteration.
    pub tally: Tally,
    /// The parameters and their tuned values.
    pub parameters: Vec<Tuned>,
    /// The values of the parameters in the course of the run, for a plot.
    pub history: Vec<Point>,
    /// The results of a screening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screening: Option<Screening>,
}

/// The values of the parameters after an iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// The iteration; 0 for the start.
    pub iteration: u64,
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
}

impl State {
    /// The state of a new run.
    pub fn new(settings: Settings, parameters: &[&Parameter]) -> Self {
        let engine = concat!("Hematite ", env!("CARGO_PKG_VERSION")).to_owned();
        let parameters: Vec<Tuned> = parameters.iter().map(|parameter| Tuned::new(parameter)).collect();
        let screening = settings.screen.map(|_| Screening::new(parameters.len()));
        let (tally, history) = (Tally::default(), Vec::new());
        let mut state = Self { engine, settings, iteration: 0, tally, parameters, history, screening };
        state.note();
        state
    }

    /// Reads a saved state.
    ///
    /// # Errors
    /// [`TunerError`] if the file cannot be read, or the parameters are not those of this program.
    pub fn read(path: &Path) -> Result<Self, TunerError> {
        let content = |problem: String| TunerError::Content(path.to_owned(), problem);
        let limited = |file| io::read_to_string(Limited::new(file, Limited::DEFAULT));
        let text = open_regular(path).and_then(limited);
        let text = text.map_err(|error| TunerError::File(path.to_owned(), error))?;
        let state: Self = serde_json::from_str(&text).map_err(|error| content(error.to_string()))?;
        if let Some(problem) = state.settings.problem() {
            return Err(content(problem));
        }
        if let Some(problem) = state.parameters.iter().find_map(Tuned::problem) {
            return Err(content(problem));
        }
        let names: BTreeSet<_> = state.parameters.iter().map(|parameter| &parameter.name).collect();
        if names.len() != state.parameters.len() || names.is_empty() {
            return Err(content("expected each parameter once, and at least one".to_owned()));
        }
        let screened = state.screening.as_ref().map(Screening::parameters);
        if screened != state.settings.screen.map(|_| state.parameters.len()) {
            return Err(content(
                "expected the results of a screening for each parameter, or none".to_owned(),
            ));
        }
        Ok(state)
    }

    /// The effect of the parameter with this index in a screening.
    pub fn effect(&self, index: usize) -> Option<Effect> {
        self.screening.as_ref()?.effect(index, self.iteration, 2 * self.settings.pairs)
    }

    /// Saves the state; an existing file is replaced only when the new one is complete.
    ///
    /// # Errors
    /// [`TunerError::File`] if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TunerError> {
        let write = || {
            let mut file = AtomicFile::create(path)?;
            serde_json::to_writer(&mut file, self)?;
            writeln!(file)?;
            file.commit()
        };
        write().map_err(|error| TunerError::File(path.to_owned(), error))
    }

    /// Whether all iterations have been played.
    pub const fn is_done(&self) -> bool {
        self.iteration >= self.settings.iterations
    }

    /// The number of pairs of games that have been played.
    pub const fn pairs(&self) -> u64 {
        self.iteration.saturating_mul(self.settings.pairs)
    }

    /// The iteration that follows after `ahead` others; `None` after the last one.
    pub(super) fn next(&self, ahead: u64) -> Option<Iteration> {
        let number = self.iteration + ahead + 1;
        let is_part = number <= self.settings.iterations;
        is_part.then(|| Iteration::new(self.settings.seed, number, self.parameters.len()))
    }

    /// Updates the state with the results of the next iteration.
    pub(super) fn learn(&mut self, next: &Iteration, tally: Tally) {
        next.learn(&self.settings.gains(), &mut self.parameters, tally.difference());
        if let Some(screening) = &mut self.screening {
            screening.learn(next, tally.difference());
        }
        self.iteration += 1;
        self.tally += tally;
        let interval = self.settings.iterations.div_ceil(MAX_POINTS);
        if self.iteration.is_multiple_of(interval) || self.is_done() {
            self.note();
        }
    }

    fn note(&mut self) {
        let values = self.parameters.iter().map(|parameter| parameter.value).collect();
        self.history.push(Point { iteration: self.iteration, values });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NodeTimeControl, OpeningsId, select};
    use super::*;
    use crate::rng::Rng;
    use std::fs;
    use std::path::PathBuf;

    fn settings(iterations: u64) -> Settings {
        let openings = OpeningsId { name: "book.epd".into(), count: 1, checksum: "0".into() };
        let time_control = NodeTimeControl::Search { nodes: 100 };
        Settings {
            time_control,
            hash_mib: 1,
            iterations,
            pairs: 4,
            rate: 0.1,
            screen: None,
            seed: 7,
            openings,
        }
    }

    fn start(iterations: u64) -> State {
        State::new(settings(iterations), &select(&["lmr_*", "rfp_*"], false).expect("there are some"))
    }

    /// Plays iterations whose results depend only on their numbers.
    fn play(state: &mut State, until: u64) {
        while state.iteration < until {
            let wins = Rng::new(state.iteration).below(9);
            let next = state.next(0).expect("it is not the last one");
            state.learn(&next, Tally { wins, draws: 0, losses: 8 - wins });
        }
    }

    /// A file that is removed with its test.
    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("hematite-tuner-{}-{name}", std::process::id())))
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn a_run_continues_as_if_it_had_not_been_stopped() {
        let file = File::new("resume.json");
        let mut whole = start(60);
        play(&mut whole, 60);
        let mut parts = start(60);
        for until in [1, 17, 40, 60] {
            play(&mut parts, until);
            parts.save(&file.0).expect("it can be written");
            let read = State::read(&file.0).expect("its own file");
            assert_eq!(read, parts);
            parts = read;
        }
        assert!(parts.is_done());
        assert_eq!(parts, whole);
        let moved =
            |state: &State| state.parameters.iter().filter(|parameter| parameter.change() != 0.0).count();
        assert_eq!(moved(&whole), whole.parameters.len());
    }

    #[test]
    fn the_history_does_not_grow_without_end() {
        for (iterations, points) in [(1, 2), (10, 11), (1000, 1001), (1001, 502), (5500, 918)] {
            let mut state = start(iterations);
            play(&mut state, iterations);
            assert_eq!(state.history.len(), points, "{iterations}");
            assert_eq!(state.history.last().map(|point| point.iteration), Some(iterations));
        }
    }

    #[test]
    fn states_of_other_programs_are_refused() {
        let file = File::new("other.json");
        type Change = fn(&mut State);
        let cases: [(&str, Change, &str); 6] = [
            ("name", |state| state.parameters[0].name = "x".into(), "no search parameter is called x"),
            ("default", |state| state.parameters[0].default += 1, "default, range or step of rfp_depth"),
            ("value", |state| state.parameters[0].value = 99.5, "rfp_depth is 99.5, expected 3 to 14"),
            (
                "twice",
                |state| state.parameters[0] = state.parameters[1].clone(),
                "expected each parameter once",
            ),
            ("none", |state| state.parameters.clear(), "expected each parameter once, and at least one"),
            ("pairs", |state| state.settings.pairs = 0, "pairs is 0, expected 1 to 10000"),
        ];
        for (name, change, expected) in cases {
            let mut state = start(5);
            change(&mut state);
            state.save(&file.0).expect("it can be written");
            let error = State::read(&file.0).expect_err(name).to_string();
            assert!(error.contains(expected), "{name}: {error}");
        }
        fs::write(&file.0, "{").expect("it can be written");
        assert!(State::read(&file.0).expect_err("no state").to_string().contains("line 1"));
    }

    /// Reading from many devices would never end.
    #[cfg(unix)]
    #[test]
    fn a_device_is_no_state() {
        let error = State::read(Path::new("/dev/null")).expect_err("no state").to_string();
        assert!(error.ends_with("a device, expected a regular file"), "{error}");
    }
}
