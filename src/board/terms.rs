//! The terms of queries that are proposed during input.

/// Terms with descriptions; `docs/queries.md` lists all.
pub(super) const TERMS: &[(&str, &str)] = &[
    ("player:", "a player with either color"),
    ("white:", "the player of White"),
    ("black:", "the player of Black"),
    ("winner:", "who has won"),
    ("loser:", "who has lost"),
    ("event:", "the event"),
    ("site:", "the place"),
    ("round=", "the round"),
    ("annotator:", "who has annotated"),
    ("source:", "the file that it is from"),
    ("added>=", "the day on which that file was added"),
    ("result:", "the result"),
    ("date:", "year or month"),
    ("date>=", "since"),
    ("date<", "before"),
    ("elo>=", "a rating"),
    ("whiteelo>=", "White's rating"),
    ("blackelo>=", "Black's rating"),
    ("speed:", "bullet, blitz, rapid, classical, correspondence or none"),
    ("eco:", "codes of openings"),
    ("opening:", "name of the opening"),
    ("played-eco:", "codes of the moves, whatever the tags say"),
    ("played-opening:", "name of the opening by the moves"),
    ("moves>=", "length in moves"),
    ("moves<", "length in moves"),
    ("plies>", "length in half-moves"),
    ("tag.", "any tag"),
    ("line:", "exactly these moves"),
    ("reaches:", "a position by its moves"),
    ("fen:", "a position"),
    ("move:", "a move, such as Nxf7"),
    ("pattern:", "men on squares"),
    ("structure:", "a structure of pawns"),
    ("similar:", "positions like this one"),
    ("material:", "men on the board"),
    ("balance>=", "the difference in points"),
    ("bishops:opposite", "bishops of different colors"),
    ("men<=", "men on the board"),
    ("ply>=", "after so many plies"),
    ("end:", "how the game ends"),
    ("annotated", "with comments, signs or variations"),
    ("commented", "with comments"),
    ("comment:", "a comment"),
    ("nag:", "a sign"),
    ("check", "a check"),
    ("mate", "a mate"),
    ("capture", "a capture"),
    ("promotion", "a promotion"),
    ("sacrifice", "a sacrifice"),
    ("castled:", "who has castled"),
    ("turn:", "who is to move"),
    ("last", "the last position"),
    ("in:variations", "also in variations"),
    ("not", "without what follows"),
    ("or", "one or the other"),
    ("at(", "all at one position"),
    ("then", "after that"),
    ("within", "so many plies later"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Query;

    /// Complete terms are queries by themselves; the others are tested with a value appended.
    #[test]
    fn what_is_proposed_can_be_read() {
        for (term, _) in TERMS {
            let values = [
                "",
                "1",
                "1993",
                "e4",
                "white",
                "mate",
                "1-0",
                "blitz",
                "KRkr",
                "!!",
                "mate)",
                "Round=1",
                "\"8/8/8/8/8/8/8/8\"",
                "\"4k3/8/8/8/8/8/8/4K3 w - -\"",
            ];
            let before = match *term {
                "or" | "then" => "mate ",
                "within" => "mate then check ",
                _ => "",
            };
            let readable = values.iter().any(|value| {
                let gap = if term.ends_with([':', '=', '<', '>', '.', '(']) { "" } else { " " };
                format!("{before}{term}{gap}{value}").parse::<Query>().is_ok()
            });
            assert!(readable || *term == "in:variations", "{term}");
        }
    }
}
