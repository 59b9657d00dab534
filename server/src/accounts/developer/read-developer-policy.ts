import { readFileSync } from 'node:fs'
import { marked } from 'marked'

const file = new URL('../../../../docs/policies/developer-policy.md', import.meta.url)

/** A part of the policy with its heading. The first part has no heading. */
export type PolicyPart = { readonly heading: string | null; readonly texts: readonly string[]; readonly rules: readonly string[] }

/**
 * The rules for everybody who calls the API. An account must accept a new version before its next standard or commission key.
 */
export type DeveloperPolicy = {
  readonly version: number
  /** The day, as the text of the policy writes it. */
  readonly inForceFrom: string
  readonly parts: readonly PolicyPart[]
}

/** The line below the title, with the version's number. */
const versionLine = /^Version (\d+) · In force from (.+)$/

const plain = (text: string) => text.replaceAll('`', '').replaceAll('\n', ' ')

/**
 * Divides the policy's text at its second-level headings.
 *
 * @throws Error when the text has no line with its version, or a block that is no heading, paragraph or list
 */
function parsePolicy(text: string): DeveloperPolicy {
  const parts: { heading: string | null; texts: string[]; rules: string[] }[] = [{ heading: null, texts: [], rules: [] }]
  let named: { version: number; inForceFrom: string } | undefined
  for (const token of marked.lexer(text)) {
    const part = parts.at(-1)
    if (token.type === 'heading') {
      if (token['depth'] === 2) parts.push({ heading: plain(String(token['text'])), texts: [], rules: [] })
    } else if (token.type === 'paragraph') {
      const [, version, inForceFrom] = versionLine.exec(String(token['text'])) ?? []
      if (version !== undefined && inForceFrom !== undefined) named = { version: Number(version), inForceFrom }
      else part?.texts.push(plain(String(token['text'])))
    } else if (token.type === 'list') {
      for (const item of token['items'] as { text: string }[]) part?.rules.push(plain(item.text))
    } else if (token.type !== 'space') {
      throw new Error(`the developer policy holds a ${token.type}, which its page does not show`)
    }
  }
  if (!named) throw new Error('the developer policy does not say which version it is')
  return { ...named, parts }
}

let known: DeveloperPolicy | undefined

/** The policy in force, `docs/policies/developer-policy.md`; read once per process. */
export function readDeveloperPolicy(): DeveloperPolicy {
  known ??= parsePolicy(readFileSync(file, 'utf8'))
  return known
}
