import { Marked, type Tokens } from 'marked'
import { escapeHtml, type Html, trusted } from '../platform/html.ts'
import { slugOf } from './openapi.ts'
import { renderCode, renderTable } from './page-pieces.ts'

/**
 * By name, the functions that make the HTML in place of a line such as `{{errors}}`, alone in its paragraph. Further words in
 * the braces are their arguments.
 */
export type Inserts = Readonly<Record<string, (...words: readonly string[]) => Html>>

const insertion = /^\{\{([a-z-]+)((?: [A-Za-z0-9._-]+)*)\}\}$/

function insert(text: string, inserts: Inserts): Html | undefined {
  const match = insertion.exec(text.trim())
  if (!match) return undefined
  const [, name = '', words = ''] = match
  const make = inserts[name]
  if (!make) throw new Error(`a page inserts {{${name}}}, which there is not`)
  return make(...words.trim().split(' ').filter(Boolean))
}

/**
 * Renders one of our guides. Headings get anchors, code is coloured, tables scroll by themselves, and HTML in the text is shown
 * as text.
 */
export function renderMarkdown(text: string, inserts: Inserts = {}): Html {
  const markdown = new Marked({ gfm: true })
  markdown.use({
    renderer: {
      heading({ tokens, depth }) {
        const content = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${content}</h1>\n`
        const id = slugOf(content.replaceAll(/<[^>]*>|&[a-z]+;|&#\d+;/g, ''))
        return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`
      },
      paragraph({ tokens, text: source }) {
        return insert(source, inserts)?.html ?? `<p>${this.parser.parseInline(tokens)}</p>\n`
      },
      code({ text: code, lang }) {
        return `${renderCode(code, `Example${lang ? ` in ${lang}` : ''}`, lang).html}\n`
      },
      table(token: Tokens.Table) {
        const cell = ({ tokens }: Tokens.TableCell) => trusted(this.parser.parseInline(tokens))
        const rows = token.rows.map((cells) => cells.map(cell))
        return renderTable(token.header.map(cell), rows, token.header.map(({ text: head }) => head).join(', ')).html
      },
      html({ text: source }) {
        return escapeHtml(source)
      },
    },
  })
  return trusted(markdown.parse(text, { async: false }))
}
