//! Stand-in until SAN is there.
use crate::chess::{Move, MoveKind, Position, Role};
use std::fmt;
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanError;
impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not legal here")
    }
}
pub fn write_san(p: &Position, mv: Move) -> String {
    let mut s = String::new();
    if mv.is_castle() {
        s.push_str(if mv.to() > mv.from() { "O-O" } else { "O-O-O" });
    } else {
        let role = p.role_at(mv.from()).unwrap_or(Role::Pawn);
        let cap = p.captured_role(mv).is_some();
        if role == Role::Pawn {
            if cap {
                s.push(mv.from().file().letter());
            }
        } else {
            s.push(role.letter().to_ascii_uppercase());
            let others: Vec<Move> = p
                .legal_moves()
                .into_iter()
                .filter(|o| {
                    o.to() == mv.to()
                        && !o.is_castle()
                        && o.kind() == MoveKind::Normal
                        && o.from() != mv.from()
                        && p.role_at(o.from()) == Some(role)
                })
                .collect();
            if !others.is_empty() {
                if others.iter().all(|o| o.from().file() != mv.from().file()) {
                    s.push(mv.from().file().letter());
                } else if others.iter().all(|o| o.from().rank() != mv.from().rank()) {
                    s.push(mv.from().rank().digit());
                } else {
                    s.push_str(&mv.from().to_string());
                }
            }
        }
        if cap {
            s.push('x');
        }
        s.push_str(&mv.to().to_string());
        if let Some(r) = mv.promotion() {
            s.push('=');
            s.push(r.letter().to_ascii_uppercase());
        }
    }
    let after = p.after(mv).0;
    if after.is_check() {
        s.push(if after.legal_moves().is_empty() { '#' } else { '+' });
    }
    s
}
fn norm(t: &str) -> String {
    t.chars().filter(|c| !"+#x=-".contains(*c)).map(|c| if c == '0' { 'O' } else { c }).collect()
}
pub fn parse_san(text: &str, p: &Position) -> Result<Move, SanError> {
    let want = norm(text);
    p.legal_moves()
        .into_iter()
        .find(|&m| norm(&write_san(p, m)) == want)
        .or_else(|| crate::notation::parse_uci_move(text, p).ok())
        .ok_or(SanError)
}
