import Type, { type Static } from 'typebox'
import { wasAnswered } from '../../platform/approvals/answer-again.ts'
import { ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import { isProposed, type Proposed, proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { creditWallet, findEarlierCredit, type WalletCreditResult } from '../credit-wallet.ts'
import { readCreditLimit } from '../money.settings.ts'
import { lockWallets, readWallet } from '../wallets.ts'
import { explainSecondPerson, readAllowance } from './one-person-allowance.ts'
import { type ReceiptWay, receiptId, refuseCreditedTransfer, refuseUsedReceipt } from './receipt-number.ts'
import { formatOfPurse, type NewWalletEntry, walletKindsOf } from './wallet-kinds.ts'

const CreditRequest = Type.Object({
  accountId: Type.String(),
  amount: Type.Integer({ minimum: 1 }),
  externalId: Type.Union([Type.String(), Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
})
type CreditRequest = Static<typeof CreditRequest>

const kinds = walletKindsOf<CreditRequest>({
  verb: 'credit',
  schema: CreditRequest,
  direction: 'in',
  describe: ({ accountId }, amount) => `credit ${amount} to account ${accountId}`,
  // The reseller's own transfer may have been confirmed while the proposal waited.
  refuse: (tx, _purse, { externalId }) =>
    externalId === null ? Promise.resolve(undefined) : refuseCreditedTransfer(tx, externalId),
  async carryOut(tx, purse, { accountId, amount, externalId, note }, { approvalId, actor }) {
    const credited = await creditWallet(tx, {
      accountId,
      purse,
      amount,
      actor,
      approvalId,
      onePersonLimit: await readCreditLimit(tx, purse, false),
      externalId: externalId ?? undefined,
      note: note ?? undefined,
    })
    if (credited.isReplay)
      throw new ApprovalRefusedError(`${externalId} was credited while this waited, by ${credited.creditedBy}: refuse this.`)
    return { credit_id: credited.creditId, amount: formatOfPurse(purse, amount), external_id: externalId }
  },
})

export const creditKinds = Object.values(kinds)

export type NewCredit = NewWalletEntry & {
  /** The id given to the command. A repeat with the same id is the same credit. */
  readonly externalId?: string | undefined
  /** The receipt or the transfer behind a credit at the desk. Its number is credited once, whoever asks. */
  readonly receipt?: { readonly way: ReceiptWay; readonly number: string; readonly pageReference: string } | undefined
  readonly note: string | undefined
  readonly isLive: boolean
}

/**
 * `credited`: the wallet got the credit, now or earlier. `proposed`: it takes two people, for the reason in `why`, or, where
 * `why` is undefined, because it was proposed before; `status` is `done` when this person was the second. `balance` is the
 * wallet's present balance.
 */
export type CreditOutcome =
  | ({ readonly state: 'credited' } & WalletCreditResult)
  | ({ readonly state: 'proposed'; readonly why: string | undefined; readonly balance: number } & Proposed)

/**
 * Credits a wallet at once while the credits of this person alone within 24 hours stay within the limit of one person.
 * Above the limit, or when the same credit is proposed already, it takes two people. The same external id, or the same number
 * of a receipt, credits only once, whoever uses it.
 * @throws ExternalIdTakenError when the id was used for another credit
 * @throws ApprovalRefusedError when the receipt was credited before, also as a reseller's transfer, or a proposal with this id
 * and other figures waits
 */
export async function creditByPeople(tx: Tx, credit: NewCredit): Promise<CreditOutcome> {
  const { accountId, purse, amount, note, person, receipt } = credit
  const externalId = receipt ? receiptId(receipt.way, receipt.number) : credit.externalId
  const pageReference = receipt?.pageReference
  const allowance = await readAllowance(tx, credit)
  const asked = { accountId, purse, amount, externalId, pageReference }
  const earlier = await findEarlierCredit(tx, asked)
  if (earlier) return { state: 'credited', ...earlier }
  const kind = kinds[purse]
  const request: CreditRequest = { accountId, amount, externalId: externalId ?? null, note: note ?? null }
  const proposal = { kind, subject: accountId, request, reason: note ?? externalId ?? '', person, reference: pageReference }
  const keyed = externalId === undefined ? proposal : { ...proposal, key: externalId }
  const isAskedAgain = pageReference !== undefined && (await wasAnswered(tx, pageReference))
  if (receipt && !isAskedAgain) await refuseUsedReceipt(tx, receipt)
  const why = explainSecondPerson(allowance, purse, amount)
  if (why !== undefined || isAskedAgain || (await isProposed(tx, keyed))) {
    const proposed = await proposeApproval(tx, keyed)
    const { balance } = await readWallet(tx, { accountId, purse })
    return { state: 'proposed', why, ...proposed, balance }
  }
  await lockWallets(tx, [credit])
  const refused = externalId === undefined ? undefined : await refuseCreditedTransfer(tx, externalId)
  if (refused !== undefined) throw new ApprovalRefusedError(`${refused} Nothing was credited now.`)
  const credited = await creditWallet(tx, {
    ...asked,
    actor: person.by,
    osUser: person.osUser,
    onePersonLimit: allowance.onePersonLimit,
    note,
  })
  if (!credited.isReplay) {
    const before = formatOfPurse(purse, credited.balance - amount)
    const after = formatOfPurse(purse, credited.balance)
    const shown = { amount: formatOfPurse(purse, amount), before, after }
    const details = { credit_id: credited.creditId, external_id: externalId ?? null, note: note ?? null, ...shown }
    await appendOperatorLog(tx, { actor: person.by, action: kind.name, subject: accountId, details })
  }
  return { state: 'credited', ...credited }
}

/**
 * Requires an id for movements of real money, so that a command that runs twice moves the money once.
 * @throws OperatorRequestError when the installation is live and no id was given
 */
export async function needExternalId({ db, isLive }: { readonly db: Db; readonly isLive: boolean }, id: string | undefined) {
  if (id !== undefined || !(isLive || (await isLiveDatabase(db)))) return
  throw new OperatorRequestError(
    'This installation is live: give this an id of its own with --id, such as the number of a receipt.',
  )
}
