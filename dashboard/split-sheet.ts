import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import postcss, { type Container, type Root } from 'postcss'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))
const hashLength = 5

/** The first letters of every class name in the desk's style sheets, and in those of the app's screens. */
const ofDesk = 'desk_'
const ofApp = 'app_'

/**
 * Prefixes by folder; the first match counts. With `_` the rules stay in the first sheet: those of kept mails and of Help,
 * because people see them before they sign in, and those of Home and the search, so that they wait for no other sheet.
 */
const faces = {
  'src/desk/': ofDesk,
  'src/app/mail/': '_',
  'src/app/help/': '_',
  'src/app/home/': '_',
  'src/app/find/': '_',
  'src/app/': ofApp,
} as const

/**
 * Makes the class name of a style module. Names from the desk start with `desk_` and those of the app's screens with `app_`, so
 * that `splitSheet` can find their rules.
 */
export function nameClass(name: string, file: string): string {
  const path = relative(folder, file.replace(/\?.*/, '')).replaceAll('\\', '/')
  const hash = createHash('sha256').update(path).digest('base64url').replaceAll(/\W/g, '_').slice(0, hashLength)
  const [, prefix = '_'] = Object.entries(faces).find(([under]) => path.startsWith(under)) ?? []
  return `${prefix}${name}_${hash}`
}

/** True when every selector belongs to the desk or to uPlot, which draws its charts. */
const isOfDesk = (selectors: readonly string[]): boolean =>
  selectors.every((selector) => selector.includes(`.${ofDesk}`) || /\.(?:uplot|u-)/.test(selector))

/** True when every selector belongs to a screen of the app. */
const isOfApp = (selectors: readonly string[]): boolean => selectors.every((selector) => selector.includes(`.${ofApp}`))

/** Takes away the rules that are not wanted, and then empty at-rules, such as media queries. */
function keepRules(sheet: Root, isWanted: (selectors: readonly string[]) => boolean): string {
  sheet.walkRules((rule) => {
    const isFrame = rule.parent?.type === 'atrule' && ((rule.parent as { name?: string }).name ?? '').endsWith('keyframes')
    if (rule.parent?.type === 'rule') return
    if (!isWanted(isFrame ? [] : rule.selectors)) rule.remove()
  })
  const dropEmpty = (container: Container) =>
    container.each((node) => {
      if (node.type !== 'atrule' || !node.nodes) return
      dropEmpty(node)
      if (node.nodes.length === 0) node.remove()
    })
  dropEmpty(sheet)
  return sheet.toString()
}

/**
 * Moves the rules of the desk into a second style sheet, so that a reseller's phone does not load them, and those of the app's
 * screens into a third one, which `loadWithSheet` loads, so that the sign-in and Home do not wait for them.
 */
export function splitSheet(): Plugin {
  return {
    name: 'split-sheet',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const sheet = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.css'))
        const page = bundle['desk/index.html']
        const appPage = bundle['app/index.html']
        if (sheet?.type !== 'asset' || page?.type !== 'asset' || appPage?.type !== 'asset') {
          this.error('the style sheet or a page is not built')
        }
        const source = String(sheet.source)
        const own = (isOwn: typeof isOfDesk) =>
          keepRules(postcss.parse(source), (selectors) => selectors.length > 0 && isOwn(selectors))
        const emit = (name: string, isOwn: typeof isOfDesk) =>
          this.getFileName(this.emitFile({ type: 'asset', name, source: own(isOwn) }))
        const isShared = (selectors: readonly string[]) => !isOfDesk(selectors) && !isOfApp(selectors)
        sheet.source = keepRules(postcss.parse(source), (selectors) => selectors.length === 0 || isShared(selectors))
        const name = emit('desk.css', isOfDesk)
        const screens = `<meta name="screens-sheet" content="/${emit('screens.css', isOfApp)}" />`
        appPage.source = String(appPage.source).replace('</head>', () => `${screens}</head>`)
        const [link = ''] = /<link rel="stylesheet"[^>]*>/.exec(String(page.source)) ?? []
        page.source = String(page.source).replace(link, () => `${link}${link.replace(sheet.fileName, name)}`)
      },
    },
  }
}
