/** Text that is safe in a page. Only `html` and `trusted` make it. */
export type Html = { readonly html: string }

type Value = Html | string | number | null | undefined | false | readonly Value[]

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}

function write(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'html' in value ? value.html : value.map(write).join('')
}

/** A template that escapes its values unless they are HTML already. Joins lists; missing values give an empty text. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: strings.reduce((text, string, index) => `${text}${write(values[index - 1])}${string}`) }
}

/** Marks a text as HTML without escaping it. Only for text that the code made itself. */
export function trusted(text: string): Html {
  return { html: text }
}
