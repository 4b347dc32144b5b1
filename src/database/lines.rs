//! The lines of a game with variations, each from the start to its end.

use crate::notation::pgn::{Game, GameFull, GameResult, NodeId};

/// The last nodes of all lines: that of the main line, then those of the variations in the order of the text.
pub fn line_ends(game: &Game) -> Vec<NodeId> {
    let mut ends = Vec::new();
    // The first nodes of lines that have not been followed yet; the last one is next.
    let mut waiting: Vec<NodeId> = Vec::new();
    let mut next = Some(NodeId::ROOT);
    while let Some(first) = next {
        let (mut end, mut found) = (first, Vec::new());
        while let Some(node) = game.next(end) {
            found.extend(game.children(end).skip(1));
            end = node;
        }
        ends.push(end);
        waiting.extend(found.into_iter().rev());
        next = waiting.pop();
    }
    ends
}

/// A game whose main line is the line to this node, with its comments and glyphs and without variations. Only the game
/// of the main line has a result.
///
/// # Errors
/// [`GameFull`] cannot occur in practice, since the line is not larger than the game.
pub fn line_to(game: &Game, end: NodeId) -> Result<Game, GameFull> {
    let mut nodes = vec![end];
    while let Some(node) = nodes.last().and_then(|&node| game.parent(node)) {
        nodes.push(node);
    }
    let mut line = Game::new(*game.start());
    line.tags = game.tags.clone();
    if end == game.last() {
        line.result = game.result;
    } else {
        line.result = GameResult::Unknown;
        line.tags.set("Result", GameResult::Unknown.as_str());
    }
    let mut parent = NodeId::ROOT;
    for &node in nodes.iter().rev() {
        if node != NodeId::ROOT {
            parent = line.add(parent, game.mv(node))?;
            for comment in game.comments_before(node) {
                line.add_comment_before(parent, comment)?;
            }
            for nag in game.nags(node) {
                line.add_nag(parent, nag)?;
            }
        }
        for comment in game.comments(node) {
            line.add_comment(parent, comment)?;
        }
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::{Export, GameBuilder, Reader};

    #[test]
    fn every_line_is_there_once_in_the_order_of_the_text() {
        let text = "[Result \"1-0\"]\n\n{start} 1. e4 $1 (1. d4 d5 (1... Nf6 {an Indian} 2. c4) 2. c4) (1. c4) 1... e5 \
                    2. Nf3 ({or} 2. f4 $6 exf4) 2... Nc6 1-0";
        let mut builder = GameBuilder::new();
        assert!(Reader::new(text.as_bytes()).read_game(&mut builder).expect("it is in memory"));
        let game = builder.game();
        let lines: Vec<String> = line_ends(game)
            .into_iter()
            .map(|end| {
                let line = line_to(game, end).expect("it is shorter");
                let text = Export::new().game(&line);
                text.rsplit("\n\n").nth(1).expect("the moves").replace('\n', " ")
            })
            .collect();
        let expected = [
            "{start} 1. e4 $1 1... e5 2. Nf3 Nc6 1-0",
            "1. d4 d5 2. c4 *",
            "1. d4 Nf6 {an Indian} 2. c4 *",
            "1. c4 *",
            "{start} 1. e4 $1 1... e5 {or} 2. f4 $6 2... exf4 *",
        ];
        assert_eq!(lines, expected);
        assert_eq!(line_ends(&Game::default()).len(), 1, "a game without moves is a line");
    }
}
