//! The two clocks of a game. The caller passes the time to every function; the system clock is never read.

use super::time_control::{Bonus, Period, TimeControl};
use crate::chess::Color;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A point in time: milliseconds since the game was created.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(u64);

impl Moment {
    /// The creation of the game.
    pub const START: Self = Self(0);

    /// The moment this number of milliseconds after the creation of the game.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// The number of milliseconds since the creation of the game.
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// The time since an earlier moment; zero if that moment is later.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// The moment this time later, rounded down to milliseconds.
    #[must_use]
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
    }
}

/// The state of one side's clock at the start of its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SideClock {
    left: Duration,
    /// The number of the period, counted from 0.
    period: usize,
    /// The number of moves made in this period.
    moves: u32,
    /// Whether the side has halved its time and has no bonus any more.
    is_berserk: bool,
    /// The time of each turn that is not taken off, for the way of the moves through the network.
    lag: Duration,
    /// The time used in this turn until the clocks were last settled.
    turn: Duration,
    /// The total time for which this side's clock has run.
    spent: Duration,
    /// The total time that the opponent or the arbiter has given this side.
    given: Duration,
}

/// The clocks of both sides. At most one of them runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    sides: [SideClock; Color::COUNT],
    running: Option<Color>,
    /// The moment at which the clocks were last settled: all time up to it has been charged.
    settled: Moment,
    uncharged: Duration,
}

/// The state of both clocks that a takeback restores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClockState([SideClock; Color::COUNT]);

/// A clock of less than so many increments keeps its time when its side plays berserk, as on lichess
/// (<https://lichess.org/tournament/help?system=arena>): 1+2 becomes 1+0.
const INCREMENTS_TO_HALVE: u32 = 60;

/// The time at the start, `None` without a limit. If a period has only an increment, the clock starts with it, since
/// otherwise the flag would fall before the first move.
fn time_at_start(control: &TimeControl) -> Option<Duration> {
    let period = control.period(0)?;
    Some(if period.time.is_zero() { period.increment() } else { period.time })
}

impl Clocks {
    /// Creates stopped clocks.
    pub(super) fn new(control: TimeControl) -> Self {
        let first = time_at_start(&control).unwrap_or_default();
        let side = SideClock {
            left: first,
            period: 0,
            moves: 0,
            is_berserk: false,
            lag: Duration::ZERO,
            turn: Duration::ZERO,
            spent: Duration::ZERO,
            given: Duration::ZERO,
        };
        Self { control, sides: [side; 2], running: None, settled: Moment::START, uncharged: Duration::ZERO }
    }

    /// The time on both clocks before the first move; `None` without a limit.
    pub fn at_start(&self) -> Option<Duration> {
        time_at_start(&self.control)
    }

    /// The side whose clock runs.
    pub const fn running(&self) -> Option<Color> {
        self.running
    }

    /// Whether there is a time limit.
    pub fn is_timed(&self) -> bool {
        !self.control.periods().is_empty()
    }

    /// The time left on a side's clock; `None` without a limit.
    pub fn left(&self, color: Color, at: Moment) -> Option<Duration> {
        let period = self.period(color)?;
        let used = self.turn(color, at).saturating_sub(self.free(color, period));
        let left = self.sides[color].left.saturating_sub(used);
        let is_given = self.period(!color).is_some_and(|period| period.bonus == Bonus::Hourglass);
        let given = if is_given {
            self.turn(!color, at).saturating_sub(self.sides[!color].lag)
        } else {
            Duration::ZERO
        };
        Some(left.saturating_add(given))
    }

    /// The number of moves that a side must make before the next period; `None` if the period is for all moves, or
    /// without a limit.
    pub fn moves_to_go(&self, color: Color) -> Option<u32> {
        Some(self.period(color)?.moves?.get().saturating_sub(self.sides[color].moves))
    }

    /// The increment of a side's next move; `None` without a limit.
    pub fn increment(&self, color: Color) -> Option<Duration> {
        Some(match self.bonus(color, self.period(color)?) {
            Bonus::Increment(time) => time,
            _ => Duration::ZERO,
        })
    }

    /// The total time charged to a side: the time for which its clock has run.
    pub fn charged(&self, color: Color, at: Moment) -> Duration {
        self.sides[color].spent + self.unsettled(self.running == Some(color), at)
    }

    /// The total time for which no clock has run.
    pub fn uncharged(&self, at: Moment) -> Duration {
        self.uncharged + self.unsettled(self.running.is_none(), at)
    }

    /// The moment at which the flag of the running clock falls; `None` if no clock runs or there is no limit.
    pub fn deadline(&self) -> Option<Moment> {
        let color = self.running?;
        let free = self.free(color, self.period(color)?);
        let SideClock { left, turn, .. } = self.sides[color];
        Some(self.settled.after(left.saturating_add(free).saturating_sub(turn)))
    }

    /// The time until the running clock begins to lose time: what is left of its delay and of its compensation for lag.
    /// `None` if no clock runs or there is no limit.
    pub fn until_charged(&self, at: Moment) -> Option<Duration> {
        let color = self.running?;
        Some(self.free(color, self.period(color)?).saturating_sub(self.turn(color, at)))
    }

    /// The time of each turn that a side's clock does not lose, for the way of the moves through the network.
    pub const fn lag(&self, color: Color) -> Duration {
        self.sides[color as usize].lag
    }

    /// Sets the time of each turn that a side's clock does not lose, from the current turn on.
    pub(super) fn set_lag(&mut self, color: Color, lag: Duration) {
        self.sides[color].lag = lag;
    }

    /// The time of a turn that a side's clock does not lose.
    fn free(&self, color: Color, period: &Period) -> Duration {
        let delay = if let Bonus::Delay(delay) = self.bonus(color, period) { delay } else { Duration::ZERO };
        delay.saturating_add(self.sides[color].lag)
    }

    fn period(&self, color: Color) -> Option<&Period> {
        self.control.period(self.sides[color].period)
    }

    /// The increment or delay that the period gives a side.
    fn bonus(&self, color: Color, period: &Period) -> Bonus {
        if self.sides[color].is_berserk { Bonus::None } else { period.bonus }
    }

    /// Whether a side may play berserk by the time control: all moves have one time, which no opponent gets.
    pub fn can_be_halved(&self) -> bool {
        match self.control.periods() {
            [Period { moves: None, time, bonus }] => !time.is_zero() && *bonus != Bonus::Hourglass,
            _ => false,
        }
    }

    /// Whether a side has halved its time.
    pub fn is_berserk(&self, color: Color) -> bool {
        self.sides[color].is_berserk
    }

    /// Halves the time of a side, which has no bonus any more.
    pub(super) fn halve(&mut self, color: Color) {
        let keeps =
            self.period(color).is_some_and(|period| period.time < INCREMENTS_TO_HALVE * period.increment());
        let side = &mut self.sides[color];
        side.is_berserk = true;
        if !keeps {
            side.left /= 2;
        }
    }

    /// The time that a side has used in its current turn.
    pub(super) fn turn(&self, color: Color, at: Moment) -> Duration {
        self.sides[color].turn + self.unsettled(self.running == Some(color), at)
    }

    fn unsettled(&self, counts: bool, at: Moment) -> Duration {
        if counts { at.since(self.settled) } else { Duration::ZERO }
    }

    /// Charges the time that has passed since the clocks were last settled.
    pub(super) fn settle(&mut self, at: Moment) {
        let elapsed = at.since(self.settled);
        match self.running {
            Some(color) => {
                self.sides[color].turn += elapsed;
                self.sides[color].spent += elapsed;
            }
            None => self.uncharged += elapsed,
        }
        self.settled = self.settled.max(at);
    }

    /// Starts a side's clock, and stops the other one.
    pub(super) fn start(&mut self, color: Color, at: Moment) {
        self.settle(at);
        self.running = Some(color);
    }

    /// Stops both clocks.
    pub(super) fn stop(&mut self, at: Moment) {
        self.settle(at);
        self.running = None;
    }

    /// Gives a side time, which a takeback does not take away.
    pub(super) fn give(&mut self, color: Color, time: Duration) {
        self.add(color, time);
        self.sides[color].given = self.sides[color].given.saturating_add(time);
    }

    /// Adds time to a side's clock.
    fn add(&mut self, color: Color, time: Duration) {
        self.sides[color].left = self.sides[color].left.saturating_add(time);
    }

    /// Ends the turn of a side after its move, and stops its clock.
    pub(super) fn end_turn(&mut self, color: Color, at: Moment) {
        self.stop(at);
        let Some(&period) = self.period(color) else {
            self.sides[color].turn = Duration::ZERO;
            return;
        };
        let (moves, bonus) = (period.moves, self.bonus(color, &period));
        let left = self.left(color, at).unwrap_or_default();
        let turn = std::mem::take(&mut self.sides[color].turn);
        let used = turn.saturating_sub(self.sides[color].lag);
        self.sides[color].left = left.saturating_add(match bonus {
            Bonus::Increment(time) => time,
            Bonus::Bronstein(time) => time.min(used),
            Bonus::None | Bonus::Delay(_) | Bonus::Hourglass => Duration::ZERO,
        });
        if bonus == Bonus::Hourglass {
            self.add(!color, used);
        }
        self.sides[color].moves += 1;
        if moves.is_some_and(|moves| self.sides[color].moves >= moves.get()) {
            self.sides[color].moves = 0;
            self.sides[color].period += 1;
            let time = self.period(color).map_or(Duration::ZERO, |period| period.time);
            self.add(color, time);
        }
    }

    /// The state of both clocks at the start of a turn.
    pub(super) fn state(&self) -> ClockState {
        ClockState(self.sides)
    }

    /// Restores the clocks and stops them. The time that has passed remains charged, and the time given since then
    /// remains on the clocks.
    pub(super) fn put_back(&mut self, state: ClockState, at: Moment) {
        self.stop(at);
        for (side, then) in self.sides.iter_mut().zip(state.0) {
            let left = then.left.saturating_add(side.given.saturating_sub(then.given));
            let SideClock { lag, spent, given, .. } = *side;
            *side = SideClock { left, lag, spent, given, turn: Duration::ZERO, ..then };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn clocks(control: &str) -> Clocks {
        Clocks::new(control.parse().expect("a time control"))
    }

    fn at(seconds: u64) -> Moment {
        Moment::from_millis(1000 * seconds)
    }

    /// Both sides move in turn, each move taking this number of seconds; returns the seconds left after each move.
    fn play(clocks: &mut Clocks, seconds: &[u64]) -> Vec<Option<u64>> {
        let mut now = 0;
        let mut color = White;
        clocks.start(color, at(now));
        let mut left = Vec::new();
        for seconds in seconds {
            now += seconds;
            clocks.end_turn(color, at(now));
            left.push(clocks.left(color, at(now)).map(|left| left.as_secs()));
            color = !color;
            clocks.start(color, at(now));
        }
        left
    }

    #[test]
    fn each_time_control_charges_in_its_way() {
        /// A time control, the seconds that each move takes, and the seconds left after each.
        type Case<'a> = (&'a str, &'a [u64], &'a [Option<u64>]);
        let cases: [Case<'_>; 10] = [
            ("-", &[5, 5], &[None, None]),
            ("?", &[5, 5], &[None, None]),
            ("100", &[10, 20, 30], &[Some(90), Some(80), Some(60)]),
            ("100+3", &[10, 1], &[Some(93), Some(102)]),
            ("100d3", &[10, 1, 3], &[Some(93), Some(100), Some(93)]),
            ("100b3", &[10, 1, 3], &[Some(93), Some(100), Some(93)]),
            ("*100", &[10, 30, 5], &[Some(90), Some(80), Some(115)]),
            ("2/100:50", &[10, 10, 10, 10, 10], &[Some(90), Some(90), Some(130), Some(130), Some(120)]),
            ("2/100", &[10, 10, 10, 10, 10, 10, 10], &[90, 90, 180, 180, 170, 170, 260].map(Some)),
            ("0+2", &[1, 1, 1], &[Some(3), Some(3), Some(4)]),
        ];
        for (control, seconds, expected) in cases {
            assert_eq!(play(&mut clocks(control), seconds), expected, "{control}");
        }
    }

    #[test]
    fn who_plays_berserk_has_half_the_time_and_no_bonus() {
        for (control, expected) in [
            ("100", [Some(40), Some(90)]),
            ("100+1", [Some(40), Some(91)]),
            ("100+3", [Some(90), Some(93)]),
            ("100d3", [Some(40), Some(93)]),
            ("100b3", [Some(40), Some(93)]),
        ] {
            let mut clocks = clocks(control);
            assert!(clocks.can_be_halved(), "{control}");
            clocks.halve(White);
            assert_eq!(play(&mut clocks, &[10, 10]), expected, "{control}");
            assert!(clocks.is_berserk(White) && !clocks.is_berserk(Black));
        }
        for control in ["-", "*100", "0+2", "40/100", "40/100:50"] {
            assert!(!clocks(control).can_be_halved(), "{control}");
        }
        let mut clocks = clocks("100d7");
        clocks.halve(White);
        clocks.start(White, at(0));
        assert_eq!(clocks.deadline(), Some(at(50)));
    }

    #[test]
    fn flags_have_a_moment_to_fall_at() {
        // White has used 20 seconds and Black 10; White is to move.
        for (control, expected) in
            [("100", Some(110)), ("100d7", Some(124)), ("*100", Some(120)), ("-", None)]
        {
            let mut clocks = clocks(control);
            play(&mut clocks, &[20, 10]);
            assert_eq!(clocks.deadline(), expected.map(at), "{control}");
        }
    }

    #[test]
    fn all_time_is_accounted_for() {
        let mut clocks = clocks("100+3");
        clocks.start(White, at(5));
        clocks.stop(at(12));
        clocks.start(White, at(20));
        clocks.end_turn(White, at(21));
        clocks.start(Black, at(21));
        let now = at(40);
        let seconds = |time: Duration| time.as_secs();
        assert_eq!(seconds(clocks.charged(White, now)), 8);
        assert_eq!(seconds(clocks.charged(Black, now)), 19);
        assert_eq!(seconds(clocks.uncharged(now)), 13);
        assert_eq!(clocks.left(White, now).map(seconds), Some(95));
        assert_eq!(clocks.deadline(), Some(at(121)));
    }

    #[test]
    fn lag_is_a_time_of_each_turn_that_the_clock_does_not_lose() {
        /// A time control, the seconds that each move takes, and the seconds left after each; White has a lag of 2.
        type Case<'a> = (&'a str, &'a [u64], &'a [Option<u64>]);
        let cases: [Case<'_>; 6] = [
            ("-", &[5, 5], &[None, None]),
            ("100", &[10, 20, 1], &[Some(92), Some(80), Some(92)]),
            ("100+3", &[10, 1], &[Some(95), Some(102)]),
            ("100d3", &[10, 10, 4], &[Some(95), Some(93), Some(95)]),
            ("100b3", &[10, 1, 3], &[Some(95), Some(100), Some(95)]),
            ("*100", &[10, 30, 5], &[Some(92), Some(78), Some(119)]),
        ];
        for (control, seconds, expected) in cases {
            let mut clocks = clocks(control);
            clocks.set_lag(White, Duration::from_secs(2));
            assert_eq!(play(&mut clocks, seconds), expected, "{control}");
        }
        let mut clocks = clocks("100d3");
        clocks.set_lag(White, Duration::from_secs(2));
        clocks.start(White, at(10));
        assert_eq!(clocks.deadline(), Some(at(115)));
        assert_eq!(clocks.until_charged(at(11)), Some(Duration::from_secs(4)));
        assert_eq!(clocks.until_charged(at(20)), Some(Duration::ZERO));
        // The time has passed and is counted all the same.
        clocks.end_turn(White, at(12));
        assert_eq!(clocks.charged(White, at(12)), Duration::from_secs(2));
        assert_eq!(clocks.until_charged(at(12)), None);
    }

    #[test]
    fn a_delay_goes_on_where_a_pause_has_cut_it() {
        let mut clocks = clocks("100d10");
        clocks.start(White, at(0));
        clocks.stop(at(6));
        assert_eq!(clocks.left(White, at(6)).map(|left| left.as_secs()), Some(100));
        clocks.start(White, at(50));
        assert_eq!(clocks.deadline(), Some(at(50 + 4 + 100)));
        assert_eq!(clocks.left(White, at(60)).map(|left| left.as_secs()), Some(94));
    }
}
