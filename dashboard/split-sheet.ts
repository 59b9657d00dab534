import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import postcss, { type Container, type Root } from 'postcss'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))
const hashLength = 5

/** The first letters of every class name in the desk's style sheets. */
const ofDesk = 'desk_'

/**
 * Makes the class name of a style module. Names from the desk start with `desk_`, so that `splitSheet` can find their
 * rules.
 */
export function nameClass(name: string, file: string): string {
  const path = relative(folder, file.replace(/\?.*/, '')).replaceAll('\\', '/')
  const hash = createHash('sha256').update(path).digest('base64url').replaceAll(/\W/g, '_').slice(0, hashLength)
  return `${path.startsWith('src/desk/') ? ofDesk : '_'}${name}_${hash}`
}

/** True when every selector belongs to the desk or to uPlot, which draws its charts. */
const isOfDesk = (selectors: readonly string[]): boolean =>
  selectors.every((selector) => selector.includes(`.${ofDesk}`) || /\.(?:uplot|u-)/.test(selector))

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

/** Moves the rules of the desk into a second style sheet, so that a reseller's phone does not load them. */
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
