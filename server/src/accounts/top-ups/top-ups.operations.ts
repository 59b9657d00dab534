import Type from 'typebox'
import { numberKey } from '../../money/by-people/receipt-number.ts'
import { Ghs } from '../../money/ghs.ts'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { listTopUps } from '../../money/top-ups/list-top-ups.ts'
import { readTopUp, type TopUpRow } from '../../money/top-ups/read-top-up.ts'
import { topUpRefusals } from '../../money/top-ups/top-ups.refusals.ts'
import { describeConfirmed } from '../../platform/approvals/propose-approval.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { isId } from '../../platform/database/read-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp, WithHelp, WithWireName } from '../../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { findAccount } from '../find-account.ts'
import { confirmTransfer, declineTopUp } from './confirm-transfers.ts'
import { readTopUpDetails, readTopUpPage } from './read-top-ups.ts'

const states = ['pending', 'waiting', 'credited', 'failed', 'expired', 'held', 'declined'] as const
const forPeople = ['waiting', 'held'] as const

const id = WithWireName('top_up_id', Uuid())

const shown = {
  id,
  account_id: Uuid(),
  reference: Type.String({ description: 'What the gateway and the receipt call it.' }),
  way: Type.String({ description: 'The gateway, or `transfer`.' }),
  state: OneOf(states),
  amount: Ghs({ description: 'What the wallet gets, in GHS.' }),
  fee: Ghs(),
  payer_phone: Nullable(Type.String({ description: 'The number that is asked to pay on the phone.' })),
  transfer_reference: Nullable(Type.String()),
  note: Nullable(Type.String({ description: 'The reseller’s.' })),
  said: Nullable(Type.String({ description: 'What the gateway said last.' })),
  reason: Nullable(Type.String({ description: 'Why it failed, is held or was declined.' })),
  made_by: Type.String(),
  decided_by: Nullable(Type.String()),
  created_at: Timestamp(),
  ended_at: Nullable(Timestamp()),
}

const shownInFull = {
  ...shown,
  evidence: Nullable(Type.String({ description: 'The gateway’s own words.' })),
  channel: Nullable(Type.String()),
  approval_id: Nullable(Uuid()),
  asked_at: Nullable(Timestamp({ description: 'When the gateway was asked last.' })),
  next_ask_at: Nullable(Timestamp()),
  expires_at: Nullable(Timestamp()),
}

/** A top-up in the output of `--json`. */
export const PrintedTopUp = Type.Object(shownInFull)

const shownAtDesk = {
  account_name: Type.String(),
  email: Type.String({ description: 'The account’s.' }),
  charged: Ghs({ description: 'What the payer pays: amount and fee.' }),
  has_picture: Type.Boolean(),
}

const DeskTopUpDetails = Type.Object(
  {
    ...shownInFull,
    ...shownAtDesk,
    takes_two: Type.Boolean({ description: 'Whether confirming it takes two people.' }),
    proposal: Type.Union([
      Type.Object({ approval_id: Uuid(), proposed_by: Type.String(), expires_at: Timestamp(), is_yours: Type.Boolean() }),
      Type.Null(),
    ]),
    balance: Ghs({ description: 'What the account’s wallet holds now, in GHS.' }),
    same_transfer: Type.Array(Type.Object({ id, account_id: Uuid(), state: OneOf(states) }), {
      description: 'Other top-ups with the same transfer number.',
    }),
  },
  { title: 'DeskTopUpDetails' },
)

/** Describes a top-up in two or three lines, for people. */
export function describeTopUp(row: TopUpRow): string {
  const by = row.transfer_reference === null ? row.way : `transfer ${row.transfer_reference}`
  const why = row.reason === null ? '' : `\n  ${row.reason}`
  return `${row.id}  ${row.state}  ${formatGhs(pesewas(row.amount))}  ${by}\n  account ${row.account_id}, made by ${row.made_by} at ${row.created_at.toISOString()}${why}`
}

/** @throws RefusalError 404 */
async function readDetails({ db, isLive }: OperationDeps, topUpId: string, reader: string) {
  const details = await readTopUpDetails(db, topUpId, { reader, isLive })
  if (!details) throw new RefusalError(topUpRefusals.notFound)
  return details
}

async function readAccountOf(db: Db, topUpId: string): Promise<string> {
  const row = await readTopUp(db, topUpId)
  if (!row) throw new RefusalError(topUpRefusals.notFound)
  return row.account_id
}

const reads = [
  operation({
    command: 'top-up list',
    example: 'makola top-up list --state waiting',
    summary: 'List top-ups, newest first; without --state those that wait for a person',
    input: Type.Object({
      accountId: Type.Optional(Uuid({ description: 'only those of this account: its id or e-mail' })),
      state: Type.Optional(OneOf(states, { description: 'only those in this state' })),
      limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'so many at most, up to 1000' }),
      after: Type.Optional(Uuid({ description: 'the page after this one: its `next`' })),
    }),
    output: Type.Object({ topUps: Type.Array(PrintedTopUp), next: Nullable(Uuid()) }),
    act({ db }, _actor, { state, ...asked }) {
      const ofNoState = asked.accountId === undefined ? forPeople : undefined
      return listTopUps(db, { ...asked, states: state === undefined ? ofNoState : [state] })
    },
    text({ topUps, next }) {
      const more = next === null ? [] : [`There is more: --after ${next}`]
      return [...topUps.map(describeTopUp), ...more].join('\n') || 'There is no such top-up.'
    },
  }),
  operation({
    route: 'GET /top-ups',
    operationId: 'deskListTopUps',
    tag: 'Top-ups',
    permission: 'see',
    summary: 'Money that resellers pay in by themselves, newest first',
    input: Type.Object({
      state: Type.Optional(OneOf(states)),
      isForPeople: Type.Optional(
        Type.Boolean({ description: 'Only those that wait for a person: transfers, and what is held.' }),
      ),
      account: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'The account’s id or e-mail.' })),
      transfer: Type.Optional(
        Type.String({ minLength: 1, maxLength: 60, description: 'The number of a transfer, however it is written.' }),
      ),
      after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    }),
    output: Type.Object(
      {
        topUps: Type.Array(Type.Object({ ...shown, ...shownAtDesk }, { title: 'DeskTopUp' })),
        next: Nullable(Uuid()),
      },
      { title: 'DeskTopUpPage' },
    ),
    async act({ db }, _actor, { account: idOrEmail, state, isForPeople, transfer, ...page }) {
      const account = idOrEmail === undefined ? undefined : await findAccount(db, idOrEmail)
      if (idOrEmail !== undefined && !account) return { topUps: [], next: null }
      const states = state === undefined ? (isForPeople ? forPeople : undefined) : [state]
      const transferKey = transfer === undefined ? undefined : numberKey(transfer)
      return readTopUpPage(db, { ...page, accountId: account?.accountId, states, transferKey })
    },
  }),
  operation({
    route: 'GET /top-ups/:top_up_id',
    operationId: 'deskReadTopUp',
    tag: 'Top-ups',
    permission: 'see',
    refusals: [404],
    summary: 'One top-up, with all that is known about it',
    input: Type.Object({ topUpId: Uuid() }),
    output: DeskTopUpDetails,
    act: (deps, { actor }, { topUpId }) => readDetails(deps, topUpId, actor),
  }),
]

const deciding = {
  tag: 'Top-ups',
  permission: 'manage_money',
  isConfirmationNeeded: true,
  refusals: [404, 409],
  by: 'required',
  check: ({ topUpId }: { readonly topUpId: string }) =>
    isId(topUpId) ? undefined : `${JSON.stringify(topUpId)} is no id of a top-up. \`makola top-up list\` shows them.`,
  about: ({ db }: OperationDeps, _actor: Actor, { topUpId }: { readonly topUpId: string }) => readAccountOf(db, topUpId),
} as const

const topUpId = WithHelp('as the list gives it', Uuid())

const decisions = [
  operation({
    ...deciding,
    command: 'top-up confirm <top-up-id>',
    example: 'makola top-up confirm 0190a1b2-0000-7000-8000-000000000000 --by kofi',
    route: 'POST /top-ups/:top_up_id/confirm',
    operationId: 'deskConfirmTopUp',
    summary: 'Say that the money of a transfer is there: the wallet is credited',
    description:
      'Above what one person may credit within 24 hours it is proposed; a second person confirms the proposal by its id.',
    input: Type.Object({ topUpId }),
    output: Type.Object(
      {
        topUpId: Uuid(),
        outcome: OneOf(['credited', 'proposed', 'same_waits'], {
          description:
            '`proposed`: a second person confirms it; nothing moved yet. `same_waits`: the proposal named waits for that.',
        }),
        approvalId: Nullable(Uuid()),
        why: Nullable(Type.String({ description: 'Why a second person is needed.' })),
      },
      { title: 'ConfirmedTopUp' },
    ),
    async question({ db }, { topUpId: asked }) {
      const row = await readTopUp(db, asked)
      return row && `Is the transfer ${row.transfer_reference ?? row.reference} of ${formatGhs(pesewas(row.amount))} there?`
    },
    async act({ db, isLive }, { person }, { topUpId: confirmed }) {
      const result = await inTransaction(db, (tx) => confirmTransfer(tx, { topUpId: confirmed, person, isLive }))
      const { status, approvalId, why } =
        result.state === 'credited' ? { status: 'done' as const, approvalId: null, why: undefined } : result
      const outcome = ({ done: 'credited', pending: 'proposed', same_waits: 'same_waits' } as const)[status]
      return { topUpId: confirmed, status, outcome, approvalId, why: status === 'done' ? null : (why ?? null) }
    },
    printed: Type.Object({
      topUpId: Uuid(),
      approvalId: Type.Optional(Uuid()),
      status: OneOf(['done', 'pending', 'same_waits']),
    }),
    print: async (_deps, { approvalId, ...outcome }) => ({ ...outcome, ...(approvalId !== null && { approvalId }) }),
    text({ status, approvalId, why }, _input, { db }) {
      if (approvalId === undefined) return 'Credited.'
      if (status === 'done') return describeConfirmed(db, approvalId)
      const next = `a second person confirms it within 7 days with \`makola approvals confirm ${approvalId} --by NAME\`.`
      return `${why ?? ''}\nNothing moved yet: ${next}`.trim()
    },
  }),
  operation({
    ...deciding,
    command: 'top-up decline <top-up-id>',
    example: 'makola top-up decline 0190a1b2-0000-7000-8000-000000000000 --reason "no such transfer came" --by kofi',
    route: 'POST /top-ups/:top_up_id/decline',
    operationId: 'deskDeclineTopUp',
    summary: 'End a transfer, or a top-up that is held, without money; the reseller reads why',
    input: Type.Object({ topUpId, reason: GivenReason }),
    output: DeskTopUpDetails,
    async act(deps, { actor, person }, { topUpId: declined, reason }) {
      await inTransaction(deps.db, (tx) => declineTopUp(tx, { topUpId: declined, person, reason }))
      return readDetails(deps, declined, actor)
    },
    printed: Type.Object({ id, status: Type.Literal('declined') }),
    text: () => 'Declined: nothing was credited.',
  }),
]

export const topUpOperations = [...reads, ...decisions]
