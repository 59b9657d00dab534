import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import { amountIn, formatAmount } from '../money/amount.ts'
import { correctWallet } from '../money/by-people/correct-wallet.ts'
import { type CreditOutcome, creditByPeople } from '../money/by-people/credit-by-people.ts'
import { type ReceiptWay, receiptId } from '../money/by-people/receipt-number.ts'
import { type CreditedPurse, formatOfPurse } from '../money/by-people/wallet-kinds.ts'
import type { AccountPurse } from '../money/money.tables.ts'
import { formatGhs, ghs, pesewas } from '../money/pesewas.ts'
import { readWallet } from '../money/read-wallet.ts'
import type { Proposed } from '../platform/approvals/propose-approval.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { askOnTerminal } from './frame/ask-on-terminal.ts'
import { checkExternalId } from './frame/check-external-id.ts'
import { describeConfirmed } from './frame/describe-confirmed.ts'
import { personOf } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { amountMax, checkText, readCount, readGhs, readGhsTakenBack } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

type CreditOptions = { account: string; note?: string; id?: string; way?: ReceiptWay; by?: string; yes?: true }
export type WalletCreditOptions = CreditOptions & { amount: string }
export type SmsCreditOptions = CreditOptions & { credits: string }

type CorrectOptions = { account: string; reason: string; by: string; of?: string; yes?: true }
export type WalletCorrectOptions = CorrectOptions & { amount: string }
export type SmsCorrectOptions = CorrectOptions & { credits: string }

/** Reads the account and its balance, for the question before money moves. */
async function readHolder(db: Db, idOrEmail: string, purse: CreditedPurse) {
  const { accountId, name, email } = await readAccount(db, idOrEmail)
  const { balance } = await readWallet(db, { accountId, purse })
  return { accountId, title: `${name} (${email})`, balance }
}

/** Names the confirmed proposal; undefined when it still waits. */
function confirmedBy(db: Db, { approvalId, status }: Proposed): Promise<string> | undefined {
  return status === 'done' ? describeConfirmed(db, approvalId) : undefined
}

type Credited = CreditOutcome & { readonly confirmed: string | undefined }

async function credit(purse: CreditedPurse, amount: number, options: CreditOptions): Promise<Credited> {
  checkText('--note', options.note)
  checkText('--id', options.id)
  checkText('--by', options.by)
  const config = readConfig()
  const person = personOf(options.by)
  return withDatabase(config, async (db) => {
    await checkExternalId(db, config, options.id)
    const { accountId, title, balance } = await readHolder(db, options.account, purse)
    const question = `Credit ${formatOfPurse(purse, amount)} to ${title}, who has ${formatOfPurse(purse, balance)}?`
    await askOnTerminal(question, options.yes === true)
    const { note } = options
    const externalId = options.id !== undefined && options.way ? receiptId(options.way, options.id) : options.id
    const isLive = config.suppliers === 'live'
    const outcome = await inTransaction(db, (tx) =>
      creditByPeople(tx, { accountId, purse, amount, externalId, note, person, isLive }),
    )
    return { ...outcome, confirmed: outcome.state === 'proposed' ? await confirmedBy(db, outcome) : undefined }
  })
}

/** Describes the result of a credit for people. */
function describeCredit(outcome: Credited, externalId: string | undefined): string {
  if (outcome.state === 'credited') {
    if (!outcome.isReplay) return `Credited. To take it back: --of ${outcome.creditId}.`
    return `${externalId} was credited before, at ${outcome.creditedAt.toISOString()} by ${outcome.creditedBy}: nothing moved now.`
  }
  return [outcome.confirmed === undefined ? outcome.why : undefined, outcome.confirmed ?? describeWaiting(outcome.approvalId)]
    .filter((line) => line !== undefined)
    .join('\n')
}

function describeWaiting(approvalId: string): string {
  return `Nothing moved yet: a second person confirms it within 7 days with \`makola approvals confirm ${approvalId} --by NAME\`.`
}

/** The fields of a credit's document that money and SMS credits share. */
function viewCredit(outcome: CreditOutcome) {
  if (outcome.state === 'proposed') return { approval_id: outcome.approvalId, status: outcome.status }
  return { status: 'done', credit_id: outcome.creditId, credited_before: outcome.isReplay }
}

export async function runWalletCredit(options: WalletCreditOptions): Promise<void> {
  const amount = readGhs('--amount', options.amount)
  const outcome = await credit('main', amount, options)
  const balance = pesewas(outcome.balance)
  const text = `${describeCredit(outcome, options.id)}\nThe main wallet holds ${formatGhs(balance)}.`
  printResult({ balance: ghs(balance), ...viewCredit(outcome) }, text)
}

export async function runSmsCredit(options: SmsCreditOptions): Promise<void> {
  const amount = readCount('--credits', options.credits, { least: 1, most: amountMax })
  const outcome = await credit('sms_credits', amount, options)
  const text = `${describeCredit(outcome, options.id)}\nThe account has ${formatAmount(amountIn('credits', outcome.balance))}.`
  printResult({ credits: outcome.balance, ...viewCredit(outcome) }, text)
}

async function correct(purse: CreditedPurse, amount: number, options: CorrectOptions): Promise<void> {
  checkText('--reason', options.reason)
  checkText('--by', options.by)
  checkText('--of', options.of)
  const { reason, of } = options
  const person = personOf(options.by)
  const { approvalId, status, confirmed } = await withDatabase(readConfig(), async (db) => {
    const { accountId, title, balance } = await readHolder(db, options.account, purse)
    const question = `Take ${formatOfPurse(purse, amount)} back from ${title}, who has ${formatOfPurse(purse, balance)}?`
    await askOnTerminal(question, options.yes === true)
    const proposed = await inTransaction(db, (tx) => correctWallet(tx, { accountId, purse, amount, of, reason, person }))
    return { ...proposed, confirmed: await confirmedBy(db, proposed) }
  })
  printResult({ approval_id: approvalId, status }, confirmed ?? describeWaiting(approvalId))
}

export async function runWalletCorrect(options: WalletCorrectOptions): Promise<void> {
  const amount = readGhsTakenBack('--amount', options.amount)
  await correct('main', Math.abs(amount), options)
}

export async function runSmsCorrect(options: SmsCorrectOptions): Promise<void> {
  const amount = readCount('--credits', options.credits, { least: -amountMax, most: -1 })
  await correct('sms_credits', Math.abs(amount), options)
}

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
    `Main wallet ${formatGhs(main)}, commission ${formatGhs(commission)}, ${formatAmount(amountIn('credits', credits))}.`,
  )
}
