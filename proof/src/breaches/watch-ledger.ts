import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Installation } from '../installation.ts'

const pauseMilliseconds = 50

/** Each query finds a state that must never exist. */
const rules: Readonly<Record<string, string>> = {
  'a wallet differs from the sum of its transfers': `
    select wallets.account_id, wallets.purse, wallets.balance, coalesce(incoming, 0) - coalesce(outgoing, 0) as sum
    from wallets
    left join lateral (select sum(amount) as incoming from transfers
      where transfers.account_id = wallets.account_id and to_purse = wallets.purse and to_entry_no is not null) as i on true
    left join lateral (select sum(amount) as outgoing from transfers
      where transfers.account_id = wallets.account_id and from_purse = wallets.purse and from_entry_no is not null) as o on true
    where wallets.balance <> coalesce(incoming, 0) - coalesce(outgoing, 0)`,
  'an order has no debit of its price': `
    select orders.reference, orders.price, transfers.amount
    from orders left join transfers on transfers.cause_id = orders.id and transfers.kind = 'purchase'
    where transfers.amount is distinct from orders.price`,
  'a debit or refund has no order': `
    select transfers.cause_id, transfers.kind
    from transfers left join orders on orders.id = transfers.cause_id
    where transfers.kind in ('purchase', 'refund') and orders.id is null`,
}

export type LedgerWatch = {
  /** Number of snapshots in which all rules were checked. */
  reads(): number
  /**
   * Stops watching.
   * @throws Error that lists the forbidden states, if any were found
   */
  stop(): Promise<void>
}

async function readOnce(connection: Client): Promise<string[]> {
  const found: string[] = []
  await connection.query('begin isolation level repeatable read read only')
  for (const [rule, text] of Object.entries(rules)) {
    const { rows } = await connection.query(text)
    if (rows.length > 0) found.push(`${rule}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  await connection.query('commit')
  return found
}

/**
 * Checks the books during a run, with pauses of 50 ms, each time in one REPEATABLE READ snapshot. Waits while the database
 * does not answer.
 */
export function watchLedger(installation: Installation): LedgerWatch {
  const breaches: string[] = []
  let reads = 0
  const stopping = new AbortController()
  const isGoingOn = () => !stopping.signal.aborted && breaches.length === 0

  async function readUntilBroken(): Promise<void> {
    const connection = await installation.connectAsOwner()
    try {
      while (isGoingOn()) {
        breaches.push(...(await readOnce(connection)))
        reads += 1
        await sleep(pauseMilliseconds)
      }
    } finally {
      await connection.end().catch(() => undefined)
    }
  }

  async function readOn(): Promise<void> {
    while (isGoingOn()) {
      // Ignores the error: a database that was killed during the read proves nothing about the books.
      await readUntilBroken().catch(() => sleep(pauseMilliseconds))
    }
  }

  const reading = readOn()
  return {
    reads: () => reads,
    async stop() {
      stopping.abort()
      await reading
      if (breaches.length > 0) throw new Error(breaches.join('\n'))
    },
  }
}
