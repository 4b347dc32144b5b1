//! `hematite net info`: the content of a network file.

use super::read_any;
use crate::cli::streams::write_json;
use crate::cli::values::JsonArg;
use crate::cli::{CliError, ExitStatus};
use crate::nnue::file::{Kind, NetworkFile};
use crate::nnue::{Architecture, EVAL_SCALE, Parameters, QA, QB};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite net info hematite.nnue
  hematite net info --json hematite.nnue

Prints the reason and exits with code 2 if the file is not a valid network.";

/// Show the content of a network's file, after checking all of it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The file, quantized or float; `-` is standard input.
    file: PathBuf,

    #[command(flatten)]
    json: JsonArg,
}

/// The JSON object.
#[derive(Serialize)]
struct Report {
    checksum: String,
    name: String,
    kind: &'static str,
    architecture: &'static str,
    shape: String,
    hidden: usize,
    numbers: usize,
    bytes: usize,
    evaluation_scale: i32,
    /// The integers that represent 1 in the hidden layer and in the output; `None` for networks of real numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    scales: Option<[i32; 2]>,
    feature_weights: Range,
    feature_biases: Range,
    second_weights: Range,
    scalar_weights: Range,
    second_biases: Range,
    third_weights: Range,
    third_biases: Range,
    output_weights: Range,
    output_biases: Range,
}

/// The minimum and the maximum of some numbers.
#[derive(Serialize)]
struct Range {
    min: f64,
    max: f64,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let report = match read_any(&self.file)? {
            NetworkFile::Quantized(network) => {
                let scales = Some([QA, QB]);
                Report { scales, ..Report::new(Kind::Quantized, network.checksum(), &network.parameters()) }
            }
            NetworkFile::Float(network) => Report::new(Kind::Float, network.checksum(), &network.parameters),
        };
        if self.json.is_given() {
            write_json(out, &report)?;
        } else {
            report.write(out)?;
        }
        Ok(ExitStatus::Yes)
    }
}

impl Report {
    fn new<H: Copy + Into<f64>, O: Copy + Into<f64>, B: Copy + Into<f64>>(
        kind: Kind,
        checksum: crate::nnue::file::Checksum,
        parameters: &Parameters<H, O, B>,
    ) -> Self {
        let architecture = parameters.architecture();
        Self {
            checksum: checksum.to_string(),
            name: checksum.short(),
            kind: kind.name(),
            architecture: Architecture::ID,
            shape: architecture.to_string(),
            hidden: architecture.l1_size(),
            numbers: architecture.numbers(),
            bytes: kind.file_bytes(architecture),
            evaluation_scale: EVAL_SCALE,
            scales: None,
            feature_weights: Range::of(parameters.feature_weights()),
            feature_biases: Range::of(parameters.feature_bias()),
            second_weights: Range::of(parameters.second_weights()),
            scalar_weights: Range::of(parameters.scalar_weights()),
            second_biases: Range::of(parameters.second_bias()),
            third_weights: Range::of(parameters.third_weights()),
            third_biases: Range::of(parameters.third_bias()),
            output_weights: Range::of(parameters.output_weights()),
            output_biases: Range::of(parameters.output_bias()),
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), CliError> {
        writeln!(out, "checksum         {} (called {})", self.checksum, self.name)?;
        writeln!(out, "kind             {}", self.kind)?;
        writeln!(out, "architecture     {} ({})", self.architecture, self.shape)?;
        writeln!(out, "size             {} numbers in {} bytes", self.numbers, self.bytes)?;
        if let Some([activation, output]) = self.scales {
            writeln!(out, "scales           1/{activation} hidden, 1/{output} output")?;
        }
        for (name, Range { min, max }) in [
            ("feature weights", &self.feature_weights),
            ("feature biases", &self.feature_biases),
            ("second weights", &self.second_weights),
            ("scalar weights", &self.scalar_weights),
            ("second biases", &self.second_biases),
            ("third weights", &self.third_weights),
            ("third biases", &self.third_biases),
            ("output weights", &self.output_weights),
            ("output biases", &self.output_biases),
        ] {
            writeln!(out, "{name:16} {min} to {max}")?;
        }
        Ok(())
    }
}

impl Range {
    /// The range of at least one number.
    fn of<T: Copy + Into<f64>>(numbers: &[T]) -> Self {
        let numbers = || numbers.iter().map(|&number| number.into());
        Self {
            min: numbers().fold(f64::INFINITY, f64::min),
            max: numbers().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}
