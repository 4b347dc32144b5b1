// The first move of a game that no earlier game of a file has played: it is told, and gets its sign.

import { aboutServer, post } from "./api.js";
import { button, dialog, h } from "./dom.js";
import { tellError, toast } from "./tell.js";

const SIGN = "$146";

// `tree`, and `onfound(node)` with the move that is new.
export async function findNovelty({ tree, source, onfound }) {
  const { files = [] } = await aboutServer();
  if (!tree.mainLine.length) return toast("There are no moves yet.");
  if (!files.length) return toast("No collection is open. Start the board with one: hematite board games.pgn", "error");
  const look = ({ id, name }) => lookIn({ id, name, tree, onfound }).catch(tellError);
  if (files.length === 1) return look(files[0]);
  const box = dialog("Look for a novelty against", h("div", { class: "choices" }, files.map((file) => button(file.name, () => {
    box.close();
    look(file);
  }, { class: file.id === source?.file ? "primary" : null }))), { className: "small" });
  return undefined;
}

async function lookIn({ id, name, tree, onfound }) {
  const { novelty } = await post(`/api/files/${id}/novelty`, { game: tree.game() });
  if (!novelty) return toast(`All positions of this game were known in ${name}.`);
  const { ply, san, games, last } = novelty;
  const node = tree.mainLine[ply - 1];
  const before = games === 0 ? "no earlier game came to the position before it" : `${games} earlier ${games === 1 ? "game" : "games"} came to the position before it${last ? `, the last ${last.white || "?"} – ${last.black || "?"}, ${last.date.replaceAll(".??", "")}` : ""}`;
  onfound(node, !node.nags.includes(SIGN) && SIGN);
  return toast(`${tree.number(node)} ${san} is new in ${name}: ${before}.`);
}
