import { sql } from 'kysely'
import { ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import type { Tx } from '../../platform/database/database.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import { formatGhs, pesewas } from '../pesewas.ts'
import { type CreditedPurse, formatOfPurse } from './wallet-kinds.ts'

/** The ways in which money comes to the operator without a payment gateway. */
export const receiptWays = ['cash', 'bank', 'momo', 'other'] as const
export type ReceiptWay = (typeof receiptWays)[number]

/** The letters and digits of the number of a receipt or a transfer: the same however a person writes it. */
export function numberKey(number: string): string {
  return number
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The external id of a credit for a receipt, such as `cash 2041`. One number of one way is credited once. */
export function receiptId(way: ReceiptWay, number: string): string {
  return `${way} ${numberKey(number)}`
}

/** The possible external ids for a search for `2041`, `REC-2041` or `cash 2041`. */
export function receiptIdsOf(text: string): string[] {
  const [, way, rest = ''] = new RegExp(`^(${receiptWays.join('|')})\\b(.+)$`, 'iu').exec(text.trim()) ?? []
  const named = receiptWays.find((each) => each === way?.toLowerCase())
  return [text, ...receiptWays.map((each) => receiptId(each, text)), ...(named ? [receiptId(named, rest)] : [])]
}

type First = { account: string; purse: CreditedPurse; amount: number; actor: string; created_at: Date }

async function findFirst(tx: Tx, externalIds: readonly string[]): Promise<First | undefined> {
  const { rows } = await sql<First>`
    select account_id as account, purse, amount, actor, created_at from wallet_credits
    where external_id = any(${externalIds}::text[]) order by created_at limit 1`.execute(tx)
  return rows[0]
}

/**
 * Refuses a receipt that was credited before, at the desk or on the command line, and, except for cash, the number of a
 * reseller's transfer that was credited as a top-up.
 *
 * @throws ApprovalRefusedError naming the first credit, or when the number has neither letters nor digits
 */
export async function refuseUsedReceipt(tx: Tx, { way, number }: { way: ReceiptWay; number: string }): Promise<void> {
  const key = numberKey(number)
  if (key === '') throw new ApprovalRefusedError('The number of the receipt needs letters or digits.')
  const first = await findFirst(tx, [receiptId(way, number), number.trim()])
  if (first) {
    const amount = formatOfPurse(first.purse, first.amount)
    throw new ApprovalRefusedError(
      `${number.trim()} (${way}) was credited already: ${amount} to account ${first.account}, by ${first.actor} at ${showMoment(first.created_at)}. Nothing was credited now.`,
    )
  }
  const why = await explainCreditedTransfer(tx, receiptId(way, number), number.trim())
  if (why !== undefined) throw new ApprovalRefusedError(`${why} Nothing was credited now.`)
}

const transferId = new RegExp(`^(?:${receiptWays.filter((way) => way !== 'cash').join('|')}) (.+)$`, 'u')

/** Finds the credited top-up for the transfer of an external id: of the number after its way, or of exactly this id. */
async function explainCreditedTransfer(tx: Tx, externalId: string, shown = externalId): Promise<string | undefined> {
  const [, key = null] = transferId.exec(externalId) ?? []
  const { rows } = await sql<{ amount: number; account: string }>`
    select amount, account_id as account from top_ups
    where state = 'credited' and transfer_key = ${key ?? numberKey(externalId)}
      and (${key}::text is not null or transfer_reference = ${externalId}) limit 1`.execute(tx)
  const [topUp] = rows
  return topUp && `${shown} was credited already as a top-up: ${formatGhs(pesewas(topUp.amount))} to account ${topUp.account}.`
}

/**
 * Lets nobody else credit the transfer with this key, by hand or as a top-up, until the transaction ends: the wallets may be
 * those of two accounts. It is the last lock that a credit takes, after the wallet and the top-up.
 */
async function lockTransfer(tx: Tx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`makola transfer ${key}`}, 0))`.execute(tx)
}

/**
 * The reason why a credit with this external id would credit a reseller's transfer a second time; undefined when it would not.
 * The wallet must be locked.
 */
export async function refuseCreditedTransfer(tx: Tx, externalId: string): Promise<string | undefined> {
  await lockTransfer(tx, numberKey(transferId.exec(externalId)?.[1] ?? externalId))
  return explainCreditedTransfer(tx, externalId)
}

/** Finds the credit by hand for a transfer that a reseller reported, if there is one. The top-up must be locked. */
export async function findCreditOfTransfer(tx: Tx, transferNumber: string): Promise<First | undefined> {
  await lockTransfer(tx, numberKey(transferNumber))
  const ways = receiptWays.filter((way) => way !== 'cash')
  return findFirst(tx, [...ways.map((way) => receiptId(way, transferNumber)), transferNumber])
}
