import { sql } from 'kysely'
import { createKey } from '../../accounts/create-key.ts'
import { watchOrderReports } from '../../orders/order-reports/watch-order-reports.ts'
import { raiseStuckAlarms } from '../../orders/schedule/raise-stuck-alarms.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { products } from '../../products/products.ts'
import { raiseLowStockAlarms } from '../../products/results-checker/raise-low-stock-alarms.ts'
import { raiseSmsAlarms } from '../../products/sms/link/conclude-overdue.ts'
import { floatWarningGhs } from '../../reports/reports.settings.ts'
import { rollUp } from '../../reports/roll-up.ts'
import { addOpenStaffWork } from './add-open-staff-work.ts'
import { inventedDomain } from './invent-accounts.ts'
import { inventHistory } from './write-demo-history.ts'

/** Enough for a shop that looks busy, and few enough to be written quickly. */
const monthOrderCount = 600
/** A fixed seed, so that all demos look alike. They are not equal, because the month ends at another moment. */
const monthSeed = 65

/** The type of vouchers that is running out, and the stock that the operator wants: more than the demo has. */
const scarceVouchers = { name: 'NOVDEC', wanted: 60 }

/** The float that the operator wants, in GHS: more than the simulated suppliers hold, so that their floats are low. */
const wantedFloatGhs = 12_000_000

/** Adds a key of an invented reseller that waits for the operator's approval. */
async function addPendingKey(tx: Tx, prefix: string): Promise<void> {
  const { id } = await tx
    .selectFrom('accounts')
    .select('id')
    .where('email', 'like', `%@${inventedDomain}`)
    .where('status', '=', 'active')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await createKey(tx, { accountId: id, type: 'sms', isPending: true, prefix, actor: 'ama' })
}

/**
 * Writes an invented month, which ends now, into a demo that is being set up: orders of the demo's reseller and of invented
 * resellers, and some work for the operator. The wallets of the demo's reseller must have no entries yet, because the entries of
 * a wallet must be in the order of time.
 */
export async function writeDemoMonth(
  tx: Tx,
  secretsKeys: SecretsKeys,
  demo: { readonly accountId: string; readonly keyPrefix: string },
): Promise<void> {
  const request = { orderCount: monthOrderCount, months: 1, seed: monthSeed, until: new Date() }
  await inventHistory(tx, secretsKeys, { ...request, ownAccountId: demo.accountId })
  await sql`
    update accounts set created_at = (select min(created_at) from orders where account_id = accounts.id) - interval '1 hour'
    where id = ${demo.accountId}`.execute(tx)
  await addPendingKey(tx, demo.keyPrefix)
  const { name, wanted } = scarceVouchers
  await tx.updateTable('voucher_types').set({ low_stock_count: wanted }).where('name', '=', name).execute()
}

/**
 * Adds open tasks for the operator. Then it counts the daily sums and raises the alarms, as a worker does, but prints none of
 * them. So reports show the month at once, and the first start prints no alarm about the past.
 */
export async function finishDemoMonth(db: Db): Promise<void> {
  await addOpenStaffWork(db)
  await writeSetting(db, floatWarningGhs, wantedFloatGhs, 'ama')
  const unheard = { error: () => undefined, info: () => undefined }
  await rollUp(db, products)
  await raiseStuckAlarms(db, unheard)
  await watchOrderReports(db, unheard)
  await raiseLowStockAlarms(db, unheard)
  await raiseSmsAlarms(db, unheard)
}
