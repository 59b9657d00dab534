import { isUtf8 } from 'node:buffer'
import { _, Ajv, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { decimalsKeyword, describeSchemaErrors } from './describe-schema-error.ts'
import { RefusalError, refusals } from './refusals.ts'
import { sensitiveKeyword } from './schemas.ts'

/** Limits the size of request bodies on the routes that a scope adds later and that set no limit themselves. */
export function limitBodies(scope: FastifyInstance, bytesOf: (route: RouteOptions) => number): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= bytesOf(route)
  })
}

const unreadable = (message: string) => new RefusalError(refusals.unreadableBody(message))

/**
 * Adds the only parser of API bodies: JSON in UTF-8, not compressed. Bytes that are not UTF-8, NUL characters and lone
 * surrogates are refused with 400, because they would reach a handler changed (decisions A10: how requests are read; A12b:
 * unreadable bodies are 400). When a key occurs twice, the last one counts. Keys that could change an object's prototype
 * are removed, so that they are ignored as any unknown field.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parseSafely = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding.toLowerCase() !== 'identity') {
      return done(unreadable('The body is compressed (Content-Encoding); send it as it is, not compressed.'))
    }
    // Some programs send the type of a body even where a route takes none, such as signing out.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null)
    if (body.length === 0) return done(unreadable('The body is empty; send a JSON object.'))
    if (!isUtf8(body)) return done(unreadable('The body is not valid UTF-8.'))
    const text = body.toString('utf8')
    // The parser answers through its callback, so the returned value is not used.
    void parseSafely(request, text, (error, value) => {
      if (error) return done(unreadable('The body is not valid JSON.'))
      // Valid JSON holds NUL and lone surrogates only as an escape.
      const problem = text.includes('\\u') ? findUnstorableText(value) : undefined
      if (problem) return done(unreadable(`The body holds ${problem}, which is not accepted.`))
      done(null, value)
    })
  })
}

/**
 * Prepares a scope for callbacks of suppliers and payment gateways. It asks for no API key. `request.body` is a Buffer with the
 * raw bytes, whatever their type, because signatures are made over the bytes.
 */
export function receiveCallbacks(app: FastifyInstance, bodyBytes: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  limitBodies(app, () => bodyBytes)
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
  })
}

function problemOf(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character'
  return text.isWellFormed() ? undefined : 'half of a surrogate pair'
}

/**
 * Searches a parsed value and its keys for text that PostgreSQL cannot store or would store changed, and for numbers that
 * are not finite. The function does not call itself, so deep values cost memory but cannot overflow the stack.
 * @returns the fault as a part of a sentence
 */
function findUnstorableText(root: unknown): string | undefined {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      const problem = problemOf(value)
      if (problem) return problem
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return 'a number that is not finite'
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) waiting.push(key, entry)
    }
  }
  return undefined
}

// The package is CommonJS: at run time this import is the function itself, although TypeScript sees a namespace.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/** Checks that a number has at most this many decimals. Very large numbers have none and pass. */
const hasDecimals = (decimals: number, value: number) => Number(value.toFixed(decimals)) === value

/** Refuses moments that no `Date` has, such as the leap second 23:59:60, which RFC 3339 and the library's format allow. */
function refuseImpossibleMoments(ajv: Ajv): void {
  const { validate } = ajv.formats['date-time'] as { readonly validate: (text: string) => boolean }
  ajv.addFormat('date-time', (text: string) => validate(text) && !Number.isNaN(Date.parse(text)))
}

/** The library's format also allows `urn:uuid:…`, which PostgreSQL does not read and none of our ids is. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

function newCompiler(coerceTypes: boolean, allErrors: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    allErrors,
    useDefaults: true,
    removeAdditional: false,
    strictTypes: false,
    // TypeBox makes only valid schemas. Checking them would take longer than compiling them.
    meta: false,
    validateSchema: false,
  })
  addFormats(ajv, ['uuid', 'date', 'date-time', 'email'])
  refuseImpossibleMoments(ajv)
  ajv.addFormat('uuid', uuid)
  ajv.addKeyword({
    keyword: decimalsKeyword,
    type: 'number',
    validate: hasDecimals,
    error: { message: 'has too many decimals', params: ({ schema }) => _`{limit: ${schema as number}}` },
  })
  ajv.addKeyword({ keyword: sensitiveKeyword, schemaType: 'boolean' })
  return ajv
}

/** Two validators: `judge` stops at the first fault; after a fault, `search` finds all of them. */
const bodies = { judge: newCompiler(false, false), search: newCompiler(false, true) }
const texts = { judge: newCompiler(true, false), search: newCompiler(true, true) }

/**
 * The most entries of a list that are searched for faults: the largest batch of orders, and one more that shows it is too long.
 */
const searchedEntriesMax = 101

/** The most unknown fields that a refusal names. Nobody reads a longer list. */
const unknownFieldsMax = 20

/** The fields to search for faults: unknown ones only where the schema refuses them. */
function searchedFields({ properties, additionalProperties }: JsonSchema, body: object): string[] {
  if (!properties) return Object.keys(body)
  const known = Object.keys(properties).filter((name) => Object.hasOwn(body, name))
  if (additionalProperties !== false) return known
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(properties, name))
  return [...known, ...unknown.slice(0, unknownFieldsMax)]
}

/** Cuts a body, so that a hostile one cannot make us copy a million fields or collect a million faults. */
function cutBody(schema: JsonSchema, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const cut = searchedFields(schema, body).map((name) => {
    const value: unknown = Reflect.get(body, name)
    return [name, Array.isArray(value) ? value.slice(0, searchedEntriesMax) : value]
  })
  return Object.fromEntries(cut)
}

/** Names the faulty fields of data that was refused (decision A10: how requests are read). */
function refusalOf(faults: ValidateFunction['errors'], schema: TSchema, data: unknown, part: string): RefusalError {
  const search = (part === 'body' ? bodies : texts).search.compile(schema)
  search(cutBody(schema, data))
  return new RefusalError(refusals.invalidRequest(describeSchemaErrors([...(search.errors ?? []), ...(faults ?? [])], part)))
}

/** The fields of a body that may be left out; null counts as left out (decision A10: how requests are read). */
function omissibleFields({ properties = {}, required = [] }: JsonSchema): string[] {
  return Object.keys(properties).filter((name) => !required.includes(name))
}

type JsonSchema = {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

function dropNulls(body: unknown, names: readonly string[]): void {
  if (typeof body !== 'object' || body === null) return
  const fields = body as Record<string, unknown>
  for (const name of names) if (fields[name] === null) delete fields[name]
}

/**
 * Compiles a route's schema. Values of a body are not converted, so `"5"` is not a number. Null for a field of the body that may
 * be left out is the same as leaving it out; within lists and objects of the body it stays null. Queries, paths and headers are
 * text and are converted (decision A10: how requests are read). Unknown fields are ignored, unless the schema refuses them.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  const isBody = httpPart === 'body'
  const validate = (isBody ? bodies : texts).judge.compile(schema)
  const refuse = (data: unknown) => ({ error: refusalOf(validate.errors, schema, data, httpPart) })
  if (isBody) {
    const omissible = omissibleFields(schema)
    return (data) => {
      dropNulls(data, omissible)
      return validate(data) ? { value: data } : refuse(data)
    }
  }
  return (data) => {
    // A percent-encoded NUL passes a text schema without a pattern, and would fail only in the database.
    const problem = findUnstorableText(data)
    if (problem)
      return { error: new RefusalError(refusals.invalidRequest(`The address holds ${problem}, which is not accepted.`)) }
    if (!validate(data)) return refuse(data)
    const coerced = findUnstorableText(data)
    if (coerced)
      return { error: new RefusalError(refusals.invalidRequest(`The address holds ${coerced}, which is not accepted.`)) }
    return { value: data }
  }
}
