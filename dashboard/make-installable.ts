import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const read = (name: string): Buffer => readFileSync(fileURLToPath(new URL(name, import.meta.url)))

/** The pictures of the app on a home screen; a `maskable` one may be cut to any shape. */
const icons = [
  { file: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { file: 'maskable-192.png', sizes: '192x192', purpose: 'maskable' },
  { file: 'maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const

/** Screens that a long press on the app's icon offers. */
const shortcuts = [
  { name: 'Buy', url: '/app/buy' },
  { name: 'Orders', url: '/app/orders' },
] as const

type Icon = { readonly src: string; readonly sizes: string; readonly purpose: string; readonly type: string }

function writeManifest(placed: readonly Icon[]): string {
  const manifest = {
    id: '/app',
    name: 'Makola',
    short_name: 'Makola',
    description: 'Your shop: balance, orders, top-ups and SMS.',
    lang: 'en',
    start_url: '/app',
    scope: '/app',
    display: 'standalone',
    background_color: '#fffdf9',
    theme_color: '#0c6b4f',
    icons: placed,
    shortcuts: shortcuts.map((shortcut) => ({ ...shortcut, icons: placed.filter(({ purpose }) => purpose === 'any') })),
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** The scripts and style sheets that the page's HTML names. */
const filesOfPage = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '')

/**
 * Adds a manifest, icons and a service worker to the resellers' app, so that a phone can install it and open it without a
 * connection. The operator's desk gets none of them.
 */
export function makeInstallable(): Plugin {
  return {
    name: 'make-installable',
    apply: 'build',
    generateBundle: {
      // At this point the page is written, with the names of the files that it loads.
      order: 'post',
      handler(_options, bundle) {
        const placed = icons.map(({ file, sizes, purpose }) => {
          const reference = this.emitFile({ type: 'asset', name: file, source: read(`icons/${file}`) })
          return { src: `/${this.getFileName(reference)}`, sizes, purpose, type: 'image/png' }
        })
        this.emitFile({ type: 'asset', fileName: 'app/manifest.webmanifest', source: writeManifest(placed) })

        const page = bundle['app/index.html']
        if (page?.type !== 'asset') this.error('the page of the app is not built')
        const html = String(page.source)
        const files = filesOfPage(html)
        const entry = files.find((file) => /\/app-[^/]+\.js$/.test(file))
        const code = read('service-worker.js').toString('utf8')
        const version = createHash('sha256').update(html).update(code).digest('hex').slice(0, 16)
        const shell = { version, page: '/app', entry, files, icon: placed[0]?.src }
        this.emitFile({
          type: 'asset',
          fileName: 'app/service-worker.js',
          source: `const shell = ${JSON.stringify(shell)}\n${code}`,
        })
      },
    },
  }
}
