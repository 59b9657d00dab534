import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import type { OrderItem, RepeatKey } from '../../order-kind.ts'

/** The holder of a reference of an account's own. `fingerprint` is SHA-256 in hexadecimal. */
export type AccountReference = {
  readonly account_id: string
  readonly service: string
  readonly reference: string
  readonly order_id: string
  readonly kind: string
  readonly fingerprint: string
}

type OwnKey = { readonly item: OrderItem; readonly key: RepeatKey & { scope: 'account' } }

function ownKeys(items: readonly OrderItem[]): OwnKey[] {
  return items.flatMap((item) => (item.repeatKey?.scope === 'account' ? { item, key: item.repeatKey } : []))
}

/**
 * Finds the holders of the accounts' own references in this batch (decision R1: name spaces of references). This transaction
 * holds the wallet's lock, without which nobody can take such a reference, so the answer stays true.
 */
export async function readAccountReferences(tx: Tx, items: readonly OrderItem[]): Promise<AccountReference[]> {
  const wanted = ownKeys(items)
  if (wanted.length === 0) return []
  const { rows } = await sql<AccountReference>`
    select account_id, service, reference, order_id, kind, encode(fingerprint, 'hex') as fingerprint
    from account_references
    where ${rowsOf(wanted, {
      account_id: ['uuid', ({ item }) => item.accountId],
      service: ['text', ({ key }) => key.service],
      reference: ['text', ({ key }) => key.reference],
    }).matching('account_references')}`.execute(tx)
  return rows
}

/** The table's key refuses a second order with the same reference, should the wallet's lock ever fail. */
export async function writeAccountReferences(tx: Tx, accepted: readonly OrderItem[]): Promise<void> {
  const taken = ownKeys(accepted)
  if (taken.length === 0) return
  await sql`
    insert into account_references (account_id, service, reference, order_id, kind, fingerprint)
    select account_id, service, reference, order_id, kind, decode(fingerprint, 'hex')
    from ${rowsOf(taken, {
      account_id: ['uuid', ({ item }) => item.accountId],
      service: ['text', ({ key }) => key.service],
      reference: ['text', ({ key }) => key.reference],
      order_id: ['uuid', ({ item }) => item.orderId],
      kind: ['text', ({ item }) => item.kind],
      fingerprint: ['text', ({ item }) => item.fingerprint],
    }).as('taken')}`.execute(tx)
}
