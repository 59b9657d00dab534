import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

// The package is CommonJS: at run time this import is the function itself, although TypeScript sees a namespace.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/** An answer as a test received it. */
export type ReceivedResponse = {
  readonly method: string
  /** The path as requested, with or without a query. */
  readonly path: string
  readonly status: number
  readonly body: unknown
  /** The answer's headers. If given, each of them must be declared in the document. */
  readonly headers?: Readonly<Record<string, unknown>>
}

type Reference = { $ref?: string }
type Response = Reference & { content?: Record<string, { schema?: object }>; headers?: object }
type OpenApiDocument = {
  servers?: { url: string }[]
  paths?: Record<string, Record<string, { responses?: Record<string, Response> }>>
  components?: { responses?: Record<string, Response> }
}

/** Headers of HTTP itself, which every server sends. OpenAPI describes `Content-Type` elsewhere. */
const headersOfHttp = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'])

const documentName = 'openapi.json'
const escapePointer = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')

/** `/orders/{reference}` as an expression that fits the requested path. */
function patternOf(template: string): RegExp {
  const source = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${source}$`)
}

/**
 * Gives a function that throws when an answer of the API does not fit the OpenAPI document: an endpoint's
 * status or header that is not documented, or a body that does not fit its schema. Answers to anything that is not
 * an endpoint must be the error envelope.
 *
 * @param source the document as `app.swagger()` gives it
 */
export function validateResponsesAgainst(source: object): (response: ReceivedResponse) => void {
  const document = source as OpenApiDocument
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema(document, documentName)
  const [server] = document.servers ?? []
  const prefix = server ? new URL(server.url).pathname : ''
  const templates = Object.keys(document.paths ?? {}).map((template) => ({ template, pattern: patternOf(template) }))
  const compiled = new Map<string, ValidateFunction>()

  function validatorAt(pointer: string): ValidateFunction {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentName}#${pointer}` })
    compiled.set(pointer, known)
    return known
  }

  function responseOf({ method, path, status }: ReceivedResponse): { pointer: string; response: Response } | undefined {
    const [bare = ''] = path.split('?')
    const found = templates.find(({ pattern }) => bare.startsWith(prefix) && pattern.test(bare.slice(prefix.length)))
    const verb = method.toLowerCase()
    const operation = found && document.paths?.[found.template]?.[verb]
    if (!operation) {
      if (status < 400) throw new Error(`${method} ${bare} answered ${status} but is not in the OpenAPI document`)
      return undefined
    }
    const response = operation.responses?.[String(status)]
    if (!response) throw new Error(`${method} ${found.template} answered ${status}, which its OpenAPI description does not list`)
    if (response.$ref === undefined) {
      return { pointer: `/paths/${escapePointer(found.template)}/${verb}/responses/${status}`, response }
    }
    const shared = document.components?.responses?.[response.$ref.replace(/^.*\//, '')]
    if (!shared) throw new Error(`the OpenAPI document has no ${response.$ref}`)
    return { pointer: response.$ref.slice(1), response: shared }
  }

  function checkHeaders({ method, path, status, headers = {} }: ReceivedResponse, response: Response): void {
    const declared = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
    const unknown = Object.keys(headers).filter((name) => !headersOfHttp.has(name) && !declared.has(name))
    if (unknown.length > 0)
      throw new Error(`${method} ${path} answered ${status} with headers not declared: ${unknown.join(', ')}`)
  }

  return (response) => {
    // An answer to HEAD has no body, whatever its status says (RFC 9110, section 9.3.2).
    if (response.method === 'HEAD' && response.body === undefined) return
    const found = responseOf(response)
    const validate = validatorAt(found ? `${found.pointer}/content/application~1json/schema` : '/components/schemas/ApiError')
    if (found) checkHeaders(response, found.response)
    if (validate(response.body)) return
    const problems = ajv.errorsText(validate.errors, { dataVar: 'body' })
    throw new Error(`${response.method} ${response.path} answered ${response.status} with a body that does not fit: ${problems}`)
  }
}
