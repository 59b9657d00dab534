import { sql } from 'kysely'
import { amountIn } from '../../../money/amount.ts'
import { transferMany } from '../../../money/transfer-many.ts'
import { lockWallets } from '../../../money/wallets.ts'
import { moveOrders } from '../../../orders/settlement/move-orders.ts'
import { notifyOfLateRefunds } from '../../../orders/settlement/notify-of-late-refunds.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { findOldestOpen } from './open-campaigns.ts'

/** Segments of a message, in a statement over `sms_campaigns as campaign` and `sms_messages as message`. */
export const segmentsOfMessage = sql<number>`coalesce(campaign.segments_of_each[message.n], campaign.segments)`

type Settling = {
  id: string
  account_id: string
  recipients_count: number
  failed: number
  reference: string
  placed_at: Date
}

/** Ends the order. If no message was accepted, the order is refunded like any other, otherwise only the failed part. */
async function endOrder(tx: Tx, campaign: Settling, credits: number): Promise<void> {
  const isFailed = campaign.failed === campaign.recipients_count
  const move = [{ orderId: campaign.id, reason: null }]
  const moved = await moveOrders(tx, 'processing', isFailed ? 'failed' : 'completed', 'worker', move)
  if (moved.length !== 1) throw new Error(`campaign ${campaign.id} is in processing, but its order is not`)
  if (isFailed) await moveOrders(tx, 'failed', 'refunded', 'worker', move)
  await sql`delete from open_orders where order_id = ${campaign.id}`.execute(tx)
  if (credits === 0) return
  await transferMany(tx, [
    {
      causeId: campaign.id,
      kind: isFailed ? 'refund' : 'sms_refund',
      accountId: campaign.account_id,
      fromPurse: 'sms_sales',
      toPurse: 'sms_credits',
      amount: credits,
    },
  ])
  const { id: orderId, account_id: accountId, reference, placed_at: placedAt } = campaign
  await notifyOfLateRefunds(tx, [{ orderId, accountId, reference, placedAt, given: amountIn('credits', credits) }])
}

function settleCampaign(db: Db, campaignId: string, accountId: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    // Wallets are locked before any other row, in every transaction, so that two transactions cannot deadlock.
    await lockWallets(tx, [{ accountId, purse: 'sms_credits' }])
    const { rows: locked } = await sql<Omit<Settling, 'failed'>>`
      select campaign.id, campaign.account_id, recipients_count, orders.reference, orders.created_at as placed_at
      from sms_campaigns as campaign left join orders on orders.id = campaign.id
      where campaign.id = ${campaignId} and campaign.status = 'processing' and open_count = 0
      for update of campaign`.execute(tx)
    const [campaign] = locked
    if (!campaign) return
    const { rows } = await sql<{ failed: number; credits: number }>`
      select count(*) as failed, coalesce(sum(${segmentsOfMessage}), 0) as credits
      from sms_messages as message join sms_campaigns as campaign on campaign.id = message.campaign_id
      where message.campaign_id = ${campaignId} and message.status = 'failed'`.execute(tx)
    const { failed = 0, credits = 0 } = rows[0] ?? {}
    await endOrder(tx, { ...campaign, failed }, credits)
    const status = failed === campaign.recipients_count ? 'failed' : 'completed'
    await sql`
      update sms_campaigns set status = ${status}, credits_refunded = ${credits}, settled_at = clock_timestamp()
      where id = ${campaignId}`.execute(tx)
  })
}

type Ended = { readonly id: string; readonly account_id: string }

/**
 * Settles each campaign, even if others fail.
 * @returns the errors
 */
async function settleEach(db: Db, campaigns: readonly Ended[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const { id, account_id } of campaigns) {
    await settleCampaign(db, id, account_id).catch((error: unknown) => failures.push(error))
  }
  return failures
}

function throwFailures(failures: readonly unknown[]): void {
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} campaigns could not be settled`)
}

/**
 * Settles those of these campaigns that have no `queued` message left: `failed` when all messages failed, else `completed`.
 * One transfer refunds a credit for each segment of every failed message: refused, cancelled, or never sent in time
 * (decisions M6: when a campaign settles; M6b: a receipt refunds nothing). Of several processes only one settles a campaign:
 * its state decides, and the ledger's key refuses a second refund.
 * @throws AggregateError when some could not be settled; the others are
 */
export async function settleCampaigns(db: Db, campaignIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Ended>`
    select id, account_id from sms_campaigns
    where id = any(${campaignIds}::uuid[]) and status = 'processing' and open_count = 0 order by id`.execute(db)
  throwFailures(await settleEach(db, rows))
}

const pageSize = 200

/**
 * Settles all campaigns that have no `queued` message left, page by page: those that cannot be settled must not hide the
 * ones after them.
 * @throws AggregateError when some could not be settled; the others are
 */
export async function settleAllCampaigns(db: Db): Promise<void> {
  const failures: unknown[] = []
  const since = await findOldestOpen(db)
  if (!since) return
  let last: string | undefined
  do {
    const { rows }: { rows: Ended[] } = await sql<Ended>`
      select id, account_id from sms_campaigns
      where status = 'processing' and open_count = 0 and ${since('id')} and (${last ?? null}::uuid is null or id > ${last ?? null}::uuid)
      order by id limit ${pageSize}`.execute(db)
    failures.push(...(await settleEach(db, rows)))
    last = rows.length < pageSize ? undefined : rows.at(-1)?.id
  } while (last !== undefined)
  throwFailures(failures)
}
