// The comments of a move: texts for people, and commands for programs such as [%clk 0:04:59] or [%cal Ge2e4]. A change
// of one part leaves all others as they are.

import { SHAPES, shapeOf } from "./shapes.js";

const COMMAND = /\[%[^\]]*\]/g;
// The separator between the texts of several comments in a field.
const GAP = "\n\n";

const joined = (parts) => parts.filter(Boolean).join(" ");
const squeezed = (text) => text.replace(/\s{2,}/g, " ").trim();

// Normalizes the spaces of a changed comment only.
const tidied = (before, after) => (before === after ? before : squeezed(after));

export const withoutCommands = (text) => squeezed(text.replace(COMMAND, " "));

// The texts of all comments, as a field shows them.
export const readText = (comments) => comments.map(withoutCommands).filter(Boolean).join(GAP);

// Commands that stand before the text stay there, all others are put behind it.
function retold(comment, text) {
  if (withoutCommands(comment) === text) return comment;
  const first = /^(\s*\[%[^\]]*\])*/.exec(comment)[0];
  const rest = comment.slice(first.length).match(COMMAND) ?? [];
  return joined([first.trim(), text, ...rest]);
}

// The comments with what a field has now.
export function withText(comments, shown) {
  const texts = shown.split(/\n\s*\n/).map(squeezed).filter(Boolean);
  const hasText = (comment) => withoutCommands(comment) !== "";
  // A move whose comments are only commands gets its text into the first of them.
  const isTold = comments.some(hasText) ? hasText : (comment) => comment === comments[0];
  const changed = comments.map((comment) => (isTold(comment) ? retold(comment, texts.shift() ?? "") : comment));
  return [...changed, ...texts].filter(Boolean);
}

// The comments with the arrows and circles of these commands instead of those that they have.
export function withShapes(comments, commands) {
  let written = commands;
  const changed = comments.map((comment) => tidied(comment, comment.replace(SHAPES, (_, kind, list) => {
    // Shapes that this page does not know may belong to another program.
    const others = list.split(",").filter((part) => !shapeOf(kind, part));
    const put = written;
    written = "";
    return joined([put, others.length && `[%${kind} ${others.join(",")}]`]);
  })));
  if (written) changed[0] = joined([changed[0], written]);
  return changed.filter(Boolean);
}
