import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { appendOperatorLog, type OperatorAct } from '../../platform/operator-log/append-operator-log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The action of the operator's log under which the staff take a file along, such as `orders export`. */
    exportedAs?: string
  }
}

/** Whether a route answers with a file of personal data or money: a table, or a statement. */
function givesFile({ method, schema }: RouteOptions): boolean {
  const { content } = ((schema?.response as Record<string, unknown> | undefined)?.['200'] ?? {}) as { content?: object }
  const types = Object.keys(content ?? {})
  return method === 'GET' && types.some((type) => type === 'text/csv' || type === 'application/pdf')
}

/** Keeps the process from starting when a route of this scope hands out a file and does not name its action. */
function requireActions(scope: Api): void {
  scope.addHook('onRoute', (route) => {
    if (givesFile(route) && route.config?.exportedAs === undefined) {
      throw new Error(`${route.url} hands out a file and does not say how the operator's log calls it`)
    }
  })
}

/** Writes one line for each file that leaves, before it leaves. Nothing is written where `actOf` answers undefined. */
function writeLines(scope: Api, db: Db, actOf: (request: FastifyRequest, action: string) => OperatorAct | undefined): void {
  requireActions(scope)
  scope.addHook('onSend', async (request, reply, payload) => {
    const { exportedAs: action } = request.routeOptions.config
    if (action === undefined || reply.statusCode !== 200) return payload
    const act = actOf(request, action)
    if (act) await inTransaction(db, (tx) => appendOperatorLog(tx, act))
    return payload
  })
}

/** Writes to the operator's log who takes a file along at the desk, and which: its filters stand in the details. */
export function logExports(desk: Api, db: Db): void {
  writeLines(desk, db, ({ staff, params, query }, action) => {
    const subject = Object.values(params as Record<string, string>)[0] ?? action.split(' ')[0] ?? action
    return { actor: staff.actor, action, subject, details: { filters: query } }
  })
}

/**
 * Writes to the operator's log which files somebody of the staff takes along while looking at an account as its reseller
 * does. The subject is the account. What resellers take of their own account is not written there.
 */
export function logExportsInViews(app: Api, db: Db): void {
  writeLines(app, db, ({ person, membership, params, query, ip: address }, action) => {
    if (!person.view) return undefined
    const filters = { ...(params as object), ...(query as object) }
    return { actor: person.email, action, subject: membership.accountId, details: { is_view: true, filters, address } }
  })
}
