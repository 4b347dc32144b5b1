//! A game with its variations and annotations, and iteration over it.

use super::{GameResult, Nag, Tags, push_words};
use crate::chess::{IllegalMove, Move, Position};
use crate::notation::Fen;
use std::num::NonZeroU32;
use std::sync::Arc;

/// The maximum number of moves of one game, including all variations: fifty times the longest possible game.
pub const MAX_GAME_MOVES: usize = 1 << 19;
/// The maximum number of glyphs, comments and escape lines of one game.
pub const MAX_GAME_NOTES: usize = 1 << 19;
/// The maximum number of bytes of comments of one game.
pub const MAX_GAME_TEXT: usize = 1 << 24;

/// The maximum number of tags of one game.
pub const MAX_GAME_TAGS: usize = 1 << 10;

/// A move in a game, or the root, which is before all moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root: the start of the game.
    pub const ROOT: Self = Self(0);
}

/// A link to a node other than the root, or to a note by its index plus one.
type Link = Option<NonZeroU32>;

#[derive(Clone, Debug)]
struct Node {
    /// The move; `None` if the side passes, and for the root.
    mv: Option<Move>,
    parent: u32,
    first_child: Link,
    last_child: Link,
    next_sibling: Link,
    first_note: Link,
    last_note: Link,
}

const _: () = assert!(size_of::<Node>() <= 28);

impl Node {
    const fn new(mv: Option<Move>, parent: u32) -> Self {
        Self {
            mv,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            first_note: None,
            last_note: None,
        }
    }
}

/// The kinds of annotations of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoteKind {
    Nag(Nag),
    Comment,
    Escape,
}

#[derive(Clone, Debug)]
struct Note {
    kind: NoteKind,
    /// Whether the annotation is written before the move.
    is_before: bool,
    start: u32,
    end: u32,
    next: Link,
}

/// The game exceeds one of the limits [`MAX_GAME_MOVES`], [`MAX_GAME_NOTES`] and [`MAX_GAME_TEXT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game is too large to be held, expected fewer moves and text")]
pub struct GameFull;

/// A game: tags, moves, variations, annotations and result.
///
/// It is a tree of moves in which the first child of a node continues its line and the other children are variations on
/// that child. So a variation on the first move of a variation becomes another variation on the move that both replace.
/// The tree is stored in a few flat lists, regardless of its depth.
///
/// ```
/// use hematite_core::notation::pgn::{Export, Game};
/// let text = "1. e4 e5 (1... c5 {is Sicilian.}) 2. Nf3 $1 *";
/// let (game, errors) = Game::read(text.as_bytes()).unwrap().expect("a game");
/// assert!(errors.is_empty());
/// assert_eq!(game.mainline().count(), 3);
/// assert!(Export::new().game(&game).ends_with("1. e4 e5 (1... c5 {is Sicilian.}) 2. Nf3 $1 *\n\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// The tag pairs. The initial position is not taken from them but from [`Game::start`].
    pub tags: Tags,
    /// The termination marker.
    pub result: GameResult,
    start: Position,
    nodes: Vec<Node>,
    notes: Vec<Note>,
    text: String,
    /// The text of moves that were not read, as in the file.
    unread: String,
    source: Option<Arc<GameSource>>,
}

/// The source of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSource {
    /// The name of the file.
    pub name: String,
    /// The date and time, in UTC, at which the game was added to a collection, if it was.
    pub added: Option<String>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl PartialEq for Game {
    /// Whether tags, initial position, moves, variations, annotations and result are equal; the source is ignored.
    fn eq(&self, other: &Self) -> bool {
        self.tags == other.tags && self.has_same_content(other)
    }
}

impl Game {
    /// A game without moves from this position.
    pub fn new(start: Position) -> Self {
        Self {
            tags: Tags::new(),
            result: GameResult::Unknown,
            start,
            nodes: vec![Node::new(None, 0)],
            notes: Vec::new(),
            text: String::new(),
            unread: String::new(),
            source: None,
        }
    }

    /// The source of the game, if its reader knows it.
    pub fn source(&self) -> Option<&GameSource> {
        self.source.as_deref()
    }

    /// Sets the source of the game and of the next games.
    pub(super) fn set_source(&mut self, source: &Arc<GameSource>) {
        // In most cases the source has not changed, and several threads count its owners.
        if self.source.as_ref().is_none_or(|own| !Arc::ptr_eq(own, source)) {
            self.source = Some(Arc::clone(source));
        }
    }

    /// Removes everything except the source, and keeps the allocated memory.
    pub(super) fn reset(&mut self, start: Position) {
        self.tags.clear();
        self.result = GameResult::Unknown;
        self.start = start;
        self.nodes.clear();
        self.nodes.push(Node::new(None, 0));
        self.notes.clear();
        self.text.clear();
        self.unread.clear();
    }

    pub(super) fn set_start(&mut self, start: Position) {
        self.start = start;
    }

    /// The initial position.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Whether the game starts from another position than the standard one.
    pub fn is_set_up(&self) -> bool {
        self.start != Position::start()
    }

    /// The initial position as in the `FEN` tag.
    pub fn fen(&self) -> Fen<'_> {
        Fen::new(&self.start)
    }

    /// The text of the moves and their annotations as in the file, if they were not read because the rules of the
    /// variant or the initial position are unknown; otherwise empty. None of its lines is blank.
    pub fn unread(&self) -> &str {
        &self.unread
    }

    /// Adds lines of moves that were not read.
    pub(super) fn add_unread(&mut self, text: &str) -> Result<(), GameFull> {
        if self.unread.len() + text.len() > MAX_GAME_TEXT {
            return Err(GameFull);
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            if !self.unread.is_empty() {
                self.unread.push('\n');
            }
            self.unread.push_str(line);
        }
        Ok(())
    }

    /// The number of moves, including variations.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// The move that leads to a node; `None` for the root and for a pass.
    pub fn mv(&self, node: NodeId) -> Option<Move> {
        self.node(node).mv
    }

    /// The preceding node; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.node(node).parent))
    }

    /// The move that continues the line.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).first_child.map(id)
    }

    /// The next alternative to a move.
    pub fn next_alternative(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).next_sibling.map(id)
    }

    /// The moves that follow a node: the one that continues the line, then its alternatives.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(node), |&child| self.next_alternative(child))
    }

    /// The moves of the main line, in their order.
    pub fn mainline(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(NodeId::ROOT), |&node| self.next(node))
    }

    /// The last node of the main line.
    pub fn last(&self) -> NodeId {
        self.mainline().last().unwrap_or(NodeId::ROOT)
    }

    /// The position after a node's move, computed by playing all moves before it.
    pub fn position(&self, node: NodeId) -> Position {
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.pop(); // the root has no move
        path.iter().rev().fold(self.start, |position, &node| after(&position, self.mv(node)))
    }

    /// The glyphs of a move.
    pub fn nags(&self, node: NodeId) -> impl Iterator<Item = Nag> {
        self.notes(node).filter_map(|note| match note.kind {
            NoteKind::Nag(nag) => Some(nag),
            _ => None,
        })
    }

    /// The comments before a move: at the start of a line, or after a variation.
    pub fn comments_before(&self, node: NodeId) -> impl Iterator<Item = &str> {
        self.comments_where(node, true)
    }

    /// The comments after a move. Those of the root are the comments of a game without moves.
    pub fn comments(&self, node: NodeId) -> impl Iterator<Item = &str> {
        self.comments_where(node, false)
    }

    fn comments_where(&self, node: NodeId, is_before: bool) -> impl Iterator<Item = &str> {
        self.notes(node)
            .filter(move |note| note.kind == NoteKind::Comment && note.is_before == is_before)
            .map(|note| self.note_text(note))
    }

    fn notes(&self, node: NodeId) -> impl Iterator<Item = &Note> {
        std::iter::successors(self.first_note(node).map(|link| self.note(link)), |note| {
            note.next.map(|link| self.note(link))
        })
    }

    fn first_note(&self, node: NodeId) -> Link {
        self.node(node).first_note
    }

    fn note(&self, link: NonZeroU32) -> &Note {
        &self.notes[link.get() as usize - 1]
    }

    fn note_text(&self, note: &Note) -> &str {
        &self.text[note.start as usize..note.end as usize]
    }

    /// Adds a line after a node, as its continuation or as a variation if it already has one, and returns the node of
    /// each move. Each move is checked once, by playing it.
    ///
    /// # Errors
    /// [`IllegalMove`] for the first move that is not legal. The moves before it have been added.
    ///
    /// # Panics
    /// If the game would have more than [`MAX_GAME_MOVES`] moves.
    pub fn add_line(
        &mut self,
        parent: NodeId,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Vec<NodeId>, IllegalMove> {
        let (mut node, mut position) = (parent, self.position(parent));
        let mut add = |mv| {
            position = position.play(mv)?;
            node = self.add(node, Some(mv)).expect("a game has few moves");
            Ok(node)
        };
        moves.into_iter().map(&mut add).collect()
    }

    /// Adds a move that is known to be legal, or a pass.
    ///
    /// # Errors
    /// [`GameFull`] if the game has [`MAX_GAME_MOVES`] moves.
    pub fn add(&mut self, parent: NodeId, mv: Option<Move>) -> Result<NodeId, GameFull> {
        if self.len() >= MAX_GAME_MOVES {
            return Err(GameFull);
        }
        let index = u32::try_from(self.nodes.len()).map_err(|_| GameFull)?;
        self.nodes.push(Node::new(mv, parent.0));
        let link = NonZeroU32::new(index);
        let siblings = &mut self.nodes[parent.0 as usize];
        match siblings.last_child.replace(link.ok_or(GameFull)?) {
            None => siblings.first_child = link,
            Some(last) => self.nodes[last.get() as usize].next_sibling = link,
        }
        Ok(NodeId(index))
    }

    /// Adds a glyph to a move.
    ///
    /// # Errors
    /// [`GameFull`] if the game has [`MAX_GAME_NOTES`] annotations.
    pub fn add_nag(&mut self, node: NodeId, nag: Nag) -> Result<(), GameFull> {
        self.add_note(node, NoteKind::Nag(nag), false, "")
    }

    /// Adds a comment after a move. White space in it becomes single spaces; an empty comment is not added.
    ///
    /// # Errors
    /// [`GameFull`] if the game has too many annotations or too much text.
    pub fn add_comment(&mut self, node: NodeId, text: &str) -> Result<(), GameFull> {
        self.add_note(node, NoteKind::Comment, false, text)
    }

    /// Adds a comment before a move, like [`Self::add_comment`] after it.
    ///
    /// # Errors
    /// [`GameFull`] if the game has too many annotations or too much text.
    pub fn add_comment_before(&mut self, node: NodeId, text: &str) -> Result<(), GameFull> {
        self.add_note(node, NoteKind::Comment, true, text)
    }

    pub(super) fn add_note(
        &mut self,
        node: NodeId,
        kind: NoteKind,
        is_before: bool,
        text: &str,
    ) -> Result<(), GameFull> {
        let start = self.text.len();
        if self.notes.len() >= MAX_GAME_NOTES || start + text.len() > MAX_GAME_TEXT {
            return Err(GameFull);
        }
        match kind {
            NoteKind::Nag(_) => {}
            NoteKind::Escape => self.text.push_str(text.trim_ascii_end()),
            NoteKind::Comment => {
                push_words(&mut self.text, text);
                if self.text.len() == start {
                    return Ok(());
                }
            }
        }
        let place = |index: usize| u32::try_from(index).map_err(|_| GameFull);
        let note = Note { kind, is_before, start: place(start)?, end: place(self.text.len())?, next: None };
        self.notes.push(note);
        let link = NonZeroU32::new(place(self.notes.len())?);
        let owner = &mut self.nodes[node.0 as usize];
        match owner.last_note.replace(link.ok_or(GameFull)?) {
            None => owner.first_note = link,
            Some(last) => self.notes[last.get() as usize - 1].next = link,
        }
        Ok(())
    }
}

/// A part of a game that may be omitted in a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// A glyph of a move.
    Nag(NodeId, Nag),
    /// A comment before or after a move.
    Comment(NodeId, &'a str),
    /// A variation with all its content, identified by its first move.
    Variation(NodeId),
}

impl Game {
    /// A copy without the parts for which `is_left_out` returns true. It is not called for the content of parts that
    /// are omitted.
    ///
    /// # Errors
    /// [`GameFull`], which cannot happen if this game is within the limits.
    pub fn without(&self, mut is_left_out: impl FnMut(Part<'_>) -> bool) -> Result<Self, GameFull> {
        let mut copy = Self::new(self.start);
        copy.tags = self.tags.clone();
        copy.result = self.result;
        copy.unread.clone_from(&self.unread);
        // A node has a greater index than its parent and its elder siblings.
        let mut copies: Vec<Option<NodeId>> = vec![Some(NodeId::ROOT)];
        for (index, node) in (0_u32..).zip(&self.nodes) {
            let original = NodeId(index);
            if let Some(parent) = self.parent(original) {
                let is_variation = self.next(parent) != Some(original);
                let parent = copies[parent.0 as usize];
                let is_left_out = parent.is_none() || is_variation && is_left_out(Part::Variation(original));
                let parent = parent.filter(|_| !is_left_out);
                copies.push(parent.map(|parent| copy.add(parent, node.mv)).transpose()?);
            }
            let Some(copied) = copies[original.0 as usize] else {
                continue;
            };
            for note in self.notes(original) {
                let text = self.note_text(note);
                let is_left_out = match note.kind {
                    NoteKind::Nag(nag) => is_left_out(Part::Nag(original, nag)),
                    NoteKind::Comment => is_left_out(Part::Comment(original, text)),
                    NoteKind::Escape => false,
                };
                if !is_left_out {
                    copy.add_note(copied, note.kind, note.is_before, text)?;
                }
            }
        }
        Ok(copy)
    }
}

fn id(link: NonZeroU32) -> NodeId {
    NodeId(link.get())
}

/// The position after a legal move, or after a pass.
pub(super) fn after(position: &Position, mv: Option<Move>) -> Position {
    match mv {
        Some(mv) => position.after(mv).0,
        None => position.after_null(),
    }
}

/// An element of a game, in the order in which it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element<'a> {
    /// A move, or a pass if [`Game::mv`] is `None`.
    Move(NodeId),
    /// A glyph of the latest move.
    Nag(Nag),
    /// A comment.
    Comment(&'a str),
    /// A line that starts with `%`.
    Escape(&'a str),
    /// A variation on the latest move starts.
    Begin,
    /// The variation ends.
    End,
}

/// The next step of an iteration. A link refers to the next note to examine.
#[derive(Clone, Copy)]
enum Step {
    Before(NodeId, Option<NonZeroU32>),
    Nags(NodeId, Option<NonZeroU32>),
    After(NodeId, Option<NonZeroU32>),
    Variations(NodeId),
    NextVariation,
    Continue(NodeId),
    LineEnd,
    Done,
}

/// An iterator over a game in the order in which it is written; see [`Game::walk`].
#[derive(Clone)]
pub struct Walk<'a> {
    game: &'a Game,
    step: Step,
    /// The moves whose alternatives are being visited, each with its next alternative.
    open: Vec<(NodeId, Option<NodeId>)>,
}

impl Game {
    /// All elements in the order in which they are written.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// Whether the game has the same initial position, moves, variations, annotations and result as another one.
    pub fn has_same_content(&self, other: &Self) -> bool {
        // Nodes are numbered in the order in which they were added, which is ignored here.
        let same = |a, b| match (a, b) {
            (Element::Move(a), Element::Move(b)) => self.mv(a) == other.mv(b),
            _ => a == b,
        };
        let (mut ours, mut theirs) = (self.walk(), other.walk());
        self.result == other.result
            && self.unread() == other.unread()
            && self.start() == other.start()
            && ours.by_ref().all(|a| theirs.next().is_some_and(|b| same(a, b)))
            && theirs.next().is_none()
    }
}

impl<'a> Walk<'a> {
    fn new(game: &'a Game) -> Self {
        let root = NodeId::ROOT;
        Self { game, step: Step::Nags(root, game.first_note(root)), open: Vec::new() }
    }

    fn enter(&self, node: NodeId) -> Step {
        Step::Before(node, self.game.first_note(node))
    }

    /// The next note for which `wanted` returns true.
    fn find_note(&self, mut link: Option<NonZeroU32>, wanted: impl Fn(&Note) -> bool) -> Option<&'a Note> {
        while let Some(at) = link {
            let note = self.game.note(at);
            if wanted(note) {
                return Some(note);
            }
            link = note.next;
        }
        None
    }

    fn element(&self, note: &'a Note) -> Element<'a> {
        match note.kind {
            NoteKind::Nag(nag) => Element::Nag(nag),
            NoteKind::Comment => Element::Comment(self.game.note_text(note)),
            NoteKind::Escape => Element::Escape(self.game.note_text(note)),
        }
    }
}

const fn is_nag(note: &Note) -> bool {
    matches!(note.kind, NoteKind::Nag(_))
}

impl<'a> Iterator for Walk<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        let game = self.game;
        loop {
            match self.step {
                Step::Before(node, link) => match self.find_note(link, |note| note.is_before) {
                    Some(note) => {
                        self.step = Step::Before(node, note.next);
                        return Some(self.element(note));
                    }
                    None => {
                        self.step = Step::Nags(node, game.first_note(node));
                        return Some(Element::Move(node));
                    }
                },
                Step::Nags(node, link) => match self.find_note(link, is_nag) {
                    Some(note) => {
                        self.step = Step::Nags(node, note.next);
                        return Some(self.element(note));
                    }
                    None => self.step = Step::After(node, game.first_note(node)),
                },
                Step::After(node, link) => {
                    match self.find_note(link, |note| !note.is_before && !is_nag(note)) {
                        Some(note) => {
                            self.step = Step::After(node, note.next);
                            return Some(self.element(note));
                        }
                        None => self.step = Step::Variations(node),
                    }
                }
                Step::Variations(node) => {
                    let is_main = game.parent(node).is_some_and(|parent| game.next(parent) == Some(node));
                    self.step = match game.next_alternative(node) {
                        alternative @ Some(_) if is_main => {
                            self.open.push((node, alternative));
                            Step::NextVariation
                        }
                        _ => Step::Continue(node),
                    };
                }
                Step::NextVariation => match self.open.pop() {
                    Some((main, Some(variation))) => {
                        self.open.push((main, game.next_alternative(variation)));
                        self.step = self.enter(variation);
                        return Some(Element::Begin);
                    }
                    Some((main, None)) => self.step = Step::Continue(main),
                    None => self.step = Step::Done,
                },
                Step::Continue(node) => {
                    self.step = game.next(node).map_or(Step::LineEnd, |next| self.enter(next));
                }
                Step::LineEnd => {
                    if self.open.is_empty() {
                        self.step = Step::Done;
                    } else {
                        self.step = Step::NextVariation;
                        return Some(Element::End);
                    }
                }
                Step::Done => return None,
            }
        }
    }
}
