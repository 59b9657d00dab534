import { sql } from 'kysely'
import { findAccount } from '../../server/src/accounts/find-account.ts'
import { demoEmail } from '../../server/src/demo/demo-files.ts'
import { raiseAlarms } from '../../server/src/notices/raise-alarm.ts'
import type { Db } from '../../server/src/platform/database/database.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { newId } from '../../server/src/platform/database/new-id.ts'
import { appendOperatorLog } from '../../server/src/platform/operator-log/append-operator-log.ts'

/** As long as names get, and an address that has no place to break. */
const longName = 'Kwabena Nkansah-Boateng & Daughters Telecommunications Enterprise'
const longAddress = 'procurement.telecommunications.department'

/** Lines of the log as commands and screens write them: ids, moments, objects within lists. */
async function writeLog(db: Db, accountId: string): Promise<void> {
  const at = new Date().toISOString()
  const lines = [
    {
      action: 'account set-role',
      subject: accountId,
      details: { before: { role: 'agent' }, after: { role: 'dealer', expires_at: at } },
    },
    {
      action: 'setting set',
      subject: 'sms_content_rules',
      details: { before: [{ name: 'balance_alert', all: [['{amount}']] }], after: [] },
    },
    {
      action: 'commission transfer',
      subject: accountId,
      details: { account_id: accountId, amount: 12.5, terms: { reset_at: at } },
    },
    { action: 'orders export', subject: 'orders', details: { filters: { account_id: newId() } } },
  ]
  await inTransaction(db, async (tx) => {
    for (const line of lines) await appendOperatorLog(tx, { actor: 'cli:ama', ...line })
  })
}

/** Makes texts of the demo hard to fit and to read: long names and addresses, an alarm about a long subject, lines of the log. */
export async function writeHardTexts(db: Db): Promise<void> {
  const demo = await findAccount(db, demoEmail)
  await sql`
    update accounts set name = ${longName}, email = ${longAddress} || right(id::text, 4) || '@nkansah-boateng-enterprise.test'
    where id <> ${demo?.accountId} and id in (select account_id from orders group by account_id order by max(created_at) desc limit 4)`.execute(
    db,
  )
  if (demo) await writeLog(db, demo.accountId)
  const subject = 'datakazina/data/AirtelTigo-with-a-long-name'
  await raiseAlarms(db, [{ name: 'contradiction', subject, message: `The supplier says otherwise of ${subject}.` }])
}
