// Makes the page installable. Nothing is cached: everything comes from the server, so that no old state is ever shown.
// If the server does not answer, a page of its own replaces the browser's error.

const AWAY = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Hematite does not answer</title><h1>Hematite does not answer</h1><p>Start <code>hematite board</code> again, and load this page anew: your games are as they were.</p></html>`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(() => new Response(AWAY, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } })));
});
