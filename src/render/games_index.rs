//! An index of the games of a page.

use super::game_section::result_sign;
use super::lettering::escape;
use crate::notation::pgn::GameResult;
use std::fmt::Write;

/// A game in an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexRow<'a> {
    /// The name of White.
    pub white: &'a str,
    /// The name of Black.
    pub black: &'a str,
    /// The result.
    pub result: GameResult,
    /// The number of moves.
    pub moves: usize,
    /// The date, as the tag states it.
    pub date: &'a str,
    /// The code and the name of the opening.
    pub opening: &'a str,
    /// The event.
    pub event: &'a str,
}

/// The index of games as a table, linked to these addresses; a game without an address is not linked. A column states
/// the events, unless all games have the same one.
pub fn games_index(rows: &[IndexRow<'_>], address: impl Fn(usize) -> Option<String>) -> String {
    let mut html = String::from(
        "<div class=wide><table><thead><tr><th scope=col class=number>#</th><th scope=col>White</th>\
         <th scope=col>Black</th><th scope=col class=center>Result</th><th scope=col class=number>Moves</th>\
         <th scope=col>Date</th><th scope=col>Opening</th>",
    );
    let has_events = rows.first().is_some_and(|first| rows.iter().any(|row| row.event != first.event));
    html.push_str(if has_events { "<th scope=col>Event</th>" } else { "" });
    html.push_str("</tr></thead>\n<tbody>\n");
    for (index, row) in rows.iter().enumerate() {
        let IndexRow { white, black, result, moves, opening, event, date } = *row;
        let number = index + 1;
        let _ = match address(index) {
            Some(address) => {
                write!(html, "<tr><td class=number><a href=\"{address}\">{number}</a></td>")
            }
            None => write!(html, "<tr><td class=number>{number}</td>"),
        };
        for name in [white, black] {
            let _ = write!(html, "<td>{}</td>", escape(name));
        }
        let _ = write!(html, "<td class=center>{}</td><td class=number>{moves}</td>", result_sign(result));
        let _ = write!(html, "<td>{}</td>", escape(date));
        for text in std::iter::once(opening).chain(has_events.then_some(event)) {
            let _ = write!(html, "<td class=cut>{}</td>", escape(text));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    html
}
