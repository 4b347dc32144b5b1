//! The networks that a run writes, and those that it must not replace.

use super::*;

#[test]
fn a_network_is_written_also_if_nobody_hears_of_it() {
    let folder = Folder::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hematite"));
    command.args(["train", "--batch", "64", "--hidden", "16", "--epochs", "2", "--report", "1", "--data"]);
    command.arg(folder.path("games")).arg("--out").arg(folder.path("new.nnue"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    drop(child.stdout.take());
    child.wait().expect("it ends");
    Network::read(&mut &folder.read("new.nnue")[..]).expect("a network");
    FloatNetwork::read(&mut &folder.read("new.float")[..]).expect("a network");
}

#[test]
fn a_run_that_is_not_over_is_not_begun_anew() {
    let folder = Folder::new();
    folder.train("new.nnue").args(["--steps", "30"]).assert().success();
    // A run that is over may be repeated.
    folder.train("new.nnue").args(["--steps", "30"]).assert().success();
    let path = folder.path("new.nnue.checkpoint");
    let plan = Checkpoint::read(&path).expect("a checkpoint").plan().clone();
    let data = load(
        &[0, 1, 2].map(|number| Source::from(folder.path(&format!("games/{number}.games")))),
        &plan.selection,
        &plan.target,
        2,
        &AtomicBool::new(false),
        |_| (),
    );
    let data = data.expect("games");
    let training = Training::new(plan.settings(data.training.len()), None).expect("a network");
    Checkpoint::new(&plan, data.fingerprint(), &training).write(&path).expect("it can be written");
    let refused = |expected: &str| {
        let output = folder.train("new.nnue").args(["--steps", "30"]).assert().code(2).get_output().clone();
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(error.contains(expected), "{error}");
    };
    refused("holds a run that is not over; continue it with --resume");
    hematite().arg("train").arg("--resume").arg(&path).assert().success();
    folder.train("new.nnue").args(["--steps", "30"]).assert().success();
    fs::write(&path, "what somebody needs").expect("it can be written");
    refused("not a checkpoint of training; expected a checkpoint that may be replaced");
}

#[test]
fn no_network_is_replaced_by_one_that_is_not_finite() {
    let folder = Folder::new();
    folder.train("new.nnue").args(["--steps", "2"]).assert().success();
    let before = folder.read("new.float");
    // Options are not so large, but a run that was saved may be.
    let path = folder.path("new.nnue.checkpoint");
    let mut plan = Checkpoint::read(&path).expect("a checkpoint").plan().clone();
    (plan.settings.schedule.peak, plan.settings.schedule.end) = (1e300, 1e300);
    let files = [0, 1, 2].map(|number| Source::from(folder.path(&format!("games/{number}.games"))));
    let data = load(&files, &plan.selection, &plan.target, 2, &AtomicBool::new(false), |_| {});
    let data = data.expect("the games can be read");
    let training = Training::new(plan.settings(data.training.len()), None).expect("a network");
    Checkpoint::new(&plan, data.fingerprint(), &training).write(&path).expect("it can be written");
    let output = hematite().arg("train").arg("--resume").arg(&path).assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("the loss or a weight is not a finite number any more"), "{text}");
    assert_eq!(folder.read("new.float"), before);
    assert_eq!(Checkpoint::read(&path).expect("a checkpoint").steps_done(), 0);
}

/// The network of integers is written to a full device, where the system has one.
#[cfg(unix)]
#[test]
fn no_network_is_replaced_if_the_other_cannot_be_written() {
    if !Path::new("/dev/full").exists() {
        return crate::support::skip("no /dev/full");
    }
    let folder = Folder::new();
    std::os::unix::fs::symlink("/dev/full", folder.path("new.nnue")).expect("a link can be made");
    fs::write(folder.path("new.float"), "the former network").expect("it can be written");
    let output = folder.train("new.nnue").args(["--steps", "2"]).assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("new.nnue: "), "{text}");
    assert_eq!(folder.read("new.float"), b"the former network");
}

/// The name is refused before the games are read, which are damaged.
#[cfg(target_os = "linux")]
#[test]
fn a_network_that_cannot_be_written_is_told_at_the_start() {
    let folder = Folder::new();
    fs::write(folder.path("games/3.games"), "damaged").expect("a file can be written");
    let output = folder.train("/proc/new.nnue").assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("cannot write /proc/new.nnue: "), "{text}");
}

#[test]
fn networks_without_an_extension_have_files_of_their_own() {
    let folder = Folder::new();
    for (name, seed) in [("lr0.002", "1"), ("lr0.004", "2")] {
        folder.train(name).args(["--steps", "2", "--seed", seed]).assert().success();
    }
    let [first, second] = ["lr0.002.float", "lr0.004.float"].map(|name| folder.read(name));
    assert!(first != second);
}
