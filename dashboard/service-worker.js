/* global shell */
// The build writes `shell` before this text: the page, the files that it loads first, the picture of notices, and a hash of
// the page and of this text as the version.

/**
 * The name of the cache in which this version keeps the page and its files. A new version has a cache of its own and
 * deletes this one.
 */
const kept = `shell ${shell.version}`

/** Keeps the page and its files together, or nothing: a page without its files would open as an empty one. */
async function keepShell() {
  const page = await fetch(shell.page, { cache: 'no-cache' })
  const text = await page.clone().text()
  if (!page.ok || !text.includes(shell.entry)) throw new Error('the page is of another version than this worker')
  const cache = await caches.open(kept)
  await cache.addAll(shell.files)
  await cache.put(shell.page, page)
  await self.skipWaiting()
}

async function forgetOldVersions() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== kept).map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** The name of a file changes with its content, so a stored file is never out of date. */
async function answerWithFile(request) {
  const known = await caches.match(request)
  if (known) return known
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(kept)
    await cache.put(request, answer.clone())
  }
  return answer
}

const pageWaitMilliseconds = 3_000

/**
 * The page comes from the server, so that a new version is seen at once. Without a connection, and on one that lets the person wait, the
 * stored page is used.
 */
async function answerWithPage(request) {
  const page = await caches.match(shell.page)
  if (!page) return fetch(request)
  const late = new Promise((resolve) => {
    setTimeout(() => resolve(page), pageWaitMilliseconds)
  })
  return Promise.race([fetch(request).catch(() => page), late])
}

/** Shows a push notice. The server has written its words. */
function showPush(event) {
  const { title, body, path } = event.data.json()
  return self.registration.showNotification(title, { body, icon: shell.icon, data: { path } })
}

/** Opens the screen of a notice in the window of the app, if one is open. */
async function openScreen(path) {
  const windows = await self.clients.matchAll({ type: 'window' })
  const open = windows.find(({ url }) => new URL(url).pathname.startsWith('/app'))
  if (!open) return self.clients.openWindow(path)
  await open.focus()
  return open.navigate(path)
}

self.addEventListener('push', (event) => event.waitUntil(showPush(event)))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openScreen(event.notification.data.path))
})

self.addEventListener('install', (event) => event.waitUntil(keepShell()))
self.addEventListener('activate', (event) => event.waitUntil(forgetOldVersions()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  // Answers of the API are never stored, and no request waits here for a connection: a purchase is sent at once or not at all.
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/app/api')) return
  if (pathname.startsWith('/assets/')) event.respondWith(answerWithFile(request))
  else if (request.mode === 'navigate') event.respondWith(answerWithPage(request))
})
