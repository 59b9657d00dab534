import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { ErrorEnvelope } from '../envelope.ts'
import { nameSchemas } from './name-schemas.ts'

/** The path prefixes of the APIs that the dashboards call. */
const prefixes = ['/app/api', '/desk/api'] as const

const needs = (permission: string | undefined) =>
  permission === 'anyone'
    ? 'Needs no session.'
    : permission === 'person'
      ? 'Needs a session.'
      : `Needs the permission \`${permission}\`.`

function describeFaceRoute({ url, schema, config }: RouteOptions): object {
  if (!prefixes.some((prefix) => url.startsWith(`${prefix}/`))) return { ...schema, hide: true }
  const { permission, isConfirmationNeeded, limit, refusals = [] } = config ?? {}
  const statuses = new Set(refusals.map((refusal) => (typeof refusal === 'number' ? refusal : refusal.status)))
  if (schema?.body ?? schema?.params ?? schema?.querystring) statuses.add(400)
  if (permission !== 'anyone') for (const status of [401, 403] as const) statuses.add(status)
  if (limit) statuses.add(429)
  for (const status of [403, 500, 503] as const) statuses.add(status)
  const responses = Object.fromEntries([...statuses].toSorted((a, b) => a - b).map((status) => [status, ErrorEnvelope]))
  return {
    ...schema,
    description: [schema?.description, needs(permission)].filter(Boolean).join('\n\n'),
    response: { ...(schema?.response as object), ...responses },
    security: permission === 'anyone' ? [] : [{ Session: [] }],
    'x-permission': permission,
    ...(isConfirmationNeeded && { 'x-confirmation-needed': true }),
  }
}

/** Derives the OpenAPI 3.1 document of the dashboard from the routes registered after this call; `app.swagger()` returns it. */
export function describeDashboard(app: FastifyInstance): void {
  app.register(swagger, {
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Makola dashboard',
        version: '1.0.0',
        description:
          'What the pages under /app and /desk call. Every request that changes something needs an Origin of this site. `x-permission` names what a person needs: `anyone` no session, `person` a session, the others as the tables of permissions say.',
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: { Session: { type: 'apiKey', in: 'cookie', name: '__Host-makola_session' } },
        schemas: { ApiError: ErrorEnvelope },
      },
    },
    transform: ({ route, url }) => ({ schema: describeFaceRoute(route), url }),
    transformObject: (documents) => {
      if (!('openapiObject' in documents)) return documents.swaggerObject
      const { openapiObject } = documents
      nameSchemas(openapiObject)
      const operations = Object.values(openapiObject.paths ?? {}).flatMap((path) => Object.values(path ?? {}))
      const tags = new Set(operations.flatMap((operation) => (operation as { tags?: string[] }).tags ?? []))
      return { ...openapiObject, tags: [...tags].map((name) => ({ name })) }
    },
  })
}
