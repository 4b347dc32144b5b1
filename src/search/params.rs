//! Every number that steers the search, each on one line with its default, range and step.

/// Declares the parameters. Normally they are constants and [`Params`] has no size; with the
/// feature `tune` they are fields, so that a tuner can turn them. A default outside its range
/// does not compile.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $low:literal ..= $high:literal step $step:literal;)+) => {
        /// The numbers that steer the search.
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
            /// All parameters as they were declared.
            pub const DECLARED: &[Parameter] = &[
                $(Parameter { name: stringify!($name), default: $default, low: $low, high: $high, step: $step },)+
            ];

            /// Sets a parameter by its name.
            ///
            /// # Errors
            /// [`ParameterError`] if there is none of that name, the value is outside its range, or
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

            /// Where a parameter is kept that is no constant.
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

/// A number as it was declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The value it is built with.
    pub default: i32,
    /// The lowest value that makes sense.
    pub low: i32,
    /// The highest value that makes sense.
    pub high: i32,
    /// How far to either side a tuner moves it in its last games, to see what that does.
    pub step: i32,
}

impl Params {
    /// Can parameters be set in this build? It takes the feature `tune`.
    pub const CAN_BE_SET: bool = cfg!(feature = "tune");

    /// The parameter of this name, or of this former name, as it was declared.
    pub fn declared(name: &str) -> Option<&'static Parameter> {
        let name = RENAMED.iter().find(|(former, _)| *former == name).map_or(name, |(_, name)| name);
        Self::DECLARED.iter().find(|parameter| parameter.name == name)
    }
}

/// A parameter that cannot be set so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// There is no parameter of this name.
    #[error("no search parameter is called {0}")]
    Unknown(String),
    /// The value is outside the range of the parameter.
    #[error("{} is {value}, expected {} to {}", parameter.name, parameter.low, parameter.high)]
    Range {
        /// Which parameter.
        parameter: &'static Parameter,
        /// The value that was to be set.
        value: i32,
    },
    /// The parameter is a constant in this build.
    #[error("{} is a constant in this build, expected one with `--features tune`", .0.name)]
    Constant(&'static Parameter),
}

/// Former names of parameters, which states of tuning runs may still hold, and the names that they have now.
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

/// One ply of a reduction, in the fixed-point unit of the `lmr_*` parameters.
pub(super) const PLY: i32 = 1024;

params! {
    /// Iteration from which the window is narrowed around the last score, plies.
    aspiration_depth = 5 in 2..=10 step 1;
    /// Half the width of the first narrowed window, centipawns.
    aspiration_window = 32 in 4..=80 step 4;
    /// By how much a window that was left is widened, percent of its width.
    aspiration_growth = 73 in 10..=200 step 10;

    /// Reverse futility pruning: greatest depth, plies.
    rfp_depth = 8 in 3..=14 step 1;
    /// Reverse futility margin per ply, centipawns.
    rfp_margin = 44 in 15..=150 step 6;

    /// Razoring: greatest depth, plies.
    razor_depth = 4 in 1..=8 step 1;
    /// Razoring: how far below alpha the evaluation must be at any depth, centipawns.
    razor_base = 466 in 50..=800 step 25;
    /// Razoring: how much farther per squared ply, centipawns.
    razor_slope = 202 in 40..=350 step 15;

    /// Reverse futility margin: more where a principal variation has been, centipawns.
    rfp_tt_pv = 2 in 0..=80 step 6;
    /// Reverse futility margin: more if the hash table knows a quiet move to try, centipawns.
    rfp_hash_quiet = 24 in 0..=80 step 6;

    /// A reduction of the last move from which it is looked at whether it was right, plies.
    hindsight_reduction = 3 in 2..=5 step 1;
    /// Sum of both sides' evaluations above which a reduced move is searched even less deep, centipawns.
    hindsight_margin = 267 in 40..=400 step 20;

    /// Null move: least depth, plies.
    null_depth = 3 in 1..=6 step 1;
    /// Null move: how far above beta the evaluation must be at depth 0, centipawns.
    null_base = 71 in -60..=150 step 12;
    /// Null move: how much less per ply, centipawns.
    null_slope = 1 in 0..=30 step 3;
    /// Null move: how much more where no cutoff is expected, centipawns.
    null_not_cut = 68 in 0..=200 step 12;
    /// Null move: reduction whatever the depth, plies.
    null_reduction = 4 in 2..=6 step 1;
    /// Null move: depth that adds a ply to the reduction, plies.
    null_depth_divisor = 4 in 2..=8 step 1;
    /// Null move: advantage over beta that adds a ply to the reduction, centipawns.
    null_advantage_divisor = 306 in 80..=400 step 20;
    /// Null move: the most plies that an advantage adds.
    null_advantage_limit = 3 in 1..=6 step 1;
    /// Null move: depth from which a cutoff is verified without null moves, plies.
    null_verify_depth = 13 in 8..=24 step 1;

    /// ProbCut: least depth, plies.
    probcut_depth = 5 in 3..=9 step 1;
    /// ProbCut: by how much a capture must exceed beta, centipawns.
    probcut_margin = 291 in 80..=400 step 15;
    /// ProbCut: how much less if the evaluation rises, centipawns.
    probcut_improving = 63 in 0..=150 step 8;
    /// ProbCut: by how many plies the search that confirms is reduced.
    probcut_reduction = 4 in 2..=6 step 1;
    /// A hash entry of so many plies less cuts off, too, if its score exceeds beta by far.
    small_probcut_depth = 4 in 2..=6 step 1;
    /// By how much, centipawns.
    small_probcut_margin = 426 in 150..=800 step 30;
    /// Up to this depth an entry of the hash table cuts a node off only if it was expected to be cut off so.
    tt_cutoff_expected_depth = 0 in 0..=12 step 1;

    /// Internal iterative reduction: least depth, plies.
    iir_depth = 4 in 2..=8 step 1;
    /// Internal iterative reduction: a hash entry that is so much shallower does not count, plies.
    iir_stale = 5 in 2..=10 step 1;

    /// Late move pruning: greatest depth, plies.
    lmp_depth = 8 in 3..=14 step 1;
    /// Late move pruning: moves tried before, at any depth.
    lmp_base = 10 in 1..=24 step 1;
    /// Late move pruning: moves more per squared ply, hundredths.
    lmp_slope = 131 in 30..=200 step 10;

    /// Futility pruning: greatest depth after reduction, plies.
    futility_depth = 8 in 3..=14 step 1;
    /// Futility margin at any depth, centipawns.
    futility_base = 7 in -50..=250 step 12;
    /// Futility margin per ply after reduction, centipawns.
    futility_slope = 44 in 30..=180 step 8;
    /// Futility margin per 1024 of a move's history, hundredths of a centipawn.
    futility_history = 120 in 0..=400 step 25;
    /// Futility margin of captures at any depth, centipawns.
    futility_noisy_base = 138 in 50..=500 step 20;
    /// Futility margin of captures per ply after reduction, centipawns.
    futility_noisy_slope = 165 in 40..=400 step 15;
    /// Futility margin of quiet moves and captures: less where a principal variation has been, centipawns.
    futility_tt_pv = 16 in -60..=200 step 10;
    /// Depth after reduction by which quiet moves are pruned: history that is worth a ply, 1024ths of it per 1024.
    prune_history = 50 in 0..=200 step 12;
    /// The same: less if the evaluation does not rise, 1024ths of a ply.
    prune_not_improving = 232 in 0..=1200 step 80;

    /// Pruning by history: greatest depth after reduction, plies.
    history_prune_depth = 4 in 1..=8 step 1;
    /// Pruning by history: lowest history per ply after reduction.
    history_prune_slope = 7832 in 1000..=15000 step 350;

    /// Pruning by exchange: greatest depth, plies.
    see_depth = 9 in 3..=14 step 1;
    /// Pruning by exchange: loss that a quiet move may make per squared ply after reduction, centipawns.
    see_quiet = 28 in 8..=80 step 4;
    /// Pruning by exchange: loss that a capture may make per ply, centipawns.
    see_noisy = 94 in 30..=200 step 8;
    /// Pruning by exchange: loss that a capture may make per 1024 of its history, centipawns.
    see_history = 10 in 0..=40 step 1;

    /// Singular extension: least depth, plies.
    singular_depth = 7 in 4..=12 step 1;
    /// Singular extension: how much shallower the hash entry may be, plies.
    singular_hash_depth = 3 in 1..=5 step 1;
    /// Singular extension: how far below the hash move the others must stay, hundredths of a centipawn per ply.
    singular_margin = 129 in 50..=400 step 20;
    /// Singular extension: how much farther where a principal variation has been, hundredths of a centipawn per ply.
    singular_tt_pv = 82 in 0..=250 step 15;
    /// Singular extension: how far below that they must stay for two plies, centipawns.
    singular_double = 12 in 0..=80 step 4;
    /// Singular extension: how much farther in the principal variation, centipawns.
    singular_pv = 17 in 0..=400 step 20;
    /// Singular extension: how far below they must stay for three plies, centipawns.
    singular_triple = 98 in 20..=250 step 10;

    /// Late move reductions: least depth, plies.
    lmr_depth = 2 in 2..=5 step 1;
    /// Late move reductions: whatever depth and move number, 1024ths of a ply.
    lmr_base = 733 in -1000..=2000 step 80;
    /// Late move reductions: per product of the binary logarithms of depth and move number, 1024ths of a ply.
    lmr_slope = 202 in 100..=500 step 20;
    /// Late move reductions: more for captures than half of a quiet move's, 1024ths of a ply.
    lmr_noisy = -27 in -1500..=1500 step 120;
    /// Late move reductions: less where a principal variation has been, 1024ths of a ply.
    lmr_tt_pv = 1238 in 0..=2500 step 120;
    /// Late move reductions: still less there if the hash score is above alpha, 1024ths of a ply.
    lmr_tt_pv_above = 388 in 0..=2000 step 100;
    /// Late move reductions: still less there if the hash entry is as deep as the node, 1024ths of a ply.
    lmr_tt_pv_deep = 346 in -500..=2000 step 100;
    /// Late move reductions: more in the principal variation if its window is as wide as at the root, 1024ths of a ply.
    lmr_delta = 123 in -500..=2000 step 100;
    /// Late move reductions: more if a move before has raised alpha, 1024ths of a ply.
    lmr_raised = 153 in 0..=2000 step 100;
    /// Late move reductions: more if the hash table knows no move, 1024ths of a ply.
    lmr_no_hash = 295 in 0..=2000 step 100;
    /// Late move reductions: more where a cutoff is expected, 1024ths of a ply.
    lmr_cut = 1343 in 0..=3000 step 120;
    /// Late move reductions: still more there if the hash table knows no move, 1024ths of a ply.
    lmr_cut_no_hash = 309 in -500..=2000 step 100;
    /// Late move reductions: more if the evaluation does not rise, 1024ths of a ply.
    lmr_not_improving = 665 in 0..=2000 step 100;
    /// Late move reductions: less for a killer, 1024ths of a ply.
    lmr_killer = 800 in 0..=2500 step 120;
    /// Late move reductions: less for a move that gives check, 1024ths of a ply.
    lmr_check = 507 in 0..=2500 step 120;
    /// Late move reductions: more if the hash move is a capture, 1024ths of a ply.
    lmr_hash_noisy = 843 in 0..=2000 step 100;
    /// Late move reductions: more if the positions after other moves were often cut off, 1024ths of a ply.
    lmr_cutoffs = 934 in 0..=2000 step 100;
    /// Late move reductions: how many cutoffs are often.
    lmr_many_cutoffs = 3 in 1..=8 step 1;
    /// Late move reductions: by how much a move must beat the best to be searched deeper again, centipawns.
    lmr_deeper = 51 in 10..=150 step 8;
    /// Late move reductions: a move that beats the best by less is searched less deep again, centipawns.
    lmr_shallower = 30 in 0..=80 step 3;
    /// Late move reductions: history that is worth a ply.
    lmr_history = 14265 in 3000..=20000 step 700;
    /// Late move reductions: history of a capture that is worth a ply.
    lmr_history_noisy = 11224 in 3000..=20000 step 700;

    /// By how much the evaluation must be better than two plies ago to count as rising, centipawns.
    improving_margin = 8 in -60..=60 step 6;

    /// History bonus per ply.
    history_slope = 238 in 50..=400 step 15;
    /// History bonus at depth 0.
    history_offset = 92 in -300..=200 step 25;
    /// The greatest history bonus.
    history_limit = 1741 in 500..=3000 step 120;

    /// History penalty per ply.
    malus_slope = 318 in 50..=400 step 15;
    /// History penalty at depth 0.
    malus_offset = 21 in -300..=200 step 25;
    /// The greatest history penalty.
    malus_limit = 1647 in 500..=3000 step 120;
    /// History penalty: how fast it falls with the moves tried before, percent of itself per move.
    malus_late = 6 in 0..=40 step 3;
    /// What a cutoff teaches about the capture that made it, percent of what it teaches about a quiet move.
    capture_bonus = 87 in 30..=250 step 12;
    /// What a cutoff teaches about the captures tried before, percent of what it teaches about quiet moves.
    capture_malus = 97 in 30..=250 step 12;
    /// History bonus or penalty of a quiet move whose reduced search promised more, once it is searched to the full
    /// depth, percent.
    post_lmr_bonus = 44 in 0..=200 step 12;
    /// History penalty of an early quiet move that was refuted at once, percent of that for moves before a cutoff.
    prior_quiet_malus = 78 in 0..=150 step 10;
    /// A score so much above beta teaches as much as a search a ply deeper, centipawns.
    fail_high_bonus_margin = 121 in 20..=250 step 12;
    /// History bonus of a quiet move to which there was no good answer, percent of that of a cutoff.
    prior_quiet_bonus = 87 in 0..=150 step 8;
    /// The same of a capture.
    prior_capture_bonus = 10 in 0..=200 step 10;
    /// History bonus of a quiet hash move that makes a cutoff without a search, percent of that of a cutoff.
    tt_cutoff_bonus = 120 in 0..=200 step 10;
    /// History bonus of a best move without a cutoff, and penalty of the others, percent of those at a cutoff.
    history_exact = 37 in 0..=150 step 10;
    /// History bonus for how a quiet move changed the evaluation, hundredths per centipawn.
    history_eval = 372 in 0..=1500 step 60;
    /// The greatest such bonus.
    history_eval_limit = 1214 in 200..=2500 step 100;
    /// Share of the history by origin and target in a move's history, 1024ths.
    butterfly_history_weight = 868 in 256..=2560 step 96;
    /// Share of the history by the opponent's last move in a move's history, 1024ths.
    counter_move_history_weight = 1061 in 256..=2560 step 96;
    /// Share of the history by the own last move in a move's history, 1024ths.
    followup_history_weight = 1041 in 256..=2560 step 96;
    /// Share of the histories by moves farther back in a move's history, 1024ths.
    continuation_history_weight = 643 in 0..=1536 step 96;
    /// Share of the history by pawn structure in a move's history, 1024ths.
    pawn_history_weight = 1287 in 0..=2048 step 96;

    /// Order of quiet moves: how much better a check counts than its history.
    check_bonus = 14083 in 0..=30000 step 1000;
    /// Order of quiet moves: what such a check may lose by exchange, centipawns.
    check_loss = 80 in 0..=300 step 25;
    /// Order of quiet moves: how much better it is to escape from a lesser piece, hundredths of the piece's value.
    threat_escape = 294 in 0..=2000 step 100;
    /// Order of quiet moves: how much worse it is to go where a lesser piece attacks, hundredths of the piece's value.
    threat_enter = 540 in 0..=2000 step 100;
    /// Order of captures: what one that comes before quiet moves may lose by exchange, centipawns.
    good_noisy_loss = 14 in -80..=120 step 8;
    /// Order of captures: how much more it may lose by its history, centipawns per 1024.
    good_noisy_history = 3 in 0..=30 step 2;
    /// Order of captures: weight of what is captured against the history of the capture.
    victim_weight = 37 in 4..=96 step 3;

    /// Correction of the evaluation: what is learned from an error, 1024ths per ply.
    correction_rate = 77 in 8..=256 step 8;
    /// Correction of the evaluation: share of what the pawns teach, 1024ths.
    correction_pawns = 208 in 0..=2048 step 60;
    /// Correction of the evaluation: share of what the minor pieces teach, 1024ths.
    correction_minors = 130 in 0..=2048 step 60;
    /// Correction of the evaluation: share of what the major pieces teach, 1024ths.
    correction_majors = 162 in 0..=2048 step 60;
    /// Correction of the evaluation: share of what each side's pieces teach, 1024ths.
    correction_non_pawn = 689 in 0..=2048 step 60;
    /// Correction of the evaluation: share of what the last two moves teach, 1024ths.
    correction_continuation_2 = 280 in 0..=2048 step 60;
    /// Correction of the evaluation: share of what the last move and the own one four plies back teach, 1024ths.
    correction_continuation_4 = 213 in 0..=2048 step 60;

    /// Quiescence: a capture must come this close to alpha, centipawns.
    delta_margin = 364 in 50..=700 step 16;
    /// Quiescence: a capture that wins nothing by exchange must come this close to alpha, centipawns.
    delta_even = 312 in 30..=700 step 16;
    /// Quiescence: how much what is captured counts, percent.
    delta_victim_percent = 114 in 40..=250 step 10;
    /// Quiescence: by how much the evaluation, where it is above beta, is brought nearer to it, percent.
    stand_pat_blend = 17 in 0..=90 step 8;
    /// Quiescence and ProbCut: what a capture may lose by exchange, centipawns.
    qs_see_margin = -25 in -80..=200 step 10;
    /// Quiescence: captures tried where no check and no recapture comes about.
    qs_moves = 3 in 1..=16 step 1;

    /// How fast the evaluation nears 0 on the way to the 50-move draw, 1024ths per 100 plies.
    eval_fifty = 244 in 0..=1000 step 50;
    /// How much nearer to 0 the evaluation of pawns alone is than that of all pieces, 1024ths.
    eval_material = 80 in -300..=800 step 40;

    /// Hash table: plies of depth that a search of age makes up for.
    hash_age_weight = 4 in 1..=12 step 1;
    /// Hash table: how much shallower a new entry may be than the one it replaces, plies.
    hash_keep_depth = 4 in 0..=8 step 1;

    /// Plies to the 50-move draw below which the hash table gives no cutoff, as it knows no clock.
    fifty_guard = 12 in 0..=50 step 4;

    /// Nodes between two looks at the clock.
    check_interval = 1024 in 128..=8192 step 128;
    /// Iteration after which the only legal move is played without more thought.
    only_move_depth = 6 in 1..=20 step 1;
    /// Moves for which the clock must last if nobody says.
    tm_horizon = 24 in 12..=60 step 3;
    /// Share of the increment that is spent, percent.
    tm_increment = 78 in 30..=100 step 6;
    /// Time after which no move is thought about any longer, percent of its planned time.
    tm_hard_limit_percent = 400 in 150..=800 step 50;
    /// The most of the clock that one move may take, percent.
    tm_clock_percent = 55 in 20..=90 step 6;
    /// Planned time if the best move has just changed, percent.
    tm_best_move_base = 150 in 100..=250 step 12;
    /// Less planned time for each iteration in which the best move stayed, percent.
    tm_best_move_slope = 13 in 0..=30 step 3;
    /// More planned time for each centipawn that the score has dropped, hundredths of a percent.
    tm_score_drop = 120 in 0..=400 step 40;
    /// Planned time if all nodes went to moves other than the best, percent.
    tm_node_fraction_base = 170 in 100..=250 step 15;
    /// Less planned time for each percent of the nodes that went to the best move, hundredths of a percent.
    tm_node_fraction_slope = 120 in 0..=200 step 15;
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
