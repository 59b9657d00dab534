import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { numberKey } from '../by-people/receipt-number.ts'
import type { Pesewas } from '../pesewas.ts'
import { lockWallets } from '../wallets.ts'
import { findRepeated } from './make-top-up.ts'
import { readTopUp, type TopUpRow } from './read-top-up.ts'
import { topUpRefusals } from './top-ups.refusals.ts'

/** The most transfers of one account that may wait for a person at the same time. */
const waitingMax = 20

/** A transfer that a reseller made outside of the platform. */
export type ReportedTransfer = {
  readonly accountId: string
  readonly pageReference: string
  readonly amount: Pesewas
  /** The number of the transfer on its receipt. */
  readonly transferReference: string
  readonly note: string | undefined
  readonly madeBy: string
}

/**
 * Records a transfer, which then waits until a person confirms that the money has come.
 *
 * @throws RefusalError when this account has recorded it already and it was not declined, when too many transfers wait, or
 * when the page's reference belongs to another top-up
 */
export async function recordReportedTransfer(tx: Tx, request: ReportedTransfer): Promise<TopUpRow> {
  const { accountId, pageReference, amount, transferReference } = request
  await lockWallets(tx, [{ accountId, purse: 'main' }])
  const key = numberKey(transferReference)
  const earlier = await findRepeated(tx, { accountId, pageReference, way: 'transfer', amount, transferKey: key })
  if (earlier) return earlier
  const others = await tx
    .selectFrom('top_ups')
    .select(['transfer_key', 'state'])
    .where('account_id', '=', accountId)
    .where((where) => where.or([where('state', '=', 'waiting'), where('transfer_key', '=', key)]))
    .execute()
  if (others.some((other) => other.transfer_key === key && other.state !== 'declined')) {
    throw new RefusalError(topUpRefusals.transferNoted)
  }
  if (others.filter(({ state }) => state === 'waiting').length >= waitingMax) throw new RefusalError(topUpRefusals.tooManyOpen)
  const id = newId()
  await tx
    .insertInto('top_ups')
    .values({
      id,
      account_id: accountId,
      way: 'transfer',
      reference: `topup-${id}`,
      page_reference: pageReference,
      amount,
      fee: 0,
      state: 'waiting',
      made_by: request.madeBy,
      transfer_reference: transferReference,
      transfer_key: key,
      note: request.note ?? null,
    } as never)
    .execute()
  return (await readTopUp(tx, id)) as TopUpRow
}
