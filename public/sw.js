/*
 * Without a connection a page's place is taken by /offline. That page, its style, font and script
 * are all that is kept; everything else comes from the network, as if this worker were not here.
 */
const CACHE = "offline-BUILD";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepOfflinePage());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forgetOlder(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    // What ends in .zip or .csv is a download: the browser says itself that it failed.
    if (!new URL(request.url).pathname.includes(".")) event.respondWith(openPage(event));
  } else if (isOfOfflinePage(request)) {
    event.respondWith(fetch(request).catch(() => kept(request)));
  }
});

function isOfOfflinePage({ destination, url }) {
  if (destination === "script") return url.includes("/assets/offline-tickets-");
  return destination === "style" || destination === "font";
}

async function openPage({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return kept("/offline");
  }
}

async function kept(request) {
  return (await caches.match(request)) ?? Response.error();
}

async function keepOfflinePage() {
  // Without cookies: what is kept knows nobody, and takes no message that waits for a page.
  const page = await fetch("/offline", { cache: "reload", credentials: "omit" });
  if (!page.ok) throw new Error(`/offline answered ${page.status}`);
  const html = await page.clone().text();
  // The address of a style that several parts share may end with an empty fragment.
  const files = html.matchAll(/(?:href|src)="(\/(?:assets|fonts)\/[^"#]+\.(?:css|woff2|js))#?"/g);
  const cache = await caches.open(CACHE);
  await cache.addAll([...new Set(Array.from(files, ([, file]) => file))]);
  await cache.put("/offline", page);
}

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  const options = { body, tag, renotify: true, icon: "/icon-192.png", data: { url } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openNotified(new URL(event.notification.data.url, self.location.origin).href));
});

/** In a window that shows the page already, else in a new one. */
async function openNotified(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((client) => client.url === url);
  return shown ? shown.focus() : self.clients.openWindow(url);
}
