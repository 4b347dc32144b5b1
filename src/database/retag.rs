//! Repairs of tags, by the rules of the PGN standard and by a user's tables.
//!
//! Nothing is guessed: ambiguous values are left unchanged and reported.

use super::date_repair::{DateOrder, Repair, repair_date};
use super::player_list::PlayerList;
use super::players::is_known_name;
use super::query::name_words;
use crate::notation::eco::opening_of;
use crate::notation::pgn::{Game, GameResult};
use std::collections::{BTreeMap, HashMap};

/// The separator between several players of one side (PGN standard, 8.1.1.5).
const SEPARATOR: &str = ":";
/// The tags with dates.
const DATE_TAGS: [&str; 4] = ["Date", "EventDate", "UTCDate", "EndDate"];
/// The tags of White with a field for each player (PGN standard, 9.1), without the color; those of Black have the same
/// names.
const PLAYER_FIELDS: [&str; 5] = ["Elo", "Title", "USCF", "NA", "Type"];

/// The codes of section 15 of the PGN standard, followed by current codes of the International Olympic Committee that
/// are missing there.
const COUNTRY_CODES: &str = "\
AFG AIR ALB ALG AND ANG ANT ARG ARM ATA AUS AZB BAN BAR BHM BEL BER BIH BLA BLG BLZ BOL BRB BRS BRU BSW CAN CHI COL CRA \
CRO CSR CUB CYP DEN DOM ECU EGY ENG ESP EST FAI FIJ FIN FRA GAM GCI GEO GER GHA GRC GUA GUY HAI HKG HON HUN IND IRL IRN \
IRQ ISD ISR ITA IVO JAM JAP JRD JUG KAZ KEN KIR KUW LAT LEB LIB LIC LTU LUX MAL MAU MEX MLI MLT MNC MOL MON MOZ MRC MRT \
MYN NCG NET NIG NLA NLD NOR NZD OST PAK PAL PAN PAR PER PHI PNG POL POR PRC PRO QTR RIN ROM RUS SAF SAL SCO SEA SEN SEY \
SIP SLV SMA SPC SRI SUD SUR SVE SWZ SYR TAI TMT TRK TTO TUN UAE UGA UKR UNK URU USA UZB VEN VGB VIE VUS WLS YEM YUG ZAM \
ZIM ZRE \
ARU ASA AUT AZE BAH BDI BEN BHU BIZ BLR BOT BRA BRN BUL BUR CAF CAM CAY CGO CHA CHN CIV CMR COD COK COM CPV CZE DJI DMA \
ERI ESA ETH FSM GAB GBR GBS GEQ GRE GRN GUI GUM INA ISL ISV IVB JOR JPN KGZ KIR KOR KOS KSA LAO LBA LBN LBR LCA LES LIE \
MAD MAR MAS MAW MDA MDV MGL MHL MKD MNE MTN MRI MYA NAM NCA NED NEP NGR NIG NRU NZL OMA PLE PLW PRK PUR QAT ROU RSA RWA \
SAM SGP SKN SLE SLO SOL SOM SRB SSD STP SUI SVK SWE SWZ TAN TGA THA TJK TKM TLS TOG TPE TUR TUV VAN VIN YEM";

/// Repairs the spelling of the name of one player: one space after a comma and none before it, no double spaces, a
/// period after each initial of a given name (PGN standard, 8.1.1.5).
pub fn repair_name(name: &str) -> String {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    let Some((surname, given)) = name.split_once(',') else {
        let plain = words(name);
        return if plain.is_empty() { "?".to_owned() } else { plain };
    };
    let (surname, given) = (words(surname), words(&given.replace(',', ", ")));
    let dotted = given.split(' ').map(|word| {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_uppercase() => format!("{letter}."),
            _ => word.to_owned(),
        }
    });
    let given = dotted.collect::<Vec<_>>().join(" ").replace(" ,", ",");
    match (surname.is_empty(), given.is_empty()) {
        (false, false) => format!("{surname}, {given}"),
        (false, true) => surname,
        _ => words(name),
    }
}

/// Repairs the spelling of an event: no double spaces, one space after a comma and none before it, `?` for an unknown
/// event (PGN standard, 8.1.1.1).
pub fn repair_event(event: &str) -> String {
    if !is_known_name(event) {
        return "?".to_owned();
    }
    let parts = event.split(',').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Repairs the spelling of a site: no double spaces, one space after a comma and none before it, a country code at the
/// end without a comma or parentheses (PGN standard, 8.1.1.2).
pub fn repair_site(site: &str) -> String {
    let parts = site.split(',').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let is_code = |text: &str| COUNTRY_CODES.split(' ').any(|code| code == text);
    let mut site = match &parts[..] {
        [] => return "?".to_owned(),
        [rest @ .., code] if !rest.is_empty() && is_code(code) => format!("{} {code}", rest.join(", ")),
        _ => parts.join(", "),
    };
    let inner = site.strip_suffix(')').and_then(|text| text.rsplit_once('('));
    if let Some((rest, code)) = inner
        && is_code(code)
        && !rest.trim_end_matches([' ', ',']).is_empty()
    {
        site = format!("{} {code}", rest.trim_end_matches([' ', ',']));
    }
    site
}

/// Repairs a rating: the number in `2500 (FIDE)`; `-` if the text states that the player has none (PGN standard,
/// 9.1.2).
pub fn repair_rating(text: &str) -> Repair {
    /// The allowed numbers of digits of ratings.
    const DIGITS: std::ops::RangeInclusive<usize> = 3..=4;
    let trimmed = text.trim();
    let numbers: Vec<&str> =
        trimmed.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
    let repaired = match numbers[..] {
        _ if matches!(trimmed, "" | "?" | "-") => return Repair::Good,
        _ if ["unr", "unr.", "unrated", "none", "n/a"].contains(&&*trimmed.to_lowercase()) => "-",
        [number] if number.bytes().all(|byte| byte == b'0') && number.len() == trimmed.len() => "-",
        [number] if DIGITS.contains(&number.len()) && !trimmed.starts_with(['-', '+']) => number,
        _ => return Repair::Unclear("it is no rating"),
    };
    if repaired == text { Repair::Good } else { Repair::To(repaired.to_owned()) }
}

/// The reason why a line of a table cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TableError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: &'static str,
}

/// A user's table: replacements by the replaced values.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RetagTable {
    values: HashMap<String, String>,
    /// Names of the form `Last, First` by the words of `First Last`.
    reversed: HashMap<String, String>,
}

impl RetagTable {
    /// Reads lines `FROM -> TO`, or with a tab between the values. Empty lines and lines that start with `#` are
    /// skipped. A line that contains only `Last, First` is a name that replaces `First Last`.
    ///
    /// # Errors
    /// [`TableError`] for a line that has no name on a side of its arrow, or that contradicts an earlier one.
    pub fn read(text: &str) -> Result<Self, TableError> {
        let mut table = Self::default();
        for (index, line) in text.lines().enumerate() {
            let error = |problem| TableError { line: index + 1, problem };
            let content = line.trim_start_matches('\u{feff}').trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let (map, key, value) = match content.split_once("->").or_else(|| content.split_once('\t')) {
                Some((from, to)) => (&mut table.values, from.trim().to_owned(), to.trim()),
                None => match content.split_once(',') {
                    Some((last, first)) => {
                        (&mut table.reversed, word_key(&format!("{first} {last}")), content)
                    }
                    None => return Err(error("found no `->`, expected FROM -> TO, or a name with a comma")),
                },
            };
            if key.is_empty() || value.is_empty() {
                return Err(error("a side is empty, expected FROM -> TO"));
            }
            if map.insert(key, value.to_owned()).is_some_and(|earlier| earlier != value) {
                return Err(error("it contradicts an earlier line, expected one value for each name"));
            }
        }
        Ok(table)
    }

    /// Whether the table is empty.
    fn is_empty(&self) -> bool {
        self.values.is_empty() && self.reversed.is_empty()
    }

    /// The replacement of a text.
    fn get(&self, text: &str) -> Option<&str> {
        self.values.get(text).map(|value| &**value)
    }

    /// The replacement of a name, as written or as repaired.
    fn name(&self, text: &str) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        let exact = self.get(text.trim()).or_else(|| self.get(&repair_name(text)));
        exact.or_else(|| {
            let is_plain = !text.contains(',');
            self.reversed.get(&word_key(text)).filter(|_| is_plain).map(|value| &**value)
        })
    }

    /// The replacement of an event, as written or as repaired.
    fn event(&self, text: &str) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        self.get(text.trim()).or_else(|| self.get(&repair_event(text)))
    }

    /// The replacement of a site, or of the country after its last comma.
    fn site(&self, text: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let whole = self.get(text.trim()).or_else(|| self.get(&repair_site(text)));
        whole.map(str::to_owned).or_else(|| {
            let (rest, country) = text.rsplit_once(',')?;
            let code = self.get(country.trim())?;
            Some(format!("{} {code}", repair_site(rest)))
        })
    }
}

/// The words of a name, independent of their order and spelling details.
fn word_key(name: &str) -> String {
    name_words(name).join(" ")
}

/// The changes that are made to the tags of games.
#[derive(Clone, Default, Debug)]
pub struct Retag {
    /// Whether dates are repaired.
    pub fixes_dates: bool,
    /// Whether names are repaired.
    pub fixes_names: bool,
    /// Whether sites are repaired.
    pub fixes_sites: bool,
    /// Whether events are repaired.
    pub fixes_events: bool,
    /// Whether ratings are repaired.
    pub fixes_ratings: bool,
    /// The order of day and month in ambiguous dates.
    pub order: Option<DateOrder>,
    /// The replacements of names.
    pub names: RetagTable,
    /// The replacements of sites or countries.
    pub sites: RetagTable,
    /// The replacements of events.
    pub events: RetagTable,
    /// The ratings of players by name, for players without a rating.
    pub ratings: RetagTable,
    /// The titles, numbers and ratings of players, for missing tags, and the spellings of their names.
    pub players: PlayerList,
    /// Whether the tag `PlyCount` is set.
    pub adds_ply_count: bool,
    /// Whether the tag `ECO` is set.
    pub adds_eco: bool,
    /// Whether the tags `Opening`, `Variation` and `SubVariation` are set.
    pub adds_opening: bool,
    /// The tags that are removed.
    pub drop: Vec<String>,
    /// The tags that are set.
    pub set: Vec<(String, String)>,
}

/// A change of a tag, or an odd value that is left unchanged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TagChange {
    /// The name of the tag.
    pub tag: String,
    /// The previous value; `None` if the tag was missing.
    pub from: Option<String>,
    /// The result for the value.
    pub outcome: ChangeOutcome,
}

/// The result for the value of a tag.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeOutcome {
    /// The value is replaced.
    To(String),
    /// The tag is removed.
    Dropped,
    /// The value is left unchanged, for this reason.
    Unclear(&'static str),
}

impl Retag {
    /// Changes the tags of a game; `is_broken` states that some of its moves cannot be read. Returns the changes and
    /// the unclear values.
    pub fn apply(&self, game: &mut Game, is_broken: bool) -> Vec<TagChange> {
        let before: BTreeMap<String, String> =
            game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut changes = Vec::new();
        let mut unclear = |tag: &str, value: &str, reason| {
            let outcome = ChangeOutcome::Unclear(reason);
            changes.push(TagChange { tag: tag.to_owned(), from: Some(value.to_owned()), outcome });
        };
        if self.fixes_dates {
            for tag in DATE_TAGS {
                let Some(value) = before.get(tag) else { continue };
                match repair_date(value, self.order) {
                    Repair::To(date) => game.tags.set(tag, date),
                    Repair::Unclear(reason) => unclear(tag, value, reason),
                    Repair::Good => {}
                }
            }
        }
        if self.fixes_ratings {
            for tag in ["WhiteElo", "BlackElo"] {
                let Some(value) = before.get(tag) else { continue };
                let fields = value.split(SEPARATOR).map(|field| (field, repair_rating(field)));
                let mut repaired = Vec::new();
                for (field, repair) in fields {
                    repaired.push(match repair {
                        Repair::To(rating) => rating,
                        Repair::Good => field.to_owned(),
                        Repair::Unclear(reason) => {
                            unclear(tag, field, reason);
                            field.to_owned()
                        }
                    });
                }
                game.tags.set(tag, repaired.join(SEPARATOR));
            }
        }
        for side in ["White", "Black"] {
            self.retag_side(game, side);
        }
        if let Some(site) = before.get("Site") {
            let known = self.sites.site(site);
            let repaired =
                known.unwrap_or_else(|| if self.fixes_sites { repair_site(site) } else { site.clone() });
            game.tags.set("Site", repaired);
        }
        if let Some(event) = before.get("Event") {
            let known = self.events.event(event).map(str::to_owned);
            let repaired =
                known.unwrap_or_else(|| if self.fixes_events { repair_event(event) } else { event.clone() });
            game.tags.set("Event", repaired);
        }
        self.add_tags(game, is_broken);
        for name in &self.drop {
            game.tags.remove(name);
        }
        for (name, value) in &self.set {
            game.tags.set(name, value);
            if name == "Result"
                && let Some(result) = GameResult::from_tag(value.as_bytes())
            {
                game.result = result;
            }
        }
        let after = |name: &str| game.tags.get(name);
        for (name, value) in &before {
            let outcome = match after(name) {
                Some(now) if now == value => continue,
                Some(now) => ChangeOutcome::To(now.to_owned()),
                None => ChangeOutcome::Dropped,
            };
            changes.push(TagChange { tag: name.clone(), from: Some(value.clone()), outcome });
        }
        let added = game.tags.iter().filter(|(name, _)| !before.contains_key(*name));
        changes.extend(added.map(|(name, value)| TagChange {
            tag: name.to_owned(),
            from: None,
            outcome: ChangeOutcome::To(value.to_owned()),
        }));
        changes
    }

    /// Repairs the names of a side's players, and puts the players, with their fields of other tags, in alphabetical
    /// order.
    fn retag_side(&self, game: &mut Game, side: &str) {
        let Some(names) = game.tags.get(side).map(str::to_owned) else { return };
        let mut players: Vec<(String, usize)> = Vec::new();
        for (index, name) in names.split(SEPARATOR).enumerate() {
            let listed = || self.players.spelling(name, game).filter(|_| self.fixes_names);
            let known = self.names.name(name).or_else(listed).map(str::to_owned);
            let name =
                known.unwrap_or_else(|| if self.fixes_names { repair_name(name) } else { name.to_owned() });
            players.push((name, index));
        }
        self.rate(game, side, &players);
        if self.fixes_names && players.len() > 1 {
            players.sort();
        }
        let is_sorted = players.iter().enumerate().all(|(place, (_, index))| place == *index);
        if !is_sorted {
            for field in PLAYER_FIELDS {
                let tag = format!("{side}{field}");
                let Some(value) = game.tags.get(&tag).map(str::to_owned) else { continue };
                let fields: Vec<&str> = value.split(SEPARATOR).collect();
                if fields.len() == players.len() {
                    let sorted: Vec<&str> = players.iter().map(|&(_, index)| fields[index]).collect();
                    game.tags.set(tag, sorted.join(SEPARATOR));
                }
            }
        }
        let names: Vec<String> = players.into_iter().map(|(name, _)| name).collect();
        game.tags.set(side, names.join(SEPARATOR));
        self.players.complete(game, side);
    }

    /// Sets the ratings of players whose rating is missing and who are in the table.
    fn rate(&self, game: &mut Game, side: &str, players: &[(String, usize)]) {
        let tag = format!("{side}Elo");
        let value = game.tags.get(&tag).unwrap_or_default().to_owned();
        let mut fields: Vec<&str> = value.split(SEPARATOR).collect();
        fields.resize(players.len().max(fields.len()), "-");
        let mut is_changed = false;
        for (name, index) in players {
            let Some(rating) = self.ratings.name(name) else { continue };
            if let Some(field) = fields.get_mut(*index).filter(|field| !is_known_name(field)) {
                *field = rating;
                is_changed = true;
            }
        }
        if is_changed {
            let joined = fields.join(SEPARATOR);
            game.tags.set(tag, joined);
        }
    }

    /// Sets the tags that follow from the moves.
    fn add_tags(&self, game: &mut Game, is_broken: bool) {
        let has_moves = game.unread().is_empty();
        if self.adds_ply_count && has_moves && !is_broken {
            let count = game.mainline().count();
            game.tags.set("PlyCount", count.to_string());
        }
        if !(self.adds_eco || self.adds_opening) || !has_moves {
            return;
        }
        let Some(found) = opening_of(game) else { return };
        if self.adds_eco {
            game.tags.set("ECO", found.code().to_string());
        }
        if self.adds_opening {
            game.tags.set("Opening", found.family());
            for (name, value) in [("Variation", found.variation()), ("SubVariation", found.subvariation())] {
                match value {
                    Some(value) => game.tags.set(name, value),
                    None => game.tags.remove(name),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sites_and_ratings_by_the_rules() {
        let names = [
            ("Tal,Mihail", "Tal, Mihail"),
            (" Tal ,  Mihail  N ", "Tal, Mihail N."),
            ("Fine,R", "Fine, R."),
            ("Smith,J.R.", "Smith, J.R."),
            ("van  der Wiel,Johan", "van der Wiel, Johan"),
            ("Mihail Tal", "Mihail Tal"),
            ("Acme Pawngrabber v.3.2", "Acme Pawngrabber v.3.2"),
            ("Crafty X", "Crafty X"),
            ("Tal,", "Tal"),
            ("King,M.L,jr", "King, M.L, jr"),
            ("", "?"),
            (",", ","),
        ];
        for (name, expected) in names {
            assert_eq!(repair_name(name), expected, "{name}");
            assert_eq!(repair_name(expected), expected, "{name}");
        }
        let sites = [
            ("Riga, LAT", "Riga LAT"),
            ("Riga (LAT)", "Riga LAT"),
            ("New York City,NY  USA", "New York City, NY USA"),
            ("New York City, NY, USA", "New York City, NY USA"),
            ("St. Petersburg RUS", "St. Petersburg RUS"),
            ("Perth, XYZ", "Perth, XYZ"),
            ("Moscow , Russia", "Moscow, Russia"),
            ("RUS", "RUS"),
            ("(RUS)", "(RUS)"),
            ("https://lichess.org/abc", "https://lichess.org/abc"),
            (" ", "?"),
        ];
        for (site, expected) in sites {
            assert_eq!(repair_site(site), expected, "{site}");
            assert_eq!(repair_site(expected), expected, "{site}");
        }
        let events = [
            ("Candidates  Tournament , Group A", "Candidates Tournament, Group A"),
            ("Riga,Latvia", "Riga, Latvia"),
            ("-", "?"),
            ("", "?"),
        ];
        for (event, expected) in events {
            assert_eq!(repair_event(event), expected, "{event}");
            assert_eq!(repair_event(expected), expected, "{event}");
        }
        let to = |text: &str| Repair::To(text.to_owned());
        let ratings = [
            ("2500", Repair::Good),
            ("-", Repair::Good),
            ("2500 (FIDE)", to("2500")),
            (" 2500", to("2500")),
            ("0", to("-")),
            ("unrated", to("-")),
            ("-5", Repair::Unclear("it is no rating")),
            ("2400-2500", Repair::Unclear("it is no rating")),
            ("strong", Repair::Unclear("it is no rating")),
        ];
        for (text, expected) in ratings {
            assert_eq!(repair_rating(text), expected, "{text}");
        }
    }

    #[test]
    fn tables_have_arrows_names_and_no_contradictions() {
        let table =
            RetagTable::read("# names\nTal -> Tal, Mihail\nKorchnoi\tKortschnoj, Viktor\n\nTal, Mihail\n")
                .expect("a table");
        let cases = [
            ("Tal", Some("Tal, Mihail")),
            (" Tal ", Some("Tal, Mihail")),
            ("Korchnoi", Some("Kortschnoj, Viktor")),
            ("mihail TAL", Some("Tal, Mihail")),
            ("Mihail, Tal", None),
            ("Petrosian", None),
        ];
        for (name, expected) in cases {
            assert_eq!(table.name(name), expected, "{name}");
        }
        for (text, line) in [("a -> b\na -> c", 2), ("a", 1), ("a ->", 1), ("-> b", 1)] {
            assert_eq!(RetagTable::read(text).map_err(|error| error.line), Err(line), "{text}");
        }
        let sites = RetagTable::read("Russia -> RUS\nNYC -> New York City, NY USA").expect("a table");
        assert_eq!(sites.site("Moscow,  Russia").as_deref(), Some("Moscow RUS"));
        assert_eq!(sites.site("NYC").as_deref(), Some("New York City, NY USA"));
        assert_eq!(sites.site("Russia").as_deref(), Some("RUS"));
        assert_eq!(sites.site("Moscow"), None);
    }
}
