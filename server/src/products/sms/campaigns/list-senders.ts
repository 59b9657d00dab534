import type { Db } from '../../../platform/database/database.ts'

/** Names under which an account may send (contract, SMS records). */
export type Senders = {
  /** `own` when the default is one of the account's own senders (decision F6). */
  readonly mode: 'own' | 'pool'
  readonly defaultSender: string
  readonly senders: readonly { readonly sender: string; readonly type: 'own' | 'pool'; readonly isDefault: boolean }[]
}

/** Lists an account's approved senders, then the pool's. The account's own default is chosen before the pool's. */
export async function listSenders(db: Db, accountId: string): Promise<Senders> {
  const rows = await db
    .selectFrom('sms_senders')
    .select(['sender', 'account_id', 'is_default'])
    .where('status', '=', 'approved')
    .where((where) => where.or([where('account_id', '=', accountId), where('account_id', 'is', null)]))
    .orderBy('account_id', (order) => order.asc().nullsLast())
    .orderBy('sender')
    .execute()
  const own = rows.filter((row) => row.account_id !== null)
  // A sender that the account has itself is not listed again from the pool.
  const pool = rows.filter((row) => row.account_id === null && !own.some(({ sender }) => sender === row.sender))
  const ownDefault = own.find((row) => row.is_default)
  const poolDefault = rows.find((row) => row.account_id === null && row.is_default)
  const fallBack = poolDefault && (own.find(({ sender }) => sender === poolDefault.sender) ?? poolDefault)
  const chosen = ownDefault ?? fallBack ?? pool[0] ?? own[0]
  const view = (row: (typeof rows)[number]) => ({
    sender: row.sender,
    type: row.account_id === null ? ('pool' as const) : ('own' as const),
    isDefault: row === chosen,
  })
  const mode = chosen && chosen.account_id !== null ? 'own' : 'pool'
  return { mode, defaultSender: chosen?.sender ?? '', senders: [...own, ...pool].map(view) }
}
