import type { RouteOptions } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The action of the operator's log under which the desk hands out a file, such as `orders export`. */
    exportedAs?: string
  }
}

/** Whether a route answers with a file of personal data or money: a table, or a statement. */
function givesFile({ method, schema }: RouteOptions): boolean {
  const { content } = ((schema?.response as Record<string, unknown> | undefined)?.['200'] ?? {}) as { content?: object }
  const types = Object.keys(content ?? {})
  return method === 'GET' && types.some((type) => type === 'text/csv' || type === 'application/pdf')
}

/**
 * Writes to the operator's log who takes a file along, and which: its filters stand in the details. The line is written
 * before the file leaves. A route that hands out a file without naming its action keeps the process from starting.
 */
export function logExports(desk: Api, db: Db): void {
  desk.addHook('onRoute', (route) => {
    if (givesFile(route) && route.config?.exportedAs === undefined) {
      throw new Error(`${route.url} hands out a file and does not say how the operator's log calls it`)
    }
  })
  desk.addHook('onSend', async (request, reply, payload) => {
    const { exportedAs: action } = request.routeOptions.config
    if (action === undefined || reply.statusCode !== 200) return payload
    const { staff, params, query } = request
    const subject = Object.values(params as Record<string, string>)[0] ?? action.split(' ')[0] ?? action
    await inTransaction(db, (tx) => appendOperatorLog(tx, { actor: staff.actor, action, subject, details: { filters: query } }))
    return payload
  })
}
