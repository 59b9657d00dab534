import process from 'node:process'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { unpackChromium } from './unpack-chromium.ts'

const args = [
  // Only our own pages are opened; a sandbox would need rights that root in a container does not have.
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  // The platform's certificate is self-signed. If only the option of a page allowed it, Chromium would cache nothing.
  '--ignore-certificate-errors',
]

/** The npm package holds a browser for Linux on x64 only; elsewhere an installed Chrome is used. */
async function launchOptions(): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args }
  const { executablePath, env } = await unpackChromium()
  return { executablePath, args, env: { ...process.env, ...env } }
}

/** Test files that share a process share its browser too. */
const shared = globalThis as { makolaChromium?: Promise<Browser> }

/** The one browser of this process; it ends with the process. */
export function openChromium(): Promise<Browser> {
  shared.makolaChromium ??= launchOptions()
    .then((options) => chromium.launch(options))
    .catch((error: unknown) => {
      throw new Error('the tests have no browser: on this system they need Google Chrome; CONTRIBUTING.md, "Browser tests"', {
        cause: error,
      })
    })
  return shared.makolaChromium
}
