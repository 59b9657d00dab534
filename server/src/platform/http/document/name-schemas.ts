import { isDeepStrictEqual } from 'node:util'

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values of these keys are data and no schema. */
const dataKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

/**
 * Moves every schema that has a title into `components.schemas` under that name, and leaves a reference in its place,
 * so that generated clients have one type per thing.
 *
 * @throws when two different schemas have the same title
 */
export function nameSchemas(document: { paths?: object; components?: { schemas?: object; responses?: object } }): void {
  const named = new Map<string, unknown>()

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit)
    if (!isNode(value)) return value
    const visited = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, dataKeys.has(key) ? each : visit(each)]))
    const { title } = visited
    if (typeof title !== 'string') return visited
    if (named.has(title) && !isDeepStrictEqual(named.get(title), visited)) {
      throw new Error(`two different schemas are called ${title}`)
    }
    named.set(title, visited)
    return { $ref: `#/components/schemas/${title}` }
  }

  document.paths = visit(document.paths ?? {}) as object
  const { schemas, ...others } = document.components ?? {}
  const responses = visit(others.responses ?? {}) as object
  // Components with a title are visited too; each one ends up under its own title again.
  visit(schemas ?? {})
  const sorted = [...named].toSorted(([a], [b]) => (a < b ? -1 : 1))
  document.components = { ...others, responses, schemas: Object.fromEntries(sorted) }
}
