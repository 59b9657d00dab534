import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import postcss, { type Container, type Root } from 'postcss'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))
const hashLength = 5

/** What the class names of the desk's own style sheets begin with. */
const ofDesk = 'desk_'

/** The class name of a module: those of the desk are told from all others, so that their rules can be. */
export function nameClass(name: string, file: string): string {
  const path = relative(folder, file.replace(/\?.*/, '')).replaceAll('\\', '/')
  const hash = createHash('sha256').update(path).digest('base64url').replaceAll(/\W/g, '_').slice(0, hashLength)
  return `${path.startsWith('src/desk/') ? ofDesk : '_'}${name}_${hash}`
}

/** Whether every selector is of the desk, or of the drawing of its charts. */
const isOfDesk = (selectors: readonly string[]): boolean =>
  selectors.every((selector) => selector.includes(`.${ofDesk}`) || /\.(?:uplot|u-)/.test(selector))

/** Takes away the rules that are not wanted, and the media queries that are empty then. */
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

/** Gives the desk a style sheet of its own beside the one of all, so that a reseller's phone does not load it. */
export function splitSheet(): Plugin {
  return {
    name: 'split-sheet',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const sheet = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.css'))
        const page = bundle['desk/index.html']
        if (sheet?.type !== 'asset' || page?.type !== 'asset') this.error('the style sheet or the page of the desk is not built')
        const source = String(sheet.source)
        const own = keepRules(postcss.parse(source), (selectors) => selectors.length > 0 && isOfDesk(selectors))
        sheet.source = keepRules(postcss.parse(source), (selectors) => selectors.length === 0 || !isOfDesk(selectors))
        const name = this.getFileName(this.emitFile({ type: 'asset', name: 'desk.css', source: own }))
        const [link = ''] = /<link rel="stylesheet"[^>]*>/.exec(String(page.source)) ?? []
        page.source = String(page.source).replace(link, () => `${link}${link.replace(sheet.fileName, name)}`)
      },
    },
  }
}
