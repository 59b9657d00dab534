/** A detail of a line of the log: its name, and its value in words. */
export type LogField = { readonly name: string; readonly value: string }

/** A change that a line of the log names: a field with its values before and after. */
export type LogChange = { readonly name: string; readonly before: string | null; readonly after: string | null }

/** The details of a line, divided for people to read. */
export type DescribedDetails = {
  readonly reason: string | null
  /** The IP address of a person at the desk; null for all other actions. */
  readonly address: string | null
  readonly changes: readonly LogChange[]
  /** All other details. */
  readonly fields: readonly LogField[]
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that is only a code: `balance_alert`. */
const wholeCode = /^[a-z]+(?:_[a-z0-9]+)+$/

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return '—'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(wordOf).join(', ')
  if (typeof value === 'string') return value.replaceAll(/[{}"]/g, '')
  if (isObject(value))
    return flatten(value, '')
      .map(({ name, value: inner }) => `${name}: ${inner.replace(wholeCode, (code) => code.replaceAll('_', ' '))}`)
      .join(', ')
  return JSON.stringify(value)
}

/** An object as its fields with their paths: `{ a: { b: 1 } }` is `a.b`. */
function flatten(value: unknown, path: string): LogField[] {
  if (!isObject(value)) return [{ name: path, value: wordOf(value) }]
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, path === '' ? name : `${path}.${name}`))
}

/** The fields of `before` or of `after`, by their names. A value that is no object is one field whose name is empty. */
function sideOf(value: unknown): ReadonlyMap<string, string> {
  if (value === null || value === undefined) return new Map()
  return new Map(flatten(value, '').map((field) => [field.name, field.value]))
}

function changesOf(before: unknown, after: unknown): LogChange[] {
  const [was, is] = [sideOf(before), sideOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].map((name) => ({
    name,
    before: was.get(name) ?? null,
    after: is.get(name) ?? null,
  }))
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Divides the details of a line of the operator's log: reason, address, before and after, and the rest by name. */
export function describeDetails(details: Json): DescribedDetails {
  const { reason, address, before, after, ...others } = details
  return {
    reason: textOrNull(reason),
    address: textOrNull(address),
    changes: changesOf(before, after),
    fields: flatten(others, '').filter(({ name }) => name !== ''),
  }
}
