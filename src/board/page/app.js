// The page: its addresses and what is there on all of them.

import { analysisView } from "./analysis.js";
import { startArrivals } from "./arrivals.js";
import { compareView } from "./compare.js";
import { isTyping } from "./dom.js";
import { editorView } from "./editor.js";
import { exploreView } from "./explore.js";
import { gameView } from "./game.js";
import { helpView, openKeys } from "./help.js";
import { homeView } from "./home.js";
import { nothingView } from "./nothing.js";
import { openingsView } from "./openings.js";
import { overviewView } from "./overview.js";
import { loadPieces } from "./pieces.js";
import { startRouter } from "./router.js";
import { apply, onSettings } from "./settings.js";
import { openSettings } from "./settings-dialog.js";
import { studyView } from "./study.js";
import { tellError } from "./tell.js";
import { newTournamentView } from "./tournament-new.js";
import { tournamentView } from "./tournament.js";
import { watchView } from "./watch.js";

apply();
loadPieces().catch(tellError);
onSettings((name) => {
  if (name === "pieces" || name === null) loadPieces().catch(tellError);
});
document.getElementById("settings").addEventListener("click", openSettings);
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || isTyping(event)) return;
  event.preventDefault();
  openKeys();
});
// A game that is being played stays.
startArrivals(() => !/^\/(game\/|tournament\/|arbiter|watch)/.test(location.pathname));
startRouter([
  [/^\/game\/([^/]+)$/, gameView, "home"],
  [/^\/analy[sz]e(?:\/(\d+)\/(\d+))?$/, analysisView, "analyse"],
  [/^\/explore(?:\/(\d+))?$/, exploreView, "explore"],
  [/^\/compare$/, compareView, "explore"],
  [/^\/editor$/, editorView, "analyse"],
  [/^\/openings$/, openingsView, "analyse"],
  [/^\/study$/, studyView, "study"],
  [/^\/tournament$/, newTournamentView, "home"],
  [/^\/tournament\/([^/]+)$/, tournamentView, "home"],
  [/^\/arbiter$/, overviewView, "home"],
  [/^\/watch$/, watchView, ""],
  [/^\/help$/, helpView, "help"],
  [/^\/$/, homeView, "home"],
  // All other addresses.
  [/$^/, nothingView, ""],
]);
// It can be installed where the address is a secure one.
navigator.serviceWorker?.register("/assets/worker.js", { scope: "/" }).catch(() => {});
