// Addresses: every state has one, and the back key works.

let routes = [];
let current = null;

// `routes`: [[pattern, view, name of the section]]; a view is a function of an element and the parts of the address
// that returns a function to end it. `isBack`: the address was shown before.
export function startRouter(views) {
  routes = views;
  addEventListener("popstate", () => show({ isBack: true }));
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download") || link.getAttribute("href").startsWith("#")) return;
    if (!routes.some(([pattern]) => pattern.test(link.pathname))) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
  show();
}

export function go(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  show();
}

// Changes the address without showing anything anew.
export function setAddress(address, { push = false } = {}) {
  if (location.pathname + location.search + location.hash === address) return;
  if (push) history.pushState(null, "", address);
  else history.replaceState(history.state, "", address);
  shown = location.pathname + location.search;
}

// This address without its fragment, with other values of parameters; an empty one takes its parameter away.
export function addressWith(changes) {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  return location.pathname + (text ? `?${text}` : "");
}

let shown = null;

function show({ isBack = false } = {}) {
  const page = location.pathname + location.search;
  // A step within the page itself, such as a fragment.
  if (page === shown && !location.hash.match(/^#[\w-]{16,}$/)) return current?.onfragment?.();
  // The same page with another query: a view may show it without being built anew, unless it answers false.
  const isSamePage = shown?.split("?")[0] === location.pathname;
  shown = page;
  if (isSamePage && current?.onaddress && current.onaddress(new URLSearchParams(location.search)) !== false) return undefined;
  current?.end?.();
  current = null;
  const main = document.getElementById("main");
  document.querySelectorAll("dialog[open]").forEach((element) => element.close());
  const [pattern, view, section] = routes.find(([tried]) => tried.test(location.pathname)) ?? routes[routes.length - 1];
  const container = document.createElement("div");
  container.className = "view";
  main.replaceChildren(container);
  document.querySelectorAll("[data-nav]").forEach((link) => {
    if (link.dataset.nav === section) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  document.title = "Hematite";
  scrollTo(0, 0);
  const parts = pattern.exec(location.pathname) ?? [];
  current = view(container, { parts: parts.slice(1), query: new URLSearchParams(location.search), isBack }) ?? null;
  return undefined;
}

export function setTitle(text) {
  document.title = text ? `${text} – Hematite` : "Hematite";
}
