//! The search parameters, each on one line with its default, range and step.

/// Declares the parameters. They are constants and [`Params`] has no size, unless the feature `tune` makes
/// them fields that a tuner can set. A default outside its range does not compile.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $low:literal ..= $high:literal step $step:literal;)+) => {
        /// The search parameters.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $(#[cfg(feature = "tune")] $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $(#[cfg(feature = "tune")] $name: $default,)+ }
            }
        }

        $(const _: () = assert!(
            $low <= $default && $default <= $high,
            concat!(stringify!($name), ": default outside its range")
        );)+

        impl Params {
            /// All declared parameters.
            pub const DECLARED: &[Parameter] = &[
                $(Parameter { name: stringify!($name), default: $default, low: $low, high: $high, step: $step },)+
            ];

            /// Sets a parameter by its name.
            ///
            /// # Errors
            /// [`ParameterError`] if there is no parameter of this name, the value is out of range, or
            /// parameters are constants in this build.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
                let parameter = Self::declared(name).ok_or_else(|| ParameterError::Unknown(name.to_owned()))?;
                if !(parameter.low..=parameter.high).contains(&value) {
                    return Err(ParameterError::Range { parameter, value });
                }
                let Some(field) = self.field(parameter.name) else { return Err(ParameterError::Constant(parameter)) };
                *field = value;
                Ok(())
            }

            /// The field of a parameter; `None` if it is a constant.
            fn field(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(#[cfg(feature = "tune")] stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }

            $(
                $(#[$doc])*
                #[inline(always)]
                pub const fn $name(&self) -> i32 {
                    #[cfg(feature = "tune")]
                    return self.$name;
                    #[cfg(not(feature = "tune"))]
                    return $default;
                }
            )+
        }
    };
}

/// The declaration of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The default value.
    pub default: i32,
    /// The minimum value.
    pub low: i32,
    /// The maximum value.
    pub high: i32,
    /// The perturbation of a tuner at the end of its run.
    pub step: i32,
}

impl Params {
    /// Whether parameters can be set in this build, which requires the feature `tune`.
    pub const CAN_BE_SET: bool = cfg!(feature = "tune");

    /// The declaration of the parameter of this name or former name.
    pub fn declared(name: &str) -> Option<&'static Parameter> {
        let name = RENAMED.iter().find(|(former, _)| *former == name).map_or(name, |(_, name)| name);
        Self::DECLARED.iter().find(|parameter| parameter.name == name)
    }
}

/// The reason why a parameter cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// There is no parameter of this name.
    #[error("no search parameter is called {0}")]
    Unknown(String),
    /// The value is out of range.
    #[error("{} is {value}, expected {} to {}", parameter.name, parameter.low, parameter.high)]
    Range {
        /// The parameter.
        parameter: &'static Parameter,
        /// The value.
        value: i32,
    },
    /// The parameter is a constant in this build.
    #[error("{} is a constant in this build, expected one with `--features tune`", .0.name)]
    Constant(&'static Parameter),
}

/// Former names of parameters and their present names. Saved tuning runs may contain the former names.
const RENAMED: &[(&str, &str)] = &[
    ("rfp_pv", "rfp_tt_pv"),
    ("futility_was_pv", "futility_tt_pv"),
    ("singular_was_pv", "singular_tt_pv"),
    ("lmr_pv", "lmr_tt_pv"),
    ("lmr_pv_above", "lmr_tt_pv_above"),
    ("lmr_pv_deep", "lmr_tt_pv_deep"),
    ("lmr_window", "lmr_delta"),
    ("exchange_depth", "see_depth"),
    ("exchange_quiet", "see_quiet"),
    ("exchange_noisy", "see_noisy"),
    ("exchange_history", "see_history"),
    ("hash_cut_depth", "small_probcut_depth"),
    ("hash_cut_margin", "small_probcut_margin"),
    ("hash_cut_expected", "tt_cutoff_expected_depth"),
    ("history_target", "butterfly_history_weight"),
    ("history_reply", "counter_move_history_weight"),
    ("history_plan", "followup_history_weight"),
    ("history_far", "continuation_history_weight"),
    ("history_pawns", "pawn_history_weight"),
    ("history_promise", "post_lmr_bonus"),
    ("history_refuted", "prior_quiet_malus"),
    ("history_surprise", "fail_high_bonus_margin"),
    ("history_unanswered", "prior_quiet_bonus"),
    ("capture_unanswered", "prior_capture_bonus"),
    ("history_known", "tt_cutoff_bonus"),
    ("correction_armies", "correction_non_pawn"),
    ("correction_moves", "correction_continuation_2"),
    ("correction_far", "correction_continuation_4"),
    ("delta_worth", "delta_victim_percent"),
    ("quiescence_caution", "stand_pat_blend"),
    ("quiescence_loss", "qs_see_margin"),
    ("quiescence_moves", "qs_moves"),
    ("clock_horizon", "tm_horizon"),
    ("clock_increment", "tm_increment"),
    ("clock_stretch", "tm_hard_limit_percent"),
    ("clock_share", "tm_clock_percent"),
    ("clock_unstable", "tm_best_move_base"),
    ("clock_stable", "tm_best_move_slope"),
    ("clock_drop", "tm_score_drop"),
    ("clock_effort", "tm_node_fraction_base"),
    ("clock_effort_slope", "tm_node_fraction_slope"),
];

/// One ply in the fixed-point unit of the `lmr_*` parameters; also the denominator of other weights.
pub(super) const PLY: i32 = 1024;

params! {
    /// Aspiration window: minimum depth, in plies.
    aspiration_depth = 5 in 2..=10 step 1;
    /// Aspiration window: initial half width, in search units.
    aspiration_window = 26 in 4..=80 step 4;
    /// Aspiration window: growth after a fail, in percent of the width.
    aspiration_growth = 73 in 10..=200 step 10;
    /// Optimism: its maximum, in search units.
    optimism_limit = 9 in 0..=80 step 4;
    /// Optimism: the score at which it is half of its maximum, in search units.
    optimism_half = 100 in 20..=400 step 20;

    /// Reverse futility pruning: maximum depth, in plies.
    rfp_depth = 9 in 3..=14 step 1;
    /// Reverse futility margin per ply, in search units.
    rfp_margin = 51 in 15..=150 step 6;

    /// Razoring: maximum depth, in plies.
    razor_depth = 4 in 1..=8 step 1;
    /// Razoring: margin below alpha at depth 0, in search units.
    razor_base = 580 in 50..=800 step 25;
    /// Razoring: margin per squared ply, in search units.
    razor_slope = 202 in 40..=350 step 15;

    /// Reverse futility margin: increase in nodes that are or were in a principal variation, in search units.
    rfp_tt_pv = 60 in 0..=160 step 6;
    /// Reverse futility margin: increase if the hash move is quiet, in search units.
    rfp_hash_quiet = 24 in 0..=80 step 6;
    /// Margins of reverse futility and futility pruning: increase, in percent of the evaluation's correction.
    correction_margin = 80 in 0..=200 step 10;

    /// Hindsight: minimum reduction of the last move for an extension, in plies.
    hindsight_reduction = 3 in 2..=5 step 1;
    /// Hindsight: drop of the evaluation above which a reduced move is searched one ply less, in search units.
    hindsight_margin = 340 in 40..=400 step 20;

    /// Null move: minimum depth, in plies.
    null_depth = 3 in 1..=6 step 1;
    /// Null move: margin above beta at depth 0, in search units.
    null_base = 71 in -60..=150 step 12;
    /// Null move: decrease of the margin per ply, in search units.
    null_slope = 1 in 0..=30 step 3;
    /// Null move: increase of the margin if no cutoff is expected, in search units.
    null_not_cut = 68 in 0..=200 step 12;
    /// Null move: constant part of the reduction, in plies.
    null_reduction = 4 in 2..=6 step 1;
    /// Null move: depth per ply of reduction, in plies.
    null_depth_divisor = 4 in 2..=8 step 1;
    /// Null move: evaluation above beta per ply of reduction, in search units.
    null_advantage_divisor = 260 in 80..=400 step 20;
    /// Null move: maximum reduction by the evaluation, in plies.
    null_advantage_limit = 3 in 1..=6 step 1;
    /// Null move: minimum depth for verification, in plies.
    null_verify_depth = 13 in 8..=24 step 1;

    /// ProbCut: minimum depth, in plies.
    probcut_depth = 4 in 3..=9 step 1;
    /// ProbCut: margin above beta, in search units.
    probcut_margin = 325 in 80..=400 step 15;
    /// ProbCut: decrease of the margin if the evaluation is improving, in search units.
    probcut_improving = 63 in 0..=150 step 8;
    /// ProbCut: reduction of the confirming search, in plies.
    probcut_reduction = 4 in 2..=6 step 1;
    /// Small ProbCut: the most by which the hash entry may be shallower than the node, in plies.
    small_probcut_depth = 4 in 2..=6 step 1;
    /// Small ProbCut: margin above beta, in search units.
    small_probcut_margin = 426 in 150..=800 step 30;
    /// Hash cutoffs: maximum depth at which only expected cutoffs are made, in plies.
    tt_cutoff_expected_depth = 0 in 0..=12 step 1;

    /// Internal iterative reduction: minimum depth, in plies.
    iir_depth = 5 in 2..=8 step 1;
    /// Internal iterative reduction: hash entries that are shallower by this do not count, in plies.
    iir_stale = 5 in 2..=10 step 1;

    /// Late move pruning: maximum depth, in plies.
    lmp_depth = 8 in 3..=14 step 1;
    /// Late move pruning: number of moves at depth 0.
    lmp_base = 10 in 1..=24 step 1;
    /// Late move pruning: moves per squared ply, in hundredths.
    lmp_slope = 131 in 30..=200 step 10;

    /// Futility pruning: maximum depth after reduction, in plies.
    futility_depth = 8 in 3..=14 step 1;
    /// Futility margin at depth 0, in search units.
    futility_base = -13 in -50..=250 step 12;
    /// Futility margin per ply after reduction, in search units.
    futility_slope = 49 in 30..=180 step 8;
    /// Futility margin per 1024 of a move's history, in hundredths of a search unit.
    futility_history = 120 in 0..=400 step 25;
    /// Futility margin of captures at depth 0, in search units.
    futility_noisy_base = 138 in 50..=500 step 20;
    /// Futility margin of captures per ply after reduction, in search units.
    futility_noisy_slope = 165 in 40..=400 step 15;
    /// Futility margin of all moves: decrease in nodes that are or were in a principal variation, in search
    /// units.
    futility_tt_pv = 16 in -60..=200 step 10;
    /// Reduced depth for the pruning of quiet moves: increase per 1024 of history, in 1024ths of a ply.
    prune_history = 50 in 0..=200 step 12;
    /// Reduced depth for the pruning of quiet moves: decrease if the evaluation is not improving, in 1024ths
    /// of a ply.
    prune_not_improving = 232 in 0..=1200 step 80;

    /// History pruning: maximum depth after reduction, in plies.
    history_prune_depth = 4 in 1..=8 step 1;
    /// History pruning: history below zero per ply after reduction.
    history_prune_slope = 7832 in 1000..=15000 step 350;

    /// SEE pruning: maximum depth, in plies.
    see_depth = 9 in 3..=14 step 1;
    /// SEE pruning: allowed loss of a quiet move per squared ply after reduction, in search units.
    see_quiet = 23 in 8..=80 step 4;
    /// SEE pruning: allowed loss of a capture per ply, in search units.
    see_noisy = 94 in 30..=200 step 8;
    /// SEE pruning: allowed loss of a capture per 1024 of its history, in search units.
    see_history = 10 in 0..=40 step 1;

    /// Singular extension: minimum depth, in plies.
    singular_depth = 7 in 4..=12 step 1;
    /// Singular extension: the most by which the hash entry may be shallower, in plies.
    singular_hash_depth = 3 in 1..=5 step 1;
    /// Singular extension: margin below the hash score, in hundredths of a search unit per ply.
    singular_margin = 95 in 50..=400 step 20;
    /// Singular extension: increase of the margin in nodes that were in a principal variation, in hundredths
    /// of a search unit per ply.
    singular_tt_pv = 82 in 0..=250 step 15;
    /// Singular extension: further margin for two plies, in search units.
    singular_double = 12 in 0..=80 step 4;
    /// Singular extension: increase of the further margins in PV nodes, in search units.
    singular_pv = 17 in 0..=400 step 20;
    /// Singular extension: further margin for three plies, in search units.
    singular_triple = 98 in 20..=250 step 10;

    /// Late move reductions: minimum depth, in plies.
    lmr_depth = 2 in 2..=5 step 1;
    /// Late move reductions: constant part, in 1024ths of a ply.
    lmr_base = 860 in -1000..=2000 step 80;
    /// Late move reductions: factor of the product of the binary logarithms of depth and move number, in
    /// 1024ths of a ply.
    lmr_slope = 202 in 100..=500 step 20;
    /// Late move reductions: noisy moves, added to half of a quiet move's reduction, in 1024ths of a ply.
    lmr_noisy = -27 in -1500..=1500 step 120;
    /// Late move reductions: decrease in nodes that are or were in a principal variation, in 1024ths of a ply.
    lmr_tt_pv = 1370 in 0..=2500 step 120;
    /// Late move reductions: further decrease there if the hash score is above alpha, in 1024ths of a ply.
    lmr_tt_pv_above = 388 in 0..=2000 step 100;
    /// Late move reductions: further decrease there if the hash entry is as deep as the node, in 1024ths of a
    /// ply.
    lmr_tt_pv_deep = 346 in -500..=2000 step 100;
    /// Late move reductions: increase in PV nodes whose window is as wide as at the root, in 1024ths of a ply.
    lmr_delta = 123 in -500..=2000 step 100;
    /// Late move reductions: increase if an earlier move has raised alpha, in 1024ths of a ply.
    lmr_raised = 153 in 0..=2000 step 100;
    /// Late move reductions: increase without a hash move, in 1024ths of a ply.
    lmr_no_hash = 295 in 0..=2000 step 100;
    /// Late move reductions: increase in cut nodes, in 1024ths of a ply.
    lmr_cut = 1343 in 0..=3000 step 120;
    /// Late move reductions: further increase in cut nodes without a hash move, in 1024ths of a ply.
    lmr_cut_no_hash = 309 in -500..=2000 step 100;
    /// Late move reductions: increase if the evaluation is not improving, in 1024ths of a ply.
    lmr_not_improving = 665 in 0..=2000 step 100;
    /// Late move reductions: decrease for killers, in 1024ths of a ply.
    lmr_killer = 800 in 0..=2500 step 120;
    /// Late move reductions: decrease for checks, in 1024ths of a ply.
    lmr_check = 1024 in 0..=2500 step 120;
    /// Late move reductions: increase if the hash move is noisy, in 1024ths of a ply.
    lmr_hash_noisy = 640 in 0..=2000 step 100;
    /// Late move reductions: increase if many child nodes had cutoffs, in 1024ths of a ply.
    lmr_cutoffs = 934 in 0..=2000 step 100;
    /// Late move reductions: more cutoffs than this are many.
    lmr_many_cutoffs = 3 in 1..=8 step 1;
    /// Late move reductions: margin above the best score for a deeper full search, in search units.
    lmr_deeper = 63 in 10..=150 step 8;
    /// Late move reductions: margin above the best score below which the full search is shallower, in search
    /// units.
    lmr_shallower = 30 in 0..=80 step 3;
    /// Late move reductions: history per ply of decrease.
    lmr_history = 16000 in 3000..=20000 step 700;
    /// Late move reductions: history of a capture per ply of decrease.
    lmr_history_noisy = 11224 in 3000..=20000 step 700;

    /// Margin by which the evaluation must exceed that of two plies ago to be improving, in search units.
    improving_margin = 8 in -60..=60 step 6;

    /// History bonus per ply.
    history_slope = 280 in 50..=400 step 15;
    /// History bonus at depth 0.
    history_offset = 92 in -300..=200 step 25;
    /// The maximum history bonus.
    history_limit = 2200 in 500..=3000 step 120;

    /// History penalty per ply.
    malus_slope = 360 in 50..=400 step 15;
    /// History penalty at depth 0.
    malus_offset = 21 in -300..=200 step 25;
    /// The maximum history penalty.
    malus_limit = 1420 in 500..=3000 step 120;
    /// History penalty: decrease with the moves tried before, in percent per move.
    malus_late = 6 in 0..=40 step 3;
    /// History bonus of a capture that causes a cutoff, in percent of that of a quiet move.
    capture_bonus = 87 in 30..=250 step 12;
    /// History penalty of the captures tried before a cutoff, in percent of that of quiet moves.
    capture_malus = 97 in 30..=250 step 12;
    /// History bonus or penalty of a quiet move after a full-depth search that follows a reduced one, in
    /// percent.
    post_lmr_bonus = 44 in 0..=200 step 12;
    /// History penalty of an early quiet move after its child node failed high, in percent of that at a cutoff.
    prior_quiet_malus = 78 in 0..=150 step 10;
    /// Margin above beta from which a cutoff counts as one ply deeper for the histories, in search units.
    fail_high_bonus_margin = 121 in 20..=250 step 12;
    /// History bonus of a quiet move after its child node failed low, in percent of that at a cutoff.
    prior_quiet_bonus = 108 in 0..=150 step 8;
    /// History bonus of a capture after its child node failed low, in percent of that at a cutoff.
    prior_capture_bonus = 10 in 0..=200 step 10;
    /// History bonus of a quiet hash move that causes a hash cutoff, in percent of that at a cutoff.
    tt_cutoff_bonus = 120 in 0..=200 step 10;
    /// History bonus and penalties at a node with an exact score, in percent of those at a cutoff.
    history_exact = 37 in 0..=150 step 10;
    /// History bonus by the change of the evaluation, in hundredths per search unit.
    history_eval = 372 in 0..=1500 step 60;
    /// Pawn history bonus by the change of the evaluation, in percent of that of the butterfly history.
    history_eval_pawns = 50 in 0..=200 step 20;
    /// The maximum history bonus by the change of the evaluation.
    history_eval_limit = 1214 in 200..=2500 step 100;
    /// Weight of the butterfly history in a quiet move's history, in 1024ths.
    butterfly_history_weight = 868 in 256..=2560 step 96;
    /// Weight of the continuation history of the opponent's last move (counter-move history), in 1024ths.
    counter_move_history_weight = 1061 in 256..=2560 step 96;
    /// Weight of the continuation history of the own last move (follow-up history), in 1024ths.
    followup_history_weight = 1041 in 256..=2560 step 96;
    /// Weight of the continuation histories of earlier moves, in 1024ths.
    continuation_history_weight = 643 in 0..=1536 step 96;
    /// Weight of the pawn history, in 1024ths.
    pawn_history_weight = 1287 in 0..=2048 step 96;

    /// Order of quiet moves: bonus of checks.
    check_bonus = 14083 in 0..=30000 step 1000;
    /// Order of quiet moves: allowed loss of such a check by exchange, in search units.
    check_loss = 80 in 0..=300 step 25;
    /// Order of quiet moves: bonus for evading an attack by a lesser piece, in hundredths of the piece value.
    threat_escape = 370 in 0..=2000 step 100;
    /// Order of quiet moves: penalty for moving to a square attacked by a lesser piece, in hundredths of the
    /// piece value.
    threat_enter = 540 in 0..=2000 step 100;
    /// Order of quiet moves: bonus for moving to a safe square from which a greater piece is attacked.
    offense_bonus = 6000 in 0..=20000 step 800;
    /// Order of captures: allowed loss of a capture before quiet moves, in search units.
    good_noisy_loss = 14 in -80..=120 step 8;
    /// Order of captures: allowed loss per 1024 of a capture's history, in search units.
    good_noisy_history = 3 in 0..=30 step 2;
    /// Order of captures: weight of the victim's value.
    victim_weight = 31 in 4..=96 step 3;

    /// Correction history: learning rate, in 1024ths per ply.
    correction_rate = 110 in 8..=256 step 8;
    /// Correction history: weight of the pawn table, in 1024ths.
    correction_pawns = 208 in 0..=2048 step 60;
    /// Correction history: weight of the minor piece table, in 1024ths.
    correction_minors = 130 in 0..=2048 step 60;
    /// Correction history: weight of the major piece table, in 1024ths.
    correction_majors = 162 in 0..=2048 step 60;
    /// Correction history: weight of the non-pawn tables of both sides, in 1024ths.
    correction_non_pawn = 689 in 0..=2048 step 60;
    /// Correction history: weight of the table by the last two moves, in 1024ths.
    correction_continuation_2 = 280 in 0..=2048 step 60;
    /// Correction history: weight of the table by the last move and the move four plies back, in 1024ths.
    correction_continuation_4 = 213 in 0..=2048 step 60;

    /// Delta pruning: margin of captures below alpha, in search units.
    delta_margin = 310 in 50..=700 step 16;
    /// Delta pruning: margin below alpha of captures that win nothing by exchange, in search units.
    delta_even = 312 in 30..=700 step 16;
    /// Delta pruning: weight of the victim's value, in percent.
    delta_victim_percent = 114 in 40..=250 step 10;
    /// Quiescence: part by which an evaluation above beta is moved toward beta, in percent.
    stand_pat_blend = 17 in 0..=90 step 8;
    /// Quiescence and ProbCut: allowed loss of a capture by exchange, in search units.
    qs_see_margin = -25 in -80..=200 step 10;
    /// Quiescence: number of moves after which only checks and recaptures are searched.
    qs_moves = 3 in 1..=16 step 1;

    /// Scaling of the evaluation by the halfmove clock, in 1024ths per 100 plies.
    eval_fifty = 310 in 0..=1000 step 50;
    /// Scaling of the evaluation without non-pawn material, in 1024ths.
    eval_material = 80 in -300..=800 step 40;

    /// Hash table: depth per search of age when entries are replaced, in plies.
    hash_age_weight = 4 in 1..=12 step 1;
    /// Hash table: the depth by which a new entry may be shallower than that of the same position, in plies.
    hash_keep_depth = 4 in 0..=8 step 1;

    /// Plies to the 50-move draw below which there are no hash cutoffs.
    fifty_guard = 12 in 0..=50 step 4;

    /// Nodes between two checks of the limits.
    check_interval = 1024 in 128..=8192 step 128;
    /// Depth from which a single legal move is played without further search, in plies.
    only_move_depth = 6 in 1..=20 step 1;
    /// Moves for which the clock must last if their number is not known.
    tm_horizon = 24 in 12..=60 step 3;
    /// Moves by which that is more at the first move of a game. They become fewer with each move, see `time.rs`.
    tm_early_horizon = 14 in 0..=40 step 4;
    /// Share of the increment that is spent, in percent.
    tm_increment = 78 in 30..=100 step 6;
    /// Hard limit, in percent of the planned time.
    tm_hard_limit_percent = 400 in 150..=800 step 50;
    /// Maximum share of the clock for one move, in percent.
    tm_clock_percent = 55 in 20..=90 step 6;
    /// Planned time if the best move has just changed, in percent.
    tm_best_move_base = 150 in 100..=250 step 12;
    /// Decrease of the planned time per iteration without a change of the best move, in percent.
    tm_best_move_slope = 13 in 0..=30 step 3;
    /// Increase of the planned time per search unit of score drop, in hundredths of a percent.
    tm_score_drop = 120 in 0..=400 step 40;
    /// Planned time if no nodes were spent on the best move, in percent.
    tm_node_fraction_base = 170 in 100..=250 step 15;
    /// Decrease of the planned time per percent of nodes spent on the best move, in hundredths of a percent.
    tm_node_fraction_slope = 150 in 0..=200 step 15;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(feature = "tune"))]
    const _: () = assert!(size_of::<Params>() == 0, "parameters are constants");

    #[test]
    fn declarations_are_distinct_and_have_room_to_move() {
        for (index, parameter) in Params::DECLARED.iter().enumerate() {
            let Parameter { name, low, high, step, .. } = *parameter;
            assert!(Params::DECLARED[..index].iter().all(|other| other.name != name), "{name} twice");
            assert!(step > 0 && low + step <= high, "{name}");
        }
    }

    #[test]
    fn former_names_lead_to_parameters() {
        for &(former, name) in RENAMED {
            assert!(Params::DECLARED.iter().all(|parameter| parameter.name != former), "{former}");
            assert_eq!(Params::declared(former).map(|parameter| parameter.name), Some(name), "{former}");
        }
    }

    #[test]
    fn parameters_can_be_set_within_their_range_where_they_are_no_constants() {
        let mut params = Params::default();
        let set = |params: &mut Params, name, value| {
            params.set(name, value).map_err(|error| error.to_string().split(',').next().map(str::to_owned))
        };
        let error = |text: &str| Err(Some(text.to_owned()));
        assert_eq!(set(&mut params, "rfp_margin", 1000), error("rfp_margin is 1000"));
        assert_eq!(
            set(&mut params, "no_such_thing", 1),
            error("no search parameter is called no_such_thing")
        );
        assert_eq!(params, Params::default());
        if Params::CAN_BE_SET {
            assert_eq!(set(&mut params, "rfp_margin", 80), Ok(()));
            assert_eq!(params.rfp_margin(), 80);
        } else {
            let constant = "rfp_margin is a constant in this build";
            assert_eq!(set(&mut params, "rfp_margin", 80), error(constant));
        }
    }

    #[test]
    fn every_declared_parameter_is_set_by_its_name() {
        for parameter in Params::DECLARED {
            let mut params = Params::default();
            let set = params.set(parameter.name, parameter.low);
            assert_eq!(set.is_ok(), Params::CAN_BE_SET, "{}", parameter.name);
            let differs = Params::CAN_BE_SET && parameter.low != parameter.default;
            assert_eq!(params != Params::default(), differs, "{}", parameter.name);
        }
    }
}
