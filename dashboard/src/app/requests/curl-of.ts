import type { Schema } from '../../both/api/call-api.ts'

type Call = Schema<'CallDetail'>

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text in single quotes, as a shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The path of a call, with its query. */
export function calledPath({ path, params, query }: Call): string {
  const filled = isFields(params)
    ? path.replaceAll(/:(\w+)/g, (whole, name: string) => (name in params ? encodeURIComponent(textOf(params[name])) : whole))
    : path
  const search = isFields(query) ? Object.entries(query).map(([name, value]) => [name, textOf(value)]) : []
  return search.length === 0 ? filled : `${filled}?${new URLSearchParams(search).toString()}`
}

/** The call as a `curl` command, with a placeholder for the key. */
export function curlOf(call: Call, apiUrl: string): string {
  const lines = [`curl -X ${call.method} ${quoted(`${apiUrl}${calledPath(call)}`)}`, `-H 'Authorization: YOUR_KEY'`]
  if (call.body !== null) lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(call.body))}`)
  return lines.join(' \\\n  ')
}
