//! A program and its arguments in one text.

use std::path::Path;

/// The words of a command. A text that is the name of a file is one word; in any other, white space
/// separates words except within quotes, single or double. Backslashes are ordinary characters,
/// since paths have them.
pub fn words(command: &str) -> Vec<String> {
    if Path::new(command).is_file() {
        return vec![command.to_owned()];
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let cases: &[(&str, &[&str])] = &[
            ("engine", &["engine"]),
            (" engine  --uci\t-x ", &["engine", "--uci", "-x"]),
            ("'my engine' \"a b\"c ''", &["my engine", "a bc", ""]),
            (r"C:\engines\sf.exe x", &[r"C:\engines\sf.exe", "x"]),
            ("'not closed", &["not closed"]),
            ("it\"'\"s", &["it's"]),
            ("", &[]),
        ];
        for (command, expected) in cases {
            assert_eq!(words(command), *expected, "{command}");
        }
    }
}
