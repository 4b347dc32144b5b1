//! The tag pairs of a game.

use super::result::GameResult;
use super::text::{HIGHEST_BITS, LOWEST_BITS};
use std::borrow::Cow;
use std::fmt;
use std::num::{NonZeroU8, NonZeroU16};

/// The names of the Seven Tag Roster, in the order in which they are written, each with its value for "unknown" (PGN
/// standard, 8.1.1).
pub const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tag pairs of a game, in the order in which they were set. They are stored in one block of memory, which is
/// reused for the next game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tags {
    /// The names and values, concatenated.
    text: String,
    /// The ends of each name and of its value in the text.
    ends: Vec<(usize, usize)>,
}

impl Tags {
    /// No tags.
    pub const fn new() -> Self {
        Self { text: String::new(), ends: Vec::new() }
    }

    /// No tags, but the capacity for as much text as `other` has.
    pub fn with_room_of(other: &Self) -> Self {
        Self { text: String::with_capacity(other.text.len()), ends: Vec::with_capacity(other.ends.len()) }
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.find(name).map(|(index, start)| &self.text[start + name.len()..self.ends[index].1])
    }

    /// The index of a tag, and its offset in the text.
    fn find(&self, name: &str) -> Option<(usize, usize)> {
        let mut start = 0;
        for (index, &(name_end, end)) in self.ends.iter().enumerate() {
            if self.text.as_bytes()[start..name_end] == *name.as_bytes() {
                return Some((index, start));
            }
            start = end;
        }
        None
    }

    /// Sets a tag. An existing tag keeps its index.
    pub fn set(&mut self, name: impl AsRef<str>, value: impl AsRef<str>) {
        let (name, value) = (name.as_ref(), value.as_ref());
        let Some((index, _)) = self.find(name) else {
            return self.push(name, value);
        };
        let (name_end, end) = self.ends[index];
        self.text.replace_range(name_end..end, value);
        let new_end = name_end + value.len();
        self.ends[index].1 = new_end;
        self.move_from(index + 1, end, new_end);
    }

    /// Moves the ends of the tags from this index by the difference of the two offsets.
    fn move_from(&mut self, index: usize, from: usize, to: usize) {
        for (name, value) in &mut self.ends[index..] {
            (*name, *value) = (*name - from + to, *value - from + to);
        }
    }

    /// Adds a tag after the others, even if there is one of this name.
    pub fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        self.ends.push((name_end, self.text.len()));
    }

    /// Adds all tags of `other` after these, even if names are repeated.
    pub fn append(&mut self, other: &Self) {
        self.append_text(&other.text, &other.ends);
    }

    /// Adds tags whose names and values are concatenated in a text, each with these ends.
    pub(super) fn append_text(&mut self, text: &str, ends: &[(usize, usize)]) {
        let start = self.text.len();
        self.text.push_str(text);
        self.ends.extend(ends.iter().map(|&(name, value)| (start + name, start + value)));
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        if let Some((index, start)) = self.find(name) {
            let (_, end) = self.ends.remove(index);
            self.text.replace_range(start..end, "");
            self.move_from(index, end, start);
        }
    }

    /// Removes all tags.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// The last tag.
    pub fn last(&self) -> Option<(&str, &str)> {
        let (&(name_end, end), others) = self.ends.split_last()?;
        let start = others.last().map_or(0, |ends| ends.1);
        Some((&self.text[start..name_end], &self.text[name_end..end]))
    }

    /// The name and the value of the tag with this index, which must be below [`Self::len`].
    #[inline]
    pub(super) fn at(&self, index: usize) -> (&str, &str) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let (name_end, end) = self.ends[index];
        (&self.text[start..name_end], &self.text[name_end..end])
    }

    /// The bytes of the value of the tag with this index, which must be below [`Self::len`].
    #[inline]
    pub(super) fn value_bytes(&self, index: usize) -> &[u8] {
        let (name_end, end) = self.ends[index];
        &self.text.as_bytes()[name_end..end]
    }

    /// The number of tags.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no tags.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The names and values, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|ends| ends.1));
        let places = starts.zip(&self.ends);
        places.map(|(start, &(name, value))| (&self.text[start..name], &self.text[name..value]))
    }

    /// The result of the `Result` tag, in any spelling.
    pub fn result(&self) -> Option<GameResult> {
        GameResult::from_tag(self.get("Result")?.as_bytes())
    }

    /// The date of the `Date` tag; `None` if it is not a date.
    pub fn date(&self) -> Option<Date> {
        Date::parse(self.get("Date")?)
    }
}

/// A value with spaces instead of control characters such as tabs, which values must not contain (4.2). `None` if there
/// are none.
#[inline]
pub(super) fn without_controls(value: &str) -> Option<String> {
    if is_printable_ascii(value.as_bytes()) {
        return None;
    }
    value.contains(char::is_control).then(|| value.replace(char::is_control, " "))
}

/// Whether all bytes are printable ASCII, as in nearly all values.
#[inline]
fn is_printable_ascii(bytes: &[u8]) -> bool {
    let is_printable = |byte: &u8| matches!(byte, b' '..=b'~');
    has_no_odd_word(bytes, odd_bytes).unwrap_or_else(|| bytes.iter().all(is_printable))
}

/// Whether all bytes are printable ASCII, and none of them is a quote or a backslash, as in nearly all values.
#[inline]
pub(super) fn is_plain_value(bytes: &[u8]) -> bool {
    let odd = |word| odd_bytes(word) | bytes_equal_to(b'"', word) | bytes_equal_to(b'\\', word);
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    has_no_odd_word(bytes, odd).unwrap_or_else(|| bytes.iter().all(is_plain))
}

/// Whether `odd` sets no highest bit of a byte, for any eight bytes in a row. `None` if there are fewer.
#[inline(always)]
fn has_no_odd_word(bytes: &[u8], odd: impl Fn(u64) -> u64) -> Option<bool> {
    let is_even = |block: &[u8; size_of::<u64>()]| odd(u64::from_le_bytes(*block)) & HIGHEST_BITS == 0;
    let end = bytes.last_chunk()?;
    Some(bytes.as_chunks().0.iter().all(is_even) && is_even(end))
}

/// Sets the highest bit of the lowest byte that is not printable ASCII: it is below the space, or 0x7f or more.
#[inline(always)]
const fn odd_bytes(word: u64) -> u64 {
    word.wrapping_sub(LOWEST_BITS * b' ' as u64) | word.wrapping_add(LOWEST_BITS) | word
}

/// Sets the highest bit of the lowest byte that has this value.
#[inline(always)]
const fn bytes_equal_to(byte: u8, word: u64) -> u64 {
    let differing = word ^ (LOWEST_BITS * byte as u64);
    differing.wrapping_sub(LOWEST_BITS) & !differing
}

/// The name with only letters, digits and underscores.
pub(super) fn plain_name(name: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Cow::Borrowed(name);
    }
    name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect()
}

/// The name with a number that makes it free among `count` names.
pub(super) fn free_name(name: &str, count: usize, is_free: impl Fn(&str) -> bool) -> String {
    /// With more names the number is not the lowest free one, which would take long to find.
    const FEW: usize = 64;
    let first = if count < FEW { 2 } else { count };
    (first..).map(|number| format!("{name}_{number}")).find(|name| is_free(name)).unwrap_or_default()
}

/// The tags that determine the position from which the moves of a game are read.
pub const START_TAGS: [&str; 3] = ["FEN", "SetUp", "Variant"];

/// A date such as `1992.11.04` or `1992.??.??`. Dates are in the order of their days, with unknown parts first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Date {
    /// The year; `None` if it is unknown.
    pub year: Option<NonZeroU16>,
    /// The month; `None` if it is unknown.
    pub month: Option<NonZeroU8>,
    /// The day of the month; `None` if it is unknown.
    pub day: Option<NonZeroU8>,
}

impl Date {
    /// The characters between the parts of a date: the standard's, and those of other programs.
    pub const SEPARATORS: [char; 3] = ['.', '-', '/'];

    /// The date of this year, month and day, with 0 for unknown parts.
    pub const fn from_numbers(year: u16, month: u8, day: u8) -> Self {
        Self { year: NonZeroU16::new(year), month: NonZeroU8::new(month), day: NonZeroU8::new(day) }
    }

    /// The year, the month and the day, with 0 for unknown parts.
    pub fn numbers(self) -> (u16, u8, u8) {
        let part = |part: Option<NonZeroU8>| part.map_or(0, NonZeroU8::get);
        (self.year.map_or(0, NonZeroU16::get), part(self.month), part(self.day))
    }

    /// Reads a date such as `1992.11.04`, `1992-11-04` or `1992/11/4`, with question marks or 0 for unknown parts.
    /// `None` if a part is not a number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.replace('?', "0");
        let mut fields = text.split(Self::SEPARATORS);
        let year = fields.next()?.parse().ok()?;
        let month = fields.next().map_or(Some(0), |month| month.parse().ok())?;
        let day = fields.next().map_or(Some(0), |day| day.parse().ok())?;
        fields.next().is_none().then_some(Self::from_numbers(year, month, day))
    }

    /// The date in a text, in which parts that are no numbers are unknown.
    pub fn parse_parts(text: &str) -> Self {
        let text = text.replace('?', "0");
        let mut fields = text.split(Self::SEPARATORS).map(|field| field.trim().parse::<u16>().ok());
        let mut next = || fields.next().flatten().unwrap_or_default();
        let (year, month, day) = (next(), next(), next());
        Self::from_numbers(
            year,
            u8::try_from(month).unwrap_or_default(),
            u8::try_from(day).unwrap_or_default(),
        )
    }

    /// The number of known parts.
    pub fn known_parts(self) -> usize {
        [self.year.is_some(), self.month.is_some(), self.day.is_some()].map(usize::from).iter().sum()
    }

    /// Whether the known parts of both dates agree.
    pub fn agrees_with(self, other: Self) -> bool {
        fn agree<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.is_none() || other.is_none() || one == other
        }
        agree(self.year, other.year) && agree(self.month, other.month) && agree(self.day, other.day)
    }

    /// The known parts of two dates that agree.
    pub fn joined(self, other: Self) -> Self {
        Self {
            year: self.year.or(other.year),
            month: self.month.or(other.month),
            day: self.day.or(other.day),
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = self.year.map_or("????".to_owned(), |year| format!("{year:04}"));
        let part = |part: Option<NonZeroU8>| part.map_or("??".to_owned(), |number| format!("{number:02}"));
        f.pad(&format!("{year}.{}.{}", part(self.month), part(self.day)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_have_unknown_parts() {
        let date = |text: &str| Date::parse(text).expect(text);
        let texts = ["????.??.??", "1992.??.??", "1992.11.??", "1992.11.04", "1993.??.01"];
        for pair in texts.windows(2) {
            assert!(date(pair[0]) < date(pair[1]), "{pair:?}");
        }
        for text in texts {
            assert_eq!(
                (date(text).to_string(), Date::parse_parts(text)),
                (text.to_owned(), date(text)),
                "{text}"
            );
        }
        let (vague, exact) = (date("1992.??.04"), date("1992.11.04"));
        assert!(vague.agrees_with(exact) && !date("1992.12").agrees_with(exact));
        assert_eq!((vague.known_parts(), vague.joined(date("1992.11"))), (2, exact));
        assert_eq!(["spring 1992", "1992.11.04.1", "1992_11"].map(Date::parse), [None; 3]);
        for text in ["1992-11-04", "1992/11/04", "1992.11.4"] {
            assert_eq!((date(text), Date::parse_parts(text)), (exact, exact), "{text}");
        }
        assert_eq!(date("1992-00-00"), date("1992.??.??"));
        assert_eq!(Date::parse_parts("1992.Nov.4"), date("1992.??.4"));
    }

    #[test]
    fn control_characters_are_found_at_every_place() {
        for length in 1..30 {
            let plain = "~ ".repeat(length)[..length].to_owned();
            assert_eq!(without_controls(&plain), None, "{plain}");
            for at in 0..length {
                for (letter, is_control) in [
                    ("\t", true),
                    ("\u{7f}", true),
                    ("\u{85}", true),
                    ("\0", true),
                    ("é", false),
                    ("\u{a0}", false),
                ] {
                    let text = format!("{}{letter}{}", &plain[..at], &plain[at + 1..]);
                    let expected = is_control.then(|| format!("{} {}", &plain[..at], &plain[at + 1..]));
                    assert_eq!(without_controls(&text), expected, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn tags_come_back_in_their_order() {
        let (mut one, mut all) = (Tags::new(), Tags::new());
        let games = [&[("White", "é"), ("Round", ""), ("White", "2")][..], &[], &[("Result", "*")]];
        for tags in games {
            one.clear();
            tags.iter().for_each(|(name, value)| one.push(name, value));
            assert_eq!(one.iter().collect::<Vec<_>>(), tags);
            all.append(&one);
        }
        assert_eq!((all.len(), all.iter().collect::<Vec<_>>()), (4, games.concat()));
        assert_eq!((all.get("White"), all.get("Result"), all.get("Black")), (Some("é"), Some("*"), None));
    }

    proptest! {
        #[test]
        fn tags_are_as_in_a_list(
            changes in prop::collection::vec(("[a-d]{0,2}", prop::option::of("[xé]{0,9}")), 0..40),
        ) {
            let (mut tags, mut list) = (Tags::new(), Vec::<(String, String)>::new());
            for (name, value) in changes {
                let place = list.iter().position(|tag| tag.0 == name);
                match (&value, place) {
                    (Some(value), None) => list.push((name.clone(), value.clone())),
                    (Some(value), Some(place)) => list[place].1.clone_from(value),
                    (None, Some(place)) => { list.remove(place); }
                    (None, None) => {}
                }
                match &value {
                    Some(value) => tags.set(&name, value),
                    None => tags.remove(&name),
                }
                prop_assert_eq!(tags.get(&name), value.as_deref());
                let found: Vec<_> = tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                prop_assert_eq!(&found, &list);
                prop_assert_eq!(tags.len(), list.len());
            }
        }
    }
}
