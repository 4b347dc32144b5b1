//! Dates, in universal time.

use std::time::{SystemTime, UNIX_EPOCH};

/// A moment as calendars and clocks have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Date {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub seconds_of_day: u64,
}

const SECONDS_PER_DAY: u64 = 86_400;

impl Date {
    /// Times before 1970 count as its beginning.
    pub(super) fn new(time: SystemTime) -> Self {
        let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        // Years that begin in March have their leap day at the end, and eras of 400 such years
        // are all alike.
        let days = (seconds / SECONDS_PER_DAY) as i64 + DAYS_FROM_YEAR_0_TO_1970;
        let (era, day_of_era) = (days / DAYS_PER_ERA, days % DAYS_PER_ERA);
        let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / (DAYS_PER_ERA - 1);
        let year_of_era = (day_of_era - leap_days) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        Self {
            year: era * 400 + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_from_march + 2) / 5 + 1,
            seconds_of_day: seconds % SECONDS_PER_DAY,
        }
    }

    /// `2026.02.28`, as PGN has it.
    pub(super) fn date(&self) -> String {
        format!("{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }

    /// `23:59:59`.
    pub(super) fn time(&self) -> String {
        clock(self.seconds_of_day)
    }
}

/// Hours, minutes and seconds.
pub(super) fn clock(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

const DAYS_PER_ERA: i64 = 146_097;
/// From the first of March of the year 0.
const DAYS_FROM_YEAR_0_TO_1970: i64 = 719_468;

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_of_the_calendar() {
        let cases = [
            (0, "1970.01.01 00:00:00"),
            (951_782_400, "2000.02.29 00:00:00"),
            (951_868_800, "2000.03.01 00:00:00"),
            (1_709_251_199, "2024.02.29 23:59:59"),
            (1_767_225_599, "2025.12.31 23:59:59"),
            (4_107_542_400, "2100.03.01 00:00:00"),
        ];
        for (seconds, expected) in cases {
            let date = Date::new(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(format!("{} {}", date.date(), date.time()), expected);
        }
    }
}
