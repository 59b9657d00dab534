import { type Html, html } from '../platform/html.ts'
import { highlightCode } from './highlight-code.ts'
import type { Sample } from './write-samples.ts'

/** One block of code that scrolls by itself, also from the keyboard. */
export function renderCode(code: string, label: string, language: string | undefined): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${highlightCode(code, language)}</code></pre>`
}

/**
 * Renders the same program in several languages, one shown at a time. The choice is a group of radio buttons that the style sheet
 * follows, so that it works without a script and from the keyboard.
 *
 * @param name unique on its page
 */
export function renderSamples(samples: readonly Sample[], name: string, label: string): Html {
  return html`<fieldset class="samples"><legend>${label}</legend>
${samples.map(
  ({ language, name: title }, index) =>
    html`<input type="radio" name="${name}" id="${name}-${language}" class="pick-${language}"${index === 0 ? html` checked` : null}><label for="${name}-${language}">${title}</label>`,
)}
${samples.map(({ language, name: title, code }) => html`<div class="sample in-${language}">${renderCode(code, `${label} in ${title}`, language)}</div>\n`)}</fieldset>`
}
