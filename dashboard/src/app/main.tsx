import { startApp } from '../both/start.tsx'
import { loadLanguage } from '../languages/load-language.ts'
import { App } from './app.tsx'
import { meKey } from './me.ts'

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

void loadLanguage().then(() => startApp('/app', meKey, <App />))
keepApp()
