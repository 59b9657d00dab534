import { findCall, listCalls } from '../../accounts/request-log/list-calls.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Order } from '../order.ts'

const callsRead = 50
const callsShown = 5

/** Reads the calls of the reseller's program about an order, newest first, and the body of the call that placed it. */
export async function readOrderCalls(db: Db, { id, accountId, reference }: Order) {
  const { calls } = await listCalls(db, { accountId, reference, limit: callsRead })
  const own = calls.filter(({ orderId, status }) => orderId === id || (orderId === null && status < 400))
  const placing = own.findLast(({ method, orderId }) => method === 'POST' && orderId === id)
  const inFull = placing && (await findCall(db, accountId, placing.callId))
  return {
    request: inFull ? JSON.stringify(inFull.request?.body ?? null, null, 2) : null,
    calls: own.slice(0, callsShown).map((call) => ({ ...call, id: call.callId, at: call.calledAt })),
  }
}
