// Games and positions that are pasted or dropped, wherever that happens: the analysis shows them.

import { isTyping } from "./dom.js";
import { go } from "./router.js";
import { tellError } from "./tell.js";

let waiting = null;

// The text that waits for the analysis; returned once.
export function arrived() {
  const text = waiting;
  waiting = null;
  return text;
}

// `receives()` tells whether what comes may take the place of what is shown.
export function startArrivals(receives) {
  const take = (text) => {
    if (!text?.trim()) return;
    waiting = text;
    // The analysis opens it as if it had been asked for there.
    if (/^\/analy[sz]e/.test(location.pathname)) document.dispatchEvent(new Event("arrival"));
    else go("/analyse");
  };
  document.addEventListener("paste", (event) => {
    if (event.defaultPrevented || isTyping({ target: event.target }) || !receives()) return;
    take(event.clipboardData.getData("text"));
  });
  document.addEventListener("dragover", (event) => receives() && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (event.defaultPrevented || !receives()) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) file.text().then(take).catch(tellError);
    else take(event.dataTransfer.getData("text"));
  });
}
