import Type, { type TObject, type TSchema } from 'typebox'
import { accountNotFound, mustFindAccount } from '../people/accounts-at-desk/read-account-in-full.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError, refusals } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import type { OperationDeps, StaffOperation } from '../platform/operations/operation.ts'
import { wireNameOf } from '../platform/operations/wire.ts'

type RequestParts = { params?: TSchema; querystring?: TSchema; body?: TSchema }

/**
 * Divides the fields into those of the path and the others. The others are the body, or the query where a request has no body.
 */
function partsOf(input: TObject, method: string, path: string): RequestParts {
  const fields = Object.entries(input.properties)
  const inPath = path.includes(':') ? fields.filter(([name, field]) => path.includes(`:${wireNameOf(name, field)}`)) : []
  const schemaOf = (chosen: typeof fields, options = {}) =>
    chosen.length === 0 ? undefined : Type.Object(Object.fromEntries(chosen), options)
  const { type: _, required: _required, properties: _properties, ...options } = input
  const params = schemaOf(inPath)
  const others = schemaOf(
    fields.filter((field) => !inPath.includes(field)),
    options,
  )
  return { ...(params && { params }), ...(others && { [method === 'GET' ? 'querystring' : 'body']: others }) }
}

async function withAccount<Input extends { accountId: string }>({ db }: OperationDeps, input: Input): Promise<Input> {
  const { accountId } = await mustFindAccount(db, input.accountId)
  return { ...input, accountId }
}

export function registerOperation(desk: Api, operation: StaffOperation<unknown>, deps: OperationDeps): void {
  if (operation.route === undefined) return
  const { operationId = '', tag = '', summary, description, input, check, about, act } = operation
  const { permission, isConfirmationNeeded = false, refusals: refused = [], longWork } = operation
  const [method = '', url = ''] = operation.route.split(' ')
  const hasAccount = input.properties['accountId'] !== undefined
  desk.route({
    method,
    url,
    config: {
      ...(permission && { permission }),
      ...(isConfirmationNeeded && { isConfirmationNeeded }),
      ...(longWork !== undefined && { longWork }),
      refusals: hasAccount ? [accountNotFound, ...refused] : refused,
    },
    schema: {
      operationId,
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      ...partsOf(input, method, url),
      response: { 200: Envelope(operation.output) },
    },
    async handler({ staff, params, query, body }) {
      const sent = { ...(query as object), ...(body as object), ...(params as object) }
      const asked = hasAccount ? await withAccount(deps, sent as { accountId: string }) : sent
      const problem = check?.(asked)
      if (problem !== undefined) throw new RefusalError(refusals.invalidRequest(problem))
      const accountId = await about?.(deps, staff, asked)
      if (accountId !== undefined) staff.mustNotOwn(accountId)
      return ok(await act(deps, staff, asked))
    },
  })
}
