import { readOptions } from '../both/api/use-read.ts'
import { openQueries, startApp } from '../both/start.tsx'
import { loadLanguage } from '../languages/load-language.ts'
import { App, loadSignedOut } from './app.tsx'
import { meKey, meQuery } from './me.ts'
import { loadScreenAt } from './screens.ts'
import { entryScreens } from './sign-in/entry-screens.ts'

const queries = openQueries()

/**
 * Loads what the first screen needs, before React draws anything. Otherwise React would show that the screen's code is still
 * loading, and keep that for at least 300 ms.
 */
async function loadFirstScreen(): Promise<void> {
  const address = location.pathname.slice('/app'.length) || '/'
  if (address in entryScreens) return
  const readHome = () => queries.prefetchQuery(readOptions('home', '/app/api/home', {}))
  // The HTML page has already requested the data of Home. The answer is read in any case, or the browser would keep it for a
  // later request.
  if (document.querySelector('link[href="/app/api/home"]')) void readHome()
  const me = await queries.fetchQuery(meQuery)
  if (me === null) await loadSignedOut()
  if (!me) return
  if (address === '/') void readHome()
  await loadScreenAt(address)
}

/** After this time the app is drawn in any case, and shows that it waits or what went wrong. Most phones need less. */
const longestWaitMilliseconds = 1_000
const tooLong = new Promise<void>((resolve) => setTimeout(resolve, longestWaitMilliseconds))

/**
 * Lets the browser keep the page, so that the installed app opens without a connection too. It waits until the page has
 * loaded, because on a slow line the page needs the line for itself.
 */
function keepApp(): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => {
    // If the service worker cannot be registered, the app still works while there is a connection.
    navigator.serviceWorker.register('/app/service-worker.js', { scope: '/app' }).catch(() => undefined)
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

const firstScreen = loadFirstScreen().catch(() => undefined)
void Promise.all([loadLanguage(), Promise.race([firstScreen, tooLong])]).then(() => startApp('/app', meKey, <App />, queries))
keepApp()
