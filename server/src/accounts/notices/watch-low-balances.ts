import { sql } from 'kysely'
import { formatGhs, ghs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import { readPace } from '../../money/read-pace.ts'
import type { ResellerNotice } from '../../notices/queue-notices.ts'
import { queueWebhookEvents, type WebhookEvent } from '../../notices/webhooks/queue-webhook-events.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { notifyAccounts } from './notify-accounts.ts'

type Fall = { account_id: string; falls: number; balance: number; low_balance: number }

/** Allows the next notice of accounts that are not below their threshold any more, or have none. */
async function allowNextNotices(db: Db): Promise<void> {
  await sql`
    update account_notice_settings as choice set low_since = null
    from wallets
    where wallets.account_id = choice.account_id and wallets.purse = 'main' and choice.low_since is not null
      and (choice.low_balance is null or wallets.balance >= choice.low_balance)`.execute(db)
}

/** Marks the active accounts that are below their threshold and have no notice yet. */
async function markFalls(tx: Tx): Promise<Fall[]> {
  const { rows } = await sql<Fall>`
    update account_notice_settings as choice set low_since = clock_timestamp(), falls = choice.falls + 1
    from wallets join accounts on accounts.id = wallets.account_id
    where wallets.account_id = choice.account_id and wallets.purse = 'main' and accounts.status = 'active'
      and choice.low_since is null and wallets.balance < choice.low_balance
    returning choice.account_id, choice.falls, wallets.balance, choice.low_balance`.execute(tx)
  return rows
}

/** Describes how long a balance lasts at a pace of pesewas a day. */
function describeDays(balance: Pesewas, perDay: number): string {
  const days = Math.floor(balance / perDay)
  if (days < 1) return 'less than a day'
  return days === 1 ? 'about 1 day' : `about ${days.toLocaleString('en-US')} days`
}

function lowBalanceNotice(fall: Fall, perDay: number | undefined): ResellerNotice {
  const balance = pesewas(fall.balance)
  const isUsed = perDay !== undefined && perDay > 0 && balance > 0
  const lasts = isUsed ? ` At the pace of your last days it lasts ${describeDays(balance, perDay)}.` : ''
  const fact = `Your main wallet holds ${formatGhs(balance)}, less than the ${formatGhs(pesewas(fall.low_balance))} at which you asked to be told.`
  return {
    accountId: fall.account_id,
    kind: 'low_balance',
    about: `fall ${fall.falls}`,
    subject: `Your balance is low: ${formatGhs(balance)}`,
    text: `${fact}${lasts}\n\nWhat to do: top up. An order that costs more than the wallet holds is refused.`,
    sms: `Your balance is low: ${formatGhs(balance)}.${lasts} Please top up.`,
  }
}

const lowBalanceEvent = (fall: Fall): WebhookEvent => ({
  accountId: fall.account_id,
  type: 'wallet.low',
  subject: `${fall.account_id} low`,
  data: { balance: ghs(pesewas(fall.balance)), limit: ghs(pesewas(fall.low_balance)), unit: 'GHS' },
})

/**
 * Notifies accounts whose main wallet has fallen below their threshold, once for each fall: the next notice comes only after
 * the balance has reached the threshold, or the threshold has changed. A fall that ends between two runs sends no notice.
 */
export async function watchLowBalances(db: Db): Promise<void> {
  await allowNextNotices(db)
  await inTransaction(db, async (tx) => {
    const falls = await markFalls(tx)
    if (falls.length === 0) return
    const paces = await readPace(
      tx,
      falls.map((fall) => fall.account_id),
    )
    await notifyAccounts(
      tx,
      falls.map((fall) => lowBalanceNotice(fall, paces.get(fall.account_id))),
    )
    await queueWebhookEvents(tx, falls.map(lowBalanceEvent))
  })
}
