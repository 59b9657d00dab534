import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { type ApprovalKind, ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import { proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { beginGap, findLastGap, findOpenGap } from '../../platform/history/gaps.ts'
import { GivenReason } from '../../platform/http/given-reason.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { raiseHistoryAlarm } from './history-alarm.ts'

const GapShown = Type.Object({
  id: Uuid(),
  noticedAt: Timestamp(),
  noticedBy: Type.String(),
  reason: Type.String(),
  wentBackTo: Timestamp(),
  knownUntil: Timestamp(),
  acceptedAt: Nullable(Timestamp()),
  keptBack: Type.Record(Type.String(), Type.Integer()),
})

const Missing = Type.Object({
  reference: Type.String(),
  orderId: Uuid(),
  accountId: Uuid(),
  kind: Type.String(),
  amount: Type.Integer({ description: 'Pesewas, or SMS credits.' }),
  acknowledgedAt: Timestamp(),
  releasedAt: Nullable(Timestamp()),
})

const MissingOfAccount = Type.Object({ accountId: Uuid(), kind: Type.String(), orders: Type.Integer(), amount: Type.Integer() })

const History = Type.Object({
  isHeld: Type.Boolean(),
  gap: Nullable(GapShown),
  missingByAccount: Type.Array(MissingOfAccount),
  missing: Type.Array(Missing),
  openOrders: Type.Object({ unsent: Type.Integer(), asked: Type.Integer() }),
})
type History = Static<typeof History>

async function listMissing(db: Db, gapId: string): Promise<Static<typeof Missing>[]> {
  const { rows } = await sql<Static<typeof Missing>>`
    select reference, order_id as "orderId", account_id as "accountId", kind, price as amount,
      acknowledged_at as "acknowledgedAt", released_at as "releasedAt"
    from missing_orders where gap_id = ${gapId} order by order_id`.execute(db)
  return rows
}

function sumByAccount(missing: readonly Static<typeof Missing>[]): Static<typeof MissingOfAccount>[] {
  const groups = Map.groupBy(missing, ({ accountId, kind }) => `${accountId} ${kind}`)
  return [...groups.values()].flatMap((orders) => {
    const [first] = orders
    if (!first) return []
    const amount = orders.reduce((sum, order) => sum + order.amount, 0)
    return [{ accountId: first.accountId, kind: first.kind, orders: orders.length, amount }]
  })
}

async function readHistory(db: Db): Promise<History> {
  const gap = (await findLastGap(db)) ?? null
  const missing = gap ? await listMissing(db, gap.id) : []
  const { rows } = await sql<{ unsent: number; asked: number }>`
    select count(*) filter (where attempt_no is null)::integer as unsent,
      count(*) filter (where attempt_no is not null)::integer as asked
    from open_orders`.execute(db)
  const openOrders = rows[0] ?? { unsent: 0, asked: 0 }
  return {
    isHeld: gap !== null && gap.acceptedAt === null,
    gap: gap && { ...gap, keptBack: { ...gap.keptBack } },
    missingByAccount: sumByAccount(missing),
    missing,
    openOrders,
  }
}

function describeHistory({ isHeld, gap, missingByAccount, missing, openOrders }: History): string {
  if (!gap) return 'History has never gone back.'
  const shown = (moment: Date) => moment.toISOString()
  const state = isHeld ? 'Nothing is sold and nothing is sent.' : `Accepted at ${gap.acceptedAt ? shown(gap.acceptedAt) : ''}.`
  return [
    `${state} Noticed at ${shown(gap.noticedAt)} by ${gap.noticedBy}: ${gap.reason}.`,
    `The database knows nothing between ${shown(gap.wentBackTo)} and ${shown(gap.knownUntil)}.`,
    ...Object.entries(gap.keptBack).map(([name, count]) => `  ${name.replaceAll('_', ' ')}: ${count}`),
    `Open orders: ${openOrders.unsent} to be sent, ${openOrders.asked} that suppliers are asked about.`,
    `Acknowledged orders that are known to be missing: ${missing.length}`,
    ...missingByAccount.map(
      ({ accountId, kind, orders, amount }) => `  account ${accountId}: ${orders} of ${kind}, ${amount} in all`,
    ),
    ...missing.map(
      ({ reference, kind, amount, orderId, releasedAt }) =>
        `  ${reference}  ${kind}  ${amount}  ${orderId}${releasedAt ? '  released' : ''}`,
    ),
  ].join('\n')
}

const nothingHeld = 'History has not gone back: nothing waits to be accepted.'

function acceptOperation(kind: ApprovalKind<{ gapId: string }>) {
  return operation({
    command: 'history accept',
    example: 'makola history accept --reason "the backup of 3 o’clock; suppliers compared" --by ama',
    summary: 'Sell and send again after history went back, by two people',
    by: 'required',
    input: Type.Object({ reason: GivenReason }),
    output: Type.Object({ approvalId: Uuid(), status: OneOf(['pending', 'done', 'same_waits']), history: History }),
    question: () =>
      Promise.resolve('Go on? Orders that may have been sent are asked about; campaigns are paused, vouchers taken off sale.'),
    async act({ db }, { person }, { reason }) {
      const gap = await findOpenGap(db)
      if (!gap) throw new ApprovalRefusedError(nothingHeld)
      const proposal = { kind, subject: gap.id, request: { gapId: gap.id }, key: gap.id, reason, person }
      const proposed = await inTransaction(db, (tx) => proposeApproval(tx, proposal))
      return { ...proposed, history: await readHistory(db) }
    },
    text: ({ approvalId, status, history }) =>
      status === 'done'
        ? describeHistory(history)
        : `Proposed. A second person confirms it: makola approvals confirm ${approvalId} --by NAME`,
  })
}

const holdOperation = operation({
  command: 'history hold',
  example: 'makola history hold --reason "restored the backup of 3 o’clock" --by ama',
  summary: 'Stop selling and sending after a restore, before anything is started',
  by: 'required',
  input: Type.Object({ reason: GivenReason }),
  output: History,
  async act({ db }, { actor }, { reason }) {
    const gap = await inTransaction(db, async (tx) => {
      const begun = await beginGap(tx, { noticedBy: actor, reason })
      await appendOperatorLog(tx, { actor, action: 'history hold', subject: begun.id, details: { reason } })
      return begun
    })
    await raiseHistoryAlarm(db, { error: () => undefined }, gap)
    return readHistory(db)
  },
  text: describeHistory,
})

const releaseOperation = operation({
  command: 'history release <reference>',
  example: 'makola history release order-4711 --reason "the supplier never got it" --by ama',
  summary: 'Let a reseller place an order again that history has lost',
  description: 'Until then a repeat of its reference is answered `outcome_unknown`. A released reference is a new order.',
  by: 'required',
  input: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 200 }), reason: GivenReason }),
  output: Type.Object({ released: Type.Integer() }),
  async act({ db }, { actor }, { reference, reason }) {
    return inTransaction(db, async (tx) => {
      const { rows } = await sql<{ order_id: string; account_id: string }>`
        update missing_orders set released_at = clock_timestamp(), released_by = ${actor}, reason = ${reason}
        where reference = ${reference} and released_at is null
        returning order_id, account_id`.execute(tx)
      if (rows.length === 0)
        throw new OperatorRequestError(`No missing order with the reference ${reference} waits for a decision.`)
      for (const { order_id: orderId, account_id } of rows) {
        const details = { reference, reason, account_id }
        await appendOperatorLog(tx, { actor, action: 'history release', subject: orderId, details })
      }
      return { released: rows.length }
    })
  },
  text: ({ released }) => `Released: ${released}. The reference can be used for a new order within a second.`,
})

/** What people ask and decide when the history of the database went back. */
export const historyOperations = (kind: ApprovalKind<{ gapId: string }>) => [
  operation({
    command: 'history show',
    example: 'makola history show',
    summary: 'Whether history went back, since when, and what is known to be missing',
    input: Type.Object({}),
    output: History,
    act: ({ db }) => readHistory(db),
    text: describeHistory,
  }),
  acceptOperation(kind),
  holdOperation,
  releaseOperation,
]
