/** Says what is wrong with a value; undefined when nothing is. `place` is where it stands in the answer. */
export type Shape = (value: unknown, place: string) => string | undefined

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? 'nothing'

const shapeThat = (what: string, fits: (value: unknown) => boolean): Shape => {
  return (value, place) => (fits(value) ? undefined : `${place} should be ${what}, and is ${show(value)}`)
}

export const text = shapeThat('a text', (value) => typeof value === 'string')
export const number = shapeThat('a number', (value) => typeof value === 'number')
export const whole = shapeThat('a whole number', (value) => Number.isInteger(value))
export const trueOrFalse = shapeThat('true or false', (value) => typeof value === 'boolean')
export const amount = shapeThat(
  'an amount with at most two decimals',
  (value) => typeof value === 'number' && Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
)
const matching = (what: string, pattern: RegExp) => shapeThat(what, (value) => typeof value === 'string' && pattern.test(value))
export const uuid = matching('a UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
export const moment = matching('a date and time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/)
export const size = matching('a size such as 1GB', /^\d+(\.\d+)?GB$/)

export const oneOf = (...values: readonly unknown[]): Shape =>
  shapeThat(`one of ${values.join(', ')}`, (value) => values.includes(value))

export const orNull =
  (shape: Shape): Shape =>
  (value, place) =>
    value === null ? undefined : shape(value, place)
export const optional =
  (shape: Shape): Shape =>
  (value, place) =>
    value === undefined ? undefined : shape(value, place)

/** An object that has at least these fields. */
export function objectWith(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value, place) => {
    if (typeof value !== 'object' || value === null) return `${place} should be an object, and is ${show(value)}`
    for (const [name, shape] of Object.entries(shapes)) {
      const problem = shape((value as Record<string, unknown>)[name], `${place}.${name}`)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

export function listOf(shape: Shape, most = Number.POSITIVE_INFINITY): Shape {
  return (value, place) => {
    if (!Array.isArray(value)) return `${place} should be a list, and is ${show(value)}`
    if (value.length > most) return `${place} should have at most ${most} entries, and has ${value.length}`
    for (const [index, item] of value.entries()) {
      const problem = shape(item, `${place}[${index}]`)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}
