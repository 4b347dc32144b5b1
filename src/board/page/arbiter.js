// The acts of an arbiter. Each is recorded.

import { get } from "./api.js";
import { button, dialog, field, h, select } from "./dom.js";
import { addressOf, linkRow, reachableBase } from "./game-panels.js";
import { copy, tellError } from "./tell.js";

const CAUSES = [["adjudication", "Decision of the arbiter"], ["rules_infraction", "Breach of the rules"], ["abandoned", "A player has left"], ["emergency", "Emergency"], ["death", "Death of a player"]];

// The acts that the arbiter may do now: [[text, call]]. `view` has the state of the game, the names, and `act`.
export function arbiterActs(view) {
  const { state, id } = view;
  const can = (act) => state.can.includes(act);
  const colors = [["white", view.nameOf("white")], ["black", view.nameOf("black")]];
  // A form in a dialog; `fields` are its controls by name, `make` gives the act, `then` gets the state after it.
  const form = (title, fields, make, then = () => {}) => {
    const box = dialog(title, h("form", {
      onsubmit: (event) => {
        event.preventDefault();
        box.close();
        view.act(make()).then((after) => after && then(after));
      },
    }, fields, h("button", { type: "submit", class: "primary" }, title)), { className: "small" });
  };
  const addTime = () => {
    const side = select(colors, "white", () => {});
    const seconds = h("input", { type: "number", min: "1", max: "86400", ".value": "60", required: true });
    form("Add time", [field("To", side), field("Seconds", seconds)], () => ({ act: "add_time", side: side.value, time_ms: 1000 * Number(seconds.value) }));
  };
  const adjudicate = () => {
    const winner = select([...colors, ["", "Draw"]], "", () => {});
    const cause = select(CAUSES, "adjudication", () => {});
    form("Declare the result", [field("Winner", winner), field("Because of", cause)], () => ({ act: "adjudicate", winner: winner.value || null, cause: cause.value }));
  };
  const assistant = () => {
    const side = select(colors, "white", () => {});
    const name = h("input", { type: "text", maxlength: "100", required: true });
    form("Allow an assistant", [field("For", side), field("Name", name)], () => ({ act: "allow_assistant", side: side.value, name: name.value.trim() }),
      // The link is shown once: the token is not stored.
      async ({ token }) => token && dialog("Link for the assistant", [
        h("p", {}, `Send it to ${name.value.trim()}, who may then move the pieces for ${view.nameOf(side.value)}.`),
        linkRow("Link for the assistant", addressOf(await reachableBase(), id, token))]));
  };
  const journal = () => get(`/api/games/${encodeURIComponent(id)}/journal`, { token: view.link.token("arbiter") })
    .then((text) => dialog("Journal", [h("pre", { class: "journal" }, typeof text === "string" ? text : JSON.stringify(text, null, 1)), button("Copy", () => copy(String(text), "The journal"))]))
    .catch(tellError);
  return [
    can("pause") && ["Pause", () => view.act({ act: "pause" })],
    can("resume") && ["Go on", () => view.act({ act: "resume" })],
    can("add_time") && ["Add time …", addTime],
    can("adjudicate") && ["Result …", adjudicate],
    can("allow_assistant") && ["Assistant …", assistant],
    ["Journal", journal],
  ].filter(Boolean);
}

// The button of an act. The second click of a double click is ignored: another act may be at the same place by then.
export function actButton([text, call], attributes = {}) {
  return button(text, ({ detail }) => detail > 1 || call(), attributes);
}

export function arbiterPanel(view) {
  return h("div", { class: "panel" }, h("h2", {}, "Arbiter"), h("div", { class: "actions" }, arbiterActs(view).map((act) => actButton(act)),
    h("a", { class: "button", href: "/arbiter" }, "All games")));
}
