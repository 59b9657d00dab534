import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('page.html', import.meta.url))

/** The path that the page of an app would have as a file. The page names its other files relative to this path. */
export const pageOf = (face: string): string => fileURLToPath(new URL(`${face}/index.html`, import.meta.url))

/** Only the app of resellers can be installed on a phone. */
const installable = `<link rel="manifest" href="/app/manifest.webmanifest" />
    <link rel="apple-touch-icon" href="../icons/icon-180.png" />`

const pages = new Map([
  [pageOf('app'), { face: 'app', name: 'Makola', head: installable }],
  [pageOf('desk'), { face: 'desk', name: 'Makola Desk', head: '' }],
])

/** Makes the pages of both apps from one file, `page.html`. */
export const writePages: Plugin = {
  name: 'write-pages',
  enforce: 'pre',
  resolveId: (id) => (pages.has(id) ? id : undefined),
  load(id) {
    const page = pages.get(id)
    if (!page) return undefined
    this.addWatchFile(source)
    return readFileSync(source, 'utf8')
      .replaceAll('%FACE%', page.face)
      .replaceAll('%NAME%', page.name)
      .replace('%HEAD%', page.head)
  },
}
