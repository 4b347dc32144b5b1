// The targets of saving: the game's own place, a file of this board, or a download.

import { aboutServer, post, put } from "./api.js";
import { button, dialog, h } from "./dom.js";
import { download, tellError, toast } from "./tell.js";

// `source`: { file, number }, or null; `version` of the game there; `game()`; `onsaved(place)`, `pgn()`.
export async function save({ source, version, game, pgn, onsaved }) {
  const toBrowser = async () => download("game.pgn", await pgn(), "application/x-chess-pgn");
  const { files = [] } = await aboutServer();
  const known = files.filter((file) => file.can_save);
  if (!known.length) return toBrowser();
  const act = (call) => async () => {
    try {
      await call();
      box.close();
    } catch (error) {
      tellError(error);
    }
  };
  const own = source && known.find(({ id }) => id === source.file);
  const back = async () => {
    const place = await put(`/api/files/${own.id}/games/${source.number}`, { game: game(), version });
    toast(`Saved in ${own.name}.`);
    onsaved({ file: own.id, ...place });
  };
  const add = async ({ id, name }) => {
    const place = await post(`/api/files/${id}/games`, { game: game() });
    toast(`Game ${place.number} of ${name}.`);
    onsaved({ file: id, ...place });
  };
  const box = dialog("Save the game", [h("div", { class: "choices" },
    own && button(`Game ${source.number} of ${own.name}`, act(back), { class: "primary" }),
    known.map((file) => button(`Add to ${file.name}`, act(() => add(file)))),
    button("Download as PGN", act(toBrowser)))], { className: "small" });
  return undefined;
}
