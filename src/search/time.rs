//! Time management (<https://www.chessprogramming.org/Time_Management>): a soft limit, after which no
//! iteration starts, and a hard limit, at which the search stops.

use super::Limits;
use super::params::Params;
use std::time::Duration;

/// The time limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeLimits {
    /// The planned time of an ordinary move; `None` without a clock.
    soft: Option<Duration>,
    /// The maximum time.
    hard: Option<Duration>,
}

impl TimeLimits {
    pub(super) fn new(limits: &Limits, params: &Params, move_number: u16) -> Self {
        let move_time = limits.move_time.map(|time| time.saturating_sub(limits.move_overhead));
        let Some(clock) = limits.clock else {
            return Self { soft: None, hard: move_time };
        };
        let horizon = horizon(params, move_number);
        let moves = clock.moves_to_go.map_or(horizon, |moves| moves.clamp(1, horizon));
        let usable = clock.remaining.saturating_sub(limits.move_overhead);
        let beyond_reserve = clock.remaining.saturating_sub(limits.move_overhead.saturating_mul(RESERVE));
        // Each of the remaining moves also has its overhead.
        let overheads = limits.move_overhead.saturating_mul(moves);
        let spendable = clock.remaining.saturating_sub(overheads).max(beyond_reserve / LAST_PART);
        // Even a clock that is down to the reserve allows part of the increment to be used; the rest refills
        // the reserve.
        let increment = if beyond_reserve.is_zero() {
            clock.increment / REFILL
        } else {
            percent(clock.increment, params.tm_increment()).min(beyond_reserve)
        };
        let planned = (spendable / moves).saturating_add(increment);
        let most = percent(beyond_reserve, params.tm_clock_percent()).max(increment).min(usable);
        let hard = percent(planned, params.tm_hard_limit_percent()).min(most);
        let hard = move_time.map_or(hard, |time| time.min(hard));
        Self { soft: Some(planned.min(hard)), hard: Some(hard) }
    }
}

/// The number of the move from which the horizon no longer changes.
const EARLY_MOVES: i32 = 32;

/// The number of moves for which the clock must last if it is not known. It is larger early in a game, when more moves
/// follow.
fn horizon(params: &Params, move_number: u16) -> u32 {
    let left = EARLY_MOVES - i32::from(move_number).clamp(1, EARLY_MOVES);
    (params.tm_horizon() + left * params.tm_early_horizon() / EARLY_MOVES).unsigned_abs()
}

/// Move overheads held in reserve: a busy machine may wake a thread late, and a clock with a few milliseconds
/// left would be lost.
const RESERVE: u32 = 10;

/// If the overheads would use up the clock, this fraction of it is still spent.
const LAST_PART: u32 = 4;

/// A clock that is down to the reserve spends this fraction of its increment.
const REFILL: u32 = 4;

fn percent(time: Duration, percentage: i32) -> Duration {
    (time / 100).saturating_mul(percentage.max(0) as u32)
}

/// The course of the search so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchTrend {
    /// Iterations since the best move changed.
    pub stable: i32,
    /// The drop of the best move's score since the last iteration, in search units; negative if it has risen. 0 if the
    /// iteration before had no score of this move.
    pub drop: i32,
    /// The share of the nodes that were spent on the best move, in percent.
    pub effort: i32,
}

/// Iterations after which the best move does not count as more stable.
const MAX_STABLE: i32 = 6;
/// The score drop from which the time does not increase, in search units.
const MAX_DROP: i32 = 80;

/// The share of the planned time for a move with this trend, in percent.
pub(super) fn time_scale(params: &Params, trend: &SearchTrend) -> i32 {
    let stability =
        params.tm_best_move_base() - params.tm_best_move_slope() * trend.stable.clamp(0, MAX_STABLE);
    let effort =
        params.tm_node_fraction_base() - params.tm_node_fraction_slope() * trend.effort.clamp(0, 100) / 100;
    let drop = 100 + params.tm_score_drop() * trend.drop.clamp(0, MAX_DROP) / 100;
    stability * effort * drop / (100 * 100)
}

/// Watches the time of one search. Times are counted from its start.
#[derive(Clone, Debug)]
pub(super) struct Timekeeper {
    time_limits: TimeLimits,
    /// The soft limit scaled by the trend.
    scaled_soft: Option<Duration>,
    /// The time from which limits count; `None` while pondering.
    counting_from: Option<Duration>,
}

impl Timekeeper {
    pub(super) fn new(limits: &Limits, params: &Params, move_number: u16, is_pondering: bool) -> Self {
        let time_limits = TimeLimits::new(limits, params, move_number);
        Self {
            time_limits,
            scaled_soft: time_limits.soft,
            counting_from: (!is_pondering).then_some(Duration::ZERO),
        }
    }

    /// Whether the time is up within an iteration.
    ///
    /// The hard limit counts from the ponder hit, when the own clock starts. The soft limit counts from the
    /// start of the search, because the time on the opponent's clock was also used; if it has passed already,
    /// the search stops at once.
    pub(super) fn hard_limit_reached(&mut self, elapsed: Duration, is_pondering: bool) -> bool {
        let Some(from) = self.counting_from else {
            if is_pondering {
                return false;
            }
            self.counting_from = Some(elapsed);
            return self.scaled_soft.is_some_and(|scaled_soft| elapsed >= scaled_soft)
                || self.hard_limit_reached(elapsed, false);
        };
        self.time_limits.hard.is_some_and(|hard| elapsed.saturating_sub(from) >= hard)
    }

    /// Whether enough time has been spent at the end of an iteration.
    pub(super) fn soft_limit_reached(
        &mut self,
        params: &Params,
        trend: &SearchTrend,
        elapsed: Duration,
        is_pondering: bool,
    ) -> bool {
        self.scaled_soft = self.time_limits.soft.map(|soft| percent(soft, time_scale(params, trend)));
        if self.hard_limit_reached(elapsed, is_pondering) {
            return true;
        }
        !is_pondering && self.scaled_soft.is_some_and(|scaled_soft| elapsed >= scaled_soft)
    }

    /// Whether there is a clock, so that time saved now can be spent later.
    pub(super) fn has_clock(&self) -> bool {
        self.time_limits.soft.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;
    /// The number of a move after the early ones.
    const MIDDLEGAME: u16 = 40;
    const TREND: SearchTrend = SearchTrend { stable: 3, drop: 0, effort: 50 };

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock { remaining: MS(remaining), increment: MS(increment), moves_to_go };
        Limits { clock: Some(clock), move_overhead: MS(10), ..Limits::default() }
    }

    #[test]
    fn bounds_stay_within_the_clock() {
        let params = Params::default();
        for remaining in [0, 1, 5, 10, 11, 20, 100, 1000, 60_000, 7_200_000, u64::MAX] {
            for increment in [0, 1, 10, 1000, 100_000, u64::MAX] {
                for (moves_to_go, move_number) in [
                    (None, 1),
                    (None, u16::MAX),
                    (Some(0), 0),
                    (Some(1), 1),
                    (Some(2), 38),
                    (Some(40), 1),
                    (Some(u32::MAX), 1),
                ] {
                    let time_limits =
                        TimeLimits::new(&limits(remaining, increment, moves_to_go), &params, move_number);
                    let (soft, hard) =
                        (time_limits.soft.expect("a clock"), time_limits.hard.expect("a clock"));
                    let name = format!("{remaining} + {increment}, {moves_to_go:?}, move {move_number}");
                    assert!(soft <= hard, "{name}");
                    assert!(hard <= MS(remaining).saturating_sub(MS(10)), "{name}");
                    assert!(MS(remaining) <= MS(10) * RESERVE || hard > Duration::ZERO, "{name}");
                }
            }
        }
    }

    #[test]
    fn early_moves_leave_time_for_those_that_follow() {
        let params = Params::default();
        let soft =
            |moves_to_go, number| TimeLimits::new(&limits(60_000, 0, moves_to_go), &params, number).soft;
        for number in 1..EARLY_MOVES as u16 {
            assert!(soft(None, number) <= soft(None, number + 1), "move {number}");
        }
        assert!(soft(None, 1) < soft(None, MIDDLEGAME));
        assert_eq!((soft(None, 0), soft(None, MIDDLEGAME)), (soft(None, 1), soft(None, u16::MAX)));
        assert_eq!(soft(Some(10), 1), soft(Some(10), MIDDLEGAME), "ten moves are ten moves");
    }

    #[test]
    fn a_clock_lasts_for_a_whole_game() {
        let params = Params::default();
        let cases =
            [("sudden death", 60_000, 0, 10), ("short", 1000, 10, 2), ("long", 5_400_000, 30_000, 10)];
        for (name, base, increment, overhead) in cases {
            let mut remaining = MS(base);
            for number in 1..=200 {
                let clock = Clock { remaining, increment: MS(increment), moves_to_go: None };
                let limits = Limits { clock: Some(clock), move_overhead: MS(overhead), ..Limits::default() };
                let soft = TimeLimits::new(&limits, &params, number).soft.expect("a clock");
                // Every move takes its planned time and part of the overhead.
                let spent = soft + MS(1);
                assert!(spent < remaining, "{name}: move {number} with {remaining:?}");
                remaining = remaining - spent + MS(increment);
            }
        }
    }

    #[test]
    fn a_fast_game_keeps_a_reserve() {
        let params = Params::default();
        // The time of a move beyond its plan, in microseconds: more than the increment.
        let (late, least) = (2_500, MS(60));
        for (name, base, increment) in [("0.2+0.002", 200, 2), ("0.1+0.001", 100, 1), ("1+0.01", 1000, 10)] {
            let mut remaining = MS(base);
            for number in 0..12 {
                let limits = Limits {
                    clock: Some(Clock { remaining, increment: MS(increment), moves_to_go: None }),
                    move_overhead: MS(10),
                    ..Limits::default()
                };
                let soft = TimeLimits::new(&limits, &params, MIDDLEGAME).soft.expect("a clock");
                remaining = (remaining + MS(increment)).saturating_sub(soft + Duration::from_micros(late));
                assert!(remaining >= least, "{name}: {remaining:?} after move {number}");
            }
        }
    }

    #[test]
    fn time_for_the_move_is_kept_to() {
        let params = Params::default();
        let only = Limits { move_time: Some(MS(500)), move_overhead: MS(20), ..Limits::default() };
        assert_eq!(
            TimeLimits::new(&only, &params, MIDDLEGAME),
            TimeLimits { soft: None, hard: Some(MS(480)) }
        );
        let less_than_overhead = Limits { move_time: Some(MS(5)), ..only.clone() };
        assert_eq!(TimeLimits::new(&less_than_overhead, &params, MIDDLEGAME).hard, Some(Duration::ZERO));
        assert_eq!(
            TimeLimits::new(&Limits::default(), &params, MIDDLEGAME),
            TimeLimits { soft: None, hard: None }
        );
        let both = Limits { move_time: Some(MS(30)), ..limits(600_000, 0, None) };
        assert_eq!(TimeLimits::new(&both, &params, MIDDLEGAME).hard, Some(MS(20)));
    }

    #[test]
    fn difficult_moves_deserve_more() {
        let params = Params::default();
        let usual = time_scale(&params, &TREND);
        assert!(time_scale(&params, &SearchTrend { stable: 0, ..TREND }) > usual);
        assert!(time_scale(&params, &SearchTrend { drop: 40, ..TREND }) > usual);
        assert!(time_scale(&params, &SearchTrend { effort: 10, ..TREND }) > usual);
        assert!(time_scale(&params, &SearchTrend { effort: 95, ..TREND }) < usual);
        assert_eq!(time_scale(&params, &SearchTrend { drop: -500, ..TREND }), usual);
        for stable in 0..200 {
            for drop in [0, 10, 64_000] {
                for effort in [0, 100] {
                    assert!(
                        (10..=1500).contains(&time_scale(&params, &SearchTrend { stable, drop, effort }))
                    );
                }
            }
        }
    }

    #[test]
    fn nothing_counts_while_pondering() {
        let params = Params::default();
        let limits = limits(10_000, 0, None);
        let mut keeper = Timekeeper::new(&limits, &params, MIDDLEGAME, true);
        assert!(!keeper.hard_limit_reached(MS(100_000), true));
        assert!(!keeper.soft_limit_reached(&params, &TREND, MS(100_000), true));
        assert!(keeper.hard_limit_reached(MS(100_001), false), "enough was thought before the hit");

        let mut keeper = Timekeeper::new(&limits, &params, MIDDLEGAME, true);
        assert!(!keeper.hard_limit_reached(MS(20), true));
        assert!(!keeper.hard_limit_reached(MS(30), false), "the hit");
        let hard = keeper.time_limits.hard.expect("a clock");
        assert!(!keeper.hard_limit_reached(hard, false), "the hard bound counts from the hit");
        assert!(keeper.hard_limit_reached(MS(30) + hard, false));
    }

    #[test]
    fn without_limits_the_time_is_never_up() {
        let params = Params::default();
        let mut keeper = Timekeeper::new(&Limits::default(), &params, MIDDLEGAME, false);
        assert!(!keeper.hard_limit_reached(Duration::MAX, false));
        assert!(!keeper.soft_limit_reached(&params, &TREND, Duration::MAX, false));
        assert!(!keeper.has_clock());
    }
}
