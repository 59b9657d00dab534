import { readFile } from 'node:fs/promises'

const schemaFolder = new URL('../../../schema/', import.meta.url)

/** The whole schema of the first release. Migrations come after it. */
export const baselineName = '0001_baseline'

/**
 * The files of `server/schema/`, in the order in which they are run: a table after those that it refers to, a function
 * before what uses it. A room's tables stand in the file that is named as its `.tables.ts`, each function in a file of its
 * own.
 */
const baselineFiles = [
  'platform/refuse_to_change_history.sql',
  'platform/search_parts.sql',
  'platform/fold_letters.sql',
  'platform/platform.sql',
  'platform/secrets/secrets.sql',
  'platform/approvals/keep_approvals.sql',
  'platform/approvals/approvals.sql',
  'platform/chains/chains.sql',

  'networks/networks.sql',
  'accounts/raise_epoch_of_accounts.sql',
  'accounts/accounts.sql',
  'notices/notices.sql',
  'notices/incidents/incidents.sql',

  'money/money.sql',
  'money/commission.sql',
  'money/top-ups/keep_top_ups.sql',
  'money/top-ups/top-ups.sql',
  'guards/guards.sql',
  'gateways/gateways.sql',
  'suppliers/suppliers.sql',
  'reports/reports.sql',
  'people/people.sql',

  'orders/note_unrefunded_order.sql',
  'orders/orders.sql',
  'orders/write_batch.sql',
  'orders/open_batch_skipping_locked.sql',
  'orders/begin_attempts.sql',
  'orders/settle_attempts.sql',
  'orders/release_orders.sql',
  'orders/note_callbacks.sql',

  'products/data/data.sql',
  'products/data/lock_stock_of.sql',
  'products/data/give_back_stock_of.sql',
  'products/data/history/history.sql',
  'products/data/registration/registration.sql',
  'products/data/schedule/keep_ended_price_sets.sql',
  'products/data/schedule/schedule.sql',
  'products/utilities/utilities.sql',
  'products/results-checker/keep_sold_vouchers.sql',
  'products/results-checker/results-checker.sql',
  'products/results-checker/withdraw_vouchers.sql',
  'products/afa/afa.sql',
  'products/sms/sms.sql',
  'reconciliation/reconciliation.sql',
]

/** The text of each file, in order. */
export async function readBaseline(): Promise<string[]> {
  return Promise.all(baselineFiles.map((file) => readFile(new URL(file, schemaFolder), 'utf8')))
}
