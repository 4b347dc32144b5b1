//! Walking through a game.

use super::game::{Note, NoteKind};
use super::{Game, Nag, NodeId};
use std::num::NonZeroU32;

/// A part of a game, in the order in which it is written.
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
    /// It ends.
    End,
}

/// The next step of a walk. A link is the next note to examine.
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
    /// Moves whose alternatives are gone through, each with the next of these.
    open: Vec<(NodeId, Option<NodeId>)>,
}

impl Game {
    /// Everything in the order in which it is written.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// Whether it has the same start, moves, variations, annotations and result as another.
    pub fn has_same_content(&self, other: &Self) -> bool {
        // Nodes are numbered in the order in which they were added, which does not matter here.
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

    /// The next note of this kind.
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
