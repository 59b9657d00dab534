import { ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import type { Tx } from '../../platform/database/database.ts'
import { onConstraint } from '../../platform/database/database-errors.ts'
import { transferMany } from '../transfer-many.ts'
import type { TopUpRow } from './read-top-up.ts'
import { checkTopUpMove } from './top-up-life.ts'

/** The columns that are written together with the state when a top-up is credited. */
export type CreditedWith = Partial<
  Pick<
    TopUpRow,
    'channel' | 'said' | 'evidence' | 'asked_at' | 'decided_by' | 'decided_os_user' | 'approval_id' | 'one_person_limit'
  >
>

/**
 * Credits a wallet with a top-up whose row this transaction has locked after the wallet. The transfer has the top-up as its
 * cause, so there can be only one.
 * @throws ApprovalRefusedError when the same transfer of a reseller has been credited as another top-up
 */
export async function creditTopUp(tx: Tx, topUp: TopUpRow, fields: CreditedWith): Promise<void> {
  checkTopUpMove(topUp.state, 'credited')
  await transferMany(tx, [
    {
      causeId: topUp.id,
      kind: 'top_up',
      accountId: topUp.account_id,
      fromPurse: 'top_ups',
      toPurse: 'main',
      amount: topUp.amount,
    },
  ])
  await tx
    .updateTable('top_ups')
    .set({ ...fields, state: 'credited', reason: null, next_ask_at: null, unanswered_since: null, ended_at: new Date() })
    .where('id', '=', topUp.id)
    .execute()
    .catch(
      onConstraint(
        'top_ups_credit_a_transfer_once',
        () => new ApprovalRefusedError('This transfer was credited at this moment for another account.'),
      ),
    )
}
