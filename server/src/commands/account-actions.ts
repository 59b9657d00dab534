import { describeNotices, PrintedNotices } from '../accounts/desk/printed-account.ts'
import { readAccount } from '../accounts/find-account.ts'
import { setAccountNotices } from '../accounts/notices/set-account-notices.ts'
import { readConfig } from '../config.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { toWire } from '../platform/operations/wire.ts'
import { internationalNumber } from '../products/sms/text/read-recipients.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readGhs } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type NoticeSettingsOptions = { account: string; lowBalance?: string; phone?: string }

/** Reads an option of `account set-notices`: `off` is null, an absent one undefined. */
function readNoticeOption<T>(text: string | undefined, read: (text: string) => T): T | null | undefined {
  if (text === undefined) return undefined
  return text === 'off' ? null : read(text)
}

function readPhone(text: string): string {
  const phone = internationalNumber(text)
  if (phone !== undefined) return phone
  throw new UsageError(`--phone must be a Ghana number as 0XXXXXXXXX or 233XXXXXXXXX, or off, not ${JSON.stringify(text)}.`)
}

export async function runAccountSetNotices(options: NoticeSettingsOptions): Promise<void> {
  const lowBalancePesewas = readNoticeOption(options.lowBalance, (text) => readGhs('--low-balance', text))
  const phone = readNoticeOption(options.phone, readPhone)
  if (lowBalancePesewas === undefined && phone === undefined) throw new UsageError('Give --low-balance, --phone, or both.')
  const { accountId, notices } = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const account = await readAccount(tx, options.account)
      const choices = {
        ...(lowBalancePesewas !== undefined && { lowBalancePesewas }),
        ...(phone !== undefined && { phone }),
      }
      const asked = { accountId: account.accountId, ...choices, actor: operatorName() }
      return { accountId: account.accountId, notices: await setAccountNotices(tx, asked) }
    }),
  )
  printResult({ account_id: accountId, notices: toWire(PrintedNotices, notices) }, `${accountId}  ${describeNotices(notices)}`)
}
