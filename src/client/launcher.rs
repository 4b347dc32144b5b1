//! How processes are started, so that none is left behind.

use super::group::Group;
use super::guard::Guard;
use super::{EngineError, EngineSettings};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{env, io};

/// Starts engines.
///
/// Whoever starts a process kills it, and its whole process group, when it is dropped. A
/// runner that is killed itself cannot do that. Then the engine sees the end of its input; the
/// *guard*, another process of ours, kills the group; and where there is a *leash*, the system
/// kills the engine: the leash is a program that asks for this and then becomes the engine.
#[derive(Clone, Default, Debug)]
pub struct Launcher {
    leash: Option<(PathBuf, &'static str)>,
    guard: Option<Arc<Guard>>,
}

impl Launcher {
    /// With neither a leash nor a guard.
    pub const fn new() -> Self {
        Self { leash: None, guard: None }
    }

    /// With a leash, which is a command of a program: the number of our process, the engine's
    /// program and its arguments follow. The command has to call [`join_leash`].
    pub fn leashed(self, program: &Path, command: &'static str) -> Self {
        Self { leash: Some((program.to_owned(), command)), ..self }
    }

    /// With a guard, which is a command of a program that has to call
    /// [`stand_guard`](super::stand_guard) with its standard input. It is started now, and ends
    /// with the last clone of this. If it does not start, there is none.
    pub fn guarded(self, program: &Path, command: &'static str) -> Self {
        let mut guard = Command::new(program);
        guard.arg(command);
        Self { guard: Guard::start(guard).ok().map(Arc::new), ..self }
    }

    /// Starts an engine with all its streams piped.
    ///
    /// # Errors
    /// [`EngineError::NotFound`] if there is no such program, [`EngineError::Start`] if it does
    /// not start.
    pub(super) fn start(&self, settings: &EngineSettings) -> Result<Group, EngineError> {
        let process = self.command(settings)?.spawn();
        let process =
            process.map_err(|error| EngineError::Start { command: settings.command.clone(), error })?;
        Ok(Group::new(process, self.guard.clone()))
    }

    fn command(&self, settings: &EngineSettings) -> Result<Command, EngineError> {
        let not_found = || EngineError::NotFound { command: settings.command.clone() };
        let program = find_program(&settings.command, settings.directory.as_deref()).ok_or_else(not_found)?;
        let mut command = match &self.leash {
            Some((leash, command)) if cfg!(target_os = "linux") => {
                let mut leash = Command::new(leash);
                leash.arg(command).arg(std::process::id().to_string()).arg(program);
                leash
            }
            _ => Command::new(program),
        };
        command.args(&settings.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &settings.directory {
            command.current_dir(directory);
        }
        // A group of its own: what an engine starts is killed with it, and a Ctrl-C meant for the
        // runner does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(command)
    }
}

/// The absolute path of a program: in the directory it is to work in, from here, or in `PATH`.
fn find_program(command: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let name = Path::new(command);
    let mut places = Vec::new();
    places.extend(directory.map(|directory| directory.join(name)));
    if name.components().count() > 1 || name.is_absolute() {
        places.push(name.to_owned());
    } else if let Some(path) = env::var_os("PATH") {
        places.extend(env::split_paths(&path).map(|folder| folder.join(name)));
    }
    let with_suffix = |place: PathBuf| {
        let suffixed = place.with_added_extension(env::consts::EXE_EXTENSION);
        [place, suffixed].into_iter().find(|place| place.is_file())
    };
    places.into_iter().find_map(with_suffix).and_then(|place| std::path::absolute(place).ok())
}

/// Becomes the engine, to be killed by the system when the process `parent` ends. Returns only
/// if that fails.
pub fn join_leash(parent: u32, program: &Path, arguments: &[String]) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        use std::os::unix::process::CommandExt;
        if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
            return error.into();
        }
        // It may have ended before we asked.
        if getppid().is_none_or(|pid| pid.as_raw_nonzero().get().unsigned_abs() != parent) {
            return io::Error::other("the match runner has ended");
        }
        Command::new(program).args(arguments).exec()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (parent, program, arguments);
        io::Error::from(io::ErrorKind::Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_where_people_expect_them() {
        fn found(command: &str, directory: Option<&str>) -> Option<PathBuf> {
            find_program(command, directory.map(Path::new))
        }
        assert!(found("cargo", None).is_some_and(|path| path.is_absolute()));
        assert_eq!(found("no-such-engine-anywhere", None), None);
        assert_eq!(found("./no-such-engine-anywhere", None), None);
        let here = env!("CARGO_MANIFEST_DIR");
        let expected = Path::new(here).join("Cargo.toml");
        assert_eq!(found("Cargo.toml", Some(here)), Some(expected.clone()));
        assert_eq!(found(&expected.display().to_string(), None), Some(expected));
        assert_eq!(found("src", Some(here)), None, "a folder is no program");
        assert_eq!(found("Cargo.toml.new", Some(here)), None, "another name is another program");
    }
}
