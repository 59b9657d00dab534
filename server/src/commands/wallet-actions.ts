import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import type { AccountPurse } from '../money/money.tables.ts'
import { formatGhs, ghs, pesewas, pesewasFromText } from '../money/pesewas.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { checkExternalId, checkText } from './check-money-options.ts'
import { CommandError } from './command-error.ts'
import { operatorName } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { withDatabase } from './with-database.ts'

type CreditOptions = { account: string; note?: string; id?: string }
export type WalletCreditOptions = CreditOptions & { amount: string }
export type SmsCreditOptions = CreditOptions & { credits: string }

/** Far above any real credit, far below where sums would leave exact arithmetic. */
const amountMax = 100_000_000_000

type Credit = { purse: 'main' | 'sms_credits'; amount: number; action: string; options: CreditOptions }

async function credit({ purse, amount, action, options }: Credit): Promise<number> {
  checkText(options.note, '--note')
  checkText(options.id, '--id')
  const config = readConfig()
  const actor = operatorName()
  return withDatabase(config, async (db) => {
    await checkExternalId(db, config, options.id)
    return inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, options.account)
      const { balance, isReplay } = await creditWallet(tx, {
        accountId,
        purse,
        amount,
        actor,
        ...(options.id === undefined ? {} : { externalId: options.id }),
        ...(options.note === undefined ? {} : { note: options.note }),
      })
      if (!isReplay) {
        const details = { amount, external_id: options.id ?? null, note: options.note ?? null }
        await appendOperatorLog(tx, { actor, action, subject: accountId, details })
      }
      return balance
    })
  })
}

/** `makola wallet credit`. */
export async function runWalletCredit(options: WalletCreditOptions): Promise<void> {
  const amount = pesewasFromText(options.amount)
  if (amount === undefined || amount <= 0 || amount > amountMax) {
    throw new CommandError(
      `--amount must be GHS above 0 with at most 2 decimals, such as 100.00, not ${JSON.stringify(options.amount)}.`,
    )
  }
  const balance = pesewas(await credit({ purse: 'main', amount, action: 'wallet credit', options }))
  printResult({ balance: ghs(balance) }, `The main wallet holds ${formatGhs(balance)}.`)
}

/** `makola sms credit`. */
export async function runSmsCredit(options: SmsCreditOptions): Promise<void> {
  const amount = /^\d{1,12}$/.test(options.credits) ? Number(options.credits) : 0
  if (amount <= 0 || amount > amountMax) {
    throw new CommandError(`--credits must be a whole number above 0, not ${JSON.stringify(options.credits)}.`)
  }
  const credits = await credit({ purse: 'sms_credits', amount, action: 'sms credit', options })
  printResult({ credits }, `The account has ${credits} SMS credits.`)
}

/** `makola wallet show`. */
export async function runWalletShow(idOrEmail: string): Promise<void> {
  const { accountId, wallets } = await withDatabase(readConfig(), async (db) => {
    const account = await readAccount(db, idOrEmail)
    const rows = await db.selectFrom('wallets').select(['purse', 'balance']).where('account_id', '=', account.accountId).execute()
    return { accountId: account.accountId, wallets: new Map(rows.map((row) => [row.purse, row.balance])) }
  })
  const balanceOf = (purse: AccountPurse) => wallets.get(purse) ?? 0
  const main = pesewas(balanceOf('main'))
  const commission = pesewas(balanceOf('commission'))
  const credits = balanceOf('sms_credits')
  printResult(
    { account_id: accountId, balance: ghs(main), commission: ghs(commission), credits },
    `Main wallet ${formatGhs(main)}, commission ${formatGhs(commission)}, ${credits} SMS credits.`,
  )
}
