//! Comparison of the statistics with published figures.

use super::EloModel::{self, Bayesian, Logistic, Normalized};
use super::{Estimate, PairTally, Pairs, Results, Sprt};

fn games(wins: u64, losses: u64, draws: u64) -> PairTally {
    PairTally { results: Results { wins, draws, losses }, pairs: Pairs::default() }
}

fn pairs(counts: [u64; 5]) -> PairTally {
    let [ll, ld, level, wd, ww] = counts;
    // Only the number of two games per pair matters, not the split of the points.
    let results = Results { wins: 2 * ww + wd, draws: wd + 2 * level + ld, losses: 2 * ll + ld };
    PairTally { results, pairs: Pairs { ptnml: counts, win_loss_pairs: 0 } }
}

fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt::new(elo0, elo1, Sprt::DEFAULT_RISK, Sprt::DEFAULT_RISK, model).expect("a valid test")
}

#[track_caller]
fn assert_near(name: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{name}: found {found}, expected {expected}");
}

/// The exact ratios of example 1.6 of "Comparing the approximations for the generalized log likelihood ratio of a
/// multinomial distribution" by Michel Van den Bergh: tests of fishtest, to the five digits printed there. His
/// approximation (2.1) of "A practical introduction to the GSPRT" must be close, as he shows in the first paper.
#[test]
fn the_examples_of_van_den_bergh() {
    let cases = [
        (-0.5, 1.5, [729, 5234, 10174, 5154, 898], 2.93696),
        (-0.5, 1.5, [441, 3213, 7170, 3164, 399], -2.96711),
        (-0.5, 1.5, [1746, 11875, 23034, 11679, 1820], -2.93641),
        (-0.5, 1.5, [550, 3237, 6268, 3224, 478], -2.94598),
        (0.25, 1.75, [504, 6686, 20525, 6609, 557], -2.94903),
        (-1.5, 0.5, [271, 2151, 4827, 2241, 299], 2.94174),
    ];
    for (elo0, elo1, counts, expected) in cases {
        let tally = pairs(counts);
        let found = test(elo0, elo1, Logistic).llr(&tally);
        assert_near(&format!("{counts:?}"), found, expected, 5e-6);
        let distribution = tally.pairs.distribution();
        let [s0, s1] = [elo0, elo1].map(|elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        let approximation = distribution.count() * (s1 - s0) * (2.0 * distribution.mean() - s0 - s1)
            / (2.0 * distribution.variance());
        assert_near(&format!("{counts:?}, approximately"), found, approximation, 2e-3);
    }
}

/// The values of fastchess, of fishtest, and of a public calculator, to the digits published.
#[test]
fn published_ratios() {
    let cases = [
        ("fastchess 1", games(36_433, 36_027, 68_692), test(0.0, 2.0, Normalized), 0.92),
        ("fastchess 2", games(10_871, 10_650, 20_431), test(-1.75, 0.25, Normalized), 2.30),
        ("fastchess 3", games(4_250, 0, 0), test(0.0, 10.0, Normalized), 120.56),
        ("fastchess 4", games(21_404, 21_184, 40_708), test(0.5, 2.5, Logistic), -1.57),
        ("fastchess 5", games(57_433, 57_030, 106_593), test(0.0, 2.0, Logistic), -2.59),
        ("fastchess 6", games(68_965, 68_526, 128_429), test(0.0, 2.0, Bayesian), -1.26),
        ("fastchess 7", games(21_629, 21_484, 41_111), test(0.5, 2.5, Bayesian), -1.13),
        ("fastchess 8", pairs([365, 16_618, 36_229, 16_974, 390]), test(0.0, 2.0, Normalized), 2.25),
        ("fastchess 9", pairs([127, 4_883, 10_712, 5_150, 104]), test(-1.75, 0.25, Normalized), 3.01),
        ("fastchess 10", pairs([0, 0, 0, 0, 5_550]), test(0.0, 5.0, Normalized), 111.82),
        ("fastchess 11", pairs([223, 9_863, 21_279, 10_037, 246]), test(0.5, 2.5, Logistic), -3.07),
        ("fastchess 12", pairs([871, 26_175, 55_983, 26_678, 821]), test(0.0, 2.0, Logistic), -4.98),
        ("fastchess 13", pairs([379, 10_170, 21_828, 10_640, 343]), test(0.0, 2.0, Normalized), 2.945_98),
        // Far from level, where the iteration from a bad first guess results in NaN.
        ("fastchess 14", pairs([77, 1, 0, 0, 0]), test(-1000.0, -500.0, Normalized), -2.95),
        ("fastchess 15", pairs([72, 10, 0, 0, 0]), test(-1000.0, -500.0, Normalized), -2.97),
        (
            "fishtest",
            pairs([93, 18_711, 58_877, 18_739, 100]),
            test(-1.75, 0.25, Normalized),
            2.942_097_472_070_851_3,
        ),
        ("calculator 1", games(4_307, 4_063, 8_620), test(0.0, 3.0, Bayesian), 2.47),
        ("calculator 2", games(4_307, 4_063, 8_620), test(0.0, 3.0, Logistic), 2.99),
        ("calculator 3", games(880, 759, 1_863), test(0.0, 5.0, Bayesian), 2.27),
        ("calculator 4", games(880, 759, 1_863), test(0.0, 5.0, Logistic), 2.95),
    ];
    for (name, tally, sprt, expected) in cases {
        // Half a digit; large ratios are published with an error of one part in a thousand.
        assert_near(name, sprt.llr(&tally), expected, 0.0051_f64.max(expected.abs() * 1e-3));
    }
}

/// The values of cutechess, whose hypotheses are scaled by the draw rate. The third one differs by 0.09 without the
/// half game of each kind.
#[test]
fn published_ratios_in_scaled_bayes_elo() {
    let cases = [
        (1_477, 1_351, 2_942, 0.0, 10.0, 2.52),
        (555, 555, 298, 0.0, 10.0, -0.74),
        (3, 149, 1, 0.0, 10.0, -4.69),
        (880, 759, 1_863, 0.0, 5.0, 2.95),
        (1_038, 1_037, 1_925, -5.0, 5.0, 0.0555),
    ];
    for (wins, losses, draws, elo0, elo1, expected) in cases {
        let count = [wins, losses, draws].map(|count| count as f64 + 0.5);
        let [win, loss, _] = count.map(|part| part / count.iter().sum::<f64>());
        // The square root of the odds is 10^(-draw Elo / 400).
        let x = (win / (1.0 - win) * loss / (1.0 - loss)).sqrt();
        let scale = 4.0 * x / (1.0 + x).powi(2);
        let found = test(elo0 / scale, elo1 / scale, Bayesian).llr(&games(wins, losses, draws));
        assert_near(&format!("{wins}, {losses}, {draws}"), found, expected, 0.0055);
    }
}

struct Figures {
    counts: [u64; 5],
    score: f64,
    elo: (f64, f64),
    normalized: (f64, f64),
    los: f64,
    test: Option<((f64, f64), f64)>,
}

/// Complete reports of fastchess about matches of other engines.
#[test]
fn published_reports() {
    let cases = [
        Figures {
            counts: [50, 287, 610, 387, 73],
            score: 52.59,
            elo: (18.04, 8.23),
            normalized: (28.19, 12.84),
            los: 100.0,
            test: Some(((0.0, 5.0), 2.97)),
        },
        Figures {
            counts: [775, 7_232, 13_896, 7_255, 842],
            score: 50.13,
            elo: (0.91, 1.64),
            normalized: (1.54, 2.78),
            los: 86.09,
            test: Some(((0.0, 3.0), 0.06)),
        },
        Figures {
            counts: [115, 1_156, 2_443, 1_233, 141],
            score: 50.63,
            elo: (4.40, 3.91),
            normalized: (7.61, 6.75),
            los: 98.64,
            test: Some(((-3.0, 1.0), 2.90)),
        },
        Figures {
            counts: [36, 340, 767, 462, 82],
            score: 53.17,
            elo: (22.07, 7.16),
            normalized: (36.25, 11.72),
            los: 100.0,
            test: Some(((0.0, 3.0), 2.89)),
        },
        Figures {
            counts: [835, 6_884, 13_116, 7_201, 852],
            score: 50.30,
            elo: (2.11, 1.70),
            normalized: (3.52, 2.83),
            los: 99.25,
            test: Some(((0.0, 3.0), 2.89)),
        },
    ];
    for Figures { counts, score, elo, normalized, los, test: sprt } in cases {
        let name = format!("{counts:?}");
        let tally = pairs(counts);
        let estimate: Estimate = tally.estimate();
        assert_near(&name, 100.0 * estimate.score(), score, 0.0051);
        assert_near(&name, estimate.elo().value, elo.0, 0.0051);
        assert_near(&name, estimate.elo().error, elo.1, 0.0051);
        assert_near(&name, estimate.normalized_elo().value, normalized.0, 0.0051);
        assert_near(&name, estimate.normalized_elo().error, normalized.1, 0.0051);
        assert_near(&name, 100.0 * estimate.los(), los, 0.0051);
        if let Some(((elo0, elo1), ratio)) = sprt {
            assert_near(&name, test(elo0, elo1, Normalized).llr(&tally), ratio, 0.0051);
        }
    }
}
