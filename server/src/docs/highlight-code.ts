import { escapeHtml, type Html, trusted } from './html.ts'

/** A comment, a text, a number, or a word of the language; enough for samples of a few lines. */
const tokens =
  /(?<comment>(?:^|(?<=\s))(?:#|\/\/)(?!\/).*$)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<number>(?<![\w-])\d[\d_.]*(?![\w-]))|(?<word>(?<![\w-])(?:const|let|await|async|function|if|else|for|while|new|throw|return|import|from|export|try|catch|except|raise|with|as|def|in|not|and|or|echo|do|done|then|fi|case|esac|true|false|null|True|False|None)(?![\w-]))/gm

const classes = { comment: 'c', text: 's', number: 'n', word: 'k' } as const

/** Marks up code for the colours of the style sheet. In JSON a key is told from a text by the colon behind it. */
export function highlightCode(code: string): Html {
  let marked = ''
  let at = 0
  for (const match of code.matchAll(tokens)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ['word']
    const isKey =
      kind === 'text' && /^\s*:(?!:)/.test(code.slice(match.index + match[0].length, match.index + match[0].length + 3))
    const name = isKey ? 'p' : classes[kind as keyof typeof classes]
    marked += `${escapeHtml(code.slice(at, match.index))}<i class="${name}">${escapeHtml(match[0])}</i>`
    at = match.index + match[0].length
  }
  return trusted(marked + escapeHtml(code.slice(at)))
}
