import type { Connection } from './connection.ts'
import { type MakolaError, StillOpenError, UnavailableError } from './errors.ts'
import { sleep } from './repeat.ts'
import type { Data } from './types.ts'

const finders = {
  data: 'findDataOrder',
  airtime: 'findAirtimeOrder',
  bill: 'findUtilityOrder',
  afa: 'findAfaOrder',
} as const

export type Product = keyof typeof finders
export type Ended<Name extends Product> = Data<(typeof finders)[Name]>

/** `failed` is missing, because the refund follows, and then the status is `refunded`. */
const endings = ['completed', 'refunded', 'cancelled']

const mayAnswerLater = (error: MakolaError) => error instanceof UnavailableError && error.reason !== 'untrusted_certificate'

/** Waits until an order has ended: every 2 seconds at first, later every minute. */
export async function waitUntilDone<Name extends Product = 'data'>(
  connection: Connection,
  reference: string,
  product: Name = 'data' as Name,
  waitSeconds = 600,
): Promise<Ended<Name>> {
  const endsAt = Date.now() + waitSeconds * 1_000
  const endpoint = finders[product]
  for (let wait = 2; ; wait = Math.min(wait * 1.5, 60)) {
    const deadlineSeconds = Math.max(1, (endsAt - Date.now()) / 1_000)
    const answer = await connection.ask({ endpoint, path: reference }, { deadlineSeconds })
    if ('refusal' in answer && !mayAnswerLater(answer.refusal)) throw answer.refusal
    const order = 'data' in answer ? (answer.data as Ended<Product>) : undefined
    if (order && endings.includes(order.status)) return order as Ended<Name>
    if (Date.now() + wait * 1_000 >= endsAt) {
      throw new StillOpenError(`The order is ${order?.status ?? 'not read'} after ${waitSeconds} seconds.`, {
        reason: 'still_open',
        reference,
      })
    }
    await sleep(wait)
  }
}
