import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import { type Proposed, proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Tx } from '../../platform/database/database.ts'
import { transferMany } from '../transfer-many.ts'
import { type CreditedPurse, formatOfPurse, type NewWalletEntry, walletKindsOf } from './wallet-kinds.ts'

const CorrectionRequest = Type.Object({
  accountId: Type.String(),
  /** Whole pesewas, or whole credits. */
  amount: Type.Integer({ minimum: 1 }),
  creditId: Type.Union([Type.String(), Type.Null()]),
})
type CorrectionRequest = Static<typeof CorrectionRequest>

type Credit = { id: string; account_id: string; purse: string; amount: number; corrected: number }

/** Finds an entry of `wallet_credits`, of money or of SMS credits, by its id or by its external id. */
async function findCredit(tx: Tx, idOrExternalId: string): Promise<Credit | undefined> {
  const { rows } = await sql<Credit>`
    select id, account_id, purse, amount, coalesce((
      select sum(amount) from wallet_corrections where credit_id = wallet_credits.id), 0)::bigint as corrected
    from wallet_credits
    where id::text = lower(${idOrExternalId}) or external_id = ${idOrExternalId}`.execute(tx)
  return rows[0]
}

/** The reason why the requested amount of a credit cannot be taken back; undefined when it can. */
function refuseCredit(credit: Credit, purse: CreditedPurse, { accountId, amount }: CorrectionRequest): string | undefined {
  if (credit.account_id !== accountId) return `Credit ${credit.id} is one of another account.`
  if (credit.purse !== purse)
    return `Credit ${credit.id} is one of ${purse === 'main' ? 'SMS credits: use `makola sms correct`' : 'money: use `makola wallet correct`'}.`
  const left = credit.amount - credit.corrected
  if (amount <= left) return undefined
  const before = credit.corrected === 0 ? '' : `, ${formatOfPurse(purse, credit.corrected)} of it taken back before`
  return `Credit ${credit.id} was ${formatOfPurse(purse, credit.amount)}${before}: no more than it can be taken back.`
}

const kinds = walletKindsOf<CorrectionRequest>({
  verb: 'correct',
  schema: CorrectionRequest,
  direction: 'out',
  describe: ({ accountId, creditId }, amount) =>
    `take ${amount} back from account ${accountId}${creditId === null ? '' : `, of credit ${creditId}`}`,
  async refuse(tx, purse, request) {
    // Every correction of a credit holds its wallet's lock, so all of them together never take back more than the
    // credit.
    const credit = request.creditId === null ? undefined : await findCredit(tx, request.creditId)
    return credit && refuseCredit(credit, purse, request)
  },
  async carryOut(tx, purse, { accountId, amount, creditId }, { approvalId, reason, actor }) {
    const id = approvalId
    const row = { id, account_id: accountId, purse, credit_id: creditId, amount, reason, actor }
    await tx.insertInto('wallet_corrections').values(row).execute()
    // SMS credits always go back to their source. Money goes back to `top_ups` when the correction names a credit;
    // otherwise it is an adjustment.
    const toPurse = purse === 'sms_credits' ? 'sms_credit_sales' : creditId === null ? 'adjustments' : 'top_ups'
    const transfer = { causeId: id, kind: 'correction', accountId, fromPurse: purse, toPurse, amount, note: reason } as const
    await transferMany(tx, [transfer])
    return { amount: formatOfPurse(purse, amount), credit_id: creditId }
  },
})

/** Corrections of wallets always take two people. */
export const correctionKinds = Object.values(kinds)

export type NewCorrection = NewWalletEntry & {
  /** The wrong credit's id, or its external id. */
  readonly of: string | undefined
  readonly reason: string
  /** The page's reference. Requests with the same reference propose the correction only once. */
  readonly reference?: string | undefined
  /** True when the person knows of an equal correction that waits, and means another one. */
  readonly isAnother?: boolean | undefined
}

/**
 * Proposes to take money or credits back from a wallet. When a second person asks for the same on the command line, it is
 * carried out. A correction never takes a wallet below zero, nor more than the credit that it names.
 * @throws ApprovalRefusedError when there is no such credit, or the wallet or the credit has less left than the amount
 */
export async function correctWallet(tx: Tx, correction: NewCorrection): Promise<Proposed> {
  const { accountId, purse, amount, of, reason, person, reference, isAnother } = correction
  const credit = of === undefined ? undefined : await findCredit(tx, of)
  if (of !== undefined && !credit) throw new ApprovalRefusedError(`There is no credit with the id ${JSON.stringify(of)}.`)
  const request = { accountId, amount, creditId: credit?.id ?? null }
  return proposeApproval(tx, { kind: kinds[purse], subject: accountId, request, reason, person, reference, isAnother })
}
