import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { formatGhs, pesewas } from './pesewas.ts'
import { transferMany } from './transfer-many.ts'
import { lockWallets, walletId } from './wallets.ts'

export type CommissionMove = {
  readonly accountId: string
  /** Whole pesewas above 0; `all` for the whole balance of the Commission Wallet. */
  readonly amount: number | 'all'
  /** The account's own id of the move. The same id moves commission only once, and a repeat with another amount is refused. */
  readonly externalId?: string
  readonly actor: string
}

/** `refused`: nothing moved. Amounts and balances in whole pesewas. */
export type CommissionMoveResult =
  | { readonly state: 'moved' | 'replayed'; readonly moved: number; readonly commission: number; readonly main: number }
  | { readonly state: 'refused'; readonly why: 'not_enough' | 'external_id_taken'; readonly commission: number }

/**
 * Moves commission from an account's Commission Wallet to its main wallet (decision S8), only once per external id, even when
 * several callers do so at the same time.
 */
export async function transferCommission(tx: Tx, move: CommissionMove): Promise<CommissionMoveResult> {
  const { accountId, externalId } = move
  const purses = { commission: walletId({ accountId, purse: 'commission' }), main: walletId({ accountId, purse: 'main' }) }
  const wallets = await lockWallets(tx, [
    { accountId, purse: 'commission' },
    { accountId, purse: 'main' },
  ])
  const commission = wallets.get(purses.commission)?.balance ?? 0
  const main = wallets.get(purses.main)?.balance ?? 0
  // This transaction holds the wallets' locks, so an earlier move with this id has been committed.
  const earlier = externalId === undefined ? undefined : await findMove(tx, accountId, externalId)
  if (earlier) {
    if (move.amount !== 'all' && earlier.amount !== move.amount) return { state: 'refused', why: 'external_id_taken', commission }
    return { state: 'replayed', moved: earlier.amount, commission, main }
  }
  const amount = move.amount === 'all' ? commission : move.amount
  if (amount <= 0 || amount > commission) return { state: 'refused', why: 'not_enough', commission }
  const id = newId()
  await tx
    .insertInto('commission_moves')
    .values({ id, account_id: accountId, external_id: externalId ?? null, amount, actor: move.actor })
    .execute()
  await transferMany(tx, [{ causeId: id, kind: 'commission_move', accountId, fromPurse: 'commission', toPurse: 'main', amount }])
  return { state: 'moved', moved: amount, commission: commission - amount, main: main + amount }
}

function findMove(tx: Tx, accountId: string, externalId: string) {
  return tx
    .selectFrom('commission_moves')
    .select('amount')
    .where('account_id', '=', accountId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
}

const shown = (amount: number) => formatGhs(pesewas(amount))

/** Moves commission to the main wallet, once per external id, and logs the actor. */
export function moveCommission(db: Db, move: CommissionMove): Promise<CommissionMoveResult> {
  return inTransaction(db, async (tx) => {
    const result = await transferCommission(tx, move)
    if (result.state === 'moved') {
      const { moved, commission, main } = result
      const details = {
        amount: shown(moved),
        external_id: move.externalId ?? null,
        before: { commission: shown(commission + moved), main: shown(main - moved) },
        after: { commission: shown(commission), main: shown(main) },
      }
      await appendOperatorLog(tx, { actor: move.actor, action: 'commission transfer', subject: move.accountId, details })
    }
    return result
  })
}
