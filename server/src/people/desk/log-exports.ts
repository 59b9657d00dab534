import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { appendOperatorLog, type OperatorAct } from '../../platform/operator-log/append-operator-log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The action in the operator's log when staff download this route's file, such as `orders export`. */
    exportedAs?: string
  }
}

/** True when a route answers with a CSV or PDF file, which holds personal data or figures of money. */
function givesFile({ method, schema }: RouteOptions): boolean {
  const { content } = ((schema?.response as Record<string, unknown> | undefined)?.['200'] ?? {}) as { content?: object }
  const types = Object.keys(content ?? {})
  return method === 'GET' && types.some((type) => type === 'text/csv' || type === 'application/pdf')
}

/** Stops the process at its start when a route of this scope answers with a file and names no action. */
function requireActions(scope: Api): void {
  scope.addHook('onRoute', (route) => {
    if (givesFile(route) && route.config?.exportedAs === undefined) {
      throw new Error(`${route.url} hands out a file and does not say how the operator's log calls it`)
    }
  })
}

/** Writes to the operator's log before the first byte of a file is sent. Writes nothing where `actOf` returns undefined. */
function logDownloads(scope: Api, db: Db, actOf: (request: FastifyRequest, action: string) => OperatorAct | undefined): void {
  requireActions(scope)
  scope.addHook('onSend', async (request, reply, payload) => {
    const { exportedAs: action } = request.routeOptions.config
    if (action === undefined || reply.statusCode !== 200) return payload
    const act = actOf(request, action)
    if (act) await inTransaction(db, (tx) => appendOperatorLog(tx, act))
    return payload
  })
}

/** Logs each file that staff download at the desk. The details hold the file's filters. */
export function logExports(desk: Api, db: Db): void {
  logDownloads(desk, db, ({ staff, params, query }, action) => {
    const subject = Object.values(params as Record<string, string>)[0] ?? action.split(' ')[0] ?? action
    return { actor: staff.actor, action, subject, details: { filters: query } }
  })
}

/**
 * Logs each file that staff download while they view an account as its reseller sees it; the subject is the account. Downloads by
 * resellers are not logged.
 */
export function logExportsInViews(app: Api, db: Db): void {
  logDownloads(app, db, ({ person, membership, params, query, ip: address }, action) => {
    if (!person.view) return undefined
    const filters = { ...(params as object), ...(query as object) }
    return { actor: person.email, action, subject: membership.accountId, details: { is_view: true, filters, address } }
  })
}
