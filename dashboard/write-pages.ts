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

/** The first screen under `/app`: Home with a session, the sign-in without one. `module` is a source file within its script. */
const firstScreens = [
  { name: 'home', module: 'src/app/home/home-screen.tsx', reads: ['/app/api/home'] },
  { name: 'sign-in', module: 'src/app/sign-in/signed-out.tsx', reads: [] },
] as const

/**
 * Writes the page of the app once more for each first screen, with links to the files that the screen loads. The browser then
 * asks for these files together with the app, not a round trip later, when the app runs and knows who is signed in. The server
 * chooses the page.
 */
export const writeFirstPages: Plugin = {
  name: 'write-first-pages',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['app/index.html']
      if (page?.type !== 'asset') this.error('the page of the app is not built')
      for (const { name, module, reads } of firstScreens) {
        const script = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)),
        )
        if (!script) this.error(`no file was built of ${module}`)
        const links = [
          `<link rel="modulepreload" crossorigin href="/${script.fileName}">`,
          ...reads.map((path) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${path}" />`),
        ]
        const source = String(page.source).replace('</head>', () => `${links.join('')}</head>`)
        this.emitFile({ type: 'asset', fileName: `app/${name}.html`, source })
      }
    },
  },
}
