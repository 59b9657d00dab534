import Type, { type Static } from 'typebox'
import { type ApprovalKind, ApprovalRefusedError, defineApprovalKind } from '../../platform/approvals/approval-kind.ts'
import { isProposed, type Proposed, proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import { explainSecondPerson, readAllowance } from '../by-people/one-person-allowance.ts'
import { findCreditOfTransfer } from '../by-people/receipt-number.ts'
import { readCreditLimit } from '../money.settings.ts'
import { formatGhs, pesewas } from '../pesewas.ts'
import { lockTopUp } from './conclude-top-up.ts'
import { creditTopUp } from './credit-top-up.ts'
import { readTopUp, type TopUpRow } from './read-top-up.ts'
import { topUpMoves } from './top-up-life.ts'

/** Notifies a reseller of the decision about its top-up, in the transaction that decides. */
export type NotifyOfTopUp = (
  tx: Tx,
  topUp: TopUpRow,
  decision: { readonly state: 'credited' } | { readonly state: 'declined'; readonly reason: string },
) => Promise<void>

/** Locks a transfer that can be confirmed. @throws ApprovalRefusedError otherwise */
async function lockConfirmable(tx: Tx, id: string): Promise<TopUpRow> {
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new ApprovalRefusedError(`There is no top-up ${id}.`)
  if (topUp.way !== 'transfer') {
    throw new ApprovalRefusedError(
      `Top-up ${topUp.reference} came through ${topUp.way}: it is credited when the gateway proves it.`,
    )
  }
  if (topUp.state !== 'waiting') throw new ApprovalRefusedError(`Top-up ${topUp.reference} is ${topUp.state} already.`)
  const same = await tx
    .selectFrom('top_ups')
    .select('reference')
    .where('transfer_key', '=', topUp.transfer_key)
    .where('state', '=', 'credited')
    .executeTakeFirst()
  if (same) {
    throw new ApprovalRefusedError(`The transfer ${topUp.transfer_reference} was credited already, as top-up ${same.reference}.`)
  }
  const byHand = topUp.transfer_reference === null ? undefined : await findCreditOfTransfer(tx, topUp.transfer_reference)
  if (byHand) {
    throw new ApprovalRefusedError(
      `The transfer ${topUp.transfer_reference} was credited by hand already, to account ${byHand.account} by ${byHand.actor} at ${showMoment(byHand.created_at)}.`,
    )
  }
  return topUp
}

/** Calculates the wallet's balance now, and after the top-up is credited. The top-up must be locked. */
async function describeCreditChange(tx: Tx, { account_id: accountId }: TopUpRow, amount: number) {
  const wallet = await tx
    .selectFrom('wallets')
    .select('balance')
    .where('account_id', '=', accountId)
    .where('purse', '=', 'main')
    .executeTakeFirstOrThrow()
  return { before: formatGhs(pesewas(wallet.balance)), after: formatGhs(pesewas(wallet.balance + amount)) }
}

const TransferRequest = Type.Object({
  topUpId: Type.String(),
  accountId: Type.String(),
  amount: Type.Integer({ minimum: 1 }),
})
type ConfirmationKind = ApprovalKind<Static<typeof TransferRequest>>

/**
 * Makes the kind of approval for transfers that need a second person: with them, the first person would credit more within 24
 * hours than one person may.
 */
function confirmationKindWith(notify: NotifyOfTopUp): ConfirmationKind {
  return defineApprovalKind({
    name: 'top-up confirm',
    schema: TransferRequest,
    describe: ({ accountId, amount }) => `credit a transfer of ${formatGhs(pesewas(amount))} to account ${accountId}`,
    accountOf: (_db, { accountId }) => Promise.resolve(accountId),
    async lockAndPreview(tx, { topUpId, amount }) {
      return describeCreditChange(tx, await lockConfirmable(tx, topUpId), amount)
    },
    async carryOut(tx, { topUpId }, { approvalId, actor }) {
      const topUp = await lockConfirmable(tx, topUpId)
      const limit = await readCreditLimit(tx, 'main', false)
      await creditTopUp(tx, topUp, { decided_by: actor, approval_id: approvalId, one_person_limit: limit })
      await notify(tx, topUp, { state: 'credited' })
      return { top_up_id: topUp.id, amount: formatGhs(pesewas(topUp.amount)), transfer: topUp.transfer_reference }
    },
  })
}

/** A person's request to credit a transfer whose money has arrived. */
export type TransferConfirmation = {
  readonly topUpId: string
  readonly person: Person
  readonly isLive: boolean
}

type Confirmed = { readonly state: 'credited' } | ({ readonly state: 'proposed'; readonly why: string | undefined } & Proposed)

async function confirm(
  tx: Tx,
  { topUpId, person, isLive }: TransferConfirmation,
  { kind, notify }: { readonly kind: ConfirmationKind; readonly notify: NotifyOfTopUp },
): Promise<Confirmed> {
  const allowance = await readAllowance(tx, { purse: 'main', person, isLive })
  const found = await readTopUp(tx, topUpId)
  const why = found && explainSecondPerson(allowance, 'main', found.amount)
  if (found && (why !== undefined || (await isProposed(tx, { kind, key: found.id, request: undefined })))) {
    const request = { topUpId: found.id, accountId: found.account_id, amount: found.amount }
    const reason = `transfer ${found.transfer_reference ?? found.reference}`
    const proposal = { kind, subject: found.account_id, request, key: found.id, reason, person }
    return { state: 'proposed', why, ...(await proposeApproval(tx, proposal)) }
  }
  const topUp = await lockConfirmable(tx, topUpId)
  const change = await describeCreditChange(tx, topUp, topUp.amount)
  await creditTopUp(tx, topUp, {
    decided_by: person.by,
    decided_os_user: person.osUser,
    one_person_limit: allowance.onePersonLimit,
  })
  await appendOperatorLog(tx, {
    actor: person.by,
    action: kind.name,
    subject: topUp.account_id,
    details: { top_up_id: topUp.id, amount: formatGhs(pesewas(topUp.amount)), transfer: topUp.transfer_reference, ...change },
  })
  await notify(tx, topUp, { state: 'credited' })
  return { state: 'credited' }
}

type TopUpDecline = { readonly topUpId: string; readonly person: Person; readonly reason: string }

async function decline(tx: Tx, { topUpId, person, reason }: TopUpDecline, notify: NotifyOfTopUp): Promise<TopUpRow> {
  const topUp = await lockTopUp(tx, topUpId)
  if (!topUp) throw new ApprovalRefusedError(`There is no top-up ${topUpId}.`)
  if (!topUpMoves[topUp.state].includes('declined')) {
    throw new ApprovalRefusedError(`Top-up ${topUp.reference} is ${topUp.state}: only one that waits or is held can be declined.`)
  }
  await tx
    .updateTable('top_ups')
    .set({ state: 'declined', reason, decided_by: person.by, next_ask_at: null, ended_at: new Date() })
    .where('id', '=', topUpId)
    .execute()
  await appendOperatorLog(tx, {
    actor: person.by,
    action: 'top-up decline',
    subject: topUp.account_id,
    details: {
      top_up_id: topUp.id,
      amount: formatGhs(pesewas(topUp.amount)),
      reason,
      before: { state: topUp.state },
      after: { state: 'declined' },
    },
  })
  await notify(tx, topUp, { state: 'declined', reason })
  return topUp
}

/**
 * Makes the functions by which people decide about money that resellers paid in. `notify` notifies the reseller of each
 * decision.
 */
export function decideTransfersWith(notify: NotifyOfTopUp) {
  const kind = confirmationKindWith(notify)
  return {
    confirmationKind: kind,
    /**
     * Credits a transfer whose money a person has seen arrive. Above the limit of one person, or once proposed, it takes two
     * people.
     *
     * @throws ApprovalRefusedError when there is no such transfer, it is already decided, or the same transfer was credited
     * before
     */
    confirmTransfer: (tx: Tx, confirmation: TransferConfirmation): Promise<Confirmed> =>
      confirm(tx, confirmation, { kind, notify }),
    /**
     * Ends a transfer or a held top-up without money. The reseller reads the reason.
     *
     * @throws ApprovalRefusedError when there is no such top-up, or it neither waits nor is held
     */
    declineTopUp: (tx: Tx, request: TopUpDecline): Promise<TopUpRow> => decline(tx, request, notify),
  }
}
