import { files, type SourceFile } from './read-sources.ts'

/** A call of the log with fields, and a list of fields that is made before the call. */
const callWithFields = /\b(?:log|lines)(?:\??\.(?:fatal|error|warn|info|debug|trace)|\[\w+\])\(\s*\{/g
const listOfFields = /\bconst (?:fields|late)\b[^=;]*= (?:\([^)]*\) => \()?\{/g

/** The text between a brace and its end, without what stands in braces, brackets and quotes inside of it. */
function topLevelOf(text: string, begin: number): string {
  let depth = 0
  let top = ''
  for (let at = begin; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if ('({['.includes(character)) depth += 1
    if (depth === 1 && !'({['.includes(character)) top += character
    if (')}]'.includes(character)) depth -= 1
    if (depth === 0) return top
  }
  return top
}

function fieldsAfter(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].flatMap((match) => {
    const body = topLevelOf(text, match.index + match[0].length - 1).replace(/\}$/, '')
    return body.split(',').flatMap((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1] ?? [])
  })
}

const isLogging = ({ text }: SourceFile) =>
  new RegExp(callWithFields.source).test(text) || /\blog(?:\.\w+|\[\w+\])\((?:fields|late)\b/.test(text)

/** The names of all fields that lines of the log have, as the sources write them. */
export function listLogFields(): string[] {
  const found = files.flatMap((file) => {
    const inCalls = fieldsAfter(file.text, callWithFields)
    return isLogging(file) ? [...inCalls, ...fieldsAfter(file.text, listOfFields)] : inCalls
  })
  return [...new Set(found)].toSorted()
}
