import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { ErrorEnvelope, jsonContentType } from '../envelope.ts'
import { type RateLimit, requestsPerMinute } from '../limits/endpoint-limits.ts'
import { documentedHeaders, refusalHeaders, successHeaders } from './documented-headers.ts'
import { nameSchemas } from './name-schemas.ts'

/** The path of every endpoint of the contract begins with this. */
export const apiPrefix = '/api/v2'

/** The cause of each status, in the words of the contract's table of errors. */
const refusalTexts: Readonly<Record<string, string>> = {
  '400': 'The body or the parameters are not valid, or the wallet balance is not enough. This try charged nothing.',
  '401': 'The API key is missing or invalid. Says nothing about an earlier try.',
  '402': 'Insufficient SMS credits. This try charged nothing.',
  '403':
    'The key is of the wrong type, pending, revoked or used from an address that its owner did not allow, the account is suspended, or its role is not allowed. Says nothing about an earlier try.',
  '404': 'What was asked for does not exist, or belongs to somebody else. This try charged nothing.',
  '409': 'The reference was already used for a different request, or the request came twice. This try charged nothing.',
  '410': 'This endpoint was removed for good.',
  '429':
    'Too many requests with this key. Says nothing about an earlier try: repeat the same reference after `Retry-After` seconds.',
  '500': 'Something went wrong on our side. Retry with the same reference.',
  '502': 'A supplier could not be reached for a check or a look-up. This try charged nothing.',
  '503': 'Switched off by an administrator, or busy. Retry with the same reference after `Retry-After` seconds.',
}

const refusalsKey = 'x-refusals'

/** The statuses of a route besides 200: those of the common checks, and those that the route names. */
function refusalStatuses(schema: FastifySchema, config: RouteOptions['config']): string[] {
  const statuses = new Set(
    (config?.refusals ?? []).map((refusal) => String(typeof refusal === 'number' ? refusal : refusal.status)),
  )
  if (config?.keyType) for (const status of ['401', '403', '429', '500', '503']) statuses.add(status)
  if (schema.body ?? schema.querystring ?? schema.params) statuses.add('400')
  return [...statuses].toSorted()
}

function limitSentence(limit: RateLimit | undefined): string {
  const quota = limit && requestsPerMinute(limit, {})
  if (!limit) return ''
  if (quota === undefined) return 'No rate limit by default; we may set one.'
  return `Rate limit: ${quota} requests per key and minute, counted as \`${limit.name}\`.`
}

/** A route's schema for the document. For checking requests, Fastify uses the route's own schema without these additions. */
function describeRoute(route: RouteOptions): FastifySchema {
  const schema = { ...route.schema }
  if (!route.url.startsWith(apiPrefix)) return { ...schema, hide: true }
  const { keyType, limit } = route.config ?? {}
  const key = keyType ? `Takes ${keyType === 'sms' ? 'an SMS' : `a ${keyType}`} key.` : ''
  const description = [schema.description, key, limitSentence(limit)].filter(Boolean).join('\n\n')
  return { ...schema, description, [refusalsKey]: refusalStatuses(schema, route.config) } as FastifySchema
}

type Operation = { tags?: string[]; responses: Record<string, object> } & Record<string, unknown>
type Paths = Record<string, Record<string, Operation>>
type Document = {
  paths?: Paths
  /** The requests that we send to resellers' servers. */
  webhooks?: Paths
  tags?: { name: string }[]
  components?: { responses?: Record<string, object> }
}

const operationsOf = (paths: Paths = {}) => Object.values(paths).flatMap((path) => Object.values(path))

const isRefusal = (status: string) => Number(status) >= 400

/**
 * Replaces the list of statuses of each operation by references to shared responses, and removes shared responses that
 * no operation uses.
 */
function addRefusals(document: Document): Document {
  const tags = new Set<string>()
  const used = new Set<string>()
  for (const operation of operationsOf(document.paths)) {
    for (const tag of operation.tags ?? []) tags.add(tag)
    const statuses = (operation[refusalsKey] ?? []) as string[]
    delete operation[refusalsKey]
    for (const status of statuses) used.add(`Refused${status}`)
    // A retired route answers only 410, but Fastify's plug-in adds a success to every route.
    const successes = statuses.includes('410') ? [] : Object.entries(operation.responses).filter(([status]) => !isRefusal(status))
    operation.responses = Object.fromEntries([
      ...successes.map(([status, response]) => {
        const headers = successHeaders(statuses.includes('409'))
        return [status, { ...response, description: 'Done.', headers }]
      }),
      ...statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
    ]) as Record<string, object>
  }
  for (const { tags: named = [] } of operationsOf(document.webhooks)) for (const tag of named) tags.add(tag)
  document.tags = [...tags].map((name) => ({ name }))
  const responses = document.components?.responses ?? {}
  for (const name of Object.keys(responses)) if (!used.has(name)) delete responses[name]
  return document
}

function sharedResponses(): Record<string, { description: string }> {
  const entries = Object.entries(refusalTexts).map(([status, description]) => [
    `Refused${status}`,
    {
      description,
      headers: refusalHeaders(status),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
    },
  ])
  return Object.fromEntries(entries) as Record<string, { description: string }>
}

export type DescribeOptions = {
  /** The public address of this installation, without a slash at the end. */
  readonly publicUrl: string
  /** Adds examples of requests and answers. They come from `docs/`, which this folder may not import. */
  readonly addExamples: (document: object) => void
  /** The requests that we send, by their events. */
  readonly webhooks: Readonly<Record<string, object>>
}

/**
 * Derives the OpenAPI 3.1 document from the schemas of the routes registered after this call, and serves it at
 * `/openapi.json`.
 */
export function describeApi(app: FastifyInstance, options: DescribeOptions): void {
  app.register(swagger, {
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      webhooks: options.webhooks,
      info: {
        title: 'Makola reseller API',
        version: '2.0.0',
        description:
          'Digital services in Ghana, paid for from the wallet of the account. Money is in GHS with at most 2 decimals. Requests that move money take a `reference` of your choice: repeat a request with the same reference and it is never charged twice. In a body, `null` for a field that is not required is the same as leaving it out.',
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: `${options.publicUrl}${apiPrefix}`, description: 'This installation' }],
      security: [{ ApiKey: [] }],
      components: {
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The raw key, without `Bearer`.' },
        },
        schemas: { ApiError: ErrorEnvelope },
        headers: documentedHeaders,
        responses: sharedResponses(),
      },
    },
    transform: ({ route, url }) => ({ schema: describeRoute(route), url: url.replace(apiPrefix, '') }),
    transformObject: (documents) => {
      if (!('openapiObject' in documents)) return documents.swaggerObject
      const document = addRefusals(documents.openapiObject as Document)
      nameSchemas(document)
      options.addExamples(document)
      return document
    },
  })
  app.register(async (scope) => {
    let text: string | undefined
    scope.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
      text ??= JSON.stringify(scope.swagger())
      return reply.type(jsonContentType).send(text)
    })
  })
}
