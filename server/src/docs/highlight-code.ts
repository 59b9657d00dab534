import { createRequire } from 'node:module'
import { escapeHtml, type Html, trusted } from '../platform/html.ts'

/** The part of highlight.js that we use. Its own types would make the globals of browsers known to the whole server. */
type Highlighter = {
  newInstance(): Highlighter
  configure(options: { readonly classPrefix: string }): void
  registerLanguage(name: string, language: unknown): void
  getLanguage(name: string): object | undefined
  highlight(code: string, options: { readonly language: string }): { readonly value: string }
}

const load = createRequire(import.meta.url)
const highlighter = (load('highlight.js/lib/core') as Highlighter).newInstance()
for (const name of ['bash', 'http', 'javascript', 'json', 'php', 'python']) {
  highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`))
}
// The prefix of the classes in the style sheet. It is short, because a page has thousands of them.
highlighter.configure({ classPrefix: 'h-' })

/** The language of samples that are named after a program instead of a language. */
const languageOf: Readonly<Record<string, string>> = { curl: 'bash' }

/** Marks up code for the colours of the style sheet. Leaves code in an unknown language plain. */
export function highlightCode(code: string, language: string | undefined): Html {
  const name = languageOf[language ?? ''] ?? language ?? ''
  if (highlighter.getLanguage(name) === undefined) return trusted(escapeHtml(code))
  return trusted(highlighter.highlight(code, { language: name }).value)
}
