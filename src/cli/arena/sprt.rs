//! `hematite match sprt`: statistics from the numbers of wins, losses and draws.

use super::{CliError, ExitStatus};
use crate::arena::statistics::{EloModel, Hypothesis, PairTally, Pairs, Report, Results, Sprt};
use crate::cli::values::{JsonArg, integer_in};
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite match sprt --wins 350 --draws 300 --losses 270 --elo0 0 --elo1 10
  hematite match sprt --ptnml 91 1282 2328 1419 104 --elo0 0 --elo1 5 --model logistic

--ptnml takes the numbers of pairs that brought 0, 1/2, 1, 1 1/2 and 2 points. The bayesian model
wants wins, draws and losses, which pairs of one point leave open.
Exit code 1 if the test accepts H0.";

/// The maximum count: far more than in any match, and small enough for the calculations of the test.
const MAX_COUNT: u64 = 1_000_000_000;

fn count() -> impl clap::builder::TypedValueParser<Value = u64> {
    integer_in::<u64>(0..=MAX_COUNT)
}

/// Calculate Elo, error bars and a sequential test from results.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Games won.
    #[arg(long, value_name = "N", required_unless_present = "ptnml", value_parser = count())]
    wins: Option<u64>,

    /// Games drawn.
    #[arg(long, value_name = "N", required_unless_present = "ptnml", value_parser = count())]
    draws: Option<u64>,

    /// Games lost.
    #[arg(long, value_name = "N", required_unless_present = "ptnml", value_parser = count())]
    losses: Option<u64>,

    /// Pairs of games by points, from 0 to 2.
    #[arg(long, value_name = "N", num_args = 5, conflicts_with_all = ["wins", "draws", "losses"], value_parser = count())]
    ptnml: Vec<u64>,

    /// The lower hypothesis, in Elo.
    #[arg(long, value_name = "ELO", default_value_t = 0.0)]
    elo0: f64,

    /// The higher hypothesis, in Elo; without it there is no test.
    #[arg(long, value_name = "ELO")]
    elo1: Option<f64>,

    /// Risk of accepting H1 wrongly.
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_RISK)]
    alpha: f64,

    /// Risk of accepting H0 wrongly.
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_RISK)]
    beta: f64,

    /// Elo model: normalized, logistic or bayesian.
    #[arg(long, value_name = "MODEL", default_value_t = EloModel::default())]
    model: EloModel,

    #[command(flatten)]
    json: JsonArg,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if !self.ptnml.is_empty() && self.elo1.is_some() && self.model == EloModel::Bayesian {
            let problem = "--ptnml: found --model bayesian, which wants --wins, --draws and --losses; \
                expected normalized or logistic";
            return Err(CliError::usage(problem));
        }
        let new = |elo1| Sprt::new(self.elo0, elo1, self.alpha, self.beta, self.model);
        let sprt = self.elo1.map(new).transpose().map_err(|error| CliError::Usage(error.to_string()))?;
        let tally = self.tally();
        let verdict = sprt.and_then(|sprt| sprt.verdict(sprt.llr(&tally)));
        let has_games = self.ptnml.is_empty();
        if self.json.is_given() {
            let mut object = summary(&tally, sprt.as_ref());
            if !has_games {
                for name in ["wins", "draws", "losses"] {
                    object[name] = serde_json::Value::Null;
                }
            }
            writeln!(out, "{object}")?;
        } else {
            let report = Report::new(&tally, sprt.as_ref());
            write!(out, "{}", if has_games { report } else { report.of_pairs() })?;
            if let Some(verdict) = verdict {
                writeln!(out, "{verdict} was accepted")?;
            }
        }
        Ok(if verdict == Some(Hypothesis::H0) { ExitStatus::No } else { ExitStatus::Yes })
    }

    fn tally(&self) -> PairTally {
        let [worst, bad, level, good, best] = self.ptnml[..] else {
            let number = |count: Option<u64>| count.unwrap_or(0);
            let results =
                Results { wins: number(self.wins), draws: number(self.draws), losses: number(self.losses) };
            return PairTally { results, pairs: Pairs::default() };
        };
        // The number of pairs with a win and a loss is not known; all such pairs are taken as two draws.
        let results =
            Results { wins: 2 * best + good, draws: good + 2 * level + bad, losses: bad + 2 * worst };
        PairTally { results, pairs: Pairs { ptnml: [worst, bad, level, good, best], win_loss_pairs: 0 } }
    }
}

/// The results as JSON. Infinities, which JSON does not support, are null.
pub(super) fn summary(tally: &PairTally, sprt: Option<&Sprt>) -> serde_json::Value {
    let estimate = tally.estimate();
    let (elo, normalized) = (estimate.elo(), estimate.normalized_elo());
    let test = sprt.map(|sprt| {
        let ratio = sprt.llr(tally);
        serde_json::json!({
            "model": sprt.model().name(),
            "elo0": sprt.elo0(),
            "elo1": sprt.elo1(),
            "llr": ratio,
            "lower": sprt.lower(),
            "upper": sprt.upper(),
            "accepted": sprt.verdict(ratio).map(|verdict| verdict.to_string()),
        })
    });
    serde_json::json!({
        "games": tally.results.games(),
        "wins": tally.results.wins,
        "draws": tally.results.draws,
        "losses": tally.results.losses,
        "ptnml": tally.is_paired().then_some(tally.pairs.ptnml),
        "score": estimate.score(),
        "elo": elo.value,
        "elo_error": elo.error,
        "nelo": normalized.value,
        "nelo_error": normalized.error,
        "los": estimate.los(),
        "sprt": test,
    })
}
