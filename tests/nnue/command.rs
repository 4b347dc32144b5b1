//! `hematite net` and the option `EvalFile`, run by the built binary.

use crate::support::binary::run_unread;
use crate::support::network::material;
use hematite::nnue::FloatNetwork;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const BINARY: &str = env!("CARGO_BIN_EXE_hematite");

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(arguments: &[&str], input: &str) -> Run {
    let output = assert_cmd::Command::new(BINARY)
        .args(arguments)
        .write_stdin(input)
        .output()
        .expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The folder of a test, with a trained network and its quantized form.
struct Folder {
    path: PathBuf,
    float: FloatNetwork,
}

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nnue").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        let float = material(32, 11);
        let folder = Self { path, float };
        folder.float.write(File::create(folder.file("net.float")).expect("a file")).expect("it is written");
        folder
    }

    fn file(&self, name: &str) -> String {
        self.path.join(name).to_str().expect("UTF-8").to_owned()
    }

    fn quantize(&self) -> String {
        let net = self.file("net.nnue");
        let run = run(&["net", "quantize", &self.file("net.float"), "-o", &net], "");
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
        net
    }
}

#[test]
fn files_are_quantized_and_shown() {
    let folder = Folder::new("info");
    let net = folder.quantize();
    let network = folder.float.quantize().expect("its sums fit");
    let text = run(&["net", "info", &net], "");
    assert_eq!(text.code, Some(0), "{}", text.err);
    assert!(text.out.starts_with(&format!("checksum         {}", network.checksum())), "{}", text.out);
    for part in [
        "kind             quantized\n",
        "((4608 -> 32) x 2 + 32 -> (16 -> 32 -> 1) x 8)\n",
        "1/255 hidden, 1/1024 output\n",
    ] {
        assert!(text.out.contains(part), "{part}: {}", text.out);
    }
    let written = std::process::Command::new(env!("CARGO_BIN_EXE_hematite"))
        .args(["net", "quantise", &folder.file("net.float"), "-o", "-"])
        .output()
        .expect("the binary runs");
    assert_eq!(written.stdout, fs::read(&net).expect("it was written"));
    let json = run(&["net", "info", "--json", &folder.file("net.float")], "").out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["kind"], "float");
    assert_eq!(json["hidden"], 32);
    assert_eq!(json["numbers"], 4608 * 32 + 32 + 8 * (16 * (32 + 32 + 1) + 32 * 17 + 33));
    let size = fs::metadata(folder.file("net.float")).expect("a file").len();
    assert_eq!(json["bytes"], size);
    assert_eq!(json["scales"], serde_json::Value::Null);
}

#[test]
fn networks_are_compared() {
    let folder = Folder::new("compare");
    let (float, net) = (folder.file("net.float"), folder.quantize());
    let compare = |more: &[&str], input: &str| {
        let arguments = [&["net", "compare", "--json", &float, &net], more].concat();
        let run = run(&arguments, input);
        assert_eq!(run.err, "");
        (run.code, serde_json::from_str::<serde_json::Value>(&run.out).expect("JSON"))
    };
    let (code, json) = compare(&["--random", "3000"], "");
    assert_eq!((code, &json["positions"]), (Some(0), &3000.into()));
    let largest = json["largest_units"].as_f64().expect("a number");
    assert!(largest > 0.0 && json["mean_units"].as_f64().is_some_and(|mean| mean <= largest), "{json}");
    let above = (largest.ceil() as u32).to_string();
    let below = (largest.floor() as u32).to_string();
    assert_eq!(
        compare(&["--random", "3000", "--max-difference", &above], ""),
        (Some(0), {
            let mut same = json.clone();
            same["max_difference_units"] = (largest.ceil() as u32).into();
            same
        })
    );
    assert_eq!(compare(&["--random", "3000", "--max-difference", &below], "").0, Some(1));
    let unread = ["net", "compare", &float, &net, "--random", "3000", "--max-difference", &below];
    assert_eq!(run_unread(&unread, b""), Some(1));
    let (code, json) = compare(&["--positions", "-"], "# one\n4k3/8/8/8/8/8/8/4K2R w K -\n");
    assert_eq!((code, &json["positions"]), (Some(0), &1.into()));
    assert_eq!(json["worst"]["fen"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
}

#[test]
fn the_mean_of_networks_is_written() {
    let folder = Folder::new("mean");
    let (first, net) = (folder.file("net.float"), folder.quantize());
    let other = material(32, 12);
    let second = folder.file("second.float");
    other.write(File::create(&second).expect("a file")).expect("it is written");
    let mean_of = |arguments: &[&str]| {
        let out = folder.file("mean.float");
        let run = run(&[&["net", "mean", "-o", &out], arguments].concat(), "");
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
        FloatNetwork::read(File::open(&out).expect("a file")).expect("a network")
    };
    let mean = |numbers: &[(&FloatNetwork, f32)]| {
        let numbers: Vec<_> = numbers.iter().map(|(network, weight)| ((*network).clone(), *weight)).collect();
        FloatNetwork::mean(&numbers).expect("the shapes are equal")
    };
    let plain = mean_of(&[&first, &second]);
    assert_eq!(plain, mean(&[(&folder.float, 1.0), (&other, 1.0)]));
    let numbers = |network: &FloatNetwork| network.parameters.second_weights().to_vec();
    for ((mean, a), b) in numbers(&plain).iter().zip(numbers(&folder.float)).zip(numbers(&other)) {
        assert!((mean - (a + b) / 2.0).abs() <= f32::EPSILON, "{mean} of {a} and {b}");
    }
    let weighted = mean_of(&[&first, &second, "--weight", &format!("{second}=3")]);
    assert_eq!(weighted, mean(&[(&folder.float, 1.0), (&other, 3.0)]));
    let real = FloatNetwork::dequantized(&folder.float.quantize().expect("its sums fit"));
    assert_eq!(mean_of(&[&net, &second]), mean(&[(&real, 1.0), (&other, 1.0)]));
    let wide = folder.file("wide.float");
    material(48, 1).write(File::create(&wide).expect("a file")).expect("it is written");
    let out = folder.file("never");
    let text = folder.file("text");
    fs::write(&text, "no network\n").expect("a file");
    let cases: [(&[&str], String); 5] = [
        (
            &[&first, &wide],
            format!(
                "{wide}: the shape is (4608 -> 48) x 2 + 32 -> (16 -> 32 -> 1) x 8, \
                 expected that of {first}, (4608 -> 32) x 2 + 32 -> (16 -> 32 -> 1) x 8"
            ),
        ),
        (&[&first, &text], "not a network of Hematite".to_owned()),
        (&[&first], "2".to_owned()),
        (
            &[&first, &second, "--weight", "third=2"],
            format!("--weight third: expected one of the paths {first}"),
        ),
        (&[&first, &second, "--weight", "x=0"], "expected a number above 0".to_owned()),
    ];
    for (arguments, expected) in cases {
        let run = run(&[&["net", "mean", "-o", &out], arguments].concat(), "");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.contains(&expected), "{arguments:?}: {}", run.err);
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn what_cannot_be_used_is_told() {
    let folder = Folder::new("refused");
    let (float, net) = (folder.file("net.float"), folder.quantize());
    let text = folder.file("text");
    fs::write(&text, "no network\n").expect("a file");
    let cut = folder.file("cut");
    fs::write(&cut, &fs::read(&net).expect("a file")[..1000]).expect("a file");
    let mut wild = folder.float.clone();
    wild.parameters.output_weights_mut()[0] = 5.0;
    let wild_file = folder.file("wild");
    wild.write(File::create(&wild_file).expect("a file")).expect("it is written");
    let out = folder.file("never");
    let nowhere = folder.file("no/such/folder");
    let in_a_file = folder.file("text/net");
    let cases: [(&[&str], &str); 8] = [
        (&["info", &text], "not a network of Hematite"),
        (&["info", &cut], "truncated: 1000 bytes, expected"),
        (&["info", &nowhere], "No such file"),
        (&["quantize", &net, "-o", &out], "a quantized network, expected a float one"),
        (&["quantize", &wild_file, "-o", &out], "cannot be quantized: output weight 0 is 5"),
        (&["quantize", &float, "-o", &in_a_file], "Not a directory"),
        (&["compare", &net, &float], "a quantized network, expected a float one"),
        (&["compare", &float, &net, "--positions", &text], "line 1"),
    ];
    for (arguments, expected) in cases {
        let run = run(&[&["net"], arguments].concat(), "");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn the_engine_loads_a_network() {
    let folder = Folder::new("evalfile");
    let net = folder.quantize();
    let start = hematite::chess::Position::start();
    let value = folder.float.quantize().expect("its sums fit").evaluate(&start);
    // What each piece contributes is shown below the evaluation, and is no matter here.
    let is_told = |line: &&str| line.starts_with("Evaluation: ") || line.starts_with("info string ");
    let built_in = run(&[], "eval\n").out;
    let built_in = built_in.split_inclusive('\n').find(is_told).expect("an evaluation");
    let with_net = format!("Evaluation: {} (for White)\n", hematite::search::Score::from_units(value));
    assert_ne!(built_in, with_net);
    let load = format!("setoption name EvalFile value {net}\n");
    let bad = folder.file("none");
    let script = format!(
        "{load}eval\nsetoption name evalfile value {bad}\neval\n\
         setoption name EvalFile value {}\neval\nsetoption name EvalFile value <empty>\neval\n",
        folder.file("net.float")
    );
    let said = run(&[], &script);
    let lines: Vec<&str> = said.out.split_inclusive('\n').filter(is_told).collect();
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert_eq!(lines[0], with_net);
    assert!(
        lines[1].starts_with(&format!("info string setoption: EvalFile: `{bad}`: No such file")),
        "{lines:?}"
    );
    assert!(lines[1].ends_with("; not changed\n"), "{lines:?}");
    assert_eq!(lines[2], with_net);
    assert!(
        lines[3].contains("net.float`: a float network, expected a quantized one; not changed"),
        "{lines:?}"
    );
    assert_eq!(lines[4], with_net);
    assert_eq!(lines[5], built_in);
    assert!(run(&[], "uci\n").out.contains("option name EvalFile type string default <empty>\n"));
    // The search and the bench go by it too, and the search is the same each time.
    let nodes = |script: &str| {
        let out = run(&[], script).out;
        let last = out.lines().last().expect("a last line").to_owned();
        last.split(' ').next().expect("a word").to_owned()
    };
    let bench = format!("{load}bench 4\nwait\n");
    assert_eq!(nodes(&bench), nodes(&bench));
    assert_ne!(nodes(&bench), nodes("bench 4\nwait\n"));
    let best = run(&[], &format!("{load}go depth 5\nwait\n")).out;
    assert!(best.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{best}");
}

/// The first games are played with such a network as the help says, here only one.
#[test]
fn games_are_played_with_a_network_of_material() {
    let folder = Folder::new("material");
    let help = run(&["net", "material", "--help"], "").out;
    let example = help.lines().find_map(|line| line.trim().strip_prefix("hematite datagen "));
    let words = example.expect("an example").replace("100k", "1").replace("300", "60");
    let made = run(&["net", "material", "-o", &folder.file("material.nnue")], "");
    assert_eq!(made.code, Some(0), "{}", made.err);
    let mut command = assert_cmd::Command::new(BINARY);
    command.current_dir(&folder.path).arg("datagen").args(words.split(' '));
    let output = command.output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{words}: {}", String::from_utf8_lossy(&output.stderr));
}
