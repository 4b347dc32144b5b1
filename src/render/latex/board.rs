//! A diagram as a command of the package chessboard.

use super::super::diagram::{Diagram, Mark};
use super::super::style::Rgb;
use super::text::escape;
use crate::chess::{Color, File, Rank, Square};
use std::fmt::Write;

/// The placement of the pieces and the side to move, the only fields of a FEN that a diagram needs.
fn placement(diagram: &Diagram) -> String {
    let board = diagram.board();
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match board.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        // Writing to a string cannot fail, here and below.
                        let _ = write!(text, "{empty}");
                    }
                    empty = 0;
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    let turn = if board.turn() == Color::White { 'w' } else { 'b' };
    format!("{text} {turn} - - 0 1")
}

/// A color in the format of xcolor.
fn color(Rgb(red, green, blue): Rgb) -> String {
    format!("{{rgb,255:red,{red};green,{green};blue,{blue}}}")
}

/// The command for a diagram, without its caption.
fn command(diagram: &Diagram) -> String {
    let mut options = format!("setfen={{{}}}", placement(diagram));
    if diagram.style().is_flipped {
        options.push_str(",inverse");
    }
    if let Some((from, to)) = diagram.last_move {
        let _ = write!(
            options,
            ",\n  pgfstyle=border,opacity=1,color=black!60,linewidth=.12em,markfields={{{from},{to}}}"
        );
    }
    for mark in &diagram.marks {
        let _ = match *mark {
            Mark::Square(paint, square) => {
                write!(options, ",\n  pgfstyle=color,opacity=.4,color={},markfield={square}", color(paint))
            }
            // A ring around one square is drawn as a border.
            Mark::Arrow(paint, from, to) if from == to => {
                write!(
                    options,
                    ",\n  pgfstyle=circle,opacity=1,linewidth=.1em,color={},markfield={from}",
                    color(paint)
                )
            }
            Mark::Arrow(paint, from, to) => write!(
                options,
                ",\n  pgfstyle=straightmove,arrow=to,linewidth=.14em,opacity=.8,color={},markmove={from}-{to}",
                color(paint)
            ),
        };
    }
    format!("\\chessboard[{options}]")
}

/// A diagram with its caption, centered and without a page break.
pub fn board(diagram: &Diagram) -> String {
    let caption = diagram.caption.as_deref().map(escape).filter(|caption| !caption.is_empty());
    let caption = caption.map_or_else(String::new, |caption| format!("\\\\[.5ex]\n{{\\small {caption}}}"));
    format!("\\begin{{center}}\n{}{caption}\n\\end{{center}}\n", command(diagram))
}

#[cfg(test)]
mod tests {
    use super::super::super::DiagramStyle;
    use super::*;
    use crate::chess::Position;

    #[test]
    fn diagrams_have_all_that_is_drawn() {
        let style = DiagramStyle { is_flipped: true, ..DiagramStyle::default() };
        let mut diagram = Diagram::new(&Position::start(), style);
        diagram.last_move = Some((Square::E2, Square::E4));
        diagram.marks = vec![
            Mark::Square(Rgb(1, 2, 3), Square::F7),
            Mark::Arrow(Rgb::RED, Square::D1, Square::H5),
            Mark::Arrow(Rgb::RED, Square::D1, Square::D1),
        ];
        diagram.caption = Some("100 %".to_owned());
        let text = board(&diagram);
        for part in [
            "setfen={rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1},inverse",
            "markfields={e2,e4}",
            "color={rgb,255:red,1;green,2;blue,3},markfield=f7",
            "markmove=d1-h5",
            "pgfstyle=circle,opacity=1,linewidth=.1em",
            "{\\small 100 \\%}",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
