import type { Endpoints } from '../platform/http/document/record-endpoints.ts'
import type { Refusal } from '../platform/http/refusals.ts'

/** The part of JSON Schema that our documents use. */
export type Schema = {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly example?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export const typesOf = (schema: Schema): readonly string[] =>
  schema.type === undefined ? [] : typeof schema.type === 'string' ? [schema.type] : schema.type

type Content = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }

export type DocumentedParameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

/** A link from an answer to an endpoint with more about it, and where in the answer each parameter is found. */
export type DocumentedLink = { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }

type DocumentedResponse = Content & {
  readonly $ref?: string
  readonly description?: string
  readonly links?: Readonly<Record<string, DocumentedLink>>
}

type DocumentedOperation = {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly DocumentedParameter[]
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, DocumentedResponse>>
}

/** The part of an OpenAPI 3.1 document that the site uses. */
export type OpenApiDocument = {
  readonly info?: { readonly title?: string; readonly description?: string; readonly version?: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly paths?: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components?: {
    readonly responses?: Readonly<Record<string, DocumentedResponse>>
    readonly schemas?: Readonly<Record<string, Schema>>
  }
}

export type Answer = { readonly status: number; readonly description: string; readonly schema: Schema | undefined }

/** One endpoint, with all references followed. */
export type Operation = {
  readonly id: string
  readonly method: string
  /** The path below the server's prefix, with `{names}` for the parameters. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** One text per paragraph. */
  readonly description: readonly string[]
  readonly needsKey: boolean
  readonly parameters: readonly DocumentedParameter[]
  readonly body: Schema | undefined
  readonly answers: readonly Answer[]
  readonly links: readonly DocumentedLink[]
  /** The refusals that the endpoint declares, used as examples. */
  readonly refusals: readonly Refusal[]
}

/** The endpoints with one tag, such as those of a product. */
export type OperationGroup = { readonly tag: string; readonly slug: string; readonly operations: readonly Operation[] }

/** Turns a name into a part of an address: small letters, digits and hyphens. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function follow<Part extends { readonly $ref?: string }>(document: OpenApiDocument, part: Part): Part {
  if (part.$ref === undefined) return part
  const steps = part.$ref.replace(/^#\//, '').split('/')
  let found: unknown = document
  for (const step of steps) found = (found as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/')]
  if (found === undefined) throw new Error(`the OpenAPI document has no ${part.$ref}`)
  return found as Part
}

/** Follows the references of a schema, also in its properties, items and alternatives. */
function resolve(document: OpenApiDocument, schema: Schema): Schema {
  const { properties, items, anyOf, oneOf, ...rest } = follow(document, schema)
  const inner = (each: Schema) => resolve(document, each)
  return {
    ...rest,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  }
}

function jsonSchema(document: OpenApiDocument, part: Content | undefined): Schema | undefined {
  const schema = part?.content?.['application/json']?.schema
  return schema && resolve(document, schema)
}

function readOperation(
  document: OpenApiDocument,
  method: string,
  path: string,
  source: DocumentedOperation,
): Omit<Operation, 'refusals'> {
  return {
    id: source.operationId ?? slugOf(`${method} ${path}`),
    method: method.toUpperCase(),
    path,
    tag: source.tags?.[0] ?? 'Other',
    summary: source.summary ?? `${method.toUpperCase()} ${path}`,
    description: (source.description ?? '').split('\n\n').filter((paragraph) => paragraph !== ''),
    needsKey: source.security === undefined || source.security.length > 0,
    parameters: source.parameters ?? [],
    body: jsonSchema(document, source.requestBody),
    answers: Object.entries(source.responses ?? {}).map(([status, response]) => {
      const found = follow(document, response)
      return { status: Number(status), description: found.description ?? '', schema: jsonSchema(document, found) }
    }),
    links: Object.values(source.responses ?? {}).flatMap(({ links }) => Object.values(links ?? {})),
  }
}

/** Reads the endpoints of the document by tag, in the document's order. */
export function readOperations(document: OpenApiDocument, refusals: Endpoints['refusals'] = new Map()): OperationGroup[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, source]) => {
      const operation = readOperation(document, method, path, source)
      return { ...operation, refusals: refusals.get(operation.id) ?? [] }
    }),
  )
  return [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, of]) => ({ tag, slug: slugOf(tag), operations: of }))
}
