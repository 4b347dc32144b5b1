//! Numbers as strangers write them.

/// The whole number that `text` writes in decimal, with or without a sign. What is too large for 64 bits
/// becomes the largest or smallest number there is; `None` if the text is no whole number.
pub(super) fn saturating(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut magnitude = 0_i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        magnitude = magnitude.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    }
    Some(if is_negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_a_number_or_none() {
        let cases = [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("007", Some(7)),
            ("+12", Some(12)),
            ("-12", Some(-12)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", Some(i64::MAX)),
            ("-99999999999999999999999", Some(-i64::MAX)),
            ("", None),
            ("-", None),
            ("--1", None),
            ("1.5", None),
            ("1e3", None),
            ("0x10", None),
            ("٣", None),
        ];
        for (text, expected) in cases {
            assert_eq!(saturating(text), expected, "{text}");
        }
    }
}
