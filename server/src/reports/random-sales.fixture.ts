import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { rowsOf } from '../platform/database/rows-of.ts'

/** Everything that happened to one order, with its times. */
type Sale = {
  readonly id: string
  readonly accountId: string
  readonly kind: string
  readonly details: Record<string, unknown>
  readonly role: string | null
  readonly price: number
  readonly placedAt: Date
  readonly attempts: readonly {
    readonly id: string
    readonly supplier: string
    readonly outcome: string | null
    readonly expected: number | null
    readonly reported: readonly { readonly cost: number | null; readonly at: Date }[]
  }[]
  readonly end: { readonly status: 'completed' | 'failed' | 'cancelled'; readonly at: Date } | undefined
  readonly refund: { readonly amount: number; readonly at: Date } | undefined
  readonly commission: { readonly base: number; readonly caller: number } | undefined
  readonly adjustment: { readonly id: string; readonly amount: number; readonly at: Date } | undefined
}

const goods = [
  { kind: 'data', details: { network: 'MTN', size: '1GB' } },
  { kind: 'data', details: { network: 'MTN', size: '2GB' } },
  { kind: 'data', details: { network: 'Telecel', size: '1GB' } },
  { kind: 'airtime', details: { network: 'MTN', commission: { rateBasisPoints: 300, shareBasisPoints: 5000 } } },
  { kind: 'utilities', details: { biller: 'ecg', commission: { rateBasisPoints: 100, shareBasisPoints: 0 } } },
  { kind: 'results_checker', details: { typeName: 'WASSCE', quantity: 1 } },
  { kind: 'afa', details: {} },
  { kind: 'sms', details: {} },
] as const

type Random = () => number

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
const within = (random: Random, least: number, most: number) => least + Math.floor(random() * (most - least + 1))

function attemptsOf(random: Random, end: Sale['end'], placedAt: Date): Sale['attempts'] {
  const count = end?.status === 'completed' ? within(random, 1, 3) : within(random, 0, 3)
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1
    const outcome = !isLast ? 'rejected_platform' : end ? (end.status === 'completed' ? 'delivered' : 'failed') : null
    const at = (late: boolean) => new Date((late ? (end?.at ?? placedAt) : placedAt).getTime() + (late ? 60_000 : 1))
    const reported = [
      ...(random() < 0.5 ? [{ cost: within(random, 100, 900), at: at(false) }] : []),
      ...(random() < 0.2 ? [{ cost: null, at: at(false) }] : []),
      // Reported after the order had ended, so it does not count.
      ...(random() < 0.2 ? [{ cost: within(random, 100, 900), at: at(true) }] : []),
    ]
    const expected = random() < 0.8 ? within(random, 100, 900) : null
    return { id: newId(), supplier: pick(random, ['datamart', 'datakazina', 'hubtel']), outcome, expected, reported }
  })
}

/** One order of any product, with any ending, placed at a random time. */
export function randomSale(random: Random, accountIds: readonly string[], from: Date, to: Date): Sale {
  const { kind, details } = pick(random, goods)
  const placedAt = new Date(within(random, from.getTime(), to.getTime()))
  const price = within(random, 200, 3_000)
  const isStock = kind === 'results_checker'
  const soonAfter = (moment: Date) => new Date(moment.getTime() + Math.round(10 ** (random() * 5) * 1_000))
  const word = pick(random, ['completed', 'completed', 'completed', 'failed', kind === 'afa' ? 'cancelled' : 'failed', 'open'])
  const status = word === 'open' ? undefined : (word as 'completed' | 'failed' | 'cancelled')
  const end = isStock || status === undefined ? undefined : { status, at: soonAfter(placedAt) }
  const isRefunded = (end !== undefined && end.status !== 'completed' && random() < 0.8) || (isStock && random() < 0.2)
  // A completed campaign too may give back the credits of some messages.
  const isPart = kind === 'sms' && end?.status === 'completed' && random() < 0.5
  const ended = end?.at ?? placedAt
  const base = 'commission' in details && end?.status === 'completed' ? within(random, 0, 50) : undefined
  return {
    id: newId(),
    accountId: pick(random, accountIds),
    kind,
    details,
    role: pick(random, ['customer', 'agent', 'dealer', null]),
    price,
    placedAt,
    end,
    attempts: ['data', 'airtime', 'utilities'].includes(kind) ? attemptsOf(random, end, placedAt) : [],
    refund: isRefunded || isPart ? { amount: isPart ? Math.ceil(price / 3) : price, at: soonAfter(ended) } : undefined,
    commission: base === undefined ? undefined : { base, caller: Math.floor(base * random()) },
    adjustment:
      end && kind !== 'sms' && random() < 0.1
        ? { id: newId(), amount: within(random, -100, 100) || 7, at: soonAfter(ended) }
        : undefined,
  }
}

type TransferRow = { causeId: string; kind: string; sale: Sale; from: string; to: string; amount: number; at: Date }

function transfersOf(sale: Sale): TransferRow[] {
  const purse = sale.kind === 'sms' ? 'sms_credits' : 'main'
  const sales = sale.kind === 'sms' ? 'sms_sales' : 'sales'
  const { id, refund, commission, adjustment, end } = sale
  const rows: TransferRow[] = [
    { causeId: id, kind: 'purchase', sale, from: purse, to: sales, amount: sale.price, at: sale.placedAt },
  ]
  if (refund) {
    const kind = sale.kind === 'sms' && end?.status === 'completed' ? 'sms_refund' : 'refund'
    rows.push({ causeId: id, kind, sale, from: sales, to: purse, amount: refund.amount, at: refund.at })
  }
  if (commission && commission.caller > 0 && end)
    rows.push({
      causeId: id,
      kind: 'commission',
      sale,
      from: 'commission_expense',
      to: 'commission',
      amount: commission.caller,
      at: end.at,
    })
  if (adjustment) {
    const isGiven = adjustment.amount > 0
    const from = isGiven ? 'adjustments' : 'main'
    const to = isGiven ? 'main' : 'adjustments'
    const amount = Math.abs(adjustment.amount)
    rows.push({
      causeId: adjustment.id,
      kind: 'adjustment',
      sale,
      from: from,
      to: to,
      amount,
      at: adjustment.at,
    })
  }
  return rows
}

let entries = 0
const accountPurses = ['main', 'commission', 'sms_credits']
const entryOf = (purse: string) => (accountPurses.includes(purse) ? ++entries : null)

/** Writes the sales into the tables that reports read. Leaves the wallets alone. */
export async function writeSales(db: Db, sales: readonly Sale[]): Promise<void> {
  await sql`
    insert into orders ${rowsOf(sales, {
      id: ['uuid', (sale) => sale.id],
      account_id: ['uuid', (sale) => sale.accountId],
      kind: ['text', (sale) => sale.kind],
      reference: ['text', (sale) => `random-${sale.id}`],
      status: ['text', (sale) => sale.end?.status ?? (sale.kind === 'results_checker' ? 'completed' : 'pending')],
      price: ['bigint', (sale) => sale.price],
      recipient: ['text', () => '0240000000'],
      details: ['jsonb', (sale) => JSON.stringify(sale.details)],
      role: ['text', (sale) => sale.role],
      created_at: ['timestamptz', (sale) => sale.placedAt],
    }).forInsert()}`.execute(db)
  const attempts = sales.flatMap((sale) => sale.attempts.map((attempt, index) => ({ sale, attempt, no: index + 1 })))
  await sql`
    insert into attempts ${rowsOf(attempts, {
      order_id: ['uuid', ({ sale }) => sale.id],
      attempt_no: ['integer', ({ no }) => no],
      supplier: ['text', ({ attempt }) => attempt.supplier],
      outgoing_reference: ['text', ({ attempt }) => attempt.id],
      send_before: ['timestamptz', ({ sale }) => sale.placedAt],
      outcome: ['text', ({ attempt }) => attempt.outcome],
      expected_cost: ['bigint', ({ attempt }) => attempt.expected],
    }).forInsert()}`.execute(db)
  const answers = attempts.flatMap(({ sale, attempt, no }) => attempt.reported.map((said) => ({ sale, no, said })))
  await sql`
    insert into attempt_answers ${rowsOf(answers, {
      order_id: ['uuid', ({ sale }) => sale.id],
      attempt_no: ['integer', ({ no }) => no],
      source: ['text', () => 'status'],
      answer: ['text', () => 'accepted'],
      evidence: ['bytea', () => Buffer.from('said so')],
      reported_cost: ['bigint', ({ said }) => said.cost],
      created_at: ['timestamptz', ({ said }) => said.at],
    }).forInsert()}`.execute(db)
  await writeMoney(db, sales)
}

async function writeMoney(db: Db, sales: readonly Sale[]): Promise<void> {
  const ended = sales.flatMap(({ id, end }) => (end ? [{ id, end }] : []))
  await sql`
    insert into order_events ${rowsOf(ended, {
      order_id: ['uuid', ({ id }) => id],
      from_status: ['text', () => 'processing'],
      to_status: ['text', ({ end }) => end.status],
      actor: ['text', () => 'test'],
      created_at: ['timestamptz', ({ end }) => end.at],
    }).forInsert()}`.execute(db)
  const earned = sales.flatMap(({ id, accountId, commission }) => (commission ? [{ id, accountId, commission }] : []))
  await sql`
    insert into order_commissions ${rowsOf(earned, {
      order_id: ['uuid', ({ id }) => id],
      account_id: ['uuid', ({ accountId }) => accountId],
      base: ['bigint', ({ commission }) => commission.base],
      caller: ['bigint', ({ commission }) => commission.caller],
      platform: ['bigint', ({ commission }) => commission.base - commission.caller],
      source: ['text', () => 'rate'],
    }).forInsert()}`.execute(db)
  const agreed = sales.flatMap(({ id, adjustment }) => (adjustment ? [{ id, adjustment }] : []))
  await sql`
    insert into approvals ${rowsOf(agreed, {
      id: ['uuid', ({ adjustment }) => adjustment.id],
      kind: ['text', () => 'order adjust'],
      key: ['text', ({ id }) => id],
      subject: ['text', ({ id }) => `random-${id}`],
      request: ['jsonb', ({ id, adjustment }) => JSON.stringify({ orderId: id, amount: adjustment.amount })],
      reason: ['text', () => 'ticket'],
      proposed_by: ['text', () => 'ama'],
      proposed_os_user: ['text', () => 'ama'],
      state: ['text', () => 'done'],
      decided_by: ['text', () => 'kofi'],
      decided_os_user: ['text', () => 'kofi'],
      decided_at: ['timestamptz', ({ adjustment }) => adjustment.at],
    }).forInsert()}`.execute(db)
  await sql`
    insert into transfers ${rowsOf(sales.flatMap(transfersOf), {
      cause_id: ['uuid', ({ causeId }) => causeId],
      kind: ['text', ({ kind }) => kind],
      account_id: ['uuid', ({ sale }) => sale.accountId],
      from_purse: ['text', ({ from }) => from],
      to_purse: ['text', ({ to }) => to],
      amount: ['bigint', ({ amount }) => amount],
      from_entry_no: ['bigint', ({ from }) => entryOf(from)],
      from_balance_after: ['bigint', ({ from }) => (accountPurses.includes(from) ? 0 : null)],
      to_entry_no: ['bigint', ({ to }) => entryOf(to)],
      to_balance_after: ['bigint', ({ to }) => (accountPurses.includes(to) ? 0 : null)],
      created_at: ['timestamptz', ({ at }) => at],
    }).forInsert()}`.execute(db)
}
