//! The standings of a tournament: points and tie breaks.

use std::cmp::Reverse;

/// The result of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    /// The player of White, or the player with a bye.
    pub(super) white: usize,
    /// The player of Black; `None` for a bye.
    pub(super) black: Option<usize>,
    /// Twice the points of White and of Black.
    pub(super) half_points: [u32; 2],
    /// In an arena, whether both have played berserk.
    pub(super) berserk: [bool; 2],
}

/// A tie break between players with equal points (FIDE Handbook C.07).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TieBreak {
    /// The points in the games among the tied players, if all of them have met.
    DirectEncounter,
    /// The sum of the points of all opponents.
    Buchholz,
    /// The sum of the points of the beaten opponents, plus half the points of the opponents with a draw.
    SonnebornBerger,
    /// The number of wins.
    Wins,
}

impl TieBreak {
    /// The name for programs.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::DirectEncounter => "direct_encounter",
            Self::Buchholz => "buchholz",
            Self::SonnebornBerger => "sonneborn_berger",
            Self::Wins => "wins",
        }
    }

    /// The value in points; `None` if it is not defined.
    pub(super) fn value(self, row: &Row) -> Option<f64> {
        match self {
            Self::DirectEncounter => row.direct_half_points.map(|half| f64::from(half) / 2.0),
            Self::Buchholz => Some(f64::from(row.buchholz) / 2.0),
            Self::SonnebornBerger => Some(f64::from(row.sonneborn_berger) / 4.0),
            Self::Wins => Some(f64::from(row.wins)),
        }
    }

    /// The value for comparisons, as an integer.
    fn key(self, row: &Row) -> u32 {
        match self {
            Self::DirectEncounter => row.direct_half_points.unwrap_or_default(),
            Self::Buchholz => row.buchholz,
            Self::SonnebornBerger => row.sonneborn_berger,
            Self::Wins => row.wins,
        }
    }
}

/// A row of the standings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Row {
    /// The index of the player.
    pub(super) player: usize,
    /// The place, counted from 1; shared by players who are still tied.
    pub(super) place: usize,
    /// Twice the points.
    pub(super) half_points: u32,
    /// Twice the points in games among the tied players; `None` if not all of them have met.
    pub(super) direct_half_points: Option<u32>,
    /// Twice the Buchholz score.
    pub(super) buchholz: u32,
    /// Four times the Sonneborn-Berger score.
    pub(super) sonneborn_berger: u32,
    /// The number of wins, including wins by forfeit, but without byes.
    pub(super) wins: u32,
}

/// The standings, best first. A bye counts only for points.
pub(super) fn standings(players: usize, played: &[Played], tie_breaks: &[TieBreak]) -> Vec<Row> {
    let mut rows: Vec<Row> = (0..players).map(|player| Row { player, ..Row::default() }).collect();
    for game in played {
        rows[game.white].half_points += game.half_points[0];
        if let Some(black) = game.black {
            rows[black].half_points += game.half_points[1];
        }
    }
    let points: Vec<u32> = rows.iter().map(|row| row.half_points).collect();
    for game in played {
        let Some(black) = game.black else { continue };
        for (own, other, half_points) in
            [(game.white, black, game.half_points[0]), (black, game.white, game.half_points[1])]
        {
            rows[own].buchholz += points[other];
            rows[own].sonneborn_berger += half_points * points[other];
            rows[own].wins += u32::from(half_points == 2);
        }
    }
    for row in &mut rows {
        row.direct_half_points = direct_half_points(row.player, &points, played);
    }
    let key = |row: &Row| {
        let values: Vec<u32> = tie_breaks.iter().map(|tie_break| tie_break.key(row)).collect();
        (Reverse(row.half_points), Reverse(values))
    };
    rows.sort_by_key(|row| (key(row), row.player));
    for index in 0..rows.len() {
        let is_equal = index > 0 && key(&rows[index - 1]) == key(&rows[index]);
        rows[index].place = if is_equal { rows[index - 1].place } else { index + 1 };
    }
    rows
}

/// Twice the points of a player against all players with equal points; `None` if there are none, or not all of them
/// have met.
fn direct_half_points(player: usize, points: &[u32], played: &[Played]) -> Option<u32> {
    let equal: Vec<usize> = (0..points.len()).filter(|&other| points[other] == points[player]).collect();
    let have_met = |one: usize, other: usize| {
        let pair =
            |game: &Played| [(game.white, game.black), (game.black.unwrap_or(game.white), Some(game.white))];
        played.iter().any(|game| game.black.is_some() && pair(game).contains(&(one, Some(other))))
    };
    let all_have_met =
        equal.iter().enumerate().all(|(at, &one)| equal[at + 1..].iter().all(|&other| have_met(one, other)));
    if equal.len() < 2 || !all_have_met {
        return None;
    }
    let of_game = |game: &Played| match game.black {
        Some(black) if game.white == player && equal.contains(&black) => game.half_points[0],
        Some(black) if black == player && equal.contains(&game.white) => game.half_points[1],
        _ => 0,
    };
    Some(played.iter().map(of_game).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [TieBreak; 4] =
        [TieBreak::DirectEncounter, TieBreak::SonnebornBerger, TieBreak::Buchholz, TieBreak::Wins];

    fn game(white: usize, black: usize, result: &str) -> Played {
        let half_points = match result {
            "1-0" => [2, 0],
            "0-1" => [0, 2],
            _ => [1, 1],
        };
        Played { white, black: Some(black), half_points, berserk: [false; 2] }
    }

    #[test]
    fn who_has_won_against_an_equal_player_is_before() {
        let played = [
            game(0, 1, "0-1"),
            game(0, 2, "1-0"),
            game(1, 2, "0-1"),
            game(2, 3, "0-1"),
            game(3, 0, "0-1"),
            game(1, 3, "1-0"),
        ];
        // 0 and 1 have two points each, and 1 has won against 0.
        let rows = standings(4, &played, &ALL);
        let order: Vec<_> =
            rows.iter().map(|row| (row.player, row.place, row.half_points, row.direct_half_points)).collect();
        assert_eq!(order, [(1, 1, 4, Some(2)), (0, 2, 4, Some(0)), (3, 3, 2, Some(2)), (2, 4, 2, Some(0))]);
        // 1 has beaten 0 with two points and 3 with one: three points.
        assert_eq!((rows[0].sonneborn_berger, rows[0].buchholz, rows[0].wins), (4 * 3, 2 * 4, 2));
        assert_eq!(TieBreak::SonnebornBerger.value(&rows[0]), Some(3.0));
        assert_eq!(TieBreak::Buchholz.value(&rows[0]), Some(4.0));
    }

    #[test]
    fn a_bye_is_a_point_and_nothing_else() {
        let bye = Played { white: 2, black: None, half_points: [2, 0], berserk: [false; 2] };
        let rows = standings(3, &[game(0, 1, "1/2-1/2"), bye], &ALL);
        assert_eq!((rows[0].player, rows[0].half_points, rows[0].buchholz, rows[0].wins), (2, 2, 0, 0));
        // The two who drew have met: both have half a point, and share a place.
        assert_eq!([rows[1].place, rows[2].place], [2, 2]);
        assert_eq!(rows[1].direct_half_points, Some(1));
    }

    #[test]
    fn equal_players_who_have_not_all_met_have_no_direct_encounter() {
        let rows = standings(3, &[game(0, 1, "1/2-1/2")], &ALL);
        assert!(rows.iter().all(|row| row.place == if row.player == 2 { 3 } else { 1 }));
        assert_eq!(rows[2].direct_half_points, None, "nobody has as many points");
        let rows = standings(4, &[game(0, 1, "1/2-1/2"), game(2, 3, "1/2-1/2")], &ALL);
        assert!(rows.iter().all(|row| row.direct_half_points.is_none() && row.place == 1));
    }
}
