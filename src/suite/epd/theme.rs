//! What a position is about, by its name.

/// The theme in the `id` of a position: what is left without its number.
///
/// | id | theme |
/// |---|---|
/// | `STS(v1.0) Undermine.001` | `STS(v1.0) Undermine` |
/// | `WAC.001`, `arasan2024.1`, `test 7` | `WAC`, `arasan2024`, `test` |
/// | `E_E_T 001 - B vs B` | `B vs B` |
/// | `PET001: Pawn endgame` | `Pawn endgame` |
///
/// `None` if there is no number, or nothing but a number.
pub fn theme(id: &str) -> Option<&str> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let numbered = |separator| {
        id.split_once(separator).and_then(|(number, theme)| number.ends_with(is_digit).then_some(theme))
    };
    let before = || {
        let rest = id.trim_end().trim_end_matches(is_digit);
        let has_number = rest.len() < id.trim_end().len();
        has_number.then(|| rest.trim_end_matches(|letter: char| " .,:_-#/".contains(letter)))
    };
    let theme = numbered(" - ").or_else(|| numbered(": ")).or_else(before)?;
    Some(theme.trim()).filter(|theme| !theme.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_left_out() {
        let cases = [
            ("STS(v1.0) Undermine.001", Some("STS(v1.0) Undermine")),
            ("STS(v14.0) 7th Rank.100", Some("STS(v14.0) 7th Rank")),
            ("WAC.001", Some("WAC")),
            ("arasan2024.1", Some("arasan2024")),
            ("test 7", Some("test")),
            ("mates #12 ", Some("mates")),
            ("E_E_T 001 - B vs B", Some("B vs B")),
            ("PET001: Pawn endgame", Some("Pawn endgame")),
            ("Réti 1", Some("Réti")),
            ("LCTPOS01 (d6!)", None),
            ("a study", None),
            ("42", None),
            ("", None),
        ];
        for (id, expected) in cases {
            assert_eq!(theme(id), expected, "{id}");
        }
    }
}
